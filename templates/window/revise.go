package window

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// stageChanged makes the row of a key in the window of a pane again, when that has ended already: a record has changed it.
func (p *Processor) stageChanged(start int64, id, record uint32) {
	s := &p.state.stage
	pane := s.panes.At(start)
	if slotEnd(s, pane) <= p.segments.Watermark[record] {
		p.stageRevise(pane, id, record)
	}
}

// stageRevise makes the row of a key in a window, caused by a record. The window stays: rows that come later can change it.
func (p *Processor) stageRevise(pane *table.Pane[stageAccumulator], id, record uint32) {
	s := slotRowState(p)
	a, key := slotSlot(s, pane, id)
	r := stream.Row{Record: record, Index: uint32(len(p.column.stageRows))}
	row := stageRow{WindowStart: slotStart(s, pane), WindowEnd: slotEnd(s, pane), Revision: a.revision}
	refusal := slotColumns(p, s, a, key, &row, r)
	a.revision++ // that of a refused row is used up too
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
	if s.emitted == 0 {
		s.id = pane.IDs(s.id[:0])
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		p.stageRevise(pane, id, uint32(p.segments.Last))
	}
	if s.emitted += len(ids); s.emitted == len(s.id) {
		s.closed = slotEnd(s, pane)
		s.emitted = 0
	}
	p.counts[stageMade] += uint64(len(p.column.stageRows) - made)
	p.counts[stageEmitted] += uint64(len(p.rows.stageOut) - emitted)
}

// ending is the oldest window that ends behind those that have, when watermark w has reached it; nil for none.
func (s *stageState) ending(w int64) *table.Pane[stageAccumulator] {
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
