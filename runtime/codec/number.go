package codec

import (
	"math"
	"strconv"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Unit is what an epoch number counts, as the power of ten of its nanoseconds.
type Unit int64

// The units of epoch numbers.
const (
	Seconds Unit = 9
	Millis  Unit = 6
	Micros  Unit = 3
	Nanos   Unit = 0
)

// Int takes a number that is an integer, however it is written: 1e3 and 1.0 are integers. FaultIntegral is one with a fraction, FaultIntRange one outside int64.
func (s *Scanner) Int() (int64, stream.Fault) {
	if v, ok := s.digits(); ok {
		return v, stream.FaultNone
	}
	if !s.atNumber() {
		return 0, s.other()
	}
	v, fit := s.number().whole()
	return v, [...]stream.Fault{fits: stream.FaultNone, fraction: stream.FaultIntegral, beyond: stream.FaultIntRange}[fit]
}

// Decimal takes a number as a count of 10^-scale, exactly: of scale 2, 0.1, 0.10 and 1e-1 are 10. FaultScale is one that has more digits, FaultDecimal one whose
// count is outside int64. scale is 0 to 18.
func (s *Scanner) Decimal(scale int) (units int64, fault stream.Fault) {
	if !s.atNumber() {
		return 0, s.other()
	}
	n := s.number()
	n.exp += int64(scale)
	v, fit := n.whole()
	return v, [...]stream.Fault{fits: stream.FaultNone, fraction: stream.FaultScale, beyond: stream.FaultDecimal}[fit]
}

// Epoch takes a number that counts units since the Unix epoch, and returns its nanoseconds: scaled exactly, then rounded down. FaultTimeRange is one outside int64.
func (s *Scanner) Epoch(unit Unit) (ns int64, fault stream.Fault) {
	if !s.atNumber() {
		return 0, s.other()
	}
	n := s.number()
	if n.mant == 0 {
		return 0, stream.FaultNone
	}
	exp := n.exp + int64(unit)
	if exp > 18 || exp > 0 && n.rest {
		return 0, stream.FaultTimeRange
	}
	for ; exp > 0; exp-- {
		if n.mant > math.MaxUint64/10 {
			return 0, stream.FaultTimeRange
		}
		n.mant *= 10
	}
	fraction := n.rest
	for ; exp < 0 && n.mant != 0; exp++ {
		fraction = fraction || n.mant%10 != 0
		n.mant /= 10
	}
	if n.neg && fraction {
		n.mant++ // below 1e19, so it does not wrap
	}
	if v, ok := signed(n.neg, n.mant); ok {
		return v, stream.FaultNone
	}
	return 0, stream.FaultTimeRange
}

// Float takes a number and rounds it to the nearest float64, ties to even. FaultFloatRange is one beyond the largest; one below the smallest is 0, and so is -0.
func (s *Scanner) Float() (float64, stream.Fault) {
	if !s.atNumber() {
		return 0, s.other()
	}
	start := s.pos
	n := s.number()
	if n.mant == 0 || s.fault != 0 {
		return 0, stream.FaultNone
	}
	// A mantissa and a power of ten that are floats give the nearest float in one operation (Clinger, "How to Read Floating Point Numbers
	// Accurately", PLDI 1990).
	if n.mant < 1<<53 && n.exp >= -22 && n.exp <= 22 && !n.rest {
		f := float64(n.mant)
		if n.exp < 0 {
			f /= powers[-n.exp]
		} else {
			f *= powers[n.exp]
		}
		if n.neg {
			f = -f
		}
		return f, stream.FaultNone
	}
	switch { // the number lies in [10^exp, 10^(exp+19)) however long its exponent
	case n.exp > 308 || n.beyondFloat():
		return 0, stream.FaultFloatRange
	case n.exp < -400:
		return 0, stream.FaultNone
	}
	f, err := strconv.ParseFloat(s.in.Text(stream.Str{Off: uint32(start), Len: uint32(s.pos - start)}), 64)
	if err != nil {
		return 0, stream.FaultFloatRange
	}
	if f == 0 {
		f = 0 // not -0
	}
	return f, stream.FaultNone
}

// powers are the powers of ten that are exact as float64.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimal is a number of a record: mant · 10^exp and, when rest is set, less than 10^exp more.
type decimal struct {
	mant uint64 // its first 19 digits, leading zeros not counted
	exp  int64
	neg  bool
	rest bool // it has more digits, and one of them is not 0
}

// beyondFloat says that a number, whose exp is 308 at most, is beyond float64. It asks the first 19 digits; what they leave open is left to strconv, whose error
// allocates.
func (n decimal) beyondFloat() bool {
	const most = 1_797_693_134_862_315_807 // 2^1024 - 2^970, which rounds to infinity, is most.937… · 10^290
	for n.mant < 1e18 && n.exp > 290 {
		n.mant, n.exp = n.mant*10, n.exp-1
	}
	return n.exp > 290 || n.exp == 290 && n.mant > most
}

// manyDigits is where an exponent stops to grow. It is more than the digits that a record can hold, so that they cannot bring it back, and
// 1e999999999999 costs what its digits cost.
const manyDigits = 1 << 40

func (s *Scanner) atNumber() bool {
	c := s.data[s.pos]
	return c == '-' || c-'0' <= 9
}

// digits takes an integer of at most 18 digits that is written without fraction and exponent: nearly every integer.
func (s *Scanner) digits() (v int64, ok bool) {
	p := s.pos
	neg := s.data[p] == '-'
	if neg {
		p++
	}
	start := p
	for c := s.data[p] - '0'; c <= 9; c = s.data[p] - '0' {
		v = v*10 + int64(c)
		p++
		if p > start+18 {
			return 0, false
		}
	}
	switch c := s.data[p]; {
	case c == '.' || c|0x20 == 'e' || p == start || s.data[start] == '0' && p > start+1:
		return 0, false
	}
	s.pos = p
	if neg {
		v = -v
	}
	return v, true
}

// number validates the number at pos and passes over it.
func (s *Scanner) number() (n decimal) {
	data, p := s.data, s.pos
	if data[p] == '-' {
		n.neg = true
		p++
	}
	start := p
	for ; data[p]-'0' <= 9; p++ {
		n.add(data[p] - '0')
	}
	if p == start || data[start] == '0' && p > start+1 {
		return s.noNumber(p)
	}
	if data[p] == '.' {
		p++
		start = p
		for ; data[p]-'0' <= 9; p++ {
			n.add(data[p] - '0')
		}
		if p == start {
			return s.noNumber(p)
		}
		n.exp -= int64(p - start)
	}
	if data[p]|0x20 == 'e' {
		p++
		sign := int64(1)
		switch data[p] {
		case '-':
			sign = -1
			p++
		case '+':
			p++
		}
		start = p
		exp := int64(0)
		for ; data[p]-'0' <= 9; p++ {
			exp = min(exp*10+int64(data[p]-'0'), manyDigits)
		}
		if p == start {
			return s.noNumber(p)
		}
		n.exp += sign * exp
	}
	s.pos = p
	return n
}

// add appends a digit. Digits behind the nineteenth raise exp, and the fraction's length is taken off again by number.
func (n *decimal) add(digit byte) {
	if n.mant < 1e18 {
		n.mant = n.mant*10 + uint64(digit)
		return
	}
	n.exp++
	n.rest = n.rest || digit != 0
}

// noNumber ends the scan at p, inside a number.
func (s *Scanner) noNumber(p int) decimal {
	if p == s.end {
		s.fail(stream.FaultTruncated)
	} else {
		s.fail(stream.FaultNumber)
	}
	return decimal{}
}

// fit says whether a number is an int64, or why it is none.
type fit uint8

const (
	fits fit = iota
	fraction
	beyond
)

// whole is n as an int64.
func (n decimal) whole() (int64, fit) {
	for n.exp < 0 && n.mant != 0 && n.mant%10 == 0 && !n.rest {
		n.mant /= 10
		n.exp++
	}
	switch {
	case n.mant == 0:
		return 0, fits
	case n.exp < 0 || n.exp == 0 && n.rest:
		return 0, fraction
	case n.exp > 18 || n.rest: // with rest and exp >= 1 it is above 1e19
		return 0, beyond
	}
	for ; n.exp > 0; n.exp-- {
		if n.mant > math.MaxUint64/10 {
			return 0, beyond
		}
		n.mant *= 10
	}
	if v, ok := signed(n.neg, n.mant); ok {
		return v, fits
	}
	return 0, beyond
}

// signed is ±mant if that is an int64.
func signed(neg bool, mant uint64) (v int64, ok bool) {
	if neg {
		return -int64(mant), mant <= 1<<63
	}
	return int64(mant), mant <= math.MaxInt64
}
