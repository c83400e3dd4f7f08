package table

import (
	"cmp"
	"math/bits"
	"slices"
)

// Pane has the accumulators of one window, by the id of their key, in the order in which the keys came. Panes makes it. An array leads from id to accumulator as long as
// the window has at least a third of the keys, else an index does: so a window costs about the same for each of its keys whether it has all keys of the stage or one
// in a thousand, the accumulator, 4 bytes for the id and 4 to 18 for the way to it. Accumulators never move: a pointer to one is good until the pane is dropped. A is a
// struct without pointers.
type Pane[A any] struct {
	Start int64 // of the window, ns

	direct []uint32 // id -> place + 1, 0 for none; nil: index is used
	index  index    // id -> place; the hash is the id times an odd number, so equal hashes are equal ids
	ids    []uint32
	top    int        // above all of them
	last   int        // how many the window had that was here before
	pages  []*page[A] // 64 places each; those that are not in use are as they were left
	pool   *pool[A]
	clean  int      // so many places were there at the last Clean,
	dirty  []uint64 // a bit for each of them that was touched since;
	marked bool     // there may be one

	from, to int   // places that the next commit repeats
	tells    int   // accumulators that it tells in all; those that changed and are repeated count twice
	tally    tally // of the commits before it

	newer []sum[A] // of a slice: beside each accumulator what the front has of its key in newer slices
}

type page[A any] struct{ slots [64]A }

// pool has the pages that are not in use, and knows how many accumulators the others hold.
type pool[A any] struct {
	free []*page[A]
	made pieces[page[A]]
	held int // accumulators in the pages that are in use
}

func (o *pool[A]) take() (p *page[A]) {
	last := len(o.free) - 1
	if last < 0 {
		return o.made.one()
	}
	p, o.free = o.free[last], o.free[:last]
	return p
}

func (o *pool[A]) give(p *page[A]) { o.free = append(o.free, p) }

// paneOdd is 2^32 divided by the golden ratio, made odd (Knuth, The Art of Computer Programming 3, 6.4): ids follow each other, and their multiples are spread well.
const paneOdd = 0x9e3779b1

// few is so small that an array of so many ids costs nothing worth a thought.
const few = 64

// dense says whether an array for ids below top takes no more than the index of so many of them.
func dense(top, ids int) bool { return top <= few || top <= 3*ids }

// Touch gives the accumulator of key id for reading and writing and marks it as changed; fresh says that there was none, then it is zero.
func (p *Pane[A]) Touch(id uint32) (a *A, fresh bool) {
	if int(id) < len(p.direct) {
		if n := p.direct[id]; int(n) > p.clean { // new since the last commit, so it needs no mark
			return &p.pages[(n-1)/64].slots[(n-1)%64], false
		}
	}
	return p.touch(id)
}

func (p *Pane[A]) touch(id uint32) (a *A, fresh bool) {
	place, ok := p.place(id)
	if !ok {
		return p.add(id), true
	}
	if int(place) < p.clean {
		p.dirty[place/64] |= 1 << (place % 64)
		p.marked = true
	}
	return &p.pages[place/64].slots[place%64], false
}

// add makes an accumulator for id, which has none.
func (p *Pane[A]) add(id uint32) *A {
	p.top = max(p.top, int(id)+1)
	p.reach(id)
	place := uint32(len(p.ids))
	if p.ids == nil {
		p.ids = make([]uint32, 0, few) // so that it does not matter which of the closed panes a small window gets
	}
	p.ids = push(p.ids, id)
	p.pool.held++
	if int(place/64) == len(p.pages) {
		p.pages = append(p.pages, p.pool.take())
	}
	if p.direct != nil {
		p.direct[id] = place + 1
	} else {
		p.enter(id, place)
	}
	a := &p.pages[place/64].slots[place%64]
	var zero A
	*a = zero
	return a
}

// reach sees to it that there is a way to one more accumulator, that of id: an array while it is dense, else an index.
func (p *Pane[A]) reach(id uint32) {
	n := len(p.ids) + 1 // at its beginning a window is taken to have as many as the one before
	switch {
	case p.direct != nil && int(id) < len(p.direct):
	case dense(p.top, max(n, p.last)) && (p.direct != nil || !p.index.room(1)):
		direct := array[uint32](max(few, p.top+p.top/8))
		for place, id := range p.ids {
			direct[id] = uint32(place) + 1
		}
		p.direct, p.index = direct, index{}
	case p.direct != nil:
		p.direct = nil
		p.index.reserve(n, 4)
		for place, id := range p.ids {
			p.enter(id, uint32(place))
		}
	default:
		p.index.reserve(1, 4)
	}
}

// enter lets the index lead from id to place.
func (p *Pane[A]) enter(id, place uint32) {
	hash := id * paneOdd
	p.index.put(p.index.seek(hash), hash, place)
}

