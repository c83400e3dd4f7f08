package window

import "math"

// stageClose emits the windows that the watermark has reached, in the order of their ends and keys.
func (p *Processor) stageClose() {
	s := &p.state.stage
	p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	for len(s.panes.Open) > 0 && slotNext(p, s) <= p.segments.After() {
		if sliced || growing {
			p.stageEmitNext(math.MaxInt)
		} else {
			p.stageEmit(math.MaxInt)
		}
	}
}
