package target

import (
	"github.com/streamwright/streamwright/runtime/checkpoint"
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

// lead is what the order of keys goes by, where they are equal in their first at bytes.
func (s *spendState) lead(k spendKey, at int) (a, b uint64) { return s.texts.Lead(k.user, at) }

func (s *spendState) compare(a, b spendKey) int { return s.texts.Compare(a.user, b.user) }

// typesKey is the key of types.
type typesKey struct {
	type_ table.Text
}

func (k typesKey) hash(seed table.Seed) uint32 {
	return uint32(table.Hash2(seed, k.type_.A, k.type_.B))
}

// lead is what the order of keys goes by, where they are equal in their first at bytes.
func (s *typesState) lead(k typesKey, at int) (a, b uint64) { return s.texts.Lead(k.type_, at) }

func (s *typesState) compare(a, b typesKey) int { return s.texts.Compare(a.type_, b.type_) }

// Pieces of the state, by the numbers of their frames in a commit.
const (
	pieceOnce uint32 = iota + 1
	pieceSpend
	pieceTypes
)

// AppendState appends the state: all of it, or what changed since the last Commit and a part of the rest.
//
//	head                 highest event time, watermark, counters, seeds, numbers of keys
//	frame of each stage  its entries
func (p *W1) AppendState(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, checkpoint.Head)
	dst = table.AppendInt(dst, p.input.Highest)
	dst = table.AppendInt(dst, p.input.Value)
	for _, n := range p.counts {
		dst = table.AppendUint(dst, n)
	}
	dst = table.AppendSeed(dst, p.state.once.seed)
	dst = table.AppendSeed(dst, p.state.spend.seed)
	dst = table.AppendSeed(dst, p.state.types.seed)
	dst = table.AppendNumbers(dst, &p.state.spend.keys)
	dst = table.AppendNumbers(dst, &p.state.types.keys)
	checkpoint.End(dst, begin, p.input.Value, 0)
	dst = p.state.once.append(dst, changed)
	dst = p.state.spend.append(dst, changed)
	dst = p.state.types.append(dst, changed)
	return dst
}

// Commit says that what AppendState gave is durable.
func (p *W1) Commit() {
	p.state.once.seen.Commit()
	p.state.spend.panes.Commit()
	p.state.spend.keys.Commit()
	p.state.types.panes.Commit()
	p.state.types.keys.Commit()
}

// Restore reads what AppendState gave, the first time all and then what changed, or what checkpoint.Living has left of that. The processor must be new.
func (p *W1) Restore(commits ...[]byte) error {
	p.state.once.seen.Expect(checkpoint.Size(commits, pieceOnce))
	if err := checkpoint.Read(commits, p.restoreFrame); err != nil {
		return err
	}
	w := p.input.Value // what it has passed was dropped by the processor that wrote the last commit
	p.state.once.recycle(w)
	if err := p.state.spend.restored(); err != nil {
		return err
	}
	if err := p.state.types.restored(); err != nil {
		return err
	}
	p.state.spend.drop(w)
	p.state.types.drop(w)
	p.Commit()
	p.segments.Due = min(p.state.spend.due(w), p.state.types.due(w))
	return nil
}

// restoreFrame reads what a commit says of a stage, or its head.
func (p *W1) restoreFrame(frame checkpoint.Frame) error {
	r := table.NewReader(frame.Data)
	switch frame.Piece {
	case checkpoint.Head:
		p.input.Highest = r.Int()
		p.input.Value = r.Int()
		for i := range p.counts {
			p.counts[i] = r.Uint()
		}
		p.state.once.seed = r.Seed()
		p.state.spend.seed = r.Seed()
		p.state.types.seed = r.Seed()
		p.state.spend.keys.Numbers(&r)
		p.state.types.keys.Numbers(&r)
	case pieceOnce:
		p.state.once.restore(&r)
	case pieceSpend:
		p.state.spend.restore(&r, p.input.Value)
	case pieceTypes:
		p.state.types.restore(&r, p.input.Value)
	default:
		r.Fail("no stage has this number")
	}
	return r.Done()
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
	s.seen.Expire(window.Behind(w, onceHorizon), func(key onceKey) uint32 { return key.hash(s.seed) })
}

// append appends the frame of once: its ids, or those that are new. Nothing repeats them; each is needed until it expires.
func (s *onceState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, pieceOnce)
	dst, newest := s.seen.AppendState(dst, changed)
	behind := uint32(0)
	if changed {
		behind = checkpoint.Everything
	}
	checkpoint.End(dst, begin, window.Add(newest, onceHorizon), behind)
	return dst
}

// restore reads a frame.
func (s *onceState) restore(r *table.Reader) {
	s.seen.Restore(r, func(key onceKey) uint32 { return key.hash(s.seed) })
}

