package check

import (
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/spec"
)

func TestLongest(t *testing.T) {
	for _, c := range []struct {
		zone string
		unit spec.CalendarUnit
		want time.Duration
	}{
		{"UTC", spec.Day, 24 * time.Hour},
		{"UTC", spec.Week, 7 * 24 * time.Hour},
		{"UTC", spec.Month, 31 * 24 * time.Hour},
		{"America/Los_Angeles", spec.Day, 25 * time.Hour},
		{"America/Los_Angeles", spec.Week, 7*24*time.Hour + time.Hour},
		{"America/Los_Angeles", spec.Month, 31*24*time.Hour + time.Hour},             // October, until the rule of 2007
		{"America/Juneau", spec.Day, 48 * time.Hour},                                 // 19 October 1867 had begun when Alaska was sold and the 18th came again
		{"Asia/Kathmandu", spec.Day, 24*time.Hour + 11*time.Minute + 16*time.Second}, // local mean time ended in 1920
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Duration(longest(zone, c.unit)); got != c.want {
			t.Errorf("the longest %s of %s is of %v, want %v", c.unit, c.zone, got, c.want)
		}
	}
}

// TestZoneNames: all are zones, and a name that is nearly one leads to it.
func TestZoneNames(t *testing.T) {
	for i, name := range strings.Fields(zones) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if i%20 > 0 { // they take a while
			continue
		}
		if day := longest(zone, spec.Day); day < int64(24*time.Hour) || day > int64(49*time.Hour) {
			t.Errorf("%s has a day of %v", name, time.Duration(day))
		}
	}
	for name, want := range map[string]string{
		"Europe/Berlni": `did you mean "Europe/Berlin"?`, "berlin": `did you mean "Europe/Berlin"?`, "New York": `did you mean "America/New_York"?`, "europe/paris": `did you mean "Europe/Paris"?`,
		"CEST": "an abbreviation stands for many zones: name a place", "+02:00": "an offset from UTC has no calendar of its own: name a place", "Nowhere/Atlantis": "",
	} {
		if got := nearZone(name); got != want {
			t.Errorf("near %q is %q, want %q", name, got, want)
		}
	}
}
