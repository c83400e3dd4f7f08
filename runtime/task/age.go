package task

import (
	"fmt"
	"time"
)

// age is what is reported of old records of a source.
type age struct {
	of       *Source
	old, all int // indices of counters
	told     [2]uint64
	at       time.Time // of the last report
}

// reports is how often old records are reported at most.
const reports = time.Minute

// agesOf finds the counters of old records.
func agesOf(p *Pipeline) (ages []age) {
	for i := range p.Sources {
		s := &p.Sources[i]
		if s.AgeWarn == 0 {
			continue
		}
		a := age{of: s}
		for i, c := range p.Counters {
			switch {
			case c.Node != s.Name:
			case c.Kind == Records:
				a.all = i
			case c.Kind == Note && c.Name == "old":
				a.old = i
			}
		}
		ages = append(ages, a)
	}
	return ages
}

// tell notes that everything until these counts was told, if only by an earlier run.
func (a *age) tell(counts []uint64) { a.told = [2]uint64{counts[a.old], counts[a.all]} }

// aged reports records that are older than their source says, at most once in a while.
func (r *run) aged() {
	for i := range r.ages {
		a := &r.ages[i]
		old, all := r.counts[a.old]-a.told[0], r.counts[a.all]-a.told[1]
		if old == 0 || !a.at.IsZero() && time.Since(a.at) < reports {
			continue
		}
		a.tell(r.counts)
		a.at = time.Now()
		r.note(fmt.Sprintf("source %s: %s of the last %s records were older than %v when they arrived", a.of.Name, grouped(old), grouped(all), a.of.AgeWarn))
	}
}
