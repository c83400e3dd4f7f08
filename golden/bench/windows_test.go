package bench_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/runtime/codec"
)

// kindsOfWindows are the windows that BenchmarkWindows measures, each in a pipeline of its own, with in how many of them a row is. All but the calendar ones close each second, so that the rows
// that leave are alike. The first is what the others are compared with, and of those that are kept for 5 seconds the first of them.
var kindsOfWindows = []kindOfWindows{
	{`hopping: {size: "5s", slide: "1s"}`, 5, ""},
	{`tumbling: "1s"`, 1, ""},
	{`hopping: {size: "8s", slide: "1s"}`, 8, ""},
	{`hopping: {size: "9s", slide: "1s"}`, 9, ""},
	{`hopping: {size: "60s", slide: "1s"}`, 60, ""},
	{`hopping: {size: "600s", slide: "1s"}`, 600, ""},
	{`hopping: {size: "600500ms", slide: "1s"}`, 601, ""},
	{`cumulative: {size: "5s", step: "1s"}`, 5, ""},
	{`cumulative: {size: "600s", step: "1s"}`, 600, ""},
	{`calendar: {unit: "day", zone: "UTC"}`, 1, ""},
	{`calendar: {unit: "month", zone: "Europe/Berlin"}`, 1, ""},
	{`session: {gap: "200ms", max: "1s"}`, 1, ""}, // an event of a user comes each 150 ms: these end because they are as long as they may be,
	{`session: {gap: "30s", max: "1h"}`, 1, ""},   // these do not end before the input does,
	{`session: {gap: "100ms", max: "1s"}`, 1, ""}, // and these have one event each, so there is a row for each record
	{`tumbling: "1s"`, 1, updated},
	{`session: {gap: "200ms", max: "1s"}`, 1, updated},
	{`hopping: {size: "5s", slide: "1s"}`, 5, kept},
	{`hopping: {size: "60s", slide: "1s"}`, 60, kept},
	{`hopping: {size: "600s", slide: "1s"}`, 600, kept},
	{`hopping: {size: "600s", slide: "1s"}`, 600, long},
}

type kindOfWindows struct {
	words    string
	overlaps int
	late     string // "": dropped
}

// lateOnes is how many events there are for each late one of BenchmarkWindows; 0: none is late.
var lateOnes = flag.Int("late", 0, "BenchmarkWindows: so many events for each that is late; 0 for none")

// updated is a late policy by which windows stay for half as long as they are.
const updated = `{policy: "update", allowed_lateness: "500ms", beyond: "drop"}`

// kept and long are such policies by which windows stay for as long as five of them take to end, and for longer than any event is late.
const (
	kept = `{policy: "update", allowed_lateness: "5s", beyond: "drop"}`
	long = `{policy: "update", allowed_lateness: "130s", beyond: "drop"}`
)

// windowUsers have perSecond events in a second, all together: there are as many rows for a record as in W1, 0.15.
const (
	windowUsers = 100
	perSecond   = 660
)

// BenchmarkWindows prints for each kind of windows what a record takes, beside five overlapping ones, and the bytes of heap for an open (key, window). The processors are generated
// and built for it.
//
//	go test ./golden/bench -run '^$' -bench Windows -benchtime 1x -events 1000000 -rounds 5
//
// With -late 1000 one of 1000 events is late by 10 to 130 seconds, as in W1, which windows that stay tell again.
func BenchmarkWindows(b *testing.B) {
	dir := b.TempDir()
	var text strings.Builder
	text.WriteString("package drawn\n\nimport \"github.com/streamwright/streamwright/spec\"\n\n#Event: {user!: string, cents!: int, at!: spec.#Timestamp}\n\n" +
		"_events: {file: path: \"events.ndjson\", format: \"json\", event: #Event, time: {field: \"at\", out_of_orderness: \"0s\"}}\n\n")
	for i, w := range kindsOfWindows {
		late, mode := w.late, "changelog"
		if late == "" {
			late, mode = `{policy: "drop"}`, "append"
		}
		fmt.Fprintf(&text, "pipeline: p%02d: spec.#Pipeline & {\n\tsource: events: _events\n\tstage: it: {from: \"events\", window: {%s, key: [\"user\"], aggregate: {n: \"count()\", sum: \"sum(cents)\", most: \"max(cents)\"}, "+
			"late: %s}}\n\tsink: rows: {from: \"it\", file: path: \"%d.ndjson\", mode: %q}\n}\n", i, w.words, late, i, mode)
	}
	buildProgram(b, dir, text.String())
	n := *count
	var events []byte
	for i := range n {
		random := uint64(i+1) * 0x9e3779b97f4a7c15 >> 40
		events = fmt.Appendf(events, `{"user":"user-%03d","cents":%d,"at":`, i%windowUsers, random%10_000)
		at := int64(i) * int64(time.Second) / perSecond
		if *lateOnes > 0 && i%*lateOnes == *lateOnes-1 {
			at -= int64(10+random%121) * int64(time.Second)
		}
		events = append(codec.AppendTime(events, at), "}\n"...)
	}
	file := filepath.Join(dir, "events.ndjson")
	if err := os.WriteFile(file, events, 0o666); err != nil {
		b.Fatal(err)
	}
	results := measured(b, dir, file)
	for i, w := range kindsOfWindows {
		b.Run(w.words+w.late, func(b *testing.B) {
			cost := measure.Of(*rounds, func(round int) float64 { return float64(results[i].Costs[round].CPU) / float64(n) })
			base := 0
			if w.late == kept || w.late == long {
				base = slices.IndexFunc(kindsOfWindows, func(k kindOfWindows) bool { return k.late == kept })
			}
			ratio := measure.Of(*rounds, func(round int) float64 {
				return float64(results[i].Costs[round].CPU) / float64(results[base].Costs[round].CPU)
			})
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(cost.Median, "ns/record")
			b.ReportMetric(ratio.Low, "low-ratio")
			b.ReportMetric(ratio.Median, "ratio")
			b.ReportMetric(ratio.High, "high-ratio")
			b.ReportMetric(float64(results[i].Held)/float64(windowUsers*w.overlaps), "B/window")
		})
	}
}