// place is where the accumulator of key id is.
func (p *Pane[A]) place(id uint32) (place uint32, ok bool) {
	if p.direct != nil {
		if int(id) >= len(p.direct) {
			return 0, false
		}
		n := p.direct[id]
		return n - 1, n != 0
	}
	if len(p.index.cells) == 0 {
		return 0, false
	}
	hash := id * paneOdd
	c := p.index.cells[p.index.seek(hash)]
	return uint32(c) - 1, c != 0 && uint32(c>>32) == hash
}

// Slot gives the accumulator of a key that has one, for reading.
func (p *Pane[A]) Slot(id uint32) *A {
	place, _ := p.place(id)
	return p.At(place)
}

// At gives the accumulator at a place of Selected, for reading.
func (p *Pane[A]) At(place uint32) *A { return &p.pages[place/64].slots[place%64] }

// HintIDs reads where the ways to the accumulators of keys with these ids begin; see Seen.Hint.
func (p *Pane[A]) HintIDs(ids []uint32) (touched uint64) {
	for _, id := range ids {
		switch {
		case int(id) < len(p.direct):
			touched += uint64(p.direct[id])
		case len(p.index.cells) > 0:
			touched += p.index.cells[p.index.home(id*paneOdd)]
		}
	}
	return touched
}

// Has says whether key id has an accumulator.
func (p *Pane[A]) Has(id uint32) bool {
	_, ok := p.place(id)
	return ok
}

// Len is how many keys have an accumulator.
func (p *Pane[A]) Len() int { return len(p.ids) }

// IDs appends the ids that have an accumulator, in the order in which they came.
func (p *Pane[A]) IDs(dst []uint32) []uint32 { return append(dst, p.ids...) }

// Selected appends the places of the accumulators that Panes.Select has chosen for the next commit, and the ids of their keys. A place is good for At and Repeats until the pane
// gets another accumulator.
func (p *Pane[A]) Selected(places, ids []uint32) ([]uint32, []uint32) {
	before := len(places)
	for place := p.from; place < p.to; place++ {
		if p.dirty[place/64]>>(place%64)&1 == 0 {
			places = append(places, uint32(place))
		}
	}
	if p.marked {
		for i, w := range p.dirty {
			for ; w != 0; w &= w - 1 {
				places = append(places, uint32(i*64+bits.TrailingZeros64(w)))
			}
		}
	}
	for place := p.clean; place < len(p.ids); place++ {
		places = append(places, uint32(place))
	}
	for _, place := range places[before:] {
		ids = append(ids, p.ids[place])
	}
	return places, ids
}

// Repeats says whether the commit that Panes.Select has chosen repeats the accumulator at a place, changed or not: what it told before is then not needed any more.
func (p *Pane[A]) Repeats(place uint32) bool {
	return p.from <= int(place) && int(place) < p.to
}

// Expect makes room in an empty pane, when commits tell so many accumulators of keys with ids below top: about each twice.
func (p *Pane[A]) Expect(told, top int) {
	n := min(told/2+1, top)
	if len(p.ids) > 0 || n < few {
		return
	}
	if p.ids = array[uint32](n)[:0]; dense(top, n) {
		p.direct = array[uint32](top)
	} else {
		p.index.reserve(n, 4)
	}
}

// Restored says that a commit which is read tells of n accumulators of the window.
func (p *Pane[A]) Restored(n int) { p.tally.told += n }

// Chosen says whether Selected gives an id.
func (p *Pane[A]) Chosen() bool { return len(p.ids) > p.clean || p.marked || p.from < p.to }

