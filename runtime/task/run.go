package task

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/source"
	"github.com/streamwright/streamwright/runtime/stream"
)

// writeSize is how many bytes of rows an output collects before they are written.
const writeSize = 256 << 10

// DefaultBatch is how many records a processor takes at once: enough for cache misses of neighbours to overlap; more gains nothing.
const DefaultBatch = 256

// Options are what a run needs besides its pipeline.
type Options struct {
	Batch  int       // records; 0: DefaultBatch
	Stdin  io.Reader // nil: os.Stdin
	Stdout io.Writer // nil: os.Stdout
}

// Run reads the source to its end, ends the processor and makes its outputs visible: whole files appear together, when everything has succeeded. When it
// returns an error no whole file has changed, and what was appended is complete up to a row. When ctx is done it stops between two batches. The summary
// is of what was done until then; it has no counts if the run never began.
func Run(ctx context.Context, p Pipeline, o Options) (s Summary, err error) {
	start := time.Now()
	r := run{pipeline: p}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: panic, this is a bug in streamwright: %v\n%s", p.Name, v, debug.Stack())
		}
		r.close()
		s = Summary{Pipeline: r.pipeline, Counts: r.counts, Elapsed: time.Since(start)}
	}()
	if err = r.open(ctx, o); err == nil {
		if err = r.read(ctx); err == nil {
			err = r.commit()
		}
	}
	return s, err
}

// run is one run of a pipeline.
type run struct {
	pipeline  Pipeline
	source    *source.Files
	processor Processor
	outputs   []*stream.Output // the last one is of dead letters, if they have a place
	targets   []*sink.File     // beside outputs
	marks     []int            // beside outputs: length of Buf before the batch
	letters   *stream.Letters
	counts    []uint64
	header    []byte  // of the source's CSV, when rows of it are written as they came
	records   int     // index of the source's counter of records
	rule      *share  // stop_when; nil: the first dead letter stops the run
	first     *letter // nil: nothing was refused yet
}

// open opens the source and the targets. Nothing is created before everything that can be known to be wrong has been looked at.
func (r *run) open(ctx context.Context, o Options) error {
	p := &r.pipeline
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Batch == 0 {
		o.Batch = DefaultBatch
	}
	path, err := Expand(p.Source.Path)
	if err == nil {
		p.Source.Path = path
		r.source, err = source.Open(path, p.Source.MaxRecord, p.Source.Columns, o.Stdin, ctx.Done())
	}
	if err != nil {
		return fmt.Errorf("source %s: %w", p.Source.Name, err)
	}
	places := make([]Sink, len(p.Sinks), len(p.Sinks)+1)
	for i, s := range p.Sinks {
		places[i] = Sink{Name: "sink " + s.Name, Target: s.Target, Header: s.Header}
	}
	if p.DeadLetter != nil {
		places = append(places, Sink{Name: "dead_letter", Target: p.DeadLetter.Target})
	}
	for i := range places {
		if places[i].Target.Path, err = Expand(places[i].Target.Path); err == nil {
			err = r.free(places[:i], places[i])
		}
		if err != nil {
			return fmt.Errorf("%s: %w", places[i].Name, err)
		}
	}
	p.Sinks = slices.Clone(p.Sinks) // the caller's keep their ${…}
	for i, place := range places {
		if i < len(p.Sinks) {
			p.Sinks[i].Target = place.Target
		} else {
			p.DeadLetter = &DeadLetter{place.Target, p.DeadLetter.StopShare, p.DeadLetter.StopOf}
		}
		target, err := openTarget(place.Target, o.Stdout)
		if err != nil {
			return fmt.Errorf("%s: %w", place.Name, err)
		}
		r.targets = append(r.targets, target)
		if place.Header != "" {
			if err := target.Header([]byte(place.Header)); err != nil {
				return fmt.Errorf("%s: %w", place.Name, err)
			}
		}
	}

	r.processor = p.New(o.Batch)
	r.letters = r.processor.Letters()
	for i := range p.Sinks {
		r.outputs = append(r.outputs, r.processor.Output(i))
	}
	if d := p.DeadLetter; d != nil {
		r.outputs = append(r.outputs, &r.letters.Output)
		r.rule = &share{limit: d.StopShare, last: make([]bool, max(1, d.StopOf))}
	}
	r.marks = make([]int, len(r.outputs))
	for r.records < len(p.Counters) && p.Counters[r.records].Kind != Records {
		r.records++
	}
	r.counts = r.processor.AppendCounts(r.counts)
	return nil
}

// free checks that a target is no input and not another target of the pipeline.
func (r *run) free(others []Sink, s Sink) error {
	if s.Target.Stdout {
		return nil
	}
	for _, other := range others {
		if !other.Target.Stdout && sink.Same(other.Target.Path, s.Target.Path) {
			return fmt.Errorf("%s is the file of %s too: two writers would mix their rows; give each its own path", s.Target.Path, other.Name)
		}
	}
	if _, err := os.Stat(s.Target.Path); err != nil {
		return nil // not there yet, so it is no input
	}
	for _, name := range r.source.Names() {
		if sink.Same(name, s.Target.Path) {
			return fmt.Errorf("%s is read by source %s (path %s); write to a place that the source does not read", s.Target.Path, r.pipeline.Source.Name, r.pipeline.Source.Path)
		}
	}
	return nil
}

