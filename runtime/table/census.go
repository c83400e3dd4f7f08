package table

import (
	"math"
	"sort"
)

// Census counts ids by the interval of event time that the first copy of each stands in, until the interval has died. It knows how many ids a stage answers for at a watermark
// whatever memory was given back already, so that a limit is reached at the same record in batches of any size, and after a restart.
type Census struct {
	Interval int64 // ns, > 0
	counts   []countOf
	living   int
}

// countOf is how many ids stand in an interval.
type countOf struct {
	number int64 // of the interval: its first instant divided by its length
	ids    int
}

// Add counts an id whose first copy has the time at.
func (c *Census) Add(at int64) { c.add(c.number(at), 1) }

// number is the interval of a time.
func (c *Census) number(at int64) int64 {
	n := at / c.Interval
	if at%c.Interval < 0 {
		n--
	}
	return n
}

func (c *Census) add(number int64, ids int) {
	i := len(c.counts)
	if i > 0 && c.counts[i-1].number >= number { // mostly it is the last or a new one
		i = sort.Search(len(c.counts), func(k int) bool { return c.counts[k].number >= number })
	}
	if i == len(c.counts) || c.counts[i].number != number {
		c.counts = append(c.counts, countOf{})
		copy(c.counts[i+1:], c.counts[i:])
		c.counts[i] = countOf{number: number}
	}
	c.counts[i].ids += ids
	c.living += ids
}

// Living forgets the intervals that have died, all of whose times are at or before dead, and says how many ids the others have. dead never goes back.
func (c *Census) Living(dead int64) int {
	alive := c.number(dead) // the first interval that lives: it has times behind dead
	if dead < math.MaxInt64 {
		alive = c.number(dead + 1)
	}
	gone := 0
	for gone < len(c.counts) && c.counts[gone].number < alive {
		c.living -= c.counts[gone].ids
		gone++
	}
	if gone > 0 {
		c.counts = c.counts[:copy(c.counts, c.counts[gone:])]
	}
	return c.living
}

// AppendCensus appends the counts of c.
func AppendCensus(dst []byte, c *Census) []byte {
	dst = AppendUint(dst, uint64(len(c.counts)))
	for _, of := range c.counts {
		dst = AppendUint(AppendInt(dst, of.number), uint64(of.ids))
	}
	return dst
}

// Restore replaces the counts by what AppendCensus wrote.
func (c *Census) Restore(r *Reader) {
	c.Reset()
	for range r.Count(2) {
		number := r.Int()
		c.add(number, int(r.Uint()&(1<<40-1))) // more no memory holds
	}
}

// Recount counts the ids of s, where a state has ids and no census: limits are new in the spec. Of intervals that have partly died it may count too few.
func Recount[K comparable](c *Census, s *Seen[K]) {
	if len(c.counts) > 0 {
		return
	}
	s.each(false, func(entries []entry[K]) {
		for i := range entries {
			c.Add(entries[i].at)
		}
	})
}

// Reset forgets all.
func (c *Census) Reset() { c.counts, c.living = c.counts[:0], 0 }
