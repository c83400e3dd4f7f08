package aggregate

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/table"
)

// TestEstimates: of numbers of values up to a million the estimate is within four standard errors, and up to 100 exact with these seeds; for words that follow each other, random ones, and texts.
func TestEstimates(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	worst, sum, n := 0.0, 0.0, 0
	for trial := range 60 {
		var blobs table.Blobs
		var sketch Registers
		count := 0
		start := r.Uint64()
		for _, upTo := range []int{1, 10, 100, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000} {
			if upTo > 100_000 && trial > 2 {
				break
			}
			for ; count < upTo; count++ {
				switch trial % 3 {
				case 0:
					sketch.Add(&blobs, start+uint64(count))
				case 1:
					sketch.Add(&blobs, r.Uint64())
				default:
					sketch.AddText(&blobs, fmt.Sprint("user-", start%1000, "-", count))
				}
			}
			got := sketch.Estimate(&blobs)
			off := math.Abs(float64(got)-float64(count)) / float64(count)
			if off > 4*0.01625 || count <= 100 && got != int64(count) {
				t.Errorf("trial %d: %d values are estimated as %d", trial, count, got)
			}
			if count > 1000 {
				worst, sum, n = max(worst, off), sum+off*off, n+1
			}
		}
	}
	rms := math.Sqrt(sum / float64(n))
	t.Logf("off by %.4f at the most, root of the mean square %.4f", worst, rms)
	if rms > 0.0185 {
		t.Errorf("the error is %.4f, want about 0.0163", rms)
	}
}

// TestSketchesAreTheirValues: the bytes of a sketch are those of its values, in any order, with copies, put together from parts, and read back.
func TestSketchesAreTheirValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		var blobs table.Blobs
		n := 1 + r.IntN(1<<uint(r.IntN(13)))
		wide := uint(r.IntN(60))
		var values []float64
		for range n {
			v := math.Ldexp(r.Float64()-0.3, r.IntN(1+int(wide)*30)-int(wide)*15)
			if r.IntN(20) == 0 {
				v = []float64{0, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}[r.IntN(4)]
			}
			values = append(values, v)
		}
		var whole, parts [2]Registers
		var buckets, joined [2]Buckets
		for i, v := range values {
			whole[0].Add(&blobs, math.Float64bits(v))
			buckets[0].Add(&blobs, v)
			parts[i%2].Add(&blobs, math.Float64bits(v))
			joined[i%2].Add(&blobs, v)
		}
		for _, i := range r.Perm(n) {
			whole[1].Add(&blobs, math.Float64bits(values[i]))
			buckets[1].Add(&blobs, values[i])
			whole[1].Add(&blobs, math.Float64bits(values[r.IntN(i+1)]))
		}
		parts[0].Merge(&blobs, &parts[1])
		joined[1].Merge(&blobs, &joined[0])
		want := whole[0].Append(nil, &blobs)
		wantBuckets := buckets[0].Append(nil, &blobs)
		for _, got := range [][]byte{whole[1].Append(nil, &blobs), parts[0].Append(nil, &blobs)} {
			if !bytes.Equal(got, want) {
				t.Fatalf("%d values: the registers are others in another order or from parts", n)
			}
		}
		for _, got := range [][]byte{buckets[1].Append(nil, &blobs), joined[1].Append(nil, &blobs)} {
			if !bytes.Equal(got, wantBuckets) {
				t.Fatalf("%d values: the buckets are others in another order or from parts", n)
			}
		}
		var again Registers
		var againBuckets Buckets
		for range 2 { // over what is there already
			state := table.NewReader(slices.Concat(want, wantBuckets))
			again.Read(&state, &blobs)
			againBuckets.Read(&state, &blobs)
			if err := state.Done(); err != nil || !bytes.Equal(again.Append(nil, &blobs), want) || !bytes.Equal(againBuckets.Append(nil, &blobs), wantBuckets) {
				t.Fatalf("%d values are read as others: %v", n, err)
			}
		}
		checkRanks(t, &blobs, &buckets[0], values)
	}
}

// checkRanks: each rank is within the promised part of the exact one.
func checkRanks(t *testing.T, blobs *table.Blobs, sketch *Buckets, values []float64) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(values))
	if sketch.Len(blobs) != int64(len(values)) {
		t.Fatalf("%d values, want %d", sketch.Len(blobs), len(values))
	}
	if sketch.joined > 1 { // far apart: no promise but that it is there
		return
	}
	if sketch.Rank(blobs, 0, 1) != sorted[0] || sketch.Rank(blobs, 1, 1) != sorted[len(sorted)-1] {
		t.Fatalf("from about %v to %v, exactly %v to %v", sketch.Rank(blobs, 0, 1), sketch.Rank(blobs, 1, 1), sorted[0], sorted[len(sorted)-1])
	}
	promise := math.Ldexp(1, int(sketch.joined)) / 128
	for _, part := range []uint64{0, 1, 10, 500, 900, 990, 999, 1000} {
		exact := sorted[rank(uint64(len(sorted)), part, 1000)-1]
		got := sketch.Rank(blobs, part, 1000)
		if math.Abs(got-exact) > promise*math.Abs(exact) && math.Abs(exact) > 0x1p-1000 || math.IsInf(got, 0) || math.IsNaN(got) {
			t.Fatalf("rank %d/1000 of %d values is about %v, exactly %v", part, len(sorted), got, exact)
		}
	}
}

// TestBucketsOfAWideRange: 16 doublings need no joining.
func TestBucketsOfAWideRange(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var blobs table.Blobs
	var sketch Buckets
	var values []float64
	for range 200_000 {
		v := math.Exp2(16 * r.Float64())
		values = append(values, v)
		sketch.Add(&blobs, v)
	}
	if sketch.joined != 0 {
		t.Errorf("buckets were joined %d times", sketch.joined)
	}
	checkRanks(t, &blobs, &sketch, values)
	for range 1000 {
		sketch.Add(&blobs, -math.Exp2(2000*r.Float64()-1000))
	}
	if n := len(blobs.Words(sketch.place)); n > mostBuckets || sketch.joined == 0 {
		t.Errorf("%d buckets, joined %d times", n, sketch.joined)
	}
	steady(t, func() {
		var b Buckets
		var registers Registers
		for i := range 3000 {
			b.Add(&blobs, float64(i))
			registers.Add(&blobs, uint64(i))
		}
		b.Rank(&blobs, 1, 2)
		registers.Estimate(&blobs)
		b.Free(&blobs)
		registers.Free(&blobs)
	})
}

// TestDamagedSketches: bytes that no sketch has are an error.
func TestDamagedSketches(t *testing.T) {
	for _, state := range [][]byte{{}, {1}, {3, 1, 2, 3}, {4, 0, 1, 0, 0}, {4, 63, 1, 0, 0}, {8, 1, 2, 0, 0, 1, 2, 0, 0}, {4, 1, 0, 0, 0x80}} {
		var sketch Registers
		var blobs table.Blobs
		r := table.NewReader(state)
		if sketch.Read(&r, &blobs); r.Done() == nil {
			t.Errorf("%v is read as registers", state)
		}
	}
	for _, state := range [][]byte{{}, {1}, {2, 5, 1, 0, 1}, {1, 5, 0}, {1, 0xff, 0xff, 0xff, 0x7f, 1}} {
		var sketch Buckets
		var blobs table.Blobs
		r := table.NewReader(slices.Concat(make([]byte, 17), state)) // not joined, from 0 to 0
		if sketch.Read(&r, &blobs); r.Done() == nil {
			t.Errorf("%v is read as buckets", state)
		}
	}
}
