package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// runningColumns are the columns that running gives by itself.
var runningColumns = ownColumns{"running keeps it for a column of its own", []string{"since", "as_of", "partial", "revision"}}

// running checks the words of a running that do not depend on its rows.
func (c *checker) running(n *load.Node) *spec.Running {
	r := &spec.Running{}
	r.Expire, _ = c.duration(n.Field("expire"), 1)
	switch emit := n.Field("emit"); {
	case emit.Text == "change":
	case !strings.ContainsAny(emit.Text, "0123456789"):
		c.add(diag.BadDuration, emit.Pos, emit.Path, fmt.Sprintf("%q is neither \"change\" nor a duration", emit.Text),
			"emit: \"change\" gives a row for each row that came in, emit: \"1m\" the changed keys once a minute")
	default:
		r.Emit, _ = c.duration(emit, 1)
	}
	if a := n.Field("aggregate"); len(a.Fields) == 0 {
		c.add(diag.NoAggregate, a.NamePos, a.Path, "the running has no aggregate", "write at least one column: aggregate: count: \"count()\"")
	}
	return r
}

// totals checks key and aggregates of a running over its rows, and makes the row that it gives. ok is false when there was a mistake.
func (g *graph) totals(n *load.Node, s *spec.Stage, name string) (out *spec.Struct, ok bool) {
	r := s.Running
	r.Key, ok = g.groupKey(n, s.In, runningColumns)
	out = &spec.Struct{Name: name, Pos: n.NamePos}
	for _, f := range r.Key {
		kept := column(f.Name, f.Doc, f.Pos, f.Type)
		kept.Longest = max(0, f.LongestText())
		out.Fields = append(out.Fields, kept)
	}
	out.Fields = append(out.Fields,
		timeColumn("since", "Event time of the oldest row counted.", n.NamePos),
		timeColumn("as_of", "Event time of the newest row counted.", n.NamePos),
	)
	aggregates, good := g.aggregates(n, s.In, out, runningColumns, &r.Calls)
	r.Aggregates = aggregates
	r.MaxValues = g.maxValues(n, r.Calls, good)
	out.Fields = append(out.Fields, column("revision", []string{"Number of the record that changed the key last; a later row has a higher one."}, n.NamePos, &spec.Type{Kind: spec.Int}))
	if emit := n.Field("emit"); emit.Text == "change" && g.stepped(s.InFrom) {
		g.add(diag.BehindRevision, emit.Pos, emit.Path, fmt.Sprintf("the rows of %s come several at once: their changes would share one revision", s.InFrom), "write how often changed keys are emitted: emit: \"1m\"")
		good = false
	}
	return out, ok && good
}

// stepped says whether the rows of a maker can come several at once: with steps of the watermark, or from a function.
func (g *graph) stepped(maker string) bool {
	for s := g.stages[maker]; s != nil; s = g.stages[s.InFrom] {
		if s.Window != nil || s.Apply != nil || s.Running != nil && s.Running.Emit > 0 {
			return true
		}
	}
	return false
}
