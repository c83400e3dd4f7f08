package window

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

type place struct {
	start, end int64
	key        uint64
}

// TestWindow holds the skeleton, over its placeholders, against a map: random rows, a watermark that follows them, closes, a restart now and then.
func TestWindow(t *testing.T) {
	testWindow(t, 1, func(at int64) []place {
		start := window.Start(at, stageSize, stageOffset)
		return []place{{start: start, end: start + stageSize}}
	})
}

// TestOverlaps is TestWindow with windows that overlap.
func TestOverlaps(t *testing.T) {
	with(&overlaps, func() { testWindow(t, 1, hops) })
}

// TestSliced is TestWindow with windows that overlap and are put together from slices.
func TestSliced(t *testing.T) {
	with(&sliced, func() { testWindow(t, 1, hops) })
}

// TestGrowing is TestWindow with windows that begin together.
func TestGrowing(t *testing.T) {
	slide := stageSlide
	stageSpan, stageSlide = stageStep, stageStep
	defer func() { stageSpan, stageSlide = stageSize, slide }()
	with(&growing, func() {
		testWindow(t, 1, func(at int64) (windows []place) {
			start := window.Start(at, stageSize, stageOffset)
			for end := start + stageStep; end <= start+stageSize; end += stageStep {
				if at < end {
					windows = append(windows, place{start: start, end: end})
				}
			}
			return windows
		})
	})
}

// TestByCalendar is TestWindow with days of UTC.
func TestByCalendar(t *testing.T) {
	const day = 24 * 3600e9
	with(&byCalendar, func() {
		testWindow(t, day/stageSize, func(at int64) []place {
			start := window.Start(at, day, 0)
			return []place{{start: start, end: start + day}}
		})
	})
}

func with(kind *bool, test func()) {
	*kind = true
	defer func() { *kind = false }()
	test()
}

func hops(at int64) (windows []place) {
	for start := at - stageSize + 1; start <= at; start++ {
		if window.Start(start, stageSlide, stageOffset%stageSlide) == start {
			windows = append(windows, place{start: start, end: start + stageSize})
		}
	}
	return windows
}

