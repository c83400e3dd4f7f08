package checkpoint

import (
	"fmt"
	"io"
	"os"

	"github.com/streamwright/streamwright/runtime/disk"
)

// merge puts what is alive in some segments that follow each other into a new one, a part of it with each commit. The new one gets its name when it is whole and durable, and
// that is durable before the others go: a crash leaves either them, or it, or both, of which the new one counts.
type merge struct {
	from []*segment
	into *segment
	out  disk.File
	temp string
	next int       // of from: the segment that is read
	in   disk.File // that segment; nil: not open yet
	at   int64     // where in it
	data []byte
}

// plan chooses segments that are worth it; nil if none are.
func (p *Place) plan() *merge {
	total, dead := int64(0), int64(0)
	for _, s := range p.segments {
		total += s.size
		dead += s.dead
	}
	if (dead <= p.limits.Dead || 2*dead <= total) && int64(len(p.segments)) <= p.limits.Many {
		return nil
	}
	crowded := int64(len(p.segments)) > p.limits.Many
	var from []*segment
	alive := int64(0)
	for _, s := range p.segments {
		if s.last >= p.living.seq { // one could still go back to it, so its positions are needed
			break
		}
		worth := 4*s.dead >= s.size || crowded
		if len(from) > 0 && (!worth || alive+s.size-s.dead > p.limits.Merged || s.Layout != from[0].Layout) {
			if len(from) > 1 || 4*from[0].dead >= from[0].size {
				break
			}
			from, alive = nil, 0
		}
		if worth {
			from = append(from, s)
			alive += s.size - s.dead
		}
	}
	if len(from) == 0 || len(from) == 1 && 4*from[0].dead < from[0].size {
		return nil
	}
	first, last := from[0].First, from[len(from)-1].last
	into := &segment{header: header{First: first, Last: last, Pipeline: p.options.Pipeline, Layout: from[0].Layout, version: version}, name: segmentName(first, last), last: last}
	return &merge{from: append([]*segment(nil), from...), into: into, temp: p.path(into.name + ".tmp")}
}

// mergeStep goes on with the merge, by about limits.step bytes.
func (p *Place) mergeStep() error {
	m := p.merging
	err := p.mergeSome(m)
	if err == nil && m.next == len(m.from) {
		err = p.mergeEnd(m)
		p.merging = nil
	}
	if err != nil {
		return p.explain(m.temp, err)
	}
	return nil
}

func (p *Place) mergeSome(m *merge) (err error) {
	if m.out == nil {
		if m.out, err = p.disk.Open(m.temp, os.O_RDWR|os.O_CREATE|os.O_TRUNC); err != nil {
			return err
		}
		m.into.start = int64(len(appendHeader(nil, &m.into.header)))
		m.into.size = m.into.start
	}
	for budget := max(p.limits.Step, 4*p.added); budget > 0 && m.next < len(m.from); {
		s := m.from[m.next]
		if m.in == nil {
			if m.in, err = p.disk.Open(p.path(s.name), os.O_RDONLY); err != nil {
				return err
			}
			m.at = s.start
		}
		if m.at >= s.size || len(s.marks) == 0 {
			if err = m.in.Close(); err != nil {
				return err
			}
			m.in, m.next = nil, m.next+1
			continue
		}
		n, err := p.mergeOne(m, s)
		if err != nil {
			return err
		}
		budget -= n
	}
	return m.out.Sync() // so that the last one has little left to do
}

// mergeOne moves what is alive of one commit.
func (p *Place) mergeOne(m *merge, s *segment) (read int64, err error) {
	m.data = append(m.data[:0], make([]byte, recordHeader)...)
	if _, err := m.in.ReadAt(m.data, m.at); err != nil && err != io.EOF {
		return 0, err
	}
	size, err := recordSize(m.data)
	if err != nil || size > s.size-m.at {
		return 0, fmt.Errorf("%s at byte %d: %w", s.name, m.at, errChanged)
	}
	if int64(cap(m.data)) < size {
		m.data = make([]byte, size)
	}
	m.data = m.data[:size]
	if _, err := m.in.ReadAt(m.data, m.at); err != nil && err != io.EOF {
		return 0, err
	}
	r, _, err := readRecord(m.data, s.version)
	if err != nil {
		return 0, fmt.Errorf("%s at byte %d: %w", s.name, m.at, errChanged)
	}
	m.at += size
	state, err := p.living.AppendLiving(nil, r.Seq, r.State)
	if err != nil || len(state) == 0 {
		return size, err
	}
	r.State, r.Sources, r.Outputs = state, nil, nil // those of the newest commit count
	record := appendRecord(nil, &r)
	if _, err := m.out.WriteAt(record, m.into.size); err != nil {
		return size, err
	}
	m.into.size += int64(len(record))
	m.into.marks, err = marksOf(m.into.marks, r.Seq, state)
	return size + int64(len(record)), err
}

// mergeEnd puts the new segment in the place of the others.
func (p *Place) mergeEnd(m *merge) error {
	m.into.Cleaned, m.into.Size = p.living.seq, uint64(m.into.size)
	if _, err := m.out.WriteAt(appendHeader(nil, &m.into.header), 0); err != nil {
		return err
	}
	if err := m.out.Sync(); err != nil {
		return err
	}
	if err := m.out.Close(); err != nil {
		return err
	}
	if err := p.disk.Rename(m.temp, p.path(m.into.name)); err != nil {
		return err
	}
	if err := p.disk.SyncDir(p.dir); err != nil {
		return err
	}
	var rest []*segment
	for _, s := range p.segments {
		if s == m.from[0] {
			rest = append(rest, m.into)
		}
		replaced := false
		for _, f := range m.from {
			replaced = replaced || f == s
		}
		if !replaced {
			rest = append(rest, s)
			continue
		}
		if s.name == m.into.name {
			continue // its name is the new one's
		}
		if err := p.disk.Remove(p.path(s.name)); err != nil {
			return err
		}
	}
	p.segments = rest
	return nil
}

// abandonMerge forgets a merge; the next claim removes its file.
func (p *Place) abandonMerge() {
	if m := p.merging; m != nil {
		if m.in != nil {
			m.in.Close()
		}
		if m.out != nil {
			m.out.Close()
		}
		p.merging = nil
	}
}
