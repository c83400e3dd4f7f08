package oracle

import (
	"math/big"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// running keeps one group per key over all rows. A key goes when W >= its newest event + expire.
type running struct {
	*spec.Stage
	keys map[string]*total
	gone []*total // with a change that nobody has seen, in the order in which they went; the next step has their rows
}

// total is what is kept of one key.
type total struct {
	group
	since, asOf int64
	revision    int64 // number of the record that changed it last
	changed     bool  // since its last row
}

func (n *running) take(p *run, rows []*row) {
	t := n.Running
	for _, r := range rows {
		args, column, failed := arguments(t.Calls, t.Aggregates, r.values)
		if failed != 0 {
			p.refuse(n.Stage, r, failed.reason(n.Name), column)
			continue
		}
		k := key(t.Key, r.values)
		id := identity(k)
		of := n.keys[id]
		if of == nil || plus(of.asOf, t.Expire) <= p.watermark {
			if of != nil && of.changed { // it came too late to live, and here is another such row of the same record
				n.gone = append(n.gone, of)
			}
			of = &total{group: group{key: k}, since: r.at, asOf: r.at}
			n.keys[id] = of
		}
		of.since, of.asOf = min(of.since, r.at), max(of.asOf, r.at)
		of.revision, of.changed = p.number, t.Emit > 0
		of.rows = append(of.rows, folded{at: r.at, args: args})
		p.count(n.Name, "Folded", "folded")
		if t.Emit == 0 {
			n.emit(p, of, nil)
		}
	}
}

// step emits the keys that have changed, in their order: all when the watermark crosses a multiple of the period, else those that go.
func (n *running) step(p *run, to int64) {
	t := n.Running
	if t.Emit == 0 {
		return
	}
	crossed := to == always || floorDiv(p.watermark, t.Emit) < floorDiv(to, t.Emit) // before the first record it is the least time
	due := n.gone
	n.gone = nil
	for _, of := range n.keys {
		if of.changed && (crossed || plus(of.asOf, t.Expire) <= to) {
			due = append(due, of)
		}
	}
	slices.SortStableFunc(due, func(a, b *total) int { return compareKeys(a.key, b.key) })
	for _, of := range due {
		of.changed = false
		n.emit(p, of, &made{})
	}
}

// emit makes the row of a key as it stands; as is what it is known by when no record brought it.
func (n *running) emit(p *run, of *total, as *made) {
	t := n.Running
	own := object{"since": big.NewInt(of.since), "as_of": big.NewInt(of.asOf)}
	for i, f := range t.Key {
		own[f.Name] = of.key[i]
	}
	p.count(n.Name, "Made", "made")
	out, ok := of.close(p, n.Stage, t.Calls, t.Aggregates, own, orNew(as), func(o object) { o["revision"] = big.NewInt(of.revision) })
	if ok {
		p.count(n.Name, "Out", "out")
		p.give(n.Name, "", &row{out, of.asOf, as})
	}
}

func orNew(m *made) *made {
	if m == nil {
		return &made{}
	}
	return m
}
