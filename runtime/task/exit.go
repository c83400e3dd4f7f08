package task

import (
	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/stream"
)

// exit is an output of a processor and the target that takes its rows.
type exit struct {
	rows   *stream.Output
	target *sink.File
	mark   int  // length of Buf before the batch
	failed bool // a write has: how much of it is there is unknown
}

// write hands over what has collected.
func (e *exit) write() error {
	err := e.target.Put(e.rows.Buf)
	e.rows.Buf = e.rows.Buf[:0]
	e.mark = 0
	e.failed = err != nil
	return err
}

// rewind forgets the rows of a batch that was not finished.
func (e *exit) rewind() { e.rows.Buf = e.rows.Buf[:e.mark] }

// state is what has become of the rows.
func (e *exit) state() State {
	switch {
	case e.target.Pending():
		return NotWritten
	case e.failed:
		return Incomplete
	}
	return Written
}
