package session

import (
	"cmp"

	"github.com/streamwright/streamwright/runtime/sessions"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/window"
)

// What a specialisation puts in the place of these names, and of the words stageName, stageGapText and stageMaxText in comments.

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
	counts  [8]uint64
}

// value is a row that enters the stage.
type value struct {
	at, n int64
	key   uint64
}

// stageKey is a key.
type stageKey struct{ key uint64 }

func (k stageKey) hash(seed table.Seed) uint32 { return uint32(table.Hash1(seed, k.key)) }

func (s *stageState) compare(a, b stageKey) int { return cmp.Compare(a.key, b.key) }

// stageAccumulator is what the stage keeps of a session.
type stageAccumulator struct {
	n, sum    int64
	revision  int64 // of its next row
	published bool  // it has given a row that stands
}

// stageArguments are values of expressions over a row.
type stageArguments struct{ n int64 }

// stageRow is a row that the stage makes.
type stageRow struct {
	WindowStart, WindowEnd int64
	Key                    uint64
	N, Sum                 int64
	Revision               int64
	Retracted              bool
}

const (
	hasTexts     = true // the key has strings
	hasBlobs     = true // the accumulator has strings
	hasArguments = true // an argument of an aggregate can fail, so it is evaluated before the row is judged
	canRefuse    = true // an aggregate can fail
)

// The kinds, at most one of which is true. Variables, so that the tests can try each.
var (
	updates = false // a session that has ended can change, and gives its row again
	uncut   = false // what ends cuts no segment: it is settled when a row of its key comes, and else behind the last record
)

// Spans of event time in ns.
const (
	stageGap = 5
	stageMax = 12

	stageLateness = 15
)

// stageFirst is the revision of a first row.
const stageFirst = 0

// stageTimeRange is the site of sessions outside the range of times.
const stageTimeRange = 1

// stagePiece is the number of the state of the stage in a commit.
const stagePiece = 1

// Counters.
const (
	stageInCount = iota
	stageFolded
	stageLateCount
	stageOpened
	stageMerged
	stageCut
	stageMade
	stageEmitted
)

// slotBegin is what the expressions need before the loop.
func slotBegin(*Processor) {}

// slotLabel is the label of the loop, when an argument may leave it.
func slotLabel() {}

// slotValue is the row that enters the stage, when anything looks at it.
func slotValue(p *Processor, r stream.Row) *value { return &p.column.stageColumn[r.Index] }

// slotArguments evaluates arguments that can fail: it may refuse the row and leave the loop.
func slotArguments(_ *Processor, _ stream.Row, e *value) stageArguments { return stageArguments{e.n} }

// slotAt is the event time of a row.
func slotAt(e *value) int64 { return e.at }

// slotOrigin is the row that is refused for r.
func slotOrigin(r stream.Row, _ *value) stream.Row { return r }

// slotKey is the key of a row.
func slotKey(_ *stageState, e *value) stageKey { return stageKey{e.key} }

// slotOver is when nothing changes a session any more that ends at end.
func slotOver(end int64) int64 {
	if updates {
		return window.Add(end, stageLateness)
	}
	return end
}

// slotTakes says whether the newest session of a key, if there is one, takes an event that would be in [start, end) by itself, and becomes no part of another by it.
func slotTakes(session *sessions.Session[stageAccumulator], start, end, w int64) bool {
	return session != nil && session.Start <= start && start < session.End && uint64(end-session.Start) <= stageMax && (!uncut || session.End > w)
}

// slotRecord is the record that has ended a session.
func slotRecord(p *Processor, x sessions.Ended) uint32 {
	if uncut {
		return p.segments.Crossing(x.End)
	}
	return uint32(p.segments.Last)
}

// slotEmpty removes the rows of the step before, where the stage's records have not left some.
func slotEmpty(p *Processor) {
	p.column.stageRows, p.rows.stageOut = p.column.stageRows[:0], p.rows.stageOut[:0]
}

// slotRowState is the state, when a row needs it.
func slotRowState(p *Processor) *stageState { return &p.state.stage }

// slotKeyState is the state, when the columns of a key need it.
func slotKeyState(p *Processor) *stageState { return &p.state.stage }

// slotKeyColumns sets the columns of the key of id.
func slotKeyColumns(_ *Processor, s *stageState, id uint32, row *stageRow) {
	row.Key = s.keys.Key[id].key
}

// slotFull refuses row i when its session is one too many: it leaves the loop.
func slotFull(_ *Processor, _ *stageState, _ int) {}

// slotFold folds row i into its accumulator.
func slotFold(_ *Processor, s *stageState, a *stageAccumulator, i int, _ bool) {
	a.n++
	a.sum += s.args[i].n
}

// slotMerge adds the accumulator b to a.
func slotMerge(_ *stageState, a, b *stageAccumulator) {
	a.n += b.n
	a.sum += b.sum
}

// slotSlot is the accumulator of a session, and its key.
func slotSlot(s *stageState, session *sessions.Session[stageAccumulator], id uint32) (*stageAccumulator, *stageKey) {
	return &session.Value, &s.keys.Key[id]
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
