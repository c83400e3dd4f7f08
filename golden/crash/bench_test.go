package crash

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/runtime/task"
)

var (
	benchEvents = flag.Int("events", 1_000_000, "events of W1 that the benchmark reads")
	benchRounds = flag.Int("rounds", 7, "rounds of the benchmark")
)

// BenchmarkCommits prints what commits cost on W1, file to file: appended outputs without any, and with one each second and each tenth of one. -benchtime 1x.
//
//	go test -run '^$' -bench Commits -benchtime 1x ./golden/crash -args -events 3000000
func BenchmarkCommits(b *testing.B) {
	dir := b.TempDir()
	in := filepath.Join(dir, "events.ndjson")
	f, err := os.Create(in)
	if err != nil {
		b.Fatal(err)
	}
	c := events.Default(*benchEvents)
	if err := events.Write(f, c); err != nil {
		b.Fatal(err)
	}
	f.Close()
	var pauses []time.Duration
	walls := make([][]time.Duration, 3)
	run := func(i int, every time.Duration) error {
		out, err := os.MkdirTemp(dir, "out")
		if err != nil {
			return err
		}
		defer os.RemoveAll(out)
		p := w1.W1Pipeline
		p.Sources = slices.Clone(p.Sources)
		p.Sources[0].Path = in
		p.Sinks = slices.Clone(p.Sinks)
		for i := range p.Sinks {
			p.Sinks[i].Target = task.Target{Path: filepath.Join(out, p.Sinks[i].Name), Append: true}
		}
		p.DeadLetter = &task.DeadLetter{Target: task.Target{Path: filepath.Join(out, "dead"), Append: true}, StopShare: 0.5, StopOf: 1000}
		if every > 0 {
			p.Commit = &task.Commit{Dir: filepath.Join(out, "state"), Every: every}
		}
		start := time.Now()
		s, err := task.Run(context.Background(), p, task.Options{Paused: func(d time.Duration) { pauses = append(pauses, d) }})
		walls[i] = append(walls[i], time.Since(start))
		if n := len(pauses); every > 0 && n > 0 {
			pauses = pauses[:n-1] // the last one waits until it is durable, and keeps no records waiting
		}
		if err == nil && s.Counts[0] != uint64(c.Events) {
			err = fmt.Errorf("%d records", s.Counts[0])
		}
		return err
	}
	for range b.N {
		costs, err := measure.Rounds(*benchRounds, []measure.Program{
			{Name: "none", Run: func(func()) error { return run(0, 0) }},
			{Name: "each second", Run: func(func()) error { return run(1, time.Second) }},
			{Name: "each 100 ms", Run: func(func()) error { return run(2, 100*time.Millisecond) }},
		})
		if err != nil {
			b.Fatal(err)
		}
		slices.Sort(pauses)
		var text strings.Builder
		fmt.Fprintf(&text, "%d events, %d rounds, one core; against no commits in the same round, medians:\n", c.Events, *benchRounds)
		for i, name := range []string{"no commits", "each second", "each 100 ms"} {
			var cpu, wall []float64
			for round := range costs[i] {
				cpu = append(cpu, float64(costs[i][round].CPU)/float64(costs[0][round].CPU))
				wall = append(wall, float64(walls[i][round])/float64(walls[0][round]))
			}
			slices.Sort(cpu)
			slices.Sort(wall)
			fmt.Fprintf(&text, "  %-12s CPU time %.3f (%.3f to %.3f), wall %.3f (%.3f to %.3f)\n", name, cpu[len(cpu)/2], cpu[0], cpu[len(cpu)-1], wall[len(wall)/2], wall[0], wall[len(wall)-1])
		}
		fmt.Fprintf(&text, "  pause of a commit: median %v, 99 of 100 within %v, longest %v, of %d", pauses[len(pauses)/2], pauses[len(pauses)*99/100], pauses[len(pauses)-1], len(pauses))
		b.Log(text.String())
	}
}