func openTarget(t Target, stdout io.Writer) (*sink.File, error) {
	switch {
	case t.Stdout:
		return sink.Stdout(stdout), nil
	case t.Append:
		return sink.Append(t.Path)
	default:
		return sink.Whole(t.Path)
	}
}

// read takes the source to its end and ends the processor.
func (r *run) read(ctx context.Context) error {
	var in stream.Batch
	for {
		err := r.source.Fill(&in)
		if err == nil || err == io.EOF {
			if err := r.head(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			break
		}
		if ctx.Err() != nil {
			return r.interrupted(ctx)
		}
		if err != nil {
			return errors.Join(err, r.write(0))
		}
		in.Now = time.Now().UnixNano()
		for in.Pos < in.End {
			if ctx.Err() != nil {
				return r.interrupted(ctx)
			}
			if err := r.batch(&in); err != nil {
				return err
			}
		}
		if r.source.Live() { // nobody knows when more comes
			if err := r.write(0); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return r.interrupted(ctx)
	}
	r.mark()
	r.processor.End()
	r.counts = r.processor.AppendCounts(r.counts[:0])
	if err := r.judge(0); err != nil {
		return err
	}
	return r.write(0)
}

// head writes the header of the source's CSV above the rows of it that sinks write as they came.
func (r *run) head() error {
	header := r.source.Header()
	if header == nil || bytes.Equal(header, r.header) {
		return nil
	}
	for i, s := range r.pipeline.Sinks {
		if !s.Raw {
			continue
		}
		if r.header != nil {
			return fmt.Errorf("sink %s: a file of source %s has the header %q, those before it %q: rows of both cannot stand as they came (raw: true) under one header; "+
				"write format: \"csv\" instead of raw, or read only files with one header", s.Name, r.pipeline.Source.Name, header, r.header)
		}
		if err := r.targets[i].Header(append(bytes.Clone(header), '\n')); err != nil {
			return fmt.Errorf("sink %s: %w", s.Name, err)
		}
	}
	r.header = bytes.Clone(header)
	return nil
}

// batch processes one batch and writes what has collected.
func (r *run) batch(in *stream.Batch) error {
	r.mark()
	before := r.taken()
	r.processor.Process(in)
	r.counts = r.processor.AppendCounts(r.counts[:0])
	if err := r.judge(int(r.taken() - before)); err != nil {
		return err
	}
	return r.write(writeSize)
}

// taken is how many records were read.
func (r *run) taken() uint64 { return r.counts[r.records] }

func (r *run) mark() {
	for i, o := range r.outputs {
		r.marks[i] = len(o.Buf)
	}
}

// judge looks at the dead letters of the last n records, record by record, so that what it decides does not depend on the size of batches. If they
// stop the task, the rows of this batch are not written, its dead letters are.
func (r *run) judge(n int) error {
	var stop error
	if len(r.letters.Buf) > 0 && r.first == nil {
		l := firstLetter(r.letters.Buf)
		r.first = &l
	}
	if r.rule == nil {
		if r.first == nil {
			return nil
		}
		stop = unhandled(*r.first)
	} else {
		letters := r.letters.Records
		for i := 0; i < n && stop == nil; i++ {
			refused := len(letters) > 0 && letters[0] == uint32(i)
			for len(letters) > 0 && letters[0] == uint32(i) { // several stages may refuse one record
				letters = letters[1:]
			}
			if r.rule.add(refused) {
				stop = r.rule.error(r.pipeline, r.counts, *r.first)
			}
		}
	}
	if stop == nil {
		return nil
	}
	for i := range r.pipeline.Sinks {
		r.outputs[i].Buf = r.outputs[i].Buf[:r.marks[i]]
	}
	return errors.Join(stop, r.write(0))
}

// write writes the outputs that hold at least so many bytes.
func (r *run) write(least int) error {
	for i, o := range r.outputs {
		if len(o.Buf) < least {
			continue
		}
		err := r.targets[i].Put(o.Buf)
		o.Buf = o.Buf[:0]
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *run) interrupted(ctx context.Context) error {
	return errors.Join(fmt.Errorf("interrupted after %s records (%w): no open window was published, whole files were not written, appended files end with a whole row",
		grouped(r.taken()), context.Cause(ctx)), r.write(0))
}

// commit makes the outputs durable, then visible.
func (r *run) commit() error {
	if err := Conserve(r.pipeline, r.counts); err != nil {
		return err
	}
	for _, t := range r.targets {
		if err := t.Sync(); err != nil {
			return err
		}
	}
	for _, t := range r.targets {
		if err := t.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// close gives everything back; what was not committed is removed.
func (r *run) close() {
	for _, t := range r.targets {
		t.Abort()
	}
	if r.source != nil {
		r.source.Close()
	}
}
