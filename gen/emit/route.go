package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// route sends each row to the first branch whose condition is true.
func route(f *file, l *plan.Pipeline, s *plan.Stage) {
	var loop []jen.Code
	scope := rowScope(l, s, "continue rows")
	take := func(b *plan.Branch) jen.Code {
		return member("rows", b.Out.Rows).Op("=").Append(member("rows", b.Out.Rows), jen.Id("r"))
	}
	branches := s.Route.Branches
	if s.Route.Otherwise != nil {
		branches = append(branches[:len(branches):len(branches)], s.Route.Otherwise)
	}
	for _, b := range s.Route.Branches {
		before, value, has := scope.value(b.Spec.Cond)
		cond := jen.Add(value)
		if has != nil {
			cond = jen.Add(has).Op("&&").Add(value)
		}
		loop = append(loop, before...)
		loop = append(loop, jen.If(cond).Block(take(b), jen.Op("continue rows")))
	}
	if s.Route.Otherwise != nil {
		loop = append(loop, take(s.Route.Otherwise))
	} else {
		loop = append(loop, member("counts").Index(jen.Id(s.LateCount)).Op("++"))
	}
	loop = withRow(s, loop)
	var body []jen.Code
	if uses(block(loop), "in") {
		body = append(body, jen.Id("in").Op(":=").Add(member("in")))
	}
	if m := merge(s.In, s.From); m != nil {
		body = append(body, m)
	}
	for _, b := range branches {
		body = append(body, member("rows", b.Out.Rows).Op("=").Add(member("rows", b.Out.Rows)).Index(jen.Op(":").Lit(0)))
	}
	body = append(body, loopOver(s, loop), count(s.InCount, jen.Len(member("rows", s.In.Rows))))
	for _, b := range branches {
		body = append(body, count(b.Count, jen.Len(member("rows", b.Out.Rows))))
	}
	f.add(comment(head(s)...).Func().Params(receiver(l)).Id(s.Method).Params().Block(body...))
}
