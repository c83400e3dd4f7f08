package dedup

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// What a specialisation puts in the place of these names, and of the words stageName and stageHorizonText in comments.

// Processor is the processor that the stage belongs to.
type Processor struct {
	segments stream.Segments
	column   struct{ stageColumn []value }
	rows     struct{ stageIn, stageOut, stageLate []stream.Row }
	state    struct{ stage stageState }
	counts   [4]uint64
}

// value is a row that enters the stage.
type value struct {
	at int64
	id uint64 // 0: none
}

// stageKey is an id.
type stageKey struct{ id uint64 }

func (k stageKey) hash(seed table.Seed) uint32 { return uint32(table.Hash1(seed, k.id)) }

const (
	passNoID = false // a row without an id passes
	limited  = true  // there is a limit on ids
)

// stageMaxKeys is how many ids the stage keeps at most.
const stageMaxKeys = 1000

// Spans of event time in ns.
const (
	stageHorizon  = 100
	stageTrusted  = 90 // how far behind the watermark a row may be and still be known as new
	stageInterval = 7
)

// stagePiece is the number of the state of the stage in a commit.
const stagePiece = 1

// Counters.
const (
	stageInCount = iota
	stagePassedCount
	stageLateCount
	stageDuplicate
)

// slotBegin is what the key needs before the loop.
func slotBegin(*Processor) {}

// slotRefuse refuses a row without an id: it leaves the loop.
func slotRefuse(*Processor, stream.Row, *value) {}

// slotKey is the id of a row.
func slotKey(_ *Processor, e *value) stageKey { return stageKey{e.id} }

// slotKnown says whether a row has an id.
func slotKnown(e *value) bool { return e.id != 0 }

// slotAt is the event time of a row.
func slotAt(e *value) int64 { return e.at }

// slotFull refuses a row whose id is one too many.
func slotFull(*Processor, stream.Row) {}
