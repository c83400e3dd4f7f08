package running

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// recycle forgets the keys that watermark w lets go, and what nobody uses any more.
func (s *stageState) recycle(w int64) {
	s.drop(w)
	if hasTexts {
		if s.keys.Evict(1024) && s.texts.Crowded(1024) {
			for id := range s.keys.Key {
				if s.keys.Has(uint32(id)) {
					slotMark(s, &s.keys.Key[id])
				}
			}
			s.texts.Sweep()
		}
	} else {
		s.keys.Evict(1024)
	}
}

// drop forgets the keys that watermark w lets go.
func (s *stageState) drop(w int64) {
	s.entry = s.goes.Due(s.entry[:0], w)
	for _, d := range s.entry {
		a := s.totals.Slot(d.ID)
		if goes := window.Add(a.asOf, stageExpire); goes > w { // it has got a newer event since
			s.goes.Push(goes, d.ID)
			continue
		}
		slotFree(s, a)
		s.totals.Remove(d.ID)
		s.keys.Unref(d.ID)
	}
}

// append appends the frame of stageName: its keys, or those that changed and a part of the rest.
func (s *stageState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, stagePiece)
	behind, newest := uint32(0), stream.Never
	s.id, behind = s.totals.Select(s.id[:0], changed)
	dst = table.AppendUint(dst, uint64(len(s.id)))
	for _, id := range s.id {
		a, key := slotSlot(s, id)
		newest = max(newest, a.asOf)
		slotAppend(&dst, s, a, key)
		dst = table.AppendInt(table.AppendInt(table.AppendInt(dst, a.since), a.asOf), a.revision)
		if periodic {
			dst = table.AppendBool(dst, a.changed)
		}
	}
	checkpoint.End(dst, begin, window.Add(newest, stageExpire), behind)
	return dst
}

// restore reads a frame.
func (s *stageState) restore(r *table.Reader) {
	n := r.Count(3)
	s.totals.Restored(n)
	for range n {
		key := slotReadKey(s, r)
		hash := key.hash(s.seed)
		s.keys.Reserve(1)
		id, found := s.keys.Probe(hash, key)
		if !found {
			id = s.keys.Add(id, hash, key)
		}
		s.totals.Grow(s.keys.Cap())
		a, fresh := s.totals.Touch(id)
		slotRead(s, a, r)
		a.since, a.asOf, a.revision = r.Int(), r.Int(), r.Int()
		if fresh {
			s.keys.Ref(id)
			s.goes.Push(window.Add(a.asOf, stageExpire), id)
		}
		if periodic {
			a.changed = r.Bool()
		}
	}
}

// settle says that all commits have been read, up to watermark w.
func (s *stageState) settle(w int64) {
	s.drop(w)
	if periodic {
		s.id = s.totals.IDs(s.id[:0])
		for _, id := range s.id {
			if a := s.totals.Slot(id); a.changed {
				s.changes.Push(window.Add(a.asOf, stageExpire), id)
			}
		}
	}
}

func (s *stageState) commit() { s.totals.Commit() }

func (s *stageState) reset() {
	s.keys.Reset()
	s.totals.Reset()
	s.goes.Reset()
	if periodic {
		s.changes.Reset()
	}
	if hasTexts {
		s.texts.Reset()
	}
	if hasBlobs {
		s.blobs.Reset()
	}
}
