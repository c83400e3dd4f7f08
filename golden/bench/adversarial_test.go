package bench_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/reference"
	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

var seeds = flag.Int64("seeds", 40, "adversarial files to replay")

// TestAdversarial holds each program against the literal reference on adversarial files: in batches of several sizes, straight, with the state written, forgotten and
// restored after every batch, in full or as the changes since the start. After every batch all outputs have come exactly as far as the reference's.
func TestAdversarial(t *testing.T) {
	for _, program := range programs {
		t.Run(program.name, func(t *testing.T) {
			var used task.Processor
			for seed := range *seeds {
				file := events.Adversarial(seed)
				want := reference.Run(file)
				for _, batch := range []int{1, 2, 7, 64, 256, len(want.After) + 1} {
					for _, state := range []stateMode{keep, snapshot, deltas} {
						r := &replay{pipeline: program.pipeline, batch: batch, state: state, random: rand.New(rand.NewPCG(uint64(seed), uint64(batch)))}
						if err := r.run(file, want); err != nil {
							t.Fatalf("seed %d, batches of %d, state %s: %v", seed, batch, state, err)
						}
					}
				}
				// A processor that was reset in the middle of a stream is as good as a new one.
				if used == nil {
					used = program.pipeline.New(64)
				}
				take(used, &stream.Batch{}, file)
				used.Reset()
				r := &replay{pipeline: program.pipeline, batch: 64, processor: used, random: rand.New(rand.NewPCG(uint64(seed), 0))}
				if err := r.run(file, want); err != nil {
					t.Fatalf("seed %d after Reset: %v", seed, err)
				}
			}
		})
	}
}

// TestWorkload is the same on W1 itself, long enough for the dedup horizon to pass: with short keys, and with long ones that are evicted because they never return.
func TestWorkload(t *testing.T) {
	for _, long := range []bool{false, true} {
		c := events.Default(20_000)
		c.Rate, c.Users, c.Long = 20, 500, long
		if long {
			c.Users = 0
		}
		file := events.Bytes(c)
		want := reference.Run(file)
		for _, program := range programs {
			for _, run := range []struct {
				batch int
				state stateMode
			}{{1, keep}, {256, keep}, {4096, snapshot}, {256, deltas}} {
				r := &replay{pipeline: program.pipeline, batch: run.batch, state: run.state, random: rand.New(rand.NewPCG(1, 2))}
				if err := r.run(file, want); err != nil {
					t.Errorf("%s, batches of %d, state %s: %v", program.name, run.batch, run.state, err)
				}
			}
		}
	}
}

// stateMode says what happens to the state after each batch.
type stateMode string

const (
	keep     stateMode = "kept"
	snapshot stateMode = "restored from a full copy after every batch"
	deltas   stateMode = "restored from all changes after every batch"
)

// fullEvery bounds the changes that one restore reads.
const fullEvery = 50

// replay takes a file through a processor and compares as it goes.
type replay struct {
	pipeline  task.Pipeline
	batch     int
	state     stateMode
	random    *rand.Rand
	processor task.Processor

	commits [][]byte
	out     [sinks][]byte
	dead    []reference.Dead
	counts  []uint64 // of processors that were dropped
	done    int      // records
}

func (r *replay) run(file []byte, want *reference.Result) error {
	if r.processor == nil {
		r.processor = r.pipeline.New(r.batch)
	}
	r.counts = make([]uint64, len(r.pipeline.Counters))
	var in stream.Batch
	in.File = "events.ndjson"
	at := 0
	if bytes.HasPrefix(file, []byte("\uFEFF")) { // taken away by the source
		at = len("\uFEFF")
	}
	for at < len(file) {
		at = block(&in, file, at, r.random.IntN(1<<r.random.IntN(16)))
		for in.Pos < in.End {
			before := in.Pos
			r.processor.Process(&in)
			if in.Pos <= before {
				return fmt.Errorf("Process took nothing at offset %d", in.Base+int64(before))
			}
			if err := r.compare(&in, want); err != nil {
				return err
			}
			// What was taken is not needed any more.
			for _, gone := range [][]byte{in.Data[:in.Pos], in.Data[min(in.End+stream.Padding, len(in.Data)):cap(in.Data)]} {
				for i := range gone {
					gone[i] = 0xAA
				}
			}
			if err := r.forget(); err != nil {
				return err
			}
		}
	}
	r.processor.End()
	if err := r.collect(nil, want); err != nil {
		return err
	}
	r.addCounts(r.processor, 1)
	return r.finish(want)
}

// compare says whether the outputs are as far as the reference's after the records that were taken.
func (r *replay) compare(in *stream.Batch, want *reference.Result) error {
	first := r.done
	for r.done < len(want.After) && want.After[r.done].Offset < in.Base+int64(in.Pos) {
		r.done++
	}
	if taken := r.done - first; taken > r.batch {
		return fmt.Errorf("%d records in one batch", taken)
	}
	if err := r.collect(want.After[first:r.done], want); err != nil {
		return err
	}
	if r.done == 0 {
		return nil
	}
	is := reference.After{
		Offset: want.After[r.done-1].Offset, Totals: len(r.out[totals]), ByType: len(r.out[byType]), Late: len(r.out[lateEvents]),
		Dead: len(r.dead), Watermark: r.processor.Watermark(),
	}
	if is != want.After[r.done-1] {
		return fmt.Errorf("after record %d: %+v, want %+v", r.done-1, is, want.After[r.done-1])
	}
	return nil
}

