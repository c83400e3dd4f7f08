// Package window is the skeleton of a windowed stage whose windows do not depend on the rows: tumbling and calendar windows, of which a row is in one, and hopping and cumulative
// windows, of which it is in several. Each open window has a pane of its own as long as they are few (overlaps). Where they are many, a row goes into the pane of its slice, the span
// between two places where windows begin or end: hopping windows are put together from their slices when they close (sliced); cumulative ones have the steps that have closed in
// one pane, to which each further step is added (growing). Where windows can change after their end (updates), panes and slices stay until they cannot any more.
package window

import (
	"github.com/streamwright/streamwright/runtime/calendar"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageState has the open windows of stageName.
type stageState struct {
	seed  table.Seed
	keys  table.Keys[stageKey]
	texts table.Texts `if:"hasTexts"` // strings above 15 bytes in keys
	blobs table.Blobs `if:"hasBlobs"` // strings in accumulators
	panes stagePanes
	again table.Panes[int64] `if:"sliced && updates"` // by the starts of windows: how many rows each has given behind its first

	row     []stream.Row // of one segment: the rows that are folded, beside where they go
	start   []int64      // of its pane
	last    []int64      `if:"overlaps"` // and of the last pane it goes to
	key     []stageKey
	hash    []uint32
	id      []uint32
	place   []uint32
	emitted int              // so many keys of the window that closes, which stand in id, have their rows
	args    []stageArguments `if:"hasArguments"` // beside row: what the folded expressions gave
	touched uint64           // what the hints read; nothing depends on it

	calendar calendar.Calendar `if:"byCalendar"`
	closed   int64             `if:"sliced || growing || updates"` // the end of the last window that has closed, as far as this step needs to know
}

func (s *stageState) init() {
	s.seed = table.NewSeed()
	slotCalendar(s)
	if sliced {
		s.panes.Init(stageSize, stageSlide, stageOffset, s.merge)
	}
	if sliced || growing || updates {
		s.closed = stream.Never
	}
}

// stage folds each row into stageWindows.
func (p *Processor) stage() {
	slotBegin(p)
	s := &p.state.stage
	late := p.rows.stageLate[:0]
	s.row, s.start, s.key, s.hash = s.row[:0], s.start[:0], s.key[:0], s.hash[:0]
	if overlaps {
		s.last = s.last[:0]
	}
	if updates {
		p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	}
	if hasArguments {
		s.args = s.args[:0]
	}
	s.keys.Reserve(len(p.rows.stageIn)) // so that no cell moves between Hint, Probe and Add
	slotLabel()
	for _, r := range p.rows.stageIn {
		e := slotValue(p, r)
		args := slotArguments(p, r, e)
		start, end, ok := slotBounds(s, e)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: slotOrigin(r, e), Site: stageTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		if end <= slotPassed(p, r) { // closed before this row came
			late = append(late, r)
			continue
		}
		if overlaps || sliced || growing {
			if missed := window.Missed(slotPassed(p, r), start+stageSpan, stageSlide); missed > 0 { // it counts in the others
				if overlaps {
					start += missed * stageSlide
				}
				if growing {
					start = end - stageSize // where the steps are that have closed
				}
				p.counts[stagePartial] += uint64(missed)
			}
		}
		if sliced {
			start = slotSlice(e)
		}
		key := slotKey(s, e)
		hash := key.hash(s.seed)
		s.row = append(s.row, r)
		s.start = append(s.start, start)
		s.key = append(s.key, key)
		s.hash = append(s.hash, hash)
		if overlaps {
			s.last = append(s.last, end-stageSpan)
		}
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
		slotFull(p, s, i, id, found)
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
		}
		if overlaps {
			for start := s.start[i]; start <= s.last[i]; start += stageSlide {
				a, fresh := s.panes.At(start).Touch(id)
				if fresh {
					s.keys.Ref(id)
					p.counts[stageOpened]++
					if updates {
						a.revision = stageFirst
					}
				}
				slotFold(p, s, a, i, fresh)
				if updates {
					p.stageChanged(start, id, s.row[i].Record)
				}
			}
		} else {
			a, fresh := s.panes.At(s.start[i]).Touch(id)
			if fresh {
				s.keys.Ref(id)
				if !sliced && !growing {
					p.counts[stageOpened]++
				}
				if updates && !sliced {
					a.revision = stageFirst
				}
			}
			slotFold(p, s, a, i, fresh)
			if sliced {
				s.panes.LateIn(s.start[i], id)
				if updates {
					if s.start[i] < p.segments.Watermark[s.row[i].Record] { // else none of its windows has ended
						p.stageChangedSlice(s.start[i], id, s.row[i].Record, fresh)
					}
				}
			} else {
				if updates {
					p.stageChanged(s.start[i], id, s.row[i].Record)
				}
			}
		}
	}
	p.rows.stageLate = late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row))
	p.counts[stageLateCount] += uint64(len(late))
	if updates {
		p.counts[stageMade] += uint64(len(p.column.stageRows))
		p.counts[stageEmitted] += uint64(len(p.rows.stageOut))
	}
}
