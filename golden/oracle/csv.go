package oracle

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// csv cuts a file into rows (RFC 4180). The first line that is not blank is the header; it fits, since a source that it does not fit never starts.
func (in *input) csv() bool {
	for len(in.rest) > 0 {
		in.offset = int64(len(in.Data) - len(in.rest))
		end := rowEnd(in.rest)
		if limit := int(in.source.MaxRecord); end > limit { // too large: goes on behind the next line break, whatever quotes are open
			end = len(in.rest)
			if i := bytes.IndexByte(in.rest[limit:], '\n'); i >= 0 {
				end = limit + i
			}
		}
		in.line = bytes.TrimSuffix(in.rest[:end], []byte("\r"))
		in.rest = in.rest[min(end+1, len(in.rest)):]
		switch {
		case len(in.line) == 0 && len(in.names) != 1:
		case in.names == nil:
			in.names, _ = fields(string(in.line))
		default:
			return true
		}
	}
	return false
}

func (in *input) readCSV(d *decoder) (object, bool) {
	texts, ok := fields(string(in.line))
	if !ok || len(texts) != len(in.names) || bytes.HasPrefix(in.line, bom) {
		return nil, false
	}
	return d.columns(in.names, texts), true
}

// rowEnd is where the row ends that data begins with: the newline that no quotes stand around. A quote opens only where a field begins.
func rowEnd(data []byte) int {
	quoted, begins := false, true
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case quoted && c == '"' && i+1 < len(data) && data[i+1] == '"':
			i++
		case quoted && c == '"':
			quoted = false
		case quoted:
		case c == '\n':
			return i
		case c == '"' && begins:
			quoted = true
		}
		begins = !quoted && c == ','
	}
	return len(data)
}

// fields takes a row apart. ok is false when it is not CSV: a quote in a field that does not begin with one, text behind a closing quote, a quote that is never closed, a
// carriage return outside of quotes, invalid UTF-8.
func fields(row string) (texts []string, ok bool) {
	if !utf8.ValidString(row) {
		return nil, false
	}
	for {
		var text string
		if rest, quoted := strings.CutPrefix(row, `"`); quoted {
			var b strings.Builder
			for {
				part, after, closed := strings.Cut(rest, `"`)
				if !closed {
					return nil, false
				}
				b.WriteString(part)
				if rest, quoted = strings.CutPrefix(after, `"`); !quoted {
					row = after
					break
				}
				b.WriteByte('"')
			}
			text = b.String()
			if row != "" && row[0] != ',' {
				return nil, false
			}
		} else {
			text = row
			if i := strings.IndexByte(row, ','); i >= 0 {
				text = row[:i]
			}
			row = row[len(text):]
			if strings.ContainsAny(text, "\"\r") {
				return nil, false
			}
		}
		texts = append(texts, text)
		if row == "" {
			return texts, true
		}
		row = row[1:]
	}
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// columns reads a row. An empty field is null, which an optional field takes too, and as a string the empty one.
func (d *decoder) columns(names, texts []string) object {
	o := object{}
	for i, name := range names {
		for _, f := range d.source.Event.Fields {
			if f.Name != name {
				continue
			}
			v := json{text: texts[i]}
			switch kind := f.Type.Kind; {
			case v.text == "" && kind != spec.String && f.Type.Nullable:
				o[name] = nil
				continue
			case v.text == "" && kind != spec.String: // no value
			case kind == spec.String, kind == spec.Bytes, kind == spec.Timestamp && f.Time == spec.RFC3339:
				v.kind = '"'
			case jsonNumber.MatchString(v.text):
				v.kind = '0'
			case v.text == "true":
				v.kind = 't'
			case v.text == "false":
				v.kind = 'f'
			}
			o[name] = d.scalar(f, f.Type, v, name)
		}
	}
	return o
}
