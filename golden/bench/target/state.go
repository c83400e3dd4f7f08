package target

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/task"
	"github.com/streamwright/streamwright/runtime/window"
)

// Counters, by index in W1.counts.
const (
	countEventsRecords = iota
	countEventsOut
	countEventsDecode
	countEventsID
	countEventsUser
	countEventsType
	countEventsAmount
	countEventsAt
	countEventsTooLarge
	countEventsTimeRange
	countWantedIn
	countWantedPassed
	countWantedFiltered
	countOnceIn
	countOnceLate
	countOncePassed
	countOnceDuplicate
	countOnceNoID
	countSpendIn
	countSpendFolded
	countSpendLate
	countSpendTimeRange
	countSpendOpened
	countSpendMade
	countSpendOut
	countSpendNotFinite
	countTypesIn
	countTypesFolded
	countTypesLate
	countTypesTimeRange
	countTypesOpened
	countTypesMade
	countTypesOut
	countTotalsIn
	countByTypeIn
	countLateEventsIn
	counterCount
)

var counters = [counterCount]task.Counter{
	countEventsRecords:   {Node: "events", Kind: task.Records, Name: "records"},
	countEventsOut:       {Node: "events", Kind: task.Out, Name: "out"},
	countEventsDecode:    {Node: "events", Kind: task.Refused, Name: "decode"},
	countEventsID:        {Node: "events", Kind: task.Refused, Name: "contract:id"},
	countEventsUser:      {Node: "events", Kind: task.Refused, Name: "contract:user"},
	countEventsType:      {Node: "events", Kind: task.Refused, Name: "contract:type"},
	countEventsAmount:    {Node: "events", Kind: task.Refused, Name: "contract:amount"},
	countEventsAt:        {Node: "events", Kind: task.Refused, Name: "contract:at"},
	countEventsTooLarge:  {Node: "events", Kind: task.Refused, Name: "too_large"},
	countEventsTimeRange: {Node: "events", Kind: task.Refused, Name: "time_range"},
	countWantedIn:        {Node: "wanted", Kind: task.In, Name: "in"},
	countWantedPassed:    {Node: "wanted", Kind: task.Passed, Name: "passed"},
	countWantedFiltered:  {Node: "wanted", Kind: task.Dropped, Name: "filtered"},
	countOnceIn:          {Node: "once", Kind: task.In, Name: "in"},
	countOnceLate:        {Node: "once", Kind: task.Side, Name: "late"},
	countOncePassed:      {Node: "once", Kind: task.Passed, Name: "passed"},
	countOnceDuplicate:   {Node: "once", Kind: task.Dropped, Name: "duplicate"},
	countOnceNoID:        {Node: "once", Kind: task.Refused, Name: "no_id"},
	countSpendIn:         {Node: "spend", Kind: task.In, Name: "in"},
	countSpendFolded:     {Node: "spend", Kind: task.Folded, Name: "folded"},
	countSpendLate:       {Node: "spend", Kind: task.Side, Name: "late"},
	countSpendTimeRange:  {Node: "spend", Kind: task.Refused, Name: "time_range"},
	countSpendOpened:     {Node: "spend", Kind: task.Opened, Name: "opened"},
	countSpendMade:       {Node: "spend", Kind: task.Made, Name: "made"},
	countSpendOut:        {Node: "spend", Kind: task.Out, Name: "out"},
	countSpendNotFinite:  {Node: "spend", Kind: task.RowRefused, Name: "not_finite"},
	countTypesIn:         {Node: "types", Kind: task.In, Name: "in"},
	countTypesFolded:     {Node: "types", Kind: task.Folded, Name: "folded"},
	countTypesLate:       {Node: "types", Kind: task.Dropped, Name: "late"},
	countTypesTimeRange:  {Node: "types", Kind: task.Refused, Name: "time_range"},
	countTypesOpened:     {Node: "types", Kind: task.Opened, Name: "opened"},
	countTypesMade:       {Node: "types", Kind: task.Made, Name: "made"},
	countTypesOut:        {Node: "types", Kind: task.Out, Name: "out"},
	countTotalsIn:        {Node: "totals", Kind: task.In, Name: "in"},
	countByTypeIn:        {Node: "by_type", Kind: task.In, Name: "in"},
	countLateEventsIn:    {Node: "late_events", Kind: task.In, Name: "in"},
}

// Sites where a record or a row can be refused. siteEventsDecode + n is that of field n of Event.
const (
	siteEventsDecode uint16 = iota + 1
	siteEventsID
	siteEventsUser
	siteEventsType
	siteEventsAmount
	siteEventsAt
	siteEventsTooLarge
	siteEventsTimeRange
	siteOnceNoID
	siteSpendTimeRange
	siteSpendTotal
	siteSpendMean
	siteTypesTimeRange
)

