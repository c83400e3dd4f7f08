// Package bench_test holds the processors of workload W1 against a literal reference, and measures those of all workloads (package workload) against programs as one
// writes them in an afternoon. Other streaming programs and JSON libraries are in a module of their own, peers.
//
//	go test ./golden/bench                                          # equality, allocations, soak
//	go test ./golden/bench -run Soak -v -soak 50000000 -timeout 2h  # memory over a long stream; 3 million events by default, a tenth for all kinds of state
//	go test ./golden/bench -seeds 1000                              # more adversarial files
//	go test ./golden/bench -run '^$' -bench Ratios -benchtime 1x    # every workload against its naive program, interleaved
//	go test ./golden/bench -run '^$' -bench W1Ratios -benchtime 1x  # W1 alone, with the processors written by hand
//	go test ./golden/bench -run '^$' -bench 'W1$' -events 1e6       # each program of W1 on its own
//
// Ten million keys at once, which takes some minutes and 10 GB of memory:
//
//	go test ./golden/bench -run '^$' -bench '^BenchmarkRatios$/^distinct$' -benchtime 1x -events 15400000 -rounds 1
package bench_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash"
	"io"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/feed"
	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/golden/bench/target"
	"github.com/streamwright/streamwright/golden/bench/workload"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

var (
	count  = flag.Int("events", 1_000_000, "events of a workload in the benchmarks")
	rounds = flag.Int("rounds", 7, "interleaved rounds of the benchmarks of ratios")
	batch  = flag.Int("batch", 256, "records per batch in the benchmarks")
)

// contestant makes a program of file that writes to sinks.
type contestant struct {
	name string
	run  func(file []byte, sinks []io.Writer, end func()) error
}

// program throws away what c writes.
func (c contestant) program(file []byte, sinks int) measure.Program {
	nowhere := make([]io.Writer, sinks)
	for i := range nowhere {
		nowhere[i] = io.Discard
	}
	return measure.Program{Name: c.name, Run: func(end func()) error { return c.run(file, nowhere, end) }}
}

func naively(w workload.Workload) contestant {
	return contestant{"naive", func(file []byte, sinks []io.Writer, end func()) error {
		_, err := w.Naive(&feed.Ending{Reader: bytes.NewReader(file), Func: end}, sinks)
		return err
	}}
}

func processor(name string, p task.Pipeline) contestant {
	return contestant{name, func(file []byte, sinks []io.Writer, end func()) error {
		done, err := feed.Run(p, *batch, bytes.NewReader(file), sinks, func(task.Processor) { end() })
		if err == nil {
			err = task.Conserve(p, done.AppendCounts(nil))
		}
		return err
	}}
}

// w1Contestants are the naive program, one loop without stages, and the programs that are held against the reference.
func w1Contestants() []contestant {
	all := []contestant{naively(workload.All[0]), processor("fused", target.FusedPipeline)}
	for _, p := range programs {
		all = append(all, processor(p.name, p.pipeline))
	}
	return all
}

// BenchmarkW1 measures each program on its own. It counts allocations from the first record on, so those of the growing state too;
// TestSteadyAllocations is about the rest.
func BenchmarkW1(b *testing.B) {
	file := events.Bytes(events.Default(*count))
	sameRows(b, file, sinks, w1Contestants())
	for _, c := range w1Contestants() {
		b.Run(c.name, func(b *testing.B) {
			var total measure.Cost
			for range b.N {
				one, err := measure.Once(c.program(file, sinks))
				if err != nil {
					b.Fatal(err)
				}
				total.CPU += one.CPU
				total.Allocs += one.Allocs
			}
			records := float64(b.N) * float64(*count)
			b.ReportMetric(float64(total.CPU)/records, "ns/record")
			b.ReportMetric(float64(total.Allocs)/records, "allocs/record")
			b.ReportMetric(float64(len(file))*float64(b.N)/1e6/total.CPU.Seconds(), "MB/s")
		})
	}
}

// BenchmarkW1Ratios runs all programs of W1 in turns and prints medians: of each program's cost, and of the ratios within a round.
func BenchmarkW1Ratios(b *testing.B) { ratios(b, workload.All[0], w1Contestants()) }

// BenchmarkRatios does the same for every workload and its naive program, and says against W1 what each variant of it costs.
func BenchmarkRatios(b *testing.B) {
	first := processor("W1", workload.All[0].Pipeline)
	base := workload.All[0].Input(*count)
	for _, w := range workload.All {
		b.Run(w.Name, func(b *testing.B) {
			all := []contestant{naively(w), processor("generated", w.Pipeline)}
			if strings.HasPrefix(w.What, "W1") { // beside it, so that the machine is the same
				w1 := first.program(base, sinks)
				all = append(all, contestant{"W1", func(_ []byte, _ []io.Writer, end func()) error { return w1.Run(end) }})
			}
			ratios(b, w, all)
		})
	}
}

