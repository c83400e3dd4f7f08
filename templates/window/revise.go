package window

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// stageRevise makes the row of a key in a window of what it has, caused by a record. The window stays: rows that come later can change it.
func (p *Processor) stageRevise(a *stageAccumulator, id, record uint32, start, end, revision int64) {
	s := slotRowState(p)
	key := slotKeyOf(s, id)
	r := stream.Row{Record: record, Index: uint32(len(p.column.stageRows))}
	row := stageRow{WindowStart: start, WindowEnd: end, Revision: revision}
	refusal := slotColumns(p, s, a, key, &row, r)
	p.column.stageRows = append(p.column.stageRows, row)
	if canRefuse {
		if refusal.Site != 0 {
			p.refused = append(p.refused, refusal)
			return
		}
	}
	p.rows.stageOut = append(p.rows.stageOut, r)
}

// stageEmitOf makes the next rows of a window that ends, at most so many, behind those that are there, in the order of their keys. With the last of them it has ended.
func (p *Processor) stageEmitOf(pane *table.Pane[stageAccumulator], most int) {
	s := &p.state.stage
	made, emitted := len(p.column.stageRows), len(p.rows.stageOut)
	start, end := s.bounds(pane)
	if s.emitted == 0 {
		if sliced {
			s.panes.Close(start, end)
			s.id = s.panes.IDs(s.id[:0])
		} else {
			s.id = pane.IDs(s.id[:0])
		}
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		if sliced {
			p.stageRevise(s.panes.Sum(id), id, uint32(p.segments.Last), start, end, stageFirst)
		} else {
			a, _ := pane.Touch(id)
			p.stageRevise(a, id, uint32(p.segments.Last), start, end, a.revision)
			a.revision++ // that of a refused row is used up too
		}
	}
	if s.emitted += len(ids); s.emitted == len(s.id) {
		s.closed = end
		s.emitted = 0
	}
	if sliced {
		p.counts[stageOpened] += uint64(len(ids)) // only now somebody has asked which windows a key is in
	}
	p.counts[stageMade] += uint64(len(p.column.stageRows) - made)
	p.counts[stageEmitted] += uint64(len(p.rows.stageOut) - emitted)
}

// bounds is the window of a pane; of a slice, the oldest window with it that ends behind those that have.
func (s *stageState) bounds(pane *table.Pane[stageAccumulator]) (start, end int64) {
	if sliced {
		w := max(s.closed, pane.Start)
		end = slotDue(s, w)
		return end - stageSize, end
	} else {
		return slotStart(s, pane), slotEnd(s, pane)
	}
}

// ending is the oldest window that ends behind those that have, or its oldest slice, when watermark w has reached its end; nil for none.
func (s *stageState) ending(w int64) *table.Pane[stageAccumulator] {
	if sliced {
		pane := s.pending(s.closed)
		if pane != nil {
			if _, end := s.bounds(pane); end > w {
				return nil
			}
		}
		return pane
	} else {
		for _, pane := range s.panes.Open {
			if slotEnd(s, pane) > w {
				break
			}
			if slotEnd(s, pane) > s.closed {
				return pane
			}
		}
		return nil
	}
}
