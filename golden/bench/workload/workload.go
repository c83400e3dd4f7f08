// Package workload lists what is measured: for each workload its input, the generated processor, and the same program as one writes it in an afternoon.
package workload

import (
	"io"

	"github.com/streamwright/streamwright/golden/bench/epoch"
	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/naive"
	"github.com/streamwright/streamwright/golden/bench/pass"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/golden/bench/yahoo"
	"github.com/streamwright/streamwright/runtime/task"
)

// Workload is a job with its input and two programs that do it.
type Workload struct {
	Name     string
	What     string
	Input    func(n int) []byte // n events
	Pipeline task.Pipeline
	// Naive takes the events of r and gives the sinks of the pipeline, in the order of its spec, the bytes that the processor gives them.
	Naive func(r io.Reader, sinks []io.Writer) (rows int, err error)
}

// All are the workloads. The variants of W1 differ from it in one thing each.
var All = []Workload{
	{
		Name: "W1", What: "filter, dedup over 10 minutes, two windows of a minute; ids of 14 bytes, users of 7",
		Input: w1Events(func(*events.Config) {}), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "epoch", What: "W1, times are numbers of ms",
		Input: w1Events(func(c *events.Config) { c.Epoch = true }), Pipeline: epoch.EpochPipeline, Naive: naiveW1(naive.Epoch),
	},
	{
		Name: "reversed", What: "W1, members in the opposite order",
		Input: w1Events(func(c *events.Config) { c.Reversed = true }), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "mixed", What: "W1, members in an order of its own in each record",
		Input: w1Events(func(c *events.Config) { c.Mixed = true }), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "long", What: "W1, ids of 36 bytes that are no UUIDs, users of 46",
		Input: w1Events(func(c *events.Config) { c.Long, c.Odd = true, true }), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "distinct", What: "W1, a user of its own for each event, all within 100 seconds",
		Input: w1Events(func(c *events.Config) { c.Users, c.Rate = 0, max(1, c.Events/100) }), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "copies", What: "W1, half of the events are copies; 100 users",
		Input: w1Events(func(c *events.Config) { c.Copies, c.Users = 0.5, 100 }), Pipeline: w1.W1Pipeline, Naive: naiveW1(naive.Run),
	},
	{
		Name: "yahoo", What: "Yahoo streaming benchmark: filter, lookup in a function of the user, count per campaign and 10 seconds",
		Input: func(n int) []byte { return events.AppendAds(make([]byte, 0, n*270), n, 1) }, Pipeline: yahoo.YahooPipeline,
		Naive: func(r io.Reader, sinks []io.Writer) (int, error) { return naive.Ads(campaigns, r, sinks[0]) },
	},
	{
		Name: "pass", What: "every event of W1 written again as fewer columns",
		Input: w1Events(func(*events.Config) {}), Pipeline: pass.PassPipeline,
		Naive: func(r io.Reader, sinks []io.Writer) (int, error) { return naive.Pass(r, sinks[0]) },
	},
}

var campaigns = events.Campaign()

func w1Events(change func(*events.Config)) func(n int) []byte {
	return func(n int) []byte {
		c := events.Default(n)
		change(&c)
		return events.Bytes(c)
	}
}

func naiveW1(run func(r io.Reader, totals, byType, late io.Writer) (naive.Stats, error)) func(io.Reader, []io.Writer) (int, error) {
	return func(r io.Reader, sinks []io.Writer) (int, error) {
		stats, err := run(r, sinks[0], sinks[1], sinks[2])
		return stats.Rows, err
	}
}
