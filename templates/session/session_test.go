package session

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// span is an open session as the test knows it.
type span struct {
	start, end int64
	key        uint64
	n, sum     int64
}

// model holds all open sessions in no order.
type model struct {
	open   []span
	counts [8]uint64
}

// take is the rule, word by word: the event joins the earlier neighbour first, then that joins the later one, each only if the result stays within the longest.
func (m *model) take(v value, watermark int64) {
	m.counts[stageInCount]++
	event := span{v.at, v.at + stageGap, v.key, 1, v.n}
	earlier, later := -1, -1
	for i, s := range m.open {
		switch {
		case s.key != v.key || s.end <= event.start || event.end <= s.start:
		case s.start <= v.at && (earlier < 0 || s.start > m.open[earlier].start):
			earlier = i
		case s.start > v.at && (later < 0 || s.start < m.open[later].start):
			later = i
		}
	}
	overlaps := earlier >= 0 || later >= 0
	joined := false
	for _, i := range []int{earlier, later} {
		if i < 0 {
			continue
		}
		s := m.open[i]
		both := span{min(s.start, event.start), max(s.end, event.end), v.key, s.n + event.n, s.sum + event.sum}
		if both.end-both.start > stageMax {
			continue
		}
		if joined {
			m.counts[stageMerged]++
		}
		event, joined = both, true
		m.open[i].n = 0 // it is a part of event now
	}
	switch {
	case !joined && event.end <= watermark:
		m.counts[stageLateCount]++
		return
	case !joined:
		m.counts[stageOpened]++
		if overlaps {
			m.counts[stageCut]++
		}
	}
	m.counts[stageFolded]++
	m.open = append(slices.DeleteFunc(m.open, func(s span) bool { return s.n == 0 }), event)
}

// step gives the rows of the sessions that end at a watermark.
func (m *model) step(watermark int64) (made, emitted []stageRow) {
	slices.SortFunc(m.open, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.key, b.key))
	})
	for len(m.open) > 0 && m.open[0].end <= watermark {
		s := m.open[0]
		m.open = m.open[1:]
		row := stageRow{WindowStart: s.start, WindowEnd: s.end, Key: s.key, N: s.n, Sum: s.sum}
		made = append(made, row)
		if s.sum <= 1000 {
			emitted = append(emitted, row)
		}
	}
	m.counts[stageMade] += uint64(len(made))
	m.counts[stageEmitted] += uint64(len(emitted))
	return made, emitted
}

// TestSession holds the skeleton, over its placeholders, against the rule: random rows, a watermark that follows them, ends, a commit after each batch and a restart now and then.
func TestSession(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 8))
	cuts, merged := uint64(0), uint64(0)
	for seed := range 1500 {
		p := newProcessor()
		var m model
		var log [][]byte
		keys, lag := uint64(1+r.IntN(20)), int64(r.IntN(40))
		highest, watermark := int64(-100), stream.Never
		for range 1 + r.IntN(30) {
			batch := 1 + r.IntN(30)
			p.segments = stream.NewSegments(batch)
			p.segments.Soon = make([]int64, batch)
			p.segments.Begin(watermark)
			due := p.state.stage.due(watermark)
			p.segments.Due = due
			p.column.stageColumn, p.rows.stageIn = p.column.stageColumn[:0], p.rows.stageIn[:0]
			for i := range batch {
				highest += int64(r.IntN(4))
				v := value{at: highest - int64(r.IntN(40)), n: int64(r.IntN(300)), key: r.Uint64N(keys)}
				p.column.stageColumn = append(p.column.stageColumn, v)
				record := p.segments.Record(stream.Str{})
				p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
				p.segments.Soon[record] = v.at + stageGap
				due = min(due, v.at+stageGap)
				m.take(v, watermark)
				watermark = max(watermark, highest-lag)
				p.segments.Accept(record, watermark)
				if watermark >= due {
					break // what a segment is: the record that ends something is its last
				}
			}
			p.segments.Next()
			p.stage()
			made, emitted := m.step(watermark)
			var got []stageRow
			take := func() {
				for _, row := range p.rows.stageOut {
					got = append(got, p.column.stageRows[row.Index])
				}
			}
			if seed%2 == 0 {
				p.stageClose()
				take()
				if !slices.Equal(p.column.stageRows, made) {
					t.Fatalf("seed %d: made %v, want %v", seed, p.column.stageRows, made)
				}
			} else {
				for mark := p.in.Mark(); p.stageCloseNext(mark); {
					take()
				}
				for _, r := range p.refused { // what dead letters are made of
					if row := p.column.stageRows[r.Index]; row.Sum <= 1000 || !slices.Contains(made, row) {
						t.Fatalf("seed %d: refused row %d is %v", seed, r.Index, row)
					}
				}
			}
			if !slices.Equal(got, emitted) || p.counts != m.counts || len(p.refused) != len(made)-len(emitted) {
				t.Fatalf("seed %d: rows %v, want %v; counts %v, want %v; %d refused", seed, got, emitted, p.counts, m.counts, len(p.refused))
			}
			p.refused = p.refused[:0]
			if p.state.stage.sessions.Len() != len(m.open) {
				t.Fatalf("seed %d: %d sessions, want %d", seed, p.state.stage.sessions.Len(), len(m.open))
			}
			for _, s := range m.open {
				if next := p.state.stage.due(watermark); next > s.end || next <= watermark {
					t.Fatalf("seed %d: due at %d, but a session ends at %d, and the watermark is %d", seed, next, s.end, watermark)
				}
			}
			p.state.stage.recycle()
			log = append(log, p.state.stage.append(nil, len(log) > 0))
			p.state.stage.commit()
			if r.IntN(3) == 0 {
				p.restart(t, log, watermark)
			}
			if r.IntN(10) == 0 {
				log = nil
			}
		}
		cuts, merged = cuts+m.counts[stageCut], merged+m.counts[stageMerged]
		p.state.stage.reset()
		if p.state.stage.sessions.Len() != 0 || p.state.stage.keys.Len() != 0 {
			t.Fatal("a reset leaves sessions")
		}
	}
	if cuts < 100 || merged < 100 {
		t.Errorf("%d sessions were cut, %d merged: too few to say something", cuts, merged)
	}
}

func newProcessor() *Processor {
	p := &Processor{in: new(stream.Batch)}
	p.state.stage.init()
	return p
}

// restart replaces the state by what commits say of it.
func (p *Processor) restart(t *testing.T, log [][]byte, watermark int64) {
	seed := p.state.stage.seed
	p.state.stage = stageState{}
	p.state.stage.init()
	p.state.stage.seed = seed // which the head of a commit has
	for _, state := range log {
		frame, rest, err := checkpoint.Next(state)
		if err != nil || len(rest) > 0 || frame.Piece != stagePiece {
			t.Fatalf("not a frame of the stage: %v", err)
		}
		r := table.NewReader(frame.Data)
		p.state.stage.restore(&r)
		if err := r.Done(); err != nil {
			t.Fatal(err)
		}
	}
	p.state.stage.drop(watermark)
	p.state.stage.commit()
}
