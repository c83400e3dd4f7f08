package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// applies calls the user's function for each row.
func applies(f *file, l *plan.Pipeline, s *plan.Stage) {
	a := s.Apply
	made := []string{"at: " + s.In.At}
	if a.Row.Origin {
		origin := "r.Index"
		if s.In.Struct.Origin {
			origin = "e.origin"
		}
		made = append(made, "origin: "+origin)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (p *%s) %s() {\n", doc(head(s)...), l.Type, s.Method)
	if m := merge(s.In, s.From); m != nil {
		fmt.Fprintf(&b, "%s\n", render(m))
	}
	fmt.Fprintf(&b, "column, rows, failed := p.column.%s[:0], p.rows.%s[:0], 0\n", s.Out.Column, s.Out.Rows)
	fmt.Fprintf(&b, "for _, r := range p.rows.%s {\ne := &p.column.%s[r.Index]\n", s.In.Rows, s.In.Column)
	fmt.Fprintf(&b, "made, tried, err := apply.Call(%s, e.view(p.in))\nvalues, from := apply.Values{In: p.in}, len(column)\n", s.Spec.Apply.Func)
	fmt.Fprintf(&b, "for i := range made {\nm, row := &made[i], %s{%s}\n", a.Row.Type, join(made))
	for _, v := range a.Values {
		call := fmt.Sprintf("values.%s(%q, ", map[spec.Kind]string{spec.String: "Text", spec.Bytes: "Bytes", spec.Int: "Int", spec.Bool: "Bool", spec.Double: "Float", spec.Timestamp: "Time"}[v.Field.Spec.Type.Kind], v.Field.Spec.Name)
		if v.Field.Has == "" {
			fmt.Fprintf(&b, "row.%s = %sm.%s)\n", v.Field.Name, call, v.From)
		} else {
			fmt.Fprintf(&b, "if m.%[3]s != nil {\nrow.%[1]s, row.%[4]s = %[2]s*m.%[3]s), true\n}\n", v.Field.Name, call, v.From, v.Field.Has)
		}
	}
	fmt.Fprintf(&b, "column = append(column, row)\n}\nif err == nil {\nerr = values.Err\n}\nif err != nil {\ncolumn = column[:from]\nfailed++\n")
	fmt.Fprintf(&b, "p.failures = append(p.failures, apply.Fail(err, tried))\np.refused = append(p.refused, stream.Refused{Row: %s, Site: %s, Fault: stream.FaultFunction, Detail: uint32(len(p.failures))})\ncontinue\n}\n", s.In.Origin, a.Failed)
	fmt.Fprintf(&b, "for i := from; i < len(column); i++ {\nrows = append(rows, stream.Row{Record: r.Record, Index: uint32(i)})\n}\n}\n")
	fmt.Fprintf(&b, "p.column.%s, p.rows.%s = column, rows\n", s.Out.Column, s.Out.Rows)
	fmt.Fprintf(&b, "p.counts[%[1]s] += uint64(len(p.rows.%[2]s))\np.counts[%[3]s] += uint64(len(p.rows.%[2]s) - failed)\n", s.InCount, s.In.Rows, s.PassedCount)
	fmt.Fprintf(&b, "p.counts[%s] += uint64(len(rows))\np.counts[%s] += uint64(len(rows))\n}", a.Made, a.Emitted)
	f.text(b.String())
}

// viewType declares the plain struct of a row that functions of the user see.
func viewType(s *plan.Struct) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(fmt.Sprintf("%s is %s as functions see it: values of their own, which may be kept.", s.View, s.Type)), s.View)
	for _, f := range s.Fields {
		if text := doc(f.Spec.Doc...); text != "" {
			fmt.Fprintf(&b, "%s\n", text)
		}
		goType, note := viewKind(f.Spec.Type, f.Struct), ""
		if f.Spec.Type.Kind == spec.Decimal {
			note = fmt.Sprintf(" // times 10^-%d", f.Spec.Type.Scale)
		}
		if f.Has != "" {
			if !strings.HasPrefix(goType, "[]") {
				goType = "*" + goType
			}
			note += " // nil: null"
		}
		fmt.Fprintf(&b, "%s %s%s\n", f.Name, goType, note)
	}
	b.WriteString("}")
	return b.String()
}

func viewKind(t *spec.Type, nested *plan.Struct) string {
	switch t.Kind {
	case spec.Bool:
		return "bool"
	case spec.Double:
		return "float64"
	case spec.String:
		return "string"
	case spec.Bytes:
		return "[]byte"
	case spec.Timestamp:
		return "time.Time"
	case spec.List:
		return "[]" + viewKind(t.Elem, nil)
	case spec.Object:
		return nested.View
	}
	return "int64"
}

// view declares the method that makes the view of a row.
func view(s *plan.Struct) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (o *%s) view(in *stream.Batch) (v %s) {\n", doc("view copies the row for functions of the user."), s.Type, s.View)
	for _, f := range s.Fields {
		var text string
		t := f.Spec.Type
		switch {
		case t.Kind == spec.List:
			text = fmt.Sprintf("for i := range int(o.%[1]s.Len) {\nw := in.Word(o.%[1]s, i)\nv.%[1]s = append(v.%[1]s, %[2]s)\n}\n", f.Name, viewValue(t.Elem, ofFieldWord(t.Elem, "w")))
		case f.Has != "" && t.Kind != spec.Bytes:
			text = fmt.Sprintf("x := %s\nv.%s = &x\n", viewValue(t, "o."+f.Name), f.Name)
		default:
			text = fmt.Sprintf("v.%s = %s\n", f.Name, viewValue(t, "o."+f.Name))
		}
		if f.Has != "" {
			text = fmt.Sprintf("if o.%s {\n%s}\n", f.Has, text)
		}
		b.WriteString(text)
	}
	b.WriteString("return v\n}")
	return b.String()
}

func viewValue(t *spec.Type, v string) string {
	switch t.Kind {
	case spec.String:
		return fmt.Sprintf("string(in.Bytes(%s))", v)
	case spec.Bytes:
		return fmt.Sprintf("bytes.Clone(in.Bytes(%s))", v)
	case spec.Timestamp:
		return fmt.Sprintf("time.Unix(0, %s).UTC()", v)
	case spec.Object:
		return v + ".view(in)"
	}
	return v
}
