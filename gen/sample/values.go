package sample

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/streamwright/streamwright/spec"
)

// domain is the values that a scalar field may have, besides null, as the text that stands for them: of strings without quotes.
type domain interface {
	// count is how many values at gives: 1 or more.
	count() uint64
	// at appends value i of count, each a different one.
	at(dst []byte, i uint64) []byte
	// draw appends any value.
	draw(dst []byte, d *dice) []byte
}

// dice is what values are drawn by.
type dice struct {
	*rand.Rand
	at   int64 // event time of the record, ns
	lean bool  // the record shall be small
}

// choices are an enum, or the two bools.
type choices [][]byte

func (c choices) count() uint64                   { return uint64(len(c)) }
func (c choices) at(dst []byte, i uint64) []byte  { return append(dst, c[i]...) }
func (c choices) draw(dst []byte, d *dice) []byte { return append(dst, c[d.IntN(len(c))]...) }

// integers are counts: ints, units of a decimal, or steps of a time.
type integers struct {
	lo, hi int64   // inclusive; lo <= hi
	not    []int64 // between them, sorted
	first  int64   // value 0 of at: those above it follow, then those below
	time   int64   // ns of a step of a time; 0 of others
	write  func(dst []byte, v int64) []byte
}

// newIntegers are the ints that keep the checks; nil when none does.
func newIntegers(checks []*spec.Check) *integers {
	n := &integers{lo: math.MinInt64, hi: math.MaxInt64, write: func(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }}
	for _, c := range checks {
		v := c.Value.Int
		switch c.Op {
		case spec.CheckLess:
			if v == math.MinInt64 {
				return nil
			}
			n.hi = min(n.hi, v-1)
		case spec.CheckLessEqual:
			n.hi = min(n.hi, v)
		case spec.CheckGreater:
			if v == math.MaxInt64 {
				return nil
			}
			n.lo = max(n.lo, v+1)
		case spec.CheckGreaterEqual:
			n.lo = max(n.lo, v)
		case spec.CheckNotEqual:
			n.not = append(n.not, v)
		}
	}
	return n.settle(1)
}

// settle says where to begin, and gives nil when no value is left.
func (n *integers) settle(first int64) *integers {
	slices.Sort(n.not)
	n.not = slices.DeleteFunc(slices.Compact(n.not), func(v int64) bool { return v < n.lo || v > n.hi })
	if n.lo > n.hi || uint64(n.hi-n.lo) < uint64(len(n.not)) {
		return nil
	}
	n.first = min(max(first, n.lo), n.hi)
	return n
}

func (n *integers) count() uint64 {
	return min(uint64(n.hi-n.lo)-uint64(len(n.not)), many-1) + 1
}

func (n *integers) at(dst []byte, i uint64) []byte { return n.write(dst, n.value(i)) }

// value is value i of at: from first upwards, then from below it downwards.
func (n *integers) value(i uint64) int64 {
	below, _ := slices.BinarySearch(n.not, n.first)
	if up := uint64(n.hi-n.first) + 1 - uint64(len(n.not)-below); up == 0 || i < up { // 0: all there are
		v := n.first + int64(i)
		for _, not := range n.not[below:] {
			if not <= v {
				v++
			}
		}
		return v
	} else {
		i -= up
	}
	v := n.first - 1 - int64(i)
	for b := below - 1; b >= 0; b-- {
		if n.not[b] >= v {
			v--
		}
	}
	return v
}

func (n *integers) draw(dst []byte, d *dice) []byte {
	for range 8 {
		if v := n.any(d); !slices.Contains(n.not, v) {
			return n.write(dst, v)
		}
	}
	return n.at(dst, d.Uint64N(min(n.count(), 1000)))
}

// any is a value between lo and hi. Where these are far apart or there are none, small numbers are the more frequent the smaller they are.
func (n *integers) any(d *dice) int64 {
	const near = 1 << 33
	if n.time > 0 {
		v := d.at/n.time - d.Int64N(max(int64(time.Hour)/n.time, 1))
		return min(max(v, n.lo), n.hi)
	}
	if width := uint64(n.hi - n.lo); width < near {
		switch d.IntN(32) {
		case 0:
			return n.lo
		case 1:
			return n.hi
		}
		return n.lo + d.Int64N(int64(width)+1)
	}
	size := [...]int64{10, 100, 1000, 1000, 10_000, 100_000}[d.IntN(6)]
	if n.lo <= -near && (n.hi <= 0 || d.IntN(16) == 0) {
		return min(0, n.hi) - d.Int64N(size)
	}
	least := max(0, n.lo)
	return least + d.Int64N(min(size-1, n.hi-least)+1)
}

// floats are the numbers of a double.
type floats struct {
	lo, hi float64 // inclusive; lo <= hi
	not    []float64
}

