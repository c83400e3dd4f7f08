package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// session checks the words of a window that is a session.
func (c *checker) session(n *load.Node, w *spec.Window) {
	w.Kind = spec.Session
	most := n.Field("max")
	gap, apart := c.duration(n.Field("gap"), 1)
	longest, bounded := c.duration(most, 1)
	switch {
	case !apart || !bounded:
	case longest < gap:
		c.add(diag.SessionMax, most.Pos, most.Path, fmt.Sprintf("a max of %s is below the gap of %s: a session of one row is as long as the gap", span(longest), span(gap)),
			fmt.Sprintf("%s or more", span(gap)))
	default:
		w.Gap, w.Max = gap, longest
	}
}
