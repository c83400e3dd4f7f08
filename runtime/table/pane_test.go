package table

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

func sorted(ids []uint32) []uint32 {
	slices.Sort(ids)
	return ids
}

func TestPanesAgainstMaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var panes Panes[pair]
	model := map[int64]map[uint32]pair{}
	dirty := map[int64]map[uint32]bool{}
	touched := map[*pair]pair{} // pointers of this batch, and what they must show at its end
	keys, opened := 1, 0
	for step := range 3000 {
		keys += rng.IntN(3)
		if step%1000 == 999 {
			keys = 1 // ids are used again
		}
		clear(touched)
		for range rng.IntN(30) {
			start := int64(step/20+rng.IntN(12)) * 10
			if rng.IntN(20) == 0 {
				start -= int64(rng.IntN(100)) * 10
			}
			p := panes.At(start)
			if p.Start != start {
				t.Fatalf("the pane of %d starts at %d", start, p.Start)
			}
			if model[start] == nil {
				model[start], dirty[start] = map[uint32]pair{}, map[uint32]bool{}
				opened++
			}
			id := uint32(rng.IntN(keys))
			want, old := model[start][id]
			if p.Has(id) != old || old && *p.Slot(id) != want {
				t.Fatalf("step %d: key %d of %d", step, id, start)
			}
			a, fresh := p.Touch(id)
			if fresh == old || *a != want {
				t.Fatalf("step %d: key %d of %d: fresh %v, %v, want %v", step, id, start, fresh, *a, want)
			}
			a.a++
			a.b += start
			model[start][id], dirty[start][id] = *a, true
			touched[a] = *a
		}
		for a, want := range touched {
			if *a != want {
				t.Fatalf("step %d: an accumulator moved", step)
			}
		}
		starts := slices.Sorted(maps.Keys(model))
		if len(starts) != len(panes.Open) {
			t.Fatalf("step %d: %d panes, want %d", step, len(panes.Open), len(starts))
		}
		for i, p := range panes.Open {
			if p.Start != starts[i] || p.Len() != len(model[p.Start]) {
				t.Fatalf("step %d: pane %d starts at %d with %d keys, want %d with %d", step, i, p.Start, p.Len(), starts[i], len(model[starts[i]]))
			}
			if i%8 == step%8 {
				if got, want := sorted(p.IDs(nil)), slices.Sorted(maps.Keys(model[p.Start])); !slices.Equal(got, want) {
					t.Fatalf("step %d: keys %v, want %v", step, got, want)
				}
				panes.Select(true)
				places, got := p.Selected(nil, nil)
				for i, id := range got {
					if p.At(places[i]) != p.Slot(id) {
						t.Fatalf("step %d: key %d is not at place %d", step, id, places[i])
					}
				}
				for id := range dirty[p.Start] {
					if !slices.Contains(got, id) {
						t.Fatalf("step %d: key %d has changed and is not among %v", step, id, got)
					}
				}
				for id, want := range model[p.Start] {
					if !p.Has(id) || *p.Slot(id) != want {
						t.Fatalf("step %d: key %d has %v, want %v", step, id, *p.Slot(id), want)
					}
				}
			}
		}
		switch {
		case rng.IntN(5) == 0:
			panes.Commit()
			for _, d := range dirty {
				clear(d)
			}
		case step == 1500:
			panes.Reset()
			clear(model)
			clear(dirty)
		default:
			for len(panes.Open) > 15 {
				delete(model, panes.Open[0].Start)
				delete(dirty, panes.Open[0].Start)
				panes.Drop()
			}
		}
	}
	if opened < 100 {
		t.Fatalf("only %d windows", opened)
	}
}

func TestPanesManyOpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var panes Panes[int64]
	order := rng.Perm(5000)
	for _, start := range order {
		a, _ := panes.At(int64(start)).Touch(0)
		*a = int64(start)
	}
	for _, start := range order {
		if p := panes.At(int64(start)); *p.Slot(0) != int64(start) {
			t.Fatalf("window %d is another one", start)
		}
	}
	for start := range order {
		if panes.Open[0].Start != int64(start) {
			t.Fatal("not oldest first")
		}
		panes.Drop()
	}
}

// Windows that open, fill and close again and again use the same pages.
func TestPanesUseMemoryAgain(t *testing.T) {
	var panes Panes[[4]int64]
	start := int64(0)
	run := func() {
		for w := range int64(5) {
			p := panes.At(start + w*10)
			for id := range uint32(1000) {
				if a, fresh := p.Touch(id); fresh && *a != [4]int64{} {
					t.Fatal("a new accumulator is not zero")
				} else {
					a[id%4]++
				}
			}
		}
		for len(panes.Open) > 1 {
			panes.Drop()
		}
		start += 30
	}
	run()
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(20, func() { panes.Reset(); run() }); n != 0 {
		t.Errorf("%v allocations after Reset", n)
	}
}

// TestPaneWays takes windows back and forth between an array and an index: dense and sparse ones follow each other in the same memory, ids come in any order, and
// what was committed is marked when it is touched again.
func TestPaneWays(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	panes := new(Panes[[2]int64])
	arrays, indexes := 0, 0
	for window := range int64(400) {
		p := panes.At(window)
		want := map[uint32]int64{}
		ids := uint32(1) << (2 + random.IntN(14))
		touches := 1 + random.IntN(1<<random.IntN(14))
		changed := map[uint32]bool{}
		for range touches {
			if random.IntN(3000) == 0 {
				ids = max(4, ids*uint32(1+random.IntN(3)))
			}
			if random.IntN(1+touches/2) == 0 {
				panes.Select(true)
				panes.Commit()
				clear(changed)
			}
			id := random.Uint32N(ids)
			if random.IntN(4) == 0 {
				id = uint32(len(want)) // in order of arrival, as most ids are
			}
			a, fresh := p.Touch(id)
			if _, had := want[id]; had == fresh || fresh && *a != [2]int64{} {
				t.Fatalf("window %d, id %d: fresh %v, %v", window, id, fresh, *a)
			}
			changed[id] = true
			want[id]++
			a[0]++
			if p.direct != nil {
				arrays++
			} else {
				indexes++
			}
		}
		if p.Len() != len(want) || p.changed() != len(changed) {
			t.Fatalf("window %d: %d keys of which %d changed, want %d and %d", window, p.Len(), p.changed(), len(want), len(changed))
		}
		for id, n := range want {
			if !p.Has(id) || p.Slot(id)[0] != n {
				t.Fatalf("window %d, id %d: %v %d, want %d", window, id, p.Has(id), p.Slot(id)[0], n)
			}
		}
		for range 100 {
			if id := random.Uint32(); p.Has(id) != (want[id] > 0) {
				t.Fatalf("window %d has id %d", window, id)
			}
		}
		panes.Drop()
	}
	if arrays < 1000 || indexes < 1000 {
		t.Errorf("%d touches of arrays and %d of indexes", arrays, indexes)
	}
}
