package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// route checks the names of a route's outputs. Its conditions are checked when the rows that enter are known.
func (c *checker) route(stage, n *load.Node) *spec.Route {
	r := &spec.Route{}
	if len(n.Fields) == 0 {
		c.add(diag.NoBranch, n.NamePos, n.Path, "the route has no branch", "write at least one: route: large: \"amount > 100\"")
	}
	for _, b := range n.Fields {
		c.branchName(b.Name, b.NamePos, b.Path)
		r.Branches = append(r.Branches, &spec.Branch{Name: b.Name, Pos: b.NamePos})
	}
	if o := stage.Field("otherwise"); o != nil {
		r.Otherwise = o.Text
		c.branchName(o.Text, o.Pos, o.Path)
		if n.Field(o.Text) != nil {
			c.add(diag.BranchTwice, o.Pos, o.Path, fmt.Sprintf("%q is a branch of the route already", o.Text), "the rest needs an output of its own: give it another name")
		}
	}
	return r
}

func (c *checker) branchName(name string, pos diag.Pos, path string) {
	if c.name(name, pos, path, "branch") && strings.Contains(name, ".") {
		c.add(diag.BadName, pos, path, "the name of a branch has a dot", "in `from` a dot stands between the stage and its branch")
	}
}

// conditions checks the conditions of a route over the rows that enter.
func (c *checker) conditions(r *spec.Route, n *load.Node, in *spec.Struct) {
	for i, b := range n.Fields {
		cond, problems := celexpr.Row(b.Text, in, c.places(b))
		if c.problems(b, problems) {
			continue
		}
		c.never(b, cond)
		if cond.Type.Kind != spec.Bool {
			c.add(diag.FilterType, b.Pos, b.Path, fmt.Sprintf("the condition is %s, not true or false", kindName(cond.Type)), "a branch takes the rows for which its condition is true, such as \"amount > 0\"")
			continue
		}
		r.Branches[i].Cond = cond
	}
}

// outputs are the names of the route's outputs.
func outputs(r *spec.Route) []string {
	var names []string
	for _, b := range r.Branches {
		names = append(names, b.Name)
	}
	if r.Otherwise != "" {
		names = append(names, r.Otherwise)
	}
	return names
}
