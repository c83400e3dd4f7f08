package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

func decode(l *plan.Pipeline) jen.Code {
	s := l.Source
	refuse := func(site, fault jen.Code) []jen.Code {
		return []jen.Code{member("segments", "Refuse").Call(jen.Id("record"), site, fault), jen.Continue()}
	}
	at := jen.Op(s.At)
	refused := []jen.Code{
		jen.Id("site").Op(":=").Id(s.Decode).Op("+").Id("field"),
		jen.If(jen.Id("field").Op("==").Lit(s.Time).Op("&&").Id("fault").Op("==").Op("stream.FaultTimeRange")).Block(
			jen.Id("site").Op("=").Id(s.TimeRange),
		),
	}
	judged := func(decode string) []jen.Code {
		return []jen.Code{
			jen.List(jen.Id("field"), jen.Id("fault")).Op(":=").Id("e").Dot(decode).Call(jen.Id("in"), jen.Id("line")),
			jen.If(jen.Id("fault").Op("!=").Lit(0)).Block(append(refused, refuse(jen.Id("site"), jen.Id("fault"))...)...),
		}
	}
	column := func(record jen.Code) jen.Code {
		return jen.Id("e").Op(":=").Op("&").Add(member("column", s.Out.Column)).Index(record)
	}
	record := jen.Id("record").Op(":=").Add(member("segments", "Record").Call(jen.Id("line")))
	large := jen.If(jen.Id("in").Dot("Oversize").Op(">").Lit(0).Op("||").Id("line").Dot("Len").Op(">").Id(s.Max)).Block(refuse(jen.Id(s.TooLarge), jen.Op("stream.FaultTooLarge"))...)
	var loop []jen.Code
	if s.Spec.Format == "csv" {
		loop = append([]jen.Code{
			jen.List(jen.Id("line"), jen.Id("ok")).Op(":=").Id("in").Dot("NextRow").Call(),
			jen.If(jen.Op("!").Id("ok")).Block(jen.Break()),
			record, large, column(jen.Id("record")),
		}, judged("decodeCSV")...)
	} else {
		loop = []jen.Code{
			column(member("segments", "Records").Call()),
			jen.List(jen.Id("line"), jen.Id("taken")).Op(":=").Id("e").Dot("take").Call(jen.Id("in"), jen.Op("&").Add(member("learned"))),
			jen.If(jen.Op("!").Id("taken")).Block(
				jen.Var().Id("ok").Bool(),
				jen.If(jen.List(jen.Id("line"), jen.Id("ok")).Op("=").Id("in").Dot("Next").Call(), jen.Op("!").Id("ok")).Block(jen.Break()),
			),
			record, large,
			jen.If(jen.Op("!").Id("taken")).Block(judged("decode")...),
		}
	}
	if s.Scale != 0 {
		field := strings.TrimPrefix(fieldOfTime(s), "e.")
		loop = append(loop,
			jen.List(jen.Id("at"), jen.Id("ok")).Op(":=").Op("window.Scale").Call(jen.Id("e").Dot(field), jen.Op(number(s.Scale))),
			jen.If(jen.Op("!").Id("ok")).Block(refuse(jen.Id(s.TimeRange), jen.Op("stream.FaultTimeRange"))...),
			member("time").Index(jen.Id("record")).Op("=").Id("at"),
		)
		at = jen.Id("at")
	}
	if s.Future != "" {
		loop = append(loop, jen.If(at.Clone().Op(">").Op("window.Add").Call(jen.Id("in").Dot("Now"), jen.Id(s.Ahead))).Block(refuse(jen.Id(s.Future), jen.Op("stream.FaultFuture"))...))
	}
	loop = append(loop,
		member("input", "Observe").Call(at.Clone()),
		member("segments", "Accept").Call(jen.Id("record"), member("input", "Value")),
	)
	if expire := l.SoonExpire(); expire != "" {
		loop = append(loop, member("segments", "Soon").Index(jen.Id("record")).Op("=").Op("window.Add").Call(at.Clone(), jen.Id(expire)))
	}
	return comment("decode reads up to a batch of "+s.Spec.Name+", each beside the watermark before it.").
		Func().Params(receiver(l)).Id("decode").Params(jen.Id("in").Op("*stream.Batch")).Block(
		member("in").Op("=").Id("in"),
		member("letters", "Records").Op("=").Add(member("letters", "Records")).Index(jen.Op(":").Lit(0)),
		member("segments", "Begin").Call(member("input", "Value")),
		jen.For(jen.Op("!").Add(member("segments", "Full").Call())).Block(loop...),
		member("counts").Index(jen.Id(s.Records)).Op("+=").Uint64().Call(member("segments", "Records").Call()),
	)
}

// fieldOfTime is the Go field of the event time.
func fieldOfTime(s *plan.Source) string { return s.Leaves[s.Time-1].Field.Name }

func segment(l *plan.Pipeline) jen.Code {
	return comment("segment takes the rows up to the record whose watermark closes something.").
		Func().Params(receiver(l)).Id("segment").Params().Bool().Block(
		jen.List(jen.Id("rows"), jen.Id("refused"), jen.Id("ok")).Op(":=").Add(member("segments", "Next").Call()),
		member("rows", l.Source.Out.Rows).Op("=").Id("rows"),
		member("refused").Op("=").Append(member("refused"), jen.Id("refused").Op("...")),
		member("counts").Index(jen.Id(l.Source.Passed)).Op("+=").Uint64().Call(jen.Len(jen.Id("rows"))),
		jen.Return(jen.Id("ok")),
	)
}
