package emit

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// codecs lays out the rows that a pipeline's windows make and how they are written: <pipeline>_codec_gen.go.
func codecs(l *plan.Pipeline) *file {
	f := &file{name: l.Stem + "_codec_gen.go"}
	for _, s := range l.Stages {
		if s.Select != nil {
			row := s.Select.Row
			f.text(structType(row, []string{fmt.Sprintf("%s is a row of %s.", row.Type, s.Spec.Name)}))
			rowWriters(f, l, row, s.Spec.Name)
		}
		if s.Apply != nil {
			row := s.Apply.Row
			f.text(structType(row, []string{fmt.Sprintf("%s is a row of %s.", row.Type, s.Spec.Name)}))
			rowWriters(f, l, row, s.Spec.Name)
		}
		if s.Top != nil {
			row := s.Top.Row
			f.text(structType(row, []string{fmt.Sprintf("%s is a row of %s.", row.Type, s.Spec.Name)}))
			rowWriters(f, l, row, s.Spec.Name)
		}
		if s.Group == nil {
			continue
		}
		for _, e := range s.Group.Elements {
			f.text(structType(e, []string{fmt.Sprintf("%s is an element of a list in a row of %s.", e.Type, s.Spec.Name)}))
			f.text(load(e))
			f.text(appendRow(e, appender(e)+" appends one", false))
		}
		row := s.Group.Row
		f.text(structType(row, []string{fmt.Sprintf("%s is a row of %s.", row.Type, s.Spec.Name)}))
		rowWriters(f, l, row, s.Spec.Name)
		for _, site := range l.Sites {
			if site.Row == s {
				f.text(appendMembers(s, "Key", fmt.Sprintf("%sKey appends the key of a row of %s as members, for dead letters.", appender(row), s.Spec.Name)))
				f.text(appendMembers(s, "Columns", fmt.Sprintf("%sColumns appends those aggregates of a row of %s that did not fail as members, for dead letters.", appender(row), s.Spec.Name)))
				break
			}
		}
	}
	return f
}

// rowWriters are the functions that sinks write rows of s by.
func rowWriters(f *file, l *plan.Pipeline, s *plan.Struct, of string) {
	if s.View != "" {
		f.text(viewType(s))
		f.text(view(s))
	}
	if writes(l, s, "json") {
		f.text(appendRow(s, fmt.Sprintf("%s appends a row of %s", appender(s), of), byWindow(l, s)))
	}
	if writes(l, s, "csv") {
		f.text(appendCSV(s))
	}
}

// byWindow says whether s is the row of windows that are written one at a time.
func byWindow(l *plan.Pipeline, s *plan.Struct) bool {
	for _, stage := range l.Stages {
		if stage.Window != nil && stage.Window.Row == s {
			return l.OneWindow(stage)
		}
	}
	return false
}

// appendRow declares the function that appends s as a JSON object; open: behind codec.AppendWindow, which has begun it.
func appendRow(s *plan.Struct, about string, open bool) string {
	var b strings.Builder
	fields := s.Fields
	if open {
		fields = fields[2:]
		about += " to its window, which has begun the JSON object."
	} else {
		about += " as a JSON object."
	}
	fmt.Fprintf(&b, "%s\nfunc %s(dst []byte, in *stream.Batch, o *%s) []byte {\n", doc(about), appender(s), s.Type)
	for i, f := range fields {
		comma := ","
		if i == 0 && !open {
			comma = "{"
		}
		fmt.Fprintf(&b, "dst = append(dst, %s...)\n%s", raw(comma+name(f)), appendValue(f))
	}
	closing := "}"
	if len(s.Fields) == 0 {
		closing = "{}"
	}
	fmt.Fprintf(&b, "return append(dst, %s...)\n}", raw(closing))
	return b.String()
}

// name is the name of a member as JSON text, with its colon.
func name(f *plan.Field) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(f.Spec.Name) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n") + ":"
}

// raw is a Go string literal, in back quotes where that reads better.
func raw(text string) string {
	if strings.Contains(text, `"`) && !strings.ContainsFunc(text, func(r rune) bool { return r == '`' || !strconv.IsPrint(r) }) {
		return "`" + text + "`"
	}
	return fmt.Sprintf("%q", text)
}

// appendValue appends a value, or null.
func appendValue(f *plan.Field) string {
	text := appendKind(f.Spec.Type, "o."+f.Name, f.Struct)
	if f.Has == "" {
		return text
	}
	return fmt.Sprintf("if o.%s {\n%s} else {\ndst = append(dst, \"null\"...)\n}\n", f.Has, text)
}

