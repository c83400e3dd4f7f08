package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// batchType declares what decode makes of a batch of the source, and its constructor.
func batchType(l *plan.Pipeline) []jen.Code {
	s := l.Source
	fields := []jen.Code{
		jen.Id("input").Op("watermark.Input // behind its last record"),
		jen.Id("segments").Op("stream.Segments"),
		jen.Id("values").Index().Id(s.Out.Struct.Type),
	}
	made := jen.Dict{
		jen.Id("input"):    jen.Op("watermark.New").Call(jen.Id(s.Lag)),
		jen.Id("segments"): jen.Op("stream.NewSegments").Call(jen.Id("records")),
		jen.Id("values"):   jen.Make(jen.Index().Id(s.Out.Struct.Type), jen.Id("records")),
	}
	if s.Scale != 0 {
		fields = append(fields, jen.Id("time").Index().Int64().Op(" // event times of the records"))
		made[jen.Id("time")] = jen.Make(jen.Index().Int64(), jen.Id("records"))
	}
	if s.AgeWarn != "" {
		fields = append(fields, jen.List(jen.Id("old"), jen.Id("early")).Uint64().Op(" // records by their age"))
	}
	fields = append(fields, jen.Id("end").Int().Op(" // of its records in the block"))
	body := []jen.Code{jen.Return(jen.Id(s.Batch).Values(made))}
	if l.Soon() != "" {
		body = []jen.Code{
			jen.Id("b").Op(":=").Id(s.Batch).Values(made),
			jen.Id("b").Dot("segments").Dot("Soon").Op("=").Make(jen.Index().Int64(), jen.Id("records")),
			jen.Return(jen.Id("b")),
		}
	}
	return []jen.Code{
		comment(s.Batch + " is a batch of " + s.Spec.Name + " as decode leaves it to the stages.").Type().Id(s.Batch).Struct(fields...),
		comment(s.New + " makes room for so many records.").Func().Id(s.New).Params(jen.Id("records").Int()).Id(s.Batch).Block(body...),
	}
}

// next is where the stages get their batch from.
func next(l *plan.Pipeline) jen.Code {
	s := l.Source
	decode := jen.Id("p").Dot("decode").Call(jen.Id("in"))
	if s.Spec.Format == "json" {
		decode = jen.Id("p").Dot("decode").Call(jen.Id("in"), jen.Op("&").Add(member("learned")))
	}
	ages := jen.Null()
	if s.AgeWarn != "" {
		ages = member("counts").Index(jen.Id(s.Old)).Op("+=").Add(member("old")).Line().Add(member("counts").Index(jen.Id(s.Early)).Op("+=").Add(member("early")))
	}
	return comment("next takes the next batch of in: the next that was decoded ahead, or else it decodes one.").
		Func().Params(receiver(l)).Id("next").Params(jen.Id("in").Op("*stream.Batch")).Block(
		member("in").Op("=").Id("in"),
		jen.If(jen.Id("b").Op(":=").Add(member("ahead", "Next")).Call(jen.Id("in")), jen.Id("b").Op("!=").Nil()).Block(
			jen.Id("b").Dot("segments").Dot("Due").Op("=").Add(member("segments", "Due")),
			jen.List(member(s.Batch), jen.Op("*").Id("b")).Op("=").List(jen.Op("*").Id("b"), member(s.Batch)),
			jen.Id("in").Dot("Pos").Op("=").Add(member("end")),
		).Else().Block(decode),
		member("column", s.Out.Column).Op("=").Add(member("values")),
		member("letters", "Records").Op("=").Add(member("letters", "Records")).Index(jen.Op(":").Lit(0)),
		member("counts").Index(jen.Id(s.Records)).Op("+=").Uint64().Call(member("segments", "Records").Call()),
		ages,
	)
}

// nextOf is where the stages of a pipeline with several inputs get their batch from: records of one input, up to where another one comes first.
func nextOf(l *plan.Pipeline) jen.Code {
	var cases []jen.Code
	for i, s := range l.Sources {
		decode := member(s.Method).Call(jen.Id("in"))
		if len(l.Sources) > 1 {
			cases = append(cases, jen.Case(jen.Lit(i)).Block(decode, count(s.Records, member("segments", "Records").Call())))
		} else {
			cases = append(cases, decode, count(s.Records, member("segments", "Records").Call()))
		}
	}
	if len(l.Sources) > 1 {
		cases = []jen.Code{jen.Switch(jen.Id("in").Dot("Source")).Block(cases...)}
	}
	body := append([]jen.Code{
		member("in").Op("=").Id("in"),
		member("letters", "Records").Op("=").Add(member("letters", "Records")).Index(jen.Op(":").Lit(0)),
	}, cases...)
	return comment("next decodes the next batch of in: records of one input, up to where those of another one come first.").
		Func().Params(receiver(l)).Id("next").Params(jen.Id("in").Op("*stream.Batch")).Block(body...)
}

