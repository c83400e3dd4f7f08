// Package source reads files into batches of whole records: lines of JSON, or rows of CSV behind their header.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

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
	Options
	path    string   // as it was opened
	names   []string // not opened yet, in order; of files that are followed only the next
	pattern string   // that names come from, if any
	known   []string // names that have been seen to match pattern, of files that are followed
	waits   bool     // some of them may be pipes or terminals, or are followed
	first   int      // bytes that are read before one looks for more of a record

	in       io.Reader     // nil between files
	unpacked io.ReadCloser // is in, where files are compressed
	pump     *pump         // behind these, of a pipe or a terminal
	file     *os.File      // behind these, if we opened one
	name     string
	size     int64         // of a regular file when it was opened
	raw      head          // reads it
	base     int64         // offset in the file, unpacked, of the next batch
	start    *place        // where to go on in the next file; nil: at its beginning
	before   stream.Origin // the files that were read
	opened   bool          // one was: name
	left     int64         // bytes of the last line that were left alone
	carry    []byte        // the beginning of the next batch: what was read behind the last record; at most readSize

	header  []byte   // of the file, CSV; nil: not read yet
	columns []uint16 // what header says, as stream.Batch.Columns has it
}

// Names are the files that are still to be opened, in order.
func (f *Files) Names() []string { return f.names }

// Live says that the current input is a pipe, a terminal or a file that is followed, where the next records may be long in coming.
func (f *Files) Live() bool { return f.pump != nil || f.Follow }

// Left are the bytes of the last line that were left alone because it has no newline yet (Options.Hold), of the file with this name. It is called behind the end.
func (f *Files) Left() (name string, bytes int64) { return f.name, f.left }

// holds says whether more may come to the file. One that is compressed does not grow, and a header alone is one.
func (f *Files) holds() bool {
	return f.Hold && !f.Follow && f.Unpack == nil && len(f.names) == 0 && (f.Fields == nil || f.header != nil)
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
			case f.Fields != nil && !unsure:
				end, long = cut.whole(data[start:], f.MaxRecord)
			case f.Fields == nil && (len(data)-start > f.MaxRecord && !unsure || bytes.IndexByte(data[clean:], '\n') >= 0):
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
			if len(data)-start > f.MaxRecord && !f.holds() {
				return f.long(b, data, start)
			}
			f.Close()
			some := false
			if left := len(data) - start; left > 0 && f.holds() {
				f.left = int64(left)
			} else if left > 0 { // a last line without a newline
				some, err = f.deliver(b, data, start, len(data))
			}
			if err == nil && f.Fields != nil && f.header == nil {
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
		reach := rest[:min(len(rest), f.MaxRecord+1)]
		i := bytes.LastIndexByte(reach, '\n')
		if i < 0 {
			return end, len(reach) > f.MaxRecord
		}
		end += i + 1
	}
	return end, false
}

// read appends what one read gives to data: up to first, beyond it only as far as a record of max bytes needs.
func (f *Files) read(data []byte, start int) ([]byte, error) {
	want := f.first
	if len(data) >= want {
		want = min(2*len(data), start+f.MaxRecord+1)
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
	if in, ok := errors.AsType[*inputError](err); ok {
		return in
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	of := ""
	if f.Unpack != nil {
		of = " of what is unpacked"
	}
	return fmt.Errorf("%s: reading failed at byte %d%s: %w", f.title(), f.base+int64(done), of, err)
}

// deliver makes data[start:end] the records of b, without the header of a file of CSV. some says that there are any.
func (f *Files) deliver(b *stream.Batch, data []byte, start, end int) (some bool, err error) {
	if f.base == 0 {
		if err := f.packed(data[:end]); err != nil {
			return false, err
		}
	}
	if f.Fields != nil && f.header == nil {
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
	b.Origin = stream.Origin{Begin: f.raw.begin, Packed: f.Unpack != nil, Before: f.before.Before, BeforeHash: f.before.BeforeHash}
	f.base += int64(end)
	return start < end, nil
}

// long delivers the beginning of the record at data[start:], which has more than max bytes, and skips the rest of it: all up to a newline, whatever quotes are open,
// so that one that is never closed costs little more than max.
func (f *Files) long(b *stream.Batch, data []byte, start int) error {
	if f.Fields != nil && f.header == nil {
		if err := f.packed(data); err != nil {
			return err
		}
		return f.longHeader()
	}
	end := start + f.MaxRecord
	size := int64(f.MaxRecord)
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
		if err == io.EOF && f.holds() {
			f.left = size
			return f.Fill(b)
		}
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

// shrunk tells a file that ended from one that was cut or written anew while we read it.
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
	if still, err := f.raw.still(); err != nil || !still {
		return errors.Join(fmt.Errorf("%s: was written anew while it was read: records of what it was and of what it is may be lost; "+
			"let its writer write another file and rename it, then run again", f.name), err)
	}
	return nil
}

func (f *Files) title() string { return title(f.name) }

func title(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
