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

	"github.com/streamwright/streamwright/runtime/stream"
)

// Spool keeps what comes on standard input in files, until what was made of it is committed: a pipe cannot be read again. Parts have numbers; a new one begins with each run, and behind the first
// record that ends beyond partSize. Each part of CSV begins with the header that came with its run, so that it is a file like others. What stood in the pipe when a process was killed is lost, as to any
// reader; nothing that Spool has read is, but a row of CSV that had not come whole: one cannot tell it from a whole one.
type Spool struct {
	Torn  int64 // bytes of such a row, of an earlier run, that was cut off
	dir   string
	part  int64 // bytes of a part
	o     Options
	ends  rowEnds
	held  []byte // of CSV: what has come before the header was whole
	head  []byte // of CSV: the header line; nil: it has not come
	mu    sync.Mutex
	file  *os.File // the part that grows; nil: none does
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

// NewSpool begins to keep what comes from o.Stdin below dir, in a goroutine of its own, until that ends or o.Stop is closed. committed is the position in what is there from before; it may be empty.
func NewSpool(dir string, committed []byte, o Options) (*Spool, error) {
	return newSpool(dir, committed, o, partSize)
}

func newSpool(dir string, committed []byte, o Options, part int64) (*Spool, error) {
	s := &Spool{dir: dir, o: o, next: 1, part: part, ends: rowEnds{max: o.MaxRecord}}
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
	if o.Fields == nil { // of CSV the header must have come
		err = s.begin()
	} else if len(old) > 0 {
		err = s.mend(old[len(old)-1], committed)
	}
	if err != nil {
		return nil, s.failed(err)
	}
	go s.copy(o.Stdin)
	return s, nil
}

// mend cuts off a row of CSV that had not come whole when the process ended that wrote a part.
func (s *Spool) mend(name string, committed []byte) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	ends, whole := rowEnds{max: s.o.MaxRecord}, 0
	for {
		n := ends.next(data, whole)
		if n < 0 {
			break
		}
		whole = n + 1
	}
	torn := int64(len(data) - whole)
	if p, err := parsePosition(committed); torn == 0 || err == nil && p.name == name && p.offset > int64(whole) { // the last row of an input that has ended, with a quote that was never closed
		return nil
	}
	s.Torn = torn
	if whole == 0 { // not even the header
		return os.Remove(name)
	}
	return errors.Join(file.Truncate(int64(whole)), file.Sync())
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
	s.file, s.named = file, true
	s.next++
	s.dirty = append(s.dirty, file)
	n, err := file.Write(s.head)
	s.size = int64(n)
	return err
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
		switch more := s.take(buf[:n], err == io.EOF); {
		case more != nil:
			err = more
			s.err = more
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

// take keeps what has come. over says that nothing follows.
func (s *Spool) take(data []byte, over bool) error {
	if s.o.Fields != nil && s.head == nil {
		s.held = append(s.held, data...)
		n, err := s.header(over)
		if err != nil || s.head == nil {
			return err
		}
		data, s.held = s.held[n:], nil
		if err := s.begin(); err != nil {
			return s.failed(err)
		}
	}
	for len(data) > 0 {
		n, full := s.fits(data)
		n, err := s.file.Write(data[:n])
		s.size += int64(n)
		if data = data[n:]; err == nil && full {
			err = s.begin()
		}
		if err != nil {
			return s.failed(err)
		}
	}
	if over && s.o.Fields != nil && s.ends.unended() { // so that the last row is known to be whole
		if _, err := s.file.WriteString("\n"); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// fits is how much of data the part that grows takes; full says that it is complete with that.
func (s *Spool) fits(data []byte) (n int, full bool) {
	if s.o.Fields == nil {
		if i := bytes.IndexByte(data, '\n'); s.size >= s.part && i >= 0 {
			return i + 1, true
		}
		return len(data), false
	}
	for from := 0; ; {
		i := s.ends.next(data, from)
		if i < 0 {
			return len(data), false
		}
		if from = i + 1; s.size+int64(from) >= s.part {
			return from, true
		}
	}
}

// header looks for the header line in what was held. n is how many bytes it ends behind.
func (s *Spool) header(over bool) (n int, err error) {
	f := Files{Options: s.o, name: "-"}
	data := bytes.TrimPrefix(s.held, byteOrderMark)
	skipped := len(s.held) - len(data)
	var scan stream.RowScan
	whole := 0
	for {
		i := scan.End(data, whole)
		if i < 0 && over && whole < len(data) {
			i = len(data) - 1
		}
		if i < 0 {
			break
		}
		whole = i + 1
		if _, err := f.head(data[:whole]); err != nil {
			return 0, err
		}
		if f.header != nil {
			s.head = append(f.header, '\n')
			return skipped + whole, nil
		}
	}
	switch {
	case over:
		return 0, f.headless()
	case len(data) > s.o.MaxRecord:
		return 0, f.longHeader()
	}
	return 0, nil
}

// rowEnds finds where rows of CSV end in what comes piece by piece, as Files does: one of more than max bytes ends at the next line break, whatever quotes are open.
type rowEnds struct {
	max  int
	scan stream.RowScan
	size int  // bytes of the row that has begun
	long bool // it has more than max
}

// next is the index of the line break that ends a row, looked for in data[from:], or -1; then the next piece follows.
func (r *rowEnds) next(data []byte, from int) int {
	n := -1
	if !r.long {
		n = r.scan.End(data, from)
		end := n
		if n < 0 {
			end = len(data)
		}
		r.long = r.size+end-from > r.max
	}
	if r.long {
		at := from + max(0, r.max-r.size)
		if n = bytes.IndexByte(data[min(at, len(data)):], '\n'); n >= 0 {
			n += at
		}
	}
	if n < 0 {
		r.size += len(data) - from
		return -1
	}
	r.scan, r.size, r.long = stream.RowScan{}, 0, false
	return n
}

// unended says whether a line break would end a row that has begun.
func (r *rowEnds) unended() bool {
	scan := r.scan
	return r.size > 0 && (r.long || scan.End([]byte("\n"), 0) == 0)
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
		case <-s.o.Stop:
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
	dirty, named, current := s.dirty, s.named, s.file
	s.dirty, s.named = nil, false
	if current != nil {
		s.dirty = []*os.File{current}
	}
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
