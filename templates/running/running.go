// Package running is the skeleton of a stage with one accumulator per key.
package running

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageState has the keys of stageName that are alive.
type stageState struct {
	seed    table.Seed
	keys    table.Keys[stageKey]
	texts   table.Texts `if:"hasTexts"` // strings above 15 bytes in keys
	blobs   table.Blobs `if:"hasBlobs"` // strings in accumulators
	totals  table.Totals[stageAccumulator]
	goes    table.Queue // every key, by a time at or before which it goes
	changes table.Queue `if:"periodic"` // the keys with a change that nobody has seen, likewise
	entry   []table.Due // of one of them

	row     []stream.Row // of one segment: the rows that are folded, beside where they go
	at      []int64
	key     []stageKey
	hash    []uint32
	id      []uint32
	args    []stageArguments `if:"hasArguments"` // beside row: what the folded expressions gave
	touched uint64           // what the hints read; nothing depends on it
}

func (s *stageState) init() { s.seed = table.NewSeed() }

// stage folds each row into its key, which lives stageExpireText from its newest event on.
func (p *Processor) stage() {
	slotBegin(p)
	s := &p.state.stage
	s.row, s.at, s.key, s.hash, s.id = s.row[:0], s.at[:0], s.key[:0], s.hash[:0], s.id[:0]
	if hasArguments {
		s.args = s.args[:0]
	}
	s.keys.Reserve(len(p.rows.stageIn)) // so that no cell moves between Hint, Probe and Add
	slotLabel()
	for _, r := range p.rows.stageIn {
		e := slotValue(p, r)
		args := slotArguments(p, r, e)
		key := slotKey(s, e)
		s.row = append(s.row, r)
		s.at = append(s.at, slotAt(e))
		s.key = append(s.key, key)
		s.hash = append(s.hash, key.hash(s.seed))
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
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
		}
		s.id = append(s.id, id)
	}
	s.totals.Grow(s.keys.Cap())
	if !periodic {
		p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
	}
	first := slotRecords(p) - uint64(p.segments.Records()) + 1 // number of the first record of the batch
	for i, id := range s.id {
		slotFull(p, s, i, id)
		a, fresh := s.totals.Touch(id)
		if fresh {
			s.keys.Ref(id)
			s.goes.Push(window.Add(s.at[i], stageExpire), id)
		} else if window.Add(a.asOf, stageExpire) <= p.segments.Watermark[s.row[i].Record] { // it has gone: this is another one
			slotFree(s, a)
			*a, fresh = stageAccumulator{}, true
		}
		if fresh {
			a.since, a.asOf = s.at[i], s.at[i]
		} else {
			a.since, a.asOf = min(a.since, s.at[i]), max(a.asOf, s.at[i])
		}
		a.revision = int64(first) + int64(s.row[i].Record)
		slotFold(p, s, a, i, fresh)
		if periodic {
			if !a.changed {
				a.changed = true
				s.changes.Push(window.Add(a.asOf, stageExpire), id)
			}
		} else {
			p.stageEmit(id, s.row[i].Record)
		}
	}
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stageFolded] += uint64(len(s.row))
	if !periodic {
		p.counts[stageMade] += uint64(len(p.column.stageRows))
		p.counts[stageEmitted] += uint64(len(p.rows.stageOut))
	}
}

// stageEmit makes the row of a key as it stands, caused by a record.
func (p *Processor) stageEmit(id, record uint32) {
	s := &p.state.stage
	a, key := slotSlot(s, id)
	r := stream.Row{Record: record, Index: uint32(len(p.column.stageRows))}
	row := stageRow{Since: a.since, AsOf: a.asOf, Revision: a.revision}
	refusal := slotColumns(p, s, a, key, &row, r)
	p.column.stageRows = append(p.column.stageRows, row)
	if canRefuse {
		if refusal.Site != 0 {
			p.refused = append(p.refused, refusal)
			return
		}
	}
	p.rows.stageOut = append(p.rows.stageOut, r)
}
