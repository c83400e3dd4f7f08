package task

import (
	"errors"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
)

// TestDue: when a commit is made, and what one that is in flight changes about that.
func TestDue(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		taken   uint64
		since   time.Duration // the last was handed on
		records uint64
		most    int // of a batch; 0: 1
		flying  bool
		done    error // of those in flight
		landed  bool
		soon    uint64
		held    int           // bytes of states that were taken
		took    time.Duration // a tenth of a minute ago
		want    step
		err     error
	}{
		{name: "nothing to commit", since: time.Hour},
		{name: "too soon", taken: 1, since: 0},
		{name: "each minute", taken: 1, since: time.Minute, want: handsOn},
		{name: "enough records", taken: 10, records: 10, want: handsOn},
		{name: "not enough records", taken: 9, records: 10},
		{name: "room for another batch", taken: 6, records: 10, most: 4},
		{name: "no room for another batch", taken: 7, records: 10, most: 4, want: handsOn},
		{name: "before its time", taken: 15, since: time.Second, soon: 10, want: takes},
		{name: "before its time, not enough records", taken: 14, since: time.Second, soon: 10},
		{name: "before its time, too soon after one that took long", taken: 15, since: time.Second, soon: 10, took: 4 * time.Second},
		{name: "before its time, one is in flight", taken: 15, since: time.Second, soon: 10, flying: true, want: takes},
		{name: "before its time, much is held", taken: 15, since: time.Second, soon: 10, held: mostHeld, want: handsOn},
		{name: "much is held, and nothing follows yet", taken: 14, since: time.Second, soon: 10, held: mostHeld},
		{name: "one is in flight", taken: 1, since: time.Minute, flying: true},
		{name: "one is in flight when it is time", taken: 15, since: time.Minute, flying: true, soon: 10, want: takes},
		{name: "one has landed", taken: 1, since: time.Minute, flying: true, landed: true, want: handsOn},
		{name: "one has failed", taken: 1, since: time.Minute, flying: true, landed: true, done: broken, want: handsOn, err: broken},
		{name: "one is in flight, and that takes long", taken: 1, since: patience * time.Minute, flying: true, want: handsOn},
		{name: "one is in flight, and no more records may be in the next one", taken: 10, records: 10, flying: true, want: handsOn},
	} {
		now := time.Now()
		c := &commits{every: time.Minute, records: tt.records, last: now.Add(-tt.since), soon: tt.soon, held: tt.held, taken: min(5, tt.taken), ended: now.Add(-6 * time.Second), took: tt.took, done: make(chan error, 1)}
		if tt.soon == 0 {
			c.soon = early
		}
		if tt.flying {
			c.flying = []*checkpoint.Commit{{State: []byte("state")}}
		}
		if tt.landed {
			c.done <- tt.done
		}
		r := run{commits: c, most: max(1, tt.most), counts: []uint64{tt.taken}, records: []int{0}}
		if got, err := r.due(); got != tt.want || err != tt.err {
			t.Errorf("%s: %v %v, want %v %v", tt.name, got, err, tt.want, tt.err)
		}
		if tt.landed && (len(c.flying) > 0 || len(c.free) != 1) {
			t.Errorf("%s: it is still in flight", tt.name)
		}
	}
}

// TestAdapt: how many records are enough follows how long the records before had to wait.
func TestAdapt(t *testing.T) {
	c := commits{soon: 1 << 10}
	for _, step := range []struct {
		n    uint64
		took time.Duration
		want uint64
	}{
		{1000, pause, 1 << 10}, {1000, 2 * pause, 500}, {500, pause, 500}, {500, 4 * pause, 125}, {125, pause / 4, 250}, {250, pause / 2, 250}, {250, pause / 3, 500}, {1, 10 * pause, 1},
	} {
		if c.adapt(step.n, step.took); c.soon != step.want {
			t.Errorf("%d records in %v: %d are enough, want %d", step.n, step.took, c.soon, step.want)
		}
	}
}
