package source

import (
	"errors"
	"io"
)

// errStopped ends a Fill that waited when it was told to stop.
var errStopped = errors.New("stopped while waiting for input")

// pump reads a pipe or a terminal in a goroutine of its own, because a blocked read cannot be ended: the reader can leave, the goroutine stays until
// its read returns. One read is under way at a time.
type pump struct {
	stop  <-chan struct{}
	waits func(bool)   // told that nothing is there, or that it came
	ask   chan []byte  // the buffer, to be filled
	got   chan reading // what came
	buf   []byte
	rest  []byte // of buf: not handed out yet
	err   error
	asked bool
}

type reading struct {
	n   int
	err error
}

func newPump(in io.Reader, stop <-chan struct{}, waits func(bool)) *pump {
	p := &pump{stop: stop, waits: waits, ask: make(chan []byte), got: make(chan reading, 1), buf: make([]byte, readSize)}
	go func() {
		for buf := range p.ask {
			n, err := in.Read(buf)
			p.got <- reading{n, err}
			if err != nil {
				return
			}
		}
	}()
	return p
}

// Read is io.Reader. It returns errStopped when stop is closed before anything came.
func (p *pump) Read(dst []byte) (int, error) {
	if len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		if !p.asked {
			p.ask <- p.buf
			p.asked = true
		}
		p.waits(true)
		select {
		case r := <-p.got:
			p.waits(false)
			p.rest, p.err, p.asked = p.buf[:r.n], r.err, false
		case <-p.stop:
			return 0, errStopped
		}
		if len(p.rest) == 0 {
			return 0, p.err
		}
	}
	n := copy(dst, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
