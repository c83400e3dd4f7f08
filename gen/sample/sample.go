// Package sample makes events from the contract of a source: for a first trial of a pipeline, for benchmarks and for fuzzing.
//
// Every value keeps its field's contract, except in the records that are broken on purpose, each in one place and one way. Texts come from automata that are
// made of the contract's patterns, so that a contract that no value keeps is known before the first event. The same Config gives the same bytes.
package sample

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/streamwright/streamwright/spec"
)

// Config says what the events look like.
type Config struct {
	Source     int     // place of the source in the spec
	Events     int     // records, the copies and the broken ones counted
	Seed       uint64  // other seeds give other events
	Rate       float64 // records per second of event time, above 0
	Start      int64   // ns, event time of the first record; NoStart: DefaultStart, or what the contract has near it
	Disorder   int64   // ns >= 0 that a record at most arrives after it happened; AsDeclared: out_of_orderness, at most 5s
	Late       float64 // share, 0 to 1, that arrives behind the watermark
	Duplicates float64 // share that is an exact copy of an earlier record
	Broken     float64 // share that does not keep the contract
	Keys       int     // different keys, at least 1; low ones are frequent (Zipf)
}

const (
	NoStart    = math.MinInt64 // Config.Start that is chosen by the generator
	AsDeclared = -1            // Config.Disorder of the source
)

// DefaultStart is 2024-01-01T00:00:00Z in Unix ns.
const DefaultStart = 1_704_067_200_000_000_000

const (
	mostDisorder = 5 * int64(time.Second)
	skew         = 1.1  // exponent of Zipf's law
	flat         = 2.0  // and its offset: the first keys are not that much apart
	remembered   = 1024 // records that can be copied
)

// Generator makes the records of one source. It belongs to one goroutine.
type Generator struct {
	config  Config
	csv     bool
	largest int64 // bytes of a record
	root    *node
	time    *node // the event time
	clock   *integers
	dice    dice
	zipf    *rand.Zipf
	notes   []string

	behind  int64 // ns: out_of_orderness
	further int64 // ns that late records are at most behind the watermark
	horizon int64 // ns in which a copy is known as one; 0 without dedup

	made   int    // records
	ids    uint64 // records with an id of their own
	key    uint64 // of the record that is made
	newest int64  // event time; NoStart before the first record
	recent []record
	oldest int // in recent, once it is full
	faults []fault
	kinds  [][]fault // the same by kind
	fault  *fault    // that the record has, or nil
	first  []byte    // first member of the record
}

// record is one that can be copied.
type record struct {
	at   int64
	line []byte
}

