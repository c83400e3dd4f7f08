package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// The bounds of limits.
const (
	mostKeys     = 1_000_000_000
	largestState = 1 << 40 // bytes
)

// limits checks how much the stages may keep; nil when nothing is said.
func (c *checker) limits(n *load.Node) *spec.Limits {
	if n == nil {
		return nil
	}
	keys, state := n.Field("keys"), n.Field("state")
	m := &spec.Limits{Pos: n.NamePos, Fail: n.Field("policy").Text == "fail"}
	if keys == nil && state == nil {
		c.add(diag.NoLimit, n.NamePos, n.Path, "the limits have neither keys nor state", "write how many keys a stage may keep: keys: 10000000; or how many bytes all of them: state: 2Gi")
	}
	if keys != nil {
		m.Keys = keys.Int
		c.within(keys, 1, mostKeys, "no number of keys that a stage can keep", "1 to 1 billion")
	}
	if state != nil {
		m.State = state.Int
		c.within(state, 1, largestState, "no size of a state in bytes", "1 to 1 Ti; 2Gi is 2 GiB")
	}
	return m
}

// limited holds the limits against the pipeline: some stage keeps something, what is refused has a place to go, and bytes can be counted.
func (g *graph) limited() {
	m, n := g.p.Limits, g.node.Field("limits")
	if m == nil {
		return
	}
	keeps := false
	for _, s := range g.p.Stages {
		keeps = keeps || s.Dedup != nil || s.Window != nil || s.Running != nil
	}
	if !keeps {
		g.add(diag.NoState, n.NamePos, n.Path, "no stage of the pipeline keeps anything, so there is nothing to limit", "leave limits out; dedup, window and running have state")
	}
	if !m.Fail && g.p.DeadLetter == nil {
		p := n.Field("policy")
		g.add(diag.NoLimit, p.Pos, p.Path, "the pipeline has no dead_letter for what is refused: the first record would stop the run", `write dead_letter: file: path: "dead.ndjson"; or policy: "fail"`)
	}
	if m.State <= 0 {
		return
	}
	for _, s := range g.p.Stages {
		var key []*spec.Field
		var calls []*spec.Call
		switch {
		case s.Window != nil:
			key, calls = s.Window.Key, s.Window.Calls
		case s.Running != nil:
			key, calls = s.Running.Key, s.Running.Calls
		}
		unbounded := func(what string) {
			state := n.Field("state")
			g.add(diag.NoLimit, state.Pos, state.Path, fmt.Sprintf("nobody knows how many bytes a key of %s takes: %s may be of any length", s.Name, what),
				"bound it in the event's contract: string & strings.MaxRunes(64); or write keys instead of state")
		}
		for _, f := range key {
			if f.Type.Kind.Text() && f.LongestText() < 0 {
				unbounded(f.Name)
			}
		}
		for _, c := range calls {
			if c.KeepsText() && c.LongestText() < 0 {
				unbounded(fmt.Sprintf("%s(…)", c.Func))
			}
		}
	}
}
