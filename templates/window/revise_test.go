package window

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/window"
)

// revised is a key in a window as the test knows it.
type revised struct {
	start, end int64
	key        uint64
	n, sum     int64
	revision   int64
}

// give adds the row, which leaves if its sum is not too high.
func (w *revised) give(made, emitted []stageRow) ([]stageRow, []stageRow) {
	row := stageRow{WindowStart: w.start, WindowEnd: w.end, Key: w.key, N: w.n, Sum: w.sum, Revision: w.revision}
	made = append(made, row)
	if w.sum <= 1000 {
		emitted = append(emitted, row)
	}
	w.revision++ // that of a refused row is used up too
	return made, emitted
}

// TestUpdates holds windows that change after their end against the rule: random rows, many of them late, ends, restarts.
func TestUpdates(t *testing.T) {
	with(&updates, func() {
		reviseRows(t)
		with(&overlaps, func() { reviseRows(t) })
		with(&sliced, func() { reviseRows(t) })
	})
}

func reviseRows(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 23))
	again := 0
	atOnce := stageAtOnce
	defer func() { stageAtOnce = atOnce }()
	for seed := range 300 {
		stageAtOnce = 1 + seed%5
		p := newProcessor()
		var open []*revised
		var want [7]uint64
		highest, watermark := int64(-100), stream.Never
		for range 1 + r.IntN(20) {
			batch := 1 + r.IntN(30)
			p.segments = stream.NewSegments(batch)
			p.segments.Begin(watermark)
			p.column.stageColumn, p.rows.stageIn = p.column.stageColumn[:0], p.rows.stageIn[:0]
			before := watermark
			var made, emitted []stageRow
			for i := range batch {
				highest += int64(r.IntN(3))
				v := value{at: highest - int64(r.IntN(60)), n: int64(r.IntN(300)), key: uint64(r.IntN(6))}
				p.column.stageColumn = append(p.column.stageColumn, v)
				record := p.segments.Record(stream.Str{})
				p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
				before = watermark
				want[stageInCount]++
				taken, missed := false, uint64(0)
				first, slide := window.Start(v.at, stageSize, stageOffset), int64(stageSize)
				if overlaps || sliced {
					slide = stageSlide
					first = window.Start(v.at-stageSize+slide, slide, stageOffset%slide)
				}
				for start := first; start <= v.at; start += slide {
					if start+stageSize <= v.at {
						continue
					}
					if start+stageSize+stageLateness <= watermark {
						missed++
						continue
					}
					taken = true
					at := slices.IndexFunc(open, func(w *revised) bool { return w.start == start && w.key == v.key })
					if at < 0 {
						at = len(open)
						open = append(open, &revised{start: start, end: start + stageSize, key: v.key, revision: stageFirst})
						if !sliced {
							want[stageOpened]++
						}
					}
					w := open[at]
					w.n, w.sum = w.n+1, w.sum+v.n
					if w.end <= watermark {
						if sliced && w.revision == stageFirst {
							want[stageOpened]++
						}
						made, emitted = w.give(made, emitted)
						again++
					}
				}
				if taken {
					want[stageFolded]++
					want[stagePartial] += missed
				} else {
					want[stageLateCount]++
				}
				watermark = max(watermark, highest-15)
				p.segments.Accept(record, watermark)
				if watermark >= p.segments.Due {
					break // what a segment is: the record that closes something is its last
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
			check := func(what string, whole bool) {
				want[stageMade], want[stageEmitted] = want[stageMade]+uint64(len(made)), want[stageEmitted]+uint64(len(emitted))
				if !slices.Equal(got, emitted) || whole && !slices.Equal(p.column.stageRows, made) || p.counts != want || len(p.refused) != len(made)-len(emitted) {
					t.Fatalf("seed %d, %s: rows %v, want %v; counts %v, want %v; %d refused", seed, what, got, emitted, p.counts, want, len(p.refused))
				}
				made, emitted, got, p.refused = nil, nil, nil, p.refused[:0]
			}
			take()
			check("records", true)
			slices.SortFunc(open, func(a, b *revised) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.key, b.key)) })
			for _, w := range open {
				if before < w.end && w.end <= watermark {
					if sliced {
						want[stageOpened]++
					}
					made, emitted = w.give(made, emitted)
				}
			}
			open = slices.DeleteFunc(open, func(w *revised) bool { return w.end+stageLateness <= watermark })
			if seed%2 == 0 {
				p.stageCloseAll()
				take()
			} else {
				for mark := p.in.Mark(); p.stageCloseOne(mark, 0); {
					take()
					if len(p.refused) == 0 && len(p.column.stageRows) > stageAtOnce {
						t.Fatalf("seed %d: %d rows are in memory at once", seed, len(p.column.stageRows))
					}
				}
				for _, r := range p.refused { // what dead letters are made of
					if row := p.column.stageRows[r.Index]; row.Sum <= 1000 || !slices.Contains(made, row) {
						t.Fatalf("seed %d: refused row %d is %v", seed, r.Index, row)
					}
				}
			}
			check("step", seed%2 == 0)
			p.segments.Due = p.state.stage.due(watermark)
			p.state.stage.recycle()
			if r.IntN(3) == 0 {
				p.restart(t, watermark)
			}
		}
		p.state.stage.reset()
		if len(p.state.stage.panes.Open) != 0 || p.state.stage.keys.Len() != 0 {
			t.Fatal("a reset leaves windows")
		}
	}
	if again < 100 {
		t.Errorf("%d windows changed after their end: too few to say something", again)
	}
}

// What other functions of this package do not call: specialisations have it in the place of a slot, or of another function.
var _ = []any{(*stageState).opens, (*stageState).opensSlice}
