package task

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/disk"
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
	Cores  int       // above 1: records are read and decoded in a goroutine of their own; 0: as many as Go uses
	Stdin  io.Reader // nil: os.Stdin
	Stdout io.Writer // nil: os.Stdout

	Disk        disk.Disk           // where commits and the rows under them go; nil: the file system. On another one commits are made between two batches, not beside them
	Limits      checkpoint.Limits   // of the log of commits; what is 0 is as usual
	GoBack      uint64              // where something that was committed is damaged: accepts to go back to this commit. Where nothing is, it is an error
	Onto        bool                // the first commit of a pipeline goes on behind what its outputs have; else that is an error, because these rows may come again
	ShowRecords bool                // errors show the records that they are about
	Drain       bool                // the end of the input is the end of its windows, whatever the spec says; what is followed ends where it ends now
	StatusEvery time.Duration       // 0: a second
	Paused      func(time.Duration) // takes how long each commit kept the records waiting; nil: nobody wants to know
	Status      func(Status)        // takes where the run is, every StatusEvery; nil: nobody wants to know
	Note        func(text string)   // takes what people should know about a restart or a retry, from any goroutine; nil: nobody does
}

// Run reads the source to its end, ends the processor and makes its outputs visible: whole files appear when everything has succeeded, one
// after the other. When it
// returns an error no whole file has changed but the dead letters that tell why, and what was appended is all that the processor has put out. When ctx is done it
// stops between two batches. The summary is of what was done until then; it has no counts if no record was read.
//
// Under commits a run goes on where the last one was committed, rows become visible with each commit, and a run that is stopped commits what it has. What a run that fails has
// written since its last commit does not count: the next one cuts it off and does it again.
func Run(ctx context.Context, p Pipeline, o Options) (Summary, error) {
	l := lasting{stop: ctx.Done(), start: time.Now()}
	for {
		s, again, err := l.run(ctx, p, o)
		if !again {
			return s, err
		}
		o.GoBack = 0 // it has
	}
}

// lasting is what stays of a run that is begun again from its last commit.
type lasting struct {
	stop    <-chan struct{} // closed when the run is told to stop
	start   time.Time
	tries   int    // that ended with an outage, since the last commit that counts
	begun   bool   // once
	before  uint64 // records that earlier runs have taken
	commits uint64
	spool   *source.Spool // of standard input; nil: there is none
}

// run runs from the last commit on, until the end or an outage after which it is to be called again.
func (l *lasting) run(ctx context.Context, p Pipeline, o Options) (s Summary, again bool, err error) {
	r := run{pipeline: p, lasting: l}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: panic, this is a bug in streamwright: %v\n%s", p.Name, v, debug.Stack())
			for i := range r.exits {
				r.exits[i].rewind() // the counts are those before the batch
			}
		}
		if out, ok := errors.AsType[*outage](err); ok {
			if r.commits.landed > 0 {
				l.tries = 0
			}
			l.tries++
			if more := out.of.wait(l.tries, err); more != nil {
				err = more
			} else {
				again = true
			}
		}
		if err != nil && !again {
			err = r.fail(err)
			if _, other := errors.AsType[*source.Changed](err); other && r.commits != nil {
				err = fmt.Errorf("%w\nTo read what is there from its start, begin anew: %s", err, r.anew())
			}
		}
		s = Summary{Pipeline: r.pipeline, Elapsed: time.Since(l.start), Before: l.before}
		if err == nil || len(r.counts) > 0 && r.taken() > 0 {
			s.Counts = r.counts
		}
		for i := range r.exits {
			s.State = append(s.State, r.exits[i].state())
		}
		if r.commits != nil {
			l.commits += r.commits.made
			s.Commits = l.commits
		}
		if more := r.close(); more != nil && (err == nil || again) {
			err, again = more, false
		}
	}()
	ctx, r.cancel = context.WithCancel(ctx)
	if err = r.open(ctx, o); err == nil {
		if err = r.read(ctx); err == nil {
			err = r.end()
		}
	}
	return s, again, err
}

