package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/sink"
)

// commits makes the commits of a run. The task takes what there is to commit and goes on; a second goroutine makes it durable, one commit at a time.
type commits struct {
	dir       string
	every     time.Duration
	records   uint64
	authority checkpoint.Authority
	restored  *checkpoint.Restored
	last      time.Time               // of the last commit
	soon      uint64                  // so many records are enough for a commit before its time; 0: none are
	stepped   bool                    // the watermark has moved without a record since the last commit
	at        uint64                  // records taken until then
	made      uint64                  // commits of this run
	landed    uint64                  // of them, those that count
	state     [2][]byte               // of the commit in flight and of the next one
	parts     [2][]checkpoint.Part    // their positions
	flight    chan *checkpoint.Commit // to the goroutine; nil: commits are made at once
	done      chan error              // from it, for each
	flying    bool
	paused    func(time.Duration)
	layout    string   // of what is committed
	whole     bool     // the next commit tells the whole state: what earlier ones have is of another layout
	base      []uint64 // the counts that the run began with
}

// Interrupted is the error of a run that was told to stop.
type Interrupted struct {
	Cause     error
	Records   uint64
	Committed bool // a later run goes on from here
}

func (i *Interrupted) Error() string {
	if i.Committed {
		return fmt.Sprintf("stopped after %s records (%v): all of them are committed, open windows stay open, and the next run goes on from here", grouped(i.Records), i.Cause)
	}
	return fmt.Sprintf("interrupted after %s records (%v): no open window was published, whole files were not written, appended files end with a whole row", grouped(i.Records), i.Cause)
}

func (i *Interrupted) Unwrap() error { return i.Cause }

// claim takes the place of the commits, and finds out where to go on.
func (r *run) claim(o Options) error {
	k := *r.pipeline.Commit
	written := k.Dir
	dir, err := Expand(written)
	if err != nil {
		return fmt.Errorf("commit.dir: %w", err)
	}
	c := &commits{every: k.Every, records: uint64(k.Records), paused: o.Paused, layout: r.pipeline.layout(), soon: early}
	c.authority = checkpoint.New(o.Disk, dir, checkpoint.Options{Pipeline: r.pipeline.Name, Layout: c.layout, Exact: k.Exact, GoBack: o.GoBack, Reads: k.Reads, Limits: o.Limits})
	if c.restored, err = c.authority.Claim(); err != nil {
		return expanded(fmt.Errorf("commit.dir: %w", err), k.Dir, dir)
	}
	r.commits = c
	k.Dir, c.dir = dir, dir
	r.pipeline.Commit = &k
	for _, note := range c.restored.Notes {
		o.Note(note)
	}
	if err := r.fits(); err != nil {
		return expanded(fmt.Errorf("commit.dir: %s: %w", dir, err), written, dir)
	}
	if _, real := o.Disk.(disk.OS); real {
		c.flight, c.done = make(chan *checkpoint.Commit), make(chan error, 1)
		go func() {
			for next := range c.flight {
				err := r.syncSpools() // a position in it counts with the commit
				if err == nil {
					err = c.authority.Commit(next)
				}
				c.done <- err
			}
		}()
	}
	return nil
}

// resume brings the processor to where the last commit was.
func (r *run) resume(note func(string)) error {
	c := r.commits
	if c.restored.Seq > 0 {
		states := make([][]byte, len(c.restored.States))
		for i, s := range c.restored.States {
			states[i] = s.Data
		}
		if err := r.convert(states, note); err != nil {
			return fmt.Errorf("commit.dir: %s: commit %d: %w", r.pipeline.Commit.Dir, c.restored.Seq, err)
		}
		if err := r.processor.Restore(states...); err != nil {
			return fmt.Errorf("commit.dir: %s: commit %d: %w", r.pipeline.Commit.Dir, c.restored.Seq, err)
		}
	}
	r.counts = r.processor.AppendCounts(r.counts[:0])
	if !r.begun {
		r.begun, r.before = true, r.taken()
	}
	r.status.records = r.taken()
	c.base = slices.Clone(r.counts)
	c.at, c.last = r.taken(), time.Now()
	first := c.restored.Seq == 0
	for i := range r.exits {
		first = first || c.restored.Output(r.exits[i].name) == nil
	}
	c.restored.States = nil // they may be large
	if !first || c.restored.Final {
		return nil
	}
	// What stands in a file before the first row of this pipeline must be known before there is one.
	return errors.Join(r.commitNow(false), c.land())
}

