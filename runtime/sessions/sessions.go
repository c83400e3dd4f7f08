// Package sessions keeps windows that are sessions: of each key its own, which grow and become one. It is beside package table so that only who has sessions links it.
package sessions

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// Table has the sessions of a stage, for each key in the order of their starts. No two of a key have one start, and one that starts later ends later, too: who opens
// and changes sessions sees to that. Sessions never move: a pointer to one is good until Remove.
//
// It also tells which keys have a session that has ended, without a look at the others. For that each key has one entry in a queue, at or before the time at which something is
// to be done for it; a session that grows leaves it where it is. So a key costs something when it comes, and once for each time that its entry comes due, not for each event.
//
// A commit tells of a key all its sessions, or nothing, so that it needs no word for sessions that became one. The zero value is ready for Grow. It must not be copied
// after use and belongs to one goroutine. A is a struct without pointers.
type Table[A any] struct {
	keys   table.Totals[ends]
	pages  []*[64]Session[A]
	free   uint32 // place + 1 of a session that is not in use, whose newer is the next one; 0: none
	len    int
	timers table.Queue
	due    []table.Due
}

// ends are the oldest and the newest session of a key, and when something is to be done for it.
type ends struct {
	oldest, newest uint32 // place + 1
	armed          int64  // the time of its entry in the queue; stream.Never, at which no session ends: there is none
}

// Session is a span of event time, ns, and what is kept of it.
type Session[A any] struct {
	Start, End int64 // end exclusive
	Value      A

	older, newer uint32 // place + 1; 0: none
	place        uint32 // place + 1 of its own
}

// Ended is a session whose time is over, to be sorted.
type Ended struct {
	End, Start int64
	ID         uint32 // of its key
	place      uint32
}

// Given is a row that a session has given: Any says whether there is one.
type Given struct {
	Start, End int64
	Next       int64 // revision of the row behind it
	Any        bool
}

func (x *Table[A]) at(place uint32) *Session[A] {
	if place == 0 {
		return nil
	}
	return &x.pages[(place-1)/64][(place-1)%64]
}

// Grow makes room for keys with ids below keys (see table.Keys.Cap). Open and Touch take no others.
func (x *Table[A]) Grow(keys int) { x.keys.Grow(keys) }

// Len is how many sessions there are, without those that were removed.
func (x *Table[A]) Len() int { return x.len }

// Around gives the sessions of key id that stand on both sides of t: the last that starts at or before it, and the first that starts behind it; nil for none. It looks from
// the newest on: few events are far behind the others.
func (x *Table[A]) Around(id uint32, t int64) (before, behind *Session[A]) {
	if !x.keys.Has(id) {
		return nil, nil
	}
	for s := x.at(x.keys.Slot(id).newest); s != nil; s = x.at(s.older) {
		if s.Start <= t {
			return s, behind
		}
		behind = s
	}
	return nil, behind
}

// Touch says that a session of key id changes.
func (x *Table[A]) Touch(id uint32) { x.keys.Touch(id) }

// Open adds a session to key id between those that Around gives. Its value is zero. first says that it is the only one of the key.
func (x *Table[A]) Open(id uint32, start, end int64, before, behind *Session[A]) (s *Session[A], first bool) {
	key, first := x.keys.Touch(id)
	if first {
		key.armed = stream.Never
	}
	s = x.take()
	s.Start, s.End = start, end
	if before != nil {
		before.newer, s.older = s.place, before.place
	} else {
		key.oldest = s.place
	}
	if behind != nil {
		behind.older, s.newer = s.place, behind.place
	} else {
		key.newest = s.place
	}
	x.Arm(id, end)
	return s, first
}

// take gives a session that is not in use.
func (x *Table[A]) take() *Session[A] {
	if x.free == 0 {
		page := new([64]Session[A])
		for i := range page {
			page[i].place = uint32(len(x.pages)*64 + i + 1)
			page[i].newer = page[i].place + 1
		}
		page[63].newer = 0
		x.free = page[0].place
		x.pages = append(x.pages, page)
	}
	s := x.at(x.free)
	x.free = s.newer
	*s = Session[A]{place: s.place}
	x.len++
	return s
}

