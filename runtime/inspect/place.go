package inspect

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/source"
	"github.com/streamwright/streamwright/runtime/stream"
)

// Place is what a pipeline has committed in a folder.
type Place struct {
	dir                string
	found              *checkpoint.Contents
	highest, watermark int64
	counts             map[string]uint64 // by what the layout calls them
	stages             []*stage          // in the order of the layout
}

// Open reads the folder of the commits and changes nothing. Damaged is what is wrong with it; what is told then are the commits before that.
func Open(dir string) (p *Place, damaged error, err error) {
	c, err := checkpoint.Look(disk.OS{}, dir)
	if err != nil {
		return nil, nil, err
	}
	p = &Place{dir: dir, found: c, counts: map[string]uint64{}}
	if c.Damage != nil {
		damaged = c.Damage
	}
	if c.Seq == 0 {
		return p, damaged, nil
	}
	states := make([][]byte, len(c.States))
	for i, s := range c.States {
		states[i] = s.Data
	}
	byID := map[uint32]*stage{}
	layout := ""
	for _, s := range c.States { // the newest last
		layout = s.Layout
	}
	for _, is := range pieces(layout) {
		s := &stage{piece: is, entries: map[string]*entry{}, starts: map[string][]int64{}}
		if slices.Contains(headNames(layout), fmt.Sprintf("numbers of keys of piece %d", checkpoint.Number(is.id))) {
			s.keys = map[uint32]string{}
		}
		p.stages = append(p.stages, s)
		byID[is.id] = s
	}
	err = checkpoint.Read(states, func(f checkpoint.Frame) error {
		if f.Piece == checkpoint.Head {
			return p.head(f.Data, headNames(layout))
		}
		if s := byID[f.Piece]; s != nil { // else of a stage that is gone, or an earlier version of one
			s.read(f)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	for _, s := range p.stages {
		maps.DeleteFunc(s.entries, func(_ string, e *entry) bool { return e.dies <= p.watermark })
	}
	return p, damaged, nil
}

// head reads times and counts.
func (p *Place) head(data []byte, names []string) error {
	var n, m int
	p.highest, n = binary.Varint(data)
	p.watermark, m = binary.Varint(data[max(0, n):])
	if n <= 0 || m <= 0 {
		return errors.New("the head is damaged")
	}
	data = data[n+m:]
	for _, name := range names {
		name, ok := strings.CutPrefix(name, "count ")
		if !ok {
			break
		}
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("the head is damaged")
		}
		p.counts[name], data = v, data[n:]
	}
	return nil
}

// Stages are the names of the stages that keep something.
func (p *Place) Stages() []string {
	names := make([]string, len(p.stages))
	for i, s := range p.stages {
		names[i] = s.stage
	}
	return names
}

// Summary writes what is there, for people.
func (p *Place) Summary(w io.Writer) error {
	c := p.found
	if c.Seq == 0 {
		_, err := fmt.Fprintf(w, "%s: no commit can be read\n", p.dir)
		return err
	}
	var lines [][3]string
	add := func(name, what, format string, args ...any) {
		lines = append(lines, [3]string{name, what, fmt.Sprintf(format, args...)})
	}
	final := ""
	if c.Final {
		final = "; the input has ended, and nothing can follow"
	}
	add("commit", grouped(c.Seq), "%s, by process %d of this place%s", wall(c.Time), c.Process, final)
	if c.Note != "" {
		add("", "", "has it, or had it last: %s", c.Note)
	}
	highest := "highest event time " + shown(p.highest)
	if p.highest == stream.Never && p.watermark != stream.Never {
		highest = "the lowest of several inputs"
	}
	add("watermark", shown(p.watermark), "%s", highest)
	for _, s := range c.Sources {
		file, offset, err := source.Where(s.Data)
		where := fmt.Sprintf("%s, byte %s", file, grouped(uint64(offset)))
		if len(s.Data) == 0 {
			where = "at its beginning"
		} else if err != nil {
			where = err.Error()
		}
		records, counted := p.counts["source "+name(s.Name)+" records"]
		what := several(int(records), "record")
		if !counted { // a file of a source that has an input for each, and one count for all
			what = ""
		}
		add("source "+s.Name, what, "%s", where)
	}
	for _, s := range p.stages {
		if s.broken != nil {
			add("stage "+s.stage, "", "%s: %v", bytesOf(s.bytes), s.broken)
			continue
		}
		if !s.known() {
			add("stage "+s.stage, "", "%s; keys of such a stage (%s) cannot be shown", bytesOf(s.bytes), s.is[0])
			continue
		}
		oldest, newest := int64(0), int64(0)
		starts := map[int64]bool{}
		for _, e := range s.entries {
			if len(starts) == 0 || e.at < oldest {
				oldest = e.at
			}
			if len(starts) == 0 || e.at > newest {
				newest = e.at
			}
			starts[e.at] = true
		}
		span := ""
		if len(s.entries) > 0 {
			span = fmt.Sprintf(", from %s to %s", shown(oldest), shown(newest))
		}
		what := map[string]string{"dedup": "id", "running": "key", "session": "session"}[s.kind()]
		if what == "" {
			what = "key"
			if len(starts) > 0 && s.kind() != "session" {
				span = " in " + several(len(starts), "window") + span
			}
		}
		add("stage "+s.stage, several(len(s.entries), what), "%s%s; %s", bytesOf(s.bytes), span, s.is[0])
	}
	for _, o := range c.Outputs {
		path, size, err := sink.Where(o.Data)
		where := fmt.Sprintf("%s, %s", path, bytesOf(size))
		switch {
		case err != nil:
			where = err.Error()
		case path == "":
			where = "standard output, or another target that takes nothing back"
		}
		rows := ""
		if sink, ok := strings.CutPrefix(o.Name, "sink "); ok {
			rows = several(int(p.counts["sink "+name(sink)+" in"]), "row")
		}
		add(o.Name, rows, "%s", where)
	}
	whole := fmt.Sprintf("all commits from %d on are whole", c.Oldest)
	if d := c.Damage; d != nil {
		whole = fmt.Sprintf("commits %d to %d are whole", c.Oldest, d.Last)
		switch {
		case d.Lost == 1:
			whole += fmt.Sprintf(", %d is damaged", d.Last+1)
		case d.Lost > 1:
			whole += fmt.Sprintf(", %d to %d are damaged or behind damage", d.Last+1, d.Last+d.Lost)
		}
	}
	add("log", several(c.Segments, "segment"), "%s, of which %s are needed; %s", bytesOf(c.Bytes), bytesOf(c.Alive), whole)
	if c.Growing {
		add("", "", "commit %d is being written, or was when its process ended", c.Seq+1)
	}
	var width [2]int
	for _, l := range lines {
		for i := range width {
			width[i] = max(width[i], len([]rune(l[i])))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: pipeline %s\n", p.dir, c.Pipeline)
	for _, l := range lines {
		fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", width[0], l[0], width[1], l[1], l[2])
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Keys writes what a stage keeps, or with "" what all do, as NDJSON: by time, then by key. "until" is the watermark at which it goes.
func (p *Place) Keys(w io.Writer, only string) error {
	for _, s := range p.stages {
		if only != "" && s.stage != only {
			continue
		}
		if s.broken != nil {
			return fmt.Errorf("stage %s: %w", s.stage, s.broken)
		}
		if !s.known() {
			return fmt.Errorf("stage %s: keys of such a stage (%s) cannot be shown; there is only how much it keeps", s.stage, strings.Join(s.is, "; "))
		}
		all := slices.SortedFunc(maps.Values(s.entries), func(a, b *entry) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
		var line []byte
		for _, e := range all {
			line = codec.AppendText(append(line[:0], `{"stage":`...), s.stage)
			_, by, _ := strings.Cut(s.is[0], ", by the ") // of hopping and cumulative windows that are put together of parts
			switch s.kind() {
			case "dedup":
				line = fmt.Appendf(line, `,"id":{%s},"first":%s`, e.key, instant(e.at))
			case "running":
				line = fmt.Appendf(line, `,"key":{%s},%s`, e.key, e.kept)
			case "hopping", "cumulative":
				label, at := by+"_start", e.start
				if by == "" {
					label = "window_start"
					if s.kind() == "cumulative" { // windows of one start are told apart by their ends
						label, at = "window_end", e.dies
					}
				}
				line = fmt.Appendf(line, `,"%s":%s,"key":{%s},%s`, label, instant(at), e.key, e.kept)
			default:
				line = fmt.Appendf(line, `,"window_start":%s,"key":{%s},%s`, instant(e.start), e.key, e.kept)
			}
			if e.dies != stream.Always {
				line = fmt.Appendf(line, `,"until":%s`, instant(e.dies))
			}
			line = append(line, "}\n"...)
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// name is a name as layouts write it.
func name(plain string) string {
	if strings.ContainsFunc(plain, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) || plain == "" {
		return strconv.Quote(plain)
	}
	return plain
}

// shown is an event time for people.
func shown(ns int64) string {
	switch ns {
	case stream.Never:
		return "before all times"
	case stream.Always:
		return "after all times"
	}
	return string(codec.AppendInstant(nil, ns))
}

func wall(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339) }

// bytesOf is a size for people.
func bytesOf(n int64) string {
	switch {
	case n < 10<<10:
		return grouped(uint64(n)) + " bytes"
	case n < 10<<20:
		return grouped(uint64(n>>10)) + " KiB"
	}
	return grouped(uint64(n>>20)) + " MiB"
}

// several is how many of something there are.
func several(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(uint64(n)) + " " + what
}

// grouped is n with commas between thousands.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
