package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
)

// steps says whether the pipeline has stages that make rows in steps of the watermark.
func steps(l *plan.Pipeline) bool {
	for _, s := range l.Stages {
		if s.Steps() {
			return true
		}
	}
	return false
}

func end(l *plan.Pipeline) jen.Code {
	about := "End steps the watermark past every event time: all windows close."
	body := []jen.Code{
		jen.Id("before").Op(":=").Add(member("input", "Value")),
		member("input", "End").Call(),
		member("segments", "Step").Call(jen.Id("before"), member("input", "Value")),
		member("advance").Call(),
		refused(l),
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
			refused(l),
			member("recycle").Call(),
			member("inputs", "Steps").Op("++"),
		}
	}
	return comment("Step steps the watermark to w without a record: an input has ended, or is idle.").
		Func().Params(receiver(l)).Id("Step").Params(jen.Id("w").Int64()).Block(body...)
}

// dues are what says when something is to be done next: in stages whose rows cut segments, and in the others.
func dues(l *plan.Pipeline) (cuts, others []jen.Code) {
	for _, s := range l.Stages {
		due := member("state", s.Method, "due").Call(jen.Id("w"))
		switch {
		case l.Uncut(s):
			others = append(others, due)
		case s.Steps():
			cuts = append(cuts, due)
		}
	}
	return cuts, others
}

// nextStep is what says when a step has something to do.
func nextStep(l *plan.Pipeline) []jen.Code {
	cuts, others := dues(l)
	if len(cuts) > 0 {
		others = append([]jen.Code{member("segments", "Due")}, others...)
	}
	return others
}

// earliest is the least of some times.
func earliest(times []jen.Code) jen.Code {
	if len(times) == 1 {
		return times[0]
	}
	return jen.Min(times...)
}

// refused is the call that writes the dead letters behind a step without a record.
func refused(l *plan.Pipeline) jen.Code {
	if l.Uncuts() {
		return member("refuse").Call(jen.Lit(0))
	}
	return jen.Null()
}

// advance is a list of calls: stages that read windows, closes, and sinks as soon as all they read is there.
func advance(l *plan.Pipeline) jen.Code {
	body := []jen.Code{
		jen.Id("w").Op(":=").Add(member("segments", "After").Call()),
		jen.If(jen.Id("w").Op("<").Add(earliest(nextStep(l)))).Block(jen.Return()),
	}
	ready := map[*plan.Flow]bool{}
	done := map[*plan.Sink]bool{}
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
			refused := jen.Len(member("refused"))
			if s.Spec.Updates() && l.Uncuts() {
				refused = jen.Lit(0) // records have left rows, of which dead letters are made, too
			}
			body = append(body, jen.For(jen.List(jen.Id("mark"), jen.Id("refused")).Op(":=").List(member("in", "Mark").Call(), refused),
				member(s.Window.Close).Call(jen.Id("mark"), jen.Id("refused")), jen.Empty()).Block(each...))
		case s.Window != nil:
			body = append(body, member(s.Window.Close).Call())
		case s.Running != nil && s.Running.Publish != "":
			body = append(body, member(s.Running.Publish).Call())
		}
		body = append(body, sinks...)
	}
	if !l.Uncuts() {
		body = append(body, member("refuse").Call())
	}
	if cuts, _ := dues(l); len(cuts) > 0 {
		body = append(body, member("segments", "Due").Op("=").Add(earliest(cuts)))
	}
	return comment("advance steps the watermark through the nodes in the order of the arrows.").
		Func().Params(receiver(l)).Id("advance").Params().Block(body...)
}
