package task

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/streamwright/streamwright/runtime/sink"
)

// Retry says how often, and after which waits, what a sink could not do is tried again, where the reason may go away by itself: opening, writing and renaming as they are (sink.Transient). Rows that an fsync
// may have lost (sink.Lost) are made again: the run goes back to its last commit, as a process that starts does; without commits it stops.
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

// attempts are the tries of what a sink does.
type attempts struct {
	*Retry // nil: there is one
	name   string
	note   func(text string)
	stop   <-chan struct{}
}

// again does something until it succeeds, there is no point in another try, or there were enough. A try that has done some of it makes the count begin anew.
func (a *attempts) again(do func() (some bool, err error)) error {
	for try := 1; ; try++ {
		some, err := do()
		if err == nil || a.Retry == nil || !sink.Transient(err) {
			return err
		}
		if some {
			try = 1
		}
		if err := a.wait(try, err); err != nil {
			return err
		}
	}
}

// wait waits before the next try, behind so many that failed, the last one with err. Its error says that there is none.
func (a *attempts) wait(tries int, err error) error {
	if tries >= a.Tries {
		return fmt.Errorf("%w; it was tried %d times", err, tries)
	}
	wait := a.Retry.wait(tries + 1)
	a.note(fmt.Sprintf("%s: %v; try %d of %d follows in %v", a.name, err, tries+1, a.Tries, rounded(wait)))
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-a.stop:
		return fmt.Errorf("%w; it was told to stop before it was tried again", err)
	}
}

// put hands rows over. Only what was not taken is put again, so that the order stays.
func (e *exit) put(rows []byte) error {
	return e.again(func() (some bool, err error) {
		if e.kept != nil {
			err = e.kept.Put(rows)
		} else {
			err = e.target.Put(rows)
		}
		if p, ok := errors.AsType[*sink.Partly](err); ok {
			rows = rows[p.Taken:]
			return p.Taken > 0, err
		}
		return false, err
	})
}

// outgoing are the rows of a commit that go to an exit.
type outgoing struct {
	*sink.Staged
	of *attempts
}

// Sync implements checkpoint.Rows. Rows that may be lost are to be made again, which is not a matter of this commit.
func (o *outgoing) Sync() error {
	err := o.Staged.Sync()
	if err != nil && o.of.Retry != nil && sink.Lost(err) {
		return &outage{o.of, err}
	}
	return err
}

// Publish implements checkpoint.Rows.
func (o *outgoing) Publish() error {
	return o.of.again(func() (bool, error) { return false, o.Staged.Publish() })
}

// outage is the error of a run that is to be begun again, from its last commit: an exit may have lost rows.
type outage struct {
	of  *attempts
	err error
}

func (o *outage) Error() string { return o.err.Error() }

func (o *outage) Unwrap() error { return o.err }
