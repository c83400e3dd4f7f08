// Package dedup is the skeleton of a dedup stage.
package dedup

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// stageState is what stageName remembers: when each id was first seen.
type stageState struct {
	seed table.Seed
	seen table.Seen[stageKey]

	census table.Census `if:"limited"` // of the ids that count against the limit

	row     []stream.Row // of one segment: the rows whose ids are looked up, beside their times and keys
	at      []int64
	key     []stageKey
	hash    []uint32
	known   []bool `if:"passNoID"`
	touched uint64 // what the hints read; nothing depends on it
}

func (s *stageState) init() {
	s.seed = table.NewSeed()
	s.seen.Interval = stageInterval
	if limited {
		s.census.Interval = stageInterval
	}
}

// stage lets the first copy of each id through, for stageHorizonText of event time.
func (p *Processor) stage() {
	slotBegin(p)
	s := &p.state.stage
	s.row, s.at, s.key, s.hash = s.row[:0], s.at[:0], s.key[:0], s.hash[:0]
	if passNoID {
		s.known = s.known[:0]
	}
	s.seen.Reserve(len(p.rows.stageIn)) // so that no cell moves between Hint, Probe and Put
	for _, r := range p.rows.stageIn {
		e := &p.column.stageColumn[r.Index]
		slotRefuse(p, r, e)
		key := slotKey(p, e)
		hash := key.hash(s.seed)
		s.row = append(s.row, r)
		s.at = append(s.at, slotAt(e))
		s.key = append(s.key, key)
		s.hash = append(s.hash, hash)
		if passNoID {
			s.known = append(s.known, slotKnown(e))
		}
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.seen.Hint(hash)
	}
	s.touched = touched // so that the loads are not optimised away

	rows, late := p.rows.stageOut[:0], p.rows.stageLate[:0]
	for i, r := range s.row {
		if passNoID {
			if !s.known[i] { // nothing to tell copies by
				rows = append(rows, r)
				continue
			}
		}
		at, w := s.at[i], p.segments.Watermark[r.Record]
		if window.Add(at, stageTrusted) <= w { // too old to be known as new
			late = append(late, r)
			continue
		}
		cell, first, found := s.seen.Probe(s.hash[i], s.key[i])
		if found && w < window.Add(first, stageHorizon) {
			p.counts[stageDuplicate]++
			continue
		}
		if limited {
			if s.census.Living(window.Behind(w, stageHorizon)) >= stageMaxKeys {
				slotFull(p, r)
				continue
			}
			s.census.Add(at)
		}
		s.seen.Put(cell, s.hash[i], s.key[i], at)
		rows = append(rows, r)
	}
	p.rows.stageOut, p.rows.stageLate = rows, late
	p.counts[stageInCount] += uint64(len(p.rows.stageIn))
	p.counts[stagePassedCount] += uint64(len(rows))
	p.counts[stageLateCount] += uint64(len(late))
}
