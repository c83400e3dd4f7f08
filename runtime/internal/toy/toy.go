// Package toy is a processor that is small enough to be checked by eye. The tests of packages around the processor run it.
//
// A record is a whole number of seconds, its event time; the watermark is the highest seen. Odd negative numbers are filtered; numbers are counted per ten
// seconds, late ones dropped; a window of more than three is refused. Anything else than a number is refused, "panic" panics.
package toy

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/deadletter"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

const (
	second = int64(1e9)
	size   = 10 * second
	limit  = 3
)

const (
	records = iota
	out
	decode
	tooLarge
	evenIn
	evenPassed
	evenFiltered
	countIn
	countFolded
	countLate
	countOpened
	countMade
	countOut
	countOverflow
	seenIn
	countsIn
	counters
)

// Pipeline reads path and writes every number to seen and a row per window to counts.
func Pipeline(path, seen, counts, dead string) task.Pipeline {
	return task.Pipeline{
		Name:       "toy",
		Spec:       "toy.cue",
		New:        func(batch int) task.Processor { return &toy{batch: batch, watermark: stream.Never} },
		Sources:    []task.Source{{Name: "numbers", Path: path, MaxRecord: 16}},
		Sinks:      []task.Sink{{Name: "seen", Target: task.Target{Path: seen, Append: true}}, {Name: "counts", Target: task.Target{Path: counts}}},
		DeadLetter: &task.DeadLetter{Target: task.Target{Path: dead}, StopShare: 0.5, StopOf: 10},
		Counters: []task.Counter{
			{Node: "numbers", Kind: task.Records, Name: "records"}, {Node: "numbers", Kind: task.Out, Name: "out"},
			{Node: "numbers", Kind: task.Refused, Name: "decode"}, {Node: "numbers", Kind: task.Refused, Name: "too_large"},
			{Node: "even", Kind: task.In, Name: "in"}, {Node: "even", Kind: task.Passed, Name: "passed"}, {Node: "even", Kind: task.Dropped, Name: "filtered"},
			{Node: "counts", Kind: task.In, Name: "in"}, {Node: "counts", Kind: task.Folded, Name: "folded"}, {Node: "counts", Kind: task.Dropped, Name: "late"},
			{Node: "counts", Kind: task.Opened, Name: "opened"}, {Node: "counts", Kind: task.Made, Name: "made"},
			{Node: "counts", Kind: task.Out, Name: "out"}, {Node: "counts", Kind: task.RowRefused, Name: "overflow:n"},
			{Node: "seen", Kind: task.In, Name: "in"}, {Node: "counts", Kind: task.In, Name: "in"}, // a sink may be called as a stage is
		},
	}
}

var sites = []stream.Site{{}, {Node: "numbers", Reason: "decode", Want: "a number", Counter: decode},
	{Node: "numbers", Reason: "too_large", Counter: tooLarge}, {Node: "counts", Reason: "overflow:n", Counter: countOverflow}}

type pane struct{ start, n int64 }

type toy struct {
	batch      int
	watermark  int64
	open       []pane // by start
	counts     [counters]uint64
	seen, rows stream.Output
	letters    stream.Letters
}

func (p *toy) Process(in *stream.Batch) {
	p.letters.Records = p.letters.Records[:0]
	for i := range uint32(p.batch) {
		line, ok := in.Next()
		if !ok {
			return
		}
		p.counts[records]++
		p.record(in, line, i)
	}
}

func (p *toy) record(in *stream.Batch, line stream.Str, i uint32) {
	text := in.Text(line)
	t, ok := number(text)
	if !ok || in.Oversize > 0 {
		site := &sites[1]
		fault := stream.FaultSyntax
		if in.Oversize > 0 {
			site, fault = &sites[2], stream.FaultTooLarge
		}
		if text == "panic" {
			panic("toy")
		}
		p.letters.Records = append(p.letters.Records, i)
		p.refuse(&deadletter.Letter{Pipeline: "toy", Site: site, Fault: fault, Source: "numbers", File: in.File, Offset: in.Base + int64(line.Off),
			Value: in.Bytes(line), Size: in.Oversize, Watermark: p.watermark})
		return
	}
	p.counts[out]++
	p.counts[evenIn]++
	if t < 0 && t%2 != 0 {
		p.counts[evenFiltered]++
	} else {
		p.counts[evenPassed]++
		p.counts[seenIn]++
		p.seen.Buf = append(strconv.AppendInt(p.seen.Buf, t, 10), '\n')
		p.seen.Rows++
		p.count(t * second)
	}
	p.step(max(p.watermark, t*second))
}

