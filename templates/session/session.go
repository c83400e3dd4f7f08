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
	ended   []sessions.Ended // by the step of the watermark at hand
	emitted int              // of them
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
		s.row, s.start, s.key, s.hash = append(s.row, r), append(s.start, start), append(s.key, key), append(s.hash, key.hash(s.seed))
		if hasArguments {
			s.args = append(s.args, args)
		}
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.keys.Hint(hash)
	}
	s.touched = touched // so that the loads are not optimised away
	for i, key := range s.key {
		id, found := s.keys.Probe(s.hash[i], key)
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
			s.sessions.Grow(s.keys.Cap())
		}
		session, next, cut := s.join(id, s.start[i])
		fresh := session == nil
		if fresh {
			if s.start[i]+stageGap <= p.segments.Watermark[s.row[i].Record] { // it would have ended before this row came
				late = append(late, s.row[i])
				continue
			}
			slotFull(p, s, i)
			session = s.open(id, s.start[i])
			p.counts[stageOpened]++
			if cut {
				p.counts[stageCut]++
			}
		}
		a := &session.Value
		slotFold(p, s, a, i, fresh)
		if next != nil {
			s.merge(id, session, next)
			p.counts[stageMerged]++
		}
	}
	p.rows.stageLate = late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row) - len(late))
	p.counts[stageLateCount] += uint64(len(late))
}

// join finds the session of key id that takes an event at t, and lets it reach as far as the event does: that before the event, else that behind it. next is the one behind
// when it is to become a part of session. Without a session the event is the first of one; cut says that it overlaps another, which would be too long with it.
func (s *stageState) join(id uint32, t int64) (session, next *sessions.Session[stageAccumulator], cut bool) {
	end := t + stageGap
	before, behind := s.sessions.Around(id, t)
	if before != nil && t < before.End {
		if uint64(end-before.Start) <= stageMax {
			s.sessions.Touch(id)
			before.End = max(before.End, end)
			if behind != nil && behind.Start < before.End && uint64(behind.End-before.Start) <= stageMax {
				return before, behind, false
			}
			return before, nil, false
		}
		cut = true
	}
	if behind != nil && behind.Start < end {
		if uint64(behind.End-t) <= stageMax {
			s.sessions.Touch(id)
			behind.Start = t
			return behind, nil, false
		}
		cut = true
	}
	return nil, nil, cut
}

// open opens a session of key id for an event at t.
func (s *stageState) open(id uint32, t int64) *sessions.Session[stageAccumulator] {
	session, first := s.sessions.Open(id, t, t+stageGap)
	if first {
		s.keys.Ref(id)
	}
	return session
}

// merge makes next a part of session, which stands before it.
func (s *stageState) merge(id uint32, session, next *sessions.Session[stageAccumulator]) {
	a, b := &session.Value, &next.Value
	slotMerge(s, a, b)
	session.End = next.End
	s.remove(id, next)
}

// remove forgets a session of key id.
func (s *stageState) remove(id uint32, session *sessions.Session[stageAccumulator]) {
	slotFree(s, &session.Value)
	if s.sessions.Remove(id, session) {
		s.keys.Unref(id)
	}
}

// stageEmit makes the rows of sessions that have ended, behind those that are there.
func (p *Processor) stageEmit(ended []sessions.Ended) {
	s := &p.state.stage
	column, rows := p.column.stageRows, p.rows.stageOut
	for _, x := range ended {
		session := s.sessions.Of(x)
		a, key := slotSlot(s, session, x.ID)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := stageRow{WindowStart: x.Start, WindowEnd: x.End}
		refusal := slotColumns(p, s, a, key, &row, r)
		s.remove(x.ID, session)
		column = append(column, row)
		if canRefuse {
			if refusal.Site != 0 {
				p.refused = append(p.refused, refusal)
				continue
			}
		}
		rows = append(rows, r)
	}
	p.counts[stageMade] += uint64(len(column) - len(p.column.stageRows))
	p.counts[stageEmitted] += uint64(len(rows) - len(p.rows.stageOut))
	p.column.stageRows, p.rows.stageOut = column, rows
}
