package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Claim implements Authority. It may be killed at any instant and called again: each step leaves a place that means the same.
func (p *Place) Claim() (*Restored, error) {
	restored, err := p.claim()
	if err != nil {
		p.Close()
	}
	return restored, err
}

func (p *Place) claim() (*Restored, error) {
	if err := p.hold(); err != nil {
		return nil, err
	}
	acked, err := p.acknowledged()
	if err != nil {
		return nil, err
	}
	s, err := p.survey()
	if err != nil {
		return nil, err
	}
	if len(s.segments) == 0 {
		if acked.seq > 0 {
			return nil, &Damage{Dir: p.dir, Lost: acked.seq, What: fmt.Sprintf("%d commits were acknowledged and all of them are gone", acked.seq), Anew: p.options.Anew}
		}
		if len(s.strange) > 0 {
			return nil, fmt.Errorf("%s: is not empty and holds no commits: %s; commit.dir names a folder of its own, which may be missing or empty at first", p.dir, strings.Join(s.strange, ", "))
		}
	}
	f, err := p.read(s.segments, acked)
	if err != nil {
		return nil, err
	}
	if n := len(f.layouts); n > 0 { // what commits before the newest hold is dead, or belongs to stages that are no more
		if err := p.reads(f.layouts[n-1]); err != nil {
			return nil, err
		}
	}
	r := &Restored{}
	if f.damage != nil {
		if f.damage.Back && (!p.options.Exact && f.damage.Lost == 1 || p.options.GoBack == f.damage.Last) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: what was committed is damaged: %s; went back to commit %d, what came after it is read again", p.dir, f.damage.What, f.damage.Last))
			r.Back = true
			err = p.back(f)
		} else {
			err = f.damage
		}
	} else if p.options.GoBack > 0 {
		err = fmt.Errorf("%s: nothing is damaged, and %s; start without -go-back %d", p.dir, newest(f.last()), p.options.GoBack)
	} else if err = p.cut(f); err == nil && f.torn != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: cut off commit %d, which was being written when the last run ended", p.dir, f.last()+1))
	}
	if err != nil {
		return nil, err
	}
	if err := p.settle(f, s.garbage); err != nil {
		return nil, err
	}
	return r, p.restore(f, r)
}

// surveyed are the names in a place.
type surveyed struct {
	segments []string
	garbage  []string // temporary files, and segments that a later one replaces
	strange  []string
}

func (p *Place) survey() (s surveyed, err error) {
	names, err := p.disk.List(p.dir)
	if err != nil {
		return s, p.explain(p.dir, err)
	}
	replaced := func(name string) bool {
		a, b, _ := segmentRange(name)
		for _, other := range names {
			if first, last, ok := segmentRange(other); ok && other != name && first <= a && max(a, b) <= last {
				return true
			}
		}
		return false
	}
	for _, name := range names {
		_, _, isSegment := segmentRange(name)
		switch {
		case name == lockName || name == ackName || strings.HasSuffix(name, ".damaged"):
		case strings.HasSuffix(name, ".tmp"):
			s.garbage = append(s.garbage, name)
		case !isSegment:
			s.strange = append(s.strange, name)
		case replaced(name):
			s.garbage = append(s.garbage, name)
		default:
			s.segments = append(s.segments, name)
		}
	}
	return s, nil
}

// found is what the segments of a place hold.
type found struct {
	segments []*segment
	commits  []record // their states are part of what was read
	layouts  []string // beside commits
	torn     *segment // a commit that was not acknowledged, at its size; nothing is whole behind it
	sure     int64    // bytes of the newest segment that an fsync has made durable, as its process was told
	damage   *Damage
	broken   *segment // where the damage is, at its size
	behind   []string // segments behind the damage
	gap      uint64   // commits right before this one are missing. A crash leaves that when it undoes some of several removals, then none of them is needed
}

// since is the oldest commit that the newest one needs.
func (f *found) since() uint64 {
	if len(f.commits) == 0 {
		return 0
	}
	return f.commits[len(f.commits)-1].Since
}

