package table

import (
	"cmp"
	"math"
	"slices"

	"github.com/streamwright/streamwright/runtime/window"
)

// Slices has the accumulators of windows that overlap so much that a row is not folded into each of them: it goes into the pane of its slice, the span between two places where
// windows begin or end, and a window that closes is put together from the slices it has. Windows close in the order of their ends, which is that of their starts.
//
// Slices are added up in blocks, about as many in each as there are blocks in a window, so that what is needed for a window stays in the cache:
//
//	     window
//	  [---------------------------------)
//	|  head |  blocks               | tail
//	| | | | | | | | | | | | | | | | | | |     slices
//
// The head is a stack of the slices behind the window's start, from which the oldest is taken when a window has left it; the blocks have stacks of their own; the tail is what came
// after the last whole block, and becomes a block. Each key costs a window about six merges, however many slices it has.
//
// A row that is late for some of its windows changes a slice that was added up already: LateIn notes it, and before the next window closes the sums of its key are made anew. So all
// sums follow from the slices and from Until, and nothing else has to be in a commit. A is a struct without pointers. What an accumulator owns elsewhere, as in Blobs, belongs to the
// slices: sums share it.
//
// Slices may stay when the windows that close have left them. Then windows that have closed can be put together again, for one key: see Again.
type Slices[A any] struct {
	Panes[A]
	adder  adder[A]
	blocks stacks[A]
	block  int64 // the length of one
	offset int64

	size, slide int64

	summed  bool  // head, blocks and tail are made
	from    int64 // slices that start before it have left them
	sealed  int64
	headEnd int64 // the head has the slices before it,
	tailAt  int64 // the tail those from here to sealed, the blocks those between
	head    []sum[A]
	tail    []sum[A]
	late    []late
	row     sum[A] // what Sum or NextAgain gave last, and while it is made

	again struct { // of windows that are put together again
		id   uint32
		left []sum[A] // what they have up to the slice that has changed, the last first; has says whether there was something before the change
		more sum[A]   // what the next one has behind that slice,
		next int      // up to this open slice
	}
}

// late is that a slice has changed which had been added up.
type late struct {
	start int64
	id    uint32
}

// Init makes it ready for windows of the given size that begin each slide, moved by offset. merge adds what from has to into: both have folded a row, those of from are all older or
// all newer.
func (w *Slices[A]) Init(size, slide, offset int64, merge func(into, from *A)) {
	w.adder.merge, w.blocks.merge = merge, merge
	w.blocks.until = math.MinInt64
	w.size, w.slide = size, slide
	w.block, w.offset = slide*max(1, int64(math.Sqrt(float64(size/slide)))), offset // the offset is below the slide
}

// Until is what a commit has to say besides the slices: where the front of the blocks ends.
func (w *Slices[A]) Until() int64 { return w.blocks.until }

// Restored says that the slices are from a commit, and what Until was.
func (w *Slices[A]) Restored(until int64) { w.summed, w.blocks.until = false, until }

// LateIn notes that key id of the slice that starts at start has changed.
func (w *Slices[A]) LateIn(start int64, id uint32) {
	if w.summed && w.from <= start && start < w.sealed {
		w.late = append(w.late, late{start, id})
	}
}

// Close makes the window [start, end) ready for IDs and Sum. Windows that close later do not start before it.
func (w *Slices[A]) Close(start, end int64) {
	tail := w.blockAt(end)
	head := min(w.blockAt(start+w.block-1), tail)
	again := w.summed && head == w.headEnd
	if w.summed {
		for _, p := range w.Open[w.Since(w.from):w.Since(start)] {
			w.leave(p)
		}
	}
	w.from = start
	if !w.summed {
		w.blocks.drop(math.MaxInt64)
		w.sealed, w.tailAt, w.tail, w.late = math.MinInt64, math.MinInt64, w.tail[:0], w.late[:0]
	}
	oldest, first, behind := w.Since(start), w.Since(max(w.sealed, start)), w.Since(end)
	for _, p := range w.Open[first:behind] {
		w.begin(w.blockAt(p.Start))
		w.adder.all(p, &w.tail)
	}
	w.begin(tail)
	w.sealed, w.summed = end, true
	slices.SortFunc(w.late, func(a, b late) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.start, b.start)) })
	for _, l := range w.late {
		switch {
		case l.start >= tail:
			*w.adder.of(&w.tail, l.id) = *w.adder.total(w.Open[w.Since(tail):behind], l.id)
		case l.start >= head:
			at := w.blockAt(l.start)
			a, _ := w.blocks.At(at).Touch(l.id)
			*a = w.adder.total(w.Open[w.Since(at):w.Since(window.Due(at, w.block, w.offset))], l.id).a
			w.blocks.lateIn(at, l.id)
		case again:
			w.adder.restack(w.Open[oldest:w.Since(head)], &w.head, l.id)
		}
	}
	w.late = w.late[:0]
	w.blocks.drop(head)
	w.blocks.close(head, tail)
	if !again {
		w.adder.stack(w.Open[oldest:w.Since(head)], &w.head)
		w.headEnd = head
	}
}

