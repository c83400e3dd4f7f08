package window

// stageChanged makes the row of a key in the window of a pane again, when that has ended already: a record has changed it.
func (p *Processor) stageChanged(start int64, id, record uint32) {
	s := &p.state.stage
	pane := s.panes.At(start)
	if slotEnd(s, pane) <= p.segments.Watermark[record] {
		a, _ := pane.Touch(id)
		p.stageRevise(a, id, record, slotStart(s, pane), slotEnd(s, pane), a.revision)
		a.revision++ // that of a refused row is used up too
	}
}
