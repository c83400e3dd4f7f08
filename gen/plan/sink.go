package plan

import (
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// Sink is the plan of one sink.
type Sink struct {
	Spec    *spec.Sink
	Method  string
	From    []*Flow // one, or those that In merges
	In      *Flow
	InCount string // counter
	Header  string // the line above rows of CSV; "" for JSON, and for records of the source, which bring their own
}

func (l *Pipeline) planSink(s *spec.Sink) {
	sink := &Sink{Spec: s, Method: l.members.first(unexported(s.Name), unexported(s.Name)+"Sink"), InCount: l.counter(s.Name, "In", "in")}
	sink.From, sink.In = l.input(s.Name, s.From)
	if s.Format == "csv" && !s.Raw {
		sink.Header = header(s.In)
	}
	l.Sinks = append(l.Sinks, sink)
}

// header is the names of a row's fields as a line of CSV (RFC 4180, section 2).
func header(row *spec.Struct) string {
	names := make([]string, len(row.Fields))
	for i, f := range row.Fields {
		names[i] = f.Name
		if strings.ContainsAny(f.Name, ",\"\r\n") {
			names[i] = `"` + strings.ReplaceAll(f.Name, `"`, `""`) + `"`
		}
	}
	return strings.Join(names, ",") + "\n"
}

// words says where the rows go and how they are written.
func (s *Sink) words() string {
	target := s.Spec.Target.Path
	switch {
	case s.Spec.Target.Stdout:
		target = "standard output"
	case s.Spec.Target.Write == spec.WriteAppend:
		target += ", appended"
	default:
		target += ", whole at the end"
	}
	switch {
	case s.Spec.Raw:
		target += "; the records as they came"
	case s.Header != "":
		target += "; CSV"
	}
	if s.Spec.Mode == spec.ModeChangelog {
		target += "; changelog: a row that replaces another stands behind it"
	}
	return target
}
