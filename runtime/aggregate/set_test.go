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
			case 2:
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