var sites = [...]stream.Site{
	siteEventsDecode:    {Node: "events", Reason: "decode", Counter: countEventsDecode},
	siteEventsID:        {Node: "events", Reason: "contract:id", Field: "id", Want: `string & !=""`, Counter: countEventsID},
	siteEventsUser:      {Node: "events", Reason: "contract:user", Field: "user", Want: `string & !=""`, Counter: countEventsUser},
	siteEventsType:      {Node: "events", Reason: "contract:type", Field: "type", Want: `"view" | "click" | "purchase" | "signup"`, Counter: countEventsType},
	siteEventsAmount:    {Node: "events", Reason: "contract:amount", Field: "amount", Want: "number & >=0", Counter: countEventsAmount},
	siteEventsAt:        {Node: "events", Reason: "contract:at", Field: "at", Want: "RFC 3339 time", Counter: countEventsAt},
	siteEventsTooLarge:  {Node: "events", Reason: "too_large", Counter: countEventsTooLarge},
	siteEventsTimeRange: {Node: "events", Reason: "time_range", Field: "at", Counter: countEventsTimeRange},
	siteOnceNoID:        {Node: "once", Reason: "no_id", Counter: countOnceNoID, Order: 2},
	siteSpendTimeRange:  {Node: "spend", Reason: "time_range", Counter: countSpendTimeRange, Order: 3},
	siteSpendTotal:      {Node: "spend", Reason: "not_finite", Place: "w1.cue:32:32", Counter: countSpendNotFinite, Order: 3},
	siteSpendMean:       {Node: "spend", Reason: "not_finite", Place: "w1.cue:32:53", Counter: countSpendNotFinite, Order: 3},
	siteTypesTimeRange:  {Node: "types", Reason: "time_range", Counter: countTypesTimeRange, Order: 4},
}

// onceKey is the id of once.
type onceKey struct {
	id table.Text
}

func (k onceKey) hash(seed table.Seed) uint32 { return uint32(table.Hash2(seed, k.id.A, k.id.B)) }

// spendKey is the key of spend.
type spendKey struct {
	user table.Text
}

func (k spendKey) hash(seed table.Seed) uint32 { return uint32(table.Hash2(seed, k.user.A, k.user.B)) }

func (s *spendState) compare(a, b spendKey) int { return s.texts.Compare(a.user, b.user) }

// typesKey is the key of types.
type typesKey struct {
	type_ table.Text
}

func (k typesKey) hash(seed table.Seed) uint32 {
	return uint32(table.Hash2(seed, k.type_.A, k.type_.B))
}

func (s *typesState) compare(a, b typesKey) int { return s.texts.Compare(a.type_, b.type_) }

// AppendState appends the state: all of it, or what changed since the last Commit.
//
//	highest event time, watermark, counters
//	of each stage that has state: seed; its entries, keys by value
func (p *W1) AppendState(dst []byte, changed bool) []byte {
	dst = table.AppendInt(dst, p.input.Highest)
	dst = table.AppendInt(dst, p.input.Value)
	for _, n := range p.counts {
		dst = table.AppendUint(dst, n)
	}
	dst = p.state.once.append(dst, changed)
	dst = p.state.spend.append(dst, changed)
	return p.state.types.append(dst, changed)
}

// Commit says that what AppendState gave is durable.
func (p *W1) Commit() {
	p.state.once.seen.Commit()
	p.state.spend.panes.Clean()
	p.state.types.panes.Clean()
}

// Restore reads what AppendState gave: a full state, then the changes in order. The processor must be new.
func (p *W1) Restore(commits ...[]byte) error {
	for _, commit := range commits {
		r := table.NewReader(commit)
		p.input.Highest = r.Int()
		p.input.Value = r.Int()
		for i := range p.counts {
			p.counts[i] = r.Uint()
		}
		p.state.once.restore(&r)
		p.state.spend.restore(&r)
		p.state.types.restore(&r)
		if err := r.Done(); err != nil {
			return err
		}
	}
	w := p.input.Value // what it has passed was dropped by the processor that wrote the last commit
	p.state.once.recycle(w)
	p.state.spend.drop(w)
	p.state.types.drop(w)
	p.Commit()
	p.segments.Due = min(p.state.spend.due(w), p.state.types.due(w))
	return nil
}

// Reset forgets all state, outputs and counts and keeps the memory.
func (p *W1) Reset() {
	p.input.Reset()
	p.ahead.Reset()
	p.segments.Due = stream.Never
	p.state.once.seen.Reset()
	p.state.spend.reset()
	p.state.types.reset()
	p.refused = p.refused[:0]
	p.letters.Reset()
	for i := range p.outputs {
		p.outputs[i].Reset()
	}
	p.counts = [counterCount]uint64{}
}

// recycle forgets the ids that have expired at watermark w.
func (s *onceState) recycle(w int64) {
	s.seen.Expire(window.Sub(w, onceHorizon), func(key onceKey) uint32 { return key.hash(s.seed) })
}

