// Package reference is the pipeline of golden/bench/w1 taken literally: one record at a time, one node after the other, as the rules of the language are
// written, with maps and sorts and no thought for speed. It shares no code with the runtime, so that a processor that equals it on adversarial input is right for
// reasons of its own. Each function says the rule it follows.
//
// The rules in short. t is event time, W the watermark.
//
//   - A record is refused (decode) when it is not one valid JSON object, else (contract:<field>) by the first field in spec order that breaks its contract, else
//     (time_range) when its time is outside int64 nanoseconds.
//   - Every record is judged against W as it was before the record, by each node in the order of the arrows. Then W = max(W, t - 5s), whatever the nodes did with
//     the record, refused by the source excepted; then windows close.
//   - once: late when t + horizon <= W, before the id is looked up. The first copy's entry lives while W < t_first + horizon.
//   - A window [s, e) is too late when e <= W, closes when W >= e. A window whose bounds are no int64 refuses the row (time_range), late or not.
//   - Rows of one step leave in the order (end, start, key); of one record first what it did itself, then what its step did; dead letters by record, then in the
//     order of the stages in the spec.
//   - At the end of input W becomes plus infinity.
package reference

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Nanoseconds.
const (
	second         = int64(1_000_000_000)
	outOfOrderness = 5 * second
	horizon        = 600 * second
	size           = 60 * second
)

// maxRecord is the largest record in bytes, its newline not counted.
const maxRecord = 1 << 20

// minusInfinity is the watermark before the first record.
const minusInfinity = math.MinInt64

// Count names a counter as a processor does.
type Count struct{ Node, Kind, Name string }

// Dead is a dead letter, as far as it does not depend on the wording.
type Dead struct {
	Kind      string // "record", or "row" for one that a window made
	Stage     string // or the source
	Reason    string
	Field     string // of contracts
	Offset    int64  // of records: of the first byte in the file
	EventTime string // RFC 3339, of records that a stage refused
	Value     string // of records: the record
	Key       string // of rows: the user
	Start     string // of rows: start of the window, RFC 3339
	Watermark string // before the record, or before the step that closed the window; RFC 3339, empty for infinity
}

// Result is everything the pipeline put out.
type Result struct {
	Totals, ByType, Late []byte
	Dead                 []Dead
	Counts               map[Count]uint64 // those that are not 0
	After                []After          // each record
}

// After is how far the outputs had come when a record had been judged and its step taken.
type After struct {
	Offset               int64 // of the record in the file
	Totals, ByType, Late int   // bytes
	Dead                 int   // letters
	Watermark            int64
}

type event struct {
	id, user, kind string
	amount         float64
	at             int64
}

// pipeline is the state between two records.
type pipeline struct {
	result    *Result
	offset    int64  // of the record at hand
	line      string // the record
	watermark int64
	before    int64            // the watermark before the step at hand
	seen      map[string]int64 // id -> event time of the first copy
	spend     map[place]*spending
	types     map[place]uint64
}

// place is a window and a key.
type place struct {
	start int64
	key   string
}

type spending struct {
	events uint64
	sum    float64 // of Neumaier's summation
	fix    float64 // its compensation
}

// Run takes a whole file through the pipeline.
func Run(file []byte) *Result {
	p := &pipeline{
		result:    &Result{Counts: map[Count]uint64{}},
		watermark: minusInfinity,
		seen:      map[string]int64{},
		spend:     map[place]*spending{},
		types:     map[place]uint64{},
	}
	p.lines(file)
	p.before = p.watermark
	p.watermark = math.MaxInt64
	p.step(func(int64) bool { return true })
	return p.result
}

func (p *pipeline) count(node, kind, name string) { p.result.Counts[Count{node, kind, name}]++ }

// lines cuts the file into records: at newlines, whatever is open; blank lines are no records; CRLF, a missing last newline and a byte-order mark at the very
// start are fine.
func (p *pipeline) lines(file []byte) {
	rest := file
	if bytes.HasPrefix(rest, []byte("\uFEFF")) {
		rest = rest[len("\uFEFF"):]
	}
	for len(rest) > 0 {
		p.offset = int64(len(file) - len(rest))
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		if len(bytes.Trim(line, " \t\r")) > 0 {
			p.record(string(line))
			r := p.result
			r.After = append(r.After, After{p.offset, len(r.Totals), len(r.ByType), len(r.Late), len(r.Dead), p.watermark})
		}
	}
}

// record judges one record against the watermark before it, then moves the watermark, then steps.
func (p *pipeline) record(line string) {
	p.line = line
	p.count("events", "records", "")
	e, reason, field := decode(line)
	if len(line) > maxRecord {
		reason, field = "too_large", ""
	}
	if reason != "" {
		p.refuse("events", reason, Dead{Field: field})
		return // nothing else moves W
	}
	p.count("events", "out", "")
	p.wanted(e)

	// A time below minimum + 5s saturates: its watermark is minus infinity still.
	w := new(big.Int).Sub(big.NewInt(e.at), big.NewInt(outOfOrderness))
	if w.IsInt64() && w.Int64() > p.watermark {
		p.before = p.watermark
		p.watermark = w.Int64()
		p.step(func(end int64) bool { return p.watermark >= end })
	}
}

// refuse sends the record at hand to the dead letters.
func (p *pipeline) refuse(node, reason string, d Dead) {
	p.count(node, "refused", reason)
	d.Kind, d.Stage, d.Reason, d.Offset, d.Value, d.Watermark = "record", node, reason, p.offset, p.line, formatWatermark(p.watermark)
	p.result.Dead = append(p.result.Dead, d)
}

