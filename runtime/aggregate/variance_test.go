package aggregate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/expr"
)

// TestVarianceOfInts holds variances of ints and decimals against exact arithmetic, whole and put together from two parts.
func TestVarianceOfInts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		n := 2 + r.IntN(6)
		shift := uint(r.IntN(64))
		scale := r.IntN(19)
		around := int64(r.Uint64()) >> uint(r.IntN(64))
		var sum, part expr.Int128
		var squares, partSquares Squares
		exactSum, exactSquares := new(big.Int), new(big.Int)
		for i := range n {
			x := int64(r.Uint64()) >> shift
			if r.IntN(2) == 0 {
				x = around + x>>40
			}
			if r.IntN(20) == 0 {
				x = []int64{math.MinInt64, math.MaxInt64}[r.IntN(2)]
			}
			if i%2 == 0 {
				sum.Add(x)
				squares.Add(x)
			} else {
				part.Add(x)
				partSquares.Add(x)
			}
			b := big.NewInt(x)
			exactSum.Add(exactSum, b)
			exactSquares.Add(exactSquares, new(big.Int).Mul(b, b))
		}
		sum.Merge(part)
		squares.Merge(partSquares)
		count := big.NewInt(int64(n))
		apart := new(big.Int).Sub(new(big.Int).Mul(count, exactSquares), new(big.Int).Mul(exactSum, exactSum))
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(2*scale)), nil)
		want, _ := new(big.Rat).SetFrac(apart, unit.Mul(unit, big.NewInt(int64(n*(n-1))))).Float64()
		if got := squares.Variance(sum, int64(n), scale); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("n %d, sum %v, squares %v, scale %d: %v, want %v", n, exactSum, exactSquares, scale, got, want)
		}
	}
	most := Squares{}
	for range 100 {
		most.Add(math.MinInt64)
	}
	if got := most.Variance(expr.Int128{Hi: -50}, 100, 18); got != 0 {
		t.Errorf("the variance of equal numbers is %v", got)
	}
	if got := most.Variance(expr.Int128{Hi: -50}, 1, 0); got != 0 {
		t.Errorf("the variance of one number is %v", got)
	}
}

// TestMoments: floats far from zero and close together keep their variance, also when they come in two parts; the textbook's sum of squares loses it.
func TestMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		n := 2 + r.IntN(200)
		far := math.Ldexp(r.Float64(), r.IntN(31))
		var whole, first, second Moments
		var all []float64
		for i := range n {
			x := far + r.NormFloat64()
			all = append(all, x)
			whole.Add(x)
			if i < n/3 {
				first.Add(x)
			} else {
				second.Add(x)
			}
		}
		first.Merge(second)
		exact := exactVariance(all)
		for _, m := range []Moments{whole, first} {
			if got := m.Variance(); math.Abs(got-exact) > 1e-5*exact || m.N != int64(n) {
				t.Fatalf("%d numbers around %v: %v, want %v", n, far, got, exact)
			}
		}
	}
	var none, one Moments
	none.Merge(Moments{})
	one.Add(3)
	none.Merge(one)
	if none != one || one.Variance() != 0 {
		t.Errorf("nothing and one are %v, want %v", none, one)
	}
}

func exactVariance(all []float64) float64 {
	n := big.NewRat(int64(len(all)), 1)
	mean := new(big.Rat)
	for _, x := range all {
		mean.Add(mean, new(big.Rat).SetFloat64(x))
	}
	mean.Quo(mean, n)
	apart := new(big.Rat)
	for _, x := range all {
		d := new(big.Rat).SetFloat64(x)
		d.Sub(d, mean)
		apart.Add(apart, d.Mul(d, d))
	}
	v, _ := apart.Quo(apart, new(big.Rat).Sub(n, big.NewRat(1, 1))).Float64()
	return v
}
