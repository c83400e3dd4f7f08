package codec

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// AppendString appends s, which is valid UTF-8, as a JSON string. Only what must be is escaped: quotes, backslashes and control characters.
func AppendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		if len(s)-i >= 8 {
			m := mustEscape(binary.LittleEndian.Uint64(s[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			dst = append(dst, s[from:i]...)
			dst = appendEscaped(dst, c)
			from = i + 1
		}
		i++
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// AppendText is AppendString for a string.
func AppendText(dst []byte, s string) []byte {
	return AppendString(dst, unsafe.Slice(unsafe.StringData(s), len(s)))
}

// mustEscape sets the high bit of the bytes of w that are a quote, a backslash or a control character; only the lowest bit set is exact, as in special.
func mustEscape(w uint64) uint64 {
	quote := w ^ each*'"'
	slash := w ^ each*'\\'
	return ((w-each*' ')&^w | (quote-each)&^quote | (slash-each)&^slash) & high
}

// appendEscaped appends the escape of a quote, a backslash or a control character: the short one where JSON has one.
func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// AppendInt appends v in decimal.
func AppendInt(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }

// AppendBool appends true or false.
func AppendBool(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

// AppendFloat appends the shortest number that reads back as f, which is finite; among those the one nearest to f. Like encoding/json and ECMAScript it has an
// exponent below 1e-6 and from 1e21 on, without leading zeros, and is bare else: 5, 0.25, 3074457345618258400, 1e-7, 1.5e+21.
func AppendFloat(dst []byte, f float64) []byte {
	// Sums of amounts are hundredths. A number of at most 15 digits is the only one of so few digits that reads back as its float, so it is the shortest.
	if hundredths := math.Round(f * 100); math.Abs(hundredths) < 1e15 && hundredths/100 == f && hundredths != 0 {
		return appendHundredths(dst, int64(hundredths))
	}
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-09
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// appendHundredths appends v/100 without trailing zeros.
func appendHundredths(dst []byte, v int64) []byte {
	if v < 0 {
		dst = append(dst, '-')
		v = -v
	}
	dst = strconv.AppendInt(dst, v/100, 10)
	switch cents := byte(v % 100); {
	case cents == 0:
		return dst
	case cents%10 == 0:
		return append(dst, '.', '0'+cents/10)
	default:
		return append(dst, '.', '0'+cents/10, '0'+cents%10)
	}
}

// AppendDecimal appends units·10^-scale as a number with all digits of its scale: of scale 2, 40 is 0.40 and 0 is 0.00. scale is 0 to 18.
func AppendDecimal(dst []byte, units int64, scale int) []byte {
	magnitude := uint64(units)
	if units < 0 {
		dst = append(dst, '-')
		magnitude = -magnitude
	}
	if scale == 0 {
		return strconv.AppendUint(dst, magnitude, 10)
	}
	one := tens[scale]
	dst = strconv.AppendUint(dst, magnitude/one, 10)
	dst = append(dst, '.')
	for magnitude %= one; scale > 0; scale-- {
		one /= 10
		dst = append(dst, '0'+byte(magnitude/one))
		magnitude %= one
	}
	return dst
}

// tens are the powers of ten that a scale can have.
var tens = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// AppendTime appends the time ns nanoseconds since the Unix epoch as an RFC 3339 string in UTC, with the digits of the fraction that it needs.
func AppendTime(dst []byte, ns int64) []byte {
	return append(AppendInstant(append(dst, '"'), ns), '"')
}

// AppendWindow begins the JSON object of a row with the times of its window.
func AppendWindow(dst []byte, start, end int64) []byte {
	dst = AppendTime(append(dst, `{"window_start":`...), start)
	return AppendTime(append(dst, `,"window_end":`...), end)
}

// AppendInstant is AppendTime without the quotes.
func AppendInstant(dst []byte, ns int64) []byte {
	sec := div(ns, nanosPerSecond)
	ns = mod(ns, nanosPerSecond)
	year, month, day := date(div(sec, secondsPerDay))
	sec = mod(sec, secondsPerDay)
	dst = appendTwo(dst, year/100, 0)
	dst = appendTwo(dst, year%100, '-')
	dst = appendTwo(dst, month, '-')
	dst = appendTwo(dst, day, 'T')
	dst = appendTwo(dst, sec/3600, ':')
	dst = appendTwo(dst, sec/60%60, ':')
	dst = appendTwo(dst, sec%60, 0)
	if ns != 0 {
		dst = append(dst, '.')
		for ; ns != 0; ns = ns % (nanosPerSecond / 10) * 10 {
			dst = append(dst, '0'+byte(ns/(nanosPerSecond/10)))
		}
	}
	return append(dst, 'Z')
}

func appendTwo(dst []byte, v int64, then byte) []byte {
	dst = append(dst, '0'+byte(v/10), '0'+byte(v%10))
	if then != 0 {
		dst = append(dst, then)
	}
	return dst
}

// AppendComma appends a comma if dst is longer than n: something stands before the next member.
func AppendComma(dst []byte, n int) []byte {
	if len(dst) > n {
		dst = append(dst, ',')
	}
	return dst
}
