package bench_test

import (
	"flag"
	"runtime"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/crash/shop"
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
				soaked(t, p, sinks, config)
				if rows := p.Output(totals).Rows; rows < uint64(config.Events/c.rows) {
					t.Errorf("%d rows", rows)
				}
			})
		}
	}
}

// TestSoakOfAllState is TestSoak with each kind of state that golden/crash has, under commits: what a commit has of all state is flat, too. It takes a tenth of the events.
func TestSoakOfAllState(t *testing.T) {
	config := events.Default(*soak / 10)
	config.Users, config.Rate = 300, max(1, *soak/10/7200) // longer than an hour, after which running totals go
	p := shop.ShopPipeline.New(256)
	soaked(t, p, len(shop.ShopPipeline.Sinks), config)
}

// soaked takes the events of config through p, which has so many outputs, and demands that the heap stays as it is.
func soaked(t *testing.T, p task.Processor, outputs int, config events.Config) {
	const samples = 40
	g := events.NewGenerator(config)
	var in stream.Batch
	var file []byte
	heap, state := make([]float64, 0, samples), make([]float64, 0, samples)
	var commit []byte
	for i := range config.Events {
		file = g.Append(file, i)
		if len(file) >= blockSize || i == config.Events-1 {
			for at := 0; at < len(file); {
				at = block(&in, file, at, len(file))
				for in.Pos < in.End {
					p.Process(&in)
				}
			}
			for i := range outputs {
				p.Output(i).Buf = p.Output(i).Buf[:0]
			}
			p.Letters().Buf = p.Letters().Buf[:0]
			file = file[:0]
			commit = p.AppendState(commit[:0], true)
			p.Commit()
		}
		if (i+1)%(config.Events/samples) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap = append(heap, float64(m.HeapAlloc))
			state = append(state, float64(len(p.AppendState(nil, false))))
		}
	}
	quarters := func(of []float64) (second, last float64) {
		return mean(of[samples/4 : samples/2]), mean(of[samples*3/4:])
	}
	second, last := quarters(heap)
	secondState, lastState := quarters(state)
	t.Logf("%d events: heap of %.1f MB in the second quarter, %.1f MB in the last; state of %.0f and %.0f kB; %d rows", config.Events, second/1e6, last/1e6, secondState/1e3, lastState/1e3,
		p.Output(totals).Rows)
	if last > 1.1*second || lastState > 1.1*secondState {
		t.Errorf("heap from %.0f to %.0f bytes, state from %.0f to %.0f", second, last, secondState, lastState)
	}
	runtime.KeepAlive(p)
}

func mean(of []float64) (m float64) {
	for _, x := range of {
		m += x / float64(len(of))
	}
	return m
}
