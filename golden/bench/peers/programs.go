package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/streamwright/streamwright/golden/bench/feed"
	"github.com/streamwright/streamwright/golden/bench/naive"
	"github.com/streamwright/streamwright/golden/bench/target"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/runtime/task"
)

// program is one way to do W1, or the part of it that it can do.
type program struct {
	name    string
	what    string // what it leaves out, or what is worth knowing
	run     func(job) error
	check   func(in, out, generated string) error // of programs that do not write the same bytes
	most    int                                   // events; 0: as many as are wanted
	rounds  int                                   // 0: as many as are wanted
	heap    bool                                  // its state lies in Go's heap
	counted bool                                  // callgrind can run it
}

// job is one run of a program.
type job struct {
	in, out string // a file, and a folder
	end     func() // to be called behind the last record
}

var sinks = [...]string{"totals.ndjson", "by_type.ndjson", "late.ndjson"}

var programs = []program{
	{name: "naive", what: "encoding/json, maps, sort", run: withLibrary(naive.Standard), heap: true, counted: true},
	{name: "naive-jsonv2", what: "go-json-experiment/json", run: withLibrary(jsonv2), heap: true, counted: true},
	{name: "naive-sonic", what: "bytedance/sonic", run: withLibrary(sonicJSON), heap: true, counted: true},
	{name: "naive-goccy", what: "goccy/go-json", run: withLibrary(goccy), heap: true, counted: true},
	{name: "naive-fastjson", what: "valyala/fastjson; rows by goccy/go-json", run: withLibrary(fast()), heap: true, counted: true},
	{name: "naive-simdjson", what: "minio/simdjson-go, record by record; rows by goccy/go-json", run: withLibrary(simd()), heap: true, counted: true},
	{name: "competent", what: "own decoder, Go maps, users as numbers", run: stream(runCompetent), heap: true, counted: true},
	{name: "fused", what: "the target's decoder and tables, one record after the other through all of them", run: processor(target.FusedPipeline), heap: true, counted: true},
	{name: "target", what: "stages by hand", run: processor(target.Pipeline), heap: true, counted: true},
	{name: "generated", what: "", run: runGenerated, heap: true, counted: true},
	{name: "duckdb", what: "SQL over the whole file, one thread: no watermark, so nothing is late", run: runDuckDB, check: checkDuckDB},
	{name: "benthos-filter", what: "filter only", run: runBenthos(false), check: checkBenthos(false), most: 100_000, rounds: 3},
	{name: "benthos-dedupe", what: "filter and dedupe, in memory, without windows", run: runBenthos(true), check: checkBenthos(true), most: 100_000, rounds: 3},
}

func runGenerated(j job) error { return processor(w1.W1Pipeline)(j) }

func processor(p task.Pipeline) func(job) error {
	return stream(func(r io.Reader, to []io.Writer, end func()) error {
		_, err := feed.Run(p, task.DefaultBatch, r, to, func(task.Processor) { end() })
		return err
	})
}

func withLibrary(j naive.JSON) func(job) error {
	return stream(func(r io.Reader, to []io.Writer, end func()) error {
		_, err := naive.RunWith(j, &feed.Ending{Reader: r, Func: end}, to[0], to[1], to[2])
		return err
	})
}

// stream gives a program that reads and writes its files.
func stream(run func(r io.Reader, to []io.Writer, end func()) error) func(job) error {
	return func(j job) (err error) {
		in, err := os.Open(j.in)
		if err != nil {
			return err
		}
		defer in.Close()
		var to []io.Writer
		for _, name := range sinks {
			f, err := os.Create(filepath.Join(j.out, name))
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(f, 256<<10)
			to = append(to, w)
			defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
		}
		return run(in, to, j.end)
	}
}
