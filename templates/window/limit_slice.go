package window

import "github.com/streamwright/streamwright/runtime/stream"

// opensSlice is how many more a row for the slice that starts at start needs when the watermark before it is now: its key in the slice, if that is new, and in each window that has ended and
// now gives a second row.
func (s *stageState) opensSlice(start, now int64, id uint32, found bool) int {
	before, behind := stream.Never, stream.Always // no slice has the key
	if found {
		before, behind = s.panes.Around(start, id)
	}
	n := 0
	if before != start {
		n++
	}
	first, last := s.ended(start, now)
	for end := first; end <= last; end += stageSlide {
		if given := before >= end-stageSize || behind < end; given && !s.again.Has(end-stageSize, id) {
			n++
		}
		if end == last {
			break // what is behind it may be no time
		}
	}
	return n
}
