package check

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // where the machine has no database

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// zones are the names of places in the IANA time zone database (https://www.iana.org/time-zones, in the public domain), release 2025c, to find what a name was meant to be.
//
//go:embed zones.txt
var zones string

// calendar checks the words of a calendar window.
func (c *checker) calendar(n *load.Node, w *spec.Window) {
	w.Kind = spec.Calendar
	w.Unit = spec.CalendarUnit(max(0, slices.Index(spec.CalendarUnits, n.Field("unit").Text)))
	at := n.Field("zone")
	w.Zone = at.Text
	zone, err := time.LoadLocation(w.Zone)
	if err != nil || w.Zone == "" || w.Zone == "Local" {
		c.add(diag.UnknownZone, at.Pos, at.Path, fmt.Sprintf("there is no zone %q", w.Zone), diag.Hint(nearZone(w.Zone), `a name of the IANA database such as "Europe/Berlin", or "UTC"`))
		return
	}
	w.Size = longest(zone, w.Unit)
}

// nearZone finds a zone by its name with a few letters wrong, by its city alone, or by what people call it instead.
func nearZone(name string) string {
	all := strings.Fields(zones)
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	for _, z := range all {
		if city := z[strings.LastIndex(z, "/")+1:]; strings.EqualFold(z, name) || strings.EqualFold(city, name) {
			return fmt.Sprintf("did you mean %q?", z)
		}
	}
	if hint := diag.Near(name, all); hint != "" {
		return hint
	}
	switch {
	case strings.ContainsAny(name, "+-0123456789"):
		return "an offset from UTC has no calendar of its own: name a place"
	case name != "" && len(name) <= 5 && name == strings.ToUpper(name):
		return "an abbreviation stands for many zones: name a place"
	}
	return ""
}

// longest is the longest day, week or month of a zone in ns, over all times that are offered: those around each change of its clocks, and one without.
func longest(zone *time.Location, unit spec.CalendarUnit) int64 {
	plain := map[spec.CalendarUnit]int{spec.Day: 1, spec.Week: 7, spec.Month: 31}[unit]
	most := time.Duration(plain) * 24 * time.Hour
	last := time.Date(2262, 4, 11, 0, 0, 0, 0, time.UTC)
	for at := time.Date(1677, 9, 22, 0, 0, 0, 0, time.UTC).In(zone); ; {
		change, ok := changes(at)
		if !ok || change.After(last) {
			return int64(most)
		}
		for date := first(change, unit, -1); !date.After(change.AddDate(0, 0, 2)); date = following(date, unit) {
			if length := midnight(following(date, unit), zone).Sub(midnight(date, zone)); length > most {
				most = length
			}
		}
		at = change
	}
}

// changes is the next instant behind at when the clocks of its zone may change; ok is false when they never do.
func changes(at time.Time) (change time.Time, ok bool) {
	_, change = at.ZoneBounds()
	if !change.IsZero() && !change.After(at) { // so package time has it on the last day of a leap year, behind the changes that the database lists
		return at.Add(time.Hour), true
	}
	return change, !change.IsZero()
}

// first is the date, at midnight in UTC, with which the unit begins that holds a local date, or the unit so many before.
func first(at time.Time, unit spec.CalendarUnit, more int) time.Time {
	year, month, day := at.Date()
	switch unit {
	case spec.Month:
		return time.Date(year, month+time.Month(more), 1, 0, 0, 0, 0, time.UTC)
	case spec.Week:
		return time.Date(year, month, day-int(at.Weekday()+6)%7+7*more, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(year, month, day+more, 0, 0, 0, 0, time.UTC)
}

// following is the date with which the next unit begins.
func following(date time.Time, unit spec.CalendarUnit) time.Time {
	switch unit {
	case spec.Month:
		return date.AddDate(0, 1, 0)
	case spec.Week:
		return date.AddDate(0, 0, 7)
	}
	return date.AddDate(0, 0, 1)
}

// midnight is the first instant at which the local date is that of date, or later.
func midnight(date time.Time, zone *time.Location) time.Time {
	for at := date.Add(-26 * time.Hour); ; {
		_, east := at.In(zone).Zone()
		reached := date.Add(-time.Duration(east) * time.Second)
		if reached.Before(at) {
			reached = at
		}
		until, ok := changes(at.In(zone))
		if !ok || reached.Before(until) {
			return reached
		}
		at = until
	}
}
