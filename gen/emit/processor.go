package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// receiver is the method's receiver.
func receiver(l *plan.Pipeline) *jen.Statement { return jen.Id("p").Op("*").Id(l.Type) }

// member is p.a.b….
func member(names ...string) *jen.Statement {
	s := jen.Id("p")
	for _, n := range names {
		s.Dot(n)
	}
	return s
}

// comment is a comment of lines above what follows.
func comment(lines ...string) *jen.Statement { return jen.Op(doc(lines...)).Line() }

func processorType(l *plan.Pipeline) jen.Code {
	var columns, states []jen.Code
	var selections []jen.Code
	for i, s := range l.Sources {
		if !slices.ContainsFunc(l.Sources[:i], func(o *plan.Source) bool { return o.Out.Column == s.Out.Column }) {
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Out.Struct.Type))
		}
		selections = append(selections, jen.Id(s.Out.Rows))
	}
	for _, s := range l.Stages {
		if len(s.From) > 1 {
			selections = append(selections, jen.Id(s.In.Rows))
		}
		for _, out := range s.Outputs() {
			selections = append(selections, jen.Id(out.Rows))
		}
		switch {
		case s.Dedup != nil:
			states = append(states, jen.Id(s.Method).Id(s.Dedup.State))
		case s.Select != nil:
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Select.Row.Type))
		case s.Apply != nil:
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Apply.Row.Type))
		case s.Window != nil:
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Window.Row.Type))
			states = append(states, jen.Id(s.Method).Id(s.Window.State))
		case s.Running != nil:
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Running.Row.Type))
			states = append(states, jen.Id(s.Method).Id(s.Running.State))
		case s.Top != nil:
			columns = append(columns, jen.Id(s.Out.Column).Index().Id(s.Top.Row.Type))
			selections = append(selections, jen.Id(s.Top.Ranked))
		}
	}
	for _, s := range l.Sinks {
		if len(s.From) > 1 {
			selections = append(selections, jen.Id(s.In.Rows))
		}
	}
	fields := []jen.Code{
		jen.Id("in").Op("*stream.Batch"),
		jen.Id(l.Source.Batch).Op(" // the one that the stages work on"),
		jen.Id("ahead").Op("stream.Ahead").Index(jen.Id(l.Source.Batch)).Op(" // those after it, when they are decoded on another core"),
		jen.Id("behind").Op("watermark.Input // behind the last of those"),
	}
	if l.Source.Spec.Format == "json" {
		fields = append(fields, jen.Id("learned").Op("codec.Learned"))
	}
	if l.Merges() {
		fields = []jen.Code{
			jen.Id("in").Op("*stream.Batch"),
			jen.Id("own").Op("stream.Batch // of rows that no record brings"),
			jen.Id("inputs").Op("watermark.Inputs"),
			jen.Id("segments").Op("stream.Segments"),
			jen.Id("time").Index().Int64().Op(" // event times of the records"),
		}
		if l.Idles() {
			fields = append(fields, jen.Id("alone").Index().Int64().Op(" // watermark of the input alone before each record"))
		}
		if slices.ContainsFunc(l.Sources, func(s *plan.Source) bool { return s.Spec.Format == "json" }) {
			fields = append(fields, jen.Id("learned").Index(jen.Lit(len(l.Sources))).Op("codec.Learned"))
		}
	}
	fields = append(fields,
		jen.Line().Id("column").StructFunc(func(g *jen.Group) {
			g.Op("// values of rows, by Row.Index")
			for _, c := range columns {
				g.Add(c)
			}
		}),
		jen.Id("rows").Struct(
			jen.Op("// what each node put out in this segment, and what a node with several inputs took in"),
			jen.List(selections...).Index().Op("stream.Row"),
		),
	)
	if len(states) > 0 {
		fields = append(fields, jen.Id("state").Struct(states...))
	}
	if partial := partials(l); len(partial) > 0 {
		of := make([]jen.Code, len(partial))
		for i, s := range partial {
			of[i] = jen.Id(s.Method)
		}
		fields = append(fields, jen.Id("partial").Struct(
			jen.Op("// rows that start up to here lack what an earlier version of the pipeline did not keep"),
			jen.List(of...).Int64(),
		))
	}
	fields = append(fields,
		jen.Id("refused").Index().Op("stream.Refused // in this segment"),
		jen.Id("letters").Op("stream.Letters"),
		jen.Id("outputs").Index(jen.Lit(len(l.Sinks))).Op("stream.Output"),
		jen.Id("counts").Index(jen.Id(l.CounterCount)).Uint64(),
	)
	if l.Applies() {
		fields = append(fields, jen.Id("failures").Index().Op("apply.Failure // of functions of the user, in this segment"))
	}
	if rowLetters(l) {
		fields = append(fields, jen.Id("scratch").Index(jen.Lit(2)).Index().Byte().Op(" // parts of a dead letter"))
	}
	return comment(l.Type + " is the state of the pipeline, and the rows of one batch on their way through it.").Type().Id(l.Type).Struct(fields...)
}

