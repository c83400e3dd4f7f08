package task

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/streamwright/streamwright/runtime/sink"
)

// Retry says how often, and after which waits, a write is tried again that failed for a reason which may go away by itself (sink.Transient).
type Retry struct {
	Base  time.Duration // the most that is waited before the second try; it doubles with each one
	Max   time.Duration // and is never more than this
	Tries int           // in all; then the run stops
}

// ceiling is the most that is waited before try n, from 2: Base doubled n - 2 times, at most Max, however large n is.
func (r *Retry) ceiling(n int) time.Duration {
	d := r.Base
	for range n - 2 {
		if d >= r.Max/2 {
			return r.Max
		}
		d *= 2
	}
	return min(d, r.Max)
}

// wait is how long to wait before try n: anything up to the ceiling, so that programs that failed together do not try again together ("full jitter", Marc Brooker, "Exponential Backoff And
// Jitter", AWS Architecture Blog, 2015).
func (r *Retry) wait(n int) time.Duration { return 1 + rand.N(r.ceiling(n)) }

// put hands rows over, again and again where the sink says so. Only what was not taken is put again, so that the order stays. What was taken of it makes the count of tries begin anew.
func (e *exit) put(rows []byte) error {
	for try := 1; ; try++ {
		var err error
		if e.kept != nil {
			err = e.kept.Put(rows)
		} else {
			err = e.target.Put(rows)
		}
		if err == nil || e.retry == nil || !sink.Transient(err) {
			return err
		}
		if p, ok := errors.AsType[*sink.Partly](err); ok && p.Taken > 0 {
			rows, try = rows[p.Taken:], 1
		}
		if try >= e.retry.Tries {
			return fmt.Errorf("%w; it was tried %d times", err, try)
		}
		wait := e.retry.wait(try + 1)
		e.note(fmt.Sprintf("%s: %v; try %d of %d follows in %v", e.name, err, try+1, e.retry.Tries, rounded(wait)))
		if !e.pause(wait) {
			return fmt.Errorf("%w; it was told to stop before it was tried again", err)
		}
	}
}

// pause waits, and says whether the run goes on.
func (r *run) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.stop:
		return false
	}
}