// decodeAhead is what decodes whole blocks beside the stages.
func decodeAhead(l *plan.Pipeline) jen.Code {
	s := l.Source
	args := []jen.Code{jen.Id("in")}
	if s.Spec.Format == "json" {
		args = append(args, jen.Op("&").Add(member("learned")))
	}
	return comment("Decode decodes all records of the block in; each later call of Process takes one of the batches that this makes. It may run on another core while Process works on a block decoded before.").
		Func().Params(receiver(l)).Id("Decode").Params(jen.Id("in").Op("*stream.Batch")).Block(
		jen.If(member("ahead", "Begin").Call(jen.Id("in"))).Block(
			member("behind").Op("=").Add(member("input")),
		),
		jen.For(jen.Id("in").Dot("Pos").Op("<").Id("in").Dot("End")).Block(
			jen.Id("b").Op(":=").Add(member("ahead", "Add")).Call(jen.Id("in")),
			jen.Id("b").Dot("input").Op("=").Add(member("behind")),
			jen.Id("b").Dot("decode").Call(args...),
			member("behind").Op("=").Id("b").Dot("input"),
		),
		member("ahead", "End").Call(jen.Id("in")),
	)
}

// decode reads records of a source: into its batch, or where there are several inputs into the processor.
func decode(l *plan.Pipeline, s *plan.Source) jen.Code {
	merges := l.Merges()
	member := func(names ...string) *jen.Statement {
		b := jen.Id("b")
		if merges {
			b = jen.Id("p")
		}
		for _, n := range names {
			b.Dot(n)
		}
		return b
	}
	refuse := func(site, fault, place jen.Code) []jen.Code {
		return []jen.Code{member("segments", "Refuse").Call(jen.Id("record"), site, fault, place), jen.Continue()}
	}
	at := jen.Id("e").Dot(fieldOfTime(s))
	refused := []jen.Code{
		jen.Id("site").Op(":=").Id(s.Decode).Op("+").Id("field"),
		jen.If(jen.Id("site").Op("==").Id(s.Contract).Op("&&").Id("fault").Op("==").Op("stream.FaultTimeRange")).Block(
			jen.Id("site").Op("=").Id(s.TimeRange),
		),
	}
	judged := func(decode string) []jen.Code {
		return []jen.Code{
			jen.List(jen.Id("field"), jen.Id("fault"), jen.Id("place")).Op(":=").Id("e").Dot(decode).Call(jen.Id("in"), jen.Id("line")),
			jen.If(jen.Id("fault").Op("!=").Lit(0)).Block(append(refused, refuse(jen.Id("site"), jen.Id("fault"), jen.Id("place"))...)...),
		}
	}
	values := member("values")
	if merges {
		values = member("column", s.Out.Column)
	}
	column := func(record jen.Code) jen.Code {
		return jen.Id("e").Op(":=").Op("&").Add(values.Clone()).Index(record)
	}
	record := jen.Id("record").Op(":=").Add(member("segments", "Record").Call(jen.Id("line")))
	large := jen.If(jen.Id("in").Dot("Oversize").Op(">").Lit(0).Op("||").Id("line").Dot("Len").Op(">").Id(s.Max)).Block(refuse(jen.Id(s.TooLarge), jen.Op("stream.FaultTooLarge"), jen.Lit(0))...)
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
			jen.List(jen.Id("line"), jen.Id("taken")).Op(":=").Id("e").Dot("take").Call(jen.Id("in"), jen.Id("learned")),
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
			jen.If(jen.Op("!").Id("ok")).Block(refuse(jen.Id(s.TimeRange), jen.Op("stream.FaultTimeRange"), jen.Lit(0))...),
		)
		at = jen.Id("at")
	}
	if s.Scale != 0 || merges {
		loop = append(loop, member("time").Index(jen.Id("record")).Op("=").Add(at.Clone()))
	}
	if s.Future != "" {
		loop = append(loop, jen.If(at.Clone().Op(">").Op("window.Add").Call(jen.Id("in").Dot("Now"), jen.Id(s.Ahead))).Block(refuse(jen.Id(s.Future), jen.Op("stream.FaultFuture"), jen.Lit(0))...))
	}
	if s.AgeWarn != "" {
		old, early := member("old"), member("early")
		if merges {
			old, early = member("counts").Index(jen.Id(s.Old)), member("counts").Index(jen.Id(s.Early))
		}
		loop = append(loop, jen.Switch(jen.Id("age").Op(":=").Op("window.Sub").Call(jen.Id("in").Dot("Now"), at.Clone()), jen.Empty()).Block(
			jen.Case(jen.Id("age").Op(">").Id(s.AgeWarn)).Block(old.Op("++")),
			jen.Case(jen.Id("age").Op("<").Lit(0)).Block(early.Op("++")),
		))
	}
	if l.Idles() {
		loop = append(loop, member("alone").Index(jen.Id("record")).Op("=").Id("input").Dot("Value"))
	}
	if merges {
		loop = append(loop, member("segments", "Accept").Call(jen.Id("record"), member("inputs", "Observe").Call(jen.Id("input"), at.Clone())))
	} else {
		loop = append(loop,
			member("input", "Observe").Call(at.Clone()),
			member("segments", "Accept").Call(jen.Id("record"), member("input", "Value")),
		)
	}
	if soon := l.Soon(); soon != "" {
		loop = append(loop, member("segments", "Soon").Index(jen.Id("record")).Op("=").Op("window.Add").Call(at.Clone(), jen.Id(soon)))
	}
	params := []jen.Code{jen.Id("in").Op("*stream.Batch")}
	if merges {
		body := []jen.Code{
			jen.Id("input").Op(":=").Add(member("inputs", "Read")).Call(jen.Id("in").Dot("Input")),
			member("segments", "Begin").Call(member("inputs", "Value")),
		}
		if s.Spec.Format == "json" {
			body = append(body, jen.Id("learned").Op(":=").Op("&").Add(member("learned")).Index(jen.Lit(s.Place)))
		}
		body = append(body, jen.For(jen.Op("!").Add(member("segments", "Full").Call()).Op("&&").Id("input").Dot("Highest").Op("<=").Id("in").Dot("Until")).Block(loop...))
		return comment(s.Method + " reads records of " + s.Spec.Name + ", each beside the watermark before it, up to a batch or as long as the next record is its.").
			Func().Params(receiver(l)).Id(s.Method).Params(params...).Block(body...)
	}
	if s.Spec.Format == "json" {
		params = append(params, jen.Id("learned").Op("*codec.Learned"))
	}
	ages := jen.Null()
	if s.AgeWarn != "" {
		ages = jen.List(member("old"), member("early")).Op("=").List(jen.Lit(0), jen.Lit(0))
	}
	return comment("decode reads up to a batch of "+s.Spec.Name+", each beside the watermark before it.").
		Func().Params(jen.Id("b").Op("*").Id(s.Batch)).Id("decode").Params(params...).Block(
		member("segments", "Begin").Call(member("input", "Value")),
		ages,
		jen.For(jen.Op("!").Add(member("segments", "Full").Call())).Block(loop...),
		member("end").Op("=").Id("in").Dot("Pos"),
	)
}