// fits says whether what was committed is of this pipeline's sources.
func (r *run) fits() error {
	c := r.commits
	for _, part := range c.restored.Sources {
		name := part.Name
		if of, _, ok := r.fileOf(name); ok {
			name = r.pipeline.Sources[of].Name
		}
		var names []string
		for _, s := range r.pipeline.Sources {
			names = append(names, s.Name)
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("holds the position of source %s, and the spec has the source %s: nobody knows where in it to go on. Call the source %[1]s again; or begin anew: mv %[3]s %[3]s.old",
				name, strings.Join(names, ", "), c.dir)
		}
	}
	return nil
}

// leave brings outputs that were committed, and are not among the places any more, to their committed end: before one of another name opens the same file.
func (r *run) leave(places []Sink, o Options) error {
	for _, was := range r.commits.restored.Outputs {
		if slices.ContainsFunc(places, func(s Sink) bool { return s.Name == was.Name }) {
			continue
		}
		path, err := sink.Leave(o.Disk, was.Data)
		if err != nil {
			return fmt.Errorf("%s, which is not in the spec any more: %w", was.Name, err)
		}
		if path != "" {
			o.Note(fmt.Sprintf("%s is not in the spec any more; %s ends with what was committed", was.Name, path))
		}
	}
	return nil
}

// convert brings what a processor of another layout has committed into the form that this one reads, and says what becomes of it. The head of the newest commit is written anew by its names; frames
// say of which version they are, and the processor knows how to read that.
func (r *run) convert(states [][]byte, note func(string)) error {
	c := r.commits
	if c.restored.Layout == c.layout || len(states) == 0 {
		return nil
	}
	last := len(states) - 1
	state, gone, err := convertHead(states[last], c.restored.Layout, c.layout)
	if err != nil {
		return err
	}
	states[last] = state
	if len(gone) > 0 {
		note(fmt.Sprintf("%s: was written by another version of the pipeline, whose counts of %s this one does not have", c.dir, strings.Join(gone, ", ")))
	}
	for _, text := range r.pipeline.Commit.becomes(c.restored.Layout) {
		note(fmt.Sprintf("%s: %s", c.dir, text))
	}
	c.whole = otherPieces(c.restored.Layout, c.layout)
	return nil
}

// under is what happens between two batches of a run with commits.
func (r *run) under(in *input) error {
	if in.moved = true; in.block.Pos == in.block.End { // its memory is the source's from now on
		in.locate()
	}
	for i := range r.exits {
		e := &r.exits[i]
		crosses := e.kept.Crosses(r.processor.Watermark())
		if len(e.rows.Buf) >= writeSize || crosses {
			if err := e.write(); err != nil {
				return err
			}
		}
		if crosses {
			e.kept.Reach(r.processor.Watermark())
		}
	}
	return r.commitDue()
}

// commitDue makes a commit if it is time for one.
func (r *run) commitDue() error {
	if due, err := r.due(); !due || err != nil {
		return err
	}
	return r.commitNow(false)
}

// last is the last commit of a run, if there is anything left to commit.
func (r *run) last(final bool) error {
	c := r.commits
	if !c.restored.Final && (final || c.stepped || r.taken() > c.at) {
		if err := r.commitNow(final); err != nil {
			return err
		}
	}
	return c.land()
}

// patience is how many times the time between two commits the task goes on while one is in flight, before it waits for it.
const patience = 8

// A commit keeps the records waiting while it takes what has changed. Where that is longer than pause, the next ones begin before their time, with as many records as pause is enough for, but
// not more than often times as many commits. The first ones begin when they have early records: nobody knows yet how long it takes, and its memory is new.
const (
	pause = 8 * time.Millisecond
	often = 16
	early = 1 << 16
)

// take notes that the changes of n records took so long.
func (c *commits) take(n uint64, took time.Duration) {
	switch {
	case took > pause && n > 0:
		c.soon = max(1, uint64(float64(n)*float64(pause)/float64(took)))
	case c.soon > 0 && took < pause/2:
		c.soon *= 2
	}
}

