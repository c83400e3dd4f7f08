package oracle

import (
	"math/big"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// dedup lets the first copy of each id through. Its entry lives while W < t of the first + horizon. Copies are looked for in the input that the row came from; rows of a window come from none.
type dedup struct {
	*spec.Stage
	first map[string]int64 // event time of the first copy
}

func (dedup) step(*run, int64) {}

func (n *dedup) take(p *run, rows []*row) {
	d := n.Dedup
	for _, r := range rows {
		id := key(d.By, r.values)
		none := slices.ContainsFunc(id, func(v value) bool { return v == nil || v == "" })
		switch {
		case none && !d.PassNoID:
			p.refuse(n.Stage, r, "no_id", "")
			continue
		case none: // it has no copies, so that it is new however late it comes
		case plus(r.at, d.Horizon-d.Spread) <= p.watermark:
			p.late(n.Name, d.Late, r, plus(r.at, d.Horizon-d.Spread))
			continue
		default:
			if r.made == nil {
				id = append(id, big.NewInt(int64(p.input.number)))
			}
			t, known := n.first[identity(id)]
			if known && p.watermark < plus(t, d.Horizon) {
				p.count(n.Name, "Dropped", "duplicate")
				continue
			}
			n.first[identity(id)] = r.at
		}
		p.count(n.Name, "Passed", "passed")
		p.give(n.Name, "", r)
	}
}
