package window

import "github.com/streamwright/streamwright/runtime/stream"

// stageEmit closes the oldest window: its rows stand behind those that are there, in the order of their keys.
func (p *Processor) stageEmit() {
	s := &p.state.stage
	column, rows := p.column.stageRows, p.rows.stageOut
	pane := s.panes.Open[0]
	s.id = pane.IDs(s.id[:0])
	s.keys.Sort(s.id, stageKey.lead, s.compare)
	for _, id := range s.id {
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
	s.panes.Drop()
	p.counts[stageMade] += uint64(len(column) - len(p.column.stageRows))
	p.counts[stageEmitted] += uint64(len(rows) - len(p.rows.stageOut))
	p.column.stageRows, p.rows.stageOut = column, rows
}
