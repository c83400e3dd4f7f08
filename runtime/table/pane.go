package table

import "math/bits"

// Pane has the accumulators of one window, by the id of their key, in pages of 64 that are taken when one of their keys is touched. Panes makes it. Pages never
// move: a pointer into one is good until the pane is dropped. A is a struct without pointers.
type Pane[A any] struct {
	Start int64 // of the window, ns

	words []word[A] // by id/64
	pool  *pool[A]
}

type word[A any] struct {
	live  uint64 // which of the 64 keys have an accumulator
	dirty uint64 // which were touched since Clean
	page  *page[A]
}

type page[A any] struct {
	slots [64]A
	next  *page[A]
}

// pool has the pages that are not in use, zeroed. There is always one, so that taking a page needs no call and Touch can be inlined.
type pool[A any] struct{ free *page[A] }

// Touch gives the accumulator of key id for reading and writing and marks it as changed; fresh says that there was none, then it is zero. id is below what
// Panes.Grow was told.
func (p *Pane[A]) Touch(id uint32) (a *A, fresh bool) {
	w := &p.words[id/64]
	if w.page == nil {
		w.page = p.pool.free
		if w.page.next == nil {
			w.page.next = new(page[A])
		}
		p.pool.free = w.page.next
	}
	bit := uint64(1) << (id % 64)
	fresh = w.live&bit == 0
	w.live |= bit
	w.dirty |= bit
	return &w.page.slots[id%64], fresh
}

// Slot gives the accumulator of a key that has one, for reading.
func (p *Pane[A]) Slot(id uint32) *A { return &p.words[id/64].page.slots[id%64] }

// Has says whether key id has an accumulator.
func (p *Pane[A]) Has(id uint32) bool {
	return int(id/64) < len(p.words) && p.words[id/64].live>>(id%64)&1 != 0
}

// Len is how many keys have an accumulator. It counts them.
func (p *Pane[A]) Len() int {
	n := 0
	for i := range p.words {
		n += bits.OnesCount64(p.words[i].live)
	}
	return n
}

// IDs appends the ids that have an accumulator, ascending.
func (p *Pane[A]) IDs(dst []uint32) []uint32 {
	for i := range p.words {
		for w := p.words[i].live; w != 0; w &= w - 1 {
			dst = append(dst, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// Changed appends the ids that were touched since Clean, ascending.
func (p *Pane[A]) Changed(dst []uint32) []uint32 {
	for i := range p.words {
		for w := p.words[i].dirty; w != 0; w &= w - 1 {
			dst = append(dst, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// Clean says that every accumulator is durable as it is.
func (p *Pane[A]) Clean() {
	for i := range p.words {
		p.words[i].dirty = 0
	}
}

// grow makes room for ids up to 64*words.
func (p *Pane[A]) grow(words int) {
	if n := words - len(p.words); n > 0 {
		p.words = append(p.words, make([]word[A], n)...)
	}
}

// empty gives all pages back.
func (p *Pane[A]) empty() {
	for i := range p.words {
		if page := p.words[i].page; page != nil {
			clear(page.slots[:])
			page.next = p.pool.free
			p.pool.free = page
		}
	}
	clear(p.words)
}

// Panes has the open windows of a stage. The zero value is ready. It must not be copied after use and belongs to one goroutine.
type Panes[A any] struct {
	Open []*Pane[A] // oldest start first; read only

	words int
	spare []*Pane[A]
	pool  pool[A]
}

// Grow makes room for keys with ids below keys (see Keys.Cap) in every pane, those of later calls of At included.
func (w *Panes[A]) Grow(keys int) {
	words := (keys + 63) / 64
	if words <= w.words {
		return
	}
	w.words = words
	for _, p := range w.Open {
		p.grow(words)
	}
}

// At gives the pane of the window that starts at start, a new one if there is none. Nearly always it is one of the newest.
func (w *Panes[A]) At(start int64) *Pane[A] {
	low, high := 0, len(w.Open) // panes before low start before, those from high on after it
	for near := 0; low < high; near++ {
		i := high - 1
		if near >= 4 {
			i = int(uint(low+high) / 2)
		}
		switch p := w.Open[i]; {
		case p.Start == start:
			return p
		case p.Start < start:
			low = i + 1
		default:
			high = i
		}
	}
	var p *Pane[A]
	if n := len(w.spare); n > 0 {
		p, w.spare = w.spare[n-1], w.spare[:n-1]
	} else {
		p = new(Pane[A])
	}
	if w.pool.free == nil {
		w.pool.free = new(page[A])
	}
	p.Start, p.pool = start, &w.pool
	p.grow(w.words)
	w.Open = append(w.Open, nil)
	copy(w.Open[low+1:], w.Open[low:])
	w.Open[low] = p
	return p
}

// Drop closes the oldest pane. Its accumulators are gone; their pages are used again.
func (w *Panes[A]) Drop() {
	p := w.Open[0]
	p.empty()
	w.spare = append(w.spare, p)
	n := copy(w.Open, w.Open[1:])
	w.Open[n] = nil
	w.Open = w.Open[:n]
}

// Clean says that everything in the panes is durable as it is.
func (w *Panes[A]) Clean() {
	for _, p := range w.Open {
		p.Clean()
	}
}

// Reset drops all panes and keeps the memory.
func (w *Panes[A]) Reset() {
	for len(w.Open) > 0 {
		p := w.Open[len(w.Open)-1]
		p.empty()
		w.spare = append(w.spare, p)
		w.Open = w.Open[:len(w.Open)-1]
	}
}
