// Package tumbling is the skeleton of a windowed stage with tumbling windows.
package tumbling

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageState has the open windows of stage.
type stageState struct {
	seed  table.Seed
	keys  table.Keys[stageKey]
	texts table.Texts `hasTexts`       // parts of keys above 15 bytes
	blobs table.Blobs `hasBlobs`       // strings in accumulators
	panes table.Panes[stageAccumulator]

	row     []stream.Row // of one pass: the rows that are folded, beside where they go
	start   []int64
	key     []stageKey
	hash    []uint32
	id      []uint32
	args    []stageArguments `hasArguments` // values that an expression gave, which may fail
	touched uint64
}

// stage folds each row into its window of stageSizeText.
func (p *Processor) stage() {
	slotBegin(p)
	s := &p.state.stage
	late := p.rows.stageLate[:0]
	s.row, s.start, s.key, s.hash, s.id = s.row[:0], s.start[:0], s.key[:0], s.hash[:0], s.id[:0]
	if hasArguments {
		s.args = s.args[:0]
	}
	s.keys.Reserve(len(p.rows.stageIn)) // so that no cell moves between Hint, Probe and Add
rows:
	for _, r := range p.rows.stageIn {
		e := &p.column.stageColumn[r.Index]
		args := slotArguments(e)
		start, end, ok := window.Bounds(slotAt(e), stageSize, stageOffset)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: r, Site: stageTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		if end <= p.segments.Watermark[r.Record] { // closed before this row came
			late = append(late, r)
			continue
		}
		key := slotKey(e)
		hash := key.hash(s.seed)
		s.touched += s.keys.Hint(hash)
		s.row, s.start, s.key, s.hash = append(s.row, r), append(s.start, start), append(s.key, key), append(s.hash, hash)
		if hasArguments {
			s.args = append(s.args, args)
		}
	}
	for i, key := range s.key {
		at, found := s.keys.Probe(s.hash[i], key)
		if !found {
			at = s.keys.Add(at, s.hash[i], key)
		}
		s.id = append(s.id, at)
	}
	for i, r := range s.row {
		e := &p.column.stageColumn[r.Index]
		a, fresh := s.panes.At(s.start[i]).Touch(s.id[i])
		if fresh {
			s.keys.Ref(s.id[i])
			p.counts[stageOpened]++
		}
		slotFold(a, e)
	}
	p.rows.stageLate = late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row))
	p.counts[stageLateCount] += uint64(len(late))
}
