// Package target is the processor of golden/bench/w1/w1.cue written by hand: what the generator must reproduce (up to names) and what later work on
// speed is measured against. It is frozen: it changes only when the shape of generated code is meant to change.
//
//	events ─ wanted ─ once ┬ spend ─ totals
//	                       └ types ─ by_type
//	once.late, spend.late ─ late_events
package target

import (
	"slices"

	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/deadletter"
	"github.com/streamwright/streamwright/runtime/expr"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/task"
	"github.com/streamwright/streamwright/runtime/watermark"
	"github.com/streamwright/streamwright/runtime/window"
)

const _ = stream.ABI1

// Durations are in nanoseconds of event time.
const (
	eventsOutOfOrderness = 5_000_000_000   // 5s
	eventsMaxRecord      = 1 << 20         // bytes
	onceHorizon          = 600_000_000_000 // 10m
	onceInterval         = 37_500_000_000  // 37.5s: ids are freed by it
	spendSize            = 60_000_000_000  // 1m
	typesSize            = 60_000_000_000  // 1m
)

// Pipeline counts and sums what each user clicked and bought, per minute.
var Pipeline = task.Pipeline{
	Name:    "w1",
	Spec:    "w1.cue",
	New:     func(batch int) task.Processor { return New(batch) },
	Sources: []task.Source{{Name: "events", Path: "${W1_EVENTS:-events.ndjson}", MaxRecord: eventsMaxRecord}},
	Sinks: []task.Sink{
		{Name: "totals", Target: task.Target{Path: "totals.ndjson"}},
		{Name: "by_type", Target: task.Target{Path: "by_type.ndjson"}},
		{Name: "late_events", Target: task.Target{Path: "late.ndjson"}},
	},
	DeadLetter: &task.DeadLetter{Target: task.Target{Path: "dead.ndjson"}, StopShare: 0.5, StopOf: 1000},
	Counters:   counters[:],
}

// W1 is the state of the pipeline, and the rows of one batch on their way through it.
type W1 struct {
	in          *stream.Batch
	eventsBatch                           // the one that the stages work on
	ahead       stream.Ahead[eventsBatch] // those after it, when they are decoded on another core
	behind      watermark.Input           // behind the last of those
	learned     codec.Learned

	column struct { // values of rows, by Row.Index
		events []Event
		spend  []SpendRow
		types  []TypesRow
	}
	rows struct { // what each node put out in this segment, and what a node with several inputs took in
		events, wanted, once, onceLate, spend, spendLate, types, typesLate, lateEventsIn []stream.Row
	}
	state struct {
		once  onceState
		spend spendState
		types typesState
	}
	refused []stream.Refused // in this segment
	letters stream.Letters
	outputs [3]stream.Output
	counts  [counterCount]uint64
	scratch [2][]byte // parts of a dead letter
}

// New makes a processor that takes up to batch records at a time.
func New(batch int) *W1 {
	p := &W1{in: new(stream.Batch), eventsBatch: newEventsBatch(batch), ahead: stream.Ahead[eventsBatch]{New: newEventsBatch, Records: batch}}
	p.state.once.init()
	p.state.spend.init()
	p.state.types.init()
	return p
}

// Process takes one batch of events through the pipeline, in offset order.
func (p *W1) Process(in *stream.Batch) {
	p.next(in)
	for p.segment() {
		p.wanted()
		p.once()
		p.spend()
		p.types()
		p.lateEvents()
		p.refuse()
		p.advance()
	}
	p.recycle()
}

// End steps the watermark past every event time: all windows close.
func (p *W1) End() {
	before := p.input.Value
	p.input.End()
	p.segments.Step(before, p.input.Value)
	p.advance()
}

// advance steps the watermark through the nodes in the order of the arrows.
func (p *W1) advance() {
	w := p.segments.After()
	if w < p.segments.Due {
		return
	}
	for mark, refused := p.in.Mark(), len(p.refused); p.closeSpend(mark, refused); {
		p.totals()
	}
	for mark, refused := p.in.Mark(), len(p.refused); p.closeTypes(mark, refused); {
		p.byType()
	}
	p.refuse()
	p.segments.Due = min(p.state.spend.due(w), p.state.types.due(w))
}

