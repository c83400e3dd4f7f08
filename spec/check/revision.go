package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// firstRevision reads the revision that a window's first rows have.
func (c *checker) firstRevision(n *load.Node, w *spec.Window) {
	r := n.Field("revision")
	switch {
	case r == nil:
	case r.Int < 0:
		c.add(diag.NumberRange, r.Pos, r.Path, fmt.Sprintf("a first revision of %d", r.Int), "want 0 or more")
	default:
		w.Revision, w.Numbered = r.Int, true
	}
}

// revisionColumns are the columns that say of rows which of them hold.
func revisionColumns(n *load.Node, w *spec.Window) []*spec.Field {
	if !w.HasRevision() {
		return nil
	}
	columns := []*spec.Field{column("revision", []string{"Which row of the window it is; a later one has a higher number and replaces it."}, n.NamePos, &spec.Type{Kind: spec.Int})}
	if w.Retracts() {
		columns = append(columns, column("retracted", []string{"The session is gone: its rows have become part of another one's."}, n.NamePos, &spec.Type{Kind: spec.Bool}))
	}
	return columns
}

// behindRevisions reports what stands behind a stage whose later rows replace earlier ones, and cannot take that (SEMANTICS 23, 50).
func (g *graph) behindRevisions() {
	for _, s := range g.p.Stages {
		of := g.revised(s.From)
		if of == nil || s.Top != nil && of.Retracts() { // a top of sessions is refused as such
			continue
		}
		if s.Select == nil {
			from := g.written[s.Name].Field("from")
			if s.Window != nil && of.Running != nil {
				g.add(diag.BehindRevision, from.Pos, from.Path, fmt.Sprintf("rows of %s are the totals of a key so far: they have no event time that would put them into one window", of.Name),
					fmt.Sprintf("let the window read what %s reads", of.Name))
				continue
			}
			g.add(diag.BehindRevision, from.Pos, from.Path, fmt.Sprintf("a later row of %s replaces an earlier one, which this stage has worked on already", of.Name),
				"only select, set and sinks can follow; do the rest before "+of.Name)
			continue
		}
		g.identified(s, of)
	}
	for i, s := range g.p.Sinks {
		n := g.node.Field("sink").Fields[i]
		of := g.revised(s.From)
		switch {
		case of != nil && s.Mode == spec.ModeAppend:
			identity := "a key"
			if of.Window != nil {
				identity = "a key and window"
			}
			g.add(diag.BehindRevision, n.NamePos, n.Path, fmt.Sprintf("a later row of %s replaces an earlier one, and an appended file takes both as they are", of.Name),
				fmt.Sprintf("write mode: \"changelog\" to say that readers take the row with the highest revision of %s", identity))
		case of == nil && s.Mode == spec.ModeChangelog && s.In != nil && !g.numbered(s.InFrom):
			m := n.Field("mode")
			g.add(diag.SinkMode, m.Pos, m.Path, fmt.Sprintf("the rows of %s have no revision: none replaces an earlier one", s.From[0]), "leave mode out: each row is final")
		}
	}
}

// numbered says whether the rows of a maker have revisions, or are made of rows that have, which take the place of those of another run.
func (g *graph) numbered(maker string) bool {
	for s := g.stages[maker]; s != nil; s = g.stages[s.InFrom] {
		if s.Running != nil || s.Window != nil && s.Window.HasRevision() {
			return true
		}
	}
	return false
}

// identified reports a select or set behind a stage with revisions that drops or overwrites a column by which readers of a changelog tell which row replaces which.
func (g *graph) identified(s, of *spec.Stage) {
	if s.Out == nil || g.stages[s.InFrom] == nil {
		return // reported already
	}
	before, after := g.carried(g.stages[s.InFrom], of), g.carried(s, of)
	var lost, words []string
	for _, name := range identity(of) {
		if before[name] != "" && after[name] == "" {
			lost = append(lost, before[name])
			words = append(words, fmt.Sprintf("%s: %q", before[name], before[name]))
		}
	}
	if len(lost) == 0 {
		return
	}
	n, as, hint := g.written[s.Name].Field("select"), "it", fmt.Sprintf("write %s among its fields", strings.Join(words, ", "))
	other := "give the field another name"
	if len(lost) > 1 {
		as, other = "them", "give the fields other names"
	}
	if n == nil {
		n, hint = g.written[s.Name].Field("set"), other
	}
	g.add(diag.BehindRevision, n.NamePos, n.Path, fmt.Sprintf("without %s as %s has %s nobody could tell which row replaces which", strings.Join(lost, ", "), of.Name, as), hint)
}

// identity names the columns of a stage with revisions that say which row is replaced by which: those that they have in common, and those by which they differ (SEMANTICS 22).
func identity(of *spec.Stage) []string {
	var names []string
	var key []*spec.Field
	if w := of.Window; w != nil {
		names, key = []string{"window_start", "window_end"}, w.Key
	} else {
		key = of.Running.Key
	}
	for _, f := range key {
		names = append(names, f.Name)
	}
	names = append(names, "revision")
	if of.Window != nil && of.Window.Retracts() {
		names = append(names, "retracted")
	}
	return names
}

// carried says under which names the rows of s, which is of or a select or set behind it, have the identity of of unchanged; what they do not have is missing.
func (g *graph) carried(s, of *spec.Stage) map[string]string {
	names := map[string]string{}
	switch {
	case s == of:
		for _, name := range identity(of) {
			names[name] = name
		}
	case s.Select != nil && g.stages[s.InFrom] != nil:
		for name, in := range g.carried(g.stages[s.InFrom], of) {
			if kept := s.Select.Keeps(in); kept != "" {
				names[name] = kept
			}
		}
	}
	return names
}

// revised is the stage whose rows some of the references bring, as they are or behind select and set, when later ones replace earlier ones; nil when there is none.
func (g *graph) revised(from []spec.Ref) *spec.Stage {
	for _, r := range from {
		s := g.stages[r.Node]
		switch {
		case s == nil:
		case s.Running != nil, s.Updates() && r.Output == "":
			return s
		case s.Select != nil:
			if of := g.revised(s.From); of != nil {
				return of
			}
		}
	}
	return nil
}
