package bench_test

import (
	"flag"
	"runtime"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/runtime/stream"
)

var soak = flag.Int("soak", 3_000_000, "events of the soak")

// TestSoak: with users and ids that never come back, memory is bound by the windows and the horizon, not by the length of the stream. The horizon has passed
// for the first time at a fifth of the events, so from the second quarter on the heap is flat.
func TestSoak(t *testing.T) {
	const samples = 40
	config := events.Default(*soak)
	config.Users, config.Bare = 0, true
	config.Rate = max(1, *soak/3000) // 50 minutes
	for i := range 2 * len(programs) {
		program := programs[i/2]
		config.Long = i%2 == 1
		p := program.pipeline.New(256)
		g := events.NewGenerator(config)
		var in stream.Batch
		var file []byte
		heap := make([]float64, 0, samples)
		for i := range config.Events {
			file = g.Append(file, i)
			if len(file) >= blockSize || i == config.Events-1 {
				for at := 0; at < len(file); {
					at = block(&in, file, at, len(file))
					for in.Pos < in.End {
						p.Process(&in)
					}
				}
				empty(p)
				file = file[:0]
			}
			if (i+1)%(config.Events/samples) == 0 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				heap = append(heap, float64(m.HeapAlloc))
			}
		}
		second, last := mean(heap[samples/4:samples/2]), mean(heap[samples*3/4:samples])
		t.Logf("%s, long keys %t: heap of %.1f MB in the second quarter, %.1f MB in the last", program.name, config.Long, second/1e6, last/1e6)
		if last > 1.1*second || p.Output(totals).Rows < uint64(config.Events/2) {
			t.Errorf("%s, long keys %t: heap from %.0f to %.0f bytes; %d rows", program.name, config.Long, second, last, p.Output(totals).Rows)
		}
		runtime.KeepAlive(p)
	}
}

func mean(of []float64) (m float64) {
	for _, x := range of {
		m += x / float64(len(of))
	}
	return m
}