// next takes the next batch of in: the next that was decoded ahead, or else it decodes one.
func (p *W1) next(in *stream.Batch) {
	p.in = in
	if b := p.ahead.Next(in); b != nil {
		b.segments.Due = p.segments.Due
		p.eventsBatch, *b = *b, p.eventsBatch
		in.Pos = p.end
	} else {
		p.decode(in, &p.learned)
	}
	p.column.events = p.values
	p.letters.Records = p.letters.Records[:0]
	p.counts[countEventsRecords] += uint64(p.segments.Records())
}

// segment takes the rows up to the record whose watermark closes something.
func (p *W1) segment() bool {
	rows, refused, ok := p.segments.Next()
	p.rows.events = rows
	p.refused = append(p.refused, refused...)
	p.counts[countEventsOut] += uint64(len(rows))
	return ok
}

// recycle gives memory back: ids that have expired, keys without a window, what the batch's rows were made of.
func (p *W1) recycle() {
	p.state.once.recycle(p.input.Value)
	p.state.spend.recycle()
	p.state.types.recycle()
	p.in.Recycle()
}

// eventsBatch is a batch of events as decode leaves it to the stages.
type eventsBatch struct {
	input    watermark.Input // behind its last record
	segments stream.Segments
	values   []Event
	end      int // of its records in the block
}

// newEventsBatch makes room for so many records.
func newEventsBatch(records int) eventsBatch {
	return eventsBatch{
		input:    watermark.New(eventsOutOfOrderness),
		segments: stream.NewSegments(records),
		values:   make([]Event, records),
	}
}

// decode reads up to a batch of events, each beside the watermark before it.
func (b *eventsBatch) decode(in *stream.Batch, learned *codec.Learned) {
	b.segments.Begin(b.input.Value)
	for !b.segments.Full() {
		e := &b.values[b.segments.Records()]
		line, taken := e.take(in, learned)
		if !taken {
			var ok bool
			if line, ok = in.Next(); !ok {
				break
			}
		}
		record := b.segments.Record(line)
		if in.Oversize > 0 || line.Len > eventsMaxRecord {
			b.segments.Refuse(record, siteEventsTooLarge, stream.FaultTooLarge, 0)
			continue
		}
		if !taken {
			field, fault, place := e.decode(in, line)
			if fault != 0 {
				site := siteEventsDecode + field
				if site == siteEventsAt && fault == stream.FaultTimeRange {
					site = siteEventsTimeRange
				}
				b.segments.Refuse(record, site, fault, place)
				continue
			}
		}
		b.input.Observe(e.At)
		b.segments.Accept(record, b.input.Value)
	}
	b.end = in.Pos
}

// Decode decodes all records of the block in; each later call of Process takes one of the batches that this makes. It may run on another core while Process works on a block decoded before.
func (p *W1) Decode(in *stream.Batch) {
	if p.ahead.Begin(in) {
		p.behind = p.input
	}
	for in.Pos < in.End {
		b := p.ahead.Add(in)
		b.input = p.behind
		b.decode(in, &p.learned)
		p.behind = b.input
	}
	p.ahead.End(in)
}

// wanted lets the rows through for which type == 'click' || type == 'purchase'.
func (p *W1) wanted() {
	rows := slices.Grow(p.rows.wanted[:0], len(p.rows.events))[:len(p.rows.events)]
	n := 0 // of them are kept: nothing jumps on what cannot be foretold
	for _, r := range p.rows.events {
		e := &p.column.events[r.Index]
		rows[n] = r
		if uint64(1<<eventTypeClick|1<<eventTypePurchase)>>e.typeNumber&1 != 0 {
			n++
		}
	}
	rows = rows[:n]
	p.rows.wanted = rows
	p.counts[countWantedIn] += uint64(len(p.rows.events))
	p.counts[countWantedPassed] += uint64(len(rows))
	p.counts[countWantedFiltered] += uint64(len(p.rows.events) - len(rows))
}

// onceState is what once remembers: when each id was first seen.
type onceState struct {
	seed table.Seed
	seen table.Seen[onceKey]

	row     []stream.Row // of one segment: the rows whose ids are looked up, beside their times and keys
	at      []int64
	key     []onceKey
	hash    []uint32
	touched uint64
}

