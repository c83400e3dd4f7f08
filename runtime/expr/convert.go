package expr

import (
	"math"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/stream"
)

// IntOfDouble cuts v towards zero; FaultOverflow, also for the smallest int, as in cel-go.
func IntOfDouble(v float64) (int64, stream.Fault) {
	if v > -1<<63 && v < 1<<63 {
		return int64(v), 0
	}
	return 0, stream.FaultOverflow
}

// IntOfText reads a decimal integer with an optional sign; FaultConversion.
func IntOfText(s string) (int64, stream.Fault) {
	digits := s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		digits = s[1:]
	}
	if digits == "" {
		return 0, stream.FaultConversion
	}
	var v uint64
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 || v > (1<<63)/10 {
			return 0, stream.FaultConversion
		}
		v = v*10 + uint64(c)
	}
	if s[0] == '-' && v <= 1<<63 {
		return -int64(v), 0
	}
	if v > math.MaxInt64 {
		return 0, stream.FaultConversion
	}
	return int64(v), 0
}

// DoubleOfText reads a number as strconv.ParseFloat does, NaN and Inf included; FaultConversion, also beyond float64. It allocates only for numbers beyond
// float64 and for malformed ones in hexadecimal or with underscores.
func DoubleOfText(s string) (float64, stream.Fault) {
	if !looksLikeDouble(s) {
		return 0, stream.FaultConversion
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, stream.FaultConversion
	}
	return v, 0
}

// looksLikeDouble keeps from ParseFloat, whose errors cost memory, what is surely no number.
func looksLikeDouble(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity") || strings.EqualFold(s, "nan") || len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' || strings.IndexByte(s, '_') > 0 {
		return true
	}
	n := digits(s)
	s, some := s[n:], n > 0
	if s != "" && s[0] == '.' {
		n = digits(s[1:])
		s, some = s[1+n:], some || n > 0
	}
	if some && s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n = digits(s)
		s, some = s[n:], n > 0
	}
	return some && s == ""
}

// digits is how many decimal digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}

// BoolOfText reads what strconv.ParseBool reads; FaultConversion.
func BoolOfText(s string) (bool, stream.Fault) {
	switch s {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, 0
	case "0", "f", "F", "false", "FALSE", "False":
		return false, 0
	}
	return false, stream.FaultConversion
}

// Seconds is a timestamp in whole seconds since 1970, floor.
func Seconds(t int64) int64 {
	s := t / 1e9
	if t%1e9 < 0 {
		s--
	}
	return s
}

// TimeOfInt is the timestamp of so many seconds since 1970; FaultTimeRange.
func TimeOfInt(seconds int64) (int64, stream.Fault) {
	if seconds > maxSeconds || seconds < -maxSeconds {
		return 0, stream.FaultTimeRange
	}
	return seconds * 1_000_000_000, 0
}

// TimeOfText reads RFC 3339 as cel-go does: T and Z in upper case, no leap second, fraction digits beyond the ninth cut; FaultConversion, FaultTimeRange.
func TimeOfText(s string) (int64, stream.Fault) {
	const form = "0000-00-00T00:00:00"
	if len(s) <= len(form) {
		return 0, stream.FaultConversion
	}
	for i := range len(form) {
		if c := s[i]; form[i] == '0' && c-'0' > 9 || form[i] != '0' && c != form[i] {
			return 0, stream.FaultConversion
		}
	}
	year, month, day := int64(two(s))*100+int64(two(s[2:])), two(s[5:]), two(s[8:])
	hour, minute, second := two(s[11:]), two(s[14:]), two(s[17:])
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, stream.FaultConversion
	}
	rest := s[len(form):]
	var ns int64
	if rest[0] == '.' {
		n := digits(rest[1:])
		if n == 0 {
			return 0, stream.FaultConversion
		}
		for i := range 9 {
			ns *= 10
			if i < n {
				ns += int64(rest[1+i] - '0')
			}
		}
		rest = rest[1+n:]
	}
	offset, ok := zone(rest)
	if !ok {
		return 0, stream.FaultConversion
	}
	seconds := days(year, int64(month), int64(day))*86400 + int64(hour)*3600 + int64(minute)*60 + int64(second) - offset
	if seconds < 0 { // so that the product cannot pass the range where the sum is within
		seconds, ns = seconds+1, ns-1_000_000_000
	}
	t, fault := TimeOfInt(seconds)
	if fault != 0 {
		return 0, fault
	}
	return AddTime(t, ns)
}

func two(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

// zone reads Z or +hh:mm, in seconds east.
func zone(s string) (int64, bool) {
	if s == "Z" {
		return 0, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' || digits(s[1:3]) != 2 || digits(s[4:]) != 2 || two(s[1:]) > 23 || two(s[4:]) > 59 {
		return 0, false
	}
	east := int64(two(s[1:]))*3600 + int64(two(s[4:]))*60
	if s[0] == '-' {
		east = -east
	}
	return east, true
}

func daysIn(year int64, month int) int {
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 29
	}
	return [...]int{1: 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month]
}

// days counts from 1970-01-01 in the proleptic Gregorian calendar; years begin in March, so that the leap day is the last. (Howard Hinnant, "chrono-compatible
// low-level date algorithms", days_from_civil; here for years from 0.)
func days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	if year < 0 { // January and February of year 0: one era of 400 years is 146097 days
		return days(year+400, month, day) - 146097
	}
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}
