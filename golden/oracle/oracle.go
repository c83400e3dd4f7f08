// Package oracle takes a checked pipeline and a file of records and computes what must come out, as literally as the rules of the language are written: one record
// at a time, one node after the other, everything that a window may need kept as it came, sums in big numbers, sorts where an order is asked for. It shares no code
// with gen and runtime, so that a generated processor that equals it on a drawn spec and a drawn stream is right for reasons of its own.
//
// A word of the language is a file here as on every floor: it implements node and is named in newNode. An aggregate is a case of aggregate, a kind of window
// a case of windowsOf.
//
// What it takes as given is spec.Pipeline: that check understood the spec, and what spec.Resolve made of an expression. Those are held against CUE and cel-go elsewhere
// (golden/bad, golden/contracts, golden/expr).
//
// The rules in short. t is event time, W the watermark.
//
//   - A record is refused (decode, too_large, contract, time_range, future) and nothing else happens; or every node judges it against W as it was before it, in the order
//     of the arrows. Then W = max(W, t - out_of_orderness) whatever the nodes did with it, and the nodes step in the same order: each takes the rows that the step made
//     before it, judged against the W before the step, and only then the new W.
//   - Of several inputs the next record is taken from the one with the smallest highest event time, of equal ones from the first; W is the least of their watermarks. One without another
//     record has ended: it is left out, and if that moves W the nodes step. So is one that is idle, until it brings a record that is accepted; when all are idle W holds.
//   - At the end W becomes plus infinity.
//   - Rows of several inputs, and dead letters: by record; of one record first what it did itself, then what its step did; then by the order of `from` (dead letters: of
//     the stages in the spec).
package oracle