func constructor(l *plan.Pipeline) jen.Code {
	body := []jen.Code{
		jen.Id("p").Op(":=").Op("&").Id(l.Type).Values(jen.Dict{
			jen.Id("in"):           jen.New(jen.Op("stream.Batch")),
			jen.Id(l.Source.Batch): jen.Id(l.Source.New).Call(jen.Id("batch")),
			jen.Id("ahead"): jen.Op("stream.Ahead").Index(jen.Id(l.Source.Batch)).Values(jen.Dict{
				jen.Id("New"): jen.Id(l.Source.New), jen.Id("Records"): jen.Id("batch"),
			}),
		}),
	}
	if l.Merges() {
		body = mergedConstructor(l)
	}
	for _, s := range l.Stages {
		if s.Dedup != nil || s.Group != nil {
			body = append(body, member("state", s.Method, "init").Call())
		}
	}
	for _, s := range partials(l) {
		body = append(body, member("partial", s.Method).Op("=").Op("stream.Never"))
	}
	if cuts, _ := dues(l); len(cuts) == 0 {
		body = append(body, member("segments", "Due").Op("=").Op("stream.Always"))
	}
	body = append(body, jen.Return(jen.Id("p")))
	return comment(l.New + " makes a processor that takes up to batch records at a time.").
		Func().Id(l.New).Params(jen.Id("batch").Int()).Op("*").Id(l.Type).Block(body...)
}

func process(l *plan.Pipeline) jen.Code {
	var calls []jen.Code
	for _, s := range l.Stages {
		if s.In.Maker == nil || s.In.Revised {
			calls = append(calls, member(s.Method).Call())
		}
		if s.AfterIdle != "" {
			calls = append(calls, member(s.AfterIdle).Call())
		}
	}
	for _, s := range l.Sinks {
		if s.In.Maker == nil || s.In.Revised {
			calls = append(calls, member(s.Method).Call())
		}
	}
	switch {
	case l.Uncuts(): // rows of steps can be of any record
		calls = append(calls, jen.Id("own").Op(":=").Len(member("refused")), member("advance").Call(), member("refuse").Call(jen.Id("own")))
	case steps(l):
		calls = append(calls, member("refuse").Call(), member("advance").Call())
	default:
		calls = append(calls, member("refuse").Call())
	}
	what := l.Source.Spec.Name
	if l.Merges() {
		what = "an input"
	}
	return comment(fmt.Sprintf("Process takes one batch of %s through the pipeline, in offset order.", what)).
		Func().Params(receiver(l)).Id("Process").Params(jen.Id("in").Op("*stream.Batch")).Block(
		member("next").Call(jen.Id("in")),
		jen.For(member("segment").Call()).Block(calls...),
		member("recycle").Call(),
	)
}

// mergedConstructor makes room for a batch of any of the inputs.
func mergedConstructor(l *plan.Pipeline) []jen.Code {
	var bounds []jen.Code
	for _, s := range l.Sources {
		bounds = append(bounds, jen.Id(s.Lag))
	}
	body := []jen.Code{jen.Id("p").Op(":=").Op("&").Id(l.Type).Values(jen.Dict{
		jen.Id("in"):       jen.New(jen.Op("stream.Batch")),
		jen.Id("inputs"):   jen.Op("watermark.NewInputs").Call(bounds...),
		jen.Id("segments"): jen.Op("stream.NewSegments").Call(jen.Id("batch")),
		jen.Id("time"):     jen.Make(jen.Index().Int64(), jen.Id("batch")),
	})}
	if l.Idles() {
		body = append(body, member("alone").Op("=").Make(jen.Index().Int64(), jen.Id("batch")))
	}
	for i, s := range l.Sources {
		if !slices.ContainsFunc(l.Sources[:i], func(o *plan.Source) bool { return o.Out.Column == s.Out.Column }) {
			body = append(body, member("column", s.Out.Column).Op("=").Make(jen.Index().Id(s.Out.Struct.Type), jen.Id("batch")))
		}
	}
	if l.Soon() != "" {
		body = append(body, member("segments", "Soon").Op("=").Make(jen.Index().Int64(), jen.Id("batch")))
	}
	return body
}

// watermarkOf is the watermark of the processor.
func watermarkOf(l *plan.Pipeline) string {
	if l.Merges() {
		return "p.inputs.Value"
	}
	return "p.input.Value"
}

func recycle(l *plan.Pipeline) jen.Code {
	var body []jen.Code
	var ids, keys, gone string
	for _, s := range l.Stages {
		switch {
		case s.Dedup != nil:
			ids = "ids that have expired, "
			body = append(body, member("state", s.Method, "recycle").Call(jen.Op(watermarkOf(l))))
		case s.Window != nil:
			keys = "keys without a window, "
			body = append(body, member("state", s.Method, "recycle").Call())
		case s.Running != nil:
			gone = "keys that have gone, "
			body = append(body, member("state", s.Method, "recycle").Call(jen.Op(watermarkOf(l))))
		}
	}
	body = append(body, member("in", "Recycle").Call())
	return comment("recycle gives memory back: " + ids + keys + gone + "what the batch's rows were made of.").
		Func().Params(receiver(l)).Id("recycle").Params().Block(body...)
}

// accessors are the methods that the runtime reads a processor by.
func accessors(l *plan.Pipeline) string {
	names := make([]string, len(l.Sinks))
	for i, s := range l.Sinks {
		names[i] = s.Spec.Name
	}
	inputs := ""
	if l.Merges() {
		inputs = fmt.Sprintf("// Inputs are the inputs, and the watermark that follows from theirs.\nfunc (p *%s) Inputs() *watermark.Inputs { return &p.inputs }\n\n", l.Type)
	}
	return inputs + fmt.Sprintf(`// Watermark is the watermark after the last record.
func (p *%[1]s) Watermark() int64 { return %[4]s }

%[2]s
func (p *%[1]s) Output(i int) *stream.Output { return &p.outputs[i] }

// Letters are the dead letters.
func (p *%[1]s) Letters() *stream.Letters { return &p.letters }

// AppendCounts appends the counters in the order of %[3]s.Counters.
func (p *%[1]s) AppendCounts(dst []uint64) []uint64 { return append(dst, p.counts[:]...) }`,
		l.Type, doc("Output is sink i in the order of the spec: "+strings.Join(names, ", ")+"."), l.Var, watermarkOf(l))
}
