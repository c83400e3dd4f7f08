// Package feed runs processors without a task around them: records from a reader in blocks as sources make them, rows to writers.
package feed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

const blockSize = 256 << 10 // bytes, as sources read

// Run takes the records of r through a new processor with batches of so many records; sinks, in the order of the spec, get the rows, those that are missing none. It calls end
// when every record was taken, before the windows that are open close. A record that is refused is an error. The processor is returned for its counts.
func Run(p task.Pipeline, batch int, r io.Reader, sinks []io.Writer, end func(task.Processor)) (task.Processor, error) {
	processor := p.New(batch)
	var spilled error // of the first write that failed while a step went on
	for i, w := range sinks {
		out := processor.Output(i)
		out.Full = func() { spilled = cmp.Or(spilled, empty(out, w)) }
	}
	write := func() error {
		for i, w := range sinks {
			spilled = cmp.Or(spilled, empty(processor.Output(i), w))
		}
		if letters := processor.Letters(); len(letters.Buf) > 0 {
			return fmt.Errorf("a record was refused: %s", letters.Buf)
		}
		return spilled
	}
	in := stream.Batch{Data: make([]byte, 0, blockSize+stream.Padding)}
	var rest []byte // the beginning of a record whose end was not read yet
	for err := error(nil); err == nil; {
		block := append(in.Data[:0], rest...)
		var n int
		n, err = io.ReadFull(r, block[len(rest):blockSize])
		block = block[:len(rest)+n]
		whole := len(block)
		if err == nil {
			if whole = bytes.LastIndexByte(block, '\n') + 1; whole == 0 {
				return nil, fmt.Errorf("a record of more than %d bytes", blockSize)
			}
		} else if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
		rest = append(rest[:0], block[whole:]...)
		in.Data = append(block[:whole], padding[:]...)
		in.Base += int64(in.End)
		in.Pos, in.End = 0, whole
		for in.Pos < in.End {
			processor.Process(&in)
		}
		if err := write(); err != nil {
			return nil, err
		}
	}
	end(processor)
	processor.End()
	return processor, write()
}

var padding [stream.Padding]byte

// empty writes the rows that out holds.
func empty(out *stream.Output, w io.Writer) error {
	_, err := w.Write(out.Buf)
	out.Buf = out.Buf[:0]
	return err
}

// Ending is a reader that calls Func once, when it has nothing more.
type Ending struct {
	io.Reader
	Func func()
}

// Read reads.
func (e *Ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF && e.Func != nil {
		e.Func()
		e.Func = nil
	}
	return n, err
}
