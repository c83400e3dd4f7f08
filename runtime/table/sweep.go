package table

import "math"

// sweep lets each commit repeat some of what earlier ones have said and what has not changed since. Once a round has come by everything, nothing that was said before the
// round began is needed any more: so the log of commits stays in proportion to the state, without a pause in which all of it is written.
//
// A commit repeats about as many accumulators as have changed, and at least a 256th of all. So two rounds, which is what the log must keep, hold at most about four times the
// state.
type sweep struct {
	commit uint32 // number of the commit that is being made
	began  uint32 // the commit in which this round began
	base   uint32 // the commit in which the last round began that is complete, if any is
	any    bool

	whole, ends bool // what the commit that is being made holds: all; the end of a round
}

// sweepPart is the part of all accumulators that a commit repeats at least.
const sweepPart = 256

// everything as the number of commits behind one that are needed: all.
const everything = math.MaxUint32

// behind says how many commits before the one that is being made are needed besides it.
func (s *sweep) behind(whole, ends bool) uint32 {
	s.whole, s.ends = whole, ends
	switch {
	case whole:
		return 0
	case ends:
		return s.commit - s.began
	case s.any:
		return s.commit - s.base
	}
	return everything
}

// number is that of the commit that is being made; from one process to the next it begins anew.
func (s *sweep) number() uint32 { return s.commit }

// done says that the commit is durable.
func (s *sweep) done() {
	switch {
	case s.whole:
		s.base, s.any, s.began = s.commit, true, s.commit+1
	case s.ends:
		s.base, s.any, s.began = s.began, true, s.commit+1
	}
	s.commit++
	s.whole, s.ends = false, false
}
