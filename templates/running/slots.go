package running

import (
	"cmp"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// What a specialisation puts in the place of these names, and of the words stageName, stageExpireText and stageEveryText in comments.

// Processor is the processor that the stage belongs to.
type Processor struct {
	segments stream.Segments
	column   struct {
		stageColumn []value
		stageRows   []stageRow
	}
	rows    struct{ stageIn, stageOut []stream.Row }
	state   struct{ stage stageState }
	refused []stream.Refused
	counts  [5]uint64
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

// stageAccumulator is what the stage keeps for a key.
type stageAccumulator struct {
	n, sum                int64
	since, asOf, revision int64
	changed               bool
}

// stageArguments are values of expressions over a row.
type stageArguments struct{ n int64 }

// stageRow is a row that the stage makes.
type stageRow struct {
	Key         uint64
	Since, AsOf int64
	N, Sum      int64
	Revision    int64
}

const (
	hasTexts     = true // the key has strings
	hasBlobs     = true // the accumulator has strings
	hasArguments = true // an argument of an aggregate can fail, so it is evaluated before the row is folded
	canRefuse    = true // an aggregate can fail
	periodic     = true // rows come in steps of the watermark, else with each record
)

// Spans of event time in ns.
const (
	stageExpire = 20
	stageEvery  = 10
)

// stagePiece is the number of the state of the stage in a commit.
const stagePiece = 1

// Counters.
const (
	stageRecords = iota
	stageInCount
	stageFolded
	stageMade
	stageEmitted
)

// slotRecords is how many records were read.
func slotRecords(p *Processor) uint64 { return p.counts[stageRecords] }

// slotBegin is what the expressions need before the loop.
func slotBegin(*Processor) {}

// slotLabel is the label of the loop, when an argument may leave it.
func slotLabel() {}

// slotValue is the row that enters the stage.
func slotValue(p *Processor, r stream.Row) *value { return &p.column.stageColumn[r.Index] }

// slotArguments evaluates arguments that can fail: it may refuse the row and leave the loop.
func slotArguments(_ *Processor, _ stream.Row, e *value) stageArguments { return stageArguments{e.n} }

// slotAt is the event time of a row.
func slotAt(e *value) int64 { return e.at }

// slotKey is the key of a row.
func slotKey(_ *stageState, e *value) stageKey { return stageKey{e.key} }

// slotFull refuses row i when its key is one too many: it leaves the loop.
func slotFull(_ *Processor, _ *stageState, _ int, _ uint32) {}

// slotFold folds row i into its accumulator.
func slotFold(_ *Processor, s *stageState, a *stageAccumulator, i int, _ bool) {
	a.n++
	a.sum += s.args[i].n
}

// slotSlot is the accumulator and the key of an id.
func slotSlot(s *stageState, id uint32) (*stageAccumulator, *stageKey) {
	return s.totals.Slot(id), &s.keys.Key[id]
}

// slotColumns sets the columns of row r; an aggregate that fails makes it a refusal.
func slotColumns(_ *Processor, _ *stageState, a *stageAccumulator, key *stageKey, row *stageRow, r stream.Row) stream.Refused {
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

// slotAppend appends a key and its accumulator to a state.
func slotAppend(dst *[]byte, _ *stageState, a *stageAccumulator, key *stageKey) {
	*dst = table.AppendInt(table.AppendInt(table.AppendWord(*dst, key.key), a.n), a.sum)
}

// slotReadKey reads a key of a state.
func slotReadKey(_ *stageState, r *table.Reader) stageKey { return stageKey{r.Word()} }

// slotRead reads an accumulator of a state over what a holds.
func slotRead(_ *stageState, a *stageAccumulator, r *table.Reader) { a.n, a.sum = r.Int(), r.Int() }