func (f *found) last() uint64 {
	if len(f.commits) == 0 {
		return 0
	}
	return f.commits[len(f.commits)-1].Seq
}

// newest says which commit is the newest.
func newest(seq uint64) string {
	if seq == 0 {
		return "nothing has been committed"
	}
	return fmt.Sprintf("the newest commit is %d", seq)
}

// read reads all segments up to the first thing that is wrong. Commits that are missing are, if one behind them needs them.
func (p *Place) read(names []string, acked acknowledgement) (*found, error) {
	f, err := p.readUp(names, acked, false)
	if err == nil && f.damage == nil && f.gap > f.since() {
		f, err = p.readUp(names, acked, true)
	}
	if err != nil {
		return nil, err
	}
	if acked.lost != "" && len(names) > 0 {
		what := fmt.Sprintf("the file %s %s, so that nobody knows whether commits behind %d are gone", ackName, acked.lost, f.last())
		if f.damage != nil {
			what = f.damage.What + "; " + what
		}
		f.damage = &Damage{What: what}
	}
	if d := f.damage; d != nil {
		d.Dir, d.Last, d.Back, d.Anew = p.dir, f.last(), f.canGoOn(acked.seq), p.options.Anew
	}
	return f, nil
}

// readUp is read. strict says that missing commits are wrong.
func (p *Place) readUp(names []string, acked acknowledgement, strict bool) (*found, error) {
	f := &found{}
	for i, name := range names {
		data, err := load(p.disk, p.dir, name)
		if err != nil {
			return nil, p.explain(p.path(name), err)
		}
		s := &segment{name: name}
		what, torn, err := p.readSegment(f, s, data, acked.seq, strict)
		if err != nil {
			return nil, err
		}
		if what == "" {
			f.segments = append(f.segments, s)
			continue
		}
		next := s.last + 1 // the commit that should be there
		last := max(acked.seq, newestBehind(data[s.size:], s.version, next))
		if torn = torn && i == len(names)-1 && last < next && (acked.known || len(f.commits) > 0) && acked.lost == ""; torn {
			f.torn = s
		} else {
			if f.broken, f.behind = s, names[i+1:]; len(f.behind) > 0 {
				first, until, _ := segmentRange(f.behind[len(f.behind)-1])
				last = max(last, first, until)
			}
			f.damage = &Damage{Lost: max(last, next) - f.last(), What: fmt.Sprintf("%s at byte %d of %s", what, s.size, name)}
		}
		if s.size > s.start {
			f.segments = append(f.segments, s)
		}
		break
	}
	last := f.last()
	switch {
	case f.damage != nil:
	case acked.seq > last:
		f.damage = &Damage{Lost: acked.seq - last, What: fmt.Sprintf("commits up to %d were acknowledged, and the newest that is there is %d", acked.seq, last)}
	case len(f.segments) > 0 && f.segments[len(f.segments)-1].Last > 0:
		f.damage = &Damage{What: fmt.Sprintf("commits behind %d were there when %s was put together, and are gone", f.segments[len(f.segments)-1].Last, f.segments[len(f.segments)-1].name)}
	case last > 0 && f.segments[0].First > f.since():
		f.damage = &Damage{What: fmt.Sprintf("commits from %d on are needed, and the oldest that is there is %d", f.since(), f.segments[0].First)}
	}
	return f, nil
}

// canGoOn says whether all is there that the newest whole commit needs. The one before the last that was acknowledged always can: cleaning takes care of that. Of others
// that is known only as long as nothing is gone that they needed when they were made.
func (f *found) canGoOn(acked uint64) bool {
	last := f.last()
	if last == 0 || (f.segments[0].First > f.since() || f.gap > f.since()) && acked != last+1 {
		return false
	}
	for _, s := range f.segments {
		if s.Cleaned > last {
			return false
		}
	}
	return true
}

