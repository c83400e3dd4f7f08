package task

import (
	"errors"
	"testing"
	"time"
)

// TestDue: when a commit is made, and what one that is in flight changes about that.
func TestDue(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		taken   uint64
		since   time.Duration
		records uint64
		flying  bool
		done    error // of the one in flight
		landed  bool
		soon    uint64
		want    bool
		err     error
	}{
		{name: "nothing to commit", since: time.Hour},
		{name: "too soon", taken: 1, since: 0},
		{name: "each minute", taken: 1, since: time.Minute, want: true},
		{name: "enough records", taken: 10, records: 10, want: true},
		{name: "not enough records", taken: 9, records: 10},
		{name: "before its time", taken: 10, since: time.Minute / often, soon: 10, want: true},
		{name: "before its time, not enough records", taken: 9, since: time.Minute / often, soon: 10},
		{name: "before its time, too soon after the last", taken: 10, since: time.Minute / (2 * often), soon: 10},
		{name: "before its time, one is in flight", taken: 10, since: time.Minute / often, soon: 10, flying: true},
		{name: "one is in flight", taken: 1, since: time.Minute, flying: true},
		{name: "one has landed", taken: 1, since: time.Minute, flying: true, landed: true, want: true},
		{name: "one has failed", taken: 1, since: time.Minute, flying: true, landed: true, done: broken, want: true, err: broken},
		{name: "one is in flight, and that takes long", taken: 1, since: patience * time.Minute, flying: true, want: true},
		{name: "one is in flight, and no more records may be in the next one", taken: 10, records: 10, flying: true, want: true},
	} {
		c := &commits{every: time.Minute, records: tt.records, last: time.Now().Add(-tt.since), flying: tt.flying, soon: tt.soon, done: make(chan error, 1)}
		if tt.landed {
			c.done <- tt.done
		}
		r := run{commits: c, counts: []uint64{tt.taken}, records: []int{0}}
		if got, err := r.due(); got != tt.want || err != tt.err {
			t.Errorf("%s: %v %v, want %v %v", tt.name, got, err, tt.want, tt.err)
		}
		if tt.landed && c.flying {
			t.Errorf("%s: it is still in flight", tt.name)
		}
	}
}

// TestTake: how many records are enough follows how long the records before had to wait.
func TestTake(t *testing.T) {
	var c commits
	for _, step := range []struct {
		n    uint64
		took time.Duration
		want uint64
	}{
		{1000, pause, 0}, {1000, 2 * pause, 500}, {500, pause, 500}, {500, 4 * pause, 125}, {125, pause / 4, 250}, {250, pause / 2, 250}, {250, pause / 3, 500}, {1, 10 * pause, 1},
	} {
		if c.take(step.n, step.took); c.soon != step.want {
			t.Errorf("%d records in %v: %d are enough, want %d", step.n, step.took, c.soon, step.want)
		}
	}
}