func (s *onceState) init() {
	s.seed = table.NewSeed()
	s.seen.Interval = onceInterval
}

// once lets the first copy of each id through, for 10m of event time.
func (p *W1) once() {
	in := p.in
	s := &p.state.once
	s.row, s.at, s.key, s.hash = s.row[:0], s.at[:0], s.key[:0], s.hash[:0]
	s.seen.Reserve(len(p.rows.wanted)) // so that no cell moves between Hint, Probe and Put
	for _, r := range p.rows.wanted {
		e := &p.column.events[r.Index]
		key := onceKey{id: table.ID(s.seed, in.Bytes(e.ID))}
		hash := key.hash(s.seed)
		s.row = append(s.row, r)
		s.at = append(s.at, e.At)
		s.key = append(s.key, key)
		s.hash = append(s.hash, hash)
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.seen.Hint(hash)
	}
	s.touched = touched // so that the loads are not optimised away

	rows, late := p.rows.once[:0], p.rows.onceLate[:0]
	for i, r := range s.row {
		at, w := s.at[i], p.segments.Watermark[r.Record]
		if window.Add(at, onceHorizon) <= w { // too old to be known as new
			late = append(late, r)
			continue
		}
		cell, first, found := s.seen.Probe(s.hash[i], s.key[i])
		if found && w < window.Add(first, onceHorizon) {
			p.counts[countOnceDuplicate]++
			continue
		}
		s.seen.Put(cell, s.hash[i], s.key[i], at)
		rows = append(rows, r)
	}
	p.rows.once, p.rows.onceLate = rows, late
	p.counts[countOnceIn] += uint64(len(p.rows.wanted))
	p.counts[countOncePassed] += uint64(len(rows))
	p.counts[countOnceLate] += uint64(len(late))
}

// spendAccumulator is what spend keeps for a key in an open window.
type spendAccumulator struct {
	events int64
	total  expr.Neumaier
}

// spendState has the open windows of spend.
type spendState struct {
	seed  table.Seed
	keys  table.Keys[spendKey]
	texts table.Texts // strings above 15 bytes in keys
	panes table.Panes[spendAccumulator]

	row     []stream.Row // of one segment: the rows that are folded, beside where they go
	start   []int64
	key     []spendKey
	hash    []uint32
	id      []uint32
	place   []uint32
	emitted int // so many keys of the window that closes, which stand in id, have their rows
	touched uint64
}

func (s *spendState) init() { s.seed = table.NewSeed() }

// spend folds each row into its window of 1m.
func (p *W1) spend() {
	in := p.in
	s := &p.state.spend
	late := p.rows.spendLate[:0]
	s.row, s.start, s.key, s.hash = s.row[:0], s.start[:0], s.key[:0], s.hash[:0]
	s.keys.Reserve(len(p.rows.once)) // so that no cell moves between Hint, Probe and Add
	for _, r := range p.rows.once {
		e := &p.column.events[r.Index]
		start, end, ok := window.Bounds(e.At, spendSize, 0)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: r, Site: siteSpendTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		if end <= p.segments.Watermark[r.Record] { // closed before this row came
			late = append(late, r)
			continue
		}
		key := spendKey{user: s.texts.Intern(s.seed, in.Bytes(e.User))}
		hash := key.hash(s.seed)
		s.row = append(s.row, r)
		s.start = append(s.start, start)
		s.key = append(s.key, key)
		s.hash = append(s.hash, hash)
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.keys.Hint(hash)
	}
	s.touched = touched // so that the loads are not optimised away
	for i, key := range s.key {
		id, found := s.keys.Probe(s.hash[i], key)
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
		}
		a, fresh := s.panes.At(s.start[i]).Touch(id)
		if fresh {
			s.keys.Ref(id)
			p.counts[countSpendOpened]++
		}
		e := &p.column.events[s.row[i].Index]
		a.events++
		a.total.Add(e.Amount)
	}
	p.rows.spendLate = late
	p.counts[countSpendIn] += uint64(len(p.rows.once))
	p.counts[countSpendFolded] += uint64(len(s.row))
	p.counts[countSpendLate] += uint64(len(late))
}

