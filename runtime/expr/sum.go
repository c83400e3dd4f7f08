package expr

import (
	"math"
	"math/bits"
)

// Int128 is an exact sum of ints in two's complement: Hi·2^64 + Lo. The zero value is 0. It holds any sum of fewer than 2^63 ints.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Add adds x.
func (s *Int128) Add(x int64) {
	lo, carry := bits.Add64(s.Lo, uint64(x), 0)
	s.Lo = lo
	s.Hi += x>>63 + int64(carry)
}

// Merge adds another sum.
func (s *Int128) Merge(o Int128) {
	lo, carry := bits.Add64(s.Lo, o.Lo, 0)
	s.Lo = lo
	s.Hi += o.Hi + int64(carry)
}

// Times is s times n > 0; a product beyond 128 bits is the value nearest to it.
func (s Int128) Times(n uint64) Int128 {
	lo, hi := s.Lo, uint64(s.Hi)
	if s.Hi < 0 {
		lo, hi = -lo, ^hi
		if lo == 0 {
			hi++
		}
	}
	carry, low := bits.Mul64(lo, n)
	over, high := bits.Mul64(hi, n)
	high, more := bits.Add64(high, carry, 0)
	switch {
	case over+more > 0 || high > math.MaxInt64:
		if s.Hi < 0 {
			return Int128{Hi: math.MinInt64}
		}
		return Int128{Hi: math.MaxInt64, Lo: math.MaxUint64}
	case s.Hi < 0:
		low, high = -low, ^high
		if low == 0 {
			high++
		}
	}
	return Int128{Hi: int64(high), Lo: low}
}

// Int64 is the sum; ok is false when it does not fit.
func (s Int128) Int64() (sum int64, ok bool) {
	return int64(s.Lo), s.Hi == int64(s.Lo)>>63
}

// Over is the float64 nearest to the sum divided by n, ties to even. n is the number of ints that were added, 1 to 2^53.
func (s Int128) Over(n int64) float64 {
	const exact = 1 << 53
	if v, ok := s.Int64(); ok && -exact <= v && v <= exact {
		return float64(v) / float64(n) // of two exact values: rounded once
	}
	return s.overWide(uint64(n))
}

// overWide makes 63 bits of the quotient, whose last one stands for all that follow, and rounds them once.
func (s Int128) overWide(n uint64) float64 {
	hi, lo := uint64(s.Hi), s.Lo
	if s.Hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	q, r := bits.Div64(hi, lo, n) // at most 2^63, since each of the n ints is; at least 1, since the sum is above 2^53
	shift := max(0, 63-bits.Len64(q))
	fraction, rest := bits.Div64(r>>(64-shift), r<<shift, n)
	q = q<<shift | fraction
	if rest != 0 {
		q |= 1
	}
	v := math.Ldexp(float64(q), -shift)
	if s.Hi < 0 {
		return -v
	}
	return v
}

// OverUnits is Over for a sum of decimals: the float64 nearest to the sum divided by n·10^scale, ties to even. scale is 0 to 18.
func (s Int128) OverUnits(n int64, scale int) float64 {
	const exact = 1 << 53
	hi, lo := bits.Mul64(uint64(n), unit[scale])
	if v, ok := s.Int64(); ok && -exact <= v && v <= exact && hi == 0 && lo <= exact {
		return float64(v) / float64(lo) // of two exact values: rounded once
	}
	return s.overUnits(hi, lo)
}

// overUnits divides by the divisor, at most 2^113, bit by bit: 64 bits of the quotient, whose last one stands for all that follow, are rounded once.
func (s Int128) overUnits(divisorHi, divisorLo uint64) float64 {
	hi, lo := uint64(s.Hi), s.Lo
	if s.Hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	if hi|lo == 0 {
		return 0
	}
	// Both are brought to 127 bits: the first bit of the quotient is then that of its integer part or the one behind it.
	up := length(hi, lo)
	hi, lo = shiftLeft(hi, lo, 127-up)
	down := length(divisorHi, divisorLo)
	divisorHi, divisorLo = shiftLeft(divisorHi, divisorLo, 127-down)
	var q uint64
	for range 64 {
		q <<= 1
		restLo, borrow := bits.Sub64(lo, divisorLo, 0)
		restHi, borrow := bits.Sub64(hi, divisorHi, borrow)
		if borrow == 0 {
			q |= 1
			hi, lo = restHi, restLo
		}
		hi, lo = hi<<1|lo>>63, lo<<1
	}
	if hi|lo != 0 {
		q |= 1
	}
	v := math.Ldexp(float64(q), up-down-63)
	if s.Hi < 0 {
		return -v
	}
	return v
}

// length is the number of bits of hi·2^64 + lo.
func length(hi, lo uint64) int {
	if hi == 0 {
		return bits.Len64(lo)
	}
	return 64 + bits.Len64(hi)
}

// shiftLeft is hi·2^64 + lo times 2^n.
func shiftLeft(hi, lo uint64, n int) (uint64, uint64) {
	if n >= 64 {
		return lo << (n - 64), 0
	}
	return hi<<n | lo>>(64-n), lo << n
}

// unit is how many units of a scale make one.
var unit = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// Neumaier is a compensated sum of float64s. The zero value is 0. (Arnold Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen",
// ZAMM 54, 1974.)
type Neumaier struct{ Sum, Lost float64 }

// Add adds x.
func (s *Neumaier) Add(x float64) {
	t := s.Sum + x
	if math.Abs(s.Sum) >= math.Abs(x) {
		s.Lost += s.Sum - t + x
	} else {
		s.Lost += x - t + s.Sum
	}
	s.Sum = t
}

// Merge adds another sum, and what it lost.
func (s *Neumaier) Merge(o Neumaier) {
	s.Add(o.Sum)
	s.Lost += o.Lost
}

// Value is the sum. It is not finite when a partial sum was not.
func (s Neumaier) Value() float64 { return s.Sum + s.Lost }