// run is one run of a pipeline.
type run struct {
	*lasting
	pipeline  Pipeline
	inputs    []*input
	order     []*input      // the same, by source and then by name
	origins   []origin      // of the sources
	drain     bool          // what is followed ends where it ends now
	news      chan struct{} // of inputs, where there are several
	status    status
	ages      []age // of the sources with AgeWarn
	note      func(string)
	clocked   time.Time // when the watermark last followed the clock
	processor Processor
	exits     []exit // one per sink, then that of dead letters, if they have a place
	letters   *stream.Letters
	counts    []uint64
	cancel    context.CancelFunc // ends a wait for input
	header    []byte             // of the source's CSV, when rows of it are written as they came
	cores     int
	most      int   // records of a batch
	records   []int // indices of the sources' counters of records
	refusals  refusals
	commits   *commits      // nil: the run succeeds or fails as a whole
	anew      func() string // the command after which a run begins anew
	hold      bool          // the end of the input closes no window
	ended     bool          // it was reached
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
	if r.cores = o.Cores; r.cores == 0 {
		r.cores = runtime.GOMAXPROCS(0)
	}
	if o.Batch == 0 {
		o.Batch = DefaultBatch
	}
	if o.Disk == nil {
		o.Disk = disk.OS{}
	}
	if d, real := o.Disk.(disk.OS); real && p.Commit != nil {
		d.NoSync = p.Commit.NoSync
		o.Disk = d
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	r.note, r.drain = o.Note, o.Drain
	r.refusals.show = o.ShowRecords
	r.status = status{tell: o.Status, every: cmp.Or(o.StatusEvery, time.Second), at: time.Now()}
	if o.Paused == nil {
		o.Paused = func(time.Duration) {}
	}
	if err := r.sources(ctx, o); err != nil {
		return err
	}
	places := make([]Sink, len(p.Sinks), len(p.Sinks)+1)
	for i, s := range p.Sinks {
		places[i] = Sink{Name: "sink " + s.Name, Target: s.Target, Header: s.Header, Retry: s.Retry}
	}
	if p.DeadLetter != nil {
		places = append(places, Sink{Name: "dead_letter", Target: p.DeadLetter.Target, Retry: p.DeadLetter.Retry})
	}
	paths := make([]string, len(places)) // as the spec has them
	for i := range places {
		var err error
		paths[i] = places[i].Target.Path
		if places[i].Target.Path, err = Expand(paths[i]); err == nil {
			err = expanded(r.free(places[:i], places[i]), paths[i], places[i].Target.Path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", places[i].Name, err)
		}
	}
	if p.Commit == nil && o.GoBack > 0 {
		return fmt.Errorf("there is nothing to go back to, since the spec has no commit; start without -go-back %d", o.GoBack)
	}
	if p.Commit != nil {
		if err := r.claim(o, places); err != nil {
			return err
		}
		if err := r.positions(); err != nil {
			return err
		}
		if err := r.leave(places, o); err != nil {
			return err
		}
	}
	p.Sinks = slices.Clone(p.Sinks) // the caller's keep their ${…}
	for i, place := range places {
		if i < len(p.Sinks) {
			p.Sinks[i].Target = place.Target
		} else {
			d := *p.DeadLetter
			d.Target, p.DeadLetter = place.Target, &d
		}
		var restored *checkpoint.Restored
		if r.commits != nil {
			restored = r.commits.restored
		}
		e, err := openExit(place, restored, o.Disk, o.Stdout, &attempts{place.Retry, place.Name, o.Note, r.stop})
		if err != nil {
			return fmt.Errorf("%s: %w", place.Name, expanded(err, paths[i], place.Target.Path))
		}
		e.path = place.Target.Path
		r.exits = append(r.exits, e)
		if place.Header != "" {
			if _, err := e.header([]byte(place.Header)); err != nil {
				return fmt.Errorf("%s: %w", place.Name, err)
			}
		}
	}

	r.most = paced(p, o.Batch)
	r.processor = p.New(r.most)
	r.letters = r.processor.Letters()
	for i := range p.Sinks {
		r.exits[i].rows = r.processor.Output(i)
		r.exits[i].rows.Full = r.exits[i].spill
		if err := r.above(i, p.Sinks[i].Header); err != nil {
			return err
		}
	}
	if d := p.DeadLetter; d != nil {
		r.exits[len(p.Sinks)].rows = &r.letters.Output
		r.refusals.rule = &share{limit: d.StopShare, last: make([]bool, max(1, d.StopOf))}
	}
	for i, c := range p.Counters {
		if c.Kind == Records {
			r.records = append(r.records, i)
		}
	}
	r.counts = r.processor.AppendCounts(r.counts)
	r.ages = agesOf(p)
	if r.commits != nil {
		if err := r.resume(o.Note); err != nil {
			return err
		}
	}
	return r.number()
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
	for _, in := range r.inputs {
		if in.files == nil { // of a spool
			continue
		}
		for _, name := range in.files.Names() {
			if sink.Same(name, s.Target.Path) {
				return fmt.Errorf("%s is read by source %s (path %s); write to a place that the source does not read", s.Target.Path, in.of.Name, in.of.Path)
			}
		}
	}
	return nil
}

// read takes the sources to their end and ends the processor.
func (r *run) read(ctx context.Context) error {
	var tick <-chan time.Time // when a commit may be due, or an input idle, although nothing comes
	if every := r.every(); every > 0 {
		ticker := time.NewTicker(max(every, time.Millisecond))
		defer ticker.Stop()
		tick = ticker.C
	}
	over := false
	for !over {
		var err error
		if m, ok := r.processor.(Merger); ok {
			over, err = r.merge(ctx, m, tick)
		} else {
			over, err = r.block(ctx, r.inputs[0], tick)
		}
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return r.interrupted(ctx)
	}
	if r.ended = true; r.commits != nil && (r.hold || r.commits.restored.Final) {
		return nil
	}
	r.mark()
	r.processor.End()
	if err := r.judge(r.taken()); err != nil {
		return err
	}
	rows := uint64(0)
	for i := range r.pipeline.Sinks {
		rows += r.exits[i].rows.Rows
	}
	if n := r.taken(); n > 0 && n == r.refusals.records && rows == 0 && r.commits == nil {
		return r.refusals.all(r.pipeline, r.counts)
	}
	return r.write(0)
}

// head writes the header of an input's CSV above the rows of it that sinks write as they came.
func (r *run) head(in *input, header []byte) error {
	if header == nil || bytes.Equal(header, r.header) || len(r.pipeline.Sources) > 1 { // of several sources, none of CSV is written as it came
		return nil
	}
	for i, s := range r.pipeline.Sinks {
		if !s.Raw {
			continue
		}
		if r.header != nil {
			return fmt.Errorf("sink %s: a file of source %s has the header %q, those before it %q: rows of both cannot stand as they came (raw: true) under one header; "+
				"write format: \"csv\" instead of raw, or read only files with one header", s.Name, in.of.Name, header, r.header)
		}
		if err := r.above(i, string(header)+"\n"); err != nil {
			return err
		}
	}
	r.header = bytes.Clone(header)
	return nil
}

// above puts a header above the rows of sink i; "" is none.
func (r *run) above(i int, header string) error {
	if header == "" {
		return nil
	}
	missing, err := r.exits[i].header([]byte(header))
	if err != nil {
		return fmt.Errorf("sink %s: %w", r.pipeline.Sinks[i].Name, err)
	}
	if missing {
		r.exits[i].rows.Buf = append(r.exits[i].rows.Buf, header...)
	}
	return nil
}

// batch processes one batch of an input and writes what has collected.
func (r *run) batch(in *input) error {
	r.mark()
	before := r.taken()
	r.processor.Process(&in.block.Batch)
	err := r.judge(before)
	if in.bucket != nil {
		in.bucket.take(int(r.taken() - before))
	}
	if err != nil {
		return err
	}
	r.aged()
	r.told(false)
	if r.commits == nil {
		return r.write(writeSize)
	}
	return r.under(in)
}

// taken is how many records were read.
func (r *run) taken() (n uint64) {
	for _, i := range r.records {
		n += r.counts[i]
	}
	return n
}

func (r *run) mark() {
	for i := range r.exits {
		r.exits[i].mark = len(r.exits[i].rows.Buf)
	}
	r.refusals.mark = len(r.letters.Buf)
}

// judge counts, and looks at the dead letters of the records behind the first so many.
func (r *run) judge(before uint64) error {
	r.counts = r.processor.AppendCounts(r.counts[:0])
	return r.refusals.judge(r.pipeline, r.counts, r.letters, int(r.taken()-before), r.taken())
}

// write writes the outputs that hold at least so many bytes.
func (r *run) write(least int) error {
	for i := range r.exits {
		if e := &r.exits[i]; len(e.rows.Buf) >= least {
			if err := e.write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// interrupted is the end of a run that was told to stop.
func (r *run) interrupted(ctx context.Context) error {
	i := &Interrupted{Cause: context.Cause(ctx), Records: r.taken(), Committed: r.commits != nil, Endless: r.pipeline.endless() && !r.drain}
	if r.commits != nil {
		if err := r.last(false); err != nil {
			return err
		}
	}
	return i
}

// end makes the outputs durable, then visible.
func (r *run) end() error {
	counts := r.counts
	if r.commits != nil { // of this run: another version of the pipeline may have counted what this one does not
		counts = slices.Clone(counts)
		for i, n := range r.commits.base {
			counts[i] -= n
		}
	}
	if err := Conserve(r.pipeline, counts); err != nil {
		return err
	}
	if r.commits != nil {
		return r.last(!r.hold)
	}
	for i := range r.exits {
		if err := r.exits[i].target.Sync(); err != nil {
			return err
		}
	}
	for i := range r.exits {
		e := &r.exits[i]
		if err := e.again(func() (bool, error) { return false, e.target.Commit() }); err != nil {
			return err
		}
	}
	return nil
}

// fail ends a run that did not succeed: what the processor has put out is written where files are not whole, so that they agree with the counts. Refusals that
// stopped the run are kept.
func (r *run) fail(err error) error {
	if len(r.counts) == 0 { // it never began, so not even a header is written
		return err
	}
	if r.commits != nil {
		return r.failCommits(err)
	}
	for i := range r.exits {
		if e := &r.exits[i]; !e.failed {
			if more := e.write(); more != nil {
				err = errors.Join(err, more)
			}
		}
	}
	var v *verdict
	if !errors.As(err, &v) || r.pipeline.DeadLetter == nil {
		return err
	}
	letters := &r.exits[len(r.pipeline.Sinks)]
	if more := errors.Join(letters.target.Sync(), letters.target.Commit()); more != nil || letters.failed {
		return errors.Join(err, more)
	}
	if r.pipeline.DeadLetter.Target.Stdout {
		return fmt.Errorf("%w\nthe dead letters are on standard output", err)
	}
	return fmt.Errorf("%w\nthe dead letters are in %s", err, r.pipeline.DeadLetter.Target.Path)
}

// close gives everything back; what was not committed is removed, or the next run cuts it off.
func (r *run) close() (err error) {
	if r.commits != nil {
		err = r.commits.close()
	}
	for i := range r.exits {
		r.exits[i].abort()
	}
	r.cancel()
	for _, in := range r.inputs {
		if in.ahead != nil {
			in.ahead.Close()
		}
	}
	return err
}