// emitSpend makes the next rows of the oldest window, at most so many, behind those that are there, in the order of their keys. With the last of them the window is closed.
func (p *W1) emitSpend(most int) {
	s := &p.state.spend
	column, rows := p.column.spend, p.rows.spend
	pane := s.panes.Open[0]
	if s.emitted == 0 {
		s.id = pane.IDs(s.id[:0])
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		a, key := pane.Slot(id), &s.keys.Key[id]
		s.keys.Unref(id)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := SpendRow{WindowStart: pane.Start, WindowEnd: pane.Start + spendSize}
		refusal := stream.Refused{Row: r}
		row.User = p.in.Keep(s.texts.Bytes(key.user, new([16]byte)))
		row.Events = a.events
		if site, fault := p.spendTotal(a, &row); fault != 0 {
			row.bad[0] = true
			refusal.Site, refusal.Fault = site, fault
		}
		if site, fault := p.spendMean(a, &row); fault != 0 {
			row.bad[1] = true
			if refusal.Site == 0 {
				refusal.Site, refusal.Fault = site, fault
			}
		}
		column = append(column, row)
		if refusal.Site != 0 {
			p.refused = append(p.refused, refusal)
			continue
		}
		rows = append(rows, r)
	}
	if s.emitted += len(ids); s.emitted == len(s.id) {
		s.panes.Drop()
		s.emitted = 0
	}
	p.counts[countSpendMade] += uint64(len(column) - len(p.column.spend))
	p.counts[countSpendOut] += uint64(len(rows) - len(p.rows.spend))
	p.column.spend, p.rows.spend = column, rows
}

// closeSpend emits the next rows of the oldest window if the watermark has reached it, in the order of its keys, and says whether it did. Only sinks read the rows, and
// have written them when it is called again: so many windows may close at once, and large ones, in the memory of a few rows. mark is of the arena before the first of this
// step, and refused how many refusals there were then.
func (p *W1) closeSpend(mark stream.Mark, refused int) bool {
	s := &p.state.spend
	if len(s.panes.Open) == 0 || s.panes.Open[0].Start+spendSize > p.segments.After() {
		return false
	}
	p.rows.spend = p.rows.spend[:0]
	if len(p.refused) == refused { // else dead letters of this step are made of the rows
		p.column.spend = p.column.spend[:0]
		p.in.Release(mark)
	}
	p.emitSpend(stream.RowsAtOnce)
	return true
}

// spendTotal sets total: sum(amount).
func (p *W1) spendTotal(a *spendAccumulator, row *SpendRow) (site uint16, fault stream.Fault) {
	finite, fault := expr.Finite(a.total.Value())
	if fault != 0 {
		return siteSpendTotal, fault
	}
	row.Total = finite
	return 0, 0
}

// spendMean sets mean: avg(amount).
func (p *W1) spendMean(a *spendAccumulator, row *SpendRow) (site uint16, fault stream.Fault) {
	finite, fault := expr.Finite(a.total.Value() / float64(a.events))
	if fault != 0 {
		return siteSpendMean, fault
	}
	row.Mean = finite
	return 0, 0
}

// due is the watermark at which spend closes something next, when the watermark is w.
func (s *spendState) due(w int64) int64 { return window.Due(w, spendSize, 0) }

// recycle forgets keys that no open window has.
func (s *spendState) recycle() {
	s.keys.Evict(1024)
	if s.texts.Crowded(1024) {
		for id := range s.keys.Key {
			if s.keys.Has(uint32(id)) {
				s.texts.Mark(s.keys.Key[id].user)
			}
		}
		s.texts.Sweep()
	}
}

// typesAccumulator is what types keeps for a key in an open window.
type typesAccumulator struct {
	events int64
}

// typesState has the open windows of types.
type typesState struct {
	seed  table.Seed
	keys  table.Keys[typesKey]
	texts table.Texts // strings above 15 bytes in keys
	panes table.Panes[typesAccumulator]

	row     []stream.Row // of one segment: the rows that are folded, beside where they go
	start   []int64
	key     []typesKey
	hash    []uint32
	id      []uint32
	place   []uint32
	emitted int // so many keys of the window that closes, which stand in id, have their rows
	touched uint64
}

func (s *typesState) init() { s.seed = table.NewSeed() }

