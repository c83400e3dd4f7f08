package window

import "github.com/streamwright/streamwright/runtime/stream"

// stageCloseNext emits the next rows of the oldest window if the watermark has reached it, in the order of its keys, and says whether it did. Only sinks read the rows, and
// have written them when it is called again: so many windows may close at once, and large ones, in the memory of a few rows. mark is of the arena before the first of this
// step, and refused how many refusals there were then.
func (p *Processor) stageCloseNext(mark stream.Mark, refused int) bool {
	s := &p.state.stage
	if len(s.panes.Open) == 0 || slotNext(p, s) > p.segments.After() {
		return false
	}
	p.rows.stageOut = p.rows.stageOut[:0]
	if len(p.refused) == refused { // else dead letters of this step are made of the rows
		p.column.stageRows = p.column.stageRows[:0]
		p.in.Release(mark)
	}
	if sliced || growing {
		p.stageEmitNext(stageAtOnce)
	} else {
		p.stageEmit(stageAtOnce)
	}
	return true
}
