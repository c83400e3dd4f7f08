package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// decodeCSV declares the method that reads an event, which has no structs or lists inside, from a record of CSV. Each field is read and judged by the same text as in a
// record of JSON, since codec.Row has the methods of codec.Scanner.
func (d *decoder) decodeCSV() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (o *%s) decodeCSV(in *stream.Batch, row stream.Str) (field uint16, fault stream.Fault, at uint32) {\n", doc(
		"decodeCSV reads one from row, a record of in, and holds it against the contract. A record that is refused has a fault; field is the first that violates the",
		"contract, by its number in the order of the spec, or 0 when the record is not CSV, from the byte at on.",
	), d.s.Type)
	b.WriteString("s := codec.ReadRow(in, row)\n")
	if d.blank() {
		fmt.Fprintf(&b, "*o = %s{}\n", d.s.Type)
	}
	b.WriteString("for s.Next() {\nswitch s.Field() {\n")
	for i, f := range d.s.Fields {
		fmt.Fprintf(&b, "case %d: // %s: %s\n", i+1, printable(oneLine(f.Spec.Name)), printable(oneLine(plan.Want(f.Spec))))
		d.field(&b, cell(f), fmt.Sprint(i+1))
	}
	b.WriteString("}\n}\nreturn s.End()\n}")
	return b.String()
}

// cell is a field as CSV has it: an empty one is the empty string for strings, for all others null, which an optional field takes since it cannot be missing.
func cell(f *plan.Field) *plan.Field {
	null := f.Spec.Type.Nullable && f.Spec.Type.Kind != spec.String
	if null == f.Spec.Null {
		return f
	}
	of, as := *f, *f.Spec
	as.Null, of.Spec = null, &as
	return &of
}

// appendCSV declares the method that appends a row as a line of CSV. Null is an empty field; where that would be a blank line, which readers pass over, it is an empty
// field in quotes.
func appendCSV(s *plan.Struct) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (o *%s) appendCSV(dst []byte, in *stream.Batch) []byte {\n", doc("appendCSV appends one as fields of CSV, without a line end."), s.Type)
	for i, f := range s.Fields {
		if i > 0 {
			b.WriteString("dst = append(dst, ',')\n")
		}
		text := csvValue(f.Spec.Type, "o."+f.Name)
		switch {
		case f.Has == "":
		case len(s.Fields) == 1:
			text = fmt.Sprintf("if o.%s {\n%s} else {\ndst = append(dst, `\"\"`...)\n}\n", f.Has, text)
		default:
			text = fmt.Sprintf("if o.%s {\n%s}\n", f.Has, text)
		}
		b.WriteString(text)
	}
	b.WriteString("return dst\n}")
	text := b.String()
	if !uses(text[strings.Index(text, "{\n"):], "in") {
		text = strings.Replace(text, ", in *stream.Batch)", ", _ *stream.Batch)", 1)
	}
	return text
}

func csvValue(t *spec.Type, v string) string {
	switch t.Kind {
	case spec.String:
		return fmt.Sprintf("dst = codec.AppendField(dst, in.Bytes(%s))\n", v)
	case spec.Bytes:
		return fmt.Sprintf("dst = codec.AppendBytesField(dst, in.Bytes(%s))\n", v)
	case spec.Timestamp:
		return fmt.Sprintf("dst = codec.AppendInstant(dst, %s)\n", v)
	}
	return appendKind(t, v, nil) // numbers and bools are what they are in JSON
}

// writes says whether a sink of the pipeline writes rows of s in this format.
func writes(l *plan.Pipeline, s *plan.Struct, format string) bool {
	for _, k := range l.Sinks {
		if k.In.Struct == s && k.Spec.Format == format && !k.Spec.Raw {
			return true
		}
	}
	return false
}
