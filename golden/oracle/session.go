package oracle

import (
	"cmp"
	"maps"
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
		args, column, failed := arguments(w.Calls, w.Aggregates, r.values)
		if failed != 0 {
			p.refuse(n.Stage, r, failed.reason(n.Name), column)
			continue
		}
		end := new(big.Int).Add(big.NewInt(r.at), big.NewInt(w.Gap))
		if !end.IsInt64() {
			p.refuse(n.Stage, r, "time_range", "")
			continue
		}
		k := key(w.Key, r.values)
		row := folded{at: r.at, args: args}
		event := &pane{group: group{key: k, rows: []folded{row}}, start: r.at, end: end.Int64(), revision: w.Revision}
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
		at := event       // the session that the event is in
		var before []pane // what its parts were
		if earlier != nil && !wide(w, earlier.start, max(earlier.end, event.end)) {
			before = append(before, *earlier)
			at = earlier
			at.end = max(at.end, event.end)
			at.rows = append(at.rows, row)
		}
		if later != nil && !wide(w, at.start, max(at.end, later.end)) {
			before = append(before, *later)
			if at == earlier {
				at.rows = append(at.rows, folded{of: &later.group})
				at.end = max(at.end, later.end)
				at.revision = max(at.revision, later.revision)
				n.open = slices.DeleteFunc(n.open, func(q *pane) bool { return q == later })
				p.count(n.Name, "Merged", "merged")
			} else {
				at = later
				at.start = r.at
				at.rows = append(at.rows, row)
			}
		}
		if at == event {
			if event.gone(w, p.watermark) {
				p.late(n.Name, w.Late, r, plus(event.end, w.Late.Allowed))
				continue
			}
			n.open = append(n.open, event)
			p.count(n.Name, "Opened", "opened")
			if cut {
				p.count(n.Name, "Note", "session_cut")
			}
		}
		p.count(n.Name, "Folded", "folded")
		if n.Updates() {
			n.revise(p, at, before)
		}
	}
}

// revise gives the rows that an event in session at has caused, in the order (end, start): what was given of sessions that span something else now is taken back, and if the session
// has ended it gives its row.
func (n *sessions) revise(p *run, at *pane, before []pane) {
	var back []pane
	at.given = false
	for _, q := range before {
		switch {
		case q.start == at.start && q.end == at.end:
			at.given = q.given
		case q.given:
			back = append(back, q)
		}
	}
	slices.SortFunc(back, func(a, b pane) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start)) })
	retract := func(q pane) {
		p.count(n.Name, "Made", "made")
		p.count(n.Name, "Out", "out")
		out := object{}
		for _, f := range n.Out.Fields {
			out[f.Name] = nil
		}
		maps.Copy(out, q.own(n.Window))
		out["revision"], out["retracted"] = big.NewInt(q.revision), true
		m := &made{start: q.start, end: q.end, windowed: true}
		m.describe(n.Stage, out)
		p.give(n.Name, "", &row{out, q.end - 1, m})
	}
	for len(back) > 0 && (back[0].end < at.end || back[0].end == at.end && back[0].start < at.start) {
		retract(back[0])
		back = back[1:]
	}
	if at.end <= p.watermark {
		at.publish(p, n.Stage)
	}
	for _, q := range back {
		retract(q)
	}
}

// step ends the sessions that the watermark has reached, in the order (end, start, key).
func (n *sessions) step(p *run, to int64) {
	due, open := []*pane(nil), []*pane(nil)
	for _, q := range n.open {
		if to >= q.end && (p.watermark < q.end || !n.Updates()) {
			due = append(due, q)
		}
		if !q.gone(n.Window, to) {
			open = append(open, q)
		}
	}
	n.open = open
	publish(p, n.Stage, due)
}