// New prepares the events of one of the pipeline's sources. The error says which field no value can have, with its place in the spec.
func New(p *spec.Pipeline, c Config) (*Generator, error) {
	s := p.Sources[c.Source]
	g := &Generator{config: c, csv: s.Format == "csv", largest: s.MaxRecord, behind: s.Time.OutOfOrderness, newest: NoStart}
	g.dice.Rand = newRand(c.Seed)
	g.zipf = rand.NewZipf(g.dice.Rand, skew, flat, uint64(max(c.Keys, 1)-1))
	if c.Disorder == AsDeclared {
		g.config.Disorder = min(g.behind, mostDisorder)
	} else if c.Disorder > g.behind {
		g.note("the events are up to %v out of order, more than the out_of_orderness of %v: some are late", time.Duration(c.Disorder), time.Duration(g.behind))
	}
	if err := g.compile(p, s); err != nil {
		return nil, err
	}
	if err := g.settle(); err != nil {
		return nil, err
	}
	for _, st := range p.Stages {
		if st.Window != nil {
			g.further = max(g.further, 2*st.Window.Size, 4*st.Window.Gap)
		}
		if st.Dedup != nil && (g.horizon == 0 || st.Dedup.Horizon-st.Dedup.Spread < g.horizon) {
			g.horizon = st.Dedup.Horizon - st.Dedup.Spread
		}
	}
	g.further += int64(10 * time.Second)
	if c.Broken > 0 {
		g.findFaults()
		if len(g.kinds) == 0 {
			return nil, fmt.Errorf("no record of the source can be broken")
		}
	}
	return g, nil
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Notes are what the user may want to know of the events.
func (g *Generator) Notes() []string { return g.notes }

func (g *Generator) note(format string, args ...any) {
	g.notes = append(g.notes, fmt.Sprintf(format, args...))
}

// settle finds the start.
func (g *Generator) settle() error {
	n := g.clock
	span := int64(min(float64(g.config.Events)/g.config.Rate*1e9, math.MaxInt64/2)) / n.time
	start := g.config.Start
	if start == NoStart {
		g.config.Start = min(max(min(DefaultStart/n.time, minus(n.hi, span)), n.lo), n.hi) * n.time
		return nil
	}
	if at := floor(start, n.time); at < n.lo || at > n.hi {
		return g.time.wrong("a start at %s is outside of the contract", time.Unix(0, start).UTC().Format(time.RFC3339Nano))
	}
	return nil
}

// Write writes all records to w.
func (g *Generator) Write(w io.Writer) error {
	const block = 1 << 16
	buf := g.AppendHeader(make([]byte, 0, 2*block))
	for g.made < g.config.Events {
		var err error
		if buf, err = g.Append(buf); err != nil {
			return err
		}
		if len(buf) > block {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

// AppendHeader appends the header line of a format that has one.
func (g *Generator) AppendHeader(dst []byte) []byte {
	if !g.csv {
		return dst
	}
	for i, n := range g.root.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCell(dst, []byte(n.field.Name))
	}
	return append(dst, '\n')
}

// Append appends the next record and a newline. The error is that of a contract whose records are larger than the source's max_record.
func (g *Generator) Append(dst []byte) ([]byte, error) {
	due := g.config.Start + int64(float64(g.made)/g.config.Rate*1e9)
	if due < g.config.Start {
		due = math.MaxInt64
	}
	g.made++
	g.fault = nil
	watermark := int64(math.MinInt64)
	if g.newest != NoStart {
		watermark = minus(g.newest, g.behind)
	}
	switch lot := g.dice.Float64(); {
	case lot < g.config.Duplicates:
		if r := g.copyable(watermark); r != nil {
			return append(dst, r.line...), nil
		}
	case lot < g.config.Duplicates+g.config.Broken:
		kind := g.kinds[g.dice.IntN(len(g.kinds))]
		g.fault = &kind[g.dice.IntN(len(kind))]
	case lot < g.config.Duplicates+g.config.Broken+g.config.Late && g.newest != NoStart:
		return g.record(dst, minus(watermark, g.clock.time+g.dice.Int64N(g.further)), false)
	}
	step := g.clock.time
	at := floor(due, step) - g.dice.Int64N(g.config.Disorder/step+1)
	if at < math.MinInt64/step {
		at = math.MinInt64 / step
	}
	return g.record(dst, at*step, g.fault == nil)
}

// record makes a record that happened at a time. Of those that are on time the newest is known and some may be copied later.
func (g *Generator) record(dst []byte, at int64, onTime bool) ([]byte, error) {
	at = g.clock.near(at)
	g.dice.at = at
	g.key = g.zipf.Uint64()
	start := len(dst)
	for lean := range 3 {
		g.dice.lean = lean > 0
		if dst = g.line(dst[:start]); int64(len(dst)-start-1) <= g.largest || g.fault != nil {
			break
		}
		if lean == 2 {
			return dst, fmt.Errorf("an event has %d bytes, more than the source's max_record of %d", len(dst)-start-1, g.largest)
		}
	}
	g.ids++
	if !onTime {
		return dst, nil
	}
	g.newest = max(g.newest, at)
	if g.config.Duplicates > 0 {
		g.remember(at, dst[start:])
	}
	return dst, nil
}

func (g *Generator) remember(at int64, line []byte) {
	if len(g.recent) < remembered {
		g.recent = append(g.recent, record{at, append([]byte(nil), line...)})
		return
	}
	r := &g.recent[g.oldest]
	r.at, r.line = at, append(r.line[:0], line...)
	g.oldest = (g.oldest + 1) % remembered
}

// copyable is a record that a copy now would be a duplicate of, not one that comes too late to be known as that.
func (g *Generator) copyable(watermark int64) *record {
	for range 8 {
		if len(g.recent) == 0 {
			break
		}
		if r := &g.recent[g.dice.IntN(len(g.recent))]; r.at >= watermark || g.horizon > 0 && minus(r.at, watermark) > -g.horizon {
			return r
		}
	}
	return nil
}

// near is the time, ns, that the contract has at ns or next to it.
func (n *integers) near(ns int64) int64 {
	v := min(max(floor(ns, n.time), n.lo), n.hi)
	for _, not := range n.not { // sorted
		if v == not && v < n.hi {
			v++
		}
	}
	for i := len(n.not) - 1; i >= 0; i-- {
		if v == n.not[i] {
			v--
		}
	}
	return v * n.time
}

// minus is a - b, which stays within int64.
func minus(a, b int64) int64 {
	d := a - b
	switch {
	case b > 0 && d > a:
		return math.MinInt64
	case b < 0 && d < a:
		return math.MaxInt64
	}
	return d
}
