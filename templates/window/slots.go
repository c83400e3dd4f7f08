package window

import (
	"cmp"
	"time"

	"github.com/streamwright/streamwright/runtime/calendar"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// What a specialisation puts in the place of these names, and of the words stageName and stageWindows in comments.

// Processor is the processor that the stage belongs to.
type Processor struct {
	in       *stream.Batch
	segments stream.Segments
	column   struct {
		stageColumn []value
		stageRows   []stageRow
	}
	rows    struct{ stageIn, stageOut, stageLate []stream.Row }
	state   struct{ stage stageState }
	refused []stream.Refused
	counts  [7]uint64
}

// value is a row that enters the stage.
type value struct {
	at, n int64
	key   uint64
}

// stageKey is a key.
type stageKey struct{ key uint64 }

func (k stageKey) hash(seed table.Seed) uint32 { return uint32(table.Hash1(seed, k.key)) }

func (s *stageState) lead(k stageKey, at int) (a, b uint64) {
	if at > 0 {
		return 0, 0
	}
	return uint64(k.key) ^ 1<<63, 0
}

func (s *stageState) compare(a, b stageKey) int { return cmp.Compare(a.key, b.key) }

// stageAccumulator is what the stage keeps for a key in an open window.
type stageAccumulator struct {
	n, sum   int64
	revision int64 // of its next row
}

// stagePanes has the accumulators.
type stagePanes = table.Slices[stageAccumulator]

// stageArguments are values of expressions over a row.
type stageArguments struct{ n int64 }

// stageRow is a row that the stage makes.
type stageRow struct {
	WindowStart, WindowEnd int64
	Key                    uint64
	N, Sum                 int64
	Revision               int64
}

const (
	hasTexts     = true // the key has strings
	hasBlobs     = true // the accumulator has strings
	hasArguments = true // an argument of an aggregate can fail, so it is evaluated before the row is judged
	canRefuse    = true // an aggregate can fail
	takesRecords = true // records reach the stage without passing another window
)

// The kinds of windows, at most one of which is true, but that those which do not grow can have updates, too. Variables, so that the tests can try each.
var (
	overlaps   = false // a row is in several windows, and folded into each
	sliced     = false // a row is in several windows, and folded into its slice
	growing    = false // a row is in several windows that begin together, and folded into its step
	byCalendar = false // windows are days, weeks or months of a zone
	updates    = false // a window that has ended can change, and gives its row again
)

// Spans of event time in ns.
const (
	stageSize   = 10
	stageOffset = 3

	stageLateness = 25
)

// stageFirst is the revision of a first row.
const stageFirst = 0

// stageSpan is from the start of a pane to the end of its first window, and stageSlide to that of its next.
var stageSpan, stageSlide int64 = stageSize, 3

// stageStep is from the end of a window that begins with others to the next.
const stageStep = 2

// stageAtOnce is how many rows stand in memory at a time when only sinks read them.
var stageAtOnce = 1024

// stageTimeRange is the site of windows outside the range of times.
const stageTimeRange = 1

// stagePiece is the number of the state of the stage in a commit.
const stagePiece = 1

// Counters.
const (
	stageInCount = iota
	stageFolded
	stageLateCount
	stageOpened
	stageMade
	stageEmitted
	stagePartial
)

// slotBegin is what the expressions need before the loop.
func slotBegin(*Processor) {}

// slotLabel is the label of the loop, when an argument may leave it.
func slotLabel() {}

// slotValue is the row that enters the stage, when anything looks at it.
func slotValue(p *Processor, r stream.Row) *value { return &p.column.stageColumn[r.Index] }

// slotArguments evaluates arguments that can fail: it may refuse the row and leave the loop.
func slotArguments(_ *Processor, _ stream.Row, e *value) stageArguments { return stageArguments{e.n} }

// slotCalendar makes the calendar.
func slotCalendar(s *stageState) {
	if byCalendar {
		s.calendar = calendar.New(time.UTC, calendar.Day)
	}
}

// slotBounds is the window of a row, or the span of all its windows; ok is false when a bound is outside the range of times.
func slotBounds(s *stageState, e *value) (start, end int64, ok bool) {
	switch {
	case growing:
		return window.Steps(e.at, stageSize, stageStep, stageOffset)
	case overlaps, sliced:
		return window.Hops(e.at, stageSize, stageSlide, stageOffset%stageSlide)
	case byCalendar:
		return s.calendar.Bounds(e.at)
	}
	return window.Bounds(e.at, stageSize, stageOffset)
}

// slotPassed is a time: windows that end by then are over, and nothing changes them.
func slotPassed(p *Processor, r stream.Row) int64 {
	if updates {
		return window.Behind(p.segments.Watermark[r.Record], stageLateness)
	}
	return p.segments.Watermark[r.Record]
}

// slotOver is the watermark at which nothing changes the window of a pane any more.
func slotOver(s *stageState, pane *table.Pane[stageAccumulator]) int64 {
	if updates {
		return window.Add(slotEnd(s, pane), stageLateness)
	}
	return slotEnd(s, pane)
}

// slotEmpty removes the rows of the step before, where the stage's records have not left some.
func slotEmpty(p *Processor) {
	p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
}

// slotRowState is the state, when a row needs it.
func slotRowState(p *Processor) *stageState { return &p.state.stage }

// slotSlice is the start of the slice of a row.
func slotSlice(e *value) int64 {
	return window.Slice(e.at, stageSlide, stageSize%stageSlide, stageOffset%stageSlide)
}

// slotOpens is the start of the window that ends at end.
func slotOpens(end int64) int64 {
	if growing {
		return window.Start(end-1, stageSize, stageOffset)
	}
	return end - stageSize
}

// slotStart is the start of the window of a pane.
func slotStart(_ *stageState, pane *table.Pane[stageAccumulator]) int64 { return pane.Start }

// slotEnd is the end of the last window of a pane.
func slotEnd(s *stageState, pane *table.Pane[stageAccumulator]) int64 {
	switch {
	case byCalendar:
		return s.calendar.End(pane.Start)
	case sliced:
		return window.Start(pane.Start, stageSlide, stageOffset%stageSlide) + stageSize
	case growing:
		return s.ends(pane.Start)
	}
	return pane.Start + stageSize
}

// slotNext is the end of the window that closes next; there is one.
func slotNext(p *Processor, s *stageState) int64 {
	if sliced || growing {
		return s.next(p.segments.Before())
	}
	return slotEnd(s, s.panes.Open[0])
}

// slotDue is the first end of a window above watermark w.
func slotDue(s *stageState, w int64) int64 {
	switch {
	case growing:
		return window.Due(w, stageStep, stageOffset%stageStep)
	case overlaps, sliced:
		return window.Due(w, stageSlide, (stageOffset+stageSize)%stageSlide)
	case byCalendar:
		return s.calendar.Due(w)
	}
	return window.Due(w, stageSize, stageOffset)
}

// slotLast is the end of the last window of the slice that starts at start.
func slotLast(start int64) int64 {
	return window.Start(start, stageSlide, stageOffset%stageSlide) + stageSize
}

// slotReached is the end of the last window that has ended by watermark now.
func slotReached(now int64) int64 {
	return window.Start(now, stageSlide, (stageOffset+stageSize)%stageSlide)
}

// slotOrigin is the row that is refused for r.
func slotOrigin(r stream.Row, _ *value) stream.Row { return r }

// slotKey is the key of a row.
func slotKey(_ *stageState, e *value) stageKey { return stageKey{e.key} }

// slotFull refuses row i when its key is one too many: it leaves the loop.
func slotFull(_ *Processor, _ *stageState, _ int, _ uint32, _ bool) {}

// slotFold folds row i into its accumulator.
func slotFold(_ *Processor, s *stageState, a *stageAccumulator, i int, _ bool) {
	a.n++
	a.sum += s.args[i].n
}

// slotSlot is the accumulator and the key of an id.
func slotSlot(s *stageState, pane *table.Pane[stageAccumulator], id uint32) (*stageAccumulator, *stageKey) {
	if sliced {
		return s.panes.Sum(id), &s.keys.Key[id]
	}
	return pane.Slot(id), &s.keys.Key[id]
}

// slotKeyOf is the key of an id, when a row has it.
func slotKeyOf(s *stageState, id uint32) *stageKey { return &s.keys.Key[id] }

// slotMerge adds what b holds to a.
func slotMerge(_ *stageState, a, b *stageAccumulator) {
	a.n += b.n
	a.sum += b.sum
}

// slotColumns sets the columns of row r; an aggregate that fails makes it a refusal.
func slotColumns(p *Processor, _ *stageState, a *stageAccumulator, key *stageKey, row *stageRow, r stream.Row) stream.Refused {
	p.in.Keep([]byte("key"))
	row.Key, row.N, row.Sum = key.key, a.n, a.sum
	if a.sum > 1000 {
		return stream.Refused{Row: r, Site: 2, Fault: stream.FaultOverflow}
	}
	return stream.Refused{}
}

// slotMark keeps the strings of a key that is in use.
func slotMark(*stageState, *stageKey) {}

// slotFree gives the strings of an accumulator back.
func slotFree(*stageState, *stageAccumulator) {}

// slotAppendKey appends a key to a state.
func slotAppendKey(dst *[]byte, s *stageState, id uint32) {
	*dst = table.AppendWord(*dst, s.keys.Key[id].key)
}

// slotAppend appends an accumulator to a state.
func slotAppend(dst *[]byte, _ *stageState, a *stageAccumulator) {
	*dst = table.AppendInt(table.AppendInt(*dst, a.n), a.sum)
}

// slotReadKey reads a key of a state.
func slotReadKey(_ *stageState, r *table.Reader) stageKey { return stageKey{r.Word()} }

// slotRead reads an accumulator of a state over what a holds.
func slotRead(_ *stageState, a *stageAccumulator, r *table.Reader) { a.n, a.sum = r.Int(), r.Int() }
