// Package session is the skeleton of a windowed stage whose windows are sessions: spans in which the events of a key follow each other closely.
package session

import (
	"github.com/streamwright/streamwright/runtime/sessions"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageState has the open sessions of stageName.
type stageState struct {
	seed     table.Seed
	keys     table.Keys[stageKey]
	texts    table.Texts `if:"hasTexts"` // strings above 15 bytes in keys
	blobs    table.Blobs `if:"hasBlobs"` // strings in accumulators
	sessions sessions.Table[stageAccumulator]

	row     []stream.Row // of one segment: the rows that may be folded, beside where they go
	start   []int64
	key     []stageKey
	hash    []uint32
	id      []uint32
	args    []stageArguments `if:"hasArguments"` // beside row: what the folded expressions gave
	over    []uint32         `if:"!updates"`     // keys that may have a session that has ended
	ended   []sessions.Ended // that have not given their rows
	emitted int              // of them, in the step of the watermark at hand
	before  int64            `if:"updates"` // the watermark before that step
	was     sessions.Given   `if:"updates"` // the last row of the session that a row at hand joins,
	gone    sessions.Given   `if:"updates"` // and of the one that becomes a part of it
	touched uint64           // what the hints read; nothing depends on it
}

func (s *stageState) init() { s.seed = table.NewSeed() }

// stage folds each row into a session of its key: rows less than stageGapText apart are of one, unless it would be longer than stageMaxText.
func (p *Processor) stage() {
	slotBegin(p)
	s := &p.state.stage
	late := p.rows.stageLate[:0]
	s.row, s.start, s.key, s.hash = s.row[:0], s.start[:0], s.key[:0], s.hash[:0]
	if hasArguments {
		s.args = s.args[:0]
	}
	if updates {
		p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	}
	s.keys.Reserve(len(p.rows.stageIn)) // so that no cell moves between Hint, Probe and Add
	slotLabel()
	for _, r := range p.rows.stageIn {
		e := slotValue(p, r)
		args := slotArguments(p, r, e)
		start, _, ok := window.Session(slotAt(e), stageGap)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: slotOrigin(r, e), Site: stageTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		key := slotKey(s, e)
		s.row = append(s.row, r)
		s.start = append(s.start, start)
		s.key = append(s.key, key)
		s.hash = append(s.hash, key.hash(s.seed))
		if hasArguments {
			s.args = append(s.args, args)
		}
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.keys.Hint(hash)
	}
	s.id = s.id[:0]
	for i, key := range s.key {
		id, found := s.keys.Probe(s.hash[i], key)
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
		}
		s.id = append(s.id, id)
	}
	s.sessions.Grow(s.keys.Cap())
	for _, id := range s.id {
		touched += s.sessions.Hint(id)
	}
	s.touched = touched // so that the loads are not optimised away
	for i, id := range s.id {
		w := p.segments.Watermark[s.row[i].Record]
		start, end, fresh := s.start[i], s.start[i]+stageGap, false
		var next *sessions.Session[stageAccumulator]
		session := s.sessions.Change(id)
		if slotTakes(session, start, end, w) { // nearly always
			start, end = session.Start, max(session.End, end)
		} else {
			if uncut {
				s.settle(id, w)
			}
			var cut bool
			before, behind := s.sessions.Around(id, start)
			session, next, start, end, cut = s.join(before, behind, start)
			if fresh = session == nil; fresh {
				if slotOver(end) <= w { // it is over before this row came
					late = append(late, s.row[i])
					continue
				}
				slotFull(p, s, i)
				session = s.open(id, start, end, before, behind)
				p.counts[stageOpened]++
				if cut {
					p.counts[stageCut]++
				}
			}
		}
		if updates {
			s.was, s.gone = s.given(session), s.given(next)
		}
		session.Start, session.End = start, end
		a := &session.Value
		slotFold(p, s, a, i, fresh)
		if next != nil {
			s.merge(id, session, next)
			p.counts[stageMerged]++
		}
		if updates {
			p.stageRevise(id, s.row[i].Record, session)
		}
	}
	p.rows.stageLate = late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row) - len(late))
	p.counts[stageLateCount] += uint64(len(late))
	if updates {
		p.counts[stageMade] += uint64(len(p.column.stageRows))
		p.counts[stageEmitted] += uint64(len(p.rows.stageOut))
	}
}

