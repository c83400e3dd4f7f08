package expr

import (
	"strconv"

	"github.com/streamwright/streamwright/runtime/stream"
)

// A decimal is an int64 count of 10^-scale, scale from 0 to 18. It is added, subtracted and compared as an int.

// TextOfDecimal is a decimal with all digits of its scale: 0.40, -1.00, 7.
func TextOfDecimal(in *stream.Batch, v int64, scale int) string {
	from := len(in.Data)
	u := uint64(v)
	if v < 0 {
		in.Data = append(in.Data, '-')
		u = -u
	}
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], u, 10)
	for n := len(text); n <= scale; n++ { // at least one digit before the point
		if n == scale {
			in.Data = append(in.Data, '0', '.')
		}
	}
	for n := len(text); n < scale; n++ {
		in.Data = append(in.Data, '0')
	}
	whole := max(len(text)-scale, 0)
	in.Data = append(in.Data, text[:whole]...)
	if whole > 0 && scale > 0 {
		in.Data = append(in.Data, '.')
	}
	in.Data = append(in.Data, text[whole:]...)
	return made(in, from)
}

// DoubleOfDecimal is the float64 nearest to a decimal, ties to even.
func DoubleOfDecimal(v int64, scale int) float64 {
	const exact = 1 << 53
	if -exact <= v && v <= exact {
		return float64(v) / tens[scale] // of two exact values: rounded once
	}
	var buffer [24]byte
	text := strconv.AppendInt(buffer[:0], v, 10)
	text = append(text, 'e', '-')
	text = strconv.AppendInt(text, int64(scale), 10)
	d, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		panic(err) // a number of at most 19 digits and its power of ten
	}
	return d
}

// tens are powers of ten, all exact.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}
