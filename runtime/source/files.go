// Package source reads files into batches of whole records: lines of JSON, or rows of CSV behind their header.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/runtime/stream"
)

// readSize is the size of one read in bytes: small enough for a block to stay in the second-level cache until its last stage.
const readSize = 256 << 10

var (
	byteOrderMark = []byte("\xef\xbb\xbf")
	padding       [stream.Padding]byte
)

// Files reads newline-delimited records or rows of CSV from one file, from the files of a pattern in the order of their names, or from standard input.
//
// It holds one file open at a time, and memory for the longest record seen (at most max_record) and one read buffer.
type Files struct {
	names   []string // not opened yet, in order
	pattern string   // that names come from, if any
	stdin   io.Reader
	stop    <-chan struct{}
	max     int      // bytes of a record, without its newline
	first   int      // bytes that are read before one looks for more of a record
	fields  []string // of the event, which the header of a file of CSV must name; nil: files are newline-delimited records

	in     io.Reader // nil between files
	file   *os.File  // behind in, if we opened one
	name   string
	size   int64  // of a regular file when it was opened
	base   int64  // offset in the file of the next batch
	offset int64  // where to go on in the next file
	carry  []byte // the beginning of the next batch: what was read behind the last record; at most readSize

	header  []byte   // of the file, CSV; nil: not read yet
	columns []uint16 // what header says, as stream.Batch.Columns has it
}

// Open finds the files that path names: a file, a pattern as of path/filepath.Match (known by one of *?[), or "-" for stdin. No file is opened before Fill
// needs it, but each must exist and none may be a directory. maxRecord is in bytes. A Fill that waits for a pipe ends when stop is closed.
//
// fields is nil for newline-delimited records. For CSV it has the names of the event's fields, and the header of each file must name each of them once; of regular files
// that is looked at here, and then no file at all is fine too.
func Open(path string, maxRecord int, fields []string, stdin io.Reader, stop <-chan struct{}) (*Files, error) {
	f := &Files{names: []string{path}, stdin: stdin, stop: stop, max: maxRecord, first: readSize, fields: fields}
	switch {
	case path == "":
		return nil, errors.New("the path is empty; name a file, a pattern such as data/*.ndjson, or - for standard input")
	case path == "-":
		return f, nil
	case strings.ContainsAny(path, "*?["):
		names, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("%s: not a valid pattern: a [ needs its ]; to mean the character itself write \\[", path)
		}
		if len(names) == 0 && fields == nil {
			return nil, fmt.Errorf("%s: no file matches this pattern (%s)", path, from(path))
		}
		slices.Sort(names)
		f.names, f.pattern = names, path
	}
	var head stream.Batch
	for _, name := range f.names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, f.explain(name, err)
		}
		if info.IsDir() {
			return nil, directory(name)
		}
		if fields != nil && info.Mode().IsRegular() {
			if err := f.look(name, &head); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// Reader reads the records of r. Batches carry name as their file; fields are as for Open.
func Reader(name string, r io.Reader, maxRecord int, fields []string) *Files {
	return &Files{name: name, in: r, max: maxRecord, first: readSize, fields: fields}
}

// Names are the files that are still to be opened, in order.
func (f *Files) Names() []string { return f.names }

// Live says that the current input is a pipe or a terminal, where the next records may be long in coming.
func (f *Files) Live() bool {
	_, ok := f.in.(*pump)
	return ok
}

// Fill puts the next block of whole records of one file into b, in the memory that b has; it sets everything but Now. It returns io.EOF behind the last
// record, and waits if there is nothing to read yet. A record of more than max_record bytes comes alone, cut, with Oversize set: its rest is read and
// dropped, never held.
func (f *Files) Fill(b *stream.Batch) error {
	b.Pos, b.End = 0, 0
	for {
		if f.in == nil {
			if err := f.next(); err != nil {
				return err
			}
		}
		data := append(b.Data[:0], f.carry...)
		f.carry = f.carry[:0]
		clean := 0 // data[:clean] has no newline
		var cut rows
		for {
			start, unsure := 0, false
			if f.base == 0 {
				if bytes.HasPrefix(data, byteOrderMark) {
					start = len(byteOrderMark)
				}
				unsure = len(data) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, data) // it may still become one
			}
			end, long := 0, false
			switch {
			case f.fields != nil && !unsure:
				end, long = cut.whole(data[start:], f.max)
			case f.fields == nil && (len(data)-start > f.max && !unsure || bytes.IndexByte(data[clean:], '\n') >= 0):
				end, long = f.lines(data[start:])
			}
			if end > 0 {
				f.carry = append(f.carry, data[start+end:]...)
				if some, err := f.deliver(b, data, start, start+end); some || err != nil {
					return err
				}
				break
			}
			if long {
				return f.long(b, data, start)
			}
			clean = len(data)
			var err error
			if data, err = f.read(data, start); err == nil {
				continue
			}
			b.Data = data // it may have grown
			if err == io.EOF {
				err = f.shrunk(len(data))
			}
			if err != nil {
				return err
			}
			if len(data)-start > f.max {
				return f.long(b, data, start)
			}
			f.Close()
			some := false
			if len(data) > start { // a last line without a newline
				some, err = f.deliver(b, data, start, len(data))
			}
			if err == nil && f.fields != nil && f.header == nil {
				err = f.headless()
			}
			if some || err != nil {
				return err
			}
			break
		}
	}
}

