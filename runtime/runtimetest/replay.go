// Package runtimetest replays records through a processor in every way that must not make a difference. The tests that streamwright generates call Pipeline.
package runtimetest

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/streamwright/streamwright/runtime/source"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// Now is the wall clock of every replay: 2024-01-02T00:00:00Z in Unix ns. It stands still, so a time.future in the spec judges by it.
const Now = 1_704_153_600_000_000_000

// Result is what a replay gave.
type Result struct {
	Outputs   [][]byte // of each sink, in the order of the spec
	Letters   []byte   // dead letters, whether the pipeline has a place for them or not
	Counts    []uint64
	Watermark int64 // after the last record, before the end of the input
}

// Replay runs the records of data through a new processor in batches of so many, and ends it. An error is a bug of the processor: its counters do not add up.
func Replay(p task.Pipeline, data []byte, batch int) (Result, error) {
	input, err := blocks(p, data)
	if err != nil {
		return Result{}, err
	}
	return (&replay{pipeline: p, batch: batch}).run(input)
}

// block is what a source delivers at once.
type block struct {
	file           string
	data           []byte
	pos            int
	base, oversize int64
	columns        []uint16
	header         []byte
}

// blocks cuts data as the source of p does.
func blocks(p task.Pipeline, data []byte) ([]block, error) {
	files := source.Reader(p.Source.Name+ext(p.Source.Columns != nil), bytes.NewReader(data), p.Source.MaxRecord, p.Source.Columns)
	var list []block
	var b stream.Batch
	for {
		err := files.Fill(&b)
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, block{b.File, bytes.Clone(b.Data[:b.End]), b.Pos, b.Base, b.Oversize, b.Columns, files.Header()})
	}
}

// restart is what happens to a processor after each batch.
type restart uint8

const (
	never    restart = iota
	snapshot         // its whole state goes into a new one
	delta            // what changed since the last batch is committed; all commits go into a new one
)

// commitsKept is after how many commits the log of them begins anew with a whole state.
const commitsKept = 64

// replay is one way to replay.
type replay struct {
	pipeline  task.Pipeline
	batch     int
	restart   restart
	after     func(in *stream.Batch, pos int) // called after each batch, which began at pos, before the outputs are taken; may be nil
	processor task.Processor
	in        stream.Batch
	commits   [][]byte
	result    Result
}

func (r *replay) run(input []block) (Result, error) {
	if r.processor == nil {
		r.processor = r.pipeline.New(r.batch)
		r.result.Outputs = make([][]byte, len(r.pipeline.Sinks))
	}
	for i := range input {
		r.fill(&input[i])
		for r.in.Pos < r.in.End {
			pos := r.in.Pos
			r.processor.Process(&r.in)
			if r.in.Pos == pos {
				return r.result, fmt.Errorf("a call of Process took nothing at byte %d", r.in.Base+int64(pos))
			}
			if r.after != nil {
				r.after(&r.in, pos)
			}
			if r.restart != never {
				r.spoil()
			}
			if err := r.between(); err != nil {
				return r.result, fmt.Errorf("after byte %d: %w", r.in.Base+int64(r.in.Pos), err)
			}
		}
	}
	r.result.Watermark = r.processor.Watermark()
	r.processor.End()
	if r.after != nil {
		r.in.Pos, r.in.End = 0, 0
		r.after(&r.in, 0)
	}
	r.take()
	if err := task.Conserve(r.pipeline, r.result.Counts); err != nil {
		return r.result, fmt.Errorf("after the end: %w", err)
	}
	return r.result, nil
}

var padding [stream.Padding]byte

// fill copies b into the batch, as a read does. Where processors are restarted it spoils what was there before, which none may remember.
func (r *replay) fill(b *block) {
	r.in.Data = append(append(r.in.Data[:0], b.data...), padding[:]...)
	r.in.Words = r.in.Words[:0]
	r.in.Pos, r.in.End = b.pos, len(b.data)
	r.in.File, r.in.Base, r.in.Oversize, r.in.Columns, r.in.Now = b.file, b.base, b.oversize, b.columns, Now
}

