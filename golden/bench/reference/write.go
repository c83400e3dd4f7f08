package reference

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A row is an object: the names in the spec's order, no space, a newline behind it.

func appendEvent(dst []byte, e *event) []byte {
	return fmt.Appendf(dst, `{"id":%s,"user":%s,"type":%s,"amount":%s,"at":"%s"}`+"\n",
		formatString(e.id), formatString(e.user), formatString(e.kind), formatFloat(e.amount), formatTime(e.at))
}

func appendSpend(dst []byte, at place, events uint64, total, mean float64) []byte {
	return fmt.Appendf(dst, `{"window_start":"%s","window_end":"%s","user":%s,"events":%d,"total":%s,"mean":%s}`+"\n",
		formatTime(at.start), formatTime(at.start+size), formatString(at.key), events, formatFloat(total), formatFloat(mean))
}

func appendTypes(dst []byte, at place, events uint64) []byte {
	return fmt.Appendf(dst, `{"window_start":"%s","window_end":"%s","type":%s,"events":%d}`+"\n",
		formatTime(at.start), formatTime(at.start+size), formatString(at.key), events)
}

// formatTime is RFC 3339 in UTC with the fraction digits that are needed.
func formatTime(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
}

// formatWatermark is formatTime, or empty before the first record.
func formatWatermark(w int64) string {
	if w == minusInfinity {
		return ""
	}
	return formatTime(w)
}

// formatFloat is the shortest text that reads back equal, with an exponent where encoding/json has one (ECMAScript's Number::toString): below 1e-6 and from 1e21 on.
func formatFloat(x float64) string {
	if abs := math.Abs(x); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'e', -1, 64)
	return strings.Replace(strings.Replace(text, "e-0", "e-", 1), "e+0", "e+", 1)
}

// formatString escapes what RFC 8259 wants escaped and nothing else: quote, backslash, control characters.
func formatString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"':
			b.WriteString(`\"`)
		case '\\':
			b.WriteString(`\\`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			if r < ' ' {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
