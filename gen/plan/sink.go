package plan

import "github.com/streamwright/streamwright/spec"

// Sink is the plan of one sink.
type Sink struct {
	Spec    *spec.Sink
	Method  string
	From    []*Flow // one, or those that In merges
	In      *Flow
	InCount string // counter
}

func (l *Pipeline) planSink(s *spec.Sink) {
	sink := &Sink{Spec: s, Method: l.members.first(unexported(s.Name), unexported(s.Name)+"Sink"), InCount: l.counter(s.Name, "In", "in")}
	sink.From, sink.In = l.input(s.Name, s.From)
	l.Sinks = append(l.Sinks, sink)
}
