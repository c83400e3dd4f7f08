// Package tumbling is the skeleton of a windowed stage with tumbling windows.
package tumbling

import (
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
	panes table.Panes[stageAccumulator]

	row     []stream.Row // of one segment: the rows that are folded, beside where they go
	start   []int64
	key     []stageKey
	hash    []uint32
	id      []uint32
	args    []stageArguments `if:"hasArguments"` // beside row: what the folded expressions gave
	touched uint64           // what the hints read; nothing depends on it
}

func (s *stageState) init() { s.seed = table.NewSeed() }

// stage folds each row into its window of stageSizeText.
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
		start, end, ok := window.Bounds(slotAt(e), stageSize, stageOffset)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: slotOrigin(r, e), Site: stageTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		if end <= p.segments.Watermark[r.Record] { // closed before this row came
			late = append(late, r)
			continue
		}
		key := slotKey(s, e)
		hash := key.hash(s.seed)
		s.row, s.start, s.key, s.hash = append(s.row, r), append(s.start, start), append(s.key, key), append(s.hash, hash)
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
		a, fresh := s.panes.At(s.start[i]).Touch(id)
		if fresh {
			s.keys.Ref(id)
			p.counts[stageOpened]++
		}
		slotFold(p, s, a, i, fresh)
	}
	p.rows.stageLate = late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row))
	p.counts[stageLateCount] += uint64(len(late))
}

// stageEmit closes the oldest window: its rows stand behind those that are there, in the order of their keys.
func (p *Processor) stageEmit() {
	s := &p.state.stage
	column, rows := p.column.stageRows, p.rows.stageOut
	pane := s.panes.Open[0]
	s.id = pane.IDs(s.id[:0])
	s.keys.Sort(s.id, stageKey.lead, s.compare)
	for _, id := range s.id {
		a, key := slotSlot(s, pane, id)
		s.keys.Unref(id)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := stageRow{WindowStart: pane.Start, WindowEnd: pane.Start + stageSize}
		refusal := slotColumns(p, s, a, key, &row, r)
		column = append(column, row)
		if canRefuse {
			if refusal.Site != 0 {
				p.refused = append(p.refused, refusal)
				continue
			}
		}
		rows = append(rows, r)
	}
	s.panes.Drop()
	p.counts[stageMade] += uint64(len(column) - len(p.column.stageRows))
	p.counts[stageEmitted] += uint64(len(rows) - len(p.rows.stageOut))
	p.column.stageRows, p.rows.stageOut = column, rows
}
