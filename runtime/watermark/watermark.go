// Package watermark follows the event time of an input.
package watermark

import "github.com/streamwright/streamwright/runtime/stream"

// Input is the watermark of one input: it trails the highest event time seen by a bound and never goes back. All times are int64 nanoseconds since the Unix
// epoch. The exported fields are its whole state; Bound comes from the spec, Highest and Value belong into a checkpoint.
type Input struct {
	Bound   int64 // out-of-orderness, ns, not negative
	Highest int64 // highest event time observed; stream.Never before the first
	Value   int64 // the watermark: every event with a time below it is expected to have arrived
}

// New is the watermark of an input that has had no record: stream.Never.
func New(bound int64) Input {
	return Input{Bound: bound, Highest: stream.Never, Value: stream.Never}
}

// Observe takes the event time of a record and returns the watermark as it was before: the one the record is judged by.
func (in *Input) Observe(t int64) (before int64) {
	before = in.Value
	if t > in.Highest {
		in.Highest = t
		if w := t - in.Bound; w > before && w <= t { // w > t: below the range of int64
			in.Value = w
		}
	}
	return before
}

// End moves the watermark to stream.Always: the input has ended.
func (in *Input) End() { in.Value = stream.Always }

// Reset forgets what was observed.
func (in *Input) Reset() { *in = New(in.Bound) }
