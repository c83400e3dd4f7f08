package bench_test

import (
	"flag"
	"runtime"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

var soak = flag.Int("soak", 3_000_000, "events of the soak")

// TestSoak: memory is bound by the windows, the keys and the horizon, not by the length of the stream. The horizon has passed for the first time at a fifth of the events at
// most, so from the second quarter on the heap is flat.
func TestSoak(t *testing.T) {
	for _, c := range []struct {
		name  string
		users int // 0: one of its own for each event
		long  bool
		span  int // seconds of event time
		rows  int // at least one for so many events
	}{
		{name: "users that never come back", span: 3000, rows: 2},
		{name: "users that never come back, long keys", long: true, span: 3000, rows: 2},
		{name: "100,000 users", users: 100_000, span: 12_500, rows: 20},
	} {
		config := events.Default(*soak)
		config.Users, config.Bare, config.Long, config.Rate = c.users, true, c.long, max(1, *soak/c.span)
		for _, program := range programs {
			t.Run(c.name+"/"+program.name, func(t *testing.T) {
				p := program.pipeline.New(256)
				soaked(t, p, config)
				if rows := p.Output(totals).Rows; rows < uint64(config.Events/c.rows) {
					t.Errorf("%d rows", rows)
				}
			})
		}
	}
}

// soaked takes the events of config through p and demands that the heap stays as it is.
func soaked(t *testing.T, p task.Processor, config events.Config) {
	const samples = 40
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
	t.Logf("%d events: heap of %.1f MB in the second quarter, %.1f MB in the last; %d rows", config.Events, second/1e6, last/1e6, p.Output(totals).Rows)
	if last > 1.1*second {
		t.Errorf("heap from %.0f to %.0f bytes", second, last)
	}
	runtime.KeepAlive(p)
}

func mean(of []float64) (m float64) {
	for _, x := range of {
		m += x / float64(len(of))
	}
	return m
}
