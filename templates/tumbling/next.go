package tumbling

import "github.com/streamwright/streamwright/runtime/stream"

// stageCloseNext emits the oldest window if the watermark has reached it, in the order of its keys, and says whether it did. Only sinks read the rows, and have written
// them when it is called again: so many windows may close at once in the memory of one. mark is of the arena before the first of this step.
func (p *Processor) stageCloseNext(mark stream.Mark) bool {
	s := &p.state.stage
	if len(s.panes.Open) == 0 || s.panes.Open[0].Start+stageSize > p.segments.After() {
		return false
	}
	p.rows.stageOut = p.rows.stageOut[:0]
	if len(p.refused) == 0 { // else the dead letters of this step are made of rows
		p.column.stageRows = p.column.stageRows[:0]
		p.in.Release(mark)
	}
	p.stageEmit()
	return true
}
