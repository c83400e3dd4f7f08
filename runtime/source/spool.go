package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Spool keeps what comes on standard input in files, until what was made of it is committed: a pipe cannot be read again. Parts have numbers; a new one begins with each run, and behind the first
// record that ends beyond partSize. What stood in the pipe when a process was killed is lost, as to any reader; nothing that Spool has read is.
type Spool struct {
	dir   string
	part  int64 // bytes of a part
	stop  <-chan struct{}
	mu    sync.Mutex
	file  *os.File // the part that grows
	size  int64
	next  int
	dirty []*os.File // to be made durable; all but file are closed then
	named bool       // the folder has new names
	ended bool
	err   error
}

// The size of a part, and how much may lie there before standard input is not read on.
const (
	partSize  = 64 << 20 // bytes
	mostParts = 16
)

const partEnding = ".part"

// NewSpool begins to keep what comes from in below dir, in a goroutine of its own, until in ends or stop is closed. Records are lines.
func NewSpool(dir string, in io.Reader, stop <-chan struct{}) (*Spool, error) {
	return newSpool(dir, in, stop, partSize)
}

func newSpool(dir string, in io.Reader, stop <-chan struct{}, part int64) (*Spool, error) {
	s := &Spool{dir: dir, stop: stop, next: 1, part: part}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, s.failed(err)
	}
	old, err := s.parts()
	if err != nil {
		return nil, err
	}
	if len(old) > 0 {
		if _, err := fmt.Sscanf(filepath.Base(old[len(old)-1]), "%d", &s.next); err != nil {
			return nil, s.failed(err)
		}
		s.next++
	}
	if err := s.begin(); err != nil {
		return nil, s.failed(err)
	}
	go s.copy(in)
	return s, nil
}

// Open gives the files with what is there from before and what comes, to be read as files that are followed. They end where the input ends.
func (s *Spool) Open(o Options) (*Files, error) {
	o.Follow, o.Grows, o.Drain = true, s.grows, false // it has an end of its own
	return Open(escaped(s.dir)+"/*"+partEnding, o)
}

// escaped is a path as a pattern that means it.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// parts are the files that are there, in order.
func (s *Spool) parts() ([]string, error) {
	names, err := filepath.Glob(escaped(s.dir) + "/*" + partEnding)
	slices.Sort(names)
	return names, err
}

// begin begins the next part.
func (s *Spool) begin() error {
	file, err := os.OpenFile(filepath.Join(s.dir, fmt.Sprintf("%012d%s", s.next, partEnding)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	s.file, s.size, s.named = file, 0, true
	s.next++
	s.dirty = append(s.dirty, file)
	return nil
}

// copy keeps what comes until the end.
func (s *Spool) copy(in io.Reader) {
	buf := make([]byte, readSize)
	for {
		if !s.room() {
			return
		}
		n, err := in.Read(buf)
		s.mu.Lock()
		if more := s.put(buf[:n]); more != nil {
			err = more
		}
		switch {
		case err == io.EOF:
			s.ended = true
		case err != nil:
			s.err = s.failed(err)
		}
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// put appends to the part that grows, and begins another one where that is large.
func (s *Spool) put(data []byte) error {
	if i := bytes.IndexByte(data, '\n'); s.size >= s.part && i >= 0 {
		if _, err := s.file.Write(data[:i+1]); err != nil {
			return err
		}
		if err := s.begin(); err != nil {
			return err
		}
		data = data[i+1:]
	}
	n, err := s.file.Write(data)
	s.size += int64(n)
	return err
}

// room waits until there is not too much that nobody has committed. It is false when the run was told to stop.
func (s *Spool) room() bool {
	for {
		names, _ := s.parts()
		if len(names) < mostParts {
			return true
		}
		timer := time.NewTimer(pollEvery)
		select {
		case <-timer.C:
		case <-s.stop:
			timer.Stop()
			return false
		}
	}
}

// grows says whether more may come.
func (s *Spool) grows() (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ended, s.err
}

// Sync makes what has come until now durable, before a commit names a position in it.
func (s *Spool) Sync() error {
	s.mu.Lock()
	dirty, named := s.dirty, s.named
	s.dirty, s.named = []*os.File{s.file}, false
	current := s.file
	s.mu.Unlock()
	for _, f := range dirty {
		err := f.Sync()
		if f != current {
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return s.failed(err)
		}
	}
	if !named {
		return nil
	}
	dir, err := os.Open(s.dir)
	if err == nil {
		err = errors.Join(dir.Sync(), dir.Close())
	}
	if err != nil {
		return s.failed(err)
	}
	return nil
}

// Forget removes the parts before that of a position, which is committed.
func (s *Spool) Forget(position []byte) error {
	if len(position) == 0 {
		return nil
	}
	p, err := parsePosition(position)
	if err != nil {
		return err
	}
	names, err := s.parts()
	if err != nil {
		return err
	}
	for _, name := range names {
		if name < p.name {
			if err := os.Remove(name); err != nil {
				return s.failed(err)
			}
		}
	}
	return nil
}

func (s *Spool) failed(err error) error {
	return fmt.Errorf("%s: what comes on standard input cannot be kept here until it is committed: %w", s.dir, err)
}
