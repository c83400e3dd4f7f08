package table

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
)

// told is what one commit says of a table, by window and key.
type told map[[2]int64]int64

// checkLog demands that the newest of the commits and behind more give exactly want, of windows that are still open. kept is how many accumulators of those they tell.
func checkLog(t *testing.T, commits []told, behind uint32, want told, open func(start int64) bool) (kept int) {
	t.Helper()
	if behind == math.MaxUint32 {
		behind = uint32(len(commits) - 1)
	}
	if int(behind) >= len(commits) {
		t.Fatalf("%d commits before the newest are needed, and there are %d", behind, len(commits)-1)
	}
	got := told{}
	for _, c := range commits[len(commits)-1-int(behind):] {
		for k, v := range c {
			if open(k[0]) {
				got[k] = v
				kept++
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Fatalf("commit %d and %d before it give %d accumulators, want %d", len(commits), behind, len(got), len(want))
	}
	return kept
}

// TestPanesSweep: after each commit, the commits that it says are needed hold the state, and not much more.
func TestPanesSweep(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var panes Panes[int64]
		want := told{}
		var commits []told
		rounds, longest := 0, 0
		touches := []int{3, 30, 300, 3}[seed%4]
		for step := range 600 {
			for range rng.IntN(touches) {
				start, id := int64(step/60-4+rng.IntN(6)), uint32(rng.IntN(400))
				if len(panes.Open) > 0 && start < panes.Open[0].Start && rng.IntN(10) > 0 {
					continue
				}
				a, _ := panes.At(start).Touch(id)
				*a = rng.Int64()
				want[[2]int64{start, int64(id)}] = *a
			}
			for len(panes.Open) > 5 {
				maps.DeleteFunc(want, func(k [2]int64, _ int64) bool { return k[0] == panes.Open[0].Start })
				panes.Drop()
			}
			changed := seed >= 4 || step%150 != 100
			behind := panes.Select(changed)
			if rng.IntN(10) == 0 {
				behind = panes.Select(changed) // a commit that came to nothing
			}
			c := told{}
			for _, p := range panes.Open {
				_, ids := p.Selected(nil, nil)
				for _, id := range ids {
					k := [2]int64{p.Start, int64(id)}
					if _, twice := c[k]; twice {
						t.Fatalf("seed %d, commit %d: key %d of %d twice", seed, step, id, p.Start)
					}
					c[k] = *p.Slot(id)
				}
			}
			panes.Commit()
			commits = append(commits, c)
			if behind != math.MaxUint32 {
				rounds++
				longest = max(longest, int(behind))
			}
			oldest := int64(math.MinInt64)
			if len(panes.Open) > 0 {
				oldest = panes.Open[0].Start
			}
			if step%5 > 0 && behind > 20 { // many commits are read in each look
				continue
			}
			kept := checkLog(t, commits, behind, want, func(start int64) bool { return start >= oldest })
			if kept > 4*len(want)+20*touches+sweepSlack {
				t.Fatalf("seed %d, commit %d: the log holds %d accumulators for %d", seed, step, kept, len(want))
			}
		}
		if rounds < 100 || longest < 5 {
			t.Fatalf("seed %d: %d commits knew what is needed, at most %d", seed, rounds, longest)
		}
	}
}

// TestTotalsSweep is the same for totals, whose keys go one by one.
func TestTotalsSweep(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var totals Totals[int64]
		totals.Grow(30_000)
		want := told{}
		var commits []told
		gone := map[int64]bool{} // keys that a commit told and that have gone: the reader drops them by the watermark
		rounds, longest := 0, 0
		touches := []int{3, 30, 300, 3}[seed%4]
		for step := range 1500 {
			for range rng.IntN(touches) {
				id := uint32(rng.IntN(30_000))
				k := [2]int64{0, int64(id)}
				if _, ok := want[k]; ok && rng.IntN(3) == 0 {
					totals.Remove(id)
					delete(want, k)
					gone[int64(id)] = true
					continue
				}
				a, _ := totals.Touch(id)
				*a = rng.Int64()
				want[k] = *a
				delete(gone, int64(id))
			}
			ids, behind := totals.Select(nil, seed >= 4 || step%700 != 100)
			c := told{}
			for _, id := range ids {
				c[[2]int64{0, int64(id)}] = *totals.Slot(id)
			}
			totals.Commit()
			if len(c) != len(ids) {
				t.Fatalf("seed %d, commit %d: a key twice", seed, step)
			}
			commits = append(commits, c)
			if behind != math.MaxUint32 {
				rounds++
				longest = max(longest, int(behind))
			}
			if step%10 == 0 {
				needed := commits
				if behind != math.MaxUint32 {
					needed = commits[len(commits)-1-int(behind):]
				}
				got := told{}
				for _, c := range needed {
					maps.Copy(got, c)
				}
				maps.DeleteFunc(got, func(k [2]int64, _ int64) bool { return gone[k[1]] })
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d, commit %d and %d before it give %d accumulators, want %d", seed, step, len(needed)-1, len(got), len(want))
				}
			}
		}
		if rounds < 100 || longest < 5 {
			t.Fatalf("seed %d: %d commits knew what is needed, at most %d", seed, rounds, longest)
		}
	}
}
