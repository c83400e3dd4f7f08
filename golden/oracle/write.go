package oracle

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// write appends a row of a sink.
func (p *run) write(dst []byte, s *spec.Sink, r *row) []byte {
	switch {
	case s.Raw:
		line := p.line
		if s.Format != "csv" && p.source.Format != "csv" {
			return append(append(dst, line...), '\n')
		}
		return append(append(dst, line...), '\n')
	case s.Format == "csv":
		var parts []string
		for _, f := range s.In.Fields {
			parts = append(parts, csvText(f, r.values[f.Name]))
		}
		if len(parts) == 1 && parts[0] == "" {
			parts[0] = `""` // a blank line would be no row
		}
		return append(dst, strings.Join(parts, ",")+"\n"...)
	}
	return append(dst, objectText(s.In, r.values)+"\n"...)
}

func objectText(s *spec.Struct, o object) string {
	var parts []string
	for _, f := range s.Fields {
		parts = append(parts, quote(f.Name)+":"+jsonText(f.Type, o[f.Name]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// jsonText is a value as JSON: no space, nothing escaped that need not be.
func jsonText(t *spec.Type, v value) string {
	switch {
	case v == nil:
		return "null"
	case t.Kind == spec.List:
		var parts []string
		for _, e := range v.([]value) {
			parts = append(parts, jsonText(t.Elem, e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case t.Kind == spec.Object:
		return objectText(t.Struct, v.(object))
	case t.Kind == spec.Timestamp, t.Kind == spec.Bytes:
		return `"` + plainText(t, v) + `"`
	case t.Kind == spec.String:
		return quote(v.(string))
	}
	return plainText(t, v)
}

// csvText is a value as a field: null is nothing at all, a text that needs them has quotes.
func csvText(f *spec.Field, v value) string {
	if v == nil {
		return ""
	}
	text := plainText(f.Type, v)
	if text == "" || strings.ContainsAny(text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// plainText is a plain value without quotes.
func plainText(t *spec.Type, v value) string {
	switch t.Kind {
	case spec.Bool:
		return strconv.FormatBool(v.(bool))
	case spec.Double:
		return formatFloat(v.(float64))
	case spec.String:
		return v.(string)
	case spec.Bytes:
		return base64.StdEncoding.EncodeToString([]byte(v.(string)))
	case spec.Timestamp:
		return formatTime(v.(*big.Int).Int64())
	case spec.Decimal:
		return new(big.Rat).SetFrac(v.(*big.Int), ten(t.Scale)).FloatString(t.Scale)
	}
	return v.(*big.Int).String()
}

// formatFloat is the shortest text that reads back equal, with an exponent where ECMAScript has one: below 1e-6 and from 1e21 on.
func formatFloat(x float64) string {
	if abs := math.Abs(x); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'e', -1, 64)
	return strings.Replace(strings.Replace(text, "e-0", "e-", 1), "e+0", "e+", 1)
}

// quote escapes what RFC 8259 wants escaped and nothing else.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		short := strings.IndexByte("\"\\\b\f\n\r\t", c)
		switch {
		case short >= 0:
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[short])
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
