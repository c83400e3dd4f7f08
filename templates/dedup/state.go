package dedup

import (
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// recycle forgets the ids that have expired at watermark w.
func (s *stageState) recycle(w int64) {
	s.seen.Expire(window.Sub(w, stageHorizon), func(key stageKey) uint32 { return key.hash(s.seed) })
}

func (s *stageState) append(dst []byte, changed bool) []byte {
	dst = table.AppendSeed(dst, s.seed)
	dst = table.AppendUint(dst, uint64(s.seen.Count(changed)))
	s.seen.Each(changed, func(key stageKey, at int64) {
		dst = table.AppendInt(dst, at)
		slotAppendKey(&dst, key)
	})
	return dst
}

func (s *stageState) restore(r *table.Reader) {
	s.seed = r.Seed()
	for range r.Count(1) {
		at := r.Int()
		key := slotReadKey(r)
		s.seen.Restore(key.hash(s.seed), key, at)
	}
}

func (s *stageState) commit() { s.seen.Commit() }

func (s *stageState) reset() { s.seen.Reset() }
