package table

import (
	"cmp"
	"math"
	"slices"
)

// sum is what some panes have of a key.
type sum[A any] struct {
	a   A
	has bool
}

// adder adds up what panes have of each key. Sums share what accumulators own elsewhere, as in Blobs.
type adder[A any] struct {
	merge func(into, from *A)
	one   sum[A]
	room  [][]sum[A] // that no pane uses
}

// add adds a to s.
func (d *adder[A]) add(s *sum[A], a *A) {
	if !s.has {
		s.a, s.has = *a, true
	} else {
		d.merge(&s.a, a)
	}
}

// of is the sum of a key, made where there is none.
func (d *adder[A]) of(sums *[]sum[A], id uint32) *sum[A] {
	for int(id) >= len(*sums) {
		*sums = append(*sums, sum[A]{})
	}
	return &(*sums)[id]
}

// all adds what a pane has of each key to the sums.
func (d *adder[A]) all(p *Pane[A], sums *[]sum[A]) {
	for place, id := range p.ids {
		d.add(d.of(sums, id), p.At(uint32(place)))
	}
}

// total is what panes have of a key, good until the next total or restack.
func (d *adder[A]) total(panes []*Pane[A], id uint32) *sum[A] {
	d.one = sum[A]{}
	for _, p := range panes {
		if place, ok := p.place(id); ok {
			d.add(&d.one, p.At(place))
		}
	}
	return &d.one
}

// stack adds panes up from the newest to the oldest, and leaves beside each what there was of its keys before it.
func (d *adder[A]) stack(panes []*Pane[A], sums *[]sum[A]) {
	*sums = (*sums)[:0]
	for i := len(panes) - 1; i >= 0; i-- {
		p := panes[i]
		d.take(p)
		for place, id := range p.ids {
			s := d.of(sums, id)
			p.newer = append(p.newer, *s)
			d.add(s, p.At(uint32(place)))
		}
	}
}

// unstack takes back what the oldest pane has added.
func (d *adder[A]) unstack(p *Pane[A], sums *[]sum[A]) {
	for place, id := range p.ids {
		if place < len(p.newer) {
			*d.of(sums, id) = p.newer[place]
		}
	}
	d.give(p)
}

// restack is stack for one key, after a change of what some pane has of it.
func (d *adder[A]) restack(panes []*Pane[A], sums *[]sum[A], id uint32) {
	d.one = sum[A]{}
	for i := len(panes) - 1; i >= 0; i-- {
		p := panes[i]
		place, ok := p.place(id)
		if !ok {
			continue
		}
		if p.newer == nil {
			d.take(p)
		}
		for len(p.newer) <= int(place) {
			p.newer = append(p.newer, sum[A]{}) // of a key that has changed too
		}
		p.newer[place] = d.one
		d.add(&d.one, p.At(place))
	}
	*d.of(sums, id) = d.one
}

// take gives a pane room for what there was of its keys.
func (d *adder[A]) take(p *Pane[A]) {
	switch last := len(d.room) - 1; {
	case p.newer != nil:
		p.newer = p.newer[:0]
	case last >= 0:
		p.newer, d.room = d.room[last], d.room[:last]
	default:
		p.newer = make([]sum[A], 0, few/4) // so that it does not matter which of the panes a small one gets
	}
}

// give takes it back.
func (d *adder[A]) give(p *Pane[A]) {
	if p.newer != nil {
		d.room = append(d.room, p.newer[:0])
		p.newer = nil
	}
}

// Since is the index of the first open pane that does not start before start.
func (w *Panes[A]) Since(start int64) int {
	n, _ := slices.BinarySearchFunc(w.Open, start, func(p *Pane[A], start int64) int { return cmp.Compare(p.Start, start) })
	return n
}

// stacks has the sums of windows over panes, which move on: each key costs a window a fixed number of merges, however many panes it has.
//
// The panes of some window are added up from the newest to the oldest, once (the front): as the windows leave panes behind, they are taken back. Panes that come after them are added
// up as windows reach them (the back). A window is the front and the back. When its start has left the front behind, the next front is made of all its panes.
type stacks[A any] struct {
	adder[A]
	Panes[A]
	until  int64 // panes that start before it are in the front, or were; math.MinInt64 before the first window
	sealed int64 // panes that start before it are in the front or back
	summed bool  // front and back are made
	front  []sum[A]
	back   []sum[A]
	late   []uint32 // keys of which a pane has changed that was added up
}

// lateIn notes that key id of the pane that starts at start has changed.
func (w *stacks[A]) lateIn(start int64, id uint32) {
	if w.summed && start < w.sealed {
		w.late = append(w.late, id)
	}
}

// close makes the sums of the window [start, end). Panes that start before start are gone.
func (w *stacks[A]) close(start, end int64) {
	if start >= w.until {
		w.summed, w.until = false, end
	}
	front := w.Since(w.until)
	if !w.summed {
		w.stack(w.Open[:front], &w.front)
		w.back, w.late, w.sealed, w.summed = w.back[:0], w.late[:0], w.until, true
	}
	first, behind := w.Since(w.sealed), w.Since(end)
	for _, p := range w.Open[first:behind] {
		w.all(p, &w.back)
	}
	w.sealed = end
	slices.Sort(w.late)
	for _, id := range slices.Compact(w.late) {
		w.restack(w.Open[:front], &w.front, id)
		*w.of(&w.back, id) = *w.total(w.Open[front:behind], id)
	}
	w.late = w.late[:0]
}

// drop forgets the panes that start before start.
func (w *stacks[A]) drop(start int64) {
	for len(w.Open) > 0 && w.Open[0].Start < start {
		if p := w.Open[0]; w.summed && p.Start < w.until {
			w.unstack(p, &w.front)
		}
		w.give(w.Open[0])
		w.Drop()
	}
}

func (w *stacks[A]) reset() {
	w.drop(math.MaxInt64)
	w.Reset()
	w.summed, w.until, w.late = false, math.MinInt64, w.late[:0]
	w.front, w.back = w.front[:0], w.back[:0]
}
