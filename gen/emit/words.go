package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

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
