package window

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestAlignedAgainstBigIntegers(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -61, -60, -59, -1, 0, 1, 59, 60, 61, math.MaxInt64 - 1, math.MaxInt64}
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func() int64 {
		v := int64(rng.Uint64()) >> rng.IntN(64)
		if rng.IntN(2) == 0 {
			v = edges[rng.IntN(len(edges))] + v>>40
		}
		return v
	}
	least, most := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
	fits := func(x *big.Int) bool { return x.Cmp(least) >= 0 && x.Cmp(most) <= 0 }
	outside := 0
	for range 200_000 {
		at := pick()
		size := pick()&math.MaxInt64>>rng.IntN(63) | 1
		offset := int64(rng.Uint64N(uint64(size)))

		s := new(big.Int).Sub(big.NewInt(at), big.NewInt(offset))
		q, r := new(big.Int).QuoRem(s, big.NewInt(size), new(big.Int))
		if r.Sign() < 0 {
			q.Sub(q, big.NewInt(1))
		}
		s.Mul(q, big.NewInt(size)).Add(s, big.NewInt(offset))
		e := new(big.Int).Add(s, big.NewInt(size))

		start, end, ok := Bounds(at, size, offset)
		if ok != (fits(s) && fits(e)) {
			t.Fatalf("Bounds(%d, %d, %d): ok %v, want [%v, %v)", at, size, offset, ok, s, e)
		}
		if ok && (start != s.Int64() || end != e.Int64()) {
			t.Fatalf("Bounds(%d, %d, %d) = [%d, %d), want [%v, %v)", at, size, offset, start, end, s, e)
		}
		if fits(s) && Start(at, size, offset) != s.Int64() {
			t.Fatalf("Start(%d, %d, %d) = %d, want %v", at, size, offset, Start(at, size, offset), s)
		}
		want := int64(math.MaxInt64)
		if fits(e) {
			want = e.Int64()
		}
		if got := Due(at, size, offset); got != want {
			t.Fatalf("Due(%d, %d, %d) = %d, want %d", at, size, offset, got, want)
		}
		if !ok {
			outside++
		}
	}
	if outside == 0 {
		t.Fatal("no bound outside int64 was tried")
	}
}

// TestOverlapsAgainstBigIntegers holds Hops and Steps against the windows themselves, one after the other.
func TestOverlapsAgainstBigIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	outside := 0
	for range 100_000 {
		at := int64(rng.Uint64()) >> rng.IntN(64)
		if rng.IntN(8) == 0 {
			at = []int64{math.MinInt64, math.MaxInt64, 0}[rng.IntN(3)] + int64(rng.IntN(200)-100)
		}
		size := int64(1 + rng.IntN(60))
		slide := 1 + rng.Int64N(size)
		offset := rng.Int64N(slide)
		start, end, ok := Hops(at, size, slide, offset)
		first, last := new(big.Int), new(big.Int)
		n := 0
		for s := int64(-slide); s < size; s++ { // starts so far before at, the latest first
			b := new(big.Int).Sub(big.NewInt(at), big.NewInt(s))
			if s >= 0 && new(big.Int).Mod(new(big.Int).Sub(b, big.NewInt(offset)), big.NewInt(slide)).Sign() == 0 {
				if n++; n == 1 {
					last.Add(b, big.NewInt(size))
				}
				first = b
			}
		}
		if want := first.IsInt64() && last.IsInt64(); ok != want {
			t.Fatalf("Hops(%d, %d, %d, %d): ok %v, want [%v, %v)", at, size, slide, offset, ok, first, last)
		}
		if !ok {
			outside++
		} else if start != first.Int64() || end != last.Int64() {
			t.Fatalf("Hops(%d, %d, %d, %d) = [%d, %d), want [%v, %v)", at, size, slide, offset, start, end, first, last)
		}

		step, steps := slide, 1+rng.Int64N(9)
		size, offset = step*steps, rng.Int64N(step*steps)
		start, end, ok = Steps(at, size, step, offset)
		whole, until, fits := Bounds(at, size, offset)
		if ok != fits {
			t.Fatalf("Steps(%d, %d, %d, %d): ok %v, want %v", at, size, step, offset, ok, fits)
		}
		if ok && (end != until || start > at || at-start >= step || (start-whole)%step != 0 || start < whole) {
			t.Fatalf("Steps(%d, %d, %d, %d) = [%d, %d) in [%d, %d)", at, size, step, offset, start, end, whole, until)
		}
	}
	if outside == 0 {
		t.Fatal("no bound outside int64 was tried")
	}
}

func TestMissed(t *testing.T) {
	for _, c := range [][3]int64{{9, 10, 0}, {10, 10, 1}, {14, 10, 1}, {15, 10, 2}, {math.MinInt64, math.MaxInt64, 0}, {math.MinInt64, -5, 0}} {
		if got := Missed(c[0], c[1], 5); got != c[2] {
			t.Errorf("at %d the windows from the one that ends at %d on: %d are closed, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestSumsAreHeldAtTheEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	hold := func(x *big.Int) int64 {
		switch {
		case x.IsInt64():
			return x.Int64()
		case x.Sign() < 0:
			return math.MinInt64
		}
		return math.MaxInt64
	}
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	check := func(a, b int64) {
		x, y := big.NewInt(a), big.NewInt(b)
		if got, want := Add(a, b), hold(new(big.Int).Add(x, y)); got != want {
			t.Fatalf("Add(%d, %d) = %d, want %d", a, b, got, want)
		}
		if got, want := Sub(a, b), hold(new(big.Int).Sub(x, y)); got != want {
			t.Fatalf("Sub(%d, %d) = %d, want %d", a, b, got, want)
		}
	}
	for _, a := range edges {
		for _, b := range edges {
			check(a, b)
		}
	}
	for range 10_000 {
		check(int64(rng.Uint64()), int64(rng.Uint64())>>rng.IntN(64))
	}
}

func TestBeforeTheEpoch(t *testing.T) {
	for _, c := range []struct{ at, start int64 }{{-1, -60}, {-60, -60}, {-61, -120}, {0, 0}, {59, 0}, {60, 60}} {
		if got := Start(c.at, 60, 0); got != c.start {
			t.Errorf("Start(%d, 60, 0) = %d, want %d", c.at, got, c.start)
		}
	}
	if got := Due(-60, 60, 0); got != 0 {
		t.Errorf("the boundary above -60 is %d, want 0", got)
	}
}

// TestBehind: an end is at or before the watermark less a span exactly when the end and the span, which stop at the end of time, do not reach beyond the watermark.
func TestBehind(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 + 60, -60, -1, 0, 1, 60, math.MaxInt64 - 60, math.MaxInt64 - 1, math.MaxInt64}
	for _, w := range edges {
		for _, span := range edges {
			for _, end := range edges[1:] { // nothing ends where time begins
				if span >= 0 && (end <= Behind(w, span)) != (Add(end, span) <= w) {
					t.Errorf("end %d, span %d, watermark %d: %v by Behind, %v by Add", end, span, w, end <= Behind(w, span), Add(end, span) <= w)
				}
			}
		}
	}
}
