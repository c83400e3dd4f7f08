package session

import "github.com/streamwright/streamwright/runtime/sessions"

// settle takes the sessions of key id away that watermark w has ended. They wait for their rows, and no row joins them any more.
func (s *stageState) settle(id uint32, w int64) {
	for session := s.sessions.Oldest(id); session != nil && session.End <= w; session = s.sessions.Oldest(id) {
		s.ended = append(s.ended, s.sessions.Ended(id, session))
		if !s.sessions.Remove(id, session) {
			s.keys.Ref(id) // for the one that waits
		}
	}
}

// settleAll is settle for all keys.
func (s *stageState) settleAll(w int64) {
	s.over = s.sessions.Due(s.over[:0], w)
	for _, id := range s.over {
		s.settle(id, w)
		if session := s.sessions.Oldest(id); session != nil {
			s.sessions.Arm(id, session.End)
		}
	}
}

// forget forgets a session of key id that was settled.
func (s *stageState) forget(id uint32, session *sessions.Session[stageAccumulator]) {
	s.keys.Unref(id)
	slotFree(s, &session.Value)
	s.sessions.Free(session)
}
