package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// filter checks a filter over rows.
func (c *checker) filter(n *load.Node, row *spec.Struct) *spec.Filter {
	cond, problems := celexpr.Row(n.Text, row, n.At)
	if c.problems(n, problems) {
		return &spec.Filter{}
	}
	if cond.Type.Kind != spec.Bool {
		c.add(diag.FilterType, n.Pos, n.Path, fmt.Sprintf("the filter is %s, not true or false", kindName(cond.Type)), "a filter is a condition, such as \"amount > 0\"")
	}
	c.never(n, cond)
	return &spec.Filter{Cond: cond}
}

// problems reports what is wrong in the expression of a node, and says whether there was anything.
func (c *checker) problems(n *load.Node, problems []celexpr.Problem) bool {
	for _, p := range problems {
		c.add(p.Code, n.At(p.Offset), n.Path, p.Text, p.Hint)
	}
	return len(problems) > 0
}
