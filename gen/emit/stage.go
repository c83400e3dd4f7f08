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
	}
	return tumbling(f, l, s)
}

// head is the comment of a stage: the spec's own words, or what it is.
func head(s *plan.Stage) []string {
	return append(append([]string{}, s.Spec.Doc...), fmt.Sprintf("%s: %s.", s.Method, stageWords(s)))
}

// rowScope is the scope of expressions over the rows that enter stage s: e is the row, in the batch. A fault refuses r and goes on with the next row.
func rowScope(l *plan.Pipeline, s *plan.Stage, goOn string) *exprScope {
	return &exprScope{
		Field: func(path []*spec.Field) (value, has jen.Code) { return fieldOf(l.Package, "e", path) },
		Fault: func(at *spec.Expr, fault jen.Code) jen.Code {
			return jen.Add(member("refused").Op("=").Append(member("refused"), jen.Op("stream.Refused").Values(jen.Dict{
				jen.Id("Row"): jen.Id("r"), jen.Id("Site"): jen.Id(s.FaultSite(at)), jen.Id("Fault"): fault,
			}))).Line().Op(goOn)
		},
		Regexp: l.Package.Regexp,
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
	if path[len(path)-1].Type.Kind == spec.String {
		return jen.Id("in").Dot("Text").Call(x), has
	}
	return x, has
}

// uses says whether generated text names the variable, be it not in a comment, a string or behind a dot.
func uses(text, variable string) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	for before := token.ILLEGAL; ; {
		_, tok, name := s.Scan()
		if tok == token.EOF {
			return false
		}
		if tok == token.IDENT && name == variable && before != token.PERIOD {
			return true
		}
		before = tok
	}
}

// filter keeps the rows for which the condition is true.
func filter(f *file, l *plan.Pipeline, s *plan.Stage) {
	scope := rowScope(l, s, "continue rows")
	before, value, has := scope.value(s.Spec.Filter.Cond)
	cond := jen.Add(value)
	if has != nil {
		cond = jen.Add(has).Op("&&").Add(value)
	}
	loop := append([]jen.Code{jen.Id("e").Op(":=").Op("&").Add(member("column", s.In.Column)).Index(jen.Id("r").Dot("Index"))}, before...)
	loop = append(loop, jen.If(cond).Block(jen.Id("rows").Op("=").Append(jen.Id("rows"), jen.Id("r"))))
	partial := len(before) > 0
	var body []jen.Code
	if uses(block(loop), "in") {
		body = append(body, jen.Id("in").Op(":=").Add(member("in")))
	}
	if m := merge(s.In, s.From); m != nil {
		body = append(body, m)
	}
	rows := member("rows", s.In.Rows)
	body = append(body, jen.Id("rows").Op(":=").Add(member("rows", s.Out.Rows)).Index(jen.Op(":").Lit(0)))
	dropped := jen.Len(rows.Clone()).Op("-").Len(jen.Id("rows"))
	if partial {
		body = append(body, jen.Id("refused").Op(":=").Len(member("refused")))
		dropped = jen.Len(rows.Clone()).Op("-").Len(jen.Id("rows")).Op("-").Parens(jen.Len(member("refused")).Op("-").Id("refused"))
		if uses(block(before), "rows") { // a fault goes on with the next row
			body = append(body, jen.Op("rows:"))
		}
	}
	body = append(body,
		jen.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Add(rows.Clone())).Block(loop...),
		member("rows", s.Out.Rows).Op("=").Id("rows"),
		member("counts").Index(jen.Id(s.InCount)).Op("+=").Uint64().Call(jen.Len(rows.Clone())),
		member("counts").Index(jen.Id(s.PassedCount)).Op("+=").Uint64().Call(jen.Len(jen.Id("rows"))),
		member("counts").Index(jen.Id(s.LateCount)).Op("+=").Uint64().Call(dropped),
	)
	f.add(comment(head(s)...).Func().Params(receiver(l)).Id(s.Method).Params().Block(body...))
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

// dedup lets the first copy of each id through.
func dedup(f *file, l *plan.Pipeline, s *plan.Stage) error {
	k := dedupSkeleton(l, s)
	text, err := k.specialise("dedup", "dedup.go")
	if err != nil {
		return err
	}
	f.text(text)
	return nil
}

func dedupSkeleton(l *plan.Pipeline, s *plan.Stage) skeleton {
	d := s.Dedup
	names := stageNames(l, s)
	for placeholder, name := range map[string]string{
		"stageState": d.State, "stageKey": d.Key.Type, "stageHorizon": d.Horizon, "stageSpread": d.Spread, "stageInterval": d.Interval,
		"stageDuplicate": d.Duplicate, "stageHorizonText": plan.Span(s.Spec.Dedup.Horizon),
	} {
		names[placeholder] = name
	}
	var known []string
	for _, f := range d.Key.Fields {
		if f.Field.Has != "" {
			known = append(known, "e."+f.Field.Has)
		}
		if f.Text() {
			known = append(known, fmt.Sprintf("e.%s.Len > 0", f.Field.Name))
		}
	}
	passNoID := s.Spec.Dedup.PassNoID && len(known) > 0
	refuse := ""
	if d.NoID != "" {
		refuse = fmt.Sprintf("if %s {\n\tp.refused = append(p.refused, stream.Refused{Row: r, Site: %s, Fault: stream.FaultNoID})\n\tcontinue\n}", negation(known), d.NoID)
	}
	key := keyOf(d.Key, "table.ID(s.seed, %s)")
	return skeleton{
		names: names,
		slots: map[string]string{
			"slotBegin": begin(s, key), "slotRefuse": refuse, "slotKey": key, "slotKnown": strings.Join(known, " && "), "slotAt": l.At(s.In),
			"slotAppendKey": strings.Join(appendKey(d.Key, "key"), "\n"), "slotReadKey": readKey(d.Key),
		},
		flags: map[string]bool{"passNoID": passNoID},
	}
}

// negation of a conjunction of "e.HasX" and "e.X.Len > 0".
func negation(terms []string) string {
	not := make([]string, len(terms))
	for i, t := range terms {
		if field, ok := strings.CutSuffix(t, " > 0"); ok {
			not[i] = field + " == 0"
		} else {
			not[i] = "!" + t
		}
	}
	return strings.Join(not, " || ")
}
