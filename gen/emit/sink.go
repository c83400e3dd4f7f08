package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// sink writes rows to an output.
func sink(l *plan.Pipeline, s *plan.Sink, i int) jen.Code {
	var body []jen.Code
	if m := merge(s.In, s.From); m != nil {
		body = append(body, m)
	}
	rows := member("rows", s.In.Rows)
	value := jen.Op("&").Add(member("column", s.In.Column)).Index(jen.Id("r").Dot("Index"))
	row := jen.Id(appender(s.In.Struct)).Call(jen.Id("out").Dot("Buf"), member("in"), value)
	verb := "writes the rows of"
	switch {
	case s.Spec.Raw:
		row = jen.Append(jen.Id("out").Dot("Buf"), member("in", "Bytes").Call(member("segments", "Span").Index(jen.Id("r").Dot("Record"))).Op("..."))
		verb = "writes the records, as they came, of"
	case s.Header != "":
		row = member("column", s.In.Column).Index(jen.Id("r").Dot("Index")).Dot("appendCSV").Call(jen.Id("out").Dot("Buf"), member("in"))
		verb = "writes as CSV the rows of"
	}
	body = append(body, jen.Id("out").Op(":=").Op("&").Add(member("outputs")).Index(jen.Lit(i)))
	var each []jen.Code
	if s.Header == "" && !s.Spec.Raw && byWindow(l, s.In.Struct) {
		body = append(body, jen.Id("window").Op(":=").Make(jen.Index().Byte(), jen.Lit(0), jen.Lit(128)).Op("// what rows of one window begin with"))
		each = append(each,
			jen.Id("o").Op(":=").Add(value),
			jen.If(jen.Len(jen.Id("window")).Op("==").Lit(0)).Block(
				jen.Id("window").Op("=").Op("codec.AppendWindow").Call(jen.Id("window"), jen.Id("o").Dot(s.In.Struct.Fields[0].Name), jen.Id("o").Dot(s.In.Struct.Fields[1].Name)),
			),
		)
		row = jen.Id(appender(s.In.Struct)).Call(jen.Append(jen.Id("out").Dot("Buf"), jen.Id("window").Op("...")), member("in"), jen.Id("o"))
	}
	each = append(each, jen.Id("out").Dot("Buf").Op("=").Append(row, jen.LitRune('\n')))
	body = append(body,
		jen.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Add(rows)).Block(each...),
		jen.Id("out").Dot("Rows").Op("+=").Uint64().Call(jen.Len(rows.Clone())),
		spill(l, s),
		member("counts").Index(jen.Id(s.InCount)).Op("+=").Uint64().Call(jen.Len(rows.Clone())),
	)
	refs := make([]string, len(s.Spec.From))
	for j, r := range s.Spec.From {
		refs[j] = r.String()
	}
	about := append([]string{}, s.Spec.Doc...)
	return comment(append(about, fmt.Sprintf("%s %s %s to %s.", s.Method, verb, strings.Join(refs, " and "), targetWords(s.Spec.Target)))...).
		Func().Params(receiver(l)).Id(s.Method).Params().Block(body...)
}

// appender is the name of the function that appends a row of s.
func appender(s *plan.Struct) string { return "append" + s.Type }

func targetWords(t spec.Target) string {
	if t.Stdout {
		return "standard output"
	}
	return t.Path
}

func target(t spec.Target) string {
	switch {
	case t.Stdout:
		return "task.Target{Stdout: true}"
	case t.Write == spec.WriteAppend:
		return fmt.Sprintf("task.Target{Path: %q, Append: true}", t.Path)
	case t.Write == spec.WriteRolling:
		return fmt.Sprintf("task.Target{Path: %q, Roll: &task.Roll{%s}}", t.Path, rolling(t))
	}
	return fmt.Sprintf("task.Target{Path: %q}", t.Path)
}

// rolling are the bounds of a file that is one of many.
func rolling(t spec.Target) string {
	var bounds []string
	if t.Rows > 0 {
		bounds = append(bounds, "Rows: "+number(t.Rows))
	}
	if t.Size > 0 {
		bounds = append(bounds, "Bytes: "+number(t.Size))
	}
	if t.Window > 0 {
		bounds = append(bounds, "Window: "+duration(t.Window))
	}
	return strings.Join(bounds, ", ")
}

// spill lets the task write the rows of a window before those of the next are made.
func spill(l *plan.Pipeline, s *plan.Sink) jen.Code {
	if s.In.Maker == nil || !l.ByWindow(s.In.Maker) {
		return jen.Null()
	}
	return jen.Id("out").Dot("Spill").Call()
}