// newFloats are the doubles that keep the checks; nil when none does.
func newFloats(checks []*spec.Check) *floats {
	f := &floats{lo: -math.MaxFloat64, hi: math.MaxFloat64}
	for _, c := range checks {
		v := c.Value.Double
		switch c.Op {
		case spec.CheckLess:
			f.hi = min(f.hi, math.Nextafter(v, math.Inf(-1)))
		case spec.CheckLessEqual:
			f.hi = min(f.hi, v)
		case spec.CheckGreater:
			f.lo = max(f.lo, math.Nextafter(v, math.Inf(1)))
		case spec.CheckGreaterEqual:
			f.lo = max(f.lo, v)
		case spec.CheckNotEqual:
			f.not = append(f.not, v)
		}
	}
	if !(f.lo <= f.hi) || math.IsInf(f.lo, 0) || math.IsInf(f.hi, 0) {
		return nil
	}
	v := f.lo
	for range f.not {
		if slices.Contains(f.not, v) {
			v = math.Nextafter(v, math.Inf(1))
		}
	}
	if v > f.hi || slices.Contains(f.not, v) {
		return nil
	}
	return f
}

// count does not say how many floats there are, only how many at spreads.
func (f *floats) count() uint64 {
	if f.lo == f.hi {
		return 1
	}
	return enough
}

// at counts upwards in whole numbers where there is room, and else halves the distances again and again.
func (f *floats) at(dst []byte, i uint64) []byte {
	v := math.Ceil(min(max(f.lo, 1), f.hi)) + float64(i)
	if f.hi-f.lo < enough || v > f.hi {
		fraction, step := 0.0, 0.5
		for n := i; n > 0; n >>= 1 {
			fraction += float64(n&1) * step
			step /= 2
		}
		v = f.lo + fraction*(f.hi-f.lo)
	}
	for slices.Contains(f.not, v) || v < f.lo {
		v = math.Nextafter(v, math.Inf(1))
	}
	return appendFloat(dst, min(v, f.hi))
}

func (f *floats) draw(dst []byte, d *dice) []byte {
	for range 8 {
		var v float64
		switch width := f.hi - f.lo; {
		case width < 1:
			v = f.lo + d.Float64()*width
		case width < 1e9:
			v = math.Round((f.lo+d.Float64()*width)*100) / 100
		default:
			v = float64(d.IntN([...]int{1000, 100_000, 100_000, 10_000_000}[d.IntN(4)])) / 100
			if f.hi <= 0 || f.lo < -1e9 && d.IntN(16) == 0 {
				v = min(f.hi, 0) - v
			} else {
				v = max(f.lo, 0) + v
			}
		}
		if v >= f.lo && v <= f.hi && !slices.Contains(f.not, v) {
			return appendFloat(dst, v)
		}
	}
	return f.at(dst, d.Uint64N(min(f.count(), 1000)))
}

func appendFloat(dst []byte, v float64) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.AppendFloat(dst, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// appendDecimal appends units·10^-scale.
func appendDecimal(dst []byte, units int64, scale int) []byte {
	magnitude := uint64(units)
	if units < 0 {
		dst = append(dst, '-')
		magnitude = -magnitude
	}
	start := len(dst)
	dst = strconv.AppendUint(dst, magnitude, 10)
	if missing := scale + 1 - (len(dst) - start); missing > 0 {
		dst = slices.Insert(dst, start, bytes.Repeat([]byte("0"), missing)...)
	}
	if scale > 0 {
		dst = slices.Insert(dst, len(dst)-scale, '.')
	}
	return dst
}

// steps are ns of the units that times are written in, the coarsest first that a format is given in.
var steps = map[spec.TimeFormat][]int64{
	spec.RFC3339:     {1e6, 1e3, 1},
	spec.UnixSeconds: {1e6, 1e3, 1},
	spec.UnixMillis:  {1e6, 1e3, 1},
	spec.UnixMicros:  {1e3, 1},
	spec.UnixNanos:   {1},
}

// newTimes are the times that keep the checks; nil when none does. first is the one to begin at, ns.
func newTimes(checks []*spec.Check, format spec.TimeFormat, first int64) *integers {
	exact := newIntegers(checks)
	if exact == nil {
		return nil
	}
	for _, step := range steps[format] {
		n := &integers{lo: -floor(-exact.lo, step), hi: floor(exact.hi, step), time: step}
		if exact.lo == math.MinInt64 {
			n.lo = math.MinInt64/step + 1
		}
		for _, v := range exact.not {
			if v%step == 0 {
				n.not = append(n.not, v/step)
			}
		}
		n.write = func(dst []byte, v int64) []byte { return appendTime(dst, v*step, format) }
		if n = n.settle(floor(first, step)); n != nil {
			return n
		}
	}
	return nil
}

// floor is a/b, rounded down; b is above 0.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendTime appends ns since the epoch in a format.
func appendTime(dst []byte, ns int64, format spec.TimeFormat) []byte {
	if format == spec.RFC3339 {
		return time.Unix(0, ns).UTC().AppendFormat(dst, time.RFC3339Nano)
	}
	digits := map[spec.TimeFormat]int{spec.UnixSeconds: 9, spec.UnixMillis: 6, spec.UnixMicros: 3}[format]
	dst = appendDecimal(dst, ns, digits)
	if digits > 0 {
		dst = bytes.TrimRight(dst, "0")
		dst = bytes.TrimSuffix(dst, []byte("."))
	}
	return dst
}
