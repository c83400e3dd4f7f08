package explain

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// fates is a table of everything that can happen to a record or row, node by node: what is counted, and where it goes.
func (e *explainer) fates() {
	e.title("The fate of every record")
	dead := "stops the run: there is no dead_letter"
	if d := e.l.Spec.DeadLetter; d != nil {
		dead = "dead letter in " + d.Target.Path
		e.say("Each record or row ends in exactly one line of its node. A record that a node refuses becomes a dead letter; the run stops when %s of the last %d records were refused.",
			share(d.StopShare), d.StopOf)
		e.retry(d.Retry)
	} else {
		e.say("Each record or row ends in exactly one line of its node. The first that a node refuses stops the run, since there is no dead_letter.")
	}
	var rows [][3]string
	for _, c := range e.l.Counters {
		if text := e.fateOf(c, dead); text != "" {
			rows = append(rows, [3]string{c.Node, c.Name, text})
		}
	}
	var width [2]int
	for _, r := range rows {
		for i := range width {
			width[i] = max(width[i], len([]rune(r[i])))
		}
	}
	last := ""
	for _, r := range rows {
		node := r[0]
		if node == last {
			node = ""
		}
		last = r[0]
		fmt.Fprintf(e.b, "  %s%s  %s%s  %s\n", node, strings.Repeat(" ", width[0]-len([]rune(node))), r[1], strings.Repeat(" ", width[1]-len([]rune(r[1]))), r[2])
	}
}

func share(s float64) string { return fmt.Sprintf("%g%%", s*100) }

// fateOf is what a counter means, "" for counts of what comes in.
func (e *explainer) fateOf(c plan.Counter, dead string) string {
	switch c.Kind {
	case "Out":
		if s := e.stageOf(c); s != nil && s.Window != nil {
			return "rows of closed windows, to " + e.readers(c.Node)
		}
		return "to " + e.readers(c.Node)
	case "Passed":
		if r := e.route(c.Node); r != nil {
			return "to " + e.readers(c.Node+"."+c.Name)
		}
		return "to " + e.readers(c.Node)
	case "Folded":
		switch s := e.stageOf(c); {
		case s.Running != nil:
			return "counts for its key"
		case s.Top != nil:
			return "is ranked, unless what it is ranked by is null"
		}
		return "counts in its window"
	case "Side":
		return "to " + e.readers(c.Node+"."+c.Name)
	case "Dropped":
		return "counted, and gone"
	case "Refused":
		return dead + e.cause(c)
	case "RowRefused":
		if e.stageOf(c).Window == nil {
			return "the row it made: " + dead + e.cause(c)
		}
		return "the row of a window: " + dead + e.cause(c)
	}
	return ""
}

// stageOf is the stage whose counter c is; nil when it is the source's.
func (e *explainer) stageOf(c plan.Counter) *plan.Stage {
	for _, s := range e.l.Stages {
		if s.Spec.Name == c.Node {
			return s
		}
	}
	return nil
}

func (e *explainer) route(node string) *plan.Route {
	for _, s := range e.l.Stages {
		if s.Spec.Name == node {
			return s.Route
		}
	}
	return nil
}

// cause says in what way a reason comes about, where it is not the name of the reason.
func (e *explainer) cause(c plan.Counter) string {
	switch {
	case c.Name == "decode":
		return "; not one valid JSON object"
	case c.Name == "too_large":
		return fmt.Sprintf("; above %s", size(e.sourceOf(c.Node).MaxRecord))
	case c.Name == "time_range":
		return "; a time outside 1677 to 2262"
	case strings.HasPrefix(c.Name, "contract:"):
		for _, s := range e.l.Sites {
			if s.Counter == c.Const {
				return "; want " + s.Want
			}
		}
	}
	return ""
}

// readers names who reads an output.
func (e *explainer) readers(ref string) string {
	var names []string
	for _, s := range e.l.Stages {
		for _, r := range s.Spec.From {
			if r.String() == ref {
				names = append(names, s.Spec.Name)
			}
		}
	}
	for _, s := range e.l.Sinks {
		for _, r := range s.Spec.From {
			if r.String() == ref {
				names = append(names, s.Spec.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}