// append appends the frame of spend: its windows, or what changed in them and a part of the rest, and the keys that earlier frames have not told.
//
//	count of windows
//	for each: start, how long it is kept, length of what follows; count and ids of keys; what is kept for each
//	count of keys; for each its id, and the key with its length
func (s *spendState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, pieceSpend)
	behind, expires := s.panes.Select(changed), stream.Never
	for _, pane := range s.panes.Open {
		if pane.Chosen() {
			expires = max(expires, pane.Start+spendSize)
		}
	}
	s.keys.Tell(expires, s.panes.Anew())
	dst = table.AppendUint(dst, uint64(s.panes.Chosen()))
	for _, pane := range s.panes.Open {
		if !pane.Chosen() {
			continue
		}
		s.place, s.id = pane.Selected(s.place[:0], s.id[:0])
		dst = table.AppendSpan(dst, pane.Start, pane.Start+spendSize)
		at := len(dst)
		dst = table.AppendWord(dst, 0)
		dst = s.keys.AppendIDs(dst, s.id, pane.Start+spendSize)
		for _, place := range s.place {
			a := pane.At(place)
			dst = table.AppendInt(dst, a.events)
			dst = table.AppendFloat(dst, a.total.Sum)
			dst = table.AppendFloat(dst, a.total.Lost)
		}
		table.Enclose(dst, at)
	}
	untold := s.keys.Untold()
	dst = table.AppendUint(dst, uint64(len(untold)))
	for _, id := range untold {
		dst = table.AppendUint(dst, uint64(id))
		at := len(dst)
		key := &s.keys.Key[id]
		dst = table.AppendBytes(dst, s.texts.Bytes(key.user, new([16]byte)))
		dst = table.Sized(dst, at)
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame. The last commit was at watermark w.
func (s *spendState) restore(r *table.Reader, w int64) {
	s.keys.Frame(r, w)
}

// restored says that all commits have been read.
func (s *spendState) restored() error {
	window := func(r *table.Reader, start int64, told int) {
		pane := s.panes.At(start)
		s.id = s.keys.IDs(r, s.id[:0])
		pane.Expect(told, s.keys.Cap())
		s.restorePane(r, pane)
	}
	return s.keys.Restored(window, func(key spendKey) uint32 { return key.hash(s.seed) }, s.readKey)
}

// restorePane reads what is kept in a window for the keys of s.id.
func (s *spendState) restorePane(r *table.Reader, pane *table.Pane[spendAccumulator]) {
	pane.Restored(len(s.id))
	for left := s.id; len(left) > 0; {
		some := left[:min(len(left), 256)] // whose cache misses overlap
		left = left[len(some):]
		s.touched = pane.HintIDs(some)
		for _, id := range some {
			a, fresh := pane.Touch(id)
			if fresh {
				s.keys.Ref(id)
			}
			a.events = r.Int()
			a.total.Sum = r.Float()
			a.total.Lost = r.Float()
		}
	}
}

// readKey reads a key.
func (s *spendState) readKey(r *table.Reader) spendKey {
	var key spendKey
	key.user = s.texts.Intern(s.seed, r.Bytes())
	return key
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

// append appends the frame of types: its windows, or what changed in them and a part of the rest, and the keys that earlier frames have not told.
//
//	count of windows
//	for each: start, how long it is kept, length of what follows; count and ids of keys; what is kept for each
//	count of keys; for each its id, and the key with its length
func (s *typesState) append(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, pieceTypes)
	behind, expires := s.panes.Select(changed), stream.Never
	for _, pane := range s.panes.Open {
		if pane.Chosen() {
			expires = max(expires, pane.Start+typesSize)
		}
	}
	s.keys.Tell(expires, s.panes.Anew())
	dst = table.AppendUint(dst, uint64(s.panes.Chosen()))
	for _, pane := range s.panes.Open {
		if !pane.Chosen() {
			continue
		}
		s.place, s.id = pane.Selected(s.place[:0], s.id[:0])
		dst = table.AppendSpan(dst, pane.Start, pane.Start+typesSize)
		at := len(dst)
		dst = table.AppendWord(dst, 0)
		dst = s.keys.AppendIDs(dst, s.id, pane.Start+typesSize)
		for _, place := range s.place {
			a := pane.At(place)
			dst = table.AppendInt(dst, a.events)
		}
		table.Enclose(dst, at)
	}
	untold := s.keys.Untold()
	dst = table.AppendUint(dst, uint64(len(untold)))
	for _, id := range untold {
		dst = table.AppendUint(dst, uint64(id))
		at := len(dst)
		key := &s.keys.Key[id]
		dst = table.AppendBytes(dst, s.texts.Bytes(key.type_, new([16]byte)))
		dst = table.Sized(dst, at)
	}
	checkpoint.End(dst, begin, expires, behind)
	return dst
}

// restore reads a frame. The last commit was at watermark w.
func (s *typesState) restore(r *table.Reader, w int64) {
	s.keys.Frame(r, w)
}

// restored says that all commits have been read.
func (s *typesState) restored() error {
	window := func(r *table.Reader, start int64, told int) {
		pane := s.panes.At(start)
		s.id = s.keys.IDs(r, s.id[:0])
		pane.Expect(told, s.keys.Cap())
		s.restorePane(r, pane)
	}
	return s.keys.Restored(window, func(key typesKey) uint32 { return key.hash(s.seed) }, s.readKey)
}

// restorePane reads what is kept in a window for the keys of s.id.
func (s *typesState) restorePane(r *table.Reader, pane *table.Pane[typesAccumulator]) {
	pane.Restored(len(s.id))
	for left := s.id; len(left) > 0; {
		some := left[:min(len(left), 256)] // whose cache misses overlap
		left = left[len(some):]
		s.touched = pane.HintIDs(some)
		for _, id := range some {
			a, fresh := pane.Touch(id)
			if fresh {
				s.keys.Ref(id)
			}
			a.events = r.Int()
		}
	}
}

// readKey reads a key.
func (s *typesState) readKey(r *table.Reader) typesKey {
	var key typesKey
	key.type_ = s.texts.Intern(s.seed, r.Bytes())
	return key
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
