package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// dedup checks the words of a dedup that do not depend on its rows.
func (c *checker) dedup(n *load.Node) *spec.Dedup {
	d := &spec.Dedup{Late: c.late(n.Field("late"), false)}
	d.Horizon, _ = c.duration(n.Field("horizon"), 1)
	if s := n.Field("spread"); s != nil {
		d.Spread, _ = c.duration(s, 0)
	}
	if m := n.Field("on_missing"); m != nil {
		d.PassNoID = m.Text == "pass"
	}
	if by := n.Field("by"); len(by.List) == 0 {
		c.add(diag.ByEmpty, by.Pos, by.Path, "the id has no field", "name the fields that tell one event from another: by: [\"order_id\"]")
	}
	return d
}

// idType says that fields of a type can be an id.
func idType(t *spec.Type) bool {
	return slices.Contains([]spec.Kind{spec.String, spec.Bytes, spec.Int, spec.Decimal, spec.Bool, spec.Timestamp}, t.Kind)
}

// horizon checks that a dedup remembers an id for as long as a window behind it still takes a copy (SEMANTICS 27).
func (g *graph) horizon(s *spec.Stage) {
	d := s.Dedup
	n := g.written[s.Name].Field("dedup").Field("horizon")
	if d.Horizon == 0 {
		return // reported already
	}
	var longest *spec.Stage
	for _, w := range g.windowsBehind(s) {
		if longest == nil || w.Window.Counts() > longest.Window.Counts() {
			longest = w
		}
	}
	if longest == nil {
		if d.Horizon <= d.Spread {
			g.add(diag.ShortHorizon, n.Pos, n.Path, fmt.Sprintf("a horizon of %s is too short: copies that are %s apart would pass", span(d.Horizon), span(d.Spread)),
				"it must be more than spread, "+span(d.Spread))
		}
		return
	}
	need := d.Spread + longest.Window.Counts()
	if need < 0 {
		need = math.MaxInt64
	}
	if d.Horizon < need {
		sum := "the window's size"
		switch w := longest.Window; w.Kind {
		case spec.Session:
			sum = "the window's max"
		case spec.Calendar:
			sum = fmt.Sprintf("the longest %s of %s", w.Unit, w.Zone)
		}
		if longest.Window.Late.Allowed > 0 {
			sum += " and its allowed_lateness"
		}
		if d.Spread > 0 {
			sum = "spread and " + sum
		}
		g.add(diag.ShortHorizon, n.Pos, n.Path,
			fmt.Sprintf("a horizon of %s is too short: the window of stage %s would still count a copy when its id is forgotten", span(d.Horizon), longest.Name),
			fmt.Sprintf("at least %s, %s", span(need), sum))
	}
}

// windowsBehind finds the windows that rows which a dedup let through can reach without passing another window.
func (g *graph) windowsBehind(dedup *spec.Stage) []*spec.Stage {
	var windows []*spec.Stage
	seen := map[spec.Ref]bool{}
	var walk func(out spec.Ref)
	walk = func(out spec.Ref) {
		out.Pos = diag.Pos{}
		if seen[out] {
			return
		}
		seen[out] = true
		for _, s := range g.p.Stages {
			for _, r := range s.From {
				if r.Node != out.Node || r.Output != out.Output {
					continue
				}
				if s.Window != nil {
					if s.Window.Longest() > 0 {
						windows = append(windows, s)
					}
				} else {
					walk(spec.Ref{Node: s.Name})
				}
				walk(spec.Ref{Node: s.Name, Output: "late"})
			}
		}
	}
	walk(spec.Ref{Node: dedup.Name})
	return windows
}