// types folds each row into its window of 1m.
func (p *W1) types() {
	s := &p.state.types
	late := p.rows.typesLate[:0]
	s.row, s.start, s.key, s.hash = s.row[:0], s.start[:0], s.key[:0], s.hash[:0]
	s.keys.Reserve(len(p.rows.once)) // so that no cell moves between Hint, Probe and Add
	for _, r := range p.rows.once {
		e := &p.column.events[r.Index]
		start, end, ok := window.Bounds(e.At, typesSize, 0)
		if !ok {
			p.refused = append(p.refused, stream.Refused{Row: r, Site: siteTypesTimeRange, Fault: stream.FaultTimeRange})
			continue
		}
		if end <= p.segments.Watermark[r.Record] { // closed before this row came
			late = append(late, r)
			continue
		}
		key := typesKey{type_: eventTypeKeys[e.typeNumber]}
		hash := key.hash(s.seed)
		s.row = append(s.row, r)
		s.start = append(s.start, start)
		s.key = append(s.key, key)
		s.hash = append(s.hash, hash)
	}
	touched := uint64(0)
	for _, hash := range s.hash { // a loop of its own, so that the cache misses of neighbours overlap
		touched += s.keys.Hint(hash)
	}
	s.touched = touched // so that the loads are not optimised away
	for i, key := range s.key {
		id, found := s.keys.Probe(s.hash[i], key)
		if !found {
			id = s.keys.Add(id, s.hash[i], key)
		}
		a, fresh := s.panes.At(s.start[i]).Touch(id)
		if fresh {
			s.keys.Ref(id)
			p.counts[countTypesOpened]++
		}
		a.events++
	}
	p.rows.typesLate = late
	p.counts[countTypesIn] += uint64(len(p.rows.once))
	p.counts[countTypesFolded] += uint64(len(s.row))
	p.counts[countTypesLate] += uint64(len(late))
}

// emitTypes makes the next rows of the oldest window, at most so many, behind those that are there, in the order of their keys. With the last of them the window is closed.
func (p *W1) emitTypes(most int) {
	s := &p.state.types
	column, rows := p.column.types, p.rows.types
	pane := s.panes.Open[0]
	if s.emitted == 0 {
		s.id = pane.IDs(s.id[:0])
		s.keys.Sort(s.id, s.lead, s.compare)
	}
	ids := s.id[s.emitted:min(s.emitted+most, len(s.id))]
	for _, id := range ids {
		a, key := pane.Slot(id), &s.keys.Key[id]
		s.keys.Unref(id)
		r := stream.Row{Record: uint32(p.segments.Last), Index: uint32(len(column))}
		row := TypesRow{WindowStart: pane.Start, WindowEnd: pane.Start + typesSize}
		row.Type = p.in.Keep(s.texts.Bytes(key.type_, new([16]byte)))
		row.Events = a.events
		column = append(column, row)
		rows = append(rows, r)
	}
	if s.emitted += len(ids); s.emitted == len(s.id) {
		s.panes.Drop()
		s.emitted = 0
	}
	p.counts[countTypesMade] += uint64(len(column) - len(p.column.types))
	p.counts[countTypesOut] += uint64(len(rows) - len(p.rows.types))
	p.column.types, p.rows.types = column, rows
}

// closeTypes emits the next rows of the oldest window if the watermark has reached it, in the order of its keys, and says whether it did. Only sinks read the rows, and
// have written them when it is called again: so many windows may close at once, and large ones, in the memory of a few rows. mark is of the arena before the first of this
// step, and refused how many refusals there were then.
func (p *W1) closeTypes(mark stream.Mark, refused int) bool {
	s := &p.state.types
	if len(s.panes.Open) == 0 || s.panes.Open[0].Start+typesSize > p.segments.After() {
		return false
	}
	p.rows.types = p.rows.types[:0]
	if len(p.refused) == refused { // else dead letters of this step are made of the rows
		p.column.types = p.column.types[:0]
		p.in.Release(mark)
	}
	p.emitTypes(stream.RowsAtOnce)
	return true
}

// due is the watermark at which types closes something next, when the watermark is w.
func (s *typesState) due(w int64) int64 { return window.Due(w, typesSize, 0) }

