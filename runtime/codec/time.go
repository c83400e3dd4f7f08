package codec

import (
	"bytes"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Time takes a string that is an RFC 3339 time, and returns its nanoseconds since the Unix epoch. FaultTime, and what timeFault says more exactly, is a
// string that is none, FaultTimeRange a time outside int64.
func (s *Scanner) Time() (ns int64, fault stream.Fault) {
	if s.data[s.pos] != '"' {
		return 0, s.other()
	}
	start, end, escaped := s.text()
	if escaped {
		return ParseTime(s.in.Bytes(s.keep(start, end)))
	}
	return ParseTime(s.data[start:end])
}

const (
	secondsPerDay  = 86400
	nanosPerSecond = 1e9
)

// ParseTime reads an RFC 3339 time, with a lower-case t and z too. Digits of the fraction behind the ninth are cut. A leap second is one only at 23:59:60 UTC,
// and becomes the last nanosecond before it: 23:59:59.999999999.
func ParseTime(b []byte) (ns int64, fault stream.Fault) {
	if len(b) < len("2006-01-02T15:04:05Z") || b[4] != '-' || b[7] != '-' || b[10]|0x20 != 't' || b[13] != ':' || b[16] != ':' {
		return 0, timeFault(b)
	}
	century, ok0 := two(b[0:])
	year, ok1 := two(b[2:])
	month, ok2 := two(b[5:])
	day, ok3 := two(b[8:])
	hour, ok4 := two(b[11:])
	minute, ok5 := two(b[14:])
	second, ok6 := two(b[17:])
	year += 100 * century
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		hour > 23 || minute > 59 || second > 60 {
		return 0, timeFault(b)
	}
	all := b
	b = b[19:]
	if b[0] == '.' {
		i := 1
		for scale := int64(nanosPerSecond / 10); i < len(b) && b[i]-'0' <= 9; i++ {
			ns += int64(b[i]-'0') * scale
			scale /= 10
		}
		if i == 1 {
			return 0, timeFault(all)
		}
		b = b[i:]
	}
	ahead := int64(0) // of UTC, seconds
	switch {
	case len(b) == 1 && b[0]|0x20 == 'z':
	case len(b) == 6 && (b[0] == '+' || b[0] == '-') && b[3] == ':':
		h, ok1 := two(b[1:])
		m, ok2 := two(b[4:])
		if !ok1 || !ok2 || h > 23 || m > 59 {
			return 0, timeFault(all)
		}
		ahead = h*3600 + m*60
		if b[0] == '-' {
			ahead = -ahead
		}
	default:
		return 0, timeFault(all)
	}
	leap := second == 60
	if leap {
		second, ns = 59, nanosPerSecond-1
	}
	sec := days(year, month, day)*secondsPerDay + hour*3600 + minute*60 + second - ahead
	if leap && mod(sec, secondsPerDay) != secondsPerDay-1 {
		return 0, timeFault(all)
	}
	return nanos(sec, ns)
}

// timeFault says why b, which ParseTime refuses, is no RFC 3339 time.
func timeFault(b []byte) stream.Fault {
	const date, clock = len("2006-01-02"), len("2006-01-02T15:04:05")
	if !hasForm(b, "0000-00-00") {
		return stream.FaultTime
	}
	year, month, day := number(b[0:4]), number(b[5:7]), number(b[8:10])
	switch {
	case month < 1 || month > 12 || day < 1 || day > daysIn(year, month):
		return stream.FaultTimeDate
	case len(b) == date:
		return stream.FaultTimeNoClock
	case !hasForm(b[date+1:], "00:00:00"):
		return stream.FaultTime
	case number(b[11:13]) > 23 || number(b[14:16]) > 59 || number(b[17:19]) > 60:
		return stream.FaultTimeClock
	case b[date] == ' ':
		return stream.FaultTimeSpace
	case b[date]|0x20 != 't':
		return stream.FaultTime
	}
	zone := b[clock:]
	if len(zone) > 1 && (zone[0] == '.' || zone[0] == ',') && zone[1]-'0' <= 9 {
		if zone[0] == ',' {
			return stream.FaultTimeComma
		}
		zone = bytes.TrimLeft(zone[1:], "0123456789")
	}
	switch {
	case len(zone) == 0:
		return stream.FaultTimeNoZone
	case len(zone) == 1 && zone[0]|0x20 == 'z',
		(zone[0] == '+' || zone[0] == '-') && len(zone) == len("+00:00") && hasForm(zone[1:], "00:00") && number(zone[1:3]) <= 23 && number(zone[4:6]) <= 59:
		return stream.FaultTimeLeap // nothing else is left
	}
	return stream.FaultTimeZone
}

// hasForm says whether b begins with a text of this form, in which 0 stands for any digit.
func hasForm(b []byte, form string) bool {
	if len(b) < len(form) {
		return false
	}
	for i, c := range []byte(form) {
		if c == '0' && b[i]-'0' > 9 || c != '0' && b[i] != c {
			return false
		}
	}
	return true
}

// number is the number that digits make.
func number(digits []byte) (n int64) {
	for _, c := range digits {
		n = 10*n + int64(c-'0')
	}
	return n
}

// nanos is sec seconds and ns nanoseconds since the epoch as nanoseconds, 0 <= ns < 1e9.
func nanos(sec, ns int64) (int64, stream.Fault) {
	const (
		least, leastNanos = -9223372037, 145224192 // 1677-09-21T00:12:43.145224192Z
		most, mostNanos   = 9223372036, 854775807  // 2262-04-11T23:47:16.854775807Z
	)
	if sec < least || sec == least && ns < leastNanos || sec > most || sec == most && ns > mostNanos {
		return 0, stream.FaultTimeRange
	}
	return sec*nanosPerSecond + ns, stream.FaultNone // the product may wrap at the least second; the sum wraps back
}

// two is the number that two digits make.
func two(b []byte) (n int64, ok bool) {
	tens, ones := b[0]-'0', b[1]-'0'
	return int64(tens)*10 + int64(ones), tens <= 9 && ones <= 9
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// days is the number of days from 1970-01-01 to a date from year 0 on, as in Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil: years
// begin in March, so that the leap day is their last.
func days(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := div(year, 400)
	yearOfEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// date is the inverse of days: civil_from_days of the same source.
func date(days int64) (year, month, day int64) {
	days += 719468
	era := div(days, 146097)
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (yearOfEra*365 + yearOfEra/4 - yearOfEra/100)
	year = yearOfEra + era*400
	shifted := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*shifted+2)/5 + 1
	month = shifted + 3
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// div rounds down; b is above 0.
func div(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mod is what div leaves: 0 <= mod < b.
func mod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