// readSegment adds the commits of a segment. what is what is wrong at s.size, where s ends as far as it is whole; torn says that a crash may have left it so.
func (p *Place) readSegment(f *found, s *segment, data []byte, acked uint64, strict bool) (what string, torn bool, err error) {
	first, last, _ := segmentRange(s.name)
	s.last = first - 1
	h, n, err := readHeader(data)
	if later, ok := errors.AsType[newer](err); ok {
		return "", false, fmt.Errorf("%s: %w", p.path(s.name), later)
	}
	if err != nil || h.First != first || h.Last != last || last > 0 && h.Size != uint64(len(data)) {
		return "the head of the segment is damaged", last == 0, nil
	}
	if before := len(f.segments); before > 0 && f.segments[before-1].last+1 != first {
		if strict {
			return fmt.Sprintf("commits %d to %d are missing", f.segments[before-1].last+1, first-1), false, nil
		}
		f.gap = first
	}
	if h.Pipeline != p.options.Pipeline && p.options.Pipeline != "" && !slices.Contains(p.options.Was, h.Pipeline) {
		return "", false, fmt.Errorf("%s: holds the commits of pipeline %s, and this is %s; give each pipeline a commit.dir of its own; if it is that pipeline under another name, write was: %[2]q in it, and generate anew", p.dir, h.Pipeline, p.options.Pipeline)
	}
	s.header = h
	s.start, s.size = int64(n), int64(n)
	f.sure = 0
	for s.size < int64(len(data)) {
		r, size, err := readRecord(data[s.size:], h.version)
		if err == nil && (r.Seq <= s.last || last == 0 && r.Seq != s.last+1 || last > 0 && r.Seq > last) {
			err = errNoRecord
		}
		var marks []mark
		if err == nil {
			marks, err = marksOf(s.marks, r.Seq, r.State)
		}
		if err != nil {
			return fmt.Sprintf("commit %d is not whole", s.last+1), last == 0, nil
		}
		s.marks, s.last = marks, r.Seq
		s.size += int64(size)
		if r.Seq <= acked {
			f.sure = s.size
		}
		f.commits, f.layouts = append(f.commits, r), append(f.layouts, h.Layout)
	}
	if last > 0 {
		s.last = last
	} else if s.last < first {
		return fmt.Sprintf("commit %d is missing", first), true, nil
	}
	return "", false, nil
}

// reads says whether this pipeline can go on from a commit of a layout.
func (p *Place) reads(layout string) error {
	if layout == p.options.Layout {
		return nil
	}
	err := fmt.Errorf("the state means something else now:\n%s", changes(layout, p.options.Layout))
	if p.options.Reads != nil {
		err = p.options.Reads(layout)
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: was written by another version of pipeline %s, which this one cannot go on from: %w\nGo back to the spec that wrote it, or start from the beginning on purpose: %s",
		p.dir, p.options.Pipeline, err, anew(p.options.Anew, p.dir))
}

// changes lists the lines that only one of two texts has.
func changes(was, is string) string {
	var text strings.Builder
	only := func(mark string, a, b string) {
		other := map[string]bool{}
		for line := range strings.Lines(b) {
			other[strings.TrimSpace(line)] = true
		}
		for line := range strings.Lines(a) {
			if line = strings.TrimSpace(line); !other[line] {
				text.WriteString("\n\t" + mark + line)
			}
		}
	}
	only("was:  ", was, is)
	only("is:   ", is, was)
	return strings.TrimPrefix(text.String(), "\n")
}

// newestBehind is the newest commit of which data has a whole record, wherever that is, and that was not made durable together with commit seq or before it: then that was acknowledged. 0 is none.
func newestBehind(data []byte, version uint32, seq uint64) (newest uint64) {
	for i := 0; len(data)-i >= recordHeader; i++ {
		if little.Uint64(data[i:]) > uint64(len(data)-i) {
			continue
		}
		if r, size, err := readRecord(data[i:], version); err == nil {
			if r.With > seq {
				newest = max(newest, r.Seq)
			}
			i += size - 1
		}
	}
	return newest
}

// cut makes an end of the commit that was being written when the last process ended.
func (p *Place) cut(f *found) error {
	s := f.torn
	if s == nil {
		return nil
	}
	if s.size == s.start { // it was the first of its segment
		return p.explain(p.path(s.name), p.disk.Remove(p.path(s.name)))
	}
	return p.truncate(s.name, s.size)
}

