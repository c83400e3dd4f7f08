package session

import (
	"github.com/streamwright/streamwright/runtime/sessions"
	"github.com/streamwright/streamwright/runtime/stream"
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
