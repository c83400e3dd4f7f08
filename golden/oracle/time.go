package oracle

import (
	"math/big"
	"regexp"
	"strconv"
	"time"

	"github.com/streamwright/streamwright/spec"
)

const second = 1_000_000_000

var rfc3339 = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$`)

// parseTime reads RFC 3339 as nanoseconds since the epoch. Digits of the fraction behind the ninth are cut. A leap second stands at 23:59:60 UTC only and becomes
// 23:59:59.999999999.
func parseTime(text string) (*big.Int, bool) {
	m := rfc3339.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	n := make([]int, len(m))
	for i, digits := range m {
		n[i], _ = strconv.Atoi(digits)
	}
	year, month, day, hour, minute, sec := n[1], n[2], n[3], n[4], n[5], n[6]
	if month < 1 || month > 12 || day < 1 || day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() || hour > 23 || minute > 59 || sec > 60 || n[9] > 23 || n[10] > 59 {
		return nil, false
	}
	ns, _ := strconv.ParseInt((m[7] + "000000000")[:9], 10, 64)
	leap := sec == 60
	if leap {
		sec, ns = 59, second-1
	}
	east := n[9]*60 + n[10]
	if m[8] == "-" {
		east = -east
	}
	utc := time.Date(year, time.Month(month), day, hour, minute-east, sec, 0, time.UTC)
	if leap && (utc.Hour() != 23 || utc.Minute() != 59) {
		return nil, false
	}
	at := new(big.Int).Mul(big.NewInt(utc.Unix()), big.NewInt(second))
	return at.Add(at, big.NewInt(ns)), true
}

// nanos is the power of ten that makes nanoseconds of a unit.
var nanos = map[spec.TimeFormat]int{spec.UnixSeconds: 9, spec.UnixMillis: 6, spec.UnixMicros: 3, spec.UnixNanos: 0}

// epoch reads a number of units since the epoch: exact, floor to the nanosecond. ok is false for what is far outside of int64.
func epoch(text string, unit spec.TimeFormat) (at *big.Int, ok bool) {
	x, ok := shifted(text, nanos[unit])
	if !ok {
		return nil, false
	}
	return floor(x), true
}

// formatTime is RFC 3339 in UTC with the digits of the fraction that it needs.
func formatTime(ns int64) string {
	return time.Unix(floorDiv(ns, second), ns-floorDiv(ns, second)*second).UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
}
