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

// span is a session as the test knows it.
type span struct {
	start, end int64
	key        uint64
	n, sum     int64
	revision   int64
	given      bool
}

// lateness is for how long a session that has ended can change.
func lateness() int64 {
	if updates {
		return stageLateness
	}
	return 0
}

// model holds all sessions that can change, in no order.
type model struct {
	open   []span
	counts [8]uint64
}

// take is the rule, word by word: the event joins the earlier neighbour first, then that joins the later one, each only if the result stays within the longest. Rows that were given
// of what is gone are taken back, and a session that has ended gives its row.
func (m *model) take(v value, watermark int64) (made, emitted []stageRow) {
	m.counts[stageInCount]++
	event := span{start: v.at, end: v.at + stageGap, key: v.key, n: 1, sum: v.n, revision: stageFirst}
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
	var parts []span
	for _, i := range []int{earlier, later} {
		if i < 0 {
			continue
		}
		s := m.open[i]
		both := span{start: min(s.start, event.start), end: max(s.end, event.end), key: v.key, n: s.n + event.n, sum: s.sum + event.sum, revision: max(s.revision, event.revision)}
		if both.end-both.start > stageMax {
			continue
		}
		event, parts = both, append(parts, s)
		m.open[i].n = 0 // it is a part of event now
	}
	switch {
	case len(parts) == 0 && event.end+lateness() <= watermark:
		m.counts[stageLateCount]++
		return nil, nil
	case len(parts) == 0:
		m.counts[stageOpened]++
		if earlier >= 0 || later >= 0 {
			m.counts[stageCut]++
		}
	case len(parts) == 2:
		m.counts[stageMerged]++
	}
	m.counts[stageFolded]++
	for _, s := range parts {
		switch {
		case s.start == event.start && s.end == event.end:
			event.given = s.given
		case s.given:
			emitted = append(emitted, stageRow{WindowStart: s.start, WindowEnd: s.end, Key: s.key, Revision: s.revision, Retracted: true})
		}
	}
	made = slices.Clone(emitted)
	if event.end <= watermark {
		made, emitted = event.give(made, emitted)
	}
	m.open = append(slices.DeleteFunc(m.open, func(s span) bool { return s.n == 0 }), event)
	byEnd := func(a, b stageRow) int {
		return cmp.Or(cmp.Compare(a.WindowEnd, b.WindowEnd), cmp.Compare(a.WindowStart, b.WindowStart))
	}
	slices.SortFunc(made, byEnd)
	slices.SortFunc(emitted, byEnd)
	m.counts[stageMade] += uint64(len(made))
	m.counts[stageEmitted] += uint64(len(emitted))
	return made, emitted
}

// give adds the row of a session, which leaves if its sum is not too high.
func (s *span) give(made, emitted []stageRow) ([]stageRow, []stageRow) {
	row := stageRow{WindowStart: s.start, WindowEnd: s.end, Key: s.key, N: s.n, Sum: s.sum, Revision: s.revision}
	made = append(made, row)
	if s.sum <= 1000 {
		emitted = append(emitted, row)
		s.given = true
	}
	s.revision++ // that of a row that does not leave is used up too
	return made, emitted
}

// step gives the rows of the sessions that end by a step of the watermark.
func (m *model) step(before, watermark int64) (made, emitted []stageRow) {
	slices.SortFunc(m.open, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.key, b.key))
	})
	for i := range m.open {
		if s := &m.open[i]; before < s.end && s.end <= watermark {
			made, emitted = s.give(made, emitted)
		}
	}
	m.open = slices.DeleteFunc(m.open, func(s span) bool { return s.end+lateness() <= watermark })
	m.counts[stageMade] += uint64(len(made))
	m.counts[stageEmitted] += uint64(len(emitted))
	return made, emitted
}

// TestSession holds the skeleton, over its placeholders, against the rule: random rows, a watermark that follows them, ends, a commit after each batch and a restart now and then.
func TestSession(t *testing.T) {
	defer func() { updates, uncut = false, false }()
	for kind, flag := range map[string]*bool{"cut": new(bool), "uncut": &uncut, "updates": &updates} {
		updates, uncut = false, false
		*flag = true
		t.Run(kind, testSession)
	}
}

