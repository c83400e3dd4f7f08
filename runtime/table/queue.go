package table

import (
	"math/bits"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Queue tells which keys are due. A key whose time moves on stays where it is: its entry is then too early, and whoever gets it looks at the key and pushes it again. So a key costs
// something when it enters and once for each time that its entry comes due, not for each record.
//
// A hierarchical timing wheel (G. Varghese, T. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987), whose wheels are the hexadecimal digits of a time: an entry stands in the wheel of the
// highest digit in which its time differs from the time that was reached, at the place of that digit. When time goes on, what stands in lower wheels and at lower places of the wheel of the new
// time is due, what stands at its place is due or goes to a lower wheel, and no other entry is looked at. Entries are read and written one after the other, so that it costs few cache misses
// however many there are. The zero value is empty.
type Queue struct {
	reached uint64 // times are words that are ordered as they are (OrderedInt)
	places  [wheels][16]place
	some    [wheels]uint16 // a bit for each place that has entries
	next    uint64         // the earliest time, if there is an entry
	len     int
	spare   *block
}

const wheels = 16

// Due is an entry of a Queue.
type Due struct {
	At int64 // ns
	ID uint32
}

// place has its entries in blocks.
type place struct {
	newest *block // those behind it are full
	least  uint64 // the earliest time, if there is an entry
}

// block has entries of a place, so that memory goes from place to place.
type block struct {
	older *block
	n     int
	due   [31]Due
}

// wheel is that of the highest digit in which two times differ.
func wheel(a, b uint64) int { return (bits.Len64(a^b|1) - 1) / 4 }

// Push enters key id for the time at. A time that was reached already is due at once.
func (q *Queue) Push(at int64, id uint32) {
	word := max(OrderedInt(at), q.reached)
	if q.len == 0 || word < q.next {
		q.next = word
	}
	q.len++
	q.put(word, Due{at, id})
}

// put enters an entry for the time word, which is not before the one that was reached.
func (q *Queue) put(word uint64, d Due) {
	w := wheel(word, q.reached)
	digit := word >> (4 * w) & 15
	q.some[w] |= 1 << digit
	at := &q.places[w][digit]
	b := at.newest
	if b == nil {
		at.least = word
	}
	if b == nil || b.n == len(b.due) {
		b = q.take(b)
		at.newest = b
	}
	b.due[b.n] = d
	b.n++
	at.least = min(at.least, word)
}

// take is an empty block in front of others.
func (q *Queue) take(older *block) *block {
	b := q.spare
	if b == nil {
		b = new(block)
	} else {
		q.spare = b.older
	}
	b.older, b.n = older, 0
	return b
}

// give takes a block back, and is the one behind it.
func (q *Queue) give(b *block) (older *block) {
	older = b.older
	b.older, q.spare = q.spare, b
	return older
}

// Next is the earliest time in the queue, or one that was reached; stream.Always when it is empty.
func (q *Queue) Next() int64 {
	if q.len == 0 {
		return stream.Always
	}
	return OfOrderedInt(q.next)
}

// Len is how many entries there are.
func (q *Queue) Len() int { return q.len }

// Due removes the entries whose time is at most t and appends them to dst, in no order.
func (q *Queue) Due(dst []Due, t int64) []Due {
	word := OrderedInt(t)
	if q.len == 0 || word < q.next {
		return dst
	}
	before := len(dst)
	high := wheel(word, q.reached)
	for w := range high {
		dst = q.empty(dst, w, 1<<16-1)
	}
	digit := word >> (4 * high) & 15
	dst = q.empty(dst, high, 1<<digit-1)
	left := q.places[high][digit].newest
	q.places[high][digit].newest = nil
	q.some[high] &^= 1 << digit
	q.reached = word
	for b := left; b != nil; b = q.give(b) {
		for _, d := range b.due[:b.n] {
			if d.At <= t {
				dst = append(dst, d)
			} else {
				q.put(OrderedInt(d.At), d)
			}
		}
	}
	q.len -= len(dst) - before
	if q.len > 0 {
		q.seek()
	}
	return dst
}

// empty appends the entries at some places of a wheel to dst and removes them.
func (q *Queue) empty(dst []Due, wheel int, places uint16) []Due {
	for some := q.some[wheel] & places; some != 0; some &= some - 1 {
		at := &q.places[wheel][bits.TrailingZeros16(some)]
		for ; at.newest != nil; at.newest = q.give(at.newest) {
			dst = append(dst, at.newest.due[:at.newest.n]...)
		}
	}
	q.some[wheel] &^= places
	return dst
}

// seek finds the earliest time again: it stands at the first place that has entries.
func (q *Queue) seek() {
	w := 0
	for q.some[w] == 0 {
		w++
	}
	q.next = q.places[w][bits.TrailingZeros16(q.some[w])].least
}

// Take appends all entries to dst, in no order, and empties the queue.
func (q *Queue) Take(dst []Due) []Due {
	for w := range q.places {
		dst = q.empty(dst, w, 1<<16-1)
	}
	q.len = 0
	return dst
}

// Reset empties it and keeps the memory.
func (q *Queue) Reset() {
	for w := range q.places {
		for digit := range q.places[w] {
			for at := &q.places[w][digit]; at.newest != nil; at.newest = q.give(at.newest) {
			}
		}
	}
	q.some, q.reached, q.len = [wheels]uint16{}, 0, 0
}
