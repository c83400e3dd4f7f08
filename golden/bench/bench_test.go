// Package bench_test holds the processors of workload W1 against a literal reference, and measures them against a program as one writes it in an afternoon.
//
//	go test ./golden/bench                                    # equality, allocations, soak
//	go test ./golden/bench -seeds 1000                        # more adversarial files
//	go test ./golden/bench -run '^$' -bench Ratios            # W1: all programs, interleaved
//	go test ./golden/bench -run '^$' -bench 'W1$' -events 1e6 # each on its own
package bench_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/naive"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

var (
	count  = flag.Int("events", 1_000_000, "events of W1 in the benchmarks")
	rounds = flag.Int("rounds", 7, "interleaved rounds of BenchmarkW1Ratios")
	batch  = flag.Int("batch", 256, "records per batch in the benchmarks")
)

// contestant runs W1 once, from bytes in memory to rows that are thrown away.
type contestant struct {
	name string
	run  func(file []byte)
}

func contestants(b *testing.B) []contestant {
	all := []contestant{{"naive", func(file []byte) {
		if _, err := naive.Run(bytes.NewReader(file), io.Discard, io.Discard, io.Discard); err != nil {
			b.Fatal(err)
		}
	}}}
	for _, program := range programs {
		all = append(all, contestant{program.name, func(file []byte) {
			p := program.pipeline.New(*batch)
			take(p, &stream.Batch{}, file)
			p.End()
		}})
	}
	return all
}

// cost is what one run takes.
type cost struct {
	cpu    time.Duration // of the whole process: collection of garbage included
	allocs uint64
}

// measure runs c once on one core.
func measure(c contestant, file []byte) cost {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpuTime()
	c.run(file)
	took := cpuTime() - start
	runtime.ReadMemStats(&after)
	return cost{took, after.Mallocs - before.Mallocs}
}

// BenchmarkW1 measures each program on its own. It counts allocations from the first record on, so those of the growing state too;
// TestSteadyAllocations is about the rest.
func BenchmarkW1(b *testing.B) {
	file := events.Bytes(events.Default(*count))
	sameRows(b, file)
	for _, c := range contestants(b) {
		b.Run(c.name, func(b *testing.B) {
			var total cost
			for range b.N {
				one := measure(c, file)
				total.cpu += one.cpu
				total.allocs += one.allocs
			}
			records := float64(b.N) * float64(*count)
			b.ReportMetric(float64(total.cpu)/records, "ns/record")
			b.ReportMetric(float64(total.allocs)/records, "allocs/record")
			b.ReportMetric(float64(len(file))*float64(b.N)/1e6/total.cpu.Seconds(), "MB/s")
		})
	}
}

// BenchmarkW1Ratios runs all programs in turns and prints medians: of each program's cost, and of the ratios within a round.
func BenchmarkW1Ratios(b *testing.B) {
	file := events.Bytes(events.Default(*count))
	rows := sameRows(b, file)
	all := contestants(b)
	costs := make([][]cost, len(all))
	b.ResetTimer()
	for range *rounds {
		for i, c := range all {
			costs[i] = append(costs[i], measure(c, file))
		}
	}
	b.StopTimer()

	var table strings.Builder
	fmt.Fprintf(&table, "W1: %d events, %d MB, %d rows; one core, CPU time, medians of %d interleaved rounds\n%-10s %10s %8s %14s", *count, len(file)/1e6, rows, *rounds,
		"", "ns/record", "MB/s", "allocs/record")
	for _, c := range all {
		fmt.Fprintf(&table, " %14s", "against "+c.name)
	}
	for i, c := range all {
		cpu := median(costs[i], func(round int) float64 { return float64(costs[i][round].cpu) })
		allocs := median(costs[i], func(round int) float64 { return float64(costs[i][round].allocs) })
		fmt.Fprintf(&table, "\n%-10s %10.1f %8.0f %14.5f", c.name, cpu/float64(*count), float64(len(file))/cpu*1e3, allocs/float64(*count))
		for j := range all {
			ratio := median(costs[i], func(round int) float64 { return float64(costs[j][round].cpu) / float64(costs[i][round].cpu) })
			fmt.Fprintf(&table, " %13.2fx", ratio)
			if c.name != all[j].name {
				b.ReportMetric(ratio, c.name+"/"+all[j].name)
			}
		}
	}
	b.Log(table.String())
}

func median(of []cost, value func(round int) float64) float64 {
	values := make([]float64, len(of))
	for i := range of {
		values[i] = value(i)
	}
	slices.SortFunc(values, cmp.Compare)
	return values[len(values)/2]
}

// sameRows demands that all programs write the same bytes, and gives the number of rows.
func sameRows(t testing.TB, file []byte) uint64 {
	hashes := func() (h [sinks]hash.Hash) {
		for i := range h {
			h[i] = sha256.New()
		}
		return h
	}
	want := hashes()
	stats, err := naive.Run(bytes.NewReader(file), want[totals], want[byType], want[lateEvents])
	if err != nil || stats.Rows == 0 {
		t.Fatal("naive: ", err)
	}
	for _, program := range programs {
		got := hashes()
		p := program.pipeline.New(*batch)
		write := func() {
			for i := range got {
				got[i].Write(p.Output(i).Buf)
			}
			if len(p.Letters().Buf) > 0 {
				t.Fatalf("%s refuses: %s", program.name, p.Letters().Buf)
			}
			empty(p)
		}
		var in stream.Batch
		for at := 0; at < len(file); {
			at = block(&in, file, at, blockSize)
			for in.Pos < in.End {
				p.Process(&in)
			}
			write()
		}
		p.End()
		write()
		for i := range got {
			if !bytes.Equal(got[i].Sum(nil), want[i].Sum(nil)) {
				t.Fatalf("%s: %s differs from the naive program's", program.name, program.pipeline.Sinks[i].Name)
			}
		}
		if err := task.Conserve(program.pipeline, p.AppendCounts(nil)); err != nil {
			t.Fatal(program.name, err)
		}
	}
	return uint64(stats.Rows)
}

// TestSameRows is what the benchmarks rely on.
func TestSameRows(t *testing.T) {
	for _, long := range []bool{false, true} {
		c := events.Default(300_000)
		c.Rate, c.Long = 400, long
		sameRows(t, events.Bytes(c))
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
