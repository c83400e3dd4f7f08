// Package task runs a generated processor: reads its source, hands it batches, writes what it puts out, ends it and sums up.
package task

import (
	"time"

	"github.com/streamwright/streamwright/runtime/source"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/watermark"
)

// Processor is what streamwright generates from a pipeline. It belongs to one goroutine.
type Processor interface {
	// Process takes up to the batch size of records from in, in order. The caller calls it until in.Pos == in.End.
	Process(in *stream.Batch)
	// End steps the watermark to stream.Always: all inputs have ended, every window closes.
	End()
	// Watermark is the watermark after the last record.
	Watermark() int64
	// Output is sink i of the pipeline, in the order of the spec. The task empties its Buf.
	Output(i int) *stream.Output
	// Letters are the dead letters. The task empties its Buf; Process empties Records.
	Letters() *stream.Letters
	// AppendCounts appends the value of each of the pipeline's counters, in their order.
	AppendCounts(dst []uint64) []uint64
	// AppendState appends the state, the counts included: all of it, or what changed since the last Commit. Outputs and dead letters are not part of it.
	AppendState(dst []byte, changed bool) []byte
	// Commit marks the state as unchanged: what AppendState gave is durable.
	Commit()
	// Restore replaces the state by what AppendState gave: a full one, then the changes in order. The processor must be new.
	Restore(commits ...[]byte) error
	// Reset forgets all state, outputs and counts and keeps the memory.
	Reset()
}

// Decoder is a Processor that can decode the records of a block before they are taken, as generated ones can.
type Decoder interface {
	Processor
	// Decode decodes all records of in, a block with a number (stream.Batch.Block) that no block has which Process has not taken whole, so that Process need not. Blocks are decoded
	// in order, by one goroutine, which may work while Process takes a block decoded before. What comes of the records is the same, and so is the state after each call of Process.
	Decode(in *stream.Batch)
}

// Merger is a Processor of several inputs: sources, or files of one. Each block says of which input it is, and up to where its records come before those of the others
// (stream.Batch.Input and Until).
type Merger interface {
	Processor
	// Inputs are the inputs and the watermark that follows from them. The caller adds inputs, and says which are idle or have ended.
	Inputs() *watermark.Inputs
	// Step steps the watermark without a record, from where it is to w. It closes what that closes.
	Step(w int64)
}

// Pipeline says what a generated processor is and what it needs around it.
type Pipeline struct {
	Name       string // as in the spec
	Spec       string // base name of the spec's file
	New        func(batch int) Processor
	Sources    []Source
	Sinks      []Sink
	DeadLetter *DeadLetter // nil: the first refusal stops the task
	StopFull   bool        // the first record whose key is one too many (state_bound) stops the task
	Counters   []Counter   // in the order of AppendCounts
	Allocates  bool        // functions of the user are called, so records may cost allocations
	Commit     *Commit     // nil: a run that is interrupted is repeated from the start
}

// Commit says where a pipeline keeps what it has done, and how often: a later run goes on from there.
type Commit struct {
	Dir     string        // a folder; ${NAME} and ${NAME:-default} are replaced at the start
	Was     []string      // names that the pipeline may have in commits, beside its own
	Gone    []string      // names that sources may have in commits that the pipeline has no more: their positions are dropped
	Every   time.Duration // between two commits, if there is anything to commit
	Records int           // a commit has at most so many records; 0: only by Every
	NoSync  bool          // a commit counts before it is on the disk: it survives the process, and not the machine
	Exact   bool          // exactly once: damage in what was committed stops a start, instead of going back
	Layout  string        // what the state consists of, and what it means, a line for each piece; one that differs cannot be read
	Earlier string        // lines of other layouts that Restore reads, too, and what becomes of that: see layout.go
}

// Source is the place that a pipeline reads.
type Source struct {
	Name           string
	Was            []string      // names that it may have in commits, beside its own
	Path           string        // file, glob, "-"; ${NAME} and ${NAME:-default} are replaced at the start
	MaxRecord      int           // bytes
	Unpack         source.Unpack // what reads compressed files; nil: they are not compressed
	Columns        []string      // of CSV: the fields of the event, which each file's header names; nil: a JSON object a line
	PerFile        bool          // each file is an input of its own
	Follow         bool          // the files grow: at their end the run waits for more
	Rotated        string        // pattern of the names that log rotation gives to a file of Path; "": it has none; ${NAME} and ${NAME:-default} are replaced at the start
	Rate           *Rate         // nil: records are taken as fast as they can be worked on
	AgeWarn        time.Duration // above 0: the processor counts records that are older ("old")
	Idle           time.Duration // above 0: an input that brings nothing for so long is left out of the watermark
	WallClock      bool          // when all inputs are idle the watermark follows the clock, Idle and OutOfOrderness behind it
	OutOfOrderness time.Duration // where Idle is above 0
	Hold           bool          // the end of the input is not the end of its windows: they stay open for a later run; needs Commit
}

// Rate is a token bucket: it holds Burst tokens, is full at the start, gets Records of them in each Per, and a record takes one.
type Rate struct {
	Records, Burst int
	Per            time.Duration
}

// Sink is a place that a pipeline writes.
type Sink struct {
	Name   string
	Target Target
	Header string // of CSV: the line above the rows; "" for none
	Retry  *Retry // nil: the first write that fails stops the run
	Raw    bool   // the rows are records of the source as they came: those of CSV stand under the source's header
}

// Target is a file or standard output.
type Target struct {
	Stdout bool
	Path   string // ${NAME} and ${NAME:-default} are replaced at the start
	Append bool   // false: written whole under a temporary name and renamed at the end
	Roll   *Roll  // not nil: a row of files, each complete when it appears; needs Commit
}

// Roll says when a file of a row is complete: with the row that reaches a limit. It appears with the next commit. 0 is no limit. In its Path {n} is the number of the file, from 1.
type Roll struct {
	Rows   uint64
	Bytes  int64
	Window time.Duration // the watermark has reached the next whole Window
}

// DeadLetter is where refused records go, and the share of the last StopOf records that stops the task.
type DeadLetter struct {
	Target    Target
	StopShare float64
	StopOf    int
	Retry     *Retry // nil: the first write that fails stops the run
}

// Counter names one counter of a processor. The counters of a node account for each of its rows (conservation). They stand together, Records or In first.
type Counter struct {
	Node string // source, stage or sink
	Kind CounterKind
	Name string // of Refused, RowRefused, Dropped and Skipped: the reason; of Passed at a route: the branch; else the kind's own name
}

// CounterKind is what a counter counts.
type CounterKind uint8

// The kinds of counters. Of a source: Records = Out + Refused + Skipped. Of a stage: In = Passed + Folded + Side + Dropped + Refused; rows that a window
// makes: Made = Out + RowRefused. Of a sink: In. A note is in no sum.
const (
	Records CounterKind = iota
	In
	Out
	Passed
	Folded
	Side
	Dropped // reason: duplicate, late, filtered
	Refused // reason; record or row that entered
	Skipped
	Made       // rows of closed windows
	RowRefused // of Made
	Opened     // (window, key) pairs
	Merged     // of them: sessions that became part of another
	Closed     // windows
	Held       // gauge: (window, key) pairs that are open
	Note       // of rows that are counted elsewhere: Name says what

	counterKinds = iota
)
