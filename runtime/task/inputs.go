package task

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/source"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/watermark"
)

// input is one input of a run: a source, or a file of a source that has a partition for each.
type input struct {
	of       *Source
	source   int    // place of it in the spec
	name     string // in commits
	number   int    // of the processor, where it has several inputs
	files    *source.Files
	spooled  *source.Options // of a spool that is still to be opened
	spool    *source.Spool   // of standard input under commits; nil: there is none
	durable  []byte          // position in the last commit that is, of a spool
	ahead    *source.Ahead   // of files; nil before the first record
	block    *source.Block   // at hand; nil: the next one must be asked for
	position []byte          // behind the last record that was processed; where moved, it is still to be found out
	moved    bool
	over     bool      // its end was reached
	waits    bool      // it is caught up with somebody who may write more
	bucket   *bucket   // of the source; nil: there is no rate
	spoke    time.Time // when a record of it has last moved the watermark, or it was assigned
	hold     bool      // that does not let the others go on without it
	gone     bool      // a file that an earlier run has read to its end, which was removed then
}

// sources opens the inputs.
func (r *run) sources(ctx context.Context, o Options) error {
	p := &r.pipeline
	p.Sources = slices.Clone(p.Sources) // the caller's keep their ${…}
	r.news = make(chan struct{}, 1)
	r.origins = make([]origin, len(p.Sources))
	for i := range p.Sources {
		s := &p.Sources[i]
		if s.Rate != nil {
			r.origins[i].bucket = newBucket(s.Rate, time.Now())
		}
		if err := r.source(ctx, i, s, o); err != nil {
			return fmt.Errorf("source %s: %w", s.Name, err)
		}
		r.hold = r.hold || s.Hold && !o.Drain
	}
	return nil
}

// origin is what the inputs of a source share.
type origin struct {
	options source.Options
	bucket  *bucket           // nil: there is no rate
	files   *source.Discovery // of files that appear while others are read; nil: they do not
}

// input adds an input of source i.
func (r *run) input(i int, in input) *input {
	s := &r.pipeline.Sources[i]
	in.of, in.source, in.bucket, in.hold = s, i, r.origins[i].bucket, s.Hold && !r.drain
	r.inputs = append(r.inputs, &in)
	return &in
}

// source opens the inputs of a source.
func (r *run) source(ctx context.Context, i int, s *Source, o Options) (err error) {
	written := s.Path
	if s.Path, err = Expand(written); err != nil {
		return err
	}
	if s.Rotated, err = Expand(s.Rotated); err != nil {
		return err
	}
	options := source.Options{MaxRecord: s.MaxRecord, Fields: s.Columns, Unpack: s.Unpack, Stdin: o.Stdin, Stop: ctx.Done(), Follow: s.Follow, Drain: o.Drain, Rotated: s.Rotated, News: r.news,
		Again: r.pipeline.Commit != nil, Hold: s.Hold && !o.Drain}
	options.Removed = s.PerFile && strings.ContainsAny(s.Path, "*?[")
	r.origins[i].options = options
	if s.Path == "-" && r.pipeline.Commit != nil { // what comes there is kept beside the commits, once these are claimed
		r.input(i, input{name: s.Name, spooled: &options})
		return nil
	}
	files, err := source.Open(s.Path, options)
	if err != nil {
		return expanded(err, written, s.Path)
	}
	if s.Follow && len(files.Names()) == 0 && !o.Drain {
		r.note(fmt.Sprintf("source %s: no file matches %s yet; it waits for one", s.Name, s.Path))
	}
	if !s.PerFile {
		r.input(i, input{name: s.Name, files: files})
		return nil
	}
	for _, name := range files.Names() {
		file, err := source.OpenFile(name, options)
		if err != nil {
			return err
		}
		r.input(i, input{name: s.Name + "/" + name, files: file})
	}
	return nil
}

// discover begins to look for files that appear while others are read.
func (r *run) discover() {
	for i := range r.origins {
		if p := &r.origins[i]; p.options.Removed && p.options.Follow && !r.drain {
			var known []string
			for _, in := range r.inputs {
				if in.source == i && in.files != nil {
					known = append(known, in.file())
				}
			}
			slices.Sort(known)
			p.files = source.Discover(r.pipeline.Sources[i].Path, known, p.options)
		}
	}
}

