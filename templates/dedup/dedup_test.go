package dedup

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// TestDedup holds the skeleton, over its placeholders, against a map: random rows, a watermark that follows them, a restart now and then.
func TestDedup(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for seed := range 200 {
		p := newProcessor()
		first := map[uint64]int64{}
		highest := int64(0)
		watermark := stream.Never
		var want [4]uint64
		for range 1 + r.IntN(20) {
			batch := 1 + r.IntN(30)
			p.segments = stream.NewSegments(batch)
			p.segments.Begin(watermark)
			p.column.stageColumn = p.column.stageColumn[:0]
			p.rows.stageIn = p.rows.stageIn[:0]
			var passed []stream.Row
			for i := range batch {
				highest += int64(r.IntN(12))
				v := value{at: highest - int64(r.IntN(130)), id: 1 + uint64(r.IntN(40))}
				p.column.stageColumn = append(p.column.stageColumn, v)
				row := stream.Row{Record: p.segments.Record(stream.Str{}), Index: uint32(i)}
				p.rows.stageIn = append(p.rows.stageIn, row)
				at, known := first[v.id]
				want[stageInCount]++
				switch {
				case v.at+stageTrusted <= watermark:
					want[stageLateCount]++
				case known && watermark < at+stageHorizon:
					want[stageDuplicate]++
				default:
					first[v.id] = v.at
					want[stagePassedCount]++
					passed = append(passed, row)
				}
				watermark = max(watermark, window.Sub(highest, 20))
				p.segments.Accept(row.Record, watermark)
			}
			p.stage()
			if !slices.Equal(p.rows.stageOut, passed) || p.counts != want {
				t.Fatalf("seed %d: passed %v, want %v; counts %v, want %v", seed, p.rows.stageOut, passed, p.counts, want)
			}
			p.state.stage.recycle(watermark)
			if r.IntN(3) == 0 {
				p.restart(t)
			}
		}
		p.state.stage.reset()
		if p.state.stage.seen.Len() != 0 {
			t.Fatal("a reset leaves ids")
		}
	}
}

func newProcessor() *Processor {
	p := new(Processor)
	p.state.stage.init()
	return p
}

// restart replaces the state by what it was written as, whole and with the changes behind it.
func (p *Processor) restart(t *testing.T) {
	seed := p.state.stage.seed
	whole := p.state.stage.append(nil, false)
	p.state.stage.commit()
	changes := p.state.stage.append(nil, true)
	p.state.stage = stageState{}
	p.state.stage.init()
	p.state.stage.seed = seed // which the head of a commit has
	for _, state := range [][]byte{whole, changes} {
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
	p.state.stage.commit()
}

// TestDedupSteadily: a stage that is warm allocates nothing.
func TestDedupSteadily(t *testing.T) {
	p := newProcessor()
	at := int64(0)
	run := func() {
		p.segments.Begin(at - 20)
		p.rows.stageIn, p.column.stageColumn = p.rows.stageIn[:0], p.column.stageColumn[:0]
		for i := range 64 {
			at++
			p.column.stageColumn = append(p.column.stageColumn, value{at: at, id: uint64(at)})
			record := p.segments.Record(stream.Str{})
			p.segments.Accept(record, at-20)
			p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
		}
		p.stage()
		p.state.stage.recycle(at - 20)
	}
	p.segments = stream.NewSegments(64)
	for range 100 {
		run()
	}
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