// fieldOfTime is the Go field of the event time.
func fieldOfTime(s *plan.Source) string { return s.Leaves[s.Time-1].Field.Name }

func segment(l *plan.Pipeline) jen.Code {
	body := []jen.Code{
		jen.List(jen.Id("rows"), jen.Id("refused"), jen.Id("ok")).Op(":=").Add(member("segments", "Next").Call()),
	}
	count := func(s *plan.Source) jen.Code {
		return member("counts").Index(jen.Id(s.Passed)).Op("+=").Uint64().Call(jen.Len(jen.Id("rows")))
	}
	if len(l.Sources) == 1 {
		body = append(body, member("rows", l.Source.Out.Rows).Op("=").Id("rows"))
	} else {
		var all, none, cases []jen.Code
		for _, s := range l.Sources {
			all, none = append(all, member("rows", s.Out.Rows)), append(none, jen.Nil())
		}
		for i, s := range l.Sources {
			cases = append(cases, jen.Case(jen.Lit(i)).Block(member("rows", s.Out.Rows).Op("=").Id("rows"), count(s)))
		}
		body = append(body, jen.List(all...).Op("=").List(none...), jen.Switch(member("in", "Source")).Block(cases...))
	}
	body = append(body, member("refused").Op("=").Append(member("refused"), jen.Id("refused").Op("...")))
	if len(l.Sources) == 1 {
		body = append(body, count(l.Source))
	}
	return comment("segment takes the rows up to the record whose watermark closes something.").
		Func().Params(receiver(l)).Id("segment").Params().Bool().Block(append(body, jen.Return(jen.Id("ok")))...)
}