func appendKind(t *spec.Type, v string, nested *plan.Struct) string {
	switch t.Kind {
	case spec.Bool:
		return fmt.Sprintf("dst = codec.AppendBool(dst, %s)\n", v)
	case spec.Int:
		return fmt.Sprintf("dst = codec.AppendInt(dst, %s)\n", v)
	case spec.Double:
		return fmt.Sprintf("dst = codec.AppendFloat(dst, %s)\n", v)
	case spec.String:
		return fmt.Sprintf("dst = codec.AppendString(dst, in.Bytes(%s))\n", v)
	case spec.Bytes:
		return fmt.Sprintf("dst = codec.AppendBytes(dst, in.Bytes(%s))\n", v)
	case spec.Decimal:
		return fmt.Sprintf("dst = codec.AppendDecimal(dst, %s, %d)\n", v, t.Scale)
	case spec.Timestamp:
		return fmt.Sprintf("dst = codec.AppendTime(dst, %s)\n", v)
	case spec.Duration:
		return fmt.Sprintf("dst = expr.AppendDuration(dst, %s)\n", v)
	case spec.Object:
		return fmt.Sprintf("dst = %s(dst, in, &%s)\n", appender(nested), v)
	}
	var element string
	if nested != nil {
		element = fmt.Sprintf("var x %s\nx.load(in, %s, i)\n%s", nested.Type, v, appendKind(t.Elem, "x", nested))
	} else {
		element = fmt.Sprintf("w := in.Word(%s, i)\n%s", v, appendKind(t.Elem, ofFieldWord(t.Elem, "w"), nil))
	}
	return fmt.Sprintf("dst = append(dst, '[')\nfor i := range int(%s.Len) {\nif i > 0 {\ndst = append(dst, ',')\n}\n%s}\ndst = append(dst, ']')\n", v, element)
}

// column is a field of a row that a stage makes of its groups, and whether it can fail.
type column struct {
	field *plan.Field
	fails bool
	bad   int // its place in the row's bad
}

// made are the columns of a group's row behind the key.
func made(s *plan.Stage) []column {
	var columns []column
	if r := s.Running; r != nil {
		columns = append(columns, column{field: r.Since()}, column{field: r.AsOf()})
	}
	for _, a := range s.Group.Aggregates {
		columns = append(columns, column{a.Field, a.Func != "", a.Bad})
	}
	if r := s.Running; r != nil {
		columns = append(columns, column{field: r.Revision()})
	}
	if s.Window != nil && s.Window.First != "" {
		columns = append(columns, column{field: s.Window.Row.Field("revision")})
		if s.Spec.Retracts() {
			columns = append(columns, column{field: s.Window.Row.Field("retracted")})
		}
	}
	return columns
}

// appendMembers declares the function that appends the key fields (part Key) or the other columns (part Columns) of a group's row without braces.
func appendMembers(s *plan.Stage, part, about string) string {
	w := s.Group
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc %s%s(dst []byte, in *stream.Batch, o *%s) []byte {\n", doc(about), appender(w.Row), part, w.Row.Type)
	if part == "Key" {
		for i, k := range w.Key.Fields {
			comma := ","
			if i == 0 {
				comma = ""
			}
			fmt.Fprintf(&b, "dst = append(dst, %s...)\n%s", raw(comma+name(k.Out)), appendValue(k.Out))
		}
		b.WriteString("return dst\n}")
		return b.String()
	}
	sure := false // a column that cannot fail stands before
	for i, m := range made(s) {
		var text string
		switch {
		case i == 0 || sure:
			comma := ""
			if i > 0 {
				comma = ","
			}
			text = fmt.Sprintf("dst = append(dst, %s...)\n%s", raw(comma+name(m.field)), appendValue(m.field))
		default:
			text = fmt.Sprintf("dst = append(codec.AppendComma(dst, start), %s...)\n%s", raw(name(m.field)), appendValue(m.field))
		}
		if m.fails {
			text = fmt.Sprintf("if !o.bad[%d] {\n%s}\n", m.bad, text)
		} else {
			sure = true
		}
		b.WriteString(text)
	}
	b.WriteString("return dst\n}")
	text := b.String()
	if uses(text, "start") {
		open := strings.Index(text, "{\n") + 2
		text = text[:open] + "start := len(dst)\n" + text[open:]
	}
	return text
}
