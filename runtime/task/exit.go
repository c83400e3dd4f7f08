package task

import (
	"io"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/stream"
)

// exit is an output of a processor and the target that takes its rows: one of a run that succeeds or fails as a whole, or one under commits.
type exit struct {
	path      string // "": standard output
	*attempts        // name: "sink spend", "dead_letter"
	rows      *stream.Output
	target    *sink.File // nil: under commits
	kept      sink.Kept  // nil: there are none
	mark      int        // length of Buf before the batch
	failed    bool       // a write has: how much of it is there is unknown
	err       error      // of a write in the middle of a batch; the next one tells it
}

// openExit opens the target of an exit. restored is what the last commit kept, nil without commits.
func openExit(place Sink, restored *checkpoint.Restored, d disk.Disk, stdout io.Writer, tries *attempts) (e exit, err error) {
	err = tries.again(func() (bool, error) {
		e, err = openTarget(place, restored, d, stdout)
		return false, err
	})
	e.attempts = tries
	return e, err
}

func openTarget(place Sink, restored *checkpoint.Restored, d disk.Disk, stdout io.Writer) (e exit, err error) {
	commits := restored != nil
	var state []byte
	if commits {
		state = restored.Output(place.Name)
	}
	e = exit{rows: new(stream.Output)}
	t := place.Target
	switch {
	case t.Stdout:
		e.target, err = sink.Stdout(stdout)
	case t.Roll != nil && commits:
		e.kept, err = sink.KeepRolling(d, t.Path, sink.Roll(*t.Roll), state, restored.Back)
	case t.Append && commits:
		if _, real := d.(disk.OS); real {
			e.target, err = sink.Special(t.Path)
		}
		if err == nil && e.target == nil {
			e.kept, err = sink.Keep(d, t.Path, state)
		}
	case t.Append:
		e.target, err = sink.Append(t.Path)
	default:
		e.target, err = sink.Whole(t.Path)
	}
	if commits && e.target != nil {
		e.target, e.kept = nil, sink.Through(e.target)
	}
	return e, err
}

// write hands over what has collected.
func (e *exit) write() (err error) {
	switch {
	case e.err != nil:
		err = e.err
	default:
		err = e.put(e.rows.Buf)
	}
	e.rows.Buf = e.rows.Buf[:0]
	e.mark = 0
	e.failed = err != nil
	return err
}

// header says whether a header must be put above the rows.
func (e *exit) header(line []byte) (missing bool, err error) {
	if e.kept != nil {
		return e.kept.Header(line)
	}
	return e.target.Header(line)
}

// spill is write for a processor that has much to say in one step.
func (e *exit) spill() { e.err = e.write() }

// rewind forgets the rows of a batch that was not finished, but those that were spilled.
func (e *exit) rewind() { e.rows.Buf = e.rows.Buf[:e.mark] }

// abort closes; a whole file that was not committed is removed.
func (e *exit) abort() {
	if e.kept != nil {
		e.kept.Abort()
	} else {
		e.target.Abort()
	}
}

// state is what has become of the rows.
func (e *exit) state() State {
	switch {
	case e.target != nil && e.target.Pending():
		return NotWritten
	case e.failed:
		return Incomplete
	}
	return Written
}