// spoil overwrites what nobody may look at after a batch: the records that were taken, and the arena.
func (r *replay) spoil() {
	for i := range r.in.Data[:r.in.Pos] {
		r.in.Data[i] = 0xaa
	}
	arena := r.in.Data[len(r.in.Data):cap(r.in.Data)]
	for i := range arena {
		arena[i] = 0xaa
	}
	words := r.in.Words[:cap(r.in.Words)]
	for i := range words {
		words[i] = ^uint64(0)
	}
}

// take moves the outputs and the counts into the result.
func (r *replay) take() {
	for i := range r.result.Outputs {
		o := r.processor.Output(i)
		r.result.Outputs[i] = append(r.result.Outputs[i], o.Buf...)
		o.Buf = o.Buf[:0]
	}
	letters := r.processor.Letters()
	r.result.Letters = append(r.result.Letters, letters.Buf...)
	letters.Buf = letters.Buf[:0]
	r.result.Counts = r.processor.AppendCounts(r.result.Counts[:0])
}

// between is what happens between two batches.
func (r *replay) between() error {
	r.take()
	if err := task.Conserve(r.pipeline, r.result.Counts); err != nil {
		return err
	}
	if r.restart == never {
		return nil
	}
	if whole := r.restart == snapshot || len(r.commits) == 0 || len(r.commits) == commitsKept; whole {
		r.commits = append(r.commits[:0], r.processor.AppendState(nil, false))
	} else {
		r.commits = append(r.commits, r.processor.AppendState(nil, true))
	}
	r.processor.Commit()
	restored := r.pipeline.New(r.batch)
	if err := restored.Restore(r.commits...); err != nil {
		return fmt.Errorf("restore of %d commits: %w", len(r.commits), err)
	}
	if r.restart == snapshot || len(r.commits)%3 != 0 { // else the one that wrote them goes on: it must know what it has committed
		r.processor = restored
	}
	return nil
}

// again forgets the state and the result, and keeps the memory of both.
func (r *replay) again() {
	r.processor.Reset()
	for i := range r.result.Outputs {
		r.result.Outputs[i] = r.result.Outputs[i][:0]
	}
	r.result.Letters = r.result.Letters[:0]
}

// differs says what is not the same in two results of one input; empty if nothing.
func (r Result) differs(p task.Pipeline, other Result) string {
	for i, s := range p.Sinks {
		if d := firstDifference(r.Outputs[i], other.Outputs[i]); d != "" {
			return "sink " + s.Name + ", " + d
		}
	}
	if d := firstDifference(r.Letters, other.Letters); d != "" {
		return "dead letters, " + d
	}
	for i, c := range p.Counters {
		if r.Counts[i] != other.Counts[i] {
			return fmt.Sprintf("counter %s of %s: want %d, got %d", c.Name, c.Node, r.Counts[i], other.Counts[i])
		}
	}
	if r.Watermark != other.Watermark {
		return fmt.Sprintf("watermark: want %d, got %d", r.Watermark, other.Watermark)
	}
	return ""
}

// clone is r in memory of its own.
func (r Result) clone() Result {
	r.Outputs = slices.Clone(r.Outputs)
	for i := range r.Outputs {
		r.Outputs[i] = bytes.Clone(r.Outputs[i])
	}
	r.Letters, r.Counts = bytes.Clone(r.Letters), slices.Clone(r.Counts)
	return r
}

// firstDifference shows the first line in which want and got differ; empty if none does.
func firstDifference(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	for n := 1; ; n++ {
		w, restW, moreW := bytes.Cut(want, []byte("\n"))
		g, restG, moreG := bytes.Cut(got, []byte("\n"))
		if !bytes.Equal(w, g) || moreW != moreG {
			return fmt.Sprintf("line %d:\n  want %s\n  got  %s", n, shown(w, len(want) == 0), shown(g, len(got) == 0))
		}
		want, got = restW, restG
	}
}

func shown(line []byte, end bool) string {
	if end {
		return "(end of file)"
	}
	return cut(string(line), 400)
}
