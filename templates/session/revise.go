package session

import (
	"github.com/streamwright/streamwright/runtime/sessions"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/window"
)

// given is the last row that a session has given, if it has.
func (s *stageState) given(session *sessions.Session[stageAccumulator]) sessions.Given {
	if session == nil || !session.Value.published {
		return sessions.Given{}
	}
	return sessions.Given{Start: session.Start, End: session.End, Next: session.Value.revision, Any: true}
}

// stageRevise makes the rows that a record has caused which joined a session of key id, in the order of their ends and starts: those that take back what spans differ now, and, if
// the session has ended, its own.
func (p *Processor) stageRevise(id, record uint32, session *sessions.Session[stageAccumulator]) {
	s := &p.state.stage
	was, gone := s.was, s.gone
	was.Any = was.Any && (was.Start != session.Start || was.End != session.End)
	if was.Any {
		session.Value.published = false
	}
	if was.Any && was.End < session.End {
		p.stageRetract(id, record, was)
	}
	if session.End <= p.segments.Watermark[record] {
		p.stageMakeRow(id, record, session)
	} else {
		s.sessions.Arm(id, session.End)
	}
	if was.Any && was.End == session.End {
		p.stageRetract(id, record, was)
	}
	if gone.Any {
		p.stageRetract(id, record, gone)
	}
}

// stageRetract takes a row back that a session of key id has given.
func (p *Processor) stageRetract(id, record uint32, given sessions.Given) {
	s := slotKeyState(p)
	r := stream.Row{Record: record, Index: uint32(len(p.column.stageRows))}
	row := stageRow{WindowStart: given.Start, WindowEnd: given.End, Revision: given.Next, Retracted: true}
	slotKeyColumns(p, s, id, &row)
	p.column.stageRows = append(p.column.stageRows, row)
	p.rows.stageOut = append(p.rows.stageOut, r)
}

// endOf finds the sessions that watermark w has ended, and forgets those that nothing changes any more. The others stay: rows that come later can change them.
func (s *stageState) endOf(w int64) {
	s.id = s.sessions.Due(s.id[:0], w)
	for _, id := range s.id {
		session := s.sessions.Oldest(id)
		for session != nil && session.End <= s.before { // it has given its row; nothing changes that any more, or the session stays
			has := session
			session = s.sessions.Newer(session)
			if over := window.Add(has.End, stageLateness); over <= w {
				s.remove(id, has)
			} else {
				s.sessions.Arm(id, over)
			}
		}
		for ; session != nil && session.End <= w; session = s.sessions.Newer(session) {
			s.ended = append(s.ended, s.sessions.Ended(id, session))
			if over := window.Add(session.End, stageLateness); over > w {
				s.sessions.Arm(id, over)
			}
		}
		if session != nil { // it ends later
			s.sessions.Arm(id, session.End)
		}
	}
}
