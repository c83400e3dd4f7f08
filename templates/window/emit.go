package window

import "github.com/streamwright/streamwright/runtime/stream"

// stageEmit makes the next rows of the oldest window, at most so many, behind those that are there, in the order of their keys. With the last of them the window is closed.
func (p *Processor) stageEmit(most int) {
	s := &p.state.stage
	column, rows := p.column.stageRows, p.rows.stageOut
	pane := s.panes.Open[0]
	if s.emitted == 0 {
		s.id = pane.IDs(s.id[:0])
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		a, key := slotSlot(s, pane, id)
		s.keys.Unref(id)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := stageRow{WindowStart: slotStart(s, pane), WindowEnd: slotEnd(s, pane)}
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
		s.panes.Drop()
		s.emitted = 0
	}
	p.counts[stageMade] += uint64(len(column) - len(p.column.stageRows))
	p.counts[stageEmitted] += uint64(len(rows) - len(p.rows.stageOut))
	p.column.stageRows, p.rows.stageOut = column, rows
}
