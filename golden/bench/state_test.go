package bench_test

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/held"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

var stateSize = flag.Int("state", 32, "MB of state of BenchmarkState")

// grower makes a processor with much state of one kind.
type grower struct {
	name   string
	make   func() task.Processor
	bytes  int                               // of state, about, for each event
	append func(dst []byte, i, n int) []byte // event i of n
}

var growers = []grower{
	{"ids", func() task.Processor { return w1.NewW1(256) }, 38, func(dst []byte, i, n int) []byte {
		dst = fmt.Appendf(dst, `{"id":"e%014d","user":"u%03d","type":"click","amount":1,"at":`, i, i%1000)
		return append(codec.AppendTime(dst, int64(i)*int64(500*time.Second)/int64(n)), "}\n"...)
	}},
	{"windows", func() task.Processor { return held.NewHeld(256) }, 44, func(dst []byte, i, n int) []byte {
		users := n / 50
		dst = fmt.Appendf(dst, `{"user":"user-%08d","amount":1.25,"at":`, i%users*7919%users)
		return append(codec.AppendTime(dst, int64(i)*int64(50*time.Minute)/int64(n)), "}\n"...)
	}},
}

// BenchmarkState prints what a commit and a restore take when there is much state: -state 1000 is a GB.
//
//	go test ./golden/bench -run '^$' -bench State -benchtime 1x -state 1000
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
	n := *stateSize * 1_000_000 / g.bytes
	before := heapBytes()
	p := g.make()
	var in stream.Batch
	var file, delta []byte
	var pauses []time.Duration
	deltas := 0
	feed := func(from, to int) {
		for i := from; i < to; {
			file = file[:0]
			for ; i < to && len(file) < blockSize; i++ {
				file = g.append(file, i, n)
			}
			for at := 0; at < len(file); {
				at = block(&in, file, at, blockSize)
				for in.Pos < in.End {
					p.Process(&in)
				}
			}
		}
	}
	commit := func() time.Duration {
		start := time.Now()
		delta = p.AppendState(delta[:0], true)
		p.Commit()
		return time.Since(start)
	}
	const commits = 20
	feed(0, n/2)
	commit() // half of the state at once
	for c := range commits {
		feed(n/2+n/2*c/commits, n/2+n/2*(c+1)/commits)
		pauses = append(pauses, commit())
		deltas += len(delta)
	}
	slices.Sort(pauses)
	file, delta = nil, nil
	state := float64(heapBytes()-before) / 1e6
	whole := p.AppendState(nil, false)
	watermark := p.Watermark()
	p = nil
	runtime.GC()
	restored := g.make()
	start := time.Now()
	if err := restored.Restore(whole); err != nil {
		b.Fatal(err)
	}
	took := time.Since(start)
	if restored.Watermark() != watermark {
		b.Fatal("another watermark")
	}
	b.Logf("%s: %.0f MB of state, %d events, %.0f MB when written. A commit of the %d events since the last: %v in the middle, %v at most, %.2f MB. Restore: %v, %.2f s for each GB of state",
		g.name, state, n, float64(len(whole))/1e6, n/2/commits, pauses[commits/2], pauses[commits-1], float64(deltas)/commits/1e6, took.Round(time.Millisecond), took.Seconds()/state*1000)
	b.ReportMetric(took.Seconds()/state*1000, "s/GB")
	b.ReportMetric(float64(pauses[commits-1])/1e6, "ms/pause")
}

// heapBytes is how much of the heap is in use.
func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
