package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// processor lays out the story of a pipeline: <pipeline>_gen.go.
func processor(l *plan.Pipeline) (*file, error) {
	f := &file{name: l.Stem + "_gen.go"}
	f.text("const _ = stream.ABI1")
	f.text(constants(l))
	f.text(described(l))
	f.add(processorType(l), constructor(l), process(l), end(l))
	if steps(l) {
		f.add(advance(l))
	}
	if l.Merges() {
		f.add(step(l), nextOf(l), segment(l), recycle(l))
		for _, s := range l.Sources {
			f.add(decode(l, s))
		}
	} else {
		f.add(next(l), segment(l), recycle(l))
		f.add(batchType(l)...)
		f.add(decode(l, l.Source), decodeAhead(l))
	}
	for _, s := range l.Stages {
		if err := stage(f, l, s); err != nil {
			return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
		}
		if s.AfterIdle != "" {
			f.add(afterIdle(l, s))
		}
	}
	for i, s := range l.Sinks {
		f.add(sink(l, s, i))
	}
	f.add(refuse(l))
	f.text(accessors(l))
	return f, nil
}

// flow draws the pipeline for the package comment: a line for each node, what it is and where its rows go.
func flow(l *plan.Pipeline) []string {
	var lines []string
	width := 0
	add := func(from []spec.Ref, name, what string) {
		refs := make([]string, len(from))
		for i, r := range from {
			refs[i] = r.String()
		}
		left := strings.Join(refs, ", ")
		width = max(width, len([]rune(left)))
		lines = append(lines, left+"\x00"+name+": "+what)
	}
	for _, s := range l.Stages {
		add(s.Spec.From, s.Spec.Name, stageWords(s))
	}
	for _, s := range l.Sinks {
		add(s.Spec.From, s.Spec.Name, "sink to "+targetWords(s.Spec.Target))
	}
	for i, line := range lines {
		left, right, _ := strings.Cut(line, "\x00")
		lines[i] = "\t" + left + strings.Repeat(" ", width-len([]rune(left))) + " -> " + right
	}
	return lines
}

// stageWords says what a stage is in the spec's words.
func stageWords(s *plan.Stage) string {
	switch {
	case s.Spec.Filter != nil:
		return "filter " + oneLine(s.Spec.Filter.Cond.Text)
	case s.Spec.Select != nil && s.Spec.Select.Set:
		return "set " + columnNames(s.Spec.Select)
	case s.Spec.Select != nil:
		return "select " + columnNames(s.Spec.Select)
	case s.Spec.Route != nil:
		return "route to " + branchNames(s.Spec.Route)
	case s.Spec.Dedup != nil:
		return fmt.Sprintf("dedup by %s, horizon %s", fieldNames(s.Spec.Dedup.By), plan.Span(s.Spec.Dedup.Horizon))
	}
	if r := s.Spec.Running; r != nil {
		text := "running totals"
		if len(r.Key) > 0 {
			text += " by " + fieldNames(r.Key)
		}
		text += ", keys expire after " + plan.Span(r.Expire)
		if r.Emit > 0 {
			return text + ", changed ones every " + plan.Span(r.Emit)
		}
		return text + ", a row per change"
	}
	if a := s.Spec.Apply; a != nil {
		return "apply " + a.Func
	}
	if t := s.Spec.Top; t != nil {
		text := fmt.Sprintf("top %d by %s", t.N, t.By.Name)
		if len(t.Per) > 0 {
			text += " per " + fieldNames(t.Per)
		}
		if len(t.Ties) > 0 {
			text += ", ties by " + fieldNames(t.Ties)
		}
		return text
	}
	text := "tumbling windows of " + plan.Span(s.Spec.Window.Size)
	switch w := s.Spec.Window; w.Kind {
	case spec.Session:
		text = fmt.Sprintf("sessions with a gap of %s, at most %s,", plan.Span(w.Gap), plan.Span(w.Max))
	case spec.Hopping:
		text = fmt.Sprintf("hopping windows of %s every %s", plan.Span(w.Size), plan.Span(w.Slide))
	case spec.Cumulative:
		text = fmt.Sprintf("cumulative windows of %s by %s", plan.Span(w.Size), plan.Span(w.Slide))
	case spec.Calendar:
		text = fmt.Sprintf("windows of a %s in %s", w.Unit, printable(w.Zone))
	}
	if len(s.Spec.Window.Key) > 0 {
		text += " by " + fieldNames(s.Spec.Window.Key)
	}
	return text
}

func columnNames(s *spec.Select) string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

func branchNames(r *spec.Route) string {
	var names []string
	for _, b := range r.Branches {
		names = append(names, fmt.Sprintf("%s if %s", b.Name, oneLine(b.Cond.Text)))
	}
	if r.Otherwise != "" {
		names = append(names, "else "+r.Otherwise)
	}
	return strings.Join(names, ", ")
}

