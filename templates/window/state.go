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
		if updates {
			if sliced {
				pane := s.panes.Open[0]                // is forgotten,
				if next := s.pending(w); next != nil { // or the next window closes
					w = max(w, next.Start)
					return min(slotOver(s, pane), slotDue(s, w))
				}
				return slotOver(s, pane)
			} else {
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
			}
		} else {
			if sliced || growing {
				return s.next(w)
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

// append appends the frame of stageName: its windows, or what changed in them and a part of the rest, and the keys that earlier frames have not told.
//
//	of slices: up to where they are added up; when windows can change later, a count of them and for each its start, how long it is kept, and a count of ids, each with how many rows its key gave again
//	count of windows
//	for each: start, how long it is kept, length of what follows; count and ids of keys; what is kept for each
//	count of keys; for each its id, and the key with its length
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
	if sliced && updates {
		behind = max(behind, s.again.Select(changed))
		dst = table.AppendUint(dst, uint64(s.again.Chosen()))
		for _, pane := range s.again.Open {
			if !pane.Chosen() {
				continue
			}
			over := window.Add(pane.Start+stageSize, stageLateness)
			expires = max(expires, over)
			s.place, s.id = pane.Selected(s.place[:0], s.id[:0])
			dst = table.AppendSpan(dst, pane.Start, over)
			dst = table.AppendUint(dst, uint64(len(s.id)))
			for i, place := range s.place { // the slices tell which keys have these ids
				dst = table.AppendInt(table.AppendUint(dst, uint64(s.id[i])), *pane.At(place))
			}
		}
	}
	for _, pane := range s.panes.Open {
		if pane.Chosen() {
			expires = max(expires, slotOver(s, pane))
		}
	}
	s.keys.Tell(expires, s.panes.Anew())
	dst = table.AppendUint(dst, uint64(s.panes.Chosen()))
	for _, pane := range s.panes.Open {
		if !pane.Chosen() {
			continue
		}
		s.place, s.id = pane.Selected(s.place[:0], s.id[:0])
		dst = table.AppendSpan(dst, pane.Start, slotOver(s, pane))
		at := len(dst)
		dst = table.AppendWord(dst, 0)
		dst = s.keys.AppendIDs(dst, s.id, slotOver(s, pane))
		for _, place := range s.place {
			a := pane.At(place)
			slotAppend(&dst, s, a)
			if updates && !sliced {
				dst = table.AppendInt(dst, a.revision)
			}
		}
		table.Enclose(dst, at)
	}
	untold := s.keys.Untold()
	dst = table.AppendUint(dst, uint64(len(untold)))
	for _, id := range untold {
		dst = table.AppendUint(dst, uint64(id))
		at := len(dst)
		slotAppendKey(&dst, s, id)
		dst = table.Sized(dst, at)
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame. The last commit was at watermark w.
func (s *stageState) restore(r *table.Reader, w int64) {
	if sliced {
		s.panes.Restored(r.Int())
	}
	if sliced && updates {
		s.restoreAgain(r, w)
	}
	if s.keys.Numbered() {
		s.keys.Frame(r, w)
		return
	}
	for range r.Count(2) {
		start := r.Int()
		s.restoreKeys(r)
		if len(s.id) > 0 {
			s.restorePane(r, s.panes.At(start))
		}
	}
}

// restored says that all commits have been read.
func (s *stageState) restored() error {
	window := func(r *table.Reader, start int64, told int) {
		pane := s.panes.At(start)
		s.id = s.keys.IDs(r, s.id[:0])
		pane.Expect(told, s.keys.Cap())
		s.restorePane(r, pane)
	}
	return s.keys.Restored(window, func(key stageKey) uint32 { return key.hash(s.seed) }, s.readKey)
}

// restorePane reads what is kept in a window for the keys of s.id.
func (s *stageState) restorePane(r *table.Reader, pane *table.Pane[stageAccumulator]) {
	pane.Restored(len(s.id))
	for left := s.id; len(left) > 0; {
		some := left[:min(len(left), 256)] // whose cache misses overlap
		left = left[len(some):]
		s.touched = pane.HintIDs(some)
		for _, id := range some {
			a, fresh := pane.Touch(id)
			if fresh {
				s.keys.Ref(id)
			}
			slotRead(s, a, r)
			if updates && !sliced {
				a.revision = r.Int()
			}
		}
	}
}

// restoreKeys reads keys by value, as commits had them at first.
func (s *stageState) restoreKeys(r *table.Reader) {
	s.id = s.id[:0]
	for left := r.Count(1); left > 0 && r.Err() == nil; {
		some := min(left, 256) // whose cache misses overlap
		left -= some
		s.key, s.hash = s.key[:0], s.hash[:0]
		for range some {
			key := s.readKey(r)
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
}

// readKey reads a key.
func (s *stageState) readKey(r *table.Reader) stageKey {
	key := slotReadKey(s, r)
	return key
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
	if sliced && updates {
		for len(s.again.Open) > 0 && window.Add(s.again.Open[0].Start+stageSize, stageLateness) <= w {
			s.again.Drop()
		}
	}
}

func (s *stageState) commit() {
	s.panes.Commit()
	s.keys.Commit()
	if sliced && updates {
		s.again.Commit()
	}
}

func (s *stageState) reset() {
	s.keys.Reset()
	s.panes.Reset()
	if sliced && updates {
		s.again.Reset()
	}
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
