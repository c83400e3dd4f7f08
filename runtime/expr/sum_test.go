package expr

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestOverUnits holds averages of decimals against exact arithmetic.
func TestOverUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check := func(sum Int128, n int64, scale int) {
		t.Helper()
		exact := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(sum.Hi), 64), new(big.Int).SetUint64(sum.Lo))
		divisor := new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		want, _ := new(big.Rat).SetFrac(exact, divisor).Float64()
		if got := sum.OverUnits(n, scale); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v / %d, scale %d: %v, want %v", exact, n, scale, got, want)
		}
	}
	for range 100_000 {
		n := 1 + r.Int64N(1<<uint(1+r.IntN(53)))
		bound := 1 << uint(r.IntN(63))
		var sum Int128
		switch r.IntN(3) {
		case 0: // of few ints
			n = 1 + r.Int64N(5)
			for range n {
				sum.Add(int64(r.Uint64()) >> uint(r.IntN(64)))
			}
		case 1: // any sum that n ints can have
			hi, lo := mul(r.Int64N(int64(bound)), n)
			sum = Int128{hi, lo}
			if r.IntN(2) == 0 {
				sum = Int128{^hi, -lo}
				if lo == 0 {
					sum.Hi++
				}
			}
		case 2: // quotients near the middle between two floats
			sum.Add((r.Int64N(1<<53)|1<<52)<<1 | 1)
			n = 1
		}
		check(sum, n, r.IntN(19))
	}
	for _, sum := range []Int128{{}, {0, 1}, {-1, math.MaxUint64}, {0, math.MaxInt64}, {-1, 1 << 63}, {0, 1 << 63}, {1<<52 - 1, math.MaxUint64}, {-1 << 52, 0}} {
		for _, scale := range []int{0, 1, 2, 17, 18} {
			check(sum, 1<<53, scale)
		}
	}
}

// mul is x·n, both at least 0.
func mul(x, n int64) (hi int64, lo uint64) {
	p := new(big.Int).Mul(big.NewInt(x), big.NewInt(n))
	return new(big.Int).Rsh(p, 64).Int64(), new(big.Int).And(p, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// TestMerge: sums of parts are the sum of all.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		var whole, a, b Int128
		var floats, x, y Neumaier
		for i := range r.IntN(20) {
			n := int64(r.Uint64()) >> r.IntN(64)
			f := float64(r.IntN(1<<20)) / 16 // exact in any order
			whole.Add(n)
			floats.Add(f)
			if i%3 == 0 {
				a.Add(n)
				x.Add(f)
			} else {
				b.Add(n)
				y.Add(f)
			}
		}
		if a.Merge(b); a != whole {
			t.Fatalf("%v, want %v", a, whole)
		}
		if x.Merge(y); x.Value() != floats.Value() {
			t.Fatalf("%v, want %v", x.Value(), floats.Value())
		}
	}
	big := Neumaier{Sum: 1e16, Lost: 1}
	if big.Merge(Neumaier{Sum: -1e16, Lost: 2}); big.Value() != 3 {
		t.Errorf("%v, want 3: what both lost", big.Value())
	}
}