// Remove takes a session away from key id. last says that the key has none left. The session stays as it is until Free.
func (x *Table[A]) Remove(id uint32, s *Session[A]) (last bool) {
	key := x.keys.Slot(id)
	if older := x.at(s.older); older != nil {
		older.newer = s.newer
	} else {
		key.oldest = s.newer
	}
	if newer := x.at(s.newer); newer != nil {
		newer.older = s.older
	} else {
		key.newest = s.older
	}
	x.len--
	if key.oldest == 0 {
		x.keys.Remove(id)
		return true
	}
	return false
}

// Free gives the memory of a session back that was removed.
func (x *Table[A]) Free(s *Session[A]) { s.newer, x.free = x.free, s.place }

// Hint reads what Change gives of key id, whose cache misses overlap when it is called for many keys, one after the other. Nothing depends on its result.
func (x *Table[A]) Hint(id uint32) uint64 {
	if !x.keys.Has(id) {
		return 0
	}
	newest := x.keys.Slot(id).newest
	return uint64(x.pages[(newest-1)/64][(newest-1)%64].End)
}

// Change is the newest session of key id, nil when it has none, and says that one of the key's sessions changes.
func (x *Table[A]) Change(id uint32) *Session[A] {
	if !x.keys.Has(id) {
		return nil
	}
	key, _ := x.keys.Touch(id)
	return &x.pages[(key.newest-1)/64][(key.newest-1)%64]
}

// Oldest is the session of key id that starts first, nil when it has none.
func (x *Table[A]) Oldest(id uint32) *Session[A] {
	if !x.keys.Has(id) {
		return nil
	}
	return x.at(x.keys.Slot(id).oldest)
}

// Newer is the session of the same key that starts next, nil when there is none.
func (x *Table[A]) Newer(s *Session[A]) *Session[A] { return x.at(s.newer) }

// Arm says that something is to be done for key id, which has a session, when the watermark reaches t, if not before.
func (x *Table[A]) Arm(id uint32, t int64) {
	if key := x.keys.Slot(id); t < key.armed || key.armed == stream.Never {
		key.armed = t
		x.timers.Push(t, id)
	}
}

// Next is a watermark below which nothing is to be done for any key.
func (x *Table[A]) Next() int64 { return x.timers.Next() }

// Due appends the ids of the keys for which something may be to be done at watermark w. Each has to be armed again, if it has sessions then.
func (x *Table[A]) Due(dst []uint32, w int64) []uint32 {
	x.due = x.timers.Due(x.due[:0], w)
	for _, d := range x.due {
		if !x.keys.Has(d.ID) {
			continue // it has gone
		}
		if key := x.keys.Slot(d.ID); key.armed == d.At { // else there is an earlier entry, or the id is another key's by now
			key.armed = stream.Never
			dst = append(dst, d.ID)
		}
	}
	return dst
}

// Ended describes a session of key id; Of gives it.
func (x *Table[A]) Ended(id uint32, s *Session[A]) Ended {
	return Ended{s.End, s.Start, id, s.place}
}

// Of is the session that e describes, if it was not removed.
func (x *Table[A]) Of(e Ended) *Session[A] { return x.at(e.place) }

// IDs appends the ids of the keys that have a session, ascending.
func (x *Table[A]) IDs(dst []uint32) []uint32 { return x.keys.IDs(dst) }

// Select appends the ids of the keys of which the next commit tells; see table.Totals.Select.
func (x *Table[A]) Select(dst []uint32, changed bool) (ids []uint32, behind uint32) {
	return x.keys.Select(dst, changed)
}

// Restored says that a commit which is read tells of n keys.
func (x *Table[A]) Restored(n int) { x.keys.Restored(n) }

// Commit says that what Select gave is durable.
func (x *Table[A]) Commit() { x.keys.Commit() }

// Reset forgets all sessions and keeps the memory.
func (x *Table[A]) Reset() {
	x.keys.Reset()
	x.timers.Reset()
	x.free, x.len = 0, 0
	for i := len(x.pages)*64 - 1; i >= 0; i-- {
		s := &x.pages[i/64][i%64]
		s.newer, x.free = x.free, s.place
	}
}