// due says whether it is time for a commit. While one is in flight the task goes on, unless that takes very long, or the next one may not hold more records.
func (r *run) due() (bool, error) {
	c := r.commits
	n, since := r.taken()-c.at, time.Since(c.last)
	switch {
	case n == 0 && !c.stepped:
		return false, nil
	case c.records > 0 && n >= c.records:
		return true, nil
	case since < c.every && (c.soon == 0 || n < c.soon || since < c.every/often):
		return false, nil
	case !c.flying || since >= patience*c.every:
		return true, nil
	}
	select {
	case err := <-c.done:
		return true, c.decided(err)
	default:
		return false, nil
	}
}

// commitNow takes everything that was processed for a commit. final says that nothing can follow.
func (r *run) commitNow(final bool) error {
	c := r.commits
	start := time.Now()
	if err := r.write(0); err != nil {
		return err
	}
	end := final || r.ended
	outputs := make([]checkpoint.Output, len(r.exits))
	for i := range r.exits {
		s := r.exits[i].kept.Stage(end)
		outputs[i] = checkpoint.Output{Name: r.exits[i].name, State: s.State, Rows: &outgoing{s, r.exits[i].attempts}}
	}
	i := c.made % 2
	c.parts[i] = r.parts(c.parts[i])
	if n := len(c.state[1-i]); cap(c.state[i]) < n { // what the last one took, this one will, too
		c.state[i] = make([]byte, 0, n+n/4)
	}
	begin, whole := time.Now(), c.whole
	c.state[i] = r.processor.AppendState(c.state[i][:0], !whole)
	c.whole = false
	r.processor.Commit()
	if !whole {
		c.take(r.taken()-c.at, time.Since(begin))
	}
	next := &checkpoint.Commit{
		Time: time.Now().UnixNano(), Final: final, State: c.state[i], Outputs: outputs,
		Sources: c.parts[i],
	}
	if err := c.land(); err != nil { // one is in flight at a time, and what it has must stay as it is until then
		return err
	}
	if err := r.forget(); err != nil {
		return err
	}
	c.made++
	var err error
	if c.flight == nil {
		if err = c.authority.Commit(next); err == nil {
			c.landed++
		}
	} else {
		c.flight <- next
		c.flying = true
	}
	c.last, c.at, c.stepped = time.Now(), r.taken(), false
	c.paused(c.last.Sub(start))
	return err
}

// land waits for the commit in flight. After an error nobody knows what counts before the next claim: the run ends.
func (c *commits) land() error {
	if !c.flying {
		return nil
	}
	return c.decided(<-c.done)
}

// decided notes what became of the commit in flight.
func (c *commits) decided(err error) error {
	if c.flying = false; err == nil {
		c.landed++
	}
	return err
}

// failCommits says what is left of a run that did not succeed: its commits.
func (r *run) failCommits(err error) error {
	c := r.commits
	if i, ok := errors.AsType[*Interrupted](err); ok && i.Committed {
		return err
	}
	if more := c.land(); more != nil && !errors.Is(err, more) {
		return errors.Join(err, more)
	}
	return fmt.Errorf("%w\n%s of %s records are committed in %s; the next run goes on behind them, and what is behind the commit in an output is cut off then", err, grouped(c.at), grouped(r.taken()), r.pipeline.Commit.Dir)
}

// close waits for the commit in flight and gives the place up.
func (c *commits) close() error {
	err := c.land()
	if c.flight != nil {
		close(c.flight)
	}
	return errors.Join(err, c.authority.Close())
}

// finished is the error of a run that has more to read of an input whose end was committed.
func (r *run) finished(in *input) error {
	c := r.commits
	return fmt.Errorf("source %s: there is more to read at byte %d of %s, but the run that ended at %s closed all windows, as the end of the input does: records behind it could only be late. "+
		"To go on with inputs that grow, write in the source\n\ttime: end_of_input: \"hold\"\nand begin anew: mv %s %s.old",
		in.of.Name, in.block.Base+int64(in.block.Pos), in.block.File, time.Unix(0, c.restored.Time).UTC().Format(time.RFC3339), r.pipeline.Commit.Dir, r.pipeline.Commit.Dir)
}
