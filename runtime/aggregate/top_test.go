package aggregate

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// ranked is a row of a top as a test keeps it.
type ranked struct {
	by, note string
	at       int64
	number   int
}

// TestTop holds tops by ints and by texts, of rows with a number and a text, against sorting: they grow, merge, are written and read, freed.
func TestTop(t *testing.T) {
	for _, texts := range []bool{false, true} {
		r := rand.New(rand.NewPCG(7, 8))
		ranks := &Ranks{Most: 4, By: Ints, Words: 2, Texts: 0b10}
		if texts {
			ranks.By = Texts
		}
		var blobs table.Blobs
		in := new(stream.Batch)
		type pair struct {
			got  Top
			want []ranked
		}
		all := make([]pair, 10)
		first := func(rows []ranked) []ranked {
			rows = slices.Clone(rows)
			slices.SortStableFunc(rows, func(a, b ranked) int {
				by := strings.Compare(b.by, a.by)
				if !texts {
					by = cmp.Compare(len(b.by), len(a.by))
				}
				return cmp.Or(by, cmp.Compare(a.at, b.at))
			})
			return rows[:min(len(rows), ranks.Most)]
		}
		set := func(words []uint64, row ranked) {
			if words != nil {
				words[0], words[1] = uint64(row.number), CellOf(&blobs, row.note)
			}
		}
		for n := range 20_000 {
			p := &all[r.IntN(len(all))]
			switch r.IntN(30) {
			case 0:
				p.got.Free(&blobs, ranks)
				*p = pair{}
			case 1:
				other := &all[r.IntN(len(all))]
				if other == p {
					continue
				}
				p.got.Merge(&blobs, ranks, &other.got)
				p.want = first(append(p.want, first(other.want)...))
			case 2:
				into := &all[r.IntN(len(all))]
				state := table.NewReader(p.got.Append(nil, &blobs, ranks))
				into.got.Read(&state, &blobs, ranks)
				if err := state.Done(); err != nil {
					t.Fatal(err)
				}
				into.want = slices.Clone(p.want)
			default:
				row := ranked{strings.Repeat("z", r.IntN(20)), strings.Repeat("n", r.IntN(30)), int64(r.IntN(10) - 5), n}
				if texts {
					set(p.got.InsertText(&blobs, ranks, row.by, row.at), row)
				} else {
					set(p.got.Insert(&blobs, ranks, table.OrderedInt(int64(len(row.by))), row.at), row)
				}
				p.want = first(append(p.want, row))
			}
			l := p.got.List(in, &blobs, ranks)
			var got, want []string
			for i := range int(l.Len) {
				words := in.Words[int(l.Off)+2*i:]
				got = append(got, fmt.Sprint(words[0], " ", string(in.Bytes(stream.WordStr(words[1])))))
			}
			for _, row := range first(p.want) {
				want = append(want, fmt.Sprint(row.number, " ", row.note))
			}
			if !slices.Equal(got, want) || p.got.Len(ranks) != len(want) {
				t.Fatalf("%q, want %q", got, want)
			}
			in.Words, in.Data = in.Words[:0], in.Data[:0]
		}
		steady(t, func() {
			var top Top
			for i := range 50 {
				if words := top.Insert(&blobs, &Ranks{Most: 4, By: Ints, Words: 2, Texts: 0b10}, uint64(i*7%11), int64(i)); words != nil {
					words[1] = CellOf(&blobs, "a text that is kept beside its row")
				}
			}
			top.Free(&blobs, &Ranks{Most: 4, By: Ints, Words: 2, Texts: 0b10})
		})
	}
}

// TestTopOfValues: without words a row is what it is ranked by, whatever its type.
func TestTopOfValues(t *testing.T) {
	var blobs table.Blobs
	in := new(stream.Batch)
	var ints, floats, texts, equal Top
	for i, v := range []int64{3, -7, 5} {
		ints.Insert(&blobs, &Ranks{Most: 2, By: Ints}, table.OrderedInt(v), 0)
		floats.Insert(&blobs, &Ranks{Most: 2, By: Floats}, table.Ordered(float64(v)/2), 0)
		texts.InsertText(&blobs, &Ranks{Most: 2, By: Texts}, fmt.Sprint("v", v), 0)
		if row := equal.Insert(&blobs, &Ranks{Most: 2, By: Equal, Words: 1}, 0, -int64(i)); row != nil {
			row[0] = uint64(v)
		}
	}
	list := func(top *Top, r Ranks) string {
		l := top.List(in, &blobs, &r)
		var all []string
		for i := range int(l.Len) {
			switch r.By {
			case Floats:
				all = append(all, fmt.Sprint(math.Float64frombits(in.Word(l, i))))
			case Texts:
				all = append(all, string(in.Bytes(stream.WordStr(in.Word(l, i)))))
			default:
				all = append(all, fmt.Sprint(int64(in.Word(l, i))))
			}
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		top  *Top
		r    Ranks
		want string
	}{{&ints, Ranks{Most: 2, By: Ints}, "5 3"}, {&floats, Ranks{Most: 2, By: Floats}, "2.5 1.5"}, {&texts, Ranks{Most: 2, By: Texts}, "v5 v3"}, {&equal, Ranks{Most: 2, By: Equal, Words: 1}, "5 -7"}} {
		if got := list(c.top, c.r); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
