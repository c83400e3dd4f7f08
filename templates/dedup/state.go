package dedup

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// recycle forgets the ids that have expired at watermark w.
func (s *stageState) recycle(w int64) {
	s.seen.Expire(window.Behind(w, stageHorizon), func(key stageKey) uint32 { return key.hash(s.seed) })
}

// append appends the frame of stageName: its ids, or those that are new. Nothing repeats them; each is needed until it expires.
func (s *stageState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, stagePiece)
	dst, newest := s.seen.AppendState(dst, changed)
	behind := uint32(0)
	if changed {
		behind = checkpoint.Everything
	}
	checkpoint.End(dst, begin, window.Add(newest, stageHorizon), behind)
	return dst
}

// restore reads a frame.
func (s *stageState) restore(r *table.Reader) {
	s.seen.Restore(r, func(key stageKey) uint32 { return key.hash(s.seed) })
}

func (s *stageState) commit() { s.seen.Commit() }

func (s *stageState) reset() {
	s.seen.Reset()
	if limited {
		s.census.Reset()
	}
}
