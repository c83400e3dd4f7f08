package task

import (
	"testing"
	"time"
)

// TestBucket is FLOW-01 at the bucket: what passes after a pause is a burst, then the rate.
func TestBucket(t *testing.T) {
	now := time.Now()
	b := newBucket(&Rate{Records: 10, Per: time.Second, Burst: 5}, now)
	for _, pause := range []time.Duration{0, 30 * time.Second, time.Hour} { // at the start, and after what is a pause to the clock
		now = now.Add(pause)
		var passed []time.Duration
		begin := now
		for range 100 {
			for wait := b.until(1, now); wait > 0; wait = b.until(1, now) {
				now = now.Add(wait)
			}
			b.take(1)
			passed = append(passed, now.Sub(begin))
		}
		within := func(d time.Duration) (n int) {
			for _, p := range passed {
				if p <= d {
					n++
				}
			}
			return n
		}
		if a, b, c := within(0), within(time.Second), within(2*time.Second); a != 5 || b < 14 || b > 15 || c < 24 || c > 25 || passed[99] < 9500*time.Millisecond || passed[99] > 9600*time.Millisecond {
			t.Errorf("after %v: %d at once, %d within a second, %d within two, the last after %v", pause, a, b, c, passed[99])
		}
		now = now.Add(time.Second)
	}
	if wait := b.until(1000, now); wait > time.Second { // more than a burst is never asked for
		t.Errorf("%v for a batch above the burst", wait)
	}
	for _, c := range []struct {
		rate Rate
		want int
	}{{Rate{10, 5, time.Second}, 1}, {Rate{100_000, 64, time.Second}, 64}, {Rate{1000, 1000, time.Second}, 100}, {Rate{1, 1, time.Hour}, 1}, {Rate{1_000_000, 1_000_000, time.Second}, 256}} {
		if got := paced(&Pipeline{Sources: []Source{{}, {Rate: &c.rate}}}, 256); got != c.want {
			t.Errorf("%+v: batches of %d, want %d", c.rate, got, c.want)
		}
	}
}
