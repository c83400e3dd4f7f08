package check

import (
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// quotients notes each division of ints in a column: the fraction is cut, as CEL wants it, which is seldom meant where the column is a share or an average. A constant below
// most often changes a unit, and int(…) around it says that it is meant.
func (c *checker) quotients(n *load.Node, e *spec.Expr) {
	if e == nil {
		return
	}
	for _, q := range e.Quotients() {
		if required(q.Args[1]).Op != spec.OpConst {
			c.pkg.Notes = append(c.pkg.Notes, diag.Diagnostic{Pos: q.At.Pos, Path: n.Path, Text: "note: ints are divided here, so the fraction is cut: 7 / 2 is 3",
				Hint: "double(a) / double(b) keeps it; int(a / b) says that it is meant"})
		}
	}
}
