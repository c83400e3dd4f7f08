package calendar

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

const quarter = 15 * time.Minute

// TestCalendarDayByDay walks through the hours of some years of zones with odd days and holds each window against the local date: one begins exactly where
// a later date is shown than ever before, and where the one before ends.
func TestCalendarDayByDay(t *testing.T) {
	for _, c := range []struct {
		zone     string
		from, to int // years
	}{
		{"UTC", 2023, 2025}, {"America/Los_Angeles", 2023, 2025}, {"Africa/Cairo", 2023, 2025}, {"America/St_Johns", 1987, 1989}, {"America/St_Johns", 2006, 2012}, {"Pacific/Apia", 2010, 2013},
		{"Pacific/Kwajalein", 1992, 1994}, {"America/Juneau", 1866, 1869}, {"Europe/Berlin", 2039, 2042}, {"Asia/Kathmandu", 1919, 1921}, {"America/Sao_Paulo", 2016, 2019},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []Unit{Day, Week, Month} {
			days := New(zone, unit)
			shown := int64(math.MinInt64) // the latest unit that the clock has shown
			until := int64(0)
			for at := time.Date(c.from, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < c.to; at = at.Add(quarter) {
				start, end, ok := days.Bounds(at.UnixNano())
				if !ok || start > at.UnixNano() || end <= at.UnixNano() {
					t.Fatalf("%s: %v is in [%d, %d), %v", c.zone, at, start, end, ok)
				}
				now := unit.first(at.In(zone).Date())
				if begun := start > at.Add(-quarter).UnixNano(); shown > math.MinInt64 && begun != (now > shown) {
					t.Fatalf("%s: at %v a window has begun is %v, a new date is shown is %v", c.zone, at, begun, now > shown)
				}
				shown = max(shown, now)
				if until != 0 && start != until && end != until {
					t.Fatalf("%s: behind a window that ends at %v stands one from %v", c.zone, time.Unix(0, until).UTC(), time.Unix(0, start).UTC())
				}
				until = end
				if days.End(start) != end || days.Due(at.UnixNano()) != end {
					t.Fatalf("%s: the end of the window of %v is not %d", c.zone, at, end)
				}
			}
		}
	}
}

func TestCalendar(t *testing.T) {
	for _, c := range []struct {
		zone       string
		unit       Unit
		at         string
		start, end string
	}{
		{"UTC", Day, "1969-12-31T23:59:59.999999999Z", "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"UTC", Week, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z"},
		{"UTC", Month, "2024-02-29T23:59:59Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{"America/Los_Angeles", Day, "2024-03-10T12:00:00Z", "2024-03-10T08:00:00Z", "2024-03-11T07:00:00Z"},
		{"America/Los_Angeles", Day, "2024-11-03T12:00:00Z", "2024-11-03T07:00:00Z", "2024-11-04T08:00:00Z"},
		{"Africa/Cairo", Day, "2024-04-26T12:00:00Z", "2024-04-25T22:00:00Z", "2024-04-26T21:00:00Z"},           // no midnight: 24:00 is 01:00
		{"America/St_Johns", Day, "2010-11-07T02:45:00Z", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"},       // back to 6 November at 00:01
		{"Pacific/Apia", Day, "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"},           // and then
		{"Pacific/Apia", Day, "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},           // the 31st
		{"America/Juneau", Day, "1867-10-18T12:00:00Z", "1867-10-18T08:57:41Z", "1867-10-20T08:57:41Z"},         // the 19th had begun when the 18th came again
		{"Europe/Berlin", Day, "2040-12-31T12:00:00Z", "2040-12-30T23:00:00Z", "2040-12-31T23:00:00Z"},          // the last day of a leap year behind the database
		{"Europe/Berlin", Month, "2140-10-31T12:00:00Z", "2140-09-30T22:00:00Z", "2140-10-31T23:00:00Z"},        // by its rule
		{"America/New_York", Week, "2024-11-03T12:00:00-05:00", "2024-10-28T04:00:00Z", "2024-11-04T05:00:00Z"}, // of 169 hours
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := time.Parse(time.RFC3339Nano, c.at)
		days := New(zone, c.unit)
		start, end, ok := days.Bounds(at.UnixNano())
		text := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
		if !ok || text(start) != c.start || text(end) != c.end {
			t.Errorf("%s in %s: [%s, %s) %v, want [%s, %s)", c.at, c.zone, text(start), text(end), ok, c.start, c.end)
		}
	}
}

// TestCalendarEdges: windows that do not fit into the times there are, and the watermarks before and after all.
func TestCalendarEdges(t *testing.T) {
	days := New(time.UTC, Month)
	for _, at := range []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, math.MaxInt64} {
		if _, _, ok := days.Bounds(at); ok {
			t.Errorf("the month of %d fits", at)
		}
	}
	if due := days.Due(stream.Never); due != stream.Never+1 {
		t.Errorf("due at %d before the first record", due)
	}
	if due := days.Due(stream.Always); due != stream.Always {
		t.Errorf("due at %d behind the last", due)
	}
}

// TestCalendarDisorder: times around a midnight, in any order, do not confuse what is remembered, and nothing is allocated.
func TestCalendarDisorder(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	days := New(zone, Day)
	r := rand.New(rand.NewPCG(1, 2))
	base := time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC).UnixNano()
	allocs := testing.AllocsPerRun(1000, func() {
		at := base + r.Int64N(4*24*3600e9)
		fresh := New(zone, Day)
		start, end, _ := days.Bounds(at)
		if s, e, _ := fresh.Bounds(at); s != start || e != end {
			t.Fatalf("[%d, %d), want [%d, %d)", start, end, s, e)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
