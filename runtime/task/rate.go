package task

import (
	"context"
	"time"
)

// bucket is the token bucket of a source with a Rate. Its clock is monotonic: it stands still for nobody who sets the wall clock, and a pause, of the process, too, fills it at most up to the burst.
type bucket struct {
	burst, tokens float64
	each          float64 // ns for a token
	last          time.Time
}

func newBucket(r *Rate, now time.Time) *bucket {
	return &bucket{burst: float64(r.Burst), tokens: float64(r.Burst), each: float64(r.Per) / float64(r.Records), last: now}
}

// until is how long it takes until there are n tokens, at most the burst.
func (b *bucket) until(n int, now time.Time) time.Duration {
	b.tokens = min(b.burst, b.tokens+max(0, float64(now.Sub(b.last)))/b.each)
	b.last = now
	missing := min(float64(n), b.burst) - b.tokens
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing*b.each) + 1
}

// take takes n tokens, for which until has said that they are there.
func (b *bucket) take(n int) { b.tokens -= float64(n) }

// spread is within how long a batch of a source with a Rate comes: a smaller batch waits less for its tokens.
const spread = 100 * time.Millisecond

// paced is how many records at most a processor takes at once, so that no batch is larger than a burst, or than a commit.
func paced(p *Pipeline, batch int) int {
	if c := p.Commit; c != nil && c.Records > 0 {
		batch = min(batch, c.Records)
	}
	for _, s := range p.Sources {
		if r := s.Rate; r != nil {
			batch = min(batch, r.Burst, max(1, int(float64(r.Records)*float64(spread)/float64(r.Per))))
		}
	}
	return batch
}

// allowed waits until the source of an input may be read on: until there are tokens for a batch, whose records are not known before. Commits go on meanwhile. It returns early when ctx is done.
func (r *run) allowed(ctx context.Context, in *input, tick <-chan time.Time) error {
	if in.bucket == nil {
		return nil
	}
	for {
		wait := in.bucket.until(r.most, time.Now())
		if wait == 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-tick:
			timer.Stop()
			if err := r.ticked(); err != nil {
				return err
			}
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}