// ratios measures contestants of a workload in turns. One called W1 runs that workload's input instead.
func ratios(b *testing.B, w workload.Workload, all []contestant) {
	file := w.Input(*count)
	var same []contestant
	var run []measure.Program
	held := make([]int64, len(all))
	for i, c := range all {
		run = append(run, c.program(file, len(w.Pipeline.Sinks)))
		if c.name != "W1" {
			same = append(same, c)
		}
		var err error
		if held[i], err = measure.Held(run[i]); err != nil {
			b.Fatal(c.name, err)
		}
	}
	rows := sameRows(b, file, len(w.Pipeline.Sinks), same)
	ids, keys := state(b, w.Pipeline, file)
	b.ResetTimer()
	costs, err := measure.Rounds(*rounds, run)
	if err != nil {
		b.Fatal(err)
	}
	b.StopTimer()

	var table strings.Builder
	fmt.Fprintf(&table, "%s: %s\n%d events, %d MB, %d rows; %d ids and %d (window, key) at the end of input; one core, CPU time, medians of %d interleaved rounds\n%-10s %10s %6s %14s %8s %8s",
		w.Name, w.What, *count, len(file)/1e6, rows, ids, keys, *rounds, "", "ns/record", "MB/s", "allocs/record", "heap MB", "B/key")
	for _, c := range all {
		fmt.Fprintf(&table, " %22s", "against "+c.name)
	}
	for i, c := range all {
		cpu := measure.Of(*rounds, func(round int) float64 { return float64(costs[i][round].CPU) }).Median
		allocs := measure.Of(*rounds, func(round int) float64 { return float64(costs[i][round].Allocs) }).Median
		perKey := "-"
		if ids+keys > 1000 {
			perKey = fmt.Sprintf("%.0f", float64(held[i])/float64(ids+keys))
		}
		fmt.Fprintf(&table, "\n%-10s %10.1f %6.0f %14.5f %8.1f %8s", c.name, cpu/float64(*count), float64(len(file))/cpu*1e3, allocs/float64(*count), float64(held[i])/1e6, perKey)
		for j := range all {
			ratio := measure.Ratio(costs[j], costs[i])
			fmt.Fprintf(&table, " %22s", ratio)
			if i != j {
				b.ReportMetric(ratio.Median, c.name+"/"+all[j].name)
			}
		}
	}
	b.Log(table.String())
}

// state counts what a processor holds when it has taken file: ids that dedups have let pass, which are still remembered in a stream shorter than the horizon, and
// accumulators of open windows.
func state(t testing.TB, p task.Pipeline, file []byte) (ids, keys uint64) {
	var counts []uint64
	if _, err := feed.Run(p, *batch, bytes.NewReader(file), nil, func(processor task.Processor) { counts = processor.AppendCounts(nil) }); err != nil {
		t.Fatal(err)
	}
	dedup, window := map[string]bool{}, map[string]bool{}
	for _, c := range p.Counters {
		dedup[c.Node] = dedup[c.Node] || c.Name == "duplicate"
		window[c.Node] = window[c.Node] || c.Kind == task.Opened
	}
	for i, c := range p.Counters {
		switch {
		case dedup[c.Node] && c.Kind == task.Passed:
			ids += counts[i]
		case window[c.Node] && c.Kind == task.Opened:
			keys += counts[i]
		case window[c.Node] && c.Kind == task.Made:
			keys -= counts[i]
		}
	}
	return ids, keys
}

// sameRows demands that all programs write the same bytes, and gives the number of rows.
func sameRows(t testing.TB, file []byte, sinks int, all []contestant) (rows int) {
	var want []hash.Hash
	for _, c := range all {
		got, writers := make([]hash.Hash, sinks), make([]io.Writer, sinks)
		lines := 0
		for i := range got {
			got[i] = sha256.New()
			writers[i] = io.MultiWriter(got[i], lineCounter{&lines})
		}
		if err := c.run(file, writers, func() {}); err != nil || lines == 0 {
			t.Fatalf("%s: %d rows: %v", c.name, lines, err)
		}
		for i := range want {
			if !bytes.Equal(got[i].Sum(nil), want[i].Sum(nil)) {
				t.Fatalf("sink %d of %s differs from that of %s", i, c.name, all[0].name)
			}
		}
		if want == nil {
			want, rows = got, lines
		}
	}
	return rows
}

type lineCounter struct{ n *int }

func (c lineCounter) Write(p []byte) (int, error) {
	*c.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// TestSameRows is what the benchmarks rely on: each processor writes what the naive program writes, on every workload, and on streams that are longer than the horizon.
func TestSameRows(t *testing.T) {
	for _, w := range workload.All {
		t.Run(w.Name, func(t *testing.T) {
			sameRows(t, w.Input(50_000), len(w.Pipeline.Sinks), []contestant{naively(w), processor("generated", w.Pipeline)})
		})
	}
	for _, long := range []bool{false, true} {
		c := events.Default(300_000)
		c.Rate, c.Long = 400, long
		sameRows(t, events.Bytes(c), sinks, w1Contestants())
	}
}

// TestSteadyAllocations: once the memory is there, a replay with closes, expiry, eviction and encoding takes none. The end of input is left out: it expires all ids at
// once, and much of their memory goes back.
func TestSteadyAllocations(t *testing.T) {
	c := events.Default(100_000)
	c.Rate, c.Users = 100, 5000
	file := events.Bytes(c)
	for _, program := range programs {
		p := program.pipeline.New(*batch)
		var in stream.Batch
		take(p, &in, file)
		rows := p.Output(totals).Rows
		allocs := testing.AllocsPerRun(2, func() {
			p.Reset()
			take(p, &in, file)
		})
		if got := p.Output(totals).Rows; allocs != 0 || rows == 0 || got != rows {
			t.Errorf("%s: %v allocations in %d records; %d rows, at first %d", program.name, allocs, c.Events, got, rows)
		}
	}
}
