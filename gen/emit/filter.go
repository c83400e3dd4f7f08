package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// filter keeps the rows for which the condition is true. Each is written behind those that were kept, and counts when it is: nothing jumps on what cannot be foretold.
func filter(f *file, l *plan.Pipeline, s *plan.Stage) {
	scope := rowScope(l, s, "continue rows")
	before, value, has := scope.value(s.Spec.Filter.Cond)
	cond := jen.Add(value)
	if has != nil {
		cond = jen.Add(has).Op("&&").Add(value)
	}
	loop := withRow(s, append(before, jen.Id("rows").Index(jen.Id("n")).Op("=").Id("r"), jen.If(cond).Block(jen.Id("n").Op("++"))))
	partial := len(before) > 0
	var body []jen.Code
	if uses(block(loop), "in") {
		body = append(body, jen.Id("in").Op(":=").Add(member("in")))
	}
	if m := merge(s.In, s.From); m != nil {
		body = append(body, m)
	}
	rows := member("rows", s.In.Rows)
	all := jen.Len(rows.Clone())
	body = append(body,
		jen.Id("rows").Op(":=").Id("slices").Dot("Grow").Call(member("rows", s.Out.Rows).Index(jen.Op(":").Lit(0)), all).Index(jen.Op(":").Add(all)),
		jen.Id("n").Op(":=").Lit(0).Comment("of them are kept"))
	dropped := jen.Len(rows.Clone()).Op("-").Len(jen.Id("rows"))
	if partial {
		body = append(body, jen.Id("refused").Op(":=").Len(member("refused")))
		dropped = jen.Len(rows.Clone()).Op("-").Len(jen.Id("rows")).Op("-").Parens(jen.Len(member("refused")).Op("-").Id("refused"))
		if jumps(block(before)) {
			body = append(body, jen.Op("rows:"))
		}
	}
	body = append(body,
		jen.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Add(rows.Clone())).Block(loop...),
		jen.Id("rows").Op("=").Id("rows").Index(jen.Op(":").Id("n")),
		member("rows", s.Out.Rows).Op("=").Id("rows"),
		member("counts").Index(jen.Id(s.InCount)).Op("+=").Uint64().Call(jen.Len(rows.Clone())),
		member("counts").Index(jen.Id(s.PassedCount)).Op("+=").Uint64().Call(jen.Len(jen.Id("rows"))),
		member("counts").Index(jen.Id(s.LateCount)).Op("+=").Uint64().Call(dropped),
	)
	f.add(comment(head(s)...).Func().Params(receiver(l)).Id(s.Method).Params().Block(body...))
}
