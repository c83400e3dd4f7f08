package oracle

import "github.com/streamwright/streamwright/spec"

// route sends each row to the first branch whose condition is true.
type route struct{ *spec.Stage }

func (route) step(*run, int64) {}

func (n *route) take(p *run, rows []*row) {
next:
	for _, r := range rows {
		for _, b := range n.Route.Branches {
			c := evaluate(b.Cond, r.values)
			if c.fault != 0 {
				p.refuse(n.Stage, r, c.fault.reason(n.Name), "")
				continue next
			}
			if c.value == true {
				p.count(n.Name, "Passed", b.Name)
				p.give(n.Name, b.Name, r)
				continue next
			}
		}
		if rest := n.Route.Otherwise; rest != "" {
			p.count(n.Name, "Passed", rest)
			p.give(n.Name, rest, r)
		} else {
			p.count(n.Name, "Dropped", "unrouted")
		}
	}
}
