package dedup

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// recycle forgets the ids that have expired at watermark w.
func (s *stageState) recycle(w int64) {
	s.seen.Expire(window.Sub(w, stageHorizon), func(key stageKey) uint32 { return key.hash(s.seed) })
}

// append appends the frame of stageName: its ids, or those that are new. Nothing repeats them; each is needed until it expires.
func (s *stageState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, stagePiece)
	dst = table.AppendUint(dst, uint64(s.seen.Count(changed)))
	newest := stream.Never
	s.seen.Each(changed, func(key stageKey, at int64) {
		newest = max(newest, at)
		dst = table.AppendWord(dst, uint64(at))
		slotAppendKey(&dst, key)
	})
	behind := uint32(0)
	if changed {
		behind = checkpoint.Everything
	}
	checkpoint.End(dst, begin, window.Add(newest, stageHorizon), behind)
	return dst
}

// restore reads a frame.
func (s *stageState) restore(r *table.Reader) {
	n := r.Count(8)
	s.seen.Reserve(n)
	for n > 0 && r.Err() == nil {
		some := min(n, 256) // whose cache misses overlap
		n -= some
		s.at, s.key, s.hash = s.at[:0], s.key[:0], s.hash[:0]
		for range some {
			at := int64(r.Word())
			key := slotReadKey(r)
			hash := key.hash(s.seed)
			s.at, s.key, s.hash = append(s.at, at), append(s.key, key), append(s.hash, hash)
		}
		if r.Err() != nil {
			return
		}
		touched := uint64(0)
		for _, hash := range s.hash {
			touched += s.seen.Hint(hash)
		}
		s.touched = touched
		for i, key := range s.key {
			cell, old, found := s.seen.Probe(s.hash[i], key)
			if !found || old < s.at[i] {
				s.seen.Put(cell, s.hash[i], key, s.at[i])
			}
		}
	}
}

func (s *stageState) commit() { s.seen.Commit() }

func (s *stageState) reset() { s.seen.Reset() }
