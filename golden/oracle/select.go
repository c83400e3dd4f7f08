package oracle

import (
	"maps"

	"github.com/streamwright/streamwright/spec"
)

// selection is select, and set, which keeps the other fields. All expressions see the row that enters; the first that fails is the reason.
type selection struct{ *spec.Stage }

func (selection) step(*run, int64) {}

func (n *selection) take(p *run, rows []*row) {
next:
	for _, r := range rows {
		out := &row{object{}, r.at, r.made}
		if n.Select.Set {
			maps.Copy(out.values, r.values)
		}
		for _, c := range n.Select.Columns {
			if r.values["retracted"] == true && ofAggregates(c.Expr) {
				out.values[c.Name] = nil
				continue
			}
			x := evaluate(c.Expr, r.values)
			if x.fault != 0 {
				p.refuse(n.Stage, r, x.fault.reason(n.Name), c.Name)
				continue next
			}
			out.values[c.Name] = x.value
		}
		p.count(n.Name, "Passed", "passed")
		p.give(n.Name, "", out)
	}
}

// ofAggregates says whether an expression has a value that rows which take others back do not have.
func ofAggregates(e *spec.Expr) bool {
	if e.Op == spec.OpField && e.Path[0].Retractable {
		return true
	}
	for _, a := range e.Args {
		if ofAggregates(a) {
			return true
		}
	}
	return false
}