func (p *Place) truncate(name string, size int64) error {
	file, err := p.disk.Open(p.path(name), os.O_RDWR)
	if err == nil {
		err = file.Truncate(size)
		if err == nil {
			err = file.Sync()
		}
		err = errors.Join(err, file.Close())
	}
	return p.explain(p.path(name), err)
}

// back puts away what is damaged and what came after it: the newest first, so that a crash leaves a place that is as damaged as before.
func (p *Place) back(f *found) error {
	away := func(name string) string {
		return p.path(fmt.Sprintf("%s.%d.damaged", name, time.Now().UnixNano()))
	}
	for i := len(f.behind) - 1; i >= 0; i-- {
		if err := p.disk.Rename(p.path(f.behind[i]), away(f.behind[i])); err != nil {
			return p.explain(p.path(f.behind[i]), err)
		}
		if err := p.disk.SyncDir(p.dir); err != nil {
			return p.explain(p.dir, err)
		}
	}
	s := f.broken
	if s == nil {
		return nil // something is missing, nothing is in the way
	}
	if s.size == s.start {
		return p.explain(p.path(s.name), p.disk.Rename(p.path(s.name), away(s.name)))
	}
	data, err := load(p.disk, p.dir, s.name)
	if err != nil {
		return p.explain(p.path(s.name), err)
	}
	name := away(s.name)
	file, err := p.disk.Open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err == nil {
		_, err = file.WriteAt(data[s.size:], 0)
		if err == nil {
			err = file.Sync()
		}
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return p.explain(name, err)
	}
	return p.truncate(s.name, s.size)
}

// settle makes durable what was found before anybody acts on it: a commit that a killed process wrote and never synced must not go away later. It is written again, for after an fsync that failed the
// system may take it for written. Then what it replaces goes.
func (p *Place) settle(f *found, garbage []string) error {
	if n := len(f.segments); n > 0 {
		if err := p.rewrite(f.segments[n-1], f.sure); err != nil {
			return p.explain(p.path(f.segments[n-1].name), err)
		}
	}
	if err := p.disk.SyncDir(p.dir); err != nil {
		return p.explain(p.dir, err)
	}
	for len(f.segments) > 1 && f.segments[0].last < f.since() { // a crash came before they were removed
		garbage = append(garbage, f.segments[0].name)
		f.segments = f.segments[1:]
	}
	for _, name := range garbage {
		if err := p.disk.Remove(p.path(name)); err != nil {
			return p.explain(p.path(name), err)
		}
	}
	return p.renewAck(f.last())
}

// rewrite writes what a segment has behind its first so many bytes once more, and makes it durable.
func (p *Place) rewrite(s *segment, sure int64) error {
	file, err := p.disk.Open(p.path(s.name), os.O_RDWR)
	if err != nil {
		return err
	}
	if doubt := make([]byte, max(0, s.size-sure)); len(doubt) > 0 {
		if _, err = file.ReadAt(doubt, sure); err == nil {
			_, err = file.WriteAt(doubt, sure)
		}
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// restore takes over what was found.
func (p *Place) restore(f *found, r *Restored) error {
	p.segments = f.segments
	if len(f.commits) == 0 {
		return nil
	}
	newest := &f.commits[len(f.commits)-1]
	p.seq, p.epoch = newest.Seq, newest.Epoch
	r.Seq, r.Time, r.Final, r.Sources, r.Outputs = newest.Seq, newest.Time, newest.Final, newest.Sources, newest.Outputs
	r.Layout = f.layouts[len(f.layouts)-1]
	for _, c := range f.commits {
		if err := p.living.Note(c.Seq, c.State); err != nil {
			return fmt.Errorf("%s: commit %d: %w", p.dir, c.Seq, err)
		}
	}
	for i, c := range f.commits {
		state, err := p.living.of(c.Seq, c.State)
		if err != nil {
			return err
		}
		if len(state) > 0 {
			r.States = append(r.States, State{c.Seq, f.layouts[i], state})
		}
	}
	for _, s := range p.segments {
		s.weigh(&p.living)
	}
	return nil
}
