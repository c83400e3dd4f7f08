package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// processor lays out the story of a pipeline: <pipeline>_gen.go.
func processor(l *plan.Pipeline) (*file, error) {
	f := &file{name: l.Stem + "_gen.go"}
	f.text("// The build ends here when the runtime is of a version that this code does not fit.\nconst _ = stream.ABI1")
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
			if d.Spread != "" {
				span(d.Spread, s.Spec.Dedup.Spread)
			}
			fmt.Fprintf(&b, "\t%s = %s // %s: ids are freed by it\n", d.Interval, number(d.IntervalValue), plan.Span(d.IntervalValue))
		}
		if w := s.Window; w != nil {
			for _, c := range []struct {
				name string
				ns   int64
			}{{w.Gap, s.Spec.Window.Gap}, {w.Max, s.Spec.Window.Max}, {w.Size, s.Spec.Window.Size}, {w.Slide, s.Spec.Window.Slide}, {w.Offset, s.Spec.Window.Offset}} {
				if c.name != "" && c.name != plan.NoOffset {
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
	text := specDoc(fmt.Sprintf("%s is the pipeline %s", l.Var, l.Spec.Name), l.Spec.Doc)
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
		how += retry(s.Spec.Retry)
		fmt.Fprintf(&b, "\t\t{Name: %q, Target: %s%s},\n", s.Spec.Name, target(s.Spec.Target), how)
	}
	b.WriteString("\t},\n")
	if d := l.Spec.DeadLetter; d != nil {
		fmt.Fprintf(&b, "\tDeadLetter: &task.DeadLetter{Target: %s, StopShare: %v, StopOf: %d%s},\n", target(d.Target), d.StopShare, d.StopOf, retry(d.Retry))
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

// retry is the field of a sink, or of the dead letters, that says how what fails is tried again.
func retry(r *spec.Retry) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf(", Retry: &task.Retry{Base: %s, Max: %s, Tries: %d}", duration(r.Base), duration(r.Max), r.Tries)
}
