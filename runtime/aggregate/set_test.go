package aggregate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/table"
)

// TestSet holds sets of words and of texts against maps: they grow, merge, are written and read, freed, and overflow.
func TestSet(t *testing.T) {
	for _, texts := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 6))
		const most = 200
		seed := table.NewSeed()
		var blobs table.Blobs
		type pair struct {
			got  Set
			want map[string]bool
			over bool
		}
		all := make([]pair, 20)
		clone := func(p *pair) map[string]bool { return maps.Clone(p.want) }
		add := func(p *pair, v string) {
			if p.want == nil {
				p.want = map[string]bool{}
			}
			if p.over = p.over || len(p.want) == most && !p.want[v]; p.over {
				p.want = nil
			} else {
				p.want[v] = true
			}
		}
		for range 40_000 {
			p := &all[r.IntN(len(all))]
			switch r.IntN(60) {
			case 0:
				p.got.Free(&blobs, texts)
				*p = pair{}
			case 1:
				other := &all[r.IntN(len(all))]
				if other == p {
					continue
				}
				if texts {
					p.got.MergeTexts(&blobs, seed, &other.got, most)
				} else {
					p.got.Merge(&blobs, seed, &other.got, most)
				}
				if p.over = p.over || other.over; p.over {
					p.want = nil
				}
				for v := range other.want {
					add(p, v)
				}
			case 2: // as versions without AppendSince wrote it
				into := &all[r.IntN(len(all))]
				var state table.Reader
				if texts {
					state = table.NewReader(p.got.AppendTexts(nil, &blobs))
					into.got.ReadTexts(&state, &blobs, seed)
				} else {
					state = table.NewReader(p.got.Append(nil, &blobs))
					into.got.Read(&state, &blobs, seed)
				}
				if err := state.Done(); err != nil {
					t.Fatal(err)
				}
				into.want, into.over = clone(p), p.over
			default:
				n := uint64(r.IntN(1 << uint(1+r.IntN(9))))
				text := fmt.Sprint(n)
				if n%3 > 0 {
					text = strings.Repeat(text, int(n%5))
				}
				if texts {
					p.got.AddText(&blobs, seed, text, most)
					add(p, text)
				} else {
					p.got.Add(&blobs, seed, n, most)
					add(p, fmt.Sprint(n))
				}
			}
			if p.got.Len() != int64(len(p.want)) || p.got.Over != p.over {
				t.Fatalf("texts %t: %d values, over %t, want %d, %t", texts, p.got.Len(), p.got.Over, len(p.want), p.over)
			}
		}
		for i := range all {
			if texts {
				if got := textsOf(&blobs, all[i].got); !slices.Equal(got, slices.Sorted(maps.Keys(all[i].want))) {
					t.Fatalf("%q, want %q", got, slices.Sorted(maps.Keys(all[i].want)))
				}
			}
			all[i].got.Free(&blobs, texts)
		}
		long := []byte("a text that does not stand in its cell 000")
		steady(t, func() {
			var set Set
			for i := range 150 {
				if texts {
					long[len(long)-1], long[len(long)-2] = byte('0'+i%10), byte('0'+i/10)
					set.addBytes(&blobs, seed, long, most)
				} else {
					set.Add(&blobs, seed, uint64(i), most)
				}
			}
			set.Free(&blobs, texts)
		})
	}
}

// textsOf are the texts of a set in order.
func textsOf(x *table.Blobs, s Set) (all []string) {
	if s.zero {
		all = append(all, "")
	}
	for _, cell := range x.Words(s.cells) {
		var room [8]byte
		if cell != 0 {
			all = append(all, string(textOf(x, cell, &room)))
		}
	}
	slices.Sort(all)
	return all
}

// TestSetOfCommits: commits that tell what came since give the values, also when some are made twice; one new value of many takes a few bytes; without their beginning they are given up, and
// what an earlier version wrote is read.
func TestSetOfCommits(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	const most = 100
	seed := table.NewSeed()
	for round := range 1000 {
		texts := round%2 == 1
		var blobs, other table.Blobs
		var set, restored Set
		want := map[string]bool{}
		over := false
		add := func() {
			text := strings.Repeat("x", r.IntN(12)*r.IntN(2)) + fmt.Sprint(r.IntN(300))
			n := uint64(r.IntN(300))
			if r.IntN(50) == 0 {
				text, n = "", 0
			}
			if texts {
				set.AddText(&blobs, seed, text, most)
			} else {
				text = fmt.Sprint(n)
				set.Add(&blobs, seed, n, most)
			}
			want[text] = true
			over = over || len(want) > most
		}
		for commit := range uint32(r.IntN(10)) {
			for range r.IntN(20) {
				add()
			}
			var state []byte
			for range 1 + r.IntN(2) {
				if whole := r.IntN(6) == 0; texts {
					state = set.AppendTextsSince(nil, &blobs, commit, whole)
				} else {
					state = set.AppendSince(nil, &blobs, commit, whole)
				}
				add() // is told by the next one
			}
			from := table.NewReader(state)
			if texts {
				restored.ReadTexts(&from, &other, seed)
			} else {
				restored.Read(&from, &other, seed)
			}
			if err := from.Done(); err != nil {
				t.Fatal(err)
			}
		}
		var state []byte
		if texts {
			state = set.AppendTextsSince(nil, &blobs, 100, false)
		} else {
			state = set.AppendSince(nil, &blobs, 100, false)
		}
		from := table.NewReader(state)
		if texts {
			restored.ReadTexts(&from, &other, seed)
		} else {
			restored.Read(&from, &other, seed)
		}
		if from.Done() != nil || restored.Over != over || !over && restored.Len() != int64(len(want)) {
			t.Fatalf("%d values, over %t, come back as %d, over %t: %v", len(want), over, restored.Len(), restored.Over, from.Done())
		}
		if texts && !over && !slices.Equal(textsOf(&other, restored), slices.Sorted(maps.Keys(want))) {
			t.Fatalf("%q come back as %q", slices.Sorted(maps.Keys(want)), textsOf(&other, restored))
		}
		if !texts && !over {
			for v := range want {
				var n uint64
				fmt.Sscan(v, &n)
				if restored.Add(&other, seed, n, most); restored.Len() != int64(len(want)) {
					t.Fatalf("%d was not restored", n)
				}
			}
		}
		set.Free(&blobs, texts)
		restored.Free(&other, texts)
	}

	var blobs table.Blobs
	var set, restored Set
	for n := range uint64(1000) {
		set.Add(&blobs, seed, n+1, 10_000)
	}
	set.AppendSince(nil, &blobs, 0, false)
	set.Add(&blobs, seed, 5000, 10_000)
	state := set.AppendSince(nil, &blobs, 1, false)
	if len(state) > 13 {
		t.Errorf("one new value takes %d bytes", len(state))
	}
	from := table.NewReader(state)
	if restored.Read(&from, &blobs, seed); from.Done() != nil || !restored.Over {
		t.Errorf("a set without its beginning: %v, %v", restored, from.Done())
	}
	if state = set.AppendSince(nil, &blobs, 2, false); len(state) > 5 || set.fresh.Len > 0 {
		t.Errorf("no new value takes %d bytes in a state, and %d in memory", len(state), set.fresh.Len)
	}
}