// testWindow takes by how much all times are longer than those of windows of stageSize, and the windows of a time.
func testWindow(t *testing.T, scale int64, windows func(at int64) []place) {
	atOnce := stageAtOnce
	defer func() { stageAtOnce = atOnce }()
	r := rand.New(rand.NewPCG(7, 8))
	for seed := range 200 {
		stageAtOnce = 1 + seed%5
		p := newProcessor()
		open := map[place]stageAccumulator{}
		highest, watermark := -100*scale, stream.Never
		var want [7]uint64
		for range 1 + r.IntN(20) {
			batch := 1 + r.IntN(30)
			p.segments = stream.NewSegments(batch)
			p.segments.Begin(watermark)
			p.column.stageColumn, p.rows.stageIn = p.column.stageColumn[:0], p.rows.stageIn[:0]
			for i := range batch {
				highest += int64(r.IntN(3)) * scale
				v := value{at: highest - int64(r.IntN(40))*scale, n: int64(r.IntN(300)), key: uint64(r.IntN(20))}
				p.column.stageColumn = append(p.column.stageColumn, v)
				record := p.segments.Record(stream.Str{})
				p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
				want[stageInCount]++
				missed := 0
				all := windows(v.at)
				for _, at := range all {
					if at.end <= watermark {
						missed++
						continue
					}
					at.key = v.key
					a, known := open[at]
					if !known && !sliced && !growing {
						want[stageOpened]++
					}
					open[at] = stageAccumulator{n: a.n + 1, sum: a.sum + v.n}
				}
				if missed == len(all) {
					want[stageLateCount]++
				} else {
					want[stageFolded]++
					want[stagePartial] += uint64(missed)
				}
				watermark = max(watermark, highest-15*scale)
				p.segments.Accept(record, watermark)
				if watermark >= p.segments.Due {
					break // what a segment is: the record that closes something is its last
				}
			}
			p.segments.Next()
			p.stage()
			var made, emitted []stageRow
			for _, at := range slices.SortedFunc(maps.Keys(open), func(a, b place) int {
				return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start), cmp.Compare(a.key, b.key))
			}) {
				if at.end > watermark {
					continue
				}
				a := open[at]
				delete(open, at)
				row := stageRow{WindowStart: at.start, WindowEnd: at.end, Key: at.key, N: a.n, Sum: a.sum}
				made = append(made, row)
				if a.sum <= 1000 {
					emitted = append(emitted, row)
				}
			}
			want[stageMade] += uint64(len(made))
			if sliced || growing {
				want[stageOpened] += uint64(len(made))
			}
			want[stageEmitted] += uint64(len(emitted))
			var got []stageRow
			take := func() {
				for _, row := range p.rows.stageOut {
					got = append(got, p.column.stageRows[row.Index])
				}
			}
			arena := len(p.in.Data)
			if seed%2 == 0 {
				p.stageClose()
				take()
				if !slices.Equal(p.column.stageRows, made) {
					t.Fatalf("seed %d: made %v, want %v", seed, p.column.stageRows, made)
				}
			} else {
				for mark := p.in.Mark(); p.stageCloseNext(mark, 0); {
					take()
					ends := map[int64]bool{}
					for _, row := range p.column.stageRows {
						ends[row.WindowEnd] = true
					}
					if len(p.refused) == 0 && len(ends) > 1 || len(p.refused) == 0 && len(p.in.Data) != arena+len("key")*len(p.rows.stageOut) {
						t.Fatalf("seed %d: the rows of %d windows are in memory, and %d bytes of their texts", seed, len(ends), len(p.in.Data)-arena)
					}
				}
				for _, r := range p.refused { // what dead letters are made of
					if row := p.column.stageRows[r.Index]; row.Sum <= 1000 || !slices.Contains(made, row) {
						t.Fatalf("seed %d: refused row %d is %v", seed, r.Index, row)
					}
				}
			}
			if !slices.Equal(got, emitted) || p.counts != want || len(p.refused) != len(made)-len(emitted) {
				t.Fatalf("seed %d: rows %v, want %v; counts %v, want %v; %d refused", seed, got, emitted, p.counts, want, len(p.refused))
			}
			p.refused = p.refused[:0]
			p.segments.Due = p.state.stage.due(watermark)
			for at := range open {
				if p.segments.Due > at.end {
					t.Fatalf("seed %d: due at %d, but a window ends at %d", seed, p.segments.Due, at.end)
				}
			}
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
}

func newProcessor() *Processor {
	p := &Processor{in: new(stream.Batch)}
	p.state.stage.init()
	return p
}

// restart replaces the state by what it was written as, whole and with the changes behind it.
func (p *Processor) restart(t *testing.T, watermark int64) {
	seed := p.state.stage.seed
	whole := p.state.stage.append(nil, false)
	p.state.stage.commit()
	changes := p.state.stage.append(nil, true)
	numbers := table.NewReader(table.AppendNumbers(nil, &p.state.stage.keys))
	p.state.stage = stageState{}
	p.state.stage.init()
	p.state.stage.seed = seed // which the head of a commit has
	p.state.stage.keys.Numbers(&numbers)
	for _, state := range [][]byte{whole, changes} {
		frame, rest, err := checkpoint.Next(state)
		if err != nil || len(rest) > 0 || frame.Piece != stagePiece {
			t.Fatalf("not a frame of the stage: %v", err)
		}
		r := table.NewReader(frame.Data)
		p.state.stage.restore(&r, watermark)
		if err := r.Done(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.state.stage.restored(); err != nil {
		t.Fatal(err)
	}
	p.state.stage.drop(watermark)
	p.state.stage.commit()
}
