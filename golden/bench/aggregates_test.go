package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// aggregates are the columns that BenchmarkAggregates measures, each in a pipeline of its own; the first is what the others are compared with.
var aggregates = []string{
	"count()", "sum(cents)", "avg(amount)", "max(amount)", "max(id)", "last(cents)", "last(id)", "sum_if(cents, cents > 5000)", "variance(cents)", "stddev(amount)",
	"distinct(cents % 8)", "distinct(cents)", "distinct(id)", "percentile(cents, 95)", "percentile(amount, 95)", "top(3, cents)", "top(3, cents, id, at)", "collect(3, id)",
	"approx_distinct(cents)", "approx_distinct(id)", "approx_percentile(amount, 95)",
}

// Of these users each has perWindow events in a window of a minute. An hour of disorder keeps every window open to the end.
const (
	aggregateUsers = 1000
	perWindow      = 50
)

// BenchmarkAggregates prints for each aggregate what a record takes more than with count() alone, and the bytes of heap for an open (key, window) after its 50 events.
// The processors are generated and built for it.
//
//	go test ./golden/bench -run '^$' -bench Aggregates -benchtime 1x -events 300000 -rounds 5
func BenchmarkAggregates(b *testing.B) {
	dir := b.TempDir()
	buildAggregates(b, dir)
	n := max(*count/(aggregateUsers*perWindow), 1) * aggregateUsers * perWindow
	file := filepath.Join(dir, "events.ndjson")
	if err := os.WriteFile(file, aggregateEvents(n), 0o666); err != nil {
		b.Fatal(err)
	}
	results := measured(b, dir, file)
	for i, a := range aggregates {
		b.Run(a, func(b *testing.B) {
			more := measure.Of(*rounds, func(round int) float64 {
				return float64(results[i].Costs[round].CPU-results[0].Costs[round].CPU) / float64(n)
			})
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(more.Low, "low-ns/record")
			b.ReportMetric(more.Median, "ns/record")
			b.ReportMetric(more.High, "high-ns/record")
			b.ReportMetric(float64(results[i].Held)/float64(n/perWindow), "B/window")
		})
	}
}

// result is what the program says of a pipeline.
type result struct {
	Costs []measure.Cost
	Held  int64
}

// measured runs the program over a file.
func measured(b *testing.B, dir, file string) (results []result) {
	out, err := exec.Command(filepath.Join(dir, "program"), file, fmt.Sprint(*rounds)).Output()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if err := json.Unmarshal(out, &results); err != nil {
		b.Fatal(err)
	}
	return results
}

// aggregateEvents are n events: in each minute the users take turns.
func aggregateEvents(n int) []byte {
	var file []byte
	const inMinute = aggregateUsers * perWindow
	for i := range n {
		random := uint64(i+1) * 0x9e3779b97f4a7c15 >> 40
		cents := random % 10_000
		file = fmt.Appendf(file, `{"user":"user-%03d","id":"event-%010d","amount":%d.%02d,"cents":%d,"at":`, i%aggregateUsers, i, cents/100, cents%100, cents)
		file = append(codec.AppendTime(file, int64(i/inMinute)*int64(time.Minute)+int64(i%inMinute)*int64(time.Minute)/inMinute), "}\n"...)
	}
	return file
}

// buildAggregates builds the program of all aggregates, without writing into the module: the go command sees the files as if they stood there.
func buildAggregates(b *testing.B, dir string) {
	var text strings.Builder
	text.WriteString("package drawn\n\nimport \"github.com/streamwright/streamwright/spec\"\n\n#Event: {user!: string, id!: string, amount!: number, cents!: int, at!: spec.#Timestamp}\n\n" +
		"_events: {file: path: \"events.ndjson\", format: \"json\", event: #Event, time: {field: \"at\", out_of_orderness: \"1h\"}}\n\n")
	for i, a := range aggregates {
		most := ""
		if !strings.HasPrefix(a, "approx") && (strings.Contains(a, "distinct") || strings.Contains(a, "percentile")) {
			most = "max_values: 10000, "
		}
		fmt.Fprintf(&text, "pipeline: p%02d: spec.#Pipeline & {\n\tsource: events: _events\n\tstage: per_minute: {from: \"events\", window: {tumbling: \"1m\", key: [\"user\"], aggregate: it: %q, %slate: policy: \"drop\"}}\n"+
			"\tsink: rows: {from: \"per_minute\", file: path: \"%d.ndjson\"}\n}\n", i, a, most, i)
	}
	buildProgram(b, dir, text.String())
}

// buildProgram builds the program that measures the pipelines of a spec of package drawn.
func buildProgram(b *testing.B, dir, spec string) {
	write := func(name string, data []byte) string {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			b.Fatal(err)
		}
		return name
	}
	w, found := load.Load([]string{write(filepath.Join(dir, "drawn.cue"), []byte(spec))})
	if len(found) > 0 {
		b.Fatal(diag.Render(found, w.Source))
	}
	pkg, found := check.Check(w)
	if len(found) > 0 {
		b.Fatal(diag.Render(found, w.Source))
	}
	files, err := gen.Generate(pkg, nil)
	if err != nil {
		b.Fatal(err)
	}
	overlay := map[string]string{}
	stand := func(name string, data []byte) {
		as, err := filepath.Abs(filepath.Join("aggregates", name))
		if err != nil {
			b.Fatal(err)
		}
		overlay[as] = write(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")), data)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name, "_gen.go") {
			stand("drawn/"+f.Name, f.Data)
		}
	}
	stand("main.go", fmt.Appendf(nil, aggregatesMain, "drawn."+strings.Join(gen.Vars(pkg), ", drawn.")))
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-overlay", write(filepath.Join(dir, "overlay.json"), list), "-o", filepath.Join(dir, "program"), "./aggregates")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, bytes.TrimSpace(out))
	}
}

// aggregatesMain is the program: a file and a number of rounds in, costs and bytes held out.
const aggregatesMain = `package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strconv"

	"github.com/streamwright/streamwright/golden/bench/aggregates/drawn"
	"github.com/streamwright/streamwright/golden/bench/feed"
	"github.com/streamwright/streamwright/golden/bench/measure"
	"github.com/streamwright/streamwright/runtime/task"
)

func main() {
	file, err := os.ReadFile(os.Args[1])
	must(err)
	rounds, err := strconv.Atoi(os.Args[2])
	must(err)
	type result struct {
		Costs []measure.Cost
		Held  int64
	}
	var programs []measure.Program
	for _, p := range []task.Pipeline{%s} {
		programs = append(programs, measure.Program{Name: p.Name, Run: func(end func()) error {
			_, err := feed.Run(p, 256, bytes.NewReader(file), []io.Writer{io.Discard}, func(task.Processor) { end() })
			return err
		}})
	}
	costs, err := measure.Rounds(rounds, programs)
	must(err)
	results := make([]result, len(programs))
	for i, p := range programs {
		held, err := measure.Held(p)
		must(err)
		results[i] = result{costs[i], held}
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
`
