package table

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// strung is an accumulator that says what was added to it in which order, as far as that may matter: a polynomial over the rows, so that a row twice or never, or a merge in another
// order, gives another number.
type strung struct {
	rows  int64
	chain uint64
}

func (s *strung) fold(row uint64) { s.rows++; s.chain = s.chain*31 + row }

// TestSlices drives windows over slices at random, with rows for slices that were added up already, keys that come and go and windows without rows, and holds each window
// against all its rows. A twin that is restored before each window must have the very same sums: they follow from the slices and Until alone. Where slices stay, windows that have closed are put
// together again for the rows that come later.
func TestSlices(t *testing.T) {
	again := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		stay := int64(0) // for how long behind the end of its last window a slice is there
		if seed%2 == 0 {
			stay = r.Int64N(40)
		}
		size, slide := int64(1+r.IntN(30)), int64(1)
		if seed%3 == 0 {
			slide = 1 + r.Int64N(size)
		}
		rest := size % slide
		merges := 0
		merge := func(into, from *strung) {
			merges++
			into.rows += from.rows
			into.chain = into.chain*1_000_003 + from.chain
		}
		var w Slices[strung]
		w.Init(size, slide, 0, merge)
		rows := map[int64]map[uint32]int64{} // by slice and key: how many
		keys := uint32(1 + r.IntN(5))
		for now := int64(-100); now < 100; now++ { // a window ends at each multiple of slide
			for range r.IntN(4) {
				at := now + 1 + r.Int64N(5)
				if r.IntN(4) == 0 {
					at = now - r.Int64N(size+stay)
				}
				if floorTo(at, slide)+size+stay <= now {
					continue // late for all windows
				}
				start := floorTo(at, slide)
				if at-start >= rest {
					start += rest
				}
				id := uint32(r.IntN(int(keys)))
				a, fresh := w.At(start).Touch(id)
				a.fold(uint64(at))
				w.LateIn(start, id)
				if rows[start] == nil {
					rows[start] = map[uint32]int64{}
				}
				rows[start][id]++
				first, last := max(floorTo(start-size, slide)+slide, floorTo(now-1-size-stay, slide)+slide)+size, min(floorTo(start, slide), floorTo(now-1-size, slide))+size // that had closed and can change
				if first > last {
					continue
				}
				w.Again(start, id, fresh, first, last)
				for end := first; end <= last; end += slide {
					got, had := w.NextAgain(end)
					want := count(rows, end-size, end)[id]
					if got.rows != want || had != (want > 1) {
						t.Fatalf("seed %d: [%d, %d) has %v of key %d again, had it: %t, want %d rows", seed, end-size, end, *got, id, had, want)
					}
					again++
				}
			}
			start := now - size
			if n := w.Since(start); floorTo(start, slide) != start || n == len(w.Open) || w.Open[n].Start >= now {
				continue
			}
			twin := copied(&w, size, slide, merge)
			w.Close(start, now)
			twin.Close(start, now)
			want := count(rows, start, now)
			ids := w.IDs(nil)
			if !slices.Equal(ids, slices.Sorted(maps.Keys(want))) || !slices.Equal(twin.IDs(nil), ids) {
				t.Fatalf("seed %d: [%d, %d) has the keys %v, restored %v, want %v", seed, start, now, ids, twin.IDs(nil), want)
			}
			for _, id := range ids {
				if got := *w.Sum(id); got.rows != want[id] || got != *twin.Sum(id) {
					t.Fatalf("seed %d: [%d, %d) has %v of key %d, restored %v, want %d rows", seed, start, now, got, id, *twin.Sum(id), want[id])
				}
			}
			for len(w.Open) > 0 && floorTo(w.Open[0].Start, slide)+size+stay <= now {
				w.Drop()
			}
		}
		w.Reset()
		if len(w.Open) > 0 || w.Len() > 0 {
			t.Fatal("a reset leaves slices")
		}
	}
	if again < 10_000 {
		t.Errorf("%d windows were put together again: too few to say something", again)
	}
}

// count is how many rows of each key there are in the slices of [start, end).
func count(rows map[int64]map[uint32]int64, start, end int64) map[uint32]int64 {
	n := map[uint32]int64{}
	for at, of := range rows {
		if start <= at && at < end {
			for id, rows := range of {
				n[id] += rows
			}
		}
	}
	return n
}

func floorTo(t, step int64) int64 {
	if r := t % step; r < 0 {
		return t - r - step
	} else {
		return t - r
	}
}

// copied is what a restore makes of w.
func copied(w *Slices[strung], size, slide int64, merge func(into, from *strung)) *Slices[strung] {
	c := new(Slices[strung])
	c.Init(size, slide, 0, merge)
	for _, p := range w.Open {
		for _, id := range p.ids {
			a, _ := c.At(p.Start).Touch(id)
			*a = *p.Slot(id)
		}
	}
	c.Restored(w.Until())
	return c
}

// TestSlicesMerges: however many slices a window has, each key costs it a fixed number of merges.
func TestSlicesMerges(t *testing.T) {
	const keys = 100
	for _, overlaps := range []int64{10, 100, 600} {
		merges := 0
		var w Slices[strung]
		w.Init(overlaps, 1, 0, func(into, from *strung) { merges++; into.rows += from.rows })
		windows := 0
		for now := int64(0); now < 10*overlaps; now++ {
			for id := range uint32(keys) {
				a, _ := w.At(now).Touch(id)
				a.fold(1)
			}
			w.Close(now+1-overlaps, now+1)
			for _, id := range w.IDs(nil) {
				if n := w.Sum(id).rows; n != min(now+1, overlaps) {
					t.Fatalf("%d overlaps: window %d has %d rows, want %d", overlaps, now, n, min(now+1, overlaps))
				}
			}
			windows++
			for w.Open[0].Start <= now+1-overlaps {
				w.Drop()
			}
		}
		if per := float64(merges) / float64(windows*keys); per > 6 {
			t.Errorf("%d overlaps: %.2f merges for a key of a window", overlaps, per)
		}
	}
}

func BenchmarkSlices(b *testing.B) {
	for _, overlaps := range []int64{10, 600} {
		b.Run(fmt.Sprint(overlaps), func(b *testing.B) {
			const keys = 100
			var w Slices[strung]
			w.Init(overlaps, 1, 0, func(into, from *strung) { into.rows += from.rows; into.chain += from.chain })
			var ids []uint32
			now := int64(0)
			for b.Loop() {
				for id := range uint32(keys) {
					a, _ := w.At(now).Touch(id)
					a.fold(1)
				}
				w.Close(now+1-overlaps, now+1)
				ids = w.IDs(ids[:0])
				for _, id := range ids {
					w.Sum(id)
				}
				for w.Open[0].Start <= now+1-overlaps {
					w.Drop()
				}
				now++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/keys, "ns/key")
		})
	}
}
