package session

import (
	"cmp"
	"slices"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/sessions"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// due is a watermark below which nothing is to be done for a session of stageName.
func (s *stageState) due(int64) int64 { return s.sessions.Next() }

// end finds the sessions that watermark w has ended, in the order in which they leave.
func (s *stageState) end(w int64) {
	if updates {
		s.endOf(w)
	} else {
		s.settleAll(w)
	}
	slices.SortFunc(s.ended, func(a, b sessions.Ended) int {
		if c := cmp.Compare(a.End, b.End); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Start, b.Start); c != 0 {
			return c
		}
		return s.compare(s.keys.Key[a.ID], s.keys.Key[b.ID])
	})
}

// recycle forgets keys that have no session.
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

// append appends the frame of stageName: the sessions of its keys, or of those that changed and a part of the rest.
func (s *stageState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, stagePiece)
	behind, expires := uint32(0), stream.Never
	s.id, behind = s.sessions.Select(s.id[:0], changed)
	dst = table.AppendUint(dst, uint64(len(s.id)))
	for _, id := range s.id {
		slotAppendKey(&dst, s, id)
		n := uint64(0)
		for session := s.sessions.Oldest(id); session != nil; session = s.sessions.Newer(session) {
			n++
		}
		dst = table.AppendUint(dst, n)
		for session := s.sessions.Oldest(id); session != nil; session = s.sessions.Newer(session) {
			dst = table.AppendInt(dst, session.Start)
			dst = table.AppendUint(dst, uint64(session.End-session.Start))
			end := session.End
			expires = max(expires, slotOver(end))
			a := &session.Value
			slotAppend(&dst, s, a)
			if updates {
				dst = table.AppendBool(table.AppendInt(dst, a.revision), a.published)
			}
		}
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame: what it says of a key takes the place of what was known of it.
func (s *stageState) restore(r *table.Reader) {
	n := r.Count(3)
	s.sessions.Restored(n)
	for range n {
		key := slotReadKey(s, r)
		hash := key.hash(s.seed)
		s.keys.Reserve(1)
		id, found := s.keys.Probe(hash, key)
		if !found {
			id = s.keys.Add(id, hash, key)
			s.sessions.Grow(s.keys.Cap())
		}
		for session := s.sessions.Oldest(id); session != nil; session = s.sessions.Oldest(id) {
			s.remove(id, session)
		}
		for range r.Count(3) {
			start := r.Int()
			before, behind := s.sessions.Around(id, start)
			session := s.open(id, start, start+int64(r.Uint()), before, behind)
			a := &session.Value
			slotRead(s, a, r)
			if updates {
				a.revision, a.published = r.Int(), r.Bool()
			}
		}
	}
}

// drop forgets the sessions that nothing changes any more at watermark w.
func (s *stageState) drop(w int64) {
	if updates {
		s.before = w
	}
	s.end(w)
	for _, x := range s.ended {
		session := s.sessions.Of(x)
		if updates {
			s.remove(x.ID, session)
		} else {
			s.forget(x.ID, session)
		}
	}
	s.ended = s.ended[:0]
}

func (s *stageState) commit() { s.sessions.Commit() }

func (s *stageState) reset() {
	s.keys.Reset()
	s.sessions.Reset()
	s.ended, s.emitted = s.ended[:0], 0
	if hasTexts {
		s.texts.Reset()
	}
	if hasBlobs {
		s.blobs.Reset()
	}
}
