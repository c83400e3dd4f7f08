package table

// Totals has one accumulator for each key of a stage, until it is removed. The zero value is ready for Grow. It must not be copied after use and belongs to one
// goroutine. A is a struct without pointers.
type Totals[A any] struct {
	Pane[A] // its Start says nothing

	pages pool[A]
}

// Grow makes room for keys with ids below keys (see Keys.Cap). Touch takes no others.
func (t *Totals[A]) Grow(keys int) {
	if t.pool == nil {
		t.pool = &t.pages
		t.pages.free = new(page[A])
	}
	t.grow((keys + 63) / 64)
}

// Remove forgets the accumulator of key id, which has one.
func (t *Totals[A]) Remove(id uint32) {
	w, bit := &t.words[id/64], uint64(1)<<(id%64)
	var zero A
	w.page.slots[id%64] = zero
	w.live &^= bit
	w.dirty &^= bit
	if w.live == 0 {
		w.page.next = t.pool.free
		t.pool.free = w.page
		w.page = nil
	}
}

// Reset forgets all accumulators and keeps the memory.
func (t *Totals[A]) Reset() { t.empty() }
