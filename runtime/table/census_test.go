package table

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCensus holds the counts against a list of all times, with a restart now and then.
func TestCensus(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		c := Census{Interval: 1 + r.Int64N(9)}
		var times []int64
		dead := int64(-200)
		for range 200 {
			at := dead + 1 + r.Int64N(60)
			times = append(times, at)
			c.Add(at)
			dead += r.Int64N(4)
			want := 0
			for _, at := range times {
				first := at - ((at%c.Interval)+c.Interval)%c.Interval
				if first+c.Interval-1 > dead {
					want++
				}
			}
			if r.IntN(5) == 0 {
				continue // memory and restarts do not depend on who asks when
			}
			if got := c.Living(dead); got != want {
				t.Fatalf("interval %d, dead %d: %d living, want %d", c.Interval, dead, got, want)
			}
			if r.IntN(8) == 0 {
				again := Census{Interval: c.Interval}
				reader := NewReader(AppendCensus(nil, &c))
				again.Restore(&reader)
				if err := reader.Done(); err != nil {
					t.Fatal(err)
				}
				c = again
			}
		}
	}
	for _, at := range []int64{math.MinInt64 + 1, -1, 0, math.MaxInt64} {
		c := Census{Interval: math.MaxInt64}
		c.Add(at)
		if got := c.Living(math.MinInt64); got != 1 {
			t.Errorf("%d has died at the beginning of time", at)
		}
	}
	c := Census{Interval: 10}
	c.Add(5)
	if c.Living(8) != 1 || c.Living(9) != 0 || len(c.counts) != 0 {
		t.Error("an interval dies with its last instant")
	}
}

// TestRecount: limits that are new in a spec count the ids that are there.
func TestRecount(t *testing.T) {
	s := Seen[Text]{Interval: 10}
	s.Reserve(100)
	for i := range 100 {
		id := Inline([]byte{byte(i)})
		cell, _, _ := s.Probe(uint32(i*7919), id)
		s.Put(cell, uint32(i*7919), id, int64(i))
	}
	c := Census{Interval: 10}
	Recount(&c, &s)
	if n := c.Living(49); n != 50 {
		t.Errorf("%d ids live behind 49, want 50", n)
	}
	if Recount(&c, &s); c.Living(49) != 50 {
		t.Error("a census that was restored is counted again")
	}
}
