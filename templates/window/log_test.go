package window

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// TestLog goes on from what a log keeps of many commits: keys come and go, so that others get their ids; frames expire, and rounds of the sweep make them needless.
func TestLog(t *testing.T) {
	for name, kind := range map[string]*bool{"tumbling": new(bool), "overlaps": &overlaps, "sliced": &sliced, "by calendar": &byCalendar, "updates": &updates} {
		t.Run(name, func(t *testing.T) { with(kind, func() { testLog(t) }) })
	}
	t.Run("sliced, with updates", func(t *testing.T) { with(&sliced, func() { with(&updates, func() { testLog(t) }) }) })
}

func testLog(t *testing.T) {
	scale := int64(1)
	if byCalendar {
		scale = 24 * 3600e9 / stageSize
	}
	oldest := int64(30) // of a row
	if updates {
		oldest = 55 // then windows change that have ended
	}
	r := rand.New(rand.NewPCG(1, 2))
	p := newProcessor()
	watermark, kept, reused, told, named := stream.Never, 0, 0, 0, 0
	last := map[int]uint64{} // the key that an id had
	var commits [][]byte
	for n := range int64(600) {
		now, batch, least := n/5, 12, int64(r.IntN(2)*r.IntN(20)) // some commits are of old windows alone
		p.segments = stream.NewSegments(batch)
		p.segments.Begin(watermark)
		p.column.stageColumn, p.rows.stageIn = p.column.stageColumn[:0], p.rows.stageIn[:0]
		for i := range batch {
			at := now - least - r.Int64N(oldest-least)
			key := uint64(r.IntN(20)) // some stay
			if i%2 == 0 {
				key = uint64(1000 + at*3 + r.Int64N(3)) // others are of a time
			}
			v := value{at: at * scale, n: int64(r.IntN(3)), key: key}
			p.column.stageColumn = append(p.column.stageColumn, v)
			record := p.segments.Record(stream.Str{})
			p.rows.stageIn = append(p.rows.stageIn, stream.Row{Record: record, Index: uint32(i)})
			p.segments.Accept(record, watermark)
		}
		p.segments.Next()
		s := &p.state.stage
		p.stage()
		for id, key := range s.keys.Key {
			if s.keys.Has(uint32(id)) {
				if was, ok := last[id]; ok && was != key.key {
					reused++
				}
				last[id] = key.key
			}
		}
		watermark = (now - 35) * scale
		s.drop(watermark)
		s.keys.Evict(4)

		if n%3 == 0 {
			s.append(nil, n%2 == 0) // which nobody commits
		}
		state := checkpoint.AppendFrame(nil, checkpoint.Frame{Piece: checkpoint.Head, Expires: watermark})
		state = s.append(state, n > 0)
		for _, pane := range s.panes.Open {
			places, _ := pane.Selected(nil, nil)
			named += len(places)
		}
		told += len(s.keys.Untold())
		s.commit()
		commits = append(commits, state)
		if n%4 > 0 {
			continue
		}
		living, err := checkpoint.Clean(commits)
		if err != nil {
			t.Fatal(err)
		}
		kept = max(kept, len(living))
		numbers := table.NewReader(table.AppendNumbers(nil, &s.keys))
		again := newProcessor()
		again.state.stage.seed = s.seed
		again.state.stage.keys.Numbers(&numbers)
		if err := checkpoint.Read(living, func(f checkpoint.Frame) error {
			r := table.NewReader(f.Data)
			if f.Piece == stagePiece {
				again.state.stage.restore(&r, watermark)
			}
			return r.Done()
		}); err != nil {
			t.Fatalf("at %d: %v", n, err)
		}
		if err := again.state.stage.restored(); err != nil {
			t.Fatalf("at %d: %v", n, err)
		}
		again.state.stage.drop(watermark)
		if got, want := again.state.stage.held(), s.held(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("at %d: %v\nwant %v", n, got, want)
		}
		again.state.stage.commit()
		if n%8 == 0 { // else the one that wrote the commits goes on
			again.state.stage.closed = s.closed
			p = again
		}
	}
	t.Logf("%d of %d commits are kept, %d ids were used again, %d keys were told for %d names", kept, len(commits), reused, told, named)
	if kept > 400 || reused == 0 || told >= named {
		t.Fail()
	}
}

// held is what there is, by window and key, and how many references each key has.
func (s *stageState) held() map[[2]int64]stageAccumulator {
	all := map[[2]int64]stageAccumulator{}
	for _, pane := range s.panes.Open {
		for _, id := range pane.IDs(nil) {
			all[[2]int64{pane.Start, int64(s.keys.Key[id].key)}] = *pane.Slot(id)
		}
	}
	for _, pane := range s.again.Open { // beside windows that no row is in
		for _, id := range pane.IDs(nil) {
			all[[2]int64{1<<40 + pane.Start, int64(s.keys.Key[id].key)}] = stageAccumulator{revision: *pane.Slot(id)}
		}
	}
	return all
}
