package expr

import "github.com/streamwright/streamwright/runtime/stream"

// DurationOfText reads a duration as time.ParseDuration does ("1h30m", "-1.5s", "0"), in nanoseconds; FaultConversion, also beyond int64.
func DurationOfText(s string) (int64, stream.Fault) {
	negative := s != "" && s[0] == '-'
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	if s == "0" {
		return 0, 0
	}
	if s == "" {
		return 0, stream.FaultConversion
	}
	var sum uint64
	for s != "" {
		part, rest, ok := durationPart(s)
		if !ok {
			return 0, stream.FaultConversion
		}
		sum += part
		if sum > 1<<63 {
			return 0, stream.FaultConversion
		}
		s = rest
	}
	if negative {
		return -int64(sum), 0
	}
	if sum > 1<<63-1 {
		return 0, stream.FaultConversion
	}
	return int64(sum), 0
}

// durationPart reads one number and its unit, in nanoseconds.
func durationPart(s string) (ns uint64, rest string, ok bool) {
	whole, n, ok := leadingInt(s)
	if !ok {
		return 0, "", false
	}
	s = s[n:]
	var fraction uint64
	scale, m := 1.0, 0
	if s != "" && s[0] == '.' {
		s = s[1:]
		m = digits(s)
		exact := true
		for i := range m {
			next := fraction*10 + uint64(s[i]-'0')
			if !exact || fraction > (1<<63-1)/10 || next > 1<<63 {
				exact = false // further digits do not count
				continue
			}
			fraction, scale = next, scale*10
		}
		s = s[m:]
	}
	if n+m == 0 {
		return 0, "", false
	}
	u := 0
	for u < len(s) && s[u] != '.' && s[u]-'0' > 9 {
		u++
	}
	unit := unitOf(s[:u])
	if unit == 0 || whole > 1<<63/unit {
		return 0, "", false
	}
	ns = whole * unit
	if fraction > 0 {
		ns += uint64(float64(fraction) * (float64(unit) / scale))
		if ns > 1<<63 {
			return 0, "", false
		}
	}
	return ns, s[u:], true
}

// leadingInt reads the digits that s begins with, n of them; not ok above 2^63.
func leadingInt(s string) (v uint64, n int, ok bool) {
	for n = 0; n < len(s) && s[n]-'0' <= 9; n++ {
		if v > 1<<63/10 {
			return 0, 0, false
		}
		v = v*10 + uint64(s[n]-'0')
		if v > 1<<63 {
			return 0, 0, false
		}
	}
	return v, n, true
}

// unitOf is a unit in nanoseconds, 0 of none.
func unitOf(s string) uint64 {
	switch s {
	case "ns":
		return 1
	case "us", "µs", "μs": // micro sign and Greek mu
		return 1_000
	case "ms":
		return 1_000_000
	case "s":
		return 1_000_000_000
	case "m":
		return 60_000_000_000
	case "h":
		return 3600_000_000_000
	}
	return 0
}