// appeared makes inputs of the files that have appeared.
func (r *run) appeared(inputs *watermark.Inputs) error {
	for i := range r.origins {
		s := &r.pipeline.Sources[i]
		for d := r.origins[i].files; d != nil; {
			f, ok := d.Next()
			if !ok {
				break
			}
			name := s.Name + "/" + f.Name
			switch {
			case f.Err != nil:
				return fmt.Errorf("source %s: %w", s.Name, f.Err)
			case slices.ContainsFunc(r.exits, func(e exit) bool { return e.path != "" && sink.Same(e.path, f.Name) }):
				return fmt.Errorf("source %s: %s matches %s, and this pipeline writes it; write to a place that the source does not read", s.Name, f.Name, s.Path)
			case slices.ContainsFunc(r.inputs, func(in *input) bool { return in.name == name }):
				return fmt.Errorf("source %s: %s was read and removed, and is there again: nobody knows whether it is the same. Give new files new names; what was read may be removed, and stays away", s.Name, f.Name)
			}
			in := r.input(i, input{name: name, files: f.Files})
			in.number = inputs.Add(i)
			r.rank(inputs)
			if r.commits != nil {
				r.commits.stepped = true
			}
		}
	}
	return nil
}

// positions lets each input go on where the last commit was. Inputs keep the numbers that they have there; new ones stand behind them.
func (r *run) positions() error {
	for _, in := range r.inputs {
		if in.spooled == nil {
			continue
		}
		var err error
		if r.spool == nil { // there is one standard input
			o := *in.spooled
			o.Stop = r.stop // it outlives an outage
			if r.spool, err = source.NewSpool(r.pipeline.Commit.Dir+spoolEnding, r.commits.restored.Source(in.name), o); err == nil && r.spool.Torn > 0 {
				r.note(fmt.Sprintf("source %s: cut off %s bytes of a row that had not come whole on standard input when the last run ended", in.of.Name, grouped(uint64(r.spool.Torn))))
			}
		}
		if in.spool = r.spool; err == nil {
			in.files, err = in.spool.Open(*in.spooled)
		}
		if err != nil {
			return fmt.Errorf("source %s: %w", in.of.Name, err)
		}
	}
	var known []*input
	for _, part := range r.commits.restored.Sources {
		i := slices.IndexFunc(r.inputs, func(in *input) bool { return in.name == part.Name })
		if i < 0 {
			of, _, ok := r.fileOf(part.Name)
			if !ok {
				continue
			}
			i = len(r.inputs)
			r.input(of, input{name: part.Name, gone: true})
		}
		in := r.inputs[i]
		in.position = slices.Clone(part.Data)
		if known = append(known, in); in.gone {
			continue // that it had ended is known when the state is
		}
		if err := in.files.Start(in.position); err != nil {
			return fmt.Errorf("source %s: %w", in.of.Name, err)
		}
	}
	for _, in := range r.inputs {
		if !slices.Contains(known, in) {
			known = append(known, in)
		}
	}
	r.inputs = known
	return nil
}

// spoolEnding makes the name of the folder of a spool of that of the commits.
const spoolEnding = ".stdin"

// fileOf is the file that an input of a commit was, of a source that has a partition for each.
func (r *run) fileOf(name string) (source int, file string, ok bool) {
	for i := range r.pipeline.Sources {
		s := &r.pipeline.Sources[i]
		if prefix := s.Name + "/"; s.PerFile && len(name) > len(prefix) && name[:len(prefix)] == prefix {
			return i, name[len(prefix):], true
		}
	}
	return 0, "", false
}

// file is the name of the file of an input that is one.
func (in *input) file() string { return in.name[len(in.of.Name)+1:] }

// number makes the inputs known to a processor that has several, and ranks them. Those of the last commit it knows.
func (r *run) number() error {
	m, ok := r.processor.(Merger)
	if !ok {
		if len(r.inputs) != 1 {
			return fmt.Errorf("%s has %d inputs and a processor for one: this is a bug in streamwright", r.pipeline.Name, len(r.inputs))
		}
		return nil
	}
	inputs := m.Inputs()
	for i, in := range r.inputs {
		if in.number = i; i == len(inputs.Input) {
			inputs.Add(in.source)
		}
		switch member := &inputs.Input[i]; {
		case in.gone && !member.Ended:
			return fmt.Errorf("source %s: %s was read, and is not among the files any more: put it back, so that nothing of it is lost", in.of.Name, in.file())
		case in.of.Follow && !in.gone && r.origins[in.source].options.Removed:
			member.Ended = false // it was removed, and somebody has put it back
		}
		in.over = in.gone
	}
	r.discover()
	inputs.More = slices.ContainsFunc(r.origins, func(o origin) bool { return o.files != nil })
	r.rank(inputs)
	return nil
}

