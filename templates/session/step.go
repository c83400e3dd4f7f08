package session

// stageClose emits the sessions that the watermark has ended, in the order of their ends, starts and keys.
func (p *Processor) stageClose() {
	s := &p.state.stage
	slotEmpty(p)
	if updates {
		s.before = p.segments.Before()
	}
	s.end(p.segments.After())
	p.stageEmit(s.ended)
	s.ended = s.ended[:0]
}
