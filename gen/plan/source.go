package plan

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
)

// Source is the plan of the source.
type Source struct {
	Spec    *spec.Source
	Place   int // in the spec, from 0
	Out     *Flow
	At      string   // Go expression of the event time of the event e of row r
	Scale   int64    // ns of one unit, when the time is a plain int: its event time is in the column p.time; else 0. With several inputs all event times are there
	Leaves  []Leaf   // by the decoder's field number - 1
	Time    int      // field number of the event time
	Was     []string // names that it may have in commits, beside its own
	Records string   // counter
	Passed  string   // counter

	AgeWarn, Old, Early                 string // constant and counters of events that are older, and of those ahead of the clock; "" when nobody looks at their age
	Decode, TooLarge, TimeRange, Future string // sites; Decode + n is that of field n; Future is "" without a guard
	Contract                            string // site of the event time's contract
	Lag, Ahead, Max                     string // constants: out_of_orderness, future, max_record
	Batch, New                          string // type of a batch that was decoded, and its constructor; of a pipeline with one input
	Method                              string // decodes records; of a pipeline with several inputs
}

// Merges says whether the pipeline has several inputs, whose records are read in the order of their event times, or steps without records.
func (l *Pipeline) Merges() bool {
	if len(l.Spec.Sources) > 1 {
		return true
	}
	for _, s := range l.Spec.Sources {
		if s.PerFile {
			return true
		}
	}
	return l.Idles()
}

// Idles says whether inputs can be idle. Then the watermark may be further than that of the input that a record comes from.
func (l *Pipeline) Idles() bool {
	for _, s := range l.Spec.Sources {
		if s.Time.Idle != nil {
			return true
		}
	}
	return false
}

// SourceOf is the source whose records a stage reads, as they came or as others have made rows of them; of several the first.
func (l *Pipeline) SourceOf(s *spec.Stage) *Source { return l.sourcesOf(s.From)[0] }

// Lag is the longest out_of_orderness of the sources whose records a stage reads.
func (l *Pipeline) Lag(s *spec.Stage) (lag int64) {
	for _, src := range l.sourcesOf(s.From) {
		lag = max(lag, src.Spec.Time.OutOfOrderness)
	}
	return lag
}

// sourcesOf are the sources that some outputs come from.
func (l *Pipeline) sourcesOf(from []spec.Ref) (all []*Source) {
	for _, ref := range from {
		for _, src := range l.Sources {
			if src.Spec.Name == ref.Node {
				all = append(all, src)
			}
		}
		for _, stage := range l.Spec.Stages {
			if stage.Name == ref.Node {
				all = append(all, l.sourcesOf(stage.From)...)
			}
		}
	}
	return all
}

// Leaf is a field of an event, at any depth, with the path to it. Structs inside the event are leaves too: they can be missing.
type Leaf struct {
	Path  string
	Field *Field
}

func (l *Pipeline) planSource(i int, s *spec.Source) {
	name := unexported(s.Name)
	src := &Source{Spec: s, Place: i, Lag: l.name(name + "OutOfOrderness"), Max: l.name(name + "MaxRecord")}
	if l.Merges() {
		src.Method = l.members.unique("decode" + exported(s.Name))
	} else {
		src.Batch, src.New = l.name(name+"Batch"), l.name("new"+exported(name)+"Batch")
	}
	if i == 0 {
		l.Source = src
	}
	event := l.Package.structs[s.Event]
	src.Out = l.flow(s.Name, event, nil, "", "r")
	for _, other := range l.Sources { // a batch is of one source, so those of one type share a column
		if other.Out.Struct == event {
			src.Out.Column = other.Out.Column
		}
	}
	l.Sources = append(l.Sources, src)
	src.Leaves = leaves(event, "")
	for i, leaf := range src.Leaves {
		if leaf.Field.Spec == s.Time.Field {
			src.Time = i + 1
			src.At = "e." + leaf.Field.Name
			if leaf.Field.Spec.Type.Kind == spec.Int {
				src.Scale = map[spec.TimeFormat]int64{spec.UnixSeconds: 1e9, spec.UnixMillis: 1e6, spec.UnixMicros: 1e3, spec.UnixNanos: 1}[s.Time.Unit]
				src.At = "p.time[r.Record]"
			}
			if l.Merges() { // rows of several sources may meet, whose times are in different fields
				src.At = "p.time[r.Record]"
			}
		}
	}
	src.Out.At = src.At
	src.Records = l.counter(s.Name, "Records", "records")
	src.Passed = l.counter(s.Name, "Out", "out")
	src.Decode = l.site(0, Site{Node: s.Name, Reason: "decode"}, "decode")
	for i, leaf := range src.Leaves {
		site := l.site(0, Site{Node: s.Name, Reason: "contract:" + leaf.Path, Field: leaf.Path, Want: Want(leaf.Field.Spec)}, leaf.Path)
		if i+1 == src.Time {
			src.Contract = site
		}
	}
	src.TooLarge = l.site(0, Site{Node: s.Name, Reason: "too_large"}, "too_large")
	src.TimeRange = l.site(0, Site{Node: s.Name, Reason: "time_range", Field: s.Time.Field.Name}, "time_range")
	if s.AgeWarn > 0 {
		src.AgeWarn = l.name(name + "AgeWarn")
		src.Old = l.counter(s.Name, "Note", "old")
		src.Early = l.counter(s.Name, "Note", "ahead")
	}
	if s.Time.Future != spec.FutureOff {
		src.Ahead = l.name(name + "Future")
		src.Future = l.site(0, Site{Node: s.Name, Reason: "future", Field: s.Time.Field.Name}, "future")
	}
}

// Want says what a field's contract asks for, in the spec's words.
func Want(f *spec.Field) string {
	text := typeText(f)
	for _, c := range f.Checks {
		if c.Op == spec.CheckOneOf {
			text = c.Text
		} else {
			text += " & " + c.Text
		}
	}
	for _, c := range f.Items {
		text += " & " + c.Text
	}
	if f.Null {
		text += " | null"
	}
	return text
}

func typeText(f *spec.Field) string {
	switch f.Type.Kind {
	case spec.Bool:
		return "bool"
	case spec.Int:
		return "int"
	case spec.Double:
		return "number"
	case spec.String:
		return "string"
	case spec.Bytes:
		return "string in base64"
	case spec.Decimal:
		switch f.Type.Scale {
		case 0:
			return "whole number"
		case 1:
			return "number of at most 1 digit behind the point"
		}
		return fmt.Sprintf("number of at most %d digits behind the point", f.Type.Scale)
	case spec.Timestamp:
		return [...]string{"time", "RFC 3339 time", "time in Unix seconds", "time in Unix milliseconds", "time in Unix microseconds", "time in Unix nanoseconds"}[f.Time]
	case spec.List:
		return "list of " + typeText(&spec.Field{Type: f.Type.Elem, Time: f.Time})
	}
	return "object"
}