import (
	"bytes"
	"math"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// The watermarks that no event time reaches: before the first record, after the last.
const (
	never  = math.MinInt64
	always = math.MaxInt64
)

// Count names a counter as a processor does.
type Count struct{ Node, Kind, Name string }

// Result is all that a pipeline gives.
type Result struct {
	Outputs   [][]byte         // of each sink, in the order of the spec; of CSV without the header
	Letters   []byte           // dead letters, a line each, without the message
	Counts    map[Count]uint64 // those that are not 0
	Watermark int64            // after the last record, before the end
	Late      int              // rows that came too late for a stage
}

// Input is what a source reads: one file, and the wall clock while it does. Partition says that it is one of several files of the source which stands before.
type Input struct {
	File      string // name of it, for dead letters
	Data      []byte
	Now       int64 // Unix ns
	Partition bool
}

// Silence has an input bring nothing, and be idle, while another one is read from record From to before record Until. Inputs are numbers, records count from 0.
type Silence struct{ Input, Beside, From, Until int }

// Run takes whole inputs through a pipeline: those of each source, in the order of the spec.
func Run(p *spec.Pipeline, silences []Silence, in ...Input) *Result {
	r := &run{
		spec: p, watermark: never, nodes: map[string]node{}, rows: map[string][]*row{},
		result: &Result{Outputs: make([][]byte, len(p.Sinks)), Counts: map[Count]uint64{}},
	}
	for _, s := range p.Order {
		r.nodes[s.Name] = newNode(s)
	}
	for _, s := range silences {
		r.silences = append(r.silences, &silence{Silence: s})
	}
	source := -1
	for i, of := range in {
		if !of.Partition {
			source++
		}
		r.inputs = append(r.inputs, &input{Input: of, number: i, source: p.Sources[source], rest: bytes.TrimPrefix(of.Data, bom), highest: never, watermark: never})
	}
	for r.next() {
		r.number++
		r.judge(r.input.read)
	}
	r.result.Watermark = r.watermark
	r.number++ // the end stands behind the last record, so that what it changes has a higher revision
	r.step(always)
	return r.result
}

// next makes the next record that at hand: of the input that is furthest behind. Those without another record have ended.
func (p *run) next() bool {
	p.input = nil
	for _, in := range p.inputs {
		in.has = in.has || in.record()
	}
	p.silence()
	for _, in := range p.inputs {
		if in.has && !in.silent && (p.input == nil || in.highest < p.input.highest) {
			p.input = in
		}
	}
	if p.input == nil {
		return false
	}
	if least := p.least(); least > p.watermark {
		p.number++ // it stands between two records
		p.step(least)
	}
	p.input.has = false
	p.input.taken++
	return true
}

// silence says which inputs bring nothing now. When that begins they are idle.
func (p *run) silence() {
	for _, in := range p.inputs {
		in.silent = false
	}
	for _, s := range p.silences {
		if beside := p.inputs[s.Beside]; beside.has && s.From <= beside.taken && beside.taken < s.Until {
			in := p.inputs[s.Input]
			in.silent, in.idle = true, in.idle || !s.begun
			s.begun = true
		}
	}
}

// least is the least watermark of the inputs that are active; that of the pipeline when there are none.
func (p *run) least() int64 {
	least, active := int64(always), false
	for _, in := range p.inputs {
		if (in.has || in == p.input) && !in.idle { // of the one at hand it is not known yet whether it has another one
			least, active = min(least, in.watermark), true
		}
	}
	if !active {
		return p.watermark
	}
	return least
}

type silence struct {
	Silence
	begun bool
}

// input is one of those that a run reads.
type input struct {
	Input
	number    int
	source    *spec.Source
	rest      []byte   // of the file, behind the record
	names     []string // of the columns of CSV
	has       bool     // the record was not taken yet
	taken     int      // records
	silent    bool     // it brings nothing now
	idle      bool     // it has brought nothing, and no record that was accepted since
	offset    int64    // of the record in the file
	line      []byte   // its bytes
	highest   int64    // event time so far
	watermark int64    // of this input alone
}

// run is a pipeline between two records.
type run struct {
	spec      *spec.Pipeline
	inputs    []*input
	silences  []*silence
	*input    // the one with the record at hand
	nodes     map[string]node
	watermark int64
	number    int64             // of the record at hand, from 1; a step without a record counts, too
	at        int64             // its event time
	rows      map[string][]*row // of each output, in the phase at hand
	letters   []letter          // of the phase at hand
	result    *Result
}

// row is a row on its way.
type row struct {
	values object
	at     int64 // event time
	made   *made // what it is known by when no record brought it; nil for a record
}

// node is what a stage does and remembers.
type node interface {
	// take takes the rows that reach the stage in one phase, in their order.
	take(p *run, rows []*row)
	// step takes a new watermark. The one before is p.watermark.
	step(p *run, to int64)
}

// newNode is a stage that has seen nothing yet.
func newNode(s *spec.Stage) node {
	switch {
	case s.Filter != nil:
		return &filter{s}
	case s.Select != nil:
		return &selection{s}
	case s.Route != nil:
		return &route{s}
	case s.Dedup != nil:
		return &dedup{Stage: s, first: map[string]int64{}}
	case s.Window != nil && s.Window.Kind == spec.Session:
		return &sessions{Stage: s}
	case s.Window != nil:
		return &windows{Stage: s, open: map[string]*pane{}}
	case s.Running != nil:
		return &running{Stage: s, keys: map[string]*total{}}
	case s.Top != nil:
		return &top{s}
	}
	panic("the oracle has no such stage: " + s.Name)
}

// stage is the stage of a name.
func (p *run) stage(name string) *spec.Stage {
	return p.spec.Stages[slices.IndexFunc(p.spec.Stages, func(s *spec.Stage) bool { return s.Name == name })]
}

func (p *run) count(node, kind, name string) { p.result.Counts[Count{node, kind, name}]++ }

// give puts a row out.
func (p *run) give(node, output string, r *row) {
	ref := spec.Ref{Node: node, Output: output}.String()
	p.rows[ref] = append(p.rows[ref], r)
}

// late is what happens to a row that came too late: the watermark has reached until. A record for which that of its own input has not is counted apart.
func (p *run) late(node string, l spec.Late, r *row, until int64) {
	p.result.Late++
	name := "late"
	if r.made == nil && until > p.input.watermark && slices.ContainsFunc(p.spec.Sources, func(s *spec.Source) bool { return s.Time.Idle != nil }) {
		name = "late_after_idle"
	}
	if l.Side() {
		p.count(node, "Side", name)
		p.give(node, "late", r)
	} else {
		p.count(node, "Dropped", name)
	}
}

// event is a record that the source has accepted: what it does itself, and then its step.
func (p *run) event(r *row) {
	p.at = r.at
	p.count(p.source.Name, "Out", "out")
	p.give(p.source.Name, "", r)
	p.phase(nil)
	p.highest = max(p.highest, r.at)
	p.input.watermark = max(p.input.watermark, plus(r.at, -p.source.Time.OutOfOrderness))
	p.idle = false
	p.step(max(p.watermark, p.least()))
}

// step moves the watermark. Nodes that have something to do at a watermark that stays look for themselves.
func (p *run) step(to int64) {
	p.phase(&to)
	p.watermark = to
}

// phase goes through the nodes in the order of the arrows.
func (p *run) phase(to *int64) {
	for _, s := range p.spec.Order {
		rows := p.entering(s.From)
		for range rows {
			p.count(s.Name, "In", "in")
		}
		p.nodes[s.Name].take(p, rows)
		if to != nil {
			p.nodes[s.Name].step(p, *to)
		}
	}
	for i, s := range p.spec.Sinks {
		for _, r := range p.entering(s.From) {
			p.count(s.Name, "In", "in")
			p.result.Outputs[i] = p.write(p.result.Outputs[i], s, r)
		}
	}
	clear(p.rows)
	p.post()
}

// entering are the rows that reach a node in this phase: what each of its inputs gave, in the order of `from`.
func (p *run) entering(from []spec.Ref) []*row {
	var rows []*row
	for _, ref := range from {
		rows = append(rows, p.rows[ref.String()]...)
	}
	return rows
}
