package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// mostValues is the highest max_values: so the rank of a percentile is found in 64 bits.
const mostValues = 10_000_000

// maxValues checks the bound of the aggregates of a stage that hold values; 0 when it has none. whole says that all aggregates are in calls.
func (c *checker) maxValues(n *load.Node, calls []*spec.Call, whole bool) int64 {
	var holds *spec.Call
	for _, call := range calls {
		if holds == nil && call.Holds() {
			holds = call
		}
	}
	m := n.Field("max_values")
	switch {
	case m == nil && holds != nil:
		a := n.Field("aggregate")
		c.add(diag.MaxValues, holds.Pos, a.Path, fmt.Sprintf("%s() holds every value of a key, and nothing says how many those may be", holds.Func),
			fmt.Sprintf("write max_values: 10000 beside %s, and a row with more is refused; or approx_%s(), which needs none", a.Name, holds.Func))
	case m == nil:
	case holds == nil && whole:
		c.add(diag.MaxValues, m.Pos, m.Path, "no aggregate of the stage holds values, so there is nothing to bound", "leave max_values out; distinct() and percentile() hold values")
	default:
		c.within(m, 1, mostValues, "no number of values that a key can hold", "1 to 10,000,000")
		return m.Int
	}
	return 0
}
