package window

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// due is the watermark at which stageName closes something next, when the watermark is w.
func (s *stageState) due(w int64) int64 {
	if takesRecords {
		return slotDue(s, w) // of the windows that the next records may open, too
	} else {
		if len(s.panes.Open) == 0 {
			return stream.Always
		}
		if sliced || growing {
			return s.next(w)
		} else {
			if updates {
				due := stream.Always
				for i, pane := range s.panes.Open {
					if i == 0 {
						due = slotOver(s, pane) // when the oldest is forgotten
					}
					if slotEnd(s, pane) > w { // or the next one closes
						return min(due, slotEnd(s, pane))
					}
				}
				return due
			} else {
				pane := s.panes.Open[0]
				return slotEnd(s, pane)
			}
		}
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
	if sliced {
		dst = table.AppendInt(dst, s.panes.Until())
		if len(s.panes.Open) > 0 {
			expires = window.Add(s.panes.Until(), stageSize) // when no window is put together from there any more
		}
	}
	if sliced {
		dst = table.AppendUint(dst, uint64(s.panes.Chosen())) // most slices do not change any more
	} else {
		dst = table.AppendUint(dst, uint64(len(s.panes.Open)))
	}
	for _, pane := range s.panes.Open {
		if sliced {
			if !pane.Chosen() {
				continue
			}
		}
		s.place, s.id = pane.Selected(s.place[:0], s.id[:0])
		s.touched = s.keys.HintIDs(s.id)
		if len(s.id) > 0 {
			if sliced || growing {
				expires = max(expires, slotEnd(s, pane))
			} else {
				expires = slotOver(s, pane) // the newest window is the last
			}
		}
		dst = table.AppendInt(dst, pane.Start)
		dst = table.AppendUint(dst, uint64(len(s.id)))
		slotAppendKeys(&dst, s)
		for _, place := range s.place {
			a := pane.At(place)
			slotAppend(&dst, s, a)
			if updates {
				dst = table.AppendInt(dst, a.revision)
			}
		}
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame.
func (s *stageState) restore(r *table.Reader) {
	if sliced {
		s.panes.Restored(r.Int())
	}
	for range r.Count(2) {
		start := r.Int()
		s.id = s.id[:0]
		for left := r.Count(1); left > 0 && r.Err() == nil; {
			some := min(left, 256) // whose cache misses overlap
			left -= some
			s.key, s.hash = s.key[:0], s.hash[:0]
			for range some {
				key := slotReadKey(s, r)
				s.key = append(s.key, key)
				s.hash = append(s.hash, key.hash(s.seed))
			}
			s.keys.Reserve(some)
			s.touched = s.keys.HintHashes(s.hash)
			for i, key := range s.key {
				id, found := s.keys.Probe(s.hash[i], key)
				if !found {
					id = s.keys.Add(id, s.hash[i], key)
				}
				s.id = append(s.id, id)
			}
		}
		if len(s.id) == 0 {
			continue
		}
		pane := s.panes.At(start)
		pane.Restored(len(s.id))
		for left := s.id; len(left) > 0; {
			some := left[:min(len(left), 256)]
			left = left[len(some):]
			s.touched = pane.HintIDs(some)
			for _, id := range some {
				a, fresh := pane.Touch(id)
				if fresh {
					s.keys.Ref(id)
				}
				slotRead(s, a, r)
				if updates {
					a.revision = r.Int()
				}
			}
		}
	}
}

// drop forgets the windows that nothing changes any more at watermark w.
func (s *stageState) drop(w int64) {
	if growing {
		for i := 0; i < len(s.panes.Open); {
			pane := s.panes.Open[i]
			if slotEnd(s, pane) > w {
				i++
				continue
			}
			s.id = pane.IDs(s.id[:0])
			for _, id := range s.id {
				s.keys.Unref(id)
				if hasBlobs {
					slotFree(s, pane.Slot(id))
				}
			}
			s.panes.DropAt(i)
		}
	} else {
		for len(s.panes.Open) > 0 {
			pane := s.panes.Open[0]
			if slotOver(s, pane) > w {
				break
			}
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
}

func (s *stageState) commit() { s.panes.Commit() }

func (s *stageState) reset() {
	s.keys.Reset()
	s.panes.Reset()
	if sliced || growing || updates {
		s.closed = stream.Never
	}
	if hasTexts {
		s.texts.Reset()
	}
	if hasBlobs {
		s.blobs.Reset()
	}
}