// lines is the length of the whole lines at the start of data of at most max bytes each; long says that a longer one follows. It looks for the last newline
// within reach of each line's start, so it touches few bytes when max is far above the usual line.
func (f *Files) lines(data []byte) (end int, long bool) {
	for end < len(data) {
		rest := data[end:]
		reach := rest[:min(len(rest), f.max+1)]
		i := bytes.LastIndexByte(reach, '\n')
		if i < 0 {
			return end, len(reach) > f.max
		}
		end += i + 1
	}
	return end, false
}

// read appends what one read gives to data: up to first, beyond it only as far as a record of max bytes needs.
func (f *Files) read(data []byte, start int) ([]byte, error) {
	want := f.first
	if len(data) >= want {
		want = min(2*len(data), start+f.max+1)
	}
	if cap(data) < want+stream.Padding {
		data = append(make([]byte, 0, want+stream.Padding), data...)
	}
	n, err := f.in.Read(data[len(data):min(want, len(data)+readSize)])
	if n > 0 {
		err = nil // comes again
	}
	return data[:len(data)+n], f.failed(err, len(data))
}

// failed adds the place to an error of reading.
func (f *Files) failed(err error, done int) error {
	if err == nil || err == io.EOF || errors.Is(err, errStopped) {
		return err
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("%s: reading failed at byte %d: %w", f.title(), f.base+int64(done), err)
}

// deliver makes data[start:end] the records of b, without the header of a file of CSV. some says that there are any.
func (f *Files) deliver(b *stream.Batch, data []byte, start, end int) (some bool, err error) {
	if f.fields != nil && f.header == nil {
		n, err := f.head(data[start:end])
		if err != nil {
			return false, err
		}
		start += n
	}
	b.Data = append(data[:end], padding[:]...)
	b.Pos, b.End = start, end
	b.File, b.Base, b.Oversize = f.name, f.base, 0
	b.Columns = f.columns
	f.base += int64(end)
	return start < end, nil
}

// long delivers the beginning of the record at data[start:], which has more than max bytes, and skips the rest of it: all up to a newline, whatever quotes are open,
// so that one that is never closed costs little more than max.
func (f *Files) long(b *stream.Batch, data []byte, start int) error {
	if f.fields != nil && f.header == nil {
		return f.longHeader()
	}
	end := start + f.max
	size := int64(f.max)
	if cap(f.carry) < readSize {
		f.carry = make([]byte, 0, readSize)
	}
	rest := data[end:]
	for {
		i := bytes.IndexByte(rest, '\n')
		if i >= 0 {
			size += int64(i)
			f.carry = append(f.carry[:0], rest[i+1:]...)
			break
		}
		size += int64(len(rest))
		n, err := f.in.Read(f.carry[:readSize])
		rest = f.carry[:n]
		if n > 0 || err == nil {
			continue
		}
		f.carry = f.carry[:0]
		if err == io.EOF {
			break // the next Fill meets the end of the file again
		}
		return f.failed(err, start+int(size))
	}
	base := f.base
	_, err := f.deliver(b, data, start, end)
	b.Oversize = size
	f.base = base + int64(start) + size + 1
	return err
}

// shrunk tells a file that ended from one that was cut while we read it.
func (f *Files) shrunk(done int) error {
	if f.size == 0 {
		return nil
	}
	info, err := f.file.Stat()
	if err != nil {
		return f.failed(err, done)
	}
	if info.Size() < f.size {
		return fmt.Errorf("%s: became shorter while it was read (%d bytes, now %d): records may be lost; let its writer finish, then run again",
			f.name, f.size, info.Size())
	}
	return nil
}

// next opens the next file; io.EOF if there is none.
func (f *Files) next() error {
	if len(f.names) == 0 {
		return io.EOF
	}
	f.name, f.names = f.names[0], f.names[1:]
	f.base, f.size, f.carry = 0, 0, f.carry[:0]
	f.header, f.columns = nil, nil
	f.in = f.stdin
	if f.name != "-" {
		file, err := os.Open(f.name)
		if err != nil {
			return f.explain(f.name, err)
		}
		f.in, f.file = file, file
	}
	if file, ok := f.in.(*os.File); ok {
		info, err := file.Stat()
		if err == nil && info.IsDir() {
			err = directory(f.name)
		}
		if err != nil {
			f.Close()
			return err
		}
		if info.Mode().IsRegular() {
			if f.file != nil {
				f.size = info.Size()
			}
			return f.seek()
		}
	}
	f.in = newPump(f.in, f.stop)
	return nil
}

// Close closes the open file, if any. The next Fill goes on with the next one.
func (f *Files) Close() {
	if p, ok := f.in.(*pump); ok {
		close(p.ask)
	}
	if f.file != nil {
		f.file.Close() // only read: nothing to lose
	}
	f.in, f.file = nil, nil
}

func (f *Files) title() string {
	if f.name == "-" {
		return "standard input"
	}
	return f.name
}

// explain says why name cannot be opened and what to do.
func (f *Files) explain(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.pattern != "":
		return fmt.Errorf("%s: matched %s and is gone now (vanished, or a link to nothing); run again when nothing moves the files", name, f.pattern)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file (%s)", name, from(name))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read it (see ls -l %s)", name, name)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("%s: cannot be opened: %w", name, err)
}

func directory(name string) error {
	if name == "-" {
		return errors.New("standard input is a directory; redirect a file into it (<FILE), or name the files of the directory in the spec with a pattern such as DIR/*.ndjson")
	}
	return fmt.Errorf("%s: is a directory; to read the files in it write a pattern such as %s", name, filepath.Join(name, "*.ndjson"))
}

// from says where a relative path was looked up.
func from(path string) string {
	dir, err := os.Getwd()
	if err != nil || filepath.IsAbs(path) {
		return "check the path"
	}
	return "looked up from the working directory " + dir
}
