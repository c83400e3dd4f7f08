package oracle

import (
	"math/big"
	"time"

	"github.com/streamwright/streamwright/spec"
)

// unitOf is the day, week or month of a zone that holds t: its date is the latest that the local clock had shown by then.
func unitOf(w *spec.Window, t int64) (start, end *big.Int) {
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		panic(err)
	}
	at := floorDiv(t, second)
	date := unitDate(w.Unit, time.Unix(at, 0).In(zone).AddDate(0, 0, -2))
	for next := nextDate(w.Unit, date); midnight(zone, next) <= at; next = nextDate(w.Unit, date) {
		date = next
	}
	ns := func(sec int64) *big.Int { return new(big.Int).Mul(big.NewInt(sec), big.NewInt(second)) }
	return ns(midnight(zone, date)), ns(midnight(zone, nextDate(w.Unit, date)))
}

// unitDate is the first date of the unit that holds the date of at.
func unitDate(u spec.CalendarUnit, at time.Time) time.Time {
	date := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	for u == spec.Week && date.Weekday() != time.Monday || u == spec.Month && date.Day() != 1 {
		date = date.AddDate(0, 0, -1)
	}
	return date
}

func nextDate(u spec.CalendarUnit, date time.Time) time.Time {
	next := date.AddDate(0, 0, 1)
	for u == spec.Week && next.Weekday() != time.Monday || u == spec.Month && next.Day() != 1 {
		next = next.AddDate(0, 0, 1)
	}
	return next
}

// midnights remembers what was looked for second by second.
var midnights = map[string]int64{}

// midnight is the first second at which the local date is date, or later.
func midnight(zone *time.Location, date time.Time) int64 {
	id := zone.String() + date.Format(time.DateOnly)
	if at, ok := midnights[id]; ok {
		return at
	}
	for at := date.Unix() - 17*3600; ; at++ {
		if _, east := time.Unix(at, 0).In(zone).Zone(); at+int64(east) >= date.Unix() {
			midnights[id] = at
			return at
		}
	}
}
