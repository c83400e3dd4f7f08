package check

import (
	"fmt"
	"slices"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// selects checks the columns of a select or set over the rows that enter, and makes the row that leaves. ok is false when there was a mistake.
func (c *checker) selects(n *load.Node, in *spec.Struct, name string) (s *spec.Select, out *spec.Struct, ok bool) {
	s = &spec.Select{Set: n.Name == "set"}
	out = &spec.Struct{Name: name, Pos: n.NamePos}
	ok = true
	if len(n.Fields) == 0 {
		c.add(diag.NoColumn, n.NamePos, n.Path, fmt.Sprintf("the %s names no field", n.Name), fmt.Sprintf("write at least one: %s: total: \"price * qty\"", n.Name))
		return s, out, false
	}
	if s.Set {
		for _, f := range in.Fields {
			kept := *f // what the rows have of it now, whatever the contract asked of a record
			out.Fields = append(out.Fields, &kept)
		}
	}
	for _, f := range n.Fields {
		if !c.name(f.Name, f.NamePos, f.Path, "field") {
			ok = false
		}
		e, problems := celexpr.Row(f.Text, in, c.places(f))
		if c.problems(f, problems) {
			ok = false
			continue
		}
		c.never(f, e)
		c.quotients(f, e)
		if t := e.Type; t.Kind == spec.Duration || t.Kind == spec.Null {
			hint := "a field has a type: an expression that is always null says nothing"
			if t.Kind == spec.Duration {
				hint = "int(…) gives its nanoseconds"
			}
			c.add(diag.ColumnType, f.Pos, f.Path, fmt.Sprintf("the field would be %s", kindName(e.Type)), hint)
			ok = false
			continue
		}
		s.Columns = append(s.Columns, &spec.Column{Name: f.Name, Doc: f.Doc, Pos: f.NamePos, Expr: e})
		made := column(f.Name, f.Doc, f.NamePos, e.Type)
		made.Longest = max(0, e.LongestText())
		if retractable(e) {
			made.Type, made.Null, made.Retractable = e.Type.OrNull(), true, true
		}
		if i := slices.IndexFunc(out.Fields, func(o *spec.Field) bool { return o.Name == f.Name }); i >= 0 {
			out.Fields[i] = made
		} else {
			out.Fields = append(out.Fields, made)
		}
	}
	return s, out, ok
}

// retractable says whether e is made of a field that rows which take others back do not have.
func retractable(e *spec.Expr) bool {
	return e.Op == spec.OpField && e.Path[0].Retractable || slices.ContainsFunc(e.Args, retractable)
}
