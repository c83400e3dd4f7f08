package emit

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// stage adds the types and functions of a stage to the story.
func stage(f *file, l *plan.Pipeline, s *plan.Stage) error {
	switch {
	case s.Spec.Filter != nil:
		filter(f, l, s)
		return nil
	case s.Dedup != nil:
		return dedup(f, l, s)
	case s.Select != nil:
		selects(f, l, s)
		return nil
	case s.Route != nil:
		route(f, l, s)
		return nil
	case s.Running != nil:
		return running(f, l, s)
	case s.Top != nil:
		top(f, l, s)
		return nil
	case s.Apply != nil:
		applies(f, l, s)
		return nil
	}
	if s.Spec.Window.Kind == spec.Session {
		return sessions(f, l, s)
	}
	return windowed(f, l, s)
}

// head is the comment of a stage: the spec's own words, or what it is.
func head(s *plan.Stage) []string {
	return append(append([]string{}, s.Spec.Doc...), fmt.Sprintf("%s: %s.", s.Method, stageWords(s)))
}

// rowScope is the scope of expressions over the rows that enter stage s: e is the row, in the batch. A fault refuses r and goes on with the next row.
func rowScope(l *plan.Pipeline, s *plan.Stage, goOn string) *exprScope {
	return &exprScope{
		Field: func(path []*spec.Field) (value, has jen.Code) { return fieldOf(l.Package, "e", path) },
		Enum: func(path []*spec.Field) (number jen.Code, consts map[string]string) {
			enum := l.Package.Field(path[0]).Enum
			if len(path) > 1 || enum == nil {
				return nil, nil
			}
			return jen.Id("e").Dot(enum.Number), enum.Consts
		},
		Item:   func(row string, path []*spec.Field) (value, has jen.Code) { return fieldOf(l.Package, row, path) },
		Struct: func(of *spec.Struct) string { return l.Package.Struct(of).Type },
		Fault: func(at *spec.Expr, fault jen.Code) jen.Code {
			return jen.Op(fmt.Sprintf("p.refused = append(p.refused, stream.Refused{Row: %s, Site: %s, Fault: %s})\n%s", s.In.Origin, s.FaultSite(at), render(fault), goOn))
		},
		Regexp: l.Package.Regexp,
		Zone:   l.Package.Zone,
	}
}

// fieldOf is the value of a field of the row variable: strings as Go strings of the batch in.
func fieldOf(pkg *plan.Package, row string, path []*spec.Field) (value, has jen.Code) {
	x := jen.Id(row)
	for i, step := range path {
		field := pkg.Field(step)
		if i == len(path)-1 && field.Has != "" {
			has = jen.Add(x).Dot(field.Has)
		}
		x = jen.Add(x).Dot(field.Name)
	}
	if kind := path[len(path)-1].Type.Kind; kind == spec.String || kind == spec.Bytes {
		return jen.Id("in").Dot("Text").Call(x), has
	}
	return x, has
}

// uses says whether generated text names the variable, be it not in a comment, a string or behind a dot.
func uses(text, variable string) bool {
	return contains(text, func(before, tok token.Token, name string) bool {
		return name == variable && tok == token.IDENT && before != token.PERIOD
	})
}

// jumps says whether generated text has the statement "continue rows".
func jumps(text string) bool {
	return contains(text, func(before, _ token.Token, name string) bool { return name == "rows" && before == token.CONTINUE })
}

// contains says whether generated text has a token, behind another one, for which is says so.
func contains(text string, is func(before, tok token.Token, name string) bool) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for before := token.ILLEGAL; ; {
		_, tok, name := s.Scan()
		switch {
		case tok == token.EOF:
			return false
		case is(before, tok, name):
			return true
		}
		before = tok
	}
}

// stageNames are the placeholders that dedup and windows share.
func stageNames(l *plan.Pipeline, s *plan.Stage) map[string]string {
	return map[string]string{
		"Processor": l.Type, "stage": s.Method, "stageName": printable(s.Spec.Name),
		"stageIn": s.In.Rows, "stageOut": s.Out.Rows, "stageLate": s.Late.Rows, "stageColumn": s.In.Column,
		"stageInCount": s.InCount, "stagePassedCount": s.PassedCount, "stageLateCount": s.LateCount,
	}
}

// begin is what a loop over rows needs before it.
func begin(s *plan.Stage, loop string) string {
	var lines []string
	if uses(loop, "in") {
		lines = append(lines, "in := p.in")
	}
	if m := merge(s.In, s.From); m != nil {
		lines = append(lines, render(m))
	}
	return strings.Join(lines, "\n")
}

// merge brings several inputs into the order of their records; nil for a single input.
func merge(in *plan.Flow, from []*plan.Flow) jen.Code {
	if len(from) == 1 {
		return nil
	}
	args := []jen.Code{member("rows", in.Rows).Index(jen.Op(":").Lit(0))}
	for _, f := range from {
		args = append(args, member("rows", f.Rows))
	}
	return member("rows", in.Rows).Op("=").Op("stream.Merge").Call(args...)
}

// loopOver is the loop over the rows that enter the stage, r; a statement in it may go on with the next by "continue rows".
func loopOver(s *plan.Stage, loop []jen.Code) jen.Code {
	over := jen.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Add(member("rows", s.In.Rows))).Block(loop...)
	if jumps(block(loop)) {
		return jen.Op("rows:").Line().Add(over)
	}
	return over
}

// withRow puts the row e that the loop is at before what is done with it, where that names it: a condition may turn out to be a constant.
func withRow(s *plan.Stage, loop []jen.Code) []jen.Code {
	if !uses(block(loop), "e") {
		return loop
	}
	row := jen.Id("e").Op(":=").Op("&").Add(member("column", s.In.Column)).Index(jen.Id("r").Dot("Index"))
	return append([]jen.Code{row}, loop...)
}

// count adds n rows to a counter.
func count(counter string, n jen.Code) jen.Code {
	return member("counts").Index(jen.Id(counter)).Op("+=").Uint64().Call(n)
}

// join writes the fields of a composite literal, over several lines when there are many.
func join(fields []string) string {
	if text := strings.Join(fields, ", "); len(text) < 100 {
		return text
	}
	return "\n" + strings.Join(fields, ",\n") + ",\n"
}
