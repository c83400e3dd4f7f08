package source

import (
	"fmt"
	"io"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// blocks is how many blocks of an Ahead there are: one at work, the others filled or being filled.
const blocks = 3

// Block is a batch with what must be known of its source. It is handed over whole: whoever has it owns all its memory.
type Block struct {
	stream.Batch
	Header []byte // of the file of CSV
	Live   bool   // it comes from a pipe or a terminal, where the next records may be long in coming
}

// Ahead reads the blocks of a source before they are asked for, in a goroutine of its own: reading and unpacking then take place on a second core, and a wait for the next
// records of a pipe can be left.
type Ahead struct {
	files   *Files
	decode  func(in *stream.Batch) // nil: nothing is decoded here
	current *Block
	free    chan *Block
	full    chan filled // nil: there is no goroutine
	done    chan struct{}
	waiting atomic.Bool // for what is not there yet
}

type filled struct {
	block *Block
	err   error
}

// NewAhead reads files. With one core only live sources have a goroutine. Files belongs to the Ahead from now on. Where there is a second core the goroutine also calls decode for each
// block, which has a number then: what takes the records of blocks that were decoded (task.Decoder). decode may be nil.
func NewAhead(files *Files, cores int, decode func(in *stream.Batch)) *Ahead {
	a := &Ahead{files: files, current: new(Block)}
	files.CaughtUp = a.caughtUp
	if cores <= 1 && !files.waits {
		return a
	}
	if cores > 1 {
		a.decode = decode
	}
	// A filled block does not wait for its taker: waking a goroutine on another core takes as long as decoding some hundred records.
	a.free, a.full, a.done = make(chan *Block, blocks), make(chan filled, blocks), make(chan struct{})
	for i := range blocks {
		b := new(Block)
		if a.decode != nil {
			b.Block = i + 1
		}
		if i == 0 {
			a.current = b
		} else {
			a.free <- b
		}
	}
	go a.read()
	return a
}

// tell says that there are news.
func (a *Ahead) tell() {
	select {
	case a.files.News <- struct{}{}:
	default: // nobody wants to know, or somebody will look anyway
	}
}

// caughtUp notes whether everything that is there was read.
func (a *Ahead) caughtUp(all bool) {
	if a.waiting.Swap(all) != all && all {
		a.tell()
	}
}

// Try is Next for a source among others. It does not wait: without a block and an error, either the next one is on its way, or waits says that nobody knows when there will be one.
func (a *Ahead) Try() (b *Block, waits bool, err error) {
	if a.full == nil {
		return a.current, false, a.fill(a.current)
	}
	if a.current != nil {
		a.free <- a.current
		a.current = nil
	}
	waits = a.waiting.Load() // before one looks: what came before that is seen
	select {
	case f, ok := <-a.full:
		if !ok {
			return new(Block), false, io.EOF
		}
		a.current = f.block
		return f.block, false, f.err
	default:
		return nil, waits, nil
	}
}

// Beside says whether a goroutine of its own reads the source.
func (a *Ahead) Beside() bool { return a.full != nil }

// read fills blocks until the source has no more, or Close.
func (a *Ahead) read() {
	defer close(a.full)
	for {
		var b *Block
		select {
		case b = <-a.free:
		case <-a.done:
			return
		}
		err := a.fill(b)
		select {
		case a.full <- filled{b, err}:
			a.tell()
		case <-a.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// fill is everything that is done to a block before it is handed over.
func (a *Ahead) fill(b *Block) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic while reading, this is a bug in streamwright: %v\n%s", v, debug.Stack())
		}
	}()
	err = a.files.Fill(&b.Batch)
	b.Now = time.Now().UnixNano()
	b.Header, b.Live = a.files.Header(), a.files.Live()
	if err == nil && a.decode != nil {
		a.decode(&b.Batch)
	}
	return err
}

// Next is the next block, which is the caller's until the next call. At the end of the source it is an empty one, with io.EOF. It is nil without an error when tick
// fired before anything came; where there is no goroutine nobody looks at tick, and nothing takes long.
func (a *Ahead) Next(tick <-chan time.Time) (*Block, error) {
	if a.full == nil {
		return a.current, a.fill(a.current)
	}
	if a.current != nil {
		a.free <- a.current
		a.current = nil
	}
	select {
	case f, ok := <-a.full:
		if !ok {
			return new(Block), io.EOF
		}
		a.current = f.block
		return f.block, f.err
	case <-tick:
		return nil, nil
	}
}

// Close ends the goroutine and closes the open file. A source that waits for more must have been told to stop before.
func (a *Ahead) Close() {
	if a.full != nil {
		close(a.done)
		for range a.full { // until the goroutine has left
		}
	}
	a.files.Close()
}
