package tumbling

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// due is the watermark at which stageName closes something next, when the watermark is w.
func (s *stageState) due(w int64) int64 {
	if takesRecords {
		return window.Due(w, stageSize, stageOffset) // of the windows that the next records may open, too
	} else {
		if len(s.panes.Open) == 0 {
			return stream.Always
		}
		return s.panes.Open[0].Start + stageSize
	}
}

// recycle forgets keys that no open window has.
func (s *stageState) recycle() {
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

// append appends the frame of stageName: its windows, or what changed in them and a part of the rest.
func (s *stageState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, stagePiece)
	behind, expires := s.panes.Select(changed), stream.Never
	dst = table.AppendUint(dst, uint64(len(s.panes.Open)))
	for _, pane := range s.panes.Open {
		s.id = pane.Selected(s.id[:0])
		if len(s.id) > 0 {
			expires = pane.Start + stageSize // the newest window is the last
		}
		dst = table.AppendInt(dst, pane.Start)
		dst = table.AppendUint(dst, uint64(len(s.id)))
		for _, id := range s.id {
			a, key := slotSlot(s, pane, id)
			slotAppend(&dst, s, a, key)
		}
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame.
func (s *stageState) restore(r *table.Reader) {
	for range r.Count(2) {
		start := r.Int()
		for range r.Count(1) {
			key := slotReadKey(s, r)
			hash := key.hash(s.seed)
			s.keys.Reserve(1)
			id, found := s.keys.Probe(hash, key)
			if !found {
				id = s.keys.Add(id, hash, key)
			}
			a, fresh := s.panes.At(start).Touch(id)
			if fresh {
				s.keys.Ref(id)
			}
			slotRead(s, a, r)
		}
	}
}

// drop forgets the windows that watermark w has closed.
func (s *stageState) drop(w int64) {
	for len(s.panes.Open) > 0 && s.panes.Open[0].Start+stageSize <= w {
		pane := s.panes.Open[0]
		s.id = pane.IDs(s.id[:0])
		for _, id := range s.id {
			s.keys.Unref(id)
			if hasBlobs {
				slotFree(s, pane.Slot(id))
			}
		}
		s.panes.Drop()
	}
}

func (s *stageState) commit() { s.panes.Commit() }

func (s *stageState) reset() {
	s.keys.Reset()
	s.panes.Reset()
	if hasTexts {
		s.texts.Reset()
	}
	if hasBlobs {
		s.blobs.Reset()
	}
}
