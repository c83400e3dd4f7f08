package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// windows groups rows by key and span of event time.
type windows struct {
	*spec.Stage
	open map[string]*pane
}

// pane is what is kept of one key in one window.
type pane struct {
	group
	start, end int64
	revision   int64 // of its next row, where there are revisions
	given      bool  // it has given a row that stands
}

// gone says whether nothing changes a window any more at a watermark.
func (q *pane) gone(w *spec.Window, to int64) bool { return to >= plus(q.end, w.Late.Allowed) }

// windowsOf are the windows [start, end) that a time belongs to. ok is false when a bound is outside int64.
func windowsOf(w *spec.Window, t int64) (spans [][2]int64, ok bool) {
	if w.Kind == spec.Tumbling { // s = floor((t - offset) / size) * size + offset
		size, offset := big.NewInt(w.Size), big.NewInt(w.Offset)
		start := new(big.Int).Sub(big.NewInt(t), offset)
		start.Div(start, size).Mul(start, size).Add(start, offset)
		end := new(big.Int).Add(start, size)
		return [][2]int64{{saturated(start), saturated(end)}}, start.IsInt64() && end.IsInt64()
	}
	ok = true
	add := func(start, end *big.Int) {
		spans = append(spans, [2]int64{saturated(start), saturated(end)})
		ok = ok && start.IsInt64() && end.IsInt64()
	}
	time, size, slide, offset := big.NewInt(t), big.NewInt(w.Size), big.NewInt(w.Slide), big.NewInt(w.Offset)
	switch w.Kind {
	case spec.Hopping: // every start with s <= t < s + size
		start := floorTo(time, slide, offset)
		for end := new(big.Int).Add(start, size); end.Cmp(time) > 0; end = new(big.Int).Add(start, size) {
			add(start, end)
			start = new(big.Int).Sub(start, slide)
		}
		slices.Reverse(spans)
	case spec.Cumulative: // every end behind t, up to that of the size
		start := floorTo(time, size, offset)
		whole := new(big.Int).Add(start, size)
		for end := new(big.Int).Add(start, slide); end.Cmp(whole) <= 0; end = new(big.Int).Add(end, slide) {
			if end.Cmp(time) > 0 {
				add(start, end)
			}
		}
	case spec.Calendar:
		start, end := unitOf(w, t)
		add(start, end)
	}
	return spans, ok
}

// floorTo is the last multiple of step, plus offset, that is not above t.
func floorTo(t, step, offset *big.Int) *big.Int {
	x := new(big.Int).Sub(t, offset)
	return x.Div(x, step).Mul(x, step).Add(x, offset)
}

func (n *windows) take(p *run, rows []*row) {
	w := n.Window
	for _, r := range rows {
		args, column, failed := arguments(w.Calls, w.Aggregates, r.values)
		if failed != 0 {
			p.refuse(n.Stage, r, failed.reason(n.Name), column)
			continue
		}
		spans, ok := windowsOf(w, r.at)
		if !ok {
			p.refuse(n.Stage, r, "time_range", "")
			continue
		}
		taken, missed := false, 0
		var changed []*pane // that have ended
		for _, span := range spans {
			if plus(span[1], w.Late.Allowed) <= p.watermark {
				missed++
				continue
			}
			taken = true
			k := key(w.Key, r.values)
			id := identity(append(k, big.NewInt(span[0]), big.NewInt(span[1])))
			if n.open[id] == nil {
				n.open[id] = &pane{group: group{key: k}, start: span[0], end: span[1], revision: w.Revision}
				p.count(n.Name, "Opened", "opened")
			}
			n.open[id].rows = append(n.open[id].rows, folded{at: r.at, args: args})
			if span[1] <= p.watermark {
				changed = append(changed, n.open[id])
			}
		}
		if taken {
			p.count(n.Name, "Folded", "folded")
			for range missed {
				p.count(n.Name, "Note", "late_partial")
			}
			publish(p, n.Stage, changed)
		} else {
			p.late(n.Name, w.Late, r, plus(slices.MaxFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[1], b[1]) })[1], w.Late.Allowed))
		}
	}
}

// step closes what the watermark has reached, in the order (end, start, key).
func (n *windows) step(p *run, to int64) {
	var due []*pane
	for id, q := range n.open {
		if to >= q.end && (p.watermark < q.end || !n.Updates()) {
			due = append(due, q)
		}
		if q.gone(n.Window, to) {
			delete(n.open, id)
		}
	}
	publish(p, n.Stage, due)
}

// publish makes the rows of windows, in the order (end, start, key).
func publish(p *run, s *spec.Stage, due []*pane) {
	slices.SortFunc(due, func(a, b *pane) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), compareKeys(a.key, b.key))
	})
	for _, q := range due {
		q.publish(p, s)
	}
}

// publish makes the row of a window.
func (q *pane) publish(p *run, s *spec.Stage) {
	w := s.Window
	p.count(s.Name, "Made", "made")
	m := &made{start: q.start, end: q.end, windowed: true}
	out, ok := q.close(p, s, w.Calls, w.Aggregates, q.own(w), m, func(out object) {
		if w.HasRevision() {
			out["revision"] = big.NewInt(q.revision)
		}
		if w.Retracts() {
			out["retracted"] = false
		}
	})
	if ok {
		p.count(s.Name, "Out", "out")
		p.give(s.Name, "", &row{out, q.end - 1, m})
		q.given = true
	}
	q.revision++ // that of a refused row is used up too
}

// own are the columns that a window gives by itself, and its key.
func (q *pane) own(w *spec.Window) object {
	own := object{"window_start": big.NewInt(q.start), "window_end": big.NewInt(q.end)}
	for i, f := range w.Key {
		own[f.Name] = q.key[i]
	}
	return own
}
