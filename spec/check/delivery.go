package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// deliveries are the words of delivery.
var deliveries = map[string]spec.Delivery{"at_least_once": spec.AtLeastOnce, "effectively_once": spec.EffectivelyOnce, "exactly_once": spec.ExactlyOnce}

// delivers holds the promise of a pipeline against what each target gives, and reports each step that breaks it (SEMANTICS 46).
func (g *graph) delivers() {
	n := g.node.Field("delivery")
	if n == nil {
		return
	}
	g.p.Delivery = deliveries[n.Text]
	promise := g.p.Delivery
	for _, s := range g.p.Sources {
		if s.Path == "-" && g.p.Commit == nil {
			file := g.node.Field("source").Field(s.Name).Field("file").Field("path")
			g.add(diag.DeliveryClaim, file.Pos, file.Path, fmt.Sprintf("standard input cannot be read again, so nothing is delivered %s: what a run had read when it was killed is lost", promise),
				`write commit: dir: "state" in the pipeline: what comes is kept in a file then until it is committed; or leave delivery out`)
			return
		}
	}
	if promise == spec.ExactlyOnce && g.p.Commit == nil {
		g.add(diag.DeliveryClaim, n.Pos, n.Path, "exactly_once needs a place for commits: without them a run that is started again begins at the beginning, and knows nothing of what it wrote",
			`write commit: dir: "state" in the pipeline`)
		return
	}
	if g.p.Commit != nil && g.p.Commit.NoSync {
		sync := g.node.Field("commit").Field("sync")
		g.add(diag.DeliveryClaim, sync.Pos, sync.Path, fmt.Sprintf("%s is promised, and a commit that does not wait for the disk does not survive the end of the machine", promise), "leave sync out; or delivery")
		return
	}
	for i, s := range g.p.Sinks {
		g.keeps(promise, s.Target, "the sink "+s.Name, g.node.Field("sink").Fields[i])
	}
	if d := g.p.DeadLetter; d != nil {
		g.keeps(promise, d.Target, "dead_letter", g.node.Field("dead_letter"))
	}
	if promise != spec.EffectivelyOnce {
		return
	}
	for _, s := range g.p.Stages {
		if why := g.p.Repeats(s); why != "" {
			from := g.written[s.Name].Field("from")
			g.add(diag.DeliveryClaim, from.Pos, from.Path, fmt.Sprintf("effectively_once is promised, but a record that comes twice counts twice in %s: %s", s.Name, why),
				"put a dedup between the source and it")
		}
	}
}

// keeps reports a target that gives less than what is promised.
func (g *graph) keeps(promise spec.Delivery, t spec.Target, what string, n *load.Node) {
	gives := g.p.Guarantee(t)
	if gives.Delivery >= promise {
		return
	}
	place, hint := n.Field("file"), `write commit: dir: "state" in the pipeline`
	switch {
	case t.Stdout:
		place, hint = n.Field("stdout"), fmt.Sprintf("write a file: file: path: %q", n.Name+".ndjson")
		if g.p.Commit == nil {
			hint += `, and commit: dir: "state" in the pipeline`
		}
	case place.Field("write") != nil:
		place = place.Field("write")
	}
	g.add(diag.DeliveryClaim, place.Pos, place.Path, fmt.Sprintf("%s is promised, but %s gives %s: %s", promise, what, gives.Delivery, gives.Why), hint)
}
