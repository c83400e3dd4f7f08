package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTotals holds Totals against a map: touch, remove, clean and reset at random.
func TestTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var totals Totals[int64]
	want, dirty := map[uint32]int64{}, map[uint32]bool{}
	for step := range 20_000 {
		id := uint32(r.IntN(300))
		switch n := r.IntN(100); {
		case n == 0:
			totals.Commit()
			clear(dirty)
		case n == 1 && step%7 == 0:
			totals.Reset()
			clear(want)
			clear(dirty)
		case n < 40:
			if _, ok := want[id]; ok {
				totals.Remove(id)
				delete(want, id)
				delete(dirty, id)
			}
		default:
			totals.Grow(int(id) + 1)
			a, fresh := totals.Touch(id)
			if _, ok := want[id]; fresh == ok || fresh && *a != 0 {
				t.Fatalf("step %d: key %d is fresh: %v, with %d", step, id, fresh, *a)
			}
			*a += int64(step)
			want[id] += int64(step)
			dirty[id] = true
		}
		if step%50 != 0 {
			continue
		}
		ids := totals.IDs(nil)
		changed, _ := totals.Select(nil, true)
		if len(ids) != len(want) || len(changed) < len(dirty) || totals.Len() != len(want) {
			t.Fatalf("step %d: %d keys, %d changed; want %d, %d", step, len(ids), len(changed), len(want), len(dirty))
		}
		for _, id := range ids {
			if *totals.Slot(id) != want[id] || totals.Has(id) != true {
				t.Fatalf("step %d: key %d has %d, want %d", step, id, *totals.Slot(id), want[id])
			}
		}
		for id := range dirty {
			if !slices.Contains(changed, id) {
				t.Fatalf("step %d: key %d has changed and is not among %v", step, id, changed)
			}
		}
	}
}

// TestTotalsMemory: keys that come and go take the same pages again.
func TestTotalsMemory(t *testing.T) {
	var totals Totals[[4]int64]
	totals.Grow(6400)
	turn := func() {
		for id := range uint32(6400) {
			totals.Touch(id)
			if id >= 128 {
				totals.Remove(id - 128)
			}
		}
		for id := range uint32(128) {
			totals.Remove(6400 - 128 + id)
		}
	}
	turn()
	if n := testing.AllocsPerRun(10, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if totals.Len() != 0 {
		t.Errorf("%d keys are left", totals.Len())
	}
}
