package window

import "github.com/streamwright/streamwright/runtime/stream"

// stageCloseOne emits the next rows of the oldest window that the watermark has reached in this step, in the order of its keys, and says whether there were any; else it forgets the windows that
// nothing changes any more. Only sinks read the rows, and have written them when it is called again. mark is of the arena before the first of this step, and refused how many refusals there were
// before the first row of the stage.
func (p *Processor) stageCloseOne(mark stream.Mark, refused int) bool {
	s := &p.state.stage
	s.closed = max(s.closed, p.segments.Before())
	pane := s.ending(p.segments.After())
	if pane == nil {
		s.drop(p.segments.After())
		return false
	}
	p.rows.stageOut = p.rows.stageOut[:0]
	if len(p.refused) == refused { // else dead letters of this step are made of the rows
		p.column.stageRows = p.column.stageRows[:0]
		p.in.Release(mark)
	}
	p.stageEmitOf(pane, stageAtOnce)
	return true
}
