package task

import (
	"fmt"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Status is how far a run is, between two batches.
type Status struct {
	Records   uint64  // that this run has taken
	Rate      float64 // of them a second since the Status before
	Elapsed   time.Duration
	Watermark int64     // Unix ns; stream.Never before the first record, stream.Always behind the last
	Now       int64     // the wall clock, Unix ns
	Committed time.Time // when the last commit was taken; zero: there are no commits
	Waiting   bool      // everything that is there was read
}

// Lag is how far the watermark is behind the clock; ok is false while there is none. It is negative where the events are ahead of the clock.
func (s Status) Lag() (lag time.Duration, ok bool) {
	if s.Watermark == stream.Never || s.Watermark == stream.Always {
		return 0, false
	}
	if s.Watermark < 0 && s.Now > 1<<63-1+s.Watermark { // more than a Duration holds
		return 1<<63 - 1, true
	}
	return time.Duration(s.Now - s.Watermark), true
}

// String is one line: "1,204 records, 310/s, watermark 2026-03-02T09:01:20Z (12s behind the clock), committed 0.4s ago".
func (s Status) String() string {
	text := fmt.Sprintf("%s records, %s/s", grouped(s.Records), grouped(uint64(s.Rate)))
	if lag, ok := s.Lag(); ok {
		behind := fmt.Sprintf("%v behind", coarse(lag))
		if lag < 0 {
			behind = fmt.Sprintf("%v ahead of", coarse(-lag))
		}
		text += fmt.Sprintf(", watermark %s (%s the clock)", time.Unix(0, s.Watermark).UTC().Format(time.RFC3339), behind)
	}
	if !s.Committed.IsZero() {
		text += fmt.Sprintf(", committed %v ago", coarse(time.Unix(0, s.Now).Sub(s.Committed)))
	}
	if s.Waiting {
		text += ", waiting for more"
	}
	return text
}

// coarse is a duration as somebody reads it in passing.
func coarse(d time.Duration) string {
	switch {
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	case d < 48*time.Hour:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}

// status is what a run remembers of the last Status that it has told.
type status struct {
	tell    func(Status)
	every   time.Duration
	at      time.Time
	records uint64
}

// told tells where the run is, if it is time.
func (r *run) told(waiting bool) {
	s := &r.status
	if s.tell == nil {
		return
	}
	now := time.Now()
	since := now.Sub(s.at)
	if since < s.every {
		return
	}
	taken := r.taken()
	text := Status{Records: taken - r.before, Elapsed: now.Sub(r.start), Watermark: r.processor.Watermark(), Now: now.UnixNano(), Waiting: waiting}
	text.Rate = float64(taken-max(s.records, r.before)) / since.Seconds()
	if r.commits != nil {
		text.Committed = r.commits.last
	}
	s.at, s.records = now, taken
	s.tell(text)
}

// ticked is what is done now and then while nothing comes.
func (r *run) ticked() error {
	r.told(true)
	if r.commits == nil {
		return nil
	}
	return r.commitDue()
}
