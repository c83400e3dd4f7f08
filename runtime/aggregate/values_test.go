package aggregate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/table"
)

// TestOrderedWords: words are ordered as what they stand for, and give it back.
func TestOrderedWords(t *testing.T) {
	ints := []int64{math.MinInt64, -2, -1, 0, 1, 2, math.MaxInt64}
	floats := []float64{-math.MaxFloat64, -1.5, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1, 1.5, math.MaxFloat64}
	for i, v := range ints {
		if table.OfOrderedInt(table.OrderedInt(v)) != v || i > 0 && table.OrderedInt(v) <= table.OrderedInt(ints[i-1]) {
			t.Errorf("%d", v)
		}
	}
	for i, v := range floats {
		if table.OfOrdered(table.Ordered(v)) != v || i > 0 && table.Ordered(v) <= table.Ordered(floats[i-1]) {
			t.Errorf("%v", v)
		}
	}
}

// TestRank: the nearest rank of n values, in exact arithmetic.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n := 1 + r.Int64N(1<<uint(1+r.IntN(40)))
		of := 1 + r.Int64N(1<<uint(1+r.IntN(36)))
		part := r.Int64N(of + 1)
		exact := new(big.Rat).Mul(big.NewRat(part, of), big.NewRat(n, 1))
		k := new(big.Int).Div(exact.Num(), exact.Denom())
		if !exact.IsInt() {
			k.Add(k, big.NewInt(1))
		}
		want := max(1, k.Int64())
		if got := rank(uint64(n), uint64(part), uint64(of)); got != uint64(want) {
			t.Fatalf("share %d/%d of %d: %d, want %d", part, of, n, got, want)
		}
	}
}

// TestValues holds them against slices: accumulators that grow, are asked in between, merge, are written and read, freed, and overflow.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const most = 300
	var blobs table.Blobs
	type pair struct {
		got  Values
		want []uint64
		over bool
	}
	all := make([]pair, 20)
	for range 20_000 {
		p := &all[r.IntN(len(all))]
		switch r.IntN(40) {
		case 0:
			p.got.Free(&blobs)
			*p = pair{}
		case 1:
			other := &all[r.IntN(len(all))]
			if other == p {
				continue
			}
			p.got.Merge(&blobs, &other.got, most)
			if p.over = p.over || other.over || len(p.want)+len(other.want) > most; p.over {
				p.want = nil
			} else {
				p.want = append(p.want, other.want...)
			}
		case 2:
			state := table.NewReader(p.got.Append(nil, &blobs, uint32(r.IntN(3)), true))
			into := &all[r.IntN(len(all))]
			into.got.Read(&state, &blobs)
			if err := state.Done(); err != nil {
				t.Fatal(err)
			}
			into.want, into.over = slices.Clone(p.want), p.over
		case 3, 4, 5:
			part := uint64(r.IntN(101))
			want := uint64(0)
			if len(p.want) > 0 {
				want = slices.Sorted(slices.Values(p.want))[rank(uint64(len(p.want)), part, 100)-1]
			}
			if got := p.got.Rank(&blobs, part, 100); got != want {
				t.Fatalf("rank %d of %d values is %d, want %d", part, len(p.want), got, want)
			}
		default:
			word := r.Uint64() >> uint(r.IntN(64))
			p.got.Add(&blobs, word, most)
			if p.over = p.over || len(p.want) == most; p.over {
				p.want = nil
			} else {
				p.want = append(p.want, word)
			}
		}
		if p.got.Len() != len(p.want) || p.got.Over != p.over {
			t.Fatalf("%d values, over %t, want %d, %t", p.got.Len(), p.got.Over, len(p.want), p.over)
		}
	}
	steady(t, func() {
		var v Values
		for i := range uint64(250) {
			v.Add(&blobs, i*7919%251, most)
		}
		v.Rank(&blobs, 1, 2)
		v.Free(&blobs)
	})
}

// steady says that a function allocates nothing once it has run.
func steady(t *testing.T, f func()) {
	t.Helper()
	f()
	if n := testing.AllocsPerRun(10, f); n > 0 {
		t.Errorf("%v allocations in steady state", n)
	}
}

// TestDamagedValues: bytes that no state has are an error and take no memory on their word.
func TestDamagedValues(t *testing.T) {
	for _, state := range [][]byte{{}, {2}, {3, 0, 0}, {0}, {0, 0, 0xff, 0xff, 0xff, 0x7f}, {0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 0}} {
		var v Values
		var words, texts Set
		var blobs table.Blobs
		for _, read := range []func(r *table.Reader){
			func(r *table.Reader) { v.Read(r, &blobs) }, func(r *table.Reader) { words.Read(r, &blobs, table.Seed{}) }, func(r *table.Reader) { texts.ReadTexts(r, &blobs, table.Seed{}) },
		} {
			r := table.NewReader(state)
			if read(&r); r.Done() == nil {
				t.Errorf("%v is read", state)
			}
		}
	}
}

// TestValuesOfCommits: commits that tell what came since give the values, also when some are made twice, and when the values were sorted in between; without their beginning they are given up.
func TestValuesOfCommits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	const most = 100
	for range 500 {
		var blobs, other table.Blobs
		var values, restored Values
		var want []uint64
		for commit := range uint32(r.IntN(8)) {
			for range r.IntN(20) {
				word := r.Uint64()
				values.Add(&blobs, word, most)
				want = append(want, word)
			}
			if r.IntN(8) == 0 {
				values.Rank(&blobs, 1, 2)
			}
			var state []byte
			for range 1 + r.IntN(2) {
				state = values.Append(nil, &blobs, commit, r.IntN(6) == 0)
			}
			from := table.NewReader(state)
			restored.Read(&from, &other)
			if err := from.Done(); err != nil {
				t.Fatal(err)
			}
		}
		if restored.Over != (len(want) > most) {
			t.Fatalf("%d values, over %t", len(want), restored.Over)
		}
		if !restored.Over && !slices.Equal(slices.Sorted(slices.Values(other.Words(restored.place))), slices.Sorted(slices.Values(want))) {
			t.Fatalf("%d values come back as %d others", len(want), restored.Len())
		}
	}
	var blobs table.Blobs
	var values, restored Values
	values.Add(&blobs, 1, most)
	values.Append(nil, &blobs, 0, false)
	values.Add(&blobs, 2, most)
	state := values.Append(nil, &blobs, 1, false)
	if len(state) > 11 {
		t.Errorf("one new value takes %d bytes", len(state))
	}
	from := table.NewReader(state)
	if restored.Read(&from, &blobs); from.Done() != nil || !restored.Over {
		t.Errorf("values without their beginning: %v, %v", restored, from.Done())
	}
}
