package check

import (
	"fmt"
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

// durationHint says how a text that is no duration would be one.
func durationHint(text string) string {
	text = strings.ReplaceAll(text, " ", "")
	if _, err := time.ParseDuration(text); err == nil && text != "0" {
		return fmt.Sprintf("write it without blanks: %q", text)
	}
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n, err := strconv.ParseFloat(number, 64)
	unit := strings.ToLower(text[len(number):])
	hours := func(each float64) string {
		return fmt.Sprintf("the longest unit is the hour: %q", strconv.FormatFloat(n*each, 'f', -1, 64)+"h")
	}
	switch {
	case err != nil:
		return `a number and a unit: "90s", "10m", "1h30m"`
	case unit == "":
		return fmt.Sprintf("the unit is missing: %q", number+"s")
	case unit == "d" || strings.HasPrefix(unit, "day"):
		return hours(24)
	case unit == "w" || strings.HasPrefix(unit, "week"):
		return hours(7 * 24)
	case unit == "h" || unit == "m" || unit == "s" || unit == "ms" || unit == "us" || unit == "ns":
		return "durations have 64 bits of nanoseconds: at most 292 years"
	}
	return "units are h, m, s, ms, us, ns"
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
