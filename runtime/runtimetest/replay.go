// Package runtimetest replays records through a processor in every way that must not make a difference. The tests that streamwright generates call Pipeline.
package runtimetest

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/streamwright/streamwright/runtime/checkpoint"
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

// Replay runs data, the records of each source, through a new processor in batches of so many, and ends it. An error is a bug of the processor: its counters do not add up.
func Replay(p task.Pipeline, batch int, data ...[]byte) (Result, error) {
	input, err := feeds(p, data)
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
	first          int // records of the feed before this one, where it was cut for a Silence
}

// feed is what comes from one input: from a source, or from a file of one that has a partition for each.
type feed struct {
	source int
	name   string // below in
	data   []byte
	lines  int
	blocks []block
}

// feeds are the inputs whose records are these, one for each source.
func feeds(p task.Pipeline, data [][]byte) (input []feed, err error) {
	if len(data) != len(p.Sources) {
		return nil, fmt.Errorf("%s has %d sources, and there are records of %d", p.Name, len(p.Sources), len(data))
	}
	for i, records := range data {
		f, err := feedOf(p, i, records)
		if err != nil {
			return nil, err
		}
		input = append(input, f)
	}
	return input, nil
}

// feedOf cuts data as the source does.
func feedOf(p task.Pipeline, i int, data []byte) (feed, error) {
	s := p.Sources[i]
	f := feed{source: i, name: fileName(s.Name) + ext(s.Columns != nil), data: data, lines: bytes.Count(data, []byte("\n"))}
	files := source.Reader(s.Name+ext(s.Columns != nil), bytes.NewReader(data), source.Options{MaxRecord: s.MaxRecord, Fields: s.Columns})
	var b stream.Batch
	for {
		err := files.Fill(&b)
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return f, err
		}
		f.blocks = append(f.blocks, block{b.File, bytes.Clone(b.Data[:b.End]), b.Pos, b.Base, b.Oversize, b.Columns, files.Header(), 0})
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
	ahead     bool                            // blocks are decoded in another goroutine while others are in the stages
	states    [][]byte                        // after each batch, if start is not nil
	start     []byte                          // state that the processor begins with
	silences  []Silence                       // of inputs; those that have begun are counted from the start of begun
	begun     []bool                          // beside silences
	after     func(in *stream.Batch, pos int) // called after each batch, which began at pos, before the outputs are taken; may be nil
	ending    string                          // the input that has ended, while after is called with an empty batch; "": all have
	processor task.Processor
	in        []stream.Batch // of each input
	next      []int          // of several, the block behind that
	commits   [][]byte
	result    Result
}

func (r *replay) run(input []feed) (Result, error) {
	if r.processor == nil {
		r.processor = r.pipeline.New(r.batch)
		r.result.Outputs = make([][]byte, len(r.pipeline.Sinks))
	}
	if r.start != nil {
		if err := r.processor.Restore(r.start); err != nil {
			return r.result, err
		}
	}
	for len(r.in) < len(input) {
		r.in = append(r.in, stream.Batch{})
	}
	if err := r.read(input); err != nil {
		return r.result, err
	}
	r.result.Watermark = r.processor.Watermark()
	r.processor.End()
	r.ended("")
	r.take()
	if err := task.Conserve(r.pipeline, r.result.Counts); err != nil {
		return r.result, fmt.Errorf("after the end: %w", err)
	}
	return r.result, nil
}

// ended tells who watches that an input has ended, or that all have.
func (r *replay) ended(name string) {
	if r.after != nil {
		r.ending = name
		r.after(new(stream.Batch), 0)
	}
}

// read takes all blocks through the processor.
func (r *replay) read(input []feed) error {
	if _, ok := r.processor.(task.Merger); ok {
		return r.merge(input)
	}
	if r.ahead {
		return r.readAhead(input[0].blocks)
	}
	for i := range input[0].blocks {
		fill(&r.in[0], &input[0].blocks[i])
		if err := r.process(&r.in[0]); err != nil {
			return err
		}
	}
	return nil
}

