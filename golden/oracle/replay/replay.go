// Package replay is the main part of a program that has generated processors: it lets them take streams and writes what they give.
package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/runtime/task"
)

type job struct {
	Pipeline string
	Data     [][]byte // of each source
	Silences []runtimetest.Silence
}

type count struct {
	Node, Kind, Name string
	Value            uint64
}

type answer struct {
	Outputs   [][]byte
	Letters   []byte
	Counts    []count
	Watermark int64
	Error     string // a bug: the processor panics, does not account for its rows, or gives something else in another way of replaying
}

// Main reads jobs from standard input as JSON and writes an answer for each, in their order.
func Main(pipelines map[string]task.Pipeline) {
	go watch()
	d, e := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var j job
		if err := d.Decode(&j); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if err := e.Encode(take(pipelines[j.Pipeline], j.Silences, j.Data)); err != nil {
			panic(err)
		}
	}
}

// watch ends the program when a processor goes round in circles and takes memory without end.
func watch() {
	const most = 2 << 30
	for {
		time.Sleep(100 * time.Millisecond)
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > most {
			fmt.Fprintln(os.Stderr, "a processor takes more than 2 GB for a stream of some hundred records")
			os.Exit(1)
		}
	}
}

// kinds are the names of counters' kinds.
var kinds = map[task.CounterKind]string{
	task.Records: "Records", task.In: "In", task.Out: "Out", task.Passed: "Passed", task.Folded: "Folded", task.Side: "Side", task.Dropped: "Dropped", task.Refused: "Refused",
	task.Skipped: "Skipped", task.Made: "Made", task.RowRefused: "RowRefused", task.Opened: "Opened", task.Merged: "Merged", task.Note: "Note", task.Closed: "Closed", task.Held: "Held",
}

func take(p task.Pipeline, silences []runtimetest.Silence, data [][]byte) (a answer) {
	defer func() {
		if x := recover(); x != nil {
			a.Error = fmt.Sprintf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	r, err := runtimetest.EveryWay(p, silences, data...)
	if err != nil {
		a.Error = err.Error()
	}
	a.Outputs, a.Letters, a.Watermark = r.Outputs, r.Letters, r.Watermark
	for i, c := range p.Counters {
		a.Counts = append(a.Counts, count{c.Node, kinds[c.Kind], c.Name, r.Counts[i]})
	}
	return a
}
