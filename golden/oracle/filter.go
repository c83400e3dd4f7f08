package oracle

import "github.com/streamwright/streamwright/spec"

// filter lets the rows through for which a condition is true.
type filter struct{ *spec.Stage }

func (filter) step(*run, int64) {}

func (n *filter) take(p *run, rows []*row) {
	for _, r := range rows {
		switch c := evaluate(n.Filter.Cond, r.values); {
		case c.fault != 0:
			p.refuse(n.Stage, r, c.fault.reason(n.Name), "")
		case c.value == true: // null is not
			p.count(n.Name, "Passed", "passed")
			p.give(n.Name, "", r)
		default:
			p.count(n.Name, "Dropped", "filtered")
		}
	}
}
