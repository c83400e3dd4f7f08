package window

import "math"

// stageCloseAll emits the windows that the watermark has reached, in the order of their ends and keys, and forgets those that nothing changes any more.
func (p *Processor) stageCloseAll() {
	s := &p.state.stage
	slotEmpty(p)
	s.closed = max(s.closed, p.segments.Before())
	for pane := s.ending(p.segments.After()); pane != nil; pane = s.ending(p.segments.After()) {
		p.stageEmitOf(pane, math.MaxInt)
	}
	s.drop(p.segments.After())
}
