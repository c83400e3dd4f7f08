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

// Options say how a source is read.
type Options struct {
	MaxRecord int      // bytes of a record, without its newline
	Fields    []string // of the event, each of which the header of a file of CSV names once; nil: files are newline-delimited records
	Unpack    Unpack   // nil: files are not compressed
	Stdin     io.Reader
	Stop      <-chan struct{} // closed: a Fill that waits for more ends with an error

	Again    bool                          // a later run goes on where this one has come to: what cannot be read twice is refused
	Hold     bool                          // that run may find more in the last file, whose last line is a record when it has its newline, and left alone until then
	Follow   bool                          // regular files that grow: their end is where Fill waits for more
	Grows    func() (more bool, err error) // says whether more may come to files that are followed: nil: always. Where it is set, nobody but the one behind it writes them
	Drain    bool                          // of what is followed only what is there now is read
	Removed  bool                          // a file that is followed ends when it was read and has lost its name; else one waits for the file that gets it
	Rotated  string                        // pattern of the names under which log rotation puts what was followed; "": there is no rotation
	News     chan struct{}                 // of an Ahead among others, which share it: gets a value when Try may say something else than before; nil: nobody wants to know
	CaughtUp func(all bool)                // told in the goroutine of Fill that it waits since everything that is there was read, or that there was more; may be nil
}

// Unpack reads what is inside of a compressed file. Its errors say what is wrong with the file and where; the end of in before the end of what was compressed is one.
type Unpack func(in io.Reader) io.ReadCloser

// Open finds the files that path names: a file, a pattern as of path/filepath.Match (known by one of *?[), or "-" for stdin. It keeps no file open before Fill needs it, but
// looks at each regular one: that it can be read, is compressed as declared, and as CSV has the header it should have. No file of CSV at all is fine.
func Open(path string, o Options) (*Files, error) {
	f := &Files{Options: o, path: path, names: []string{path}, first: readSize, waits: o.Follow}
	switch {
	case path == "":
		return nil, errors.New("the path is empty; name a file, a pattern such as data/*.ndjson, or - for standard input")
	case path == "-":
		f.waits = !ends(o.Stdin)
		return f, nil
	case strings.ContainsAny(path, "*?["):
		names, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("%s: not a valid pattern: a [ needs its ]; to mean the character itself write \\[", path)
		}
		switch {
		case len(names) > 0:
		case o.Follow: // the first one may still come, into a folder that is there
			if _, err := os.Stat(fixed(path)); err != nil {
				return nil, f.explain(fixed(path), err)
			}
		case o.Fields == nil:
			return nil, fmt.Errorf("%s: no file matches this pattern (%s)", path, from(path))
		}
		slices.Sort(names)
		f.names, f.pattern, f.known = names, path, names
	}
	return f, f.examine()
}

// fixed is the folder of a pattern in which all is that can match.
func fixed(pattern string) string {
	return filepath.Dir(pattern[:strings.IndexAny(pattern, "*?[")] + "x")
}

// examine looks at the files before anything is read.
func (f *Files) examine() error {
	var head stream.Batch
	for _, name := range f.names {
		info, err := os.Stat(name)
		if err != nil {
			return f.explain(name, err)
		}
		if info.IsDir() {
			return directory(name)
		}
		if !info.Mode().IsRegular() && f.Again {
			return fmt.Errorf("%s: is %s, which cannot be read twice, and with commit a run goes on where the last one was. Write path: \"-\" in the source and start with <%[1]s: what comes on standard "+
				"input is kept until it is committed", name, kind(info.Mode()))
		}
		if !info.Mode().IsRegular() {
			f.waits = true
		} else if err := f.look(name, &head); err != nil {
			return err
		}
	}
	return nil
}

// OpenFile is Open for a single file, whatever characters are in its name.
func OpenFile(name string, o Options) (*Files, error) {
	f := &Files{Options: o, path: name, names: []string{name}, first: readSize, waits: o.Follow}
	return f, f.examine()
}

// Reader reads the records of r. Batches carry name as their file.
func Reader(name string, r io.Reader, o Options) *Files {
	return &Files{Options: o, name: name, in: r, first: readSize}
}

// look looks at the beginning of a regular file before anything is read.
func (f *Files) look(name string, b *stream.Batch) error {
	probe := Files{Options: f.Options, names: []string{name}, pattern: f.pattern, first: headSize}
	probe.Follow = false // what is there now is enough
	defer probe.Close()
	if f.Follow && f.Fields != nil {
		if whole, err := f.headed(name); !whole || err != nil {
			return err
		}
	}
	if f.Fields != nil {
		if err := probe.Fill(b); err != io.EOF {
			return err
		}
		return nil
	}
	if err := probe.next(); err != nil {
		return err
	}
	begin, err := io.ReadAll(io.LimitReader(probe.in, 4))
	if err != nil {
		return probe.failed(err, len(begin))
	}
	return probe.packed(begin)
}

// headed says whether a file that grows has its header already.
func (f *Files) headed(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, f.explain(name, err)
	}
	defer file.Close()
	begin, err := io.ReadAll(io.LimitReader(file, int64(f.MaxRecord)+1))
	return bytes.IndexByte(begin, '\n') >= 0 || len(begin) > f.MaxRecord, err
}

// next opens the next file; io.EOF if there is none.
func (f *Files) next() error {
	if len(f.names) == 0 {
		if f.opened || f.pattern == "" || !f.Follow {
			return io.EOF
		}
		if err := f.await(); err != nil {
			return err
		}
	}
	if f.opened {
		f.before.Follow(named(f.name, f.raw.size))
	}
	f.opened = true
	f.name, f.names = f.names[0], f.names[1:]
	f.base, f.size, f.carry = 0, 0, f.carry[:0]
	f.header, f.columns = nil, nil
	f.in = f.Stdin
	if f.name != "-" {
		file, err := os.Open(f.name)
		if err != nil {
			f.in = nil
			return f.explain(f.name, err)
		}
		f.in, f.file = file, file
	}
	regular := ends(f.in) || f.Follow
	if file, ok := f.in.(*os.File); ok {
		info, err := file.Stat()
		if err == nil && info.IsDir() {
			err = directory(f.name)
		}
		if err != nil {
			f.Close()
			return err
		}
		if f.file != nil && info.Mode().IsRegular() {
			f.size = info.Size()
			f.raw = head{file: file}
			f.in = &f.raw
		}
		if f.Follow {
			if err := f.grows(info); err != nil {
				f.Close()
				return err
			}
		}
	}
	if !regular {
		f.pump = newPump(f.in, f.Stop, f.caughtUp)
		f.in = f.pump
	}
	if f.Unpack != nil {
		f.unpacked = f.Unpack(f.in)
		f.in = f.unpacked
	}
	return f.seek()
}

// ends says whether in is a file that is as long as it is, so that reading it never waits.
func ends(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Close closes the open file, if any. The next Fill goes on with the next one.
func (f *Files) Close() {
	if f.unpacked != nil {
		f.unpacked.Close() // only read: nothing to lose
	}
	if f.pump != nil {
		close(f.pump.ask)
	}
	if f.file != nil {
		f.file.Close()
	}
	f.in, f.unpacked, f.pump, f.file = nil, nil, nil, nil
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

// kind says what a file is that is no regular one.
func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe (FIFO)"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
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
