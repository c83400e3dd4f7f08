package session

import "github.com/streamwright/streamwright/runtime/stream"

// stageCloseNext emits the next of the sessions that the watermark has ended, in the order of their ends, starts and keys, and says whether there was one. Only sinks read the
// rows, and have written them when it is called again: so many sessions may end at once in the memory of a few. mark is of the arena before the first of this
// step, and refused how many refusals there were before the first row of the stage.
func (p *Processor) stageCloseNext(mark stream.Mark, refused int) bool {
	s := &p.state.stage
	if s.emitted == 0 {
		if updates {
			s.before = p.segments.Before()
		}
		s.end(p.segments.After())
	}
	if s.emitted == len(s.ended) {
		s.ended, s.emitted = s.ended[:0], 0
		return false
	}
	p.rows.stageOut = p.rows.stageOut[:0]
	if len(p.refused) == refused { // else dead letters of this step are made of the rows
		p.column.stageRows = p.column.stageRows[:0]
		p.in.Release(mark)
	}
	few := s.ended[s.emitted:min(s.emitted+256, len(s.ended))]
	s.emitted += len(few)
	p.stageEmit(few)
	return true
}
