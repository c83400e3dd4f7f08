package sourceseveral

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/task"
)

var inputs = []string{"north.ndjson", "south.csv", "payments.ndjson"}

// TestRuns: a run over files gives what the replays give, on one core and on two, and so do runs that are stopped after each commit and go on.
func TestRuns(t *testing.T) {
	for _, o := range []task.Options{{Cores: 1}, {Cores: 2}, {Cores: 2, Batch: 1}, {Cores: 1, Batch: 2}} {
		for _, records := range []int{1, 3, 1000} {
			p, dir := ShopsPipeline, t.TempDir()
			p.Sources = slices.Clone(p.Sources)
			for i := range p.Sources {
				p.Sources[i].Path = filepath.Join("testdata/shops/in", inputs[i])
			}
			p.Sinks = slices.Clone(p.Sinks)
			for i := range p.Sinks {
				p.Sinks[i].Target.Path = filepath.Join(dir, p.Sinks[i].Name)
			}
			dead := *p.DeadLetter
			dead.Target.Path = filepath.Join(dir, "dead")
			dead.StopOf = 1000
			commit := *p.Commit
			commit.Dir, commit.Records = filepath.Join(dir, "state"), records
			p.DeadLetter, p.Commit = &dead, &commit
			runs := 0
			for stopped := true; stopped; runs++ {
				ctx, cancel := context.WithCancel(context.Background())
				first := runs == 0 // its first commit is that of the start
				o.Paused = func(time.Duration) {
					if !first {
						cancel()
					}
					first = false
				}
				_, err := task.Run(ctx, p, o)
				cancel()
				var i *task.Interrupted
				if stopped = errors.As(err, &i); err != nil && !stopped {
					t.Fatal(err)
				}
			}
			if records == 1 && runs < 5 {
				t.Errorf("%d runs", runs)
			}
			for _, s := range p.Sinks {
				want, err := os.ReadFile("testdata/shops/out/" + s.Name + ".ndjson")
				if err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(s.Target.Path); err != nil || string(got) != string(want) {
					t.Errorf("%d cores, batches of %d, commits of %d: %s: %v\n%s", o.Cores, o.Batch, records, s.Name, err, got)
				}
			}
		}
	}
}