// wanted: filter "type == 'click' || type == 'purchase'".
func (p *pipeline) wanted(e *event) {
	p.count("wanted", "in", "")
	if e.kind == "click" || e.kind == "purchase" {
		p.count("wanted", "passed", "")
		p.once(e)
	} else {
		p.count("wanted", "dropped", "filtered")
	}
}

// once: dedup by id, horizon 10m, late rows to the side output. The contract has refused empty ids.
func (p *pipeline) once(e *event) {
	p.count("once", "in", "")
	if p.reached(e.at, horizon) {
		p.count("once", "side", "")
		p.late(e)
		return
	}
	if first, ok := p.seen[e.id]; ok && !p.reached(first, horizon) {
		p.count("once", "dropped", "duplicate")
		return
	}
	p.seen[e.id] = e.at
	p.count("once", "passed", "")
	p.intoSpend(e)
	p.intoTypes(e)
}

// reached: W >= t + d. The sum saturates, and no watermark of a record reaches a sum beyond int64.
func (p *pipeline) reached(t, d int64) bool {
	sum := new(big.Int).Add(big.NewInt(t), big.NewInt(d))
	return big.NewInt(p.watermark).Cmp(sum) >= 0
}

// intoSpend: tumbling 1m, key user, late rows to the side output.
func (p *pipeline) intoSpend(e *event) {
	p.count("spend", "in", "")
	start, end, ok := bounds(e.at)
	if !ok {
		p.refuse("spend", "time_range", Dead{EventTime: formatTime(e.at)})
		return
	}
	if end <= p.watermark {
		p.count("spend", "side", "")
		p.late(e)
		return
	}
	p.count("spend", "folded", "")
	s := p.spend[place{start, e.user}]
	if s == nil {
		s = &spending{}
		p.spend[place{start, e.user}] = s
		p.count("spend", "opened", "")
	}
	s.add(e.amount)
}

// intoTypes: tumbling 1m, key type, late rows dropped.
func (p *pipeline) intoTypes(e *event) {
	p.count("types", "in", "")
	start, end, ok := bounds(e.at)
	if !ok {
		p.refuse("types", "time_range", Dead{EventTime: formatTime(e.at)})
		return
	}
	if end <= p.watermark {
		p.count("types", "dropped", "late")
		return
	}
	p.count("types", "folded", "")
	if p.types[place{start, e.kind}] == 0 {
		p.count("types", "opened", "")
	}
	p.types[place{start, e.kind}]++
}

// bounds is the window of t: s = floor(t / size) * size, [s, s + size). ok is false when one of them is no int64.
func bounds(t int64) (start, end int64, ok bool) {
	// Div rounds towards minus infinity for a positive divisor.
	s := new(big.Int).Div(big.NewInt(t), big.NewInt(size))
	s.Mul(s, big.NewInt(size))
	e := new(big.Int).Add(s, big.NewInt(size))
	return s.Int64(), e.Int64(), s.IsInt64() && e.IsInt64()
}

// add is Neumaier's variant of Kahan's summation (A. Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974).
func (s *spending) add(x float64) {
	s.events++
	t := s.sum + x
	if math.Abs(s.sum) >= math.Abs(x) {
		s.fix += (s.sum - t) + x
	} else {
		s.fix += (x - t) + s.sum
	}
	s.sum = t
}

// late: the row goes to the sink as it entered the stage. A record is late in once or in spend, never in both.
func (p *pipeline) late(e *event) {
	p.count("late_events", "in", "")
	p.result.Late = appendEvent(p.result.Late, e)
}

// step closes the windows that are due, spend before types.
func (p *pipeline) step(due func(end int64) bool) {
	var last *place
	for _, at := range sorted(p.spend, due) {
		if last == nil || last.start != at.start {
			p.count("spend", "closed", "")
		}
		last = &at
		p.count("spend", "made", "")
		p.closeSpend(at, p.spend[at])
		delete(p.spend, at)
	}
	last = nil
	for _, at := range sorted(p.types, due) {
		if last == nil || last.start != at.start {
			p.count("types", "closed", "")
		}
		last = &at
		p.count("types", "made", "")
		p.count("types", "out", "")
		p.count("by_type", "in", "")
		p.result.ByType = appendTypes(p.result.ByType, at, p.types[at])
		delete(p.types, at)
	}
}

// closeSpend writes a row, or refuses it when a result is not finite.
func (p *pipeline) closeSpend(at place, s *spending) {
	total := s.sum + s.fix
	mean := total / float64(s.events)
	if math.IsInf(total, 0) || math.IsNaN(total) || math.IsInf(mean, 0) || math.IsNaN(mean) {
		p.count("spend", "row_refused", "not_finite")
		p.result.Dead = append(p.result.Dead, Dead{
			Kind: "row", Stage: "spend", Reason: "not_finite", Key: at.key, Start: formatTime(at.start), Watermark: formatWatermark(p.before),
		})
		return
	}
	p.count("spend", "out", "")
	p.count("totals", "in", "")
	p.result.Totals = appendSpend(p.result.Totals, at, s.events, total, mean)
}

// sorted gives the places whose window is due in the order (end, start, key), strings by bytes. Windows of one size end in the order in which they start.
func sorted[V any](open map[place]V, due func(end int64) bool) []place {
	var places []place
	for at := range open {
		if due(at.start + size) {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.start < b.start:
			return -1
		case a.start > b.start:
			return 1
		}
		return strings.Compare(a.key, b.key)
	})
	return places
}