// blockAt is the start of the block that holds t.
func (w *Slices[A]) blockAt(t int64) int64 {
	if at := window.Start(t, w.block, w.offset); at <= t {
		return at
	}
	return math.MinInt64 // the first block is not whole
}

// begin lets the tail begin at a block, and makes a block of what it had.
func (w *Slices[A]) begin(at int64) {
	if at == w.tailAt {
		return
	}
	for id := range w.tail {
		if s := &w.tail[id]; s.has {
			a, _ := w.blocks.At(w.tailAt).Touch(uint32(id))
			*a = s.a
		}
	}
	w.tail, w.tailAt = w.tail[:0], at
}

// IDs appends the ids of the keys that the window has, in ascending order.
func (w *Slices[A]) IDs(dst []uint32) []uint32 {
	sums := [...][]sum[A]{w.head, w.blocks.front, w.blocks.back, w.tail}
	most := 0
	for _, s := range sums {
		most = max(most, len(s))
	}
	for id := range most {
		for _, s := range sums {
			if id < len(s) && s[id].has {
				dst = append(dst, uint32(id))
				break
			}
		}
	}
	return dst
}

// Sum is what the window has of a key of IDs, good until the next Sum.
func (w *Slices[A]) Sum(id uint32) *A {
	w.row.has = false
	for _, s := range [...][]sum[A]{w.head, w.blocks.front, w.blocks.back, w.tail} {
		if int(id) < len(s) && s[id].has {
			w.adder.add(&w.row, &s[id].a)
		}
	}
	return &w.row.a
}

// Again makes windows ready for NextAgain, which puts them together again for key id: those that end from first to last, one each slide. All have the slice that starts at start, and it has the
// key; fresh says that it had not before the row that it folded last. Each slice costs one merge, and each window two more at most.
func (w *Slices[A]) Again(start int64, id uint32, fresh bool, first, last int64) {
	at := w.Since(start)
	w.again.id, w.again.left, w.again.more, w.again.next = id, w.again.left[:0], sum[A]{}, at+1
	w.row = sum[A]{*w.Open[at].Slot(id), !fresh}
	for end := last; ; end -= w.slide {
		for ; at > 0 && w.Open[at-1].Start >= end-w.size; at-- {
			if place, ok := w.Open[at-1].place(id); ok {
				w.adder.merge(&w.row.a, w.Open[at-1].At(place))
				w.row.has = true
			}
		}
		w.again.left = append(w.again.left, w.row)
		if end == first {
			return
		}
	}
}

// NextAgain is what the next of these windows has of the key, in the order of their ends, good until the next NextAgain or Sum; had says that it had the key before the row.
func (w *Slices[A]) NextAgain(end int64) (a *A, had bool) {
	g := &w.again
	for ; g.next < len(w.Open) && w.Open[g.next].Start < end; g.next++ {
		if place, ok := w.Open[g.next].place(g.id); ok {
			w.adder.add(&g.more, w.Open[g.next].At(place))
		}
	}
	last := len(g.left) - 1
	w.row, g.left = g.left[last], g.left[:last]
	if g.more.has {
		w.adder.merge(&w.row.a, &g.more.a)
	}
	return &w.row.a, w.row.has || g.more.has
}

// Around is where the slices next to start that have key id start: the last that does not start behind it, and the first that does; math.MinInt64 and math.MaxInt64 for none.
func (w *Slices[A]) Around(start int64, id uint32) (before, behind int64) {
	at := w.Since(start)
	before, behind = math.MinInt64, math.MaxInt64
	if at < len(w.Open) && w.Open[at].Start == start {
		if w.Open[at].Has(id) {
			before = start
		}
		at++
	}
	for i := at - 1; i >= 0 && before == math.MinInt64; i-- {
		if w.Open[i].Has(id) {
			before = w.Open[i].Start
		}
	}
	for _, p := range w.Open[at:] {
		if p.Has(id) {
			return before, p.Start
		}
	}
	return before, behind
}

// leave takes a slice out of the sums: the windows that are to close begin behind it.
func (w *Slices[A]) leave(p *Pane[A]) {
	if p.Start < w.headEnd {
		w.adder.unstack(p, &w.head)
	}
}

// Drop forgets the oldest slice, which no window has any more that is to close.
func (w *Slices[A]) Drop() {
	p := w.Open[0]
	if w.summed && p.Start >= w.from {
		w.leave(p)
	}
	w.adder.give(p)
	w.Panes.Drop()
}

// Reset forgets all and keeps the memory.
func (w *Slices[A]) Reset() {
	for _, p := range w.Open {
		w.adder.give(p)
	}
	w.Panes.Reset()
	w.blocks.reset()
	w.summed, w.late = false, w.late[:0]
	w.head, w.tail = w.head[:0], w.tail[:0]
}
