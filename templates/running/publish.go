package running

import (
	"github.com/streamwright/streamwright/runtime/window"
)

// stagePublish emits the keys that have changed, in their order: all when the watermark crosses a multiple of stageEveryText, else those that go.
func (p *Processor) stagePublish() {
	s := &p.state.stage
	w := p.segments.After()
	s.id = s.id[:0]
	if window.Due(p.segments.Before(), stageEvery, 0) <= w {
		s.entry = s.changes.Take(s.entry[:0])
		for _, d := range s.entry {
			s.id = append(s.id, d.ID)
		}
	} else {
		s.entry = s.changes.Due(s.entry[:0], w)
		for _, d := range s.entry {
			if goes := window.Add(s.totals.Slot(d.ID).asOf, stageExpire); goes > w { // it has got a newer event since
				s.changes.Push(goes, d.ID)
			} else {
				s.id = append(s.id, d.ID)
			}
		}
	}
	s.keys.Sort(s.id, s.lead, s.compare)
	p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	for _, id := range s.id {
		a, _ := s.totals.Touch(id)
		a.changed = false
		p.stageEmit(id, uint32(p.segments.Last))
	}
	p.counts[stageMade] += uint64(len(p.column.stageRows))
	p.counts[stageEmitted] += uint64(len(p.rows.stageOut))
}

// due is the watermark at which stageName emits something next, when the watermark is w.
func (s *stageState) due(w int64) int64 { return min(window.Due(w, stageEvery, 0), s.changes.Next()) }
