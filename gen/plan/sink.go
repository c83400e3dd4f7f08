package plan

import (
	"fmt"
	"slices"
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
	target := targetWords(s.Spec.Target)
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

// targetWords says where rows go and when they can be seen.
func targetWords(t spec.Target) string {
	switch {
	case t.Stdout:
		return "standard output"
	case t.Write == spec.WriteAppend:
		return t.Path + ", appended"
	case t.Write == spec.WriteRolling:
		return t.Path + ", files complete with the first commit " + RollingWords(t)
	}
	return t.Path + ", whole at the end"
}

// RollingWords says when a file of a rolling target is complete.
func RollingWords(t spec.Target) string {
	var bounds []string
	if t.Rows > 0 {
		bounds = append(bounds, fmt.Sprintf("%d rows", t.Rows))
	}
	if t.Size > 0 {
		bounds = append(bounds, fmt.Sprintf("%d bytes", t.Size))
	}
	if t.Window > 0 {
		bounds = append(bounds, Span(t.Window)+" of event time")
	}
	return "after " + strings.Join(bounds, " or ")
}

// OneWindow says whether rows of s that are made and written together are of one window.
func (l *Pipeline) OneWindow(s *Stage) bool {
	return l.ByWindow(s) && s.Window.Gap == "" && !s.Spec.Updates()
}

// ByWindow says whether the rows of window s can be made and written a window at a time, or some sessions at a time, when a step closes several: only sinks read them, and none of those reads anything
// else, so that no order between rows of different nodes is lost.
func (l *Pipeline) ByWindow(s *Stage) bool {
	if s.Window == nil || s.Spec.Updates() && !s.Window.Records {
		return false // rows of a step would come with those that windows which have ended give again
	}
	for _, other := range l.Stages {
		if slices.Contains(other.From, s.Out) {
			return false
		}
	}
	for _, k := range l.Sinks {
		if slices.Contains(k.From, s.Out) && len(k.From) > 1 {
			return false
		}
	}
	return true
}

// Uncut says whether what ends in stage s cuts no segment: sessions end at any time, one by one, and where only sinks read their rows these can all be made behind the last record. A row of
// a key that has one which has ended must settle it first.
func (l *Pipeline) Uncut(s *Stage) bool {
	return s.Window != nil && s.Window.Gap != "" && !s.Spec.Updates() && l.ByWindow(s)
}

// Uncuts says whether there is such a stage.
func (l *Pipeline) Uncuts() bool { return slices.ContainsFunc(l.Stages, l.Uncut) }
