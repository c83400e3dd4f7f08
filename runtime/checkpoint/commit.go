package checkpoint

import (
	"errors"
	"os"
)

// Commit implements Authority:
//
//  1. the outputs' rows are made durable
//  2. the records of the commits are written
//  3. and made durable: from here on they count
//  4. the newest is noted as acknowledged
//  5. the outputs show their rows
//  6. some of what no commit needs any more is given back
//
// A crash before 3 leaves records that may be there or not, and the next claim takes those that are whole up to the first that is not, and makes them durable before acting on them. One
// after 3 leaves 5 to be done again from the parts of the outputs.
func (p *Place) Commit(commits ...*Commit) error {
	if p.broken != nil {
		return p.broken
	}
	err := p.commit(commits)
	if err != nil {
		p.broken = err // whether an fsync that failed did anything cannot be found out by another one
	}
	return err
}

func (p *Place) commit(commits []*Commit) error {
	var rows []Rows
	for _, c := range commits {
		for _, o := range c.Outputs {
			if o.Rows != nil {
				rows = append(rows, o.Rows)
			}
		}
	}
	for _, r := range rows {
		if err := r.Sync(); err != nil {
			return err
		}
	}
	since, first := p.since(), p.seq+1
	p.added = 0
	for _, c := range commits {
		r := record{Seq: p.seq + 1, Epoch: p.epoch + 1, Since: since, Time: c.Time, Final: c.Final, With: first, Sources: c.Sources, State: c.State}
		for _, o := range c.Outputs {
			r.Outputs = append(r.Outputs, Part{o.Name, o.State})
		}
		if err := p.append(&r); err != nil {
			return err
		}
		p.seq = r.Seq
	}
	if err := p.sync(); err != nil {
		return err
	}
	if _, err := p.ack.WriteAt(ackOf(p.seq), 0); err != nil {
		return p.explain(p.path(ackName), err)
	}
	for _, r := range rows {
		if err := r.Publish(); err != nil {
			return err
		}
	}
	if err := p.clean(since); err != nil {
		return err
	}
	for i, c := range commits {
		if err := p.living.Note(first+uint64(i), c.State); err != nil {
			return err
		}
	}
	return nil
}

// append writes a record.
func (p *Place) append(r *record) error {
	if p.open != nil && p.open.size >= p.limits.Segment {
		if err := p.sync(); err != nil {
			return err
		}
		if err := p.file.Close(); err != nil {
			return p.explain(p.path(p.open.name), err)
		}
		p.segments, p.open, p.file = append(p.segments, p.open), nil, nil
	}
	p.record = p.record[:0]
	if p.open == nil {
		p.open = &segment{header: header{First: r.Seq, Pipeline: p.options.Pipeline, Layout: p.options.Layout, version: version}, name: segmentName(r.Seq, 0)}
		p.record = appendHeader(p.record, &p.open.header)
		p.open.start = int64(len(p.record))
		var err error
		if p.file, err = p.disk.Open(p.path(p.open.name), os.O_RDWR|os.O_CREATE|os.O_EXCL); err != nil {
			return p.explain(p.path(p.open.name), err)
		}
		p.unnamed = true
	}
	p.record = appendFront(p.record, r)
	marks, err := marksOf(p.open.marks, r.Seq, r.State)
	if err != nil {
		return err
	}
	p.pending = true
	for _, data := range [][]byte{p.record, r.State} {
		if _, err := p.file.WriteAt(data, p.open.size); err != nil {
			return p.explain(p.path(p.open.name), err)
		}
		p.open.size += int64(len(data))
		p.added += int64(len(data))
	}
	p.open.last, p.open.marks = r.Seq, marks
	return nil
}

// sync makes durable what was appended.
func (p *Place) sync() error {
	if !p.pending {
		return nil
	}
	err := p.file.Sync()
	if err == nil && p.unnamed {
		err = p.disk.SyncDir(p.dir)
	}
	p.pending, p.unnamed = false, false
	return p.explain(p.path(p.open.name), err)
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
