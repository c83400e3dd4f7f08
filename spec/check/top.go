package check

import (
	"fmt"
	"slices"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// mostRanks is the highest n of a top.
const mostRanks = 1_000_000

// top checks the words of a top that do not depend on its rows.
func (c *checker) top(n *load.Node) *spec.Top {
	t := &spec.Top{N: n.Field("n").Int}
	if t.N < 1 || t.N > mostRanks {
		f := n.Field("n")
		c.add(diag.NumberRange, f.Pos, f.Path, fmt.Sprintf("a top of %d rows", t.N), "want 1 to 1,000,000")
	}
	return t
}

// ordered says that values of a type have an order, and a row can be ranked by them.
func ordered(t *spec.Type) bool { return idType(t) || t.Kind == spec.Double }

// ranks checks the fields of a top over its rows, and makes the row that it gives. ok is false when there was a mistake.
func (g *graph) ranks(n *load.Node, s *spec.Stage, name string) (out *spec.Struct, ok bool) {
	t := s.Top
	const want = "rows are ranked by strings, bytes, ints, decimals, numbers, bools and times"
	maker := g.stages[s.InFrom]
	if maker == nil || maker.Window == nil {
		from := g.written[s.Name].Field("from")
		text, hint := fmt.Sprintf("top ranks the rows of a window, and these are of %s", g.maker(s.InFrom)), "read a window stage, or a filter, route or dedup of its rows"
		if maker != nil && maker.Select != nil {
			hint = "put the select or set behind the top; what is ranked can be an aggregate of the window"
		}
		g.add(diag.TopInput, from.Pos, from.Path, text, hint)
		return nil, false
	}
	if maker.Window.Kind == spec.Session {
		from := g.written[s.Name].Field("from")
		g.add(diag.TopInput, from.Pos, from.Path, fmt.Sprintf("top ranks the keys of one window, and each key of %s has sessions of its own", maker.Name),
			"make windows of the sessions first, such as tumbling: \"1h\", and rank the rows of these")
		return nil, false
	}
	by := n.Field("by")
	t.By = g.field(s.In, by)
	ok = t.By != nil
	if ok && !ordered(t.By.Type) {
		g.add(diag.KeyType, by.Pos, by.Path, fmt.Sprintf("%q is %s", t.By.Name, kindName(t.By.Type)), want)
		ok = false
	}
	var good bool
	if per := n.Field("per"); per != nil {
		t.Per, good = g.keys(s.In, per, ordered, want)
		ok = ok && good
	}
	t.Ties, good = g.keys(s.In, n.Field("ties"), ordered, want)
	ok = ok && good
	out = &spec.Struct{Name: name, Pos: n.NamePos, Fields: slices.Clone(s.In.Fields)}
	for i, f := range s.In.Fields {
		if f.Name == "rank" {
			g.reserved("rank", f.Pos, join(g.node.Path, "stage", maker.Name), "column that enters a top", "top keeps it for a column of its own")
			ok = false
		}
		kept := *f
		out.Fields[i] = &kept
	}
	out.Fields = append(out.Fields, column("rank", []string{"Place in the group, from 1."}, n.NamePos, &spec.Type{Kind: spec.Int}))
	return out, ok
}
