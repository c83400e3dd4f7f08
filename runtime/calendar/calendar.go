// Package calendar finds days, weeks and months of a time zone. It is a package of its own because few pipelines need it.
package calendar

import (
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/window"
)

// Unit is what a calendar window is of a zone.
type Unit uint8

// The units. A week begins on Monday (ISO 8601).
const (
	Day Unit = iota
	Week
	Month
)

// Calendar finds the days, weeks or months of a zone. A day begins at the first instant whose local date is that day or later: so days of 23 and 25 hours, a midnight that does
// not exist and one that comes twice are covered, and a date that the zone skipped has no window. It remembers the windows it found last, since the times of a stream lie close
// together, and belongs to one goroutine.
type Calendar struct {
	zone   *time.Location
	unit   Unit
	recent [2]span // the one that was asked for last is the first
}

// span is [start, end); the zero value holds no time.
type span struct{ start, end int64 }

// New is the calendar of a zone.
func New(zone *time.Location, unit Unit) Calendar { return Calendar{zone: zone, unit: unit} }

// Bounds is the window that holds t. ok is false when its start or its end does not fit into an int64.
func (c *Calendar) Bounds(t int64) (start, end int64, ok bool) {
	if s := c.recent[0]; s.start <= t && t < s.end {
		return s.start, s.end, true
	}
	return c.find(t)
}

// End is the end of the window that holds t, where Bounds has said that there is one.
func (c *Calendar) End(t int64) int64 {
	_, end, _ := c.Bounds(t)
	return end
}

// Due is the first end of a window above w, or stream.Always when there is none. Where a window does not fit into the times there are, any time above w stands for it.
func (c *Calendar) Due(w int64) int64 {
	if w == stream.Always {
		return w
	}
	if _, end, ok := c.Bounds(w); ok {
		return end
	}
	return w + 1
}

func (c *Calendar) find(t int64) (start, end int64, ok bool) {
	c.recent[0], c.recent[1] = c.recent[1], c.recent[0]
	if s := c.recent[0]; s.start <= t && t < s.end {
		return s.start, s.end, true
	}
	first := c.unit.first(time.Unix(0, t).In(c.zone).Date())
	next := c.unit.next(first)
	for c.begin(next) <= floorSecond(t) { // the clock was set back to a date before the one that had begun
		first, next = next, c.unit.next(next)
	}
	start, fits := window.Scale(c.begin(first), 1e9)
	end, ok = window.Scale(c.begin(next), 1e9)
	if !ok || !fits {
		return start, end, false
	}
	c.recent[0] = span{start, end}
	return start, end, true
}

// floorSecond is the second that holds t.
func floorSecond(t int64) int64 {
	s := t / 1e9
	if t%1e9 < 0 {
		s--
	}
	return s
}

// first is the first date of the unit that holds a date, as the Unix second of its midnight in UTC, which numbers dates.
func (u Unit) first(year int, month time.Month, day int) int64 {
	if u == Month {
		day = 1
	}
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if u == Week {
		date = date.AddDate(0, 0, -int(date.Weekday()+6)%7)
	}
	return date.Unix()
}

// next is the first date of the unit behind the one that begins with date.
func (u Unit) next(date int64) int64 {
	switch u {
	case Day:
		return date + 24*60*60
	case Week:
		return date + 7*24*60*60
	}
	return time.Unix(date, 0).UTC().AddDate(0, 1, 0).Unix()
}

// begin is the first Unix second at which the local date is that of date, or later. A local clock is less than a day and two hours away from UTC.
func (c *Calendar) begin(date int64) int64 {
	for at := date - 26*60*60; ; {
		period := time.Unix(at, 0).In(c.zone)
		_, east := period.Zone()
		reached := max(at, date-int64(east))
		_, change := period.ZoneBounds()
		until := change.Unix()
		if until <= at { // of the last day of a leap year behind the changes that the database lists, time says that it ends before it begins
			until = at + 60*60
		}
		if change.IsZero() || reached < until {
			return reached
		}
		at = until
	}
}
