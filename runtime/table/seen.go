package table

import "github.com/streamwright/streamwright/runtime/stream"

// Seen remembers ids for a span of event time: the table of a dedup stage. The log is the table.
//
//	index   cells of 8 bytes, hash<<32 | slot+1                        only these move
//	            |
//	            v  slot = page<<8 | place
//	pages   [256]{key, at}                                            written once, in order of arrival
//	            ^
//	            |
//	intervals   floor(at / Interval) -> its pages                     found by number; the oldest stands on top of a heap
//
// A new id costs one random access and one sequential write, a copy two random accesses; nothing but the index is ever rehashed. An entry is dead when the
// caller says so (it compares the watermark with at); its memory goes back with that of its whole interval, between batches. An id that returns after its
// death gets a new entry and its cell is pointed at it; the old one goes with its page.
//
// The zero value with Interval set is ready for Reserve. A Seen belongs to one goroutine. K has no pointers.
type Seen[K comparable] struct {
	Interval int64 // ns of event time that are given back together, above 0; set before the first Put

	index index
	pages []*[pageLen]entry[K]
	heads []pageHead // beside pages
	free  []uint32   // pages in no interval; memory of the first bare of them was given back
	bare  int
	made  pieces[[pageLen]entry[K]]

	intervals []interval
	idle      []uint32 // intervals not in use
	numbers   index    // number -> interval
	salt      Seed     // of numbers
	heap      []uint32 // intervals in use; the lowest number first
	recent    uint32   // interval of the last Put, valid if recentSet
	recentSet bool
	low       int64 // its lowest time, perhaps wrapped

	dirty []uint32 // pages that were written since Commit

	touched uint64 // what the hints of Restore read; nothing depends on it
}

const pageLen = 256

type entry[K comparable] struct {
	key K
	at  int64
}

type pageHead struct {
	next  uint32 // the page before in the same interval, +1
	used  uint16 // entries
	clean uint16 // of them the first so many are committed
	dirty bool   // in Seen.dirty
}

type interval struct {
	number int64
	newest int64  // highest at
	hash   uint32 // of number
	last   uint32 // the page that is being filled
}

// Reserve makes room for n more ids, so that Put moves no cell. A stage calls it for all rows it is about to look at.
func (s *Seen[K]) Reserve(n int) {
	s.index.reserve(n, 4)
}

// Hint reads the cell where the search for hash begins: a loop of hints ahead of a loop of probes lets their cache misses overlap. The result means nothing;
// it must only be used, so that the load is not optimised away.
func (s *Seen[K]) Hint(hash uint32) uint64 {
	return s.index.cells[s.index.home(hash)]
}

// Probe looks for k, whose hash is hash. If it is found, at is the time of its entry, which may be dead. cell is where Put puts k; it is valid until the next
// Put, Reserve or Expire.
func (s *Seen[K]) Probe(hash uint32, k K) (cell uint32, at int64, found bool) {
	cells := s.index.cells
	for i := s.index.home(hash); ; i++ {
		c := cells[i]
		if c != 0 && uint32(c>>32) < hash {
			continue
		}
		if c == 0 || uint32(c>>32) > hash {
			return i, 0, false
		}
		slot := uint32(c) - 1
		if e := &s.pages[slot/pageLen][slot%pageLen]; e.key == k {
			return i, e.at, true
		}
	}
}

// Put enters k with its time at the cell that Probe gave, in place of an older entry of k if Probe found one.
func (s *Seen[K]) Put(cell, hash uint32, k K, at int64) {
	if !s.recentSet || uint64(at-s.low) >= uint64(s.Interval) {
		s.find(at)
	}
	v := &s.intervals[s.recent]
	v.newest = max(v.newest, at)
	h := &s.heads[v.last]
	if h.used == pageLen {
		v.last = s.page(v.last + 1)
		h = &s.heads[v.last]
	}
	if !h.dirty {
		h.dirty = true
		s.dirty = append(s.dirty, v.last)
	}
	place := uint32(h.used)
	h.used++
	s.pages[v.last][place] = entry[K]{k, at}
	s.index.put(cell, hash, v.last*pageLen+place)
}

// find makes the interval of at the recent one.
func (s *Seen[K]) find(at int64) {
	number := at / s.Interval
	into := at % s.Interval
	if into < 0 {
		into += s.Interval
		number--
	}
	if s.salt == (Seed{}) {
		s.salt = NewSeed()
	}
	s.recentSet, s.low = true, at-into
	hash := uint32(Hash1(s.salt, uint64(number)))
	s.numbers.reserve(1, 1)
	i := s.numbers.seek(hash)
	for ; uint32(s.numbers.cells[i]>>32) == hash && s.numbers.cells[i] != 0; i++ {
		if v := uint32(s.numbers.cells[i]) - 1; s.intervals[v].number == number {
			s.recent = v
			return
		}
	}
	var v uint32
	if n := len(s.idle); n > 0 {
		v, s.idle = s.idle[n-1], s.idle[:n-1]
	} else {
		v = uint32(len(s.intervals))
		s.intervals = append(s.intervals, interval{})
	}
	s.intervals[v] = interval{number: number, newest: at, hash: hash, last: s.page(0)}
	s.numbers.put(i, hash, v)
	s.push(v)
	s.recent = v
}

