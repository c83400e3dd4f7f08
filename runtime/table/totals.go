package table

import "math/bits"

// Totals has one accumulator for each key of a stage, until it is removed, at the place of its id: in pages of 64 that are taken when one of their keys is touched.
// Pages never move: a pointer into one is good until Remove. The zero value is ready for Grow. It must not be copied after use and belongs to one goroutine. A is a
// struct without pointers.
type Totals[A any] struct {
	words []word[A] // by id/64
	dirty []uint64  // a bit for each of words that has a dirty key
	pool  pool[A]   // of zeros

	sweep       sweep
	tally       tally
	place, next int // of words: where this round of the sweep goes on, now and behind the next commit
	tells       int // accumulators that the next commit tells
	live        int // how many there were when they were counted last
}

type word[A any] struct {
	live  uint64 // which of the 64 keys have an accumulator
	dirty uint64 // which were touched since Clean
	page  *page[A]
}

// Grow makes room for keys with ids below keys (see Keys.Cap). Touch takes no others.
func (t *Totals[A]) Grow(keys int) {
	if n := (keys+63)/64 - len(t.words); n > 0 {
		t.words = append(t.words, make([]word[A], n)...)
		t.dirty = append(t.dirty, make([]uint64, (len(t.words)+63)/64-len(t.dirty))...)
	}
}

// Touch gives the accumulator of key id for reading and writing and marks it as changed; fresh says that there was none, then it is zero. id is below what Grow was
// told.
func (t *Totals[A]) Touch(id uint32) (a *A, fresh bool) {
	w := &t.words[id/64]
	if w.page == nil {
		w.page = t.pool.take()
	}
	bit := uint64(1) << (id % 64)
	fresh = w.live&bit == 0
	w.live |= bit
	w.dirty |= bit
	t.dirty[id/4096] |= 1 << (id / 64 % 64)
	return &w.page.slots[id%64], fresh
}

// Slot gives the accumulator of a key that has one, for reading.
func (t *Totals[A]) Slot(id uint32) *A { return &t.words[id/64].page.slots[id%64] }

// Has says whether key id has an accumulator.
func (t *Totals[A]) Has(id uint32) bool {
	return int(id/64) < len(t.words) && t.words[id/64].live>>(id%64)&1 != 0
}

// Len is how many keys have an accumulator. It counts them.
func (t *Totals[A]) Len() int {
	n := 0
	for i := range t.words {
		n += bits.OnesCount64(t.words[i].live)
	}
	return n
}

// IDs appends the ids that have an accumulator, ascending.
func (t *Totals[A]) IDs(dst []uint32) []uint32 {
	for i := range t.words {
		for w := t.words[i].live; w != 0; w &= w - 1 {
			dst = append(dst, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// Select appends the ids of the accumulators that the next commit tells: all, or those that were touched since the last one and a part of the rest. behind is how many of
// the commits before are needed besides this one, math.MaxUint32 if all are.
func (t *Totals[A]) Select(dst []uint32, changed bool) (ids []uint32, behind uint32) {
	before := len(dst)
	if !changed {
		dst = t.IDs(dst)
		t.next, t.tells = 0, len(dst)-before
		return dst, t.sweep.behind(true, true)
	}
	for i, some := range t.dirty {
		for ; some != 0; some &= some - 1 {
			word := i*64 + bits.TrailingZeros64(some)
			for w := t.words[word].dirty; w != 0; w &= w - 1 {
				dst = append(dst, uint32(word*64+bits.TrailingZeros64(w)))
			}
		}
	}
	t.tells = len(dst) - before
	if t.sweep.due(t.live, t.tally.told+t.tells) {
		t.live = t.Len()
	}
	left := t.sweep.repeats(t.live, t.tally.told, t.tells)
	for t.next = min(t.place, len(t.words)); t.next < len(t.words) && left > 0; t.next++ {
		for w := t.words[t.next].live &^ t.words[t.next].dirty; w != 0; w &= w - 1 {
			dst = append(dst, uint32(t.next*64+bits.TrailingZeros64(w)))
			left--
		}
	}
	t.tells = len(dst) - before
	ends := t.next >= len(t.words)
	if ends {
		t.next = 0
	}
	return dst, t.sweep.behind(false, ends)
}

// Commit says that what Select gave is durable.
func (t *Totals[A]) Commit() {
	t.sweep.add(&t.tally, t.tells)
	t.place, t.tells = t.next, 0
	t.sweep.done()
	for i, some := range t.dirty {
		for ; some != 0; some &= some - 1 {
			t.words[i*64+bits.TrailingZeros64(some)].dirty = 0
		}
		t.dirty[i] = 0
	}
}

// Restored says that a commit which is read tells of n accumulators.
func (t *Totals[A]) Restored(n int) { t.tally.told += n }

// Remove forgets the accumulator of key id, which has one.
func (t *Totals[A]) Remove(id uint32) {
	w, bit := &t.words[id/64], uint64(1)<<(id%64)
	var zero A
	w.page.slots[id%64] = zero
	w.live &^= bit
	if w.dirty&bit == 0 { // a commit tells of it, at least one
		t.tally.told--
	}
	w.dirty &^= bit
	if w.live == 0 {
		t.pool.give(w.page)
		w.page = nil
	}
}

// Reset forgets all accumulators and keeps the memory.
func (t *Totals[A]) Reset() {
	for i := range t.words {
		if page := t.words[i].page; page != nil {
			clear(page.slots[:])
			t.pool.give(page)
		}
	}
	clear(t.words)
	clear(t.dirty)
	t.sweep, t.tally, t.place, t.next, t.tells, t.live = sweep{}, tally{}, 0, 0, 0, 0
}