func fieldNames(fields []*spec.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// number is n with its digits in groups of three where there are many.
func number(n int64) string {
	digits := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	if len(digits) < 6 {
		return sign + digits
	}
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return sign + strings.Join(append([]string{digits}, groups...), "_")
}

// constants are the numbers of the spec, one on a line, so that a change of one is a change of one line.
func constants(l *plan.Pipeline) string {
	var b strings.Builder
	b.WriteString("// Spans of event time are in nanoseconds.\nconst (\n")
	span := func(name string, ns int64) { fmt.Fprintf(&b, "\t%s = %s // %s\n", name, number(ns), plan.Span(ns)) }
	for _, s := range l.Sources {
		span(s.Lag, s.Spec.Time.OutOfOrderness)
		if s.Ahead != "" {
			span(s.Ahead, s.Spec.Time.Future)
		}
		fmt.Fprintf(&b, "\t%s = %s // bytes\n", s.Max, number(s.Spec.MaxRecord))
		if s.AgeWarn != "" {
			span(s.AgeWarn, s.Spec.AgeWarn)
		}
	}
	if m := l.Limits; m != nil {
		fmt.Fprintf(&b, "\t%s = %s // of each stage: %s\n", m.Const, number(m.Keys), limitWords(l))
	}
	for _, s := range l.Stages {
		if d := s.Dedup; d != nil {
			span(d.Horizon, s.Spec.Dedup.Horizon)
			span(d.Spread, s.Spec.Dedup.Spread)
			fmt.Fprintf(&b, "\t%s = %s // %s: ids are freed by it\n", d.Interval, number(d.IntervalValue), plan.Span(d.IntervalValue))
		}
		if w := s.Window; w != nil {
			for _, c := range []struct {
				name string
				ns   int64
			}{{w.Gap, s.Spec.Window.Gap}, {w.Max, s.Spec.Window.Max}, {w.Size, s.Spec.Window.Size}, {w.Slide, s.Spec.Window.Slide}, {w.Offset, s.Spec.Window.Offset}} {
				if c.name != "" {
					span(c.name, c.ns)
				}
			}
			if w.Allowed != "" {
				span(w.Allowed, s.Spec.Window.Late.Allowed)
			}
			if w.First != "" {
				fmt.Fprintf(&b, "\t%s = %s\n", w.First, number(s.Spec.Window.Revision))
			}
			maxValues(&b, w.Group, s.Spec.Window.MaxValues)
		}
		if r := s.Running; r != nil {
			span(r.Expire, s.Spec.Running.Expire)
			if r.Every != "" {
				span(r.Every, s.Spec.Running.Emit)
			}
			maxValues(&b, r.Group, s.Spec.Running.MaxValues)
		}
		if t := s.Top; t != nil {
			fmt.Fprintf(&b, "\t%s = %s // rows of a group\n", t.N, number(s.Spec.Top.N))
		}
	}
	b.WriteString(")")
	return b.String()
}

// maxValues is how many values a piece of a group holds.
func maxValues(b *strings.Builder, g *plan.Group, most int64) {
	if g.MaxValues != "" {
		fmt.Fprintf(b, "\t%s = %s // of an aggregate, for a key\n", g.MaxValues, number(most))
	}
}

// described is the variable that tells the runtime what the pipeline is.
func described(l *plan.Pipeline) string {
	var b strings.Builder
	text := l.Spec.Doc
	if len(text) == 0 {
		text = []string{fmt.Sprintf("%s is the pipeline %s.", l.Var, l.Spec.Name)}
	}
	b.WriteString(doc(text...) + "\n")
	fmt.Fprintf(&b, "var %s = task.Pipeline{\n\tName: %q,\n\tSpec: %q,\n", l.Var, l.Spec.Name, l.Spec.File)
	fmt.Fprintf(&b, "\tNew: func(batch int) task.Processor { return %s(batch) },\n", l.New)
	fmt.Fprintf(&b, "\tSources: %s,\n", sourcePlaces(l))
	b.WriteString("\tSinks: []task.Sink{\n")
	for _, s := range l.Sinks {
		how := ""
		switch {
		case s.Spec.Raw:
			how = ", Raw: true"
		case s.Header != "":
			how = fmt.Sprintf(", Header: %q", s.Header)
		}
		if r := s.Spec.Retry; r != nil {
			how += fmt.Sprintf(", Retry: &task.Retry{Base: %s, Max: %s, Tries: %d}", duration(r.Base), duration(r.Max), r.Tries)
		}
		fmt.Fprintf(&b, "\t\t{Name: %q, Target: %s%s},\n", s.Spec.Name, target(s.Spec.Target), how)
	}
	b.WriteString("\t},\n")
	if d := l.Spec.DeadLetter; d != nil {
		fmt.Fprintf(&b, "\tDeadLetter: &task.DeadLetter{Target: %s, StopShare: %v, StopOf: %d},\n", target(d.Target), d.StopShare, d.StopOf)
	}
	if l.Spec.Commit != nil {
		fmt.Fprintf(&b, "\tCommit: %s,\n", commit(l))
	}
	if m := l.Spec.Limits; m != nil && m.Fail {
		b.WriteString("\tStopFull: true,\n")
	}
	fmt.Fprintf(&b, "\tCounters: %s[:],\n", l.CounterTable)
	if l.Applies() {
		b.WriteString("\tAllocates: true,\n")
	}
	b.WriteString("}")
	return b.String()
}

// steps says whether the pipeline has stages that make rows in steps of the watermark.
func steps(l *plan.Pipeline) bool {
	for _, s := range l.Stages {
		if s.Steps() {
			return true
		}
	}
	return false
}

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
	if !steps(l) {
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
	calls = append(calls, member("refuse").Call())
	if steps(l) {
		calls = append(calls, member("advance").Call())
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

func end(l *plan.Pipeline) jen.Code {
	about := "End steps the watermark past every event time: all windows close."
	body := []jen.Code{
		jen.Id("before").Op(":=").Add(member("input", "Value")),
		member("input", "End").Call(),
		member("segments", "Step").Call(jen.Id("before"), member("input", "Value")),
		member("advance").Call(),
	}
	if l.Merges() {
		body = []jen.Code{member("Step").Call(jen.Op("stream.Always"))}
	} else if !steps(l) {
		about, body = "End steps the watermark past every event time.", []jen.Code{member("input", "End").Call()}
	}
	return comment(about).
		Func().Params(receiver(l)).Id("End").Params().Block(body...)
}

// step is what a pipeline with several inputs does when the watermark moves without a record.
func step(l *plan.Pipeline) jen.Code {
	body := []jen.Code{member("inputs", "Value").Op("=").Id("w"), member("inputs", "Steps").Op("++")}
	if steps(l) {
		body = []jen.Code{
			member("in").Op("=").Op("&").Add(member("own")).Op("// the block of the last record may be in other hands"),
			member("segments", "Step").Call(member("inputs", "Value"), jen.Id("w")),
			member("inputs", "Value").Op("=").Id("w"),
			member("advance").Call(),
			member("recycle").Call(),
			member("inputs", "Steps").Op("++"),
		}
	}
	return comment("Step steps the watermark to w without a record: an input has ended, or is idle.").
		Func().Params(receiver(l)).Id("Step").Params(jen.Id("w").Int64()).Block(body...)
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

// advance is a list of calls: stages that read windows, closes, and sinks as soon as all they read is there.
func advance(l *plan.Pipeline) jen.Code {
	body := []jen.Code{
		jen.Id("w").Op(":=").Add(member("segments", "After").Call()),
		jen.If(jen.Id("w").Op("<").Add(member("segments", "Due"))).Block(jen.Return()),
	}
	ready := map[*plan.Flow]bool{}
	done := map[*plan.Sink]bool{}
	var due []jen.Code
	for _, s := range l.Stages {
		if s.In.Maker != nil {
			body = append(body, member(s.Method).Call())
		}
		for _, out := range s.Outputs() {
			ready[out] = true
		}
		var each, sinks []jen.Code // that can write now: for each window of s, and once
		for _, k := range l.Sinks {
			if k.In.Maker == nil || done[k] {
				continue
			}
			all := true
			for _, from := range k.From {
				all = all && ready[from]
			}
			if !all {
				continue
			}
			done[k] = true
			if l.ByWindow(s) && slices.Contains(k.From, s.Out) {
				each = append(each, member(k.Method).Call())
			} else {
				sinks = append(sinks, member(k.Method).Call())
			}
		}
		switch {
		case l.ByWindow(s):
			body = append(body, jen.For(jen.List(jen.Id("mark"), jen.Id("refused")).Op(":=").List(member("in", "Mark").Call(), jen.Len(member("refused"))),
				member(s.Window.Close).Call(jen.Id("mark"), jen.Id("refused")), jen.Empty()).Block(each...))
		case s.Window != nil:
			body = append(body, member(s.Window.Close).Call())
		case s.Running != nil && s.Running.Publish != "":
			body = append(body, member(s.Running.Publish).Call())
		}
		if s.Steps() {
			due = append(due, member("state", s.Method, "due").Call(jen.Id("w")))
		}
		body = append(body, sinks...)
	}
	next := due[0]
	if len(due) > 1 {
		next = jen.Min(due...)
	}
	body = append(body, member("refuse").Call(), member("segments", "Due").Op("=").Add(next))
	return comment("advance steps the watermark through the nodes in the order of the arrows.").
		Func().Params(receiver(l)).Id("advance").Params().Block(body...)
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