// rank puts the inputs in order.
func (r *run) rank(inputs *watermark.Inputs) {
	r.order = append(r.order[:0], r.inputs...)
	slices.SortFunc(r.order, func(a, b *input) int { return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.name, b.name)) })
	for rank, in := range r.order {
		inputs.Input[in.number].Rank = rank
	}
}

// begin starts to read.
func (r *run) begin(in *input) {
	var decode func(in *stream.Batch)
	if d, ok := r.processor.(Decoder); ok {
		decode = d.Decode
	}
	in.spoke = time.Now()
	in.ahead = source.NewAhead(in.files, r.cores, decode)
}

// block takes the next block of the only input. over says that there is none.
func (r *run) block(ctx context.Context, in *input, tick <-chan time.Time) (over bool, err error) {
	if in.ahead == nil {
		r.begin(in)
	}
	b, err := in.ahead.Next(tick)
	if b == nil && err == nil {
		return false, r.ticked()
	}
	if over, err := r.got(ctx, in, b, err); over || err != nil {
		return over, err
	}
	for b.Pos < b.End {
		if err := r.allowed(ctx, in, tick); err != nil {
			return false, err
		}
		if ctx.Err() != nil {
			return false, r.interrupted(ctx)
		}
		if err := r.batch(in); err != nil {
			return false, err
		}
	}
	return false, r.done(in)
}

// got looks at a block that has come, or at the end of an input.
func (r *run) got(ctx context.Context, in *input, b *source.Block, err error) (over bool, _ error) {
	if err == nil || err == io.EOF {
		if err := r.head(in, b.Header); err != nil {
			return false, err
		}
	}
	switch {
	case err == io.EOF:
		if name, left := in.files.Left(); left > 0 {
			r.note(fmt.Sprintf("source %s: the last %s bytes of %s have no newline: they are left for the next run", in.of.Name, grouped(uint64(left)), name))
		}
		in.over = true
		return true, nil
	case ctx.Err() != nil:
		return false, r.interrupted(ctx)
	case err != nil:
		return false, err
	}
	in.block = b
	if r.commits != nil && r.commits.restored.Final {
		return false, r.finished(in)
	}
	return false, nil
}

// done is what follows the last record of a block.
func (r *run) done(in *input) error {
	live := in.block.Live
	in.block = nil
	if live { // nobody knows when more comes
		return r.write(0)
	}
	return nil
}

// every is how often a run looks whether something is due although nothing comes; 0: never.
func (r *run) every() (every time.Duration) {
	if r.commits != nil {
		every = r.commits.every / 2
	}
	if d := r.status.every; r.status.tell != nil && (every == 0 || d < every) {
		every = d
	}
	for i := range r.pipeline.Sources {
		if d := min(r.pipeline.Sources[i].Idle/8, time.Second/4); d > 0 && (every == 0 || d < every) {
			every = d
		}
	}
	return every
}

// syncSpools makes durable what commits name positions in.
func (r *run) syncSpools() error {
	for _, in := range r.inputs {
		if in.spool != nil {
			if err := in.spool.Sync(); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget removes what spools have of before the last commit, which is durable, and notes where the one is that follows.
func (r *run) forget() error {
	for _, in := range r.inputs {
		if in.spool == nil {
			continue
		}
		if err := in.spool.Forget(in.durable); err != nil {
			return err
		}
		in.durable = append(in.durable[:0], in.position...)
	}
	return nil
}

// locate notes where the input is.
func (in *input) locate() {
	if in.moved && in.block != nil {
		in.position = source.AppendPosition(in.position[:0], &in.block.Batch, in.of.MaxRecord)
	}
	in.moved = false
}

// parts are the positions of the inputs, for a commit.
func (r *run) parts() []checkpoint.Part {
	parts := make([]checkpoint.Part, len(r.inputs))
	for i, in := range r.inputs {
		in.locate()
		parts[i] = checkpoint.Part{Name: in.name, Data: slices.Clone(in.position)}
	}
	return parts
}
