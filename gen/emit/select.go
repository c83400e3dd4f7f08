package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// selects makes another row of each row: the stages select and set.
func selects(f *file, l *plan.Pipeline, s *plan.Stage) {
	row := s.Select.Row
	scope := rowScope(l, s, "continue rows")
	literal := []string{"at: " + s.In.At}
	if row.Origin {
		origin := "r.Index"
		if s.In.Struct.Origin {
			origin = "e.origin"
		}
		literal = append(literal, "origin: "+origin)
	}
	var later []string
	for _, v := range s.Select.Values {
		if v.Keep != nil {
			literal = append(literal, fmt.Sprintf("%s: e.%s", v.Field.Name, v.Keep.Name))
			if v.Field.Has != "" {
				literal = append(literal, fmt.Sprintf("%s: e.%s", v.Field.Has, v.Keep.Has))
			}
			continue
		}
		if text, has, ok := plainField(l.Package, v.Expr); ok {
			literal = append(literal, fmt.Sprintf("%s: %s", v.Field.Name, text))
			if v.Field.Has != "" {
				literal = append(literal, fmt.Sprintf("%s: %s", v.Field.Has, has))
			}
			continue
		}
		before, value, has := scope.value(v.Expr)
		made := lines(block(before), setColumn(v.Field, v.Expr, value, has))
		if v.Field.Spec.Retractable { // a row that takes another back has nothing to make it of
			made = fmt.Sprintf("if !e.%s {\n%s\n}", s.In.Struct.Field("retracted").Name, made)
		}
		later = append(later, made)
	}
	text := fmt.Sprintf("row := %s{%s}", row.Type, join(literal))
	later = append([]string{text}, later...)
	loop := withRow(s, []jen.Code{
		jen.Op(lines(later...)),
		jen.Id("rows").Op("=").Append(jen.Id("rows"), jen.Op("stream.Row{Record: r.Record, Index: uint32(len(column))}")),
		jen.Id("column").Op("=").Append(jen.Id("column"), jen.Id("row")),
	})
	var body []jen.Code
	if uses(block(loop), "in") {
		body = append(body, jen.Id("in").Op(":=").Add(member("in")))
	}
	if m := merge(s.In, s.From); m != nil {
		body = append(body, m)
	}
	body = append(body,
		jen.List(jen.Id("column"), jen.Id("rows")).Op(":=").List(member("column", s.Out.Column).Index(jen.Op(":").Lit(0)), member("rows", s.Out.Rows).Index(jen.Op(":").Lit(0))),
		loopOver(s, loop),
		jen.List(member("column", s.Out.Column), member("rows", s.Out.Rows)).Op("=").List(jen.Id("column"), jen.Id("rows")),
		count(s.InCount, jen.Len(member("rows", s.In.Rows))),
		count(s.PassedCount, jen.Len(jen.Id("rows"))),
	)
	f.add(comment(head(s)...).Func().Params(receiver(l)).Id(s.Method).Params().Block(body...))
}

// plainField is the Go field of an expression that is nothing else, so that a string need not be copied.
func plainField(pkg *plan.Package, e *spec.Expr) (text, has string, ok bool) {
	if e.Op != spec.OpField || !e.Total() {
		return "", "", false
	}
	text = "e"
	for i, step := range e.Path {
		field := pkg.Field(step)
		if i == len(e.Path)-1 && field.Has != "" {
			has = text + "." + field.Has
		}
		text += "." + field.Name
	}
	return text, has, true
}
