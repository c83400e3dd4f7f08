package running

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// TestRunning holds the skeleton, over its placeholders, against a map, record by record: totals that change, keys that go and return, rows in steps, a restart now and then.
func TestRunning(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for seed := range 200 {
		p := new(Processor)
		p.state.stage.init()
		p.segments = stream.NewSegments(1)
		model := map[uint64]*stageAccumulator{}
		highest, watermark := int64(0), stream.Never
		for record := range 300 {
			highest += int64(r.IntN(4))
			v := value{at: highest - int64(r.IntN(8)), n: int64(r.IntN(200)), key: uint64(r.IntN(12))}
			before := watermark
			watermark = max(watermark, highest-4)

			a := model[v.key]
			if a == nil || window.Add(a.asOf, stageExpire) <= before {
				a = &stageAccumulator{since: v.at, asOf: v.at}
				model[v.key] = a
			}
			a.n, a.sum, a.since, a.asOf, a.revision, a.changed = a.n+1, a.sum+v.n, min(a.since, v.at), max(a.asOf, v.at), int64(record+1), true
			var want []stageRow
			refused := 0
			for _, key := range slices.Sorted(maps.Keys(model)) {
				a := model[key]
				if goes := window.Add(a.asOf, stageExpire) <= watermark; a.changed && (goes || window.Due(before, stageEvery, 0) <= watermark) {
					a.changed = false
					if a.sum > 1000 {
						refused++
					} else {
						want = append(want, stageRow{key, a.since, a.asOf, a.n, a.sum, a.revision})
					}
				}
			}

			p.segments.Begin(before)
			row := p.segments.Record(stream.Str{})
			p.segments.Accept(row, watermark)
			p.segments.Next()
			p.counts[stageRecords]++
			p.column.stageColumn, p.rows.stageIn = append(p.column.stageColumn[:0], v), append(p.rows.stageIn[:0], stream.Row{Record: row})
			p.stage()
			p.stagePublish()
			var got []stageRow
			for _, row := range p.rows.stageOut {
				got = append(got, p.column.stageRows[row.Index])
			}
			if !slices.Equal(got, want) || len(p.refused) != refused {
				t.Fatalf("seed %d, record %d: rows %v, want %v; %d refused, want %d", seed, record, got, want, len(p.refused), refused)
			}
			p.refused = p.refused[:0]
			if due := p.state.stage.due(watermark); due <= watermark {
				t.Fatalf("seed %d, record %d: due at %d, which is past", seed, record, due)
			}
			p.state.stage.recycle(watermark)
			if r.IntN(20) == 0 {
				p.restart(t, watermark)
			}
		}
		p.state.stage.reset()
		if p.state.stage.keys.Len() != 0 {
			t.Fatal("a reset leaves keys")
		}
	}
}

// restart replaces the state by what it was written as, whole and with the changes behind it.
func (p *Processor) restart(t *testing.T, watermark int64) {
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
	p.state.stage.settle(watermark)
	p.state.stage.commit()
}
