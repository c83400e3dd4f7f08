package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// sessions groups rows by key and by how closely they follow each other.
type sessions struct {
	*spec.Stage
	open []*pane // in no order
}

// wide says whether a span is longer than the window allows.
func wide(w *spec.Window, start, end int64) bool {
	return new(big.Int).Sub(big.NewInt(end), big.NewInt(start)).Cmp(big.NewInt(w.Max)) > 0
}

func (n *sessions) take(p *run, rows []*row) {
	w := n.Window
	for _, r := range rows {
		args, failed := arguments(w.Calls, r.values)
		if failed != 0 {
			p.refuse(n.Stage, r, failed.reason(n.Name))
			continue
		}
		end := new(big.Int).Add(big.NewInt(r.at), big.NewInt(w.Gap))
		if !end.IsInt64() {
			p.refuse(n.Stage, r, "time_range")
			continue
		}
		k := key(w.Key, r.values)
		row := folded{at: r.at, args: args}
		event := &pane{group{key: k, rows: []folded{row}}, r.at, end.Int64()}
		var earlier, later *pane // the nearest that overlap
		for _, q := range n.open {
			switch {
			case identity(q.key) != identity(k) || q.end <= event.start || event.end <= q.start:
			case q.start <= r.at && (earlier == nil || q.start > earlier.start):
				earlier = q
			case q.start > r.at && (later == nil || q.start < later.start):
				later = q
			}
		}
		cut := earlier != nil || later != nil
		at := event // the session that the event is in
		if earlier != nil && !wide(w, earlier.start, max(earlier.end, event.end)) {
			at = earlier
			at.end = max(at.end, event.end)
			at.rows = append(at.rows, row)
		}
		if later != nil && !wide(w, at.start, max(at.end, later.end)) {
			if at == earlier {
				at.rows = append(at.rows, folded{of: &later.group})
				at.end = max(at.end, later.end)
				n.open = slices.DeleteFunc(n.open, func(q *pane) bool { return q == later })
				p.count(n.Name, "Merged", "merged")
			} else {
				at = later
				at.start = r.at
				at.rows = append(at.rows, row)
			}
		}
		if at == event {
			if event.end <= p.watermark {
				p.late(n.Name, w.Late, r)
				continue
			}
			n.open = append(n.open, event)
			p.count(n.Name, "Opened", "opened")
			if cut {
				p.count(n.Name, "Note", "session_cut")
			}
		}
		p.count(n.Name, "Folded", "folded")
	}
}

// step ends the sessions that the watermark has reached, in the order (end, start, key).
func (n *sessions) step(p *run, to int64) {
	due, open := []*pane(nil), []*pane(nil)
	for _, q := range n.open {
		if to >= q.end {
			due = append(due, q)
		} else {
			open = append(open, q)
		}
	}
	n.open = open
	slices.SortFunc(due, func(a, b *pane) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), compareKeys(a.key, b.key))
	})
	for _, q := range due {
		q.publish(p, n.Stage)
	}
}
