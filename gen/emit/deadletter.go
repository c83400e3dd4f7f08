package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// rowLetters says whether rows of windows can be refused.
func rowLetters(l *plan.Pipeline) bool {
	for _, s := range l.Sites {
		if s.Row != nil {
			return true
		}
	}
	return false
}

// refuse turns refusals into dead letters.
func refuse(l *plan.Pipeline) jen.Code {
	src := l.Source
	name, most := jen.Lit(src.Spec.Name), jen.Id(src.Max)
	if len(l.Sources) > 1 {
		var names, bounds []jen.Code
		for _, s := range l.Sources {
			names, bounds = append(names, jen.Lit(s.Spec.Name)), append(bounds, jen.Id(s.Max))
		}
		name = jen.Index(jen.Op("...")).String().Values(names...).Index(member("in", "Source"))
		most = jen.Index(jen.Op("...")).Uint32().Values(bounds...).Index(member("in", "Source"))
	}
	record := []jen.Code{
		jen.Id("span").Op(":=").Add(member("segments", "Span")).Index(jen.Id("r").Dot("Record")),
		jen.List(jen.Id("l").Dot("Source"), jen.Id("l").Dot("File"), jen.Id("l").Dot("Offset")).Op("=").
			List(name, member("in", "File"), member("in", "Base").Op("+").Int64().Call(jen.Id("span").Dot("Off"))),
		jen.List(jen.Id("l").Dot("Value"), jen.Id("l").Dot("Size")).Op("=").Add(member("in", "Cut").Call(jen.Id("span"), most)),
	}
	if timed := timedSites(l); timed != nil {
		at := "p.time[r.Record]"
		if src.Scale == 0 && !l.Merges() {
			at = fmt.Sprintf("p.column.%s[r.Record].%s", src.Out.Column, fieldOfTime(src))
		}
		record = append(record, jen.If(timed).Block(
			jen.List(jen.Id("l").Dot("HasEventTime"), jen.Id("l").Dot("EventTime")).Op("=").List(jen.True(), jen.Op(at)),
		))
	}
	record = append(record, member("letters", "Records").Op("=").Append(member("letters", "Records"), jen.Id("r").Dot("Record")))
	letter := record
	if rowLetters(l) {
		letter = []jen.Code{jen.Switch(jen.Id("r").Dot("Site")).BlockFunc(func(g *jen.Group) {
			for _, maker := range l.Stages {
				var sites []jen.Code
				for _, s := range l.Sites {
					if s.Row == maker {
						sites = append(sites, jen.Id(s.Const))
					}
				}
				if len(sites) == 0 {
					continue
				}
				row := maker.Group.Row
				what := jen.Id("l").Dot("Row").Op("=").True()
				if maker.Window != nil {
					what = jen.List(jen.Id("l").Dot("Row"), jen.Id("l").Dot("WindowStart"), jen.Id("l").Dot("WindowEnd")).Op("=").
						List(jen.True(), jen.Id("e").Dot(row.Fields[0].Name), jen.Id("e").Dot(row.Fields[1].Name))
				}
				g.Case(sites...).Block(
					jen.Id("e").Op(":=").Op("&").Add(member("column", maker.Out.Column)).Index(jen.Id("r").Dot("Index")),
					what,
					member("scratch").Index(jen.Lit(0)).Op("=").Id(appender(row)+"Key").Call(member("scratch").Index(jen.Lit(0)).Index(jen.Op(":").Lit(0)), member("in"), jen.Id("e")),
					member("scratch").Index(jen.Lit(1)).Op("=").Id(appender(row)+"Columns").Call(member("scratch").Index(jen.Lit(1)).Index(jen.Op(":").Lit(0)), member("in"), jen.Id("e")),
					jen.List(jen.Id("l").Dot("Key"), jen.Id("l").Dot("Columns")).Op("=").List(member("scratch").Index(jen.Lit(0)), member("scratch").Index(jen.Lit(1))),
				)
			}
			g.Default().Block(record...)
		})}
	}
	body := []jen.Code{
		jen.Id("r").Op(":=").Op("&").Add(member("refused")).Index(jen.Id("i")),
		jen.Id("site").Op(":=").Op("&").Id(l.SiteTable).Index(jen.Id("r").Dot("Site")),
		member("counts").Index(jen.Id("site").Dot("Counter")).Op("++"),
		jen.Id("l").Op(":=").Op("deadletter.Letter").Values(jen.Op(fmt.Sprintf("Pipeline: %q, Site: site, Fault: r.Fault, At: r.At, Watermark: p.segments.Watermark[r.Record]", l.Spec.Name))),
	}
	body = append(body, letter...)
	if l.Applies() {
		body = append(body, jen.Op("if r.Detail > 0 {\nl.Detail, l.Attempt = p.failures[r.Detail-1].Message, p.failures[r.Detail-1].Attempt\n}"))
	}
	body = append(body,
		member("letters", "Buf").Op("=").Op("deadletter.AppendLetter").Call(member("letters", "Buf"), jen.Op("&").Id("l")),
		member("letters", "Rows").Op("++"),
	)
	what := "refuse writes the dead letters of this segment's records."
	if steps(l) {
		what = "refuse writes the dead letters of this segment's records, or of the rows of its watermark step."
	}
	var failures jen.Code = jen.Null()
	if l.Applies() {
		failures = member("failures").Op("=").Add(member("failures")).Index(jen.Op(":").Lit(0))
	}
	var params []jen.Code
	table := jen.Id(l.SiteTable).Index(jen.Op(":"))
	sorted := jen.Op("stream.SortRefused").Call(member("refused"), table)
	if l.Uncuts() {
		what = "refuse writes the dead letters of this segment's records, the first own ones, and of the rows of its watermark step."
		params = append(params, jen.Id("own").Int())
		sorted = jen.Op("stream.MergeRefused").Call(member("refused"), jen.Id("own"), table)
	}
	return comment(what).Func().Params(receiver(l)).Id("refuse").Params(params...).Block(
		jen.If(jen.Len(member("refused")).Op("==").Lit(0)).Block(jen.Return()),
		sorted,
		jen.For(jen.Id("i").Op(":=").Range().Add(member("refused"))).Block(body...),
		member("refused").Op("=").Add(member("refused")).Index(jen.Op(":").Lit(0)),
		failures,
	)
}

// timedSites is the condition that the event time of a refused record is known: a stage refused it, or the source because it is ahead of the clock. nil when no site is such.
func timedSites(l *plan.Pipeline) jen.Code {
	var all []string
	if staged(l) {
		all = append(all, "site.Order > 0")
	}
	for _, s := range l.Sources {
		if s.Future != "" {
			all = append(all, "r.Site == "+s.Future)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return jen.Op(strings.Join(all, " || "))
}

// staged says whether a stage can refuse records of the source.
func staged(l *plan.Pipeline) bool {
	for _, s := range l.Sites {
		if s.Order > 0 && s.Row == nil {
			return true
		}
	}
	return false
}
