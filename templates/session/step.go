package session

// stageClose emits the sessions that the watermark has ended, in the order of their ends, starts and keys.
func (p *Processor) stageClose() {
	s := &p.state.stage
	p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	s.end(p.segments.After())
	p.stageEmit(s.ended)
	s.ended = s.ended[:0]
}
