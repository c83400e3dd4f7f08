package check

import (
	"fmt"
	"slices"

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
			g.add(diag.BehindRevision, from.Pos, from.Path, fmt.Sprintf("a later row of %s replaces an earlier one, which this stage has worked on already", of.Name),
				"only select, set and sinks can follow; do the rest before "+of.Name)
			continue
		}
		if of.Retracts() && s.Out != nil && !slices.ContainsFunc(s.Out.Fields, isRetracted(s)) {
			n := g.written[s.Name].Field("select")
			hint := `write retracted: "retracted" among its fields`
			if n == nil {
				n, hint = g.written[s.Name].Field("set"), "give the field another name"
			}
			g.add(diag.BehindRevision, n.NamePos, n.Path, fmt.Sprintf("without retracted nobody could tell a row that takes an earlier one of %s back", of.Name), hint)
		}
	}
	for i, s := range g.p.Sinks {
		if of := g.revised(s.From); of != nil && s.Mode == spec.ModeAppend {
			n, identity := g.node.Field("sink").Fields[i], "a key"
			if of.Window != nil {
				identity = "a key and window"
			}
			g.add(diag.BehindRevision, n.NamePos, n.Path, fmt.Sprintf("a later row of %s replaces an earlier one, and an appended file takes both as they are", of.Name),
				fmt.Sprintf("write mode: \"changelog\" to say that readers take the row with the highest revision of %s", identity))
		}
	}
}

// isRetracted finds the column retracted as it entered a select or set.
func isRetracted(s *spec.Stage) func(*spec.Field) bool {
	return func(f *spec.Field) bool {
		if f.Name != "retracted" {
			return false
		}
		i := slices.IndexFunc(s.Select.Columns, func(c *spec.Column) bool { return c.Name == f.Name })
		if i < 0 {
			return true // kept by a set
		}
		e := s.Select.Columns[i].Expr
		return e.Op == spec.OpField && len(e.Path) == 1 && e.Path[0].Name == f.Name
	}
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