// recycle forgets keys that no open window has.
func (s *typesState) recycle() {
	s.keys.Evict(1024)
	if s.texts.Crowded(1024) {
		for id := range s.keys.Key {
			if s.keys.Has(uint32(id)) {
				s.texts.Mark(s.keys.Key[id].type_)
			}
		}
		s.texts.Sweep()
	}
}

// totals writes the rows of spend.
func (p *W1) totals() {
	out := &p.outputs[0]
	window := make([]byte, 0, 128) // what rows of one window begin with
	for _, r := range p.rows.spend {
		o := &p.column.spend[r.Index]
		if len(window) == 0 {
			window = codec.AppendWindow(window, o.WindowStart, o.WindowEnd)
		}
		out.Buf = append(appendSpendRow(append(out.Buf, window...), p.in, o), '\n')
	}
	out.Rows += uint64(len(p.rows.spend))
	out.Spill()
	p.counts[countTotalsIn] += uint64(len(p.rows.spend))
}

// byType writes the rows of types.
func (p *W1) byType() {
	out := &p.outputs[1]
	window := make([]byte, 0, 128) // what rows of one window begin with
	for _, r := range p.rows.types {
		o := &p.column.types[r.Index]
		if len(window) == 0 {
			window = codec.AppendWindow(window, o.WindowStart, o.WindowEnd)
		}
		out.Buf = append(appendTypesRow(append(out.Buf, window...), p.in, o), '\n')
	}
	out.Rows += uint64(len(p.rows.types))
	out.Spill()
	p.counts[countByTypeIn] += uint64(len(p.rows.types))
}

// lateEvents writes the rows of once.late and spend.late.
func (p *W1) lateEvents() {
	p.rows.lateEventsIn = stream.Merge(p.rows.lateEventsIn[:0], p.rows.onceLate, p.rows.spendLate)
	out := &p.outputs[2]
	for _, r := range p.rows.lateEventsIn {
		out.Buf = append(appendEvent(out.Buf, p.in, &p.column.events[r.Index]), '\n')
	}
	out.Rows += uint64(len(p.rows.lateEventsIn))
	p.counts[countLateEventsIn] += uint64(len(p.rows.lateEventsIn))
}

// refuse writes the dead letters of this segment's records, or of the rows of its watermark step.
func (p *W1) refuse() {
	if len(p.refused) == 0 {
		return
	}
	stream.SortRefused(p.refused, sites[:])
	for i := range p.refused {
		r := &p.refused[i]
		site := &sites[r.Site]
		p.counts[site.Counter]++
		l := deadletter.Letter{Pipeline: "w1", Site: site, Fault: r.Fault, At: r.At, Watermark: p.segments.Watermark[r.Record]}
		switch r.Site {
		case siteSpendTotal, siteSpendMean:
			e := &p.column.spend[r.Index]
			l.Row, l.WindowStart, l.WindowEnd = true, e.WindowStart, e.WindowEnd
			p.scratch[0] = appendSpendRowKey(p.scratch[0][:0], p.in, e)
			p.scratch[1] = appendSpendRowColumns(p.scratch[1][:0], p.in, e)
			l.Key, l.Columns = p.scratch[0], p.scratch[1]
		default:
			span := p.segments.Span[r.Record]
			l.Source, l.File, l.Offset = "events", p.in.File, p.in.Base+int64(span.Off)
			l.Value, l.Size = p.in.Cut(span, eventsMaxRecord)
			if site.Order > 0 {
				l.HasEventTime, l.EventTime = true, p.column.events[r.Record].At
			}
			p.letters.Records = append(p.letters.Records, r.Record)
		}
		p.letters.Buf = deadletter.AppendLetter(p.letters.Buf, &l)
		p.letters.Rows++
	}
	p.refused = p.refused[:0]
}

// Watermark is the watermark after the last record.
func (p *W1) Watermark() int64 { return p.input.Value }

// Output is sink i in the order of the spec: totals, by_type, late_events.
func (p *W1) Output(i int) *stream.Output { return &p.outputs[i] }

// Letters are the dead letters.
func (p *W1) Letters() *stream.Letters { return &p.letters }

// AppendCounts appends the counters in the order of Pipeline.Counters.
func (p *W1) AppendCounts(dst []uint64) []uint64 { return append(dst, p.counts[:]...) }
