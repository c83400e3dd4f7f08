package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// duration reads a duration, in ns, not below least. ok is false when it is none, or n is nil.
func (c *checker) duration(n *load.Node, least int64) (ns int64, ok bool) {
	if n == nil {
		return 0, false
	}
	d, err := time.ParseDuration(n.Text)
	switch {
	case strings.Contains(n.Text, "${"):
		c.add(diag.BadDuration, n.Pos, n.Path, fmt.Sprintf("%q is not a duration", n.Text), "variables of the environment are replaced in paths only")
	case err != nil || n.Text == "0":
		c.add(diag.BadDuration, n.Pos, n.Path, fmt.Sprintf("%q is not a duration", n.Text), durationHint(n.Text))
	case d < 0:
		c.add(diag.NegativeTime, n.Pos, n.Path, fmt.Sprintf("%s is below zero", n.Text), "want "+atLeast(least))
	case int64(d) < least:
		c.add(diag.NegativeTime, n.Pos, n.Path, fmt.Sprintf("%s is too short", n.Text), "want "+atLeast(least))
	default:
		return int64(d), true
	}
	return 0, false
}

// atLeast names a lower bound: 0, or 1 ns, which stands for "above zero".
func atLeast(ns int64) string {
	if ns == 0 {
		return "0s or more"
	}
	return "more than 0s"
}

// unitNames are the names of units in other notations, with those of the language; of days and weeks how many hours they have.
var unitNames = map[string]string{
	"h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"ms": "ms", "msec": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms", "us": "us", "µs": "us", "μs": "us", "usec": "us", "micro": "us", "micros": "us", "microsecond": "us",
	"microseconds": "us", "ns": "ns", "nsec": "ns", "nano": "ns", "nanos": "ns", "nanosecond": "ns", "nanoseconds": "ns", "d": "24", "day": "24", "days": "24", "w": "168", "wk": "168", "week": "168", "weeks": "168",
}

const unitsHint = "units are h, m, s, ms, us, ns"

var (
	durationPart = regexp.MustCompile(`([0-9]*[.,]?[0-9]+) *([^0-9., ]*)`)
	isoDuration  = regexp.MustCompile(`^P(?:([0-9]+W)|([0-9]+D)?(?:T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?)$`)
	clock        = regexp.MustCompile(`^([0-9]+):([0-9]{2})(?::([0-9]{2}))?$`)
	rightUnits   = regexp.MustCompile(`^-?([0-9]*\.?[0-9]*(h|m|s|ms|us|µs|μs|ns))+$`)
)

// durationHint says how a text that is no duration would be one.
func durationHint(text string) string {
	text = strings.TrimSpace(text)
	if rightUnits.MatchString(text) {
		return "durations have 64 bits of nanoseconds: at most 292 years"
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return fmt.Sprintf("the unit is missing: %q; %s", text+"s", unitsHint)
	}
	meant := text
	if m := isoDuration.FindStringSubmatch(text); m != nil {
		meant = strings.ToLower(strings.Join(m[1:], " "))
	}
	if m := clock.FindStringSubmatch(text); m != nil {
		meant = m[1] + "h " + m[2] + "m"
		if m[3] != "" {
			meant += " " + m[3] + "s"
		}
	}
	parts := durationPart.FindAllStringSubmatchIndex(meant, -1)
	var hours float64
	var right, longer string
	end := 0
	for _, p := range parts {
		number, unit := strings.Replace(meant[p[2]:p[3]], ",", ".", 1), strings.ToLower(meant[p[4]:p[5]])
		if between := strings.Trim(meant[end:p[0]], " ,"); between != "" && between != "and" {
			return `a number and a unit: "90s", "10m", "1h30m"; ` + unitsHint
		}
		end = p[1]
		n, err := strconv.ParseFloat(number, 64)
		of := unitNames[unit]
		each, longUnit := strconv.Atoi(of)
		switch {
		case strings.HasPrefix(unit, "month") || strings.HasPrefix(unit, "year") || unit == "y" || unit == "mo":
			return "months and years differ in length; " + unitsHint
		case err != nil || of == "":
			return fmt.Sprintf("there is no unit %q; %s", meant[p[4]:p[5]], unitsHint)
		case longUnit == nil:
			hours += n * float64(each)
			longer = "the longest unit is the hour: "
		case of == "h":
			hours += n
		case n > 0 || len(parts) == 1:
			right += strconv.FormatFloat(n, 'f', -1, 64) + of
		}
	}
	if hours > 0 {
		right = strconv.FormatFloat(hours, 'f', -1, 64) + "h" + right
	}
	if _, err := time.ParseDuration(right); err != nil || strings.Trim(meant[end:], " ") != "" {
		return `a number and a unit: "90s", "10m", "1h30m"; ` + unitsHint
	}
	if longer == "" {
		longer = "write "
	}
	return fmt.Sprintf("%s%q; %s", longer, right, unitsHint)
}

// span writes a duration as a spec would: "1h30m", not "1h30m0s".
func span(ns int64) string {
	text := time.Duration(ns).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}