func (p *toy) refuse(l *deadletter.Letter) {
	p.counts[l.Site.Counter]++
	p.letters.Buf = deadletter.AppendLetter(p.letters.Buf, l)
	p.letters.Rows++
}

func (p *toy) count(t int64) {
	p.counts[countIn]++
	start := t - (t%size+size)%size
	if start+size <= p.watermark {
		p.counts[countLate]++
		return
	}
	p.counts[countFolded]++
	for i := range p.open {
		if p.open[i].start == start {
			p.open[i].n++
			return
		}
	}
	p.counts[countOpened]++
	p.open = append(p.open, pane{start, 1})
	for i := len(p.open) - 1; i > 0 && p.open[i].start < p.open[i-1].start; i-- {
		p.open[i], p.open[i-1] = p.open[i-1], p.open[i]
	}
}

func (p *toy) step(w int64) {
	before := p.watermark
	p.watermark = w
	for len(p.open) > 0 && p.open[0].start+size <= w {
		o := p.open[0]
		p.open = p.open[:copy(p.open, p.open[1:])]
		p.counts[countMade]++
		if o.n > limit {
			p.refuse(&deadletter.Letter{Pipeline: "toy", Site: &sites[3], Fault: stream.FaultOverflow, Row: true, WindowStart: o.start, WindowEnd: o.start + size, Watermark: before})
			continue
		}
		p.counts[countOut]++
		p.counts[countsIn]++
		p.rows.Rows++
		p.rows.Buf = strconv.AppendInt(append(p.rows.Buf, `{"start":`...), o.start/second, 10)
		p.rows.Buf = strconv.AppendInt(append(p.rows.Buf, `,"n":`...), o.n, 10)
		p.rows.Buf = append(p.rows.Buf, "}\n"...)
	}
}

func number(s string) (n int64, ok bool) {
	digits := s
	if s != "" && s[0] == '-' {
		digits = s[1:]
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, digits != ""
}

func (p *toy) End() {
	p.letters.Records = p.letters.Records[:0]
	p.step(stream.Always)
}

func (p *toy) Watermark() int64 { return p.watermark }

func (p *toy) Output(i int) *stream.Output { return []*stream.Output{&p.seen, &p.rows}[i] }

func (p *toy) Letters() *stream.Letters { return &p.letters }

func (p *toy) AppendCounts(dst []uint64) []uint64 { return append(dst, p.counts[:]...) }

// AppendState puts the open windows into one piece, which is always whole.
func (p *toy) AppendState(dst []byte, _ bool) []byte {
	at := len(dst)
	dst = checkpoint.Begin(dst, checkpoint.Head)
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.watermark))
	for _, n := range p.counts {
		dst = binary.BigEndian.AppendUint64(dst, n)
	}
	checkpoint.End(dst, at, p.watermark, 0)
	at = len(dst)
	dst = checkpoint.Begin(dst, 1)
	last := stream.Never
	for _, o := range p.open {
		dst = binary.BigEndian.AppendUint64(dst, uint64(o.start))
		dst = binary.BigEndian.AppendUint64(dst, uint64(o.n))
		last = o.start + size
	}
	checkpoint.End(dst, at, last, 0)
	return dst
}

func (p *toy) Commit() {}

func (p *toy) Restore(commits ...[]byte) error {
	for _, commit := range commits {
		for len(commit) > 0 {
			f, rest, err := checkpoint.Next(commit)
			if err != nil {
				return err
			}
			commit = rest
			next := func() int64 {
				n := binary.BigEndian.Uint64(f.Data)
				f.Data = f.Data[8:]
				return int64(n)
			}
			if f.Piece == checkpoint.Head {
				if len(f.Data) != 8*(1+counters) {
					return errors.New("short state")
				}
				p.watermark = next()
				for i := range p.counts {
					p.counts[i] = uint64(next())
				}
				continue
			}
			for p.open = p.open[:0]; len(f.Data) > 0; {
				p.open = append(p.open, pane{next(), next()})
			}
		}
	}
	return nil
}

func (p *toy) Reset() {
	p.watermark, p.open, p.counts = stream.Never, p.open[:0], [counters]uint64{}
	p.seen, p.rows = stream.Output{Buf: p.seen.Buf[:0]}, stream.Output{Buf: p.rows.Buf[:0]}
	p.letters.Output, p.letters.Records = stream.Output{Buf: p.letters.Buf[:0]}, p.letters.Records[:0]
}
