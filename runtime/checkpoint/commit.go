package checkpoint

import (
	"errors"
	"os"
)

// Commit implements Authority:
//
//  1. the outputs' rows are made durable
//  2. the record of the commit is written
//  3. and made durable: from here on it counts
//  4. the commit is noted as acknowledged
//  5. the outputs show their rows
//  6. some of what no commit needs any more is given back
//
// A crash before 3 leaves a record that may be there or not; whoever finds it makes it durable before acting on it. One after 3 leaves 5 to be done again from the parts of
// the outputs.
func (p *Place) Commit(c *Commit) error {
	if p.broken != nil {
		return p.broken
	}
	err := p.commit(c)
	if err != nil {
		p.broken = err // whether an fsync that failed did anything cannot be found out by another one
	}
	return err
}

func (p *Place) commit(c *Commit) error {
	r := record{Seq: p.seq + 1, Epoch: p.epoch + 1, Since: p.since(), Time: c.Time, Final: c.Final, Sources: c.Sources, State: c.State}
	for _, o := range c.Outputs {
		if o.Rows != nil {
			if err := o.Rows.Sync(); err != nil {
				return err
			}
		}
		r.Outputs = append(r.Outputs, Part{o.Name, o.State})
	}
	marks, err := p.append(&r)
	if err != nil {
		return err
	}
	if _, err := p.ack.WriteAt(ackOf(r.Seq), 0); err != nil {
		return p.explain(p.path(ackName), err)
	}
	p.seq, p.open.last, p.open.marks = r.Seq, r.Seq, marks
	for _, o := range c.Outputs {
		if o.Rows == nil {
			continue
		}
		if err := o.Rows.Publish(); err != nil {
			return err
		}
	}
	if err := p.clean(r.Since); err != nil {
		return err
	}
	return p.living.Note(r.Seq, r.State)
}

// append writes a record and makes it durable.
func (p *Place) append(r *record) ([]mark, error) {
	if p.open != nil && p.open.size >= p.limits.Segment {
		if err := p.file.Close(); err != nil {
			return nil, p.explain(p.path(p.open.name), err)
		}
		p.segments, p.open, p.file = append(p.segments, p.open), nil, nil
	}
	p.record = p.record[:0]
	fresh := p.open == nil
	if fresh {
		p.open = &segment{header: header{First: r.Seq, Pipeline: p.options.Pipeline, Layout: p.options.Layout}, name: segmentName(r.Seq, 0)}
		p.record = appendHeader(p.record, &p.open.header)
		p.open.start = int64(len(p.record))
		var err error
		if p.file, err = p.disk.Open(p.path(p.open.name), os.O_RDWR|os.O_CREATE|os.O_EXCL); err != nil {
			return nil, p.explain(p.path(p.open.name), err)
		}
	}
	p.record = appendFront(p.record, r)
	marks, err := marksOf(p.open.marks, r.Seq, r.State)
	if err != nil {
		return nil, err
	}
	for _, data := range [][]byte{p.record, r.State} {
		if _, err = p.file.WriteAt(data, p.open.size); err != nil {
			return nil, p.explain(p.path(p.open.name), err)
		}
		p.open.size += int64(len(data))
	}
	p.added = int64(len(p.record) + len(r.State))
	err = p.file.Sync()
	if err == nil && fresh {
		err = p.disk.SyncDir(p.dir)
	}
	return marks, p.explain(p.path(p.open.name), err)
}

// since is the oldest commit that the newest one still needs.
func (p *Place) since() uint64 {
	for _, s := range p.segments {
		s.weigh(&p.living)
		if len(s.marks) > 0 {
			return s.First
		}
	}
	switch {
	case p.open != nil:
		return p.open.First
	}
	return p.seq + 1
}

// clean gives back segments that nothing is needed of, and a bounded amount of other work.
func (p *Place) clean(since uint64) error {
	for len(p.segments) > 0 && p.segments[0].last < since && (p.merging == nil || p.merging.from[0] != p.segments[0]) {
		if err := p.disk.Remove(p.path(p.segments[0].name)); err != nil {
			return p.explain(p.path(p.segments[0].name), err)
		}
		p.segments = p.segments[1:]
	}
	if p.merging == nil {
		p.weighNext()
		if p.merging = p.plan(); p.merging == nil {
			return nil
		}
	}
	return p.mergeStep()
}

// weighNext looks at one segment in turn.
func (p *Place) weighNext() {
	if len(p.segments) > 0 {
		p.weighed = (p.weighed + 1) % len(p.segments)
		p.segments[p.weighed].weigh(&p.living)
	}
}

var errChanged = errors.New("a segment changed while it was in use: another program writes into the folder of the commits")
