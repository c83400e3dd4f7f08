package aggregate

import (
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// TestDamage: states in which bytes were changed, cut or added are read or refused, and what was read of them can be worked with. Nothing panics.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	ranks := &Ranks{Most: 3, By: Texts, Words: 2, Texts: 0b10}
	for range 20_000 {
		var blobs table.Blobs
		in := new(stream.Batch)
		var values Values
		var words, texts Set
		var top Top
		var registers Registers
		var buckets Buckets
		fill := func(n int) {
			for i := range n {
				v := r.Uint64() >> r.IntN(64)
				values.Add(&blobs, v, 40)
				words.Add(&blobs, table.Seed{}, v%64, 40)
				texts.AddText(&blobs, table.Seed{}, "some text that is long"[:v%22], 40)
				if row := top.InsertText(&blobs, ranks, "another text"[:v%12], int64(i)); row != nil {
					row[1] = CellOf(&blobs, "and one more of them"[:v%20])
				}
				registers.Add(&blobs, v)
				buckets.Add(&blobs, float64(v)-100)
			}
		}
		fill(r.IntN(50))
		states := [][]byte{
			values.Append(nil, &blobs, 0, true), words.Append(nil, &blobs), texts.AppendTexts(nil, &blobs), top.Append(nil, &blobs, ranks), registers.Append(nil, &blobs), buckets.Append(nil, &blobs),
		}
		for i := range states {
			for range r.IntN(4) {
				s := states[i]
				switch at := r.IntN(len(s) + 1); r.IntN(3) {
				case 0:
					states[i] = s[:at]
				case 1:
					if at < len(s) {
						s[at] = byte(r.Uint32())
					}
				case 2:
					states[i] = append(s, byte(r.Uint32()))
				}
			}
			state := table.NewReader(states[i])
			switch i {
			case 0:
				values.Read(&state, &blobs)
			case 1:
				words.Read(&state, &blobs, table.Seed{})
			case 2:
				texts.ReadTexts(&state, &blobs, table.Seed{})
			case 3:
				top.Read(&state, &blobs, ranks)
			case 4:
				registers.Read(&state, &blobs)
			case 5:
				buckets.Read(&state, &blobs)
			}
		}
		fill(r.IntN(50))
		values.Rank(&blobs, 1, 2)
		top.List(in, &blobs, ranks)
		registers.Estimate(&blobs)
		buckets.Rank(&blobs, 1, 2)
		var o Values
		o.Merge(&blobs, &values, 40)
		var s Set
		s.MergeTexts(&blobs, table.Seed{}, &texts, 40)
		var b Buckets
		b.Merge(&blobs, &buckets)
		var g Registers
		g.Merge(&blobs, &registers)
		var p Top
		p.Merge(&blobs, ranks, &top)
	}
}