// join finds which of the sessions of a key takes an event at t, that before the event or else that behind it, and says what it spans then. next is the one behind when it is to become a
// part of session. Without a session the event is the first of one; cut says that it overlaps another, which would be too long with it.
func (*stageState) join(before, behind *sessions.Session[stageAccumulator], t int64) (session, next *sessions.Session[stageAccumulator], start, end int64, cut bool) {
	start, end = t, t+stageGap
	if before != nil && t < before.End {
		if uint64(end-before.Start) <= stageMax {
			start, end = before.Start, max(before.End, end)
			if behind != nil && behind.Start < end && uint64(behind.End-start) <= stageMax {
				return before, behind, start, behind.End, false
			}
			return before, nil, start, end, false
		}
		cut = true
	}
	if behind != nil && behind.Start < end {
		if uint64(behind.End-t) <= stageMax {
			return behind, nil, t, behind.End, false
		}
		cut = true
	}
	return nil, nil, start, end, cut
}

// open opens a session of key id, between those before and behind it.
func (s *stageState) open(id uint32, start, end int64, before, behind *sessions.Session[stageAccumulator]) *sessions.Session[stageAccumulator] {
	session, first := s.sessions.Open(id, start, end, before, behind)
	if first {
		s.keys.Ref(id)
	}
	if updates {
		session.Value.revision = stageFirst
	}
	return session
}

// merge makes next a part of session, which stands before it.
func (s *stageState) merge(id uint32, session, next *sessions.Session[stageAccumulator]) {
	a, b := &session.Value, &next.Value
	slotMerge(s, a, b)
	if updates {
		a.revision = max(a.revision, b.revision)
	}
	s.remove(id, next)
}

// remove forgets a session of key id.
func (s *stageState) remove(id uint32, session *sessions.Session[stageAccumulator]) {
	if s.sessions.Remove(id, session) {
		s.keys.Unref(id)
	}
	slotFree(s, &session.Value)
	s.sessions.Free(session)
}

// stageEmit makes the rows of sessions that have ended, behind those that are there.
func (p *Processor) stageEmit(ended []sessions.Ended) {
	s := &p.state.stage
	made, emitted := len(p.column.stageRows), len(p.rows.stageOut)
	for _, x := range ended {
		session := s.sessions.Of(x)
		p.stageMakeRow(x.ID, slotRecord(p, x), session)
		if updates {
			if window.Add(session.End, stageLateness) <= p.segments.After() {
				s.remove(x.ID, session)
			}
		} else {
			s.forget(x.ID, session)
		}
	}
	p.counts[stageMade] += uint64(len(p.column.stageRows) - made)
	p.counts[stageEmitted] += uint64(len(p.rows.stageOut) - emitted)
}

// stageMakeRow makes the row of a session of key id, caused by a record.
func (p *Processor) stageMakeRow(id, record uint32, session *sessions.Session[stageAccumulator]) {
	s := slotRowState(p)
	a, key := slotSlot(s, session, id)
	r := stream.Row{Record: record, Index: uint32(len(p.column.stageRows))}
	row := stageRow{WindowStart: session.Start, WindowEnd: session.End}
	if updates {
		row.Revision = a.revision
	}
	refusal := slotColumns(p, s, a, key, &row, r)
	p.column.stageRows = append(p.column.stageRows, row)
	if updates {
		p.state.stage.sessions.Touch(id)
		a.revision++ // that of a refused row is used up too
	}
	if canRefuse {
		if refusal.Site != 0 {
			p.refused = append(p.refused, refusal)
			return
		}
	}
	p.rows.stageOut = append(p.rows.stageOut, r)
	if updates {
		a.published = true
	}
}
