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

// commits makes the commits of a run. The task takes what there is to commit and goes on; a second goroutine makes it durable, several commits at once where the task took several in
// the meantime.
type commits struct {
	dir       string
	every     time.Duration
	records   uint64
	authority checkpoint.Authority
	restored  *checkpoint.Restored
	last      time.Time // when commits were handed on
	at        uint64    // records taken until then
	made      uint64    // commits that this run handed on
	landed    uint64    // of them, those that count
	stepped   bool      // the watermark has moved without a record since
	soon      uint64    // so many records are enough to take what has changed, before it is time to hand it on
	taken     uint64    // records until that was done last,
	ended     time.Time // when it was done,
	took      time.Duration
	size      int                       // and bytes of what changed
	next      []*checkpoint.Commit      // taken, and not handed on
	held      int                       // bytes of their states
	staged    []*sink.Staged            // of next, by output
	flying    []*checkpoint.Commit      // in flight
	free      [][]byte                  // memory for states
	flight    chan []*checkpoint.Commit // to the goroutine; nil: commits are made at once
	done      chan error                // from it, for each time
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
	Endless   bool // it had no end that it did not reach
}

func (i *Interrupted) Error() string {
	if i.Committed {
		return fmt.Sprintf("stopped after %s records (%v): all of them are committed, open windows stay open, and the next run goes on from here", grouped(i.Records), i.Cause)
	}
	if i.Endless {
		return fmt.Sprintf("stopped after %s records (%v): their rows are written; without commit in the spec open windows are lost, and the next run begins anew", grouped(i.Records), i.Cause)
	}
	return fmt.Sprintf("interrupted after %s records (%v): no open window was published, whole files were not written, appended files end with a whole row", grouped(i.Records), i.Cause)
}

func (i *Interrupted) Unwrap() error { return i.Cause }

// stopped says whether the run ended as it should when it is told to.
func (i *Interrupted) stopped() bool { return i.Committed || i.Endless }