func (s *onceState) append(dst []byte, changed bool) []byte {
	dst = table.AppendSeed(dst, s.seed)
	dst = table.AppendUint(dst, uint64(s.seen.Count(changed)))
	s.seen.Each(changed, func(k onceKey, at int64) {
		dst = table.AppendInt(dst, at)
		dst = table.AppendText(dst, k.id)
	})
	return dst
}

func (s *onceState) restore(r *table.Reader) {
	s.seed = r.Seed()
	for range r.Count(1) {
		at := r.Int()
		key := onceKey{id: r.Text()}
		s.seen.Restore(key.hash(s.seed), key, at)
	}
}

func (s *spendState) append(dst []byte, changed bool) []byte {
	dst = table.AppendSeed(dst, s.seed)
	dst = table.AppendUint(dst, uint64(len(s.panes.Open)))
	var room [16]byte
	for _, pane := range s.panes.Open {
		s.id = pane.IDs(s.id[:0])
		if changed {
			s.id = pane.Changed(s.id[:0])
		}
		dst = table.AppendInt(dst, pane.Start)
		dst = table.AppendUint(dst, uint64(len(s.id)))
		for _, id := range s.id {
			a, key := pane.Slot(id), &s.keys.Key[id]
			dst = table.AppendBytes(dst, s.texts.Bytes(key.user, &room))
			dst = table.AppendInt(dst, a.events)
			dst = table.AppendFloat(dst, a.total.Sum)
			dst = table.AppendFloat(dst, a.total.Lost)
		}
	}
	return dst
}

func (s *spendState) restore(r *table.Reader) {
	s.seed = r.Seed()
	for range r.Count(2) {
		start := r.Int()
		for range r.Count(1) {
			key := spendKey{user: s.texts.Intern(s.seed, r.Bytes())}
			a := s.slot(start, key)
			a.events = r.Int()
			a.total.Sum = r.Float()
			a.total.Lost = r.Float()
		}
	}
}

// slot is the accumulator of a key in the window that starts at start.
func (s *spendState) slot(start int64, key spendKey) *spendAccumulator {
	s.keys.Reserve(1)
	hash := key.hash(s.seed)
	id, found := s.keys.Probe(hash, key)
	if !found {
		id = s.keys.Add(id, hash, key)
	}
	a, fresh := s.panes.At(start).Touch(id)
	if fresh {
		s.keys.Ref(id)
	}
	return a
}

// drop forgets the windows that watermark w has closed.
func (s *spendState) drop(w int64) {
	for len(s.panes.Open) > 0 && s.panes.Open[0].Start+spendSize <= w {
		s.id = s.panes.Open[0].IDs(s.id[:0])
		for _, id := range s.id {
			s.keys.Unref(id)
		}
		s.panes.Drop()
	}
}

func (s *spendState) reset() {
	s.keys.Reset()
	s.texts.Reset()
	s.panes.Reset()
}

func (s *typesState) append(dst []byte, changed bool) []byte {
	dst = table.AppendSeed(dst, s.seed)
	dst = table.AppendUint(dst, uint64(len(s.panes.Open)))
	var room [16]byte
	for _, pane := range s.panes.Open {
		s.id = pane.IDs(s.id[:0])
		if changed {
			s.id = pane.Changed(s.id[:0])
		}
		dst = table.AppendInt(dst, pane.Start)
		dst = table.AppendUint(dst, uint64(len(s.id)))
		for _, id := range s.id {
			a, key := pane.Slot(id), &s.keys.Key[id]
			dst = table.AppendBytes(dst, s.texts.Bytes(key.type_, &room))
			dst = table.AppendInt(dst, a.events)
		}
	}
	return dst
}

func (s *typesState) restore(r *table.Reader) {
	s.seed = r.Seed()
	for range r.Count(2) {
		start := r.Int()
		for range r.Count(1) {
			key := typesKey{type_: s.texts.Intern(s.seed, r.Bytes())}
			a := s.slot(start, key)
			a.events = r.Int()
		}
	}
}

// slot is the accumulator of a key in the window that starts at start.
func (s *typesState) slot(start int64, key typesKey) *typesAccumulator {
	s.keys.Reserve(1)
	hash := key.hash(s.seed)
	id, found := s.keys.Probe(hash, key)
	if !found {
		id = s.keys.Add(id, hash, key)
	}
	a, fresh := s.panes.At(start).Touch(id)
	if fresh {
		s.keys.Ref(id)
	}
	return a
}

// drop forgets the windows that watermark w has closed.
func (s *typesState) drop(w int64) {
	for len(s.panes.Open) > 0 && s.panes.Open[0].Start+typesSize <= w {
		s.id = s.panes.Open[0].IDs(s.id[:0])
		for _, id := range s.id {
			s.keys.Unref(id)
		}
		s.panes.Drop()
	}
}

func (s *typesState) reset() {
	s.keys.Reset()
	s.texts.Reset()
	s.panes.Reset()
}
