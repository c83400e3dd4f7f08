package window

import "github.com/streamwright/streamwright/runtime/stream"

// next is the end of the first window that has a row and has not closed, when the watermark before this step was w.
func (s *stageState) next(w int64) int64 {
	w = max(w, s.closed, s.panes.Open[0].Start)
	return slotDue(s, w)
}

// stageEmitNext makes the next rows of the next window, at most so many, behind those that are there, in the order of their keys. With the last of them the window is closed.
func (p *Processor) stageEmitNext(most int) {
	s := &p.state.stage
	column, rows := p.column.stageRows, p.rows.stageOut
	end := s.next(p.segments.Before())
	start := slotOpens(end)
	if s.emitted == 0 {
		if sliced {
			s.panes.Close(start, end)
			s.id = s.panes.IDs(s.id[:0])
		}
		if growing {
			s.grow(start, end)
			s.id = s.panes.Open[0].IDs(s.id[:0])
		}
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		a, key := slotSlot(s, s.panes.Open[0], id)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := stageRow{WindowStart: start, WindowEnd: end}
		refusal := slotColumns(p, s, a, key, &row, r)
		column = append(column, row)
		if canRefuse {
			if refusal.Site != 0 {
				p.refused = append(p.refused, refusal)
				continue
			}
		}
		rows = append(rows, r)
	}
	if s.emitted += len(ids); s.emitted == len(s.id) {
		s.closed = end
		s.drop(end)
		s.emitted = 0
	}
	made := uint64(len(column) - len(p.column.stageRows))
	p.counts[stageOpened] += made // only now somebody has asked which windows a key is in
	p.counts[stageMade] += made
	p.counts[stageEmitted] += uint64(len(rows) - len(p.rows.stageOut))
	p.column.stageRows, p.rows.stageOut = column, rows
}