// claim takes the place of the commits, and finds out where to go on.
func (r *run) claim(o Options, places []Sink) error {
	k := *r.pipeline.Commit
	written := k.Dir
	dir, err := Expand(written)
	if err != nil {
		return fmt.Errorf("commit.dir: %w", err)
	}
	r.anew = func() string { return anew(o.Disk, dir, true, places) }
	c := &commits{every: k.Every, records: uint64(k.Records), paused: o.Paused, layout: r.pipeline.layout(), soon: early}
	c.authority = checkpoint.New(o.Disk, dir, checkpoint.Options{Pipeline: r.pipeline.Name, Was: k.Was, Layout: c.layout, Exact: k.Exact, GoBack: o.GoBack, Anew: r.anew, Reads: k.Reads, Limits: o.Limits})
	if c.restored, err = c.authority.Claim(); err != nil {
		return expanded(fmt.Errorf("commit.dir: %w", err), k.Dir, dir)
	}
	r.commits = c
	r.pipeline.formerly(c.restored)
	k.Dir, c.dir = dir, dir
	r.pipeline.Commit = &k
	for _, note := range c.restored.Notes {
		o.Note(note)
	}
	if err := r.fits(); err != nil {
		return expanded(fmt.Errorf("commit.dir: %s: %w", dir, err), written, dir)
	}
	if c.restored.Seq == 0 && !o.Onto {
		if err := unwritten(o.Disk, dir, places); err != nil {
			return expanded(fmt.Errorf("commit.dir: %w", err), written, dir)
		}
	}
	if _, real := o.Disk.(disk.OS); real {
		c.flight, c.done = make(chan []*checkpoint.Commit), make(chan error, 1)
		go func() {
			for next := range c.flight {
				err := r.syncSpools() // a position in it counts with the commit
				if err == nil {
					err = c.authority.Commit(next...)
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
	for i := range r.ages {
		r.ages[i].tell(r.counts)
	}
	c.at, c.taken, c.last = r.taken(), r.taken(), time.Now()
	first := c.restored.Seq == 0
	for i := range r.exits {
		state := c.restored.Output(r.exits[i].name)
		first = first || state == nil || !sink.Of(state, r.exits[i].path)
	}
	c.restored.States = nil // they may be large
	if c.restored.Final {
		return nil
	}
	if first { // what stands in a file before anything of this pipeline must be known before there is anything, a header too
		if err := errors.Join(r.commit(false), c.land()); err != nil {
			return err
		}
	}
	for i := range r.exits {
		c.stepped = c.stepped || len(r.exits[i].rows.Buf) > 0 // a header is committed, also when no row follows
	}
	return nil
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
		if i := slices.Index(names, part.Name); i >= 0 && r.pipeline.Sources[i].PerFile {
			return fmt.Errorf("holds one position of source %s, whose files are inputs of their own now (partitions): nobody knows where in each to go on. Leave partitions out again; or begin anew: %s",
				name, r.anew())
		}
		for _, s := range r.pipeline.Sources {
			if strings.HasPrefix(name, s.Name+"/") && !slices.Contains(names, name) {
				return fmt.Errorf("holds a position of each file of source %s, which are one input now: nobody knows where in it to go on. Write partitions: \"per_file\" in it again; or begin anew: %s", s.Name, r.anew())
			}
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("holds the position of source %s, and the spec has the source %s: nobody knows where in it to go on. If it is that source under another name, write was: %[1]q in it, and generate anew; or begin anew: %[3]s",
				name, strings.Join(names, ", "), r.anew())
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
	_, was := headOf(c.restored.Layout, c.layout)
	_, is := headOf(c.layout, c.layout)
	c.whole = otherPieces(c.restored.Layout, c.layout) || !slices.Equal(was, is) // the head says how frames are to be read
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

// patience is how many times the time between two commits the task goes on while some are in flight, before it waits for them.
const patience = 8

// Taking what has changed keeps the records waiting. Where that is longer than pause, it is done before it is time for a commit, behind so many records as pause is enough for: each time makes a
// commit, and all of them are handed on when it is time. It takes at most a third of the time. At first it is done behind early records: nobody knows yet how long it takes, and its memory is new.
const early = 1 << 16

// mostHeld bounds the memory of commits that were taken and not handed on, in bytes of their states: where there are more of them, they are handed on before it is time.
const mostHeld = 64 << 20

var pause = 4 * time.Millisecond

// adapt notes that the changes of n records took so long.
func (c *commits) adapt(n uint64, took time.Duration) {
	switch {
	case took > pause && n > 0:
		c.soon = max(1, uint64(float64(n)*float64(pause)/float64(took)))
	case took < pause/2:
		c.soon = min(2*c.soon, 1<<40)
	}
	c.took = took
}

// step is what is done about commits between two batches.
type step int

const (
	none    step = iota
	takes        // make a commit, to be handed on later
	handsOn      // make one, and hand on all
)

// due says what it is time for. While commits are in flight the task goes on, unless that takes very long, or the next one may not hold more records.
func (r *run) due() (step, error) {
	c, n := r.commits, r.taken()
	if n == c.at && !c.stepped {
		return none, nil
	}
	if c.records > 0 && n-c.at+uint64(r.most) > c.records { // another batch may be one too many
		return handsOn, nil
	}
	if since := time.Since(c.last); since >= c.every {
		if len(c.flying) == 0 || since >= patience*c.every {
			return handsOn, nil
		}
		select {
		case err := <-c.done:
			return handsOn, c.decided(err)
		default:
		}
	}
	if n-c.taken >= c.soon && time.Since(c.ended) >= 2*c.took {
		if c.held >= mostHeld {
			return handsOn, nil
		}
		return takes, nil
	}
	return none, nil
}

// commitDue makes a commit if it is time for one.
func (r *run) commitDue() error {
	step, err := r.due()
	switch {
	case err != nil || step == none:
		return err
	case step == handsOn:
		return r.commitNow(false)
	}
	if err := r.write(0); err != nil {
		return err
	}
	start := time.Now()
	r.take(false)
	r.commits.paused(time.Since(start))
	return nil
}

// commitNow writes what has collected, and commits everything that was processed. final says that nothing can follow.
func (r *run) commitNow(final bool) error {
	if err := r.write(0); err != nil {
		return err
	}
	return r.commit(final)
}

// commit commits what was processed and written.
func (r *run) commit(final bool) error {
	c := r.commits
	start := time.Now()
	r.take(final)
	outputs := c.next[len(c.next)-1].Outputs
	for i := range outputs {
		outputs[i].Rows = &outgoing{c.staged[i], r.exits[i].attempts}
		c.staged[i] = nil
	}
	if err := c.land(); err != nil { // what is in flight must stay as it is until it is durable
		return err
	}
	if err := r.forget(); err != nil {
		return err
	}
	c.made += uint64(len(c.next))
	var err error
	if c.flight == nil {
		if err = c.authority.Commit(c.next...); err == nil {
			c.landed += uint64(len(c.next))
		}
		c.next = c.next[:0]
	} else {
		c.flying, c.next = c.next, c.flying
		c.flight <- c.flying
	}
	c.last, c.at, c.stepped, c.held = time.Now(), r.taken(), false, 0
	c.paused(c.last.Sub(start))
	return err
}

// take makes the next commit of everything that was processed and written since the one before. It is handed on with commit.
func (r *run) take(final bool) {
	c := r.commits
	end := final || r.ended
	if c.staged == nil {
		c.staged = make([]*sink.Staged, len(r.exits))
	}
	next := &checkpoint.Commit{Final: final, Outputs: make([]checkpoint.Output, len(r.exits)), Sources: r.parts()}
	for i := range r.exits {
		c.staged[i] = r.exits[i].kept.Stage(end, c.staged[i])
		next.Outputs[i] = checkpoint.Output{Name: r.exits[i].name, State: c.staged[i].State}
	}
	state, begin := c.room(), time.Now()
	next.State = r.processor.AppendState(state, !c.whole)
	r.processor.Commit()
	if c.ended = time.Now(); !c.whole {
		c.adapt(r.taken()-c.taken, c.ended.Sub(begin))
	}
	next.Time = c.ended.UnixNano()
	c.whole, c.size, c.taken = false, len(next.State), r.taken()
	c.next, c.held = append(c.next, next), c.held+len(next.State)
}

// room is memory for a state: what the last one took, the next one will, too.
func (c *commits) room() (room []byte) {
	if n := len(c.free); n > 0 {
		room, c.free = c.free[n-1], c.free[:n-1]
	}
	if n := c.size; cap(room) < n || cap(room) > 4*n+1<<20 {
		room = make([]byte, 0, n+n/4)
	}
	return room[:0]
}

// land waits for the commits in flight. After an error nobody knows what counts before the next claim: the run ends.
func (c *commits) land() error {
	if len(c.flying) == 0 {
		return nil
	}
	return c.decided(<-c.done)
}

// decided notes what became of the commits in flight, and takes their memory back.
func (c *commits) decided(err error) error {
	if err == nil {
		c.landed += uint64(len(c.flying))
	}
	c.free = c.free[:0]
	for i, done := range c.flying {
		c.free = append(c.free, done.State)
		c.flying[i] = nil
	}
	c.flying = c.flying[:0]
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
	by, so := "as the end of the input does", "To go on with inputs that grow, write in the source\n\ttime: end_of_input: \"hold\"\nand begin anew"
	if in.of.Follow || in.of.Hold {
		by, so = "as -drain tells it to", "To go on with inputs that grow, leave out -drain: a run that is told to stop (SIGTERM), or that holds its input, commits and closes none.\nTo begin anew"
	}
	return fmt.Errorf("source %s: there is more to read at byte %d of %s, but the run that ended at %s closed all windows, %s: records behind it could only be late. %s: %s",
		in.of.Name, in.block.Base+int64(in.block.Pos), in.block.File, time.Unix(0, r.commits.restored.Time).UTC().Format(time.RFC3339), by, so, r.anew())
}
