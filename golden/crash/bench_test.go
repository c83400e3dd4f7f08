package crash

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/held"
	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/task"
)

var (
	benchEvents = flag.Int("events", 1_000_000, "events of W1 that BenchmarkCommits reads")
	benchRounds = flag.Int("rounds", 7, "rounds of BenchmarkCommits")
	benchState  = flag.Int("state", 32, "MB of state of BenchmarkState; 1000 is a GB")
	benchDir    = flag.String("dir", "", "folder for what the benchmarks write; empty: that of temporary files")
)

// benchPlace is a folder for a benchmark.
func benchPlace(b *testing.B) string {
	if *benchDir == "" {
		return b.TempDir()
	}
	dir, err := os.MkdirTemp(*benchDir, "streamwright")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// onFiles is a pipeline that reads a file, and appends to files in another folder.
func onFiles(p task.Pipeline, in, out string) task.Pipeline {
	p.Sources = slices.Clone(p.Sources)
	p.Sources[0].Path = in
	p.Sinks = slices.Clone(p.Sinks)
	for i := range p.Sinks {
		p.Sinks[i].Target = task.Target{Path: filepath.Join(out, p.Sinks[i].Name), Append: true}
	}
	p.DeadLetter = &task.DeadLetter{Target: task.Target{Path: filepath.Join(out, "dead"), Append: true}, StopShare: 0.5, StopOf: 1000}
	return p
}

// BenchmarkCommits prints what exactly-once costs on W1, file to file: appended outputs without commits, and with one each second and each tenth of one. On one core everything
// counts; on two what the thread of the task takes is what costs throughput, as long as the other core has room for the rest.
//
//	go test -run '^$' -bench Commits -benchtime 1x ./golden/crash -args -events 12000000
func BenchmarkCommits(b *testing.B) {
	dir := benchPlace(b)
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
	commits := make([]uint64, 3)
	run := func(i int, every time.Duration) measure.Program {
		return measure.Program{Name: every.String(), Run: func(func()) error {
			out, err := os.MkdirTemp(dir, "out")
			if err != nil {
				return err
			}
			defer os.RemoveAll(out)
			p := onFiles(w1.W1Pipeline, in, out)
			if every > 0 {
				p.Commit = &task.Commit{Dir: filepath.Join(out, "state"), Every: every, Exact: true}
			}
			s, err := task.Run(context.Background(), p, task.Options{Paused: func(d time.Duration) { pauses = append(pauses, d) }})
			if n := len(pauses); every > 0 && n > 0 {
				pauses = pauses[:n-1] // the last one waits until it is durable, and keeps no records waiting
			}
			if err == nil && s.Counts[0] != uint64(c.Events) {
				err = fmt.Errorf("%d records", s.Counts[0])
			}
			commits[i] = s.Commits
			return err
		}}
	}
	names := []string{"no commits", "each second", "each 100 ms"}
	programs := []measure.Program{run(0, 0), run(1, time.Second), run(2, 100*time.Millisecond)}
	for range b.N {
		for _, cores := range []int{1, 2} {
			pauses = pauses[:0]
			costs, err := measure.RoundsOn(cores, *benchRounds, programs)
			if err != nil {
				b.Fatal(err)
			}
			var text strings.Builder
			fmt.Fprintf(&text, "%d events, %d rounds, cores: %d, under %s; against no commits in the same round:\n", c.Events, *benchRounds, cores, dir)
			for i, name := range names {
				against := func(what func(measure.Cost) time.Duration) measure.Spread {
					return measure.Of(*benchRounds, func(round int) float64 { return float64(what(costs[i][round])) / float64(what(costs[0][round])) })
				}
				cpu, own := against(func(c measure.Cost) time.Duration { return c.CPU }), against(func(c measure.Cost) time.Duration { return c.Own })
				wall := against(func(c measure.Cost) time.Duration { return c.Wall })
				fmt.Fprintf(&text, "  %-12s CPU time %s, the task's %s, wall %s; %d commits\n", name, cpu, own, wall, commits[i])
				if i == 1 {
					b.ReportMetric(own.Median, fmt.Sprintf("x-on-%d", cores))
				}
			}
			fmt.Fprintf(&text, "  pause of a commit: %s", spread(pauses))
			b.Log(text.String())
		}
	}
}

// spread says what pauses took; it sorts them.
func spread(pauses []time.Duration) string {
	slices.Sort(pauses)
	n := len(pauses)
	if n == 0 {
		return "none"
	}
	at := func(i int) time.Duration { return pauses[i].Round(10 * time.Microsecond) }
	return fmt.Sprintf("median %v, 99 of 100 within %v, longest %v, of %d", at(n/2), at(n*99/100), at(n-1), n)
}

// grower is a pipeline whose state grows to a size and stays there.
type grower struct {
	name     string
	pipeline task.Pipeline
	bytes    float64                           // of state, about, for each event until it stays
	more     float64                           // events behind that, as a part of those until then
	append   func(dst []byte, i, n int) []byte // event i, of which n make the state grow
}

var growers = []grower{
	// ids of ten minutes
	{"ids", w1.W1Pipeline, 38, 0.4, func(dst []byte, i, n int) []byte {
		dst = fmt.Appendf(dst, `{"id":"e%014d","user":"u%03d","type":"click","amount":1,"at":`, i, i%1000)
		return append(codec.AppendTime(dst, int64(i)*int64(10*time.Minute)/int64(n)), "}\n"...)
	}},
	// users in an hour of windows, of which half of the events change any
	{"windows", held.HeldPipeline, 30, 0.3, func(dst []byte, i, n int) []byte {
		users, r := max(1, n/60), uint64(i)*0x9e3779b97f4a7c15
		r ^= r >> 29
		at := int64(i) * int64(time.Hour) / int64(n)
		if r&1 != 0 {
			at -= int64(r % uint64(55*time.Minute))
		}
		dst = fmt.Appendf(dst, `{"user":"user-%08d","amount":1.25,"at":`, r>>20%uint64(users))
		return append(codec.AppendTime(dst, at), "}\n"...)
	}},
}

// BenchmarkState prints how long commits keep the records waiting when there is much state, and how long it takes to go on from it.
//
//	go test -run '^$' -bench State -benchtime 1x ./golden/crash -args -state 1000
func BenchmarkState(b *testing.B) {
	for _, g := range growers {
		b.Run(g.name, func(b *testing.B) {
			for range b.N {
				g.run(b)
			}
		})
	}
}

func (g grower) run(b *testing.B) {
	dir := benchPlace(b)
	in := filepath.Join(dir, "events.ndjson")
	grows := int(float64(*benchState) * 1e6 / g.bytes)
	n := grows + int(g.more*float64(grows))
	f, err := os.Create(in)
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	for i := range n {
		if buf = g.append(buf, i, grows); len(buf) > 1<<20 || i == n-1 {
			if _, err := f.Write(buf); err != nil {
				b.Fatal(err)
			}
			buf = buf[:0]
		}
	}
	f.Close()
	before := heapBytes()
	p := onFiles(g.pipeline, in, dir)
	p.Sources[0].Hold = true
	p.Commit = &task.Commit{Dir: filepath.Join(dir, "state"), Every: time.Second, Exact: true}
	processor := &encoding{}
	make := p.New
	p.New = func(batch int) task.Processor {
		processor.Decoder = make(batch).(task.Decoder)
		return processor
	}
	var pauses, encodes []time.Duration
	var counts []uint64
	runtime.LockOSThread() // for measure.ThreadTime
	defer runtime.UnlockOSThread()
	start := time.Now()
	s, err := task.Run(context.Background(), p, task.Options{Paused: func(d time.Duration) {
		if counts = processor.AppendCounts(counts[:0]); counts[0] >= uint64(grows) && counts[0] < uint64(n) { // the last one waits until it is durable
			pauses, encodes = append(pauses, d), append(encodes, processor.took)
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	read := time.Since(start)
	state := float64(heapBytes()-before) / 1e6
	watermark := processor.Watermark()
	processor.Decoder = nil
	runtime.GC()
	start, own := time.Now(), measure.ThreadTime()
	if _, err := task.Run(context.Background(), p, task.Options{}); err != nil {
		b.Fatal(err)
	}
	took, cpu := time.Since(start), measure.ThreadTime()-own
	if processor.Watermark() != watermark {
		b.Fatal("another watermark")
	}
	logged := int64(0)
	names, err := filepath.Glob(filepath.Join(dir, "state", "*"))
	for _, name := range names {
		info, more := os.Stat(name)
		if err = cmp.Or(err, more); err == nil {
			logged += info.Size()
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%.0f MB of state, %.0f MB of log, %d events in %v, %d commits, under %s\n  pause of a commit with all of the state: %s\n  CPU time of encoding in it: %s\n  going on: %v, %.2f s for each GB of state; CPU time of the task %.2f s for each",
		state, float64(logged)/1e6, n, read.Round(time.Millisecond), s.Commits, dir, spread(pauses), spread(encodes), took.Round(time.Millisecond), took.Seconds()/state*1000, cpu.Seconds()/state*1000)
	b.ReportMetric(took.Seconds()/state*1000, "s/GB")
	if len(pauses) > 0 {
		b.ReportMetric(float64(pauses[len(pauses)*99/100])/1e6, "ms-p99")
	}
}

// encoding is a processor that measures what AppendState takes, on the thread of the task.
type encoding struct {
	task.Decoder
	took time.Duration // CPU time of the last one
}

func (e *encoding) AppendState(dst []byte, changed bool) []byte {
	start := measure.ThreadTime()
	dst = e.Decoder.AppendState(dst, changed)
	e.took = measure.ThreadTime() - start
	return dst
}

// heapBytes is how much of the heap is in use.
func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
