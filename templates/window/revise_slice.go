package window

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageChangedSlice makes the rows of a key in the windows of a slice again that have ended already and can still change: a record has changed the slice. fresh says that it had not had the key.
func (p *Processor) stageChangedSlice(start int64, id, record uint32, fresh bool) {
	s := &p.state.stage
	first, last := s.ended(start, p.segments.Watermark[record])
	if first > last {
		return
	}
	s.panes.Again(start, id, fresh, first, last)
	for end := first; ; end += stageSlide {
		a, had := s.panes.NextAgain(end)
		revision := int64(stageFirst)
		if had { // then the window has given a row of the key
			n, _ := s.again.At(end - stageSize).Touch(id)
			*n++ // that of a refused row is used up too
			revision += *n
		} else {
			p.counts[stageOpened]++
		}
		p.stageRevise(a, id, record, end-stageSize, end, revision)
		if end == last {
			return
		}
	}
}

// ended says which windows of the slice that starts at start have ended by watermark now and can still change: the first and the last of their ends; first is above last when there are none.
func (s *stageState) ended(start, now int64) (first, last int64) {
	w := max(start, window.Behind(now, stageLateness))
	return slotDue(s, w), min(slotLast(start), slotReached(now))
}

// restoreAgain reads how many rows keys have given behind the first of a window. Of windows that are over at watermark w the ids may be those of other keys.
func (s *stageState) restoreAgain(r *table.Reader, w int64) {
	for range r.Count(3) {
		start, over := r.Span()
		given := r.Count(2)
		for i := range given {
			id, n := uint32(r.Uint()), r.Int()
			if over <= w || r.Err() != nil {
				continue
			}
			pane := s.again.At(start)
			if i == 0 {
				pane.Restored(given)
			}
			of, _ := pane.Touch(id)
			*of = n
		}
	}
}

// pending is the oldest slice of the windows that end behind w; nil for none.
func (s *stageState) pending(w int64) *table.Pane[stageAccumulator] {
	if w == stream.Always {
		return nil
	}
	if i := s.panes.Since(window.Sub(slotDue(s, w), stageSize)); i < len(s.panes.Open) {
		return s.panes.Open[i]
	}
	return nil
}
