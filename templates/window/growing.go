package window

import "github.com/streamwright/streamwright/runtime/window"

// grow adds the steps before end to the pane that has all since start, which is the oldest then.
func (s *stageState) grow(start, end int64) {
	whole := s.panes.At(start)
	for len(s.panes.Open) > 1 && s.panes.Open[1].Start < end {
		pane := s.panes.Open[1]
		s.id = pane.IDs(s.id[:0])
		for _, id := range s.id {
			a, fresh := whole.Touch(id)
			b := pane.Slot(id)
			if fresh {
				*a, *b = *b, *a // with what it owns, and its reference to the key
				continue
			}
			s.merge(a, b)
			s.keys.Unref(id)
			if hasBlobs {
				slotFree(s, b)
			}
		}
		s.panes.DropAt(1)
	}
}

// ends is the watermark at which the pane that starts at start is not needed any more: that of a step goes into the one of all steps when it closes.
func (s *stageState) ends(start int64) int64 {
	if whole := window.Start(start, stageSize, stageOffset); start == whole {
		return whole + stageSize
	}
	return start + stageSpan
}