func testSession(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 8))
	cuts, merged, retracted := uint64(0), uint64(0), 0
	for seed := range 1500 {
		p := newProcessor()
		var m model
		var log [][]byte
		keys, lag := uint64(1+r.IntN(20)), int64(r.IntN(40))
		highest, watermark := int64(-100), stream.Never
		for range 1 + r.IntN(30) {
			batch := 1 + r.IntN(30)
			p.segments = stream.NewSegments(batch)
			p.segments.Begin(watermark)
			var made, emitted []stageRow           // by records
			var stepsMade, stepsEmitted []stageRow // by steps of the watermark
			var causes []uint32                    // of the rows that are made by steps
			step := func(record uint32, before int64) {
				more, out := m.step(before, watermark)
				stepsMade, stepsEmitted = append(stepsMade, more...), append(stepsEmitted, out...)
				for range more {
					causes = append(causes, record)
				}
			}
			due := stream.Always
			if !uncut {
				due = p.state.stage.due(watermark)
				p.segments.Soon = make([]int64, batch)
			}
			p.segments.Due = due
			p.column.stageColumn, p.rows.stageIn = p.column.stageColumn[:0], p.rows.stageIn[:0]
			for i := range batch {
				highest += int64(r.IntN(4))
				v := value{at: highest - int64(r.IntN(40)), n: int64(r.IntN(300)), key: r.Uint64N(keys)}
				p.column.stageColumn = append(p.column.stageColumn, v)
				record := p.segments.Record(stream.Str{})
				p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
				before := watermark
				more, out := m.take(v, watermark)
				made, emitted = append(made, more...), append(emitted, out...)
				watermark = max(watermark, highest-lag)
				p.segments.Accept(record, watermark)
				if uncut {
					step(record, before)
					continue
				}
				p.segments.Soon[record] = v.at + stageGap
				if due = min(due, v.at+stageGap); watermark >= due || i == batch-1 {
					step(record, before)
					break // what a segment is: the record that ends something is its last
				}
			}
			p.segments.Next()
			p.stage()
			var got []stageRow
			take := func() {
				for _, row := range p.rows.stageOut {
					got = append(got, p.column.stageRows[row.Index])
				}
			}
			if updates {
				take()
			} else {
				p.column.stageRows = p.column.stageRows[:0]
			}
			if !slices.Equal(got, emitted) || !slices.Equal(p.column.stageRows, made) || len(p.refused) != len(made)-len(emitted) {
				t.Fatalf("seed %d: records gave %v, want %v; %d refused", seed, got, emitted, len(p.refused))
			}
			for _, row := range got {
				if row.Retracted {
					retracted++
				}
			}
			got, p.refused = nil, p.refused[:0]
			made, emitted = stepsMade, stepsEmitted
			if seed%2 == 0 {
				p.stageClose()
				take()
				if !slices.Equal(p.column.stageRows, made) {
					t.Fatalf("seed %d: made %v, want %v", seed, p.column.stageRows, made)
				}
			} else {
				for mark := p.in.Mark(); p.stageCloseNext(mark, 0); {
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
			refused := 0
			for i, row := range made {
				if row.Sum <= 1000 {
					continue
				}
				if p.refused[refused].Record != causes[i] {
					t.Fatalf("seed %d: %v is refused for record %d, want %d", seed, row, p.refused[refused].Record, causes[i])
				}
				refused++
			}
			p.refused = p.refused[:0]
			if p.state.stage.sessions.Len() != len(m.open) {
				t.Fatalf("seed %d: %d sessions, want %d", seed, p.state.stage.sessions.Len(), len(m.open))
			}
			for _, s := range m.open {
				ends := s.end
				if ends <= watermark {
					ends += lateness()
				}
				if next := p.state.stage.due(watermark); next > ends || next <= watermark {
					t.Fatalf("seed %d: due at %d, but a session is due at %d, and the watermark is %d", seed, next, ends, watermark)
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
	if cuts < 100 || merged < 100 || updates && retracted < 100 {
		t.Errorf("%d sessions were cut, %d merged, %d rows retracted: too few to say something", cuts, merged, retracted)
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

// BenchmarkSession prints what a row takes when users come and go: a visit of about five events, ten seconds apart, of one user in a hundred thousand; in sessions that cut segments, that cut none, and
// that stay for stageLateness behind their end.
func BenchmarkSession(b *testing.B) {
	defer func() { updates, uncut = false, false }()
	for _, kind := range []struct {
		name string
		flag *bool
	}{{"cut", new(bool)}, {"uncut", &uncut}, {"updates", &updates}} {
		updates, uncut = false, false
		*kind.flag = true
		b.Run(kind.name, benchmarkSession)
	}
}

func benchmarkSession(b *testing.B) {
	const batch = 256
	r := rand.New(rand.NewPCG(1, 1))
	p := newProcessor()
	p.column.stageColumn = make([]value, batch)
	p.segments = stream.NewSegments(batch)
	watermark := int64(0)
	at := 0
	var made uint64
	for b.Loop() {
		p.segments.Begin(watermark)
		for i := range batch {
			at++
			visit := uint64(at / 5 / 1000 * 1000) // a thousand visits at a time, whose events alternate
			p.column.stageColumn[i] = value{at: int64(at / 1000), n: 1, key: (visit + r.Uint64N(1000)) % 100_000}
			record := p.segments.Record(stream.Str{})
			watermark = max(watermark, int64(at/1000)-2)
			p.segments.Accept(record, watermark)
		}
		for ok := true; ok; {
			if p.rows.stageIn, _, ok = p.segments.Next(); ok {
				p.stage()
				if w := p.segments.After(); w >= p.segments.Due || uncut && w >= p.state.stage.due(w) {
					p.stageClose()
					if p.segments.Due = stream.Always; !uncut {
						p.segments.Due = p.state.stage.due(watermark)
					}
				}
			}
		}
		p.in.Data = p.in.Data[:0]
		p.state.stage.recycle()
		made = p.counts[stageMade]
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
	b.ReportMetric(float64(b.N*batch)/float64(max(made, 1)), "rows/session")
}
