package aggregate

import (
	"math"
	"math/bits"

	"github.com/streamwright/streamwright/runtime/expr"
)

// Squares is an exact sum of squares of ints: High·2^128 + Middle·2^64 + Low. The zero value is 0. It holds any sum of fewer than 2^63 squares.
type Squares struct{ High, Middle, Low uint64 }

// Add adds the square of x.
func (s *Squares) Add(x int64) {
	m := uint64(max(x, -x)) // of the least int both are the same bits, which are right as a uint64
	hi, lo := bits.Mul64(m, m)
	var carry uint64
	s.Low, carry = bits.Add64(s.Low, lo, 0)
	s.Middle, carry = bits.Add64(s.Middle, hi, carry)
	s.High += carry
}

// Merge adds what o holds.
func (s *Squares) Merge(o Squares) {
	var carry uint64
	s.Low, carry = bits.Add64(s.Low, o.Low, 0)
	s.Middle, carry = bits.Add64(s.Middle, o.Middle, carry)
	s.High, _ = bits.Add64(s.High, o.High, carry)
}

// Variance is the float64 nearest to the variance of the sample whose squares s has, ties to even: (n·s - sum²) / (n·(n-1)·10^(2·scale)). sum is that of its n ints, which are
// counts of 10^-scale; scale is 0 to 18. Of fewer than two it is 0.
func (s Squares) Variance(sum expr.Int128, n int64, scale int) float64 {
	if n < 2 {
		return 0
	}
	apart := uint256{0, s.High, s.Middle, s.Low}.times(uint64(n))
	if sum.Hi < 0 {
		sum = expr.Int128{Hi: ^sum.Hi, Lo: -sum.Lo}
		if sum.Lo == 0 {
			sum.Hi++
		}
	}
	hi, lo := uint64(sum.Hi), sum.Lo
	apart, _ = apart.minus(uint256{0, 0, hi, lo}.times(lo)) // sum² = sum·lo + 2^64·sum·hi
	apart, _ = apart.minus(uint256{0, hi, lo, 0}.times(hi))
	units := uint64(1)
	for range scale {
		units *= 10
	}
	divisor := uint256{0, 0, 0, uint64(n)}.times(uint64(n - 1)).times(units).times(units)
	return apart.over(divisor)
}

// uint256 is a number of 256 bits, the highest word first.
type uint256 [4]uint64

func (x uint256) times(y uint64) (p uint256) {
	var carry uint64
	for i := 3; i >= 0; i-- {
		hi, lo := bits.Mul64(x[i], y)
		var more uint64
		p[i], more = bits.Add64(lo, carry, 0)
		carry = hi + more
	}
	return p
}

// minus is x - y; borrow is 1 when y is above x.
func (x uint256) minus(y uint256) (d uint256, borrow uint64) {
	for i := 3; i >= 0; i-- {
		d[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return d, borrow
}

func (x uint256) length() int {
	for i, w := range x {
		if w != 0 {
			return 64*(3-i) + bits.Len64(w)
		}
	}
	return 0
}

// shifted is x·2^n; no bit of it is lost.
func (x uint256) shifted(n int) (y uint256) {
	whole, part := n/64, n%64
	for i := range 4 - whole {
		y[i] = x[i+whole] << part
		if i+whole < 3 {
			y[i] |= x[i+whole+1] >> (64 - part)
		}
	}
	return y
}

// over is the float64 nearest to x / y, ties to even; y is above 0, both are below 2^255.
func (x uint256) over(y uint256) float64 {
	up, down := x.length(), y.length()
	switch {
	case up == 0:
		return 0
	case up <= 53 && down <= 53:
		return float64(x[3]) / float64(y[3]) // of two exact values: rounded once
	}
	// Both are brought to 255 bits: the first bit of the quotient is then that of its integer part or the one behind it. Its 64 bits, whose last one stands for all that follow, are
	// rounded once.
	x, y = x.shifted(255-up), y.shifted(255-down)
	var q uint64
	for range 64 {
		q <<= 1
		if rest, borrow := x.minus(y); borrow == 0 {
			q |= 1
			x = rest
		}
		x = x.shifted(1)
	}
	if x != (uint256{}) {
		q |= 1
	}
	return math.Ldexp(float64(q), up-down-63)
}

// Moments are the number of float64s, their mean, and the sum of their squared distances from it. The zero value is of none. Each value moves them so that nothing large is
// subtracted from something large. (B. P. Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products", Technometrics 4, 1962.)
type Moments struct {
	N     int64
	Mean  float64
	Apart float64
}

// Add adds x. The conversions keep products from being fused with sums, so that the same values in the same order give the same bits on every machine.
func (m *Moments) Add(x float64) {
	m.N++
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.Apart += float64(d * (x - m.Mean))
}

// Merge adds what o holds. (Tony F. Chan, Gene H. Golub, Randall J. LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", Stanford STAN-CS-79-773,
// 1979.)
func (m *Moments) Merge(o Moments) {
	if o.N == 0 {
		return
	}
	if m.N == 0 {
		*m = o
		return
	}
	n := m.N + o.N
	d := o.Mean - m.Mean
	share := float64(o.N) / float64(n)
	m.Mean += float64(d * share)
	m.Apart += o.Apart + float64(float64(d*d)*float64(float64(m.N)*share))
	m.N = n
}

// Variance is that of the sample: the squared distances divided by n - 1. Of fewer than two it is 0. It is not finite when a step was not.
func (m Moments) Variance() float64 { return m.Apart / float64(max(m.N-1, 1)) }