// collect takes what the processor put out. records are those of the last batch.
func (r *replay) collect(records []reference.After, want *reference.Result) error {
	p := r.processor
	for i := range r.out {
		r.out[i] = append(r.out[i], p.Output(i).Buf...)
	}
	letters := p.Letters()
	behind := letters.Records
	for text := range bytes.Lines(letters.Buf) {
		d, err := parseLetter(text)
		if err != nil {
			return fmt.Errorf("dead letter %s: %w", text, err)
		}
		if d.Kind == "record" {
			if len(behind) == 0 || int(behind[0]) >= len(records) || records[behind[0]].Offset != d.Offset {
				return fmt.Errorf("the letter of the record at %d is said to be of record %v of its batch", d.Offset, behind)
			}
			behind = behind[1:]
		}
		if n := len(r.dead); n >= len(want.Dead) || want.Dead[n] != d {
			return fmt.Errorf("dead letter %d: %+v, want %+v", n, d, want.Dead[min(n, len(want.Dead)):min(n+1, len(want.Dead))])
		}
		r.dead = append(r.dead, d)
	}
	if records != nil && len(behind) > 0 {
		return fmt.Errorf("%d letters more are said to have been written", len(behind))
	}
	empty(p)
	return nil
}

// parseLetter reads a dead letter as far as the reference says what it is.
func parseLetter(text []byte) (reference.Dead, error) {
	var l struct {
		Kind, Pipeline, Stage, Reason, Field, Message, Source, File string
		Offset                                                      int64
		EventTime                                                   string `json:"event_time"`
		Watermark, Value                                            *string
		ValueBase64                                                 []byte `json:"value_base64"`
		Window                                                      struct{ Start string }
		Key                                                         struct{ User string }
		Row                                                         map[string]any
		Attempt                                                     int
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return reference.Dead{}, err
	}
	d := reference.Dead{Kind: l.Kind, Stage: l.Stage, Reason: l.Reason, Offset: l.Offset, Key: l.Key.User, Start: l.Window.Start}
	if strings.HasPrefix(l.Reason, "contract:") {
		d.Field = l.Field
	}
	if l.Stage != "events" {
		d.EventTime = l.EventTime
	}
	if l.Watermark != nil {
		d.Watermark = *l.Watermark
	}
	switch {
	case l.Value != nil:
		d.Value = *l.Value
	case l.Kind == "record":
		d.Value = string(l.ValueBase64)
	}
	if l.Pipeline != "w1" || l.Message == "" || l.Kind == "record" && (l.Source != "events" || l.File != "events.ndjson" || l.Attempt != 1) {
		return d, fmt.Errorf("pipeline, message, source, file or attempt")
	}
	return d, nil
}

// forget drops the processor and goes on with one that has read the state.
func (r *replay) forget() error {
	if r.state == keep || r.state == "" {
		return nil
	}
	changed := r.state == deltas && len(r.commits)%fullEvery != 0
	if !changed {
		r.commits = nil
	}
	r.commits = append(r.commits, r.processor.AppendState(nil, changed))
	r.processor.Commit()
	r.addCounts(r.processor, 1)
	r.processor = r.pipeline.New(r.batch)
	kept, err := checkpoint.Clean(r.commits)
	if err != nil {
		return err
	}
	if err := r.processor.Restore(kept...); err != nil {
		return err
	}
	r.addCounts(r.processor, -1) // what it has brought along
	return nil
}

// addCounts adds the counters of a processor, or takes them away.
func (r *replay) addCounts(p task.Processor, sign int) {
	for i, n := range p.AppendCounts(nil) {
		r.counts[i] += uint64(sign) * n
	}
}

// finish compares whole outputs and counters.
func (r *replay) finish(want *reference.Result) error {
	for i, out := range [][]byte{want.Totals, want.ByType, want.Late} {
		if !bytes.Equal(r.out[i], out) {
			return fmt.Errorf("%s: %s", r.pipeline.Sinks[i].Name, difference(r.out[i], out))
		}
	}
	if len(r.dead) != len(want.Dead) {
		return fmt.Errorf("%d dead letters, want %d; the first that is missing: %+v", len(r.dead), len(want.Dead), want.Dead[len(r.dead)])
	}
	got := map[reference.Count]uint64{}
	counted := map[reference.Count]bool{}
	for i, c := range r.pipeline.Counters {
		counted[countOf(c)] = true
		if r.counts[i] != 0 {
			got[countOf(c)] += r.counts[i]
		}
	}
	expect := map[reference.Count]uint64{}
	for c, n := range want.Counts {
		if c.Kind == "closed" && !counted[c] {
			continue // windows closed: processors need not count them
		}
		if c.Kind == "row_refused" {
			c.Name = ""
		}
		expect[c] += n
	}
	if !maps.Equal(got, expect) {
		return fmt.Errorf("counters\n%s\nwant\n%s", show(got), show(expect))
	}
	return task.Conserve(r.pipeline, r.counts)
}

// countOf is a counter in the reference's words.
func countOf(c task.Counter) reference.Count {
	kinds := map[task.CounterKind]string{
		task.Records: "records", task.In: "in", task.Out: "out", task.Passed: "passed", task.Folded: "folded", task.Side: "side", task.Dropped: "dropped",
		task.Refused: "refused", task.Skipped: "skipped", task.Made: "made", task.RowRefused: "row_refused", task.Opened: "opened", task.Closed: "closed", task.Held: "held",
	}
	count := reference.Count{Node: c.Node, Kind: kinds[c.Kind]}
	if c.Kind == task.Dropped || c.Kind == task.Refused || c.Kind == task.Skipped {
		count.Name = c.Name
	}
	return count
}

func show(counts map[reference.Count]uint64) string {
	var lines []string
	for c, n := range counts {
		lines = append(lines, fmt.Sprintf("  %s %s %s: %d", c.Node, c.Kind, c.Name, n))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// difference shows the first line that differs.
func difference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d:\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