// changed is how many accumulators were touched since the last commit.
func (p *Pane[A]) changed() int {
	n := len(p.ids) - p.clean
	if p.marked {
		for _, w := range p.dirty {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// wash says that every accumulator is durable as it is.
func (p *Pane[A]) wash(s *sweep) {
	s.add(&p.tally, p.tells)
	p.from, p.to, p.tells = 0, 0, 0
	if p.marked {
		clear(p.dirty)
		p.marked = false
	}
	p.clean = len(p.ids)
	for len(p.dirty)*64 < p.clean {
		p.dirty = append(p.dirty, 0)
	}
}

// empty gives all pages back and keeps an array or index of the size that was needed, for the next window.
func (p *Pane[A]) empty() {
	for i, page := range p.pages {
		p.pool.give(page)
		p.pages[i] = nil
	}
	if len(p.direct) > shrinkHomes && len(p.ids)*16 < len(p.direct) {
		p.direct = nil
	}
	clear(p.direct)
	p.last = len(p.ids)
	p.pool.held -= len(p.ids)
	p.index.shrink()
	p.index.reset()
	p.ids, p.pages, p.dirty, p.clean, p.marked, p.from, p.to, p.top = p.ids[:0], p.pages[:0], p.dirty[:0], 0, false, 0, 0, 0
	p.tells, p.tally = 0, tally{}
}

// Panes has the open windows of a stage. The zero value is ready. It must not be copied after use and belongs to one goroutine.
type Panes[A any] struct {
	Open []*Pane[A] // oldest start first; read only

	recent *Pane[A]   // what At gave last, if it is open
	places []*Pane[A] // Open, behind places of panes that were dropped
	spare  []*Pane[A]
	pool   pool[A]

	sweep       sweep
	place, next spot // where this round of the sweep goes on, now and behind the next commit
}

// spot is a place in a pane; the zero value is before all panes.
type spot struct {
	in    bool // else start and place say nothing
	start int64
	place int
}

// At gives the pane of the window that starts at start, a new one if there is none.
func (w *Panes[A]) At(start int64) *Pane[A] {
	if w.recent == nil || w.recent.Start != start {
		return w.find(start)
	}
	return w.recent
}

// Has says whether key id has an accumulator in the window that starts at start. Unlike At it opens none.
func (w *Panes[A]) Has(start int64, id uint32) bool {
	i, ok := slices.BinarySearchFunc(w.Open, start, func(p *Pane[A], start int64) int { return cmp.Compare(p.Start, start) })
	return ok && w.Open[i].Has(id)
}

// Len is how many accumulators there are.
func (w *Panes[A]) Len() int { return w.pool.held }

// find is At for another window than that of the last call. Nearly always it is one of the newest.
func (w *Panes[A]) find(start int64) *Pane[A] {
	low, high := 0, len(w.Open) // panes before low start before, those from high on after it
	for near := 0; low < high; near++ {
		i := high - 1
		if near >= 4 {
			i = int(uint(low+high) / 2)
		}
		switch p := w.Open[i]; {
		case p.Start == start:
			w.recent = p
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
	p.Start, p.pool = start, &w.pool
	if n := len(w.places) - len(w.Open); len(w.places) == cap(w.places) && n >= len(w.Open) { // half of the places are free: moving the others costs little for each
		copy(w.places, w.Open)
		clear(w.places[len(w.Open):])
		w.places = w.places[:len(w.Open)]
	}
	n := len(w.Open)
	w.places = append(w.places, nil)
	w.Open = w.places[len(w.places)-n-1:]
	copy(w.Open[low+1:], w.Open[low:])
	w.Open[low] = p
	w.recent = p
	return p
}

// Drop closes the oldest pane. Its accumulators are gone; their pages are used again.
func (w *Panes[A]) Drop() { w.DropAt(0) }

// DropAt closes the pane Open[i].
func (w *Panes[A]) DropAt(i int) {
	p := w.Open[i]
	p.empty()
	w.spare = append(w.spare, p)
	w.recent = nil
	copy(w.Open[1:], w.Open[:i]) // nearly always i is 0: however many are open, none moves
	w.Open[0] = nil
	w.Open = w.Open[1:]
}

// Select chooses what the next commit says of each pane: all, or what changed since the last one and a part of the rest. behind is how many of the commits before are
// needed besides this one, math.MaxUint32 if all are.
func (w *Panes[A]) Select(changed bool) (behind uint32) {
	all, told, tells := 0, 0, 0
	for _, p := range w.Open {
		all += len(p.ids)
		told += p.tally.told
		p.tells = p.changed()
		tells += p.tells
	}
	left := w.sweep.repeats(all, told, tells)
	ends := true
	for _, p := range w.Open {
		from := 0
		switch {
		case !changed:
			left = p.clean
		case w.place.in && p.Start < w.place.start:
			from = p.clean
		case w.place.in && p.Start == w.place.start:
			from = min(w.place.place, p.clean)
		}
		p.from, p.to = from, min(p.clean, from+left)
		left -= p.to - p.from
		p.tells += p.to - p.from
		if ends && p.to < p.clean {
			ends = false
			w.next = spot{true, p.Start, p.to}
		}
	}
	if ends || !changed || !w.sweep.on {
		w.next = spot{}
	}
	return w.sweep.behind(!changed, ends)
}

// Anew says that what Select has chosen is the beginning of what commits need once this one, or its round of the sweep, is done: keys that were told before are told again.
func (w *Panes[A]) Anew() bool { return w.sweep.anew() }

// Commits is the number of the commit that is being made, as aggregate.Values tell commits apart.
func (w *Panes[A]) Commits() uint32 { return w.sweep.number() }

// Chosen is of how many panes Select has chosen something.
func (w *Panes[A]) Chosen() int {
	n := 0
	for _, p := range w.Open {
		if p.Chosen() {
			n++
		}
	}
	return n
}

// Commit says that what Select has chosen is durable.
func (w *Panes[A]) Commit() {
	for _, p := range w.Open {
		p.wash(&w.sweep)
	}
	w.place = w.next
	w.sweep.done()
}

// Reset drops all panes and keeps the memory.
func (w *Panes[A]) Reset() {
	for len(w.Open) > 0 {
		p := w.Open[len(w.Open)-1]
		p.empty()
		w.spare = append(w.spare, p)
		w.Open = w.Open[:len(w.Open)-1]
	}
	clear(w.places)
	w.places, w.Open = w.places[:0], w.places[:0]
	w.recent, w.sweep, w.place, w.next = nil, sweep{}, spot{}, spot{}
}