// merge takes the records of all inputs through the processor, in the order in which a task takes them.
func (r *replay) merge(input []feed) error {
	r.next = append(r.next[:0], make([]int, len(input))...)
	r.begun = append(r.begun[:0], make([]bool, len(r.silences))...)
	for i := range r.in {
		r.in[i].Pos, r.in[i].End = 0, 0
	}
	for {
		m := r.processor.(task.Merger) // a restart makes another one
		inputs := m.Inputs()
		for i := len(inputs.Input); i < len(input); i++ {
			inputs.Add(input[i].source)
		}
		ended := ""
		for i := range input {
			inputs.Input[i].Rank = i
			for r.next[i] < len(input[i].blocks) && !r.in[i].More() {
				fill(&r.in[i], &input[i].blocks[r.next[i]])
				r.in[i].Source, r.in[i].Input = input[i].source, i
				r.next[i]++
			}
			if !r.in[i].More() && !inputs.Input[i].Ended {
				inputs.Input[i].Ended = true
				ended = input[i].name
			}
		}
		silent := r.silent(input)
		i, until := inputs.Next(func(i int) bool { return r.in[i].More() && !slices.Contains(silent, i) })
		if i < 0 {
			return nil // the end of all is next
		}
		if w := inputs.Least(); w > m.Watermark() {
			m.Step(w)
			r.ended(ended)
			r.take()
		}
		in := &r.in[i]
		in.Until = until
		if err := r.once(in); err != nil {
			return err
		}
	}
}

// process takes a block through the processor.
func (r *replay) process(in *stream.Batch) error {
	for in.Pos < in.End {
		if err := r.once(in); err != nil {
			return err
		}
	}
	return nil
}

// once takes a batch through the processor.
func (r *replay) once(in *stream.Batch) error {
	pos := in.Pos
	r.processor.Process(in)
	if in.Pos == pos {
		return fmt.Errorf("a call of Process took nothing at byte %d", in.Base+int64(pos))
	}
	if r.after != nil {
		r.after(in, pos)
	}
	if r.restart != never {
		spoil(in)
	}
	if err := r.between(); err != nil {
		return fmt.Errorf("after byte %d: %w", in.Base+int64(in.Pos), err)
	}
	return nil
}

// readAhead is read with a goroutine that decodes blocks before they are asked for. A block is spoilt when it has been taken.
func (r *replay) readAhead(input []block) error {
	free, full := make(chan *stream.Batch, stream.Blocks), make(chan *stream.Batch)
	for i := range stream.Blocks {
		free <- &stream.Batch{Block: i + 1}
	}
	decode := r.processor.(task.Decoder).Decode
	go func() {
		defer close(full)
		for i := range input {
			in := <-free
			fill(in, &input[i])
			decode(in)
			full <- in
		}
	}()
	var wrong error
	for in := range full { // all of them, so that the goroutine ends
		if wrong == nil {
			wrong = r.process(in)
		}
		in.Recycle()
		in.Pos = in.End
		spoil(in)
		free <- in
	}
	return wrong
}

// pieces cuts blocks into smaller ones, of so many records.
func pieces(p task.Pipeline, input feed, records int) feed {
	return split(p, input, func(n int) bool { return n%records == 0 })
}

// split cuts blocks into smaller ones. ends says whether one ends behind the first n records of the feed.
func split(p task.Pipeline, input feed, ends func(n int) bool) feed {
	var list []block
	n := 0
	for i := range input.blocks {
		var in stream.Batch
		fill(&in, &input.blocks[i])
		next := in.Next
		if p.Sources[input.source].Columns != nil {
			next = in.NextRow
		}
		piece := input.blocks[i]
		piece.first = n
		for {
			_, ok := next()
			if ok {
				n++
			}
			if !ok || ends(n) {
				piece.data = input.blocks[i].data[:in.Pos]
				list = append(list, piece)
				piece.pos, piece.first = in.Pos, n
			}
			if !ok {
				break
			}
		}
	}
	input.blocks = list
	return input
}

var padding [stream.Padding]byte

// fill copies b into in, as a read does.
func fill(in *stream.Batch, b *block) {
	in.Data = append(append(in.Data[:0], b.data...), padding[:]...)
	in.Pos, in.End = b.pos, len(b.data)
	in.File, in.Base, in.Oversize, in.Columns, in.Now = b.file, b.base, b.oversize, b.columns, Now
}

// spoil overwrites what nobody may look at after a batch: the records that were taken, and the arena.
func spoil(in *stream.Batch) {
	for i := range in.Data[:in.Pos] {
		in.Data[i] = 0xaa
	}
	arena := in.Data[len(in.Data):cap(in.Data)]
	for i := range arena {
		arena[i] = 0xaa
	}
	words := in.Words[len(in.Words):cap(in.Words)]
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
	if r.start != nil {
		r.states = append(r.states, r.processor.AppendState(nil, false))
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
	kept, err := checkpoint.Clean(r.commits) // as the log of commits does
	if err != nil {
		return err
	}
	restored := r.pipeline.New(r.batch)
	if err := restored.Restore(kept...); err != nil {
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
