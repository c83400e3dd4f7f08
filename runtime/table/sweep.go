package table

import "math"

// sweep lets commits repeat what earlier ones have said and what has not changed since, a part in each, when the commits that are needed say much more than there is. Once a round
// has come by everything, nothing that was said before the round began is needed any more: so the log of commits stays in proportion to the state, without a pause in which
// all of it is written. What is told once and then expires, as most windows are, is never repeated.
//
// A round begins when the log tells twice as many accumulators as there are. Its commits repeat about as many as have changed, so when it ends the log has four times as
// many at most, and twice as many again of what is needed. Of what was told and has been forgotten since, frames that tell of newer windows too are not counted.
type sweep struct {
	commit  uint32 // number of the commit that is being made
	on      bool   // a round is under way,
	began   uint32 // and began with this commit
	base    uint32 // the commit in which the last round began that is complete, if any is
	any     bool
	commits tally // what each commit takes besides

	whole, ends bool // what the commit that is being made holds: all; the end of a round
}

// tally is how many accumulators commits tell.
type tally struct {
	told  int // those that are needed
	round int // of them since the round began, if one is under way
}

const (
	sweepCommit = 8  // a commit takes about as much as so many accumulators, besides those it tells
	sweepSlack  = 64 // so many are not worth a round
	sweepLeast  = 64 // so many a commit of a round repeats, even if fewer have changed
)

// everything as the number of commits behind one that are needed: all.
const everything = math.MaxUint32

// due says whether a round should begin when there are so many accumulators and the commits that are needed tell so many.
func (s *sweep) due(all, told int) bool {
	return !s.on && told+s.commits.told > 2*all+sweepSlack
}

// repeats says how many accumulators the commit that is being made repeats, when there are so many, those before tell so many, and this one tells of so many that have changed.
func (s *sweep) repeats(all, told, tells int) int {
	if s.due(all, told+tells) {
		s.on, s.began = true, s.commit
	}
	if !s.on {
		return 0
	}
	return max(tells, sweepLeast)
}

// behind says how many commits before the one that is being made are needed besides it. ends says that it has come by the last accumulator.
func (s *sweep) behind(whole, ends bool) uint32 {
	s.whole, s.ends = whole, ends && s.on
	switch {
	case whole:
		return 0
	case s.ends:
		return s.commit - s.began
	case s.any:
		return s.commit - s.base
	}
	return everything
}

// anew says that the commit that is being made begins what is needed: it is whole, or begins a round. What was told before it goes when the round has ended.
func (s *sweep) anew() bool { return s.whole || s.on && s.began == s.commit }

// number is that of the commit that is being made; from one process to the next it begins anew.
func (s *sweep) number() uint32 { return s.commit }

// add counts that the commit that is being made is durable and tells n accumulators of those in t.
func (s *sweep) add(t *tally, n int) {
	t.told += n
	if s.on {
		t.round += n
	}
	switch {
	case s.whole:
		*t = tally{told: n}
	case s.ends:
		*t = tally{told: t.round}
	}
}

// done says that the commit is durable; all tallies have been added to.
func (s *sweep) done() {
	s.add(&s.commits, sweepCommit)
	switch {
	case s.whole:
		s.base, s.any, s.on = s.commit, true, false
	case s.ends:
		s.base, s.any, s.on = s.began, true, false
	}
	s.commit++
	s.whole, s.ends = false, false
}