// page is an empty page before which, in its interval, stands page next-1.
func (s *Seen[K]) page(next uint32) uint32 {
	var p uint32
	if n := len(s.free); n > 0 {
		p, s.free = s.free[n-1], s.free[:n-1]
		s.bare = min(s.bare, len(s.free))
	} else {
		p = uint32(len(s.pages))
		s.pages = append(s.pages, nil)
		s.heads = append(s.heads, pageHead{})
	}
	if s.pages[p] == nil {
		s.pages[p] = s.made.one()
	}
	s.heads[p].next = next
	return p
}

// Expire forgets, an interval at a time, what has died: every interval whose entries all have at <= dead. Entries that share an interval with a living one stay
// and may still be found. An entry lives while W < at + horizon, so a caller passes window.Behind(W, horizon); stream.Never forgets nothing. hash gives the
// hash of a key once more: entries do not carry it. Between batches only: cells move.
//
// Memory: freed pages are kept for reuse up to three times those in use, and 64; the index shrinks when less than 1/16 of it is used.
func (s *Seen[K]) Expire(dead int64, hash func(k K) uint32) {
	before := len(s.heap)
	for len(s.heap) > 0 && dead != stream.Never {
		v := &s.intervals[s.heap[0]]
		if v.newest > dead {
			break
		}
		for next := v.last + 1; next != 0; {
			p := next - 1
			next = s.heads[p].next
			s.release(p, hash)
		}
		s.numbers.remove(v.hash, s.heap[0])
		s.idle = append(s.idle, s.heap[0])
		s.recentSet = s.recentSet && s.recent != s.heap[0]
		s.pop()
	}
	if len(s.heap) == before {
		return
	}
	s.index.shrink()
	s.numbers.shrink()
	for spare := 3*(len(s.pages)-len(s.free)) + 64; len(s.free)-s.bare > spare; s.bare++ {
		s.pages[s.free[s.bare]] = nil
	}
}

// release deletes the cells of a page and frees it.
func (s *Seen[K]) release(p uint32, hash func(k K) uint32) {
	used := s.pages[p][:s.heads[p].used]
	var hashes [pageLen]uint32
	var touch uint64
	for i := range used {
		hashes[i] = hash(used[i].key)
		touch |= s.Hint(hashes[i]) // so that the misses of the loop below overlap
	}
	if touch != 0 {
		for i := range used {
			s.index.remove(hashes[i], p*pageLen+uint32(i))
		}
	}
	s.heads[p] = pageHead{dirty: s.heads[p].dirty} // stays in s.dirty, empty
	s.free = append(s.free, p)
}

// Len is how many ids can be found, dead ones that wait for Expire included.
func (s *Seen[K]) Len() int { return s.index.used }

// Commit says that everything put so far is durable.
func (s *Seen[K]) Commit() {
	for _, p := range s.dirty {
		s.heads[p].clean = s.heads[p].used
		s.heads[p].dirty = false
	}
	s.dirty = s.dirty[:0]
}

// Reset forgets everything and keeps the memory.
func (s *Seen[K]) Reset() {
	s.index.reset()
	s.numbers.reset()
	s.heap, s.dirty, s.recentSet = s.heap[:0], s.dirty[:0], false
	s.intervals, s.idle = s.intervals[:0], s.idle[:0]
	clear(s.heads)
	s.free, s.bare = s.free[:0], 0
	for p := len(s.pages) - 1; p >= 0; p-- {
		if s.pages[p] == nil {
			s.free = append(s.free, uint32(p))
			s.bare++
		}
	}
	for p := len(s.pages) - 1; p >= 0; p-- {
		if s.pages[p] != nil {
			s.free = append(s.free, uint32(p))
		}
	}
}

// push puts interval v into the heap.
func (s *Seen[K]) push(v uint32) {
	s.heap = append(s.heap, v)
	for i := len(s.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if s.intervals[s.heap[up]].number <= s.intervals[s.heap[i]].number {
			return
		}
		s.heap[up], s.heap[i] = s.heap[i], s.heap[up]
		i = up
	}
}

// pop takes the interval with the lowest number from the heap.
func (s *Seen[K]) pop() {
	n := len(s.heap) - 1
	s.heap[0] = s.heap[n]
	s.heap = s.heap[:n]
	for i := 0; ; {
		low := i
		for down := 2*i + 1; down <= 2*i+2 && down < n; down++ {
			if s.intervals[s.heap[down]].number < s.intervals[s.heap[low]].number {
				low = down
			}
		}
		if low == i {
			return
		}
		s.heap[i], s.heap[low] = s.heap[low], s.heap[i]
		i = low
	}
}
