// Package sink writes rows to files and to standard output, whole rows only.
package sink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// File takes rows and makes them visible: at once (append, standard output, special files) or all together at Commit (whole).
type File struct {
	name string   // for messages
	path string   // where a whole file goes
	temp string   // where it is until Commit; empty: rows go straight to their place
	file *os.File // nil: only w
	w    io.Writer
	size int64 // bytes up to the end of the last whole row
	cut  bool  // half a row can be cut off again
	csv  bool  // rows of CSV, which may have newlines in quotes
}

// Stdout writes to w, which stays open. It is an error when the process was started without a standard output: rows would be lost.
func Stdout(w io.Writer) (*File, error) {
	if file, ok := w.(*os.File); ok && closedAtStart(file) {
		return nil, errors.New("standard output is closed, its rows would be lost; open it (to throw rows away: >/dev/null)")
	}
	return &File{name: "standard output", w: w}, nil
}

// Append adds rows to the end of the file at path and creates it if need be. A file that ends in the middle of a row is an error: the next row would join it.
func Append(path string) (*File, error) {
	info, err := place(path)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() {
		return special(path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, explain(path, err)
	}
	f := &File{name: path, file: file, w: file, cut: true}
	if info, err = file.Stat(); err == nil {
		f.size = info.Size()
		err = wholeRows(file, f.size)
	}
	if err != nil {
		file.Close()
		return nil, explain(path, err)
	}
	return f, nil
}

var errHalfRow = errors.New("ends in the middle of a row (no newline at its end), so the next row would join it: complete or delete the last line")

// wholeRows checks that the last byte of a file is a newline.
func wholeRows(file io.ReaderAt, size int64) error {
	if size == 0 {
		return nil
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], size-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		return errHalfRow
	}
	return nil
}

// Whole writes a file that appears complete at Commit or not at all: under a temporary name in the same folder, synced, then renamed. An earlier file at
// path is replaced and gives its mode; a link is followed. What is not a regular file (/dev/null, a pipe) is written directly.
func Whole(path string) (*File, error) {
	info, err := place(path)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() {
		return special(path)
	}
	f := &File{name: path, path: path}
	if info != nil {
		if f.path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, explain(path, err)
		}
	}
	sweep(f.path)
	f.temp, f.file, err = createTemp(f.path)
	if err == nil && info != nil {
		err = f.file.Chmod(info.Mode().Perm())
	}
	if err != nil {
		f.Abort()
		return nil, explain(path, err)
	}
	f.w = f.file
	return f, nil
}

// Special opens what is at path if it takes rows but is no regular file: a pipe, /dev/null. It is nil, without an error, where rows can be appended to a file.
func Special(path string) (*File, error) {
	info, err := place(path)
	if err != nil || info == nil || info.Mode().IsRegular() {
		return nil, err
	}
	return special(path)
}

func special(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, explain(path, err)
	}
	return &File{name: path, file: file, w: file}, nil
}

// place looks at what is at path; nil if there is nothing yet. A directory and a missing folder are errors.
func place(path string) (fs.FileInfo, error) {
	if path == "" {
		return nil, errors.New("the path is empty; name a file")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: is a directory; name a file in it, such as %s", path, filepath.Join(path, "rows.ndjson"))
	case err == nil:
		return info, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, explain(path, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return nil, explain(path, err)
	}
	return nil, nil
}

// Put writes whole rows, each ended by its newline. After an error, which is a *Partly, the file has only whole rows, if it can be cut at all.
func (f *File) Put(rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	n, err := f.w.Write(rows)
	if err == nil {
		f.size += int64(n)
		return nil
	}
	whole := f.whole(rows[:n])
	f.size += int64(whole)
	if f.cut {
		err = errors.Join(err, f.file.Truncate(f.size))
		n = whole
	}
	return partly(n, explain(f.name, err))
}

// Pending says that a whole file is not at its place.
func (f *File) Pending() bool { return f.temp != "" }

// Sync makes what was written durable where the target can be synced. After it only Commit is left to do.
func (f *File) Sync() error {
	if f.file == nil || !f.cut && f.temp == "" {
		return nil
	}
	return unsure(explain(f.name, f.file.Sync()))
}

// Commit shows a whole file under its name, and closes. After an error that is Transient it may be called again.
func (f *File) Commit() error {
	if f.file == nil {
		return nil
	}
	if f.temp == "" {
		return unsure(explain(f.name, f.file.Close()))
	}
	if !renamesOpen {
		f.file.Close() // it was synced
	}
	if err := os.Rename(f.temp, f.path); err != nil {
		return explain(f.name, err)
	}
	f.temp = ""
	f.file.Close() // gives up the lock, under which nobody takes the file for one that was left
	if dir, err := os.Open(filepath.Dir(f.path)); err == nil {
		dir.Sync() // makes the name durable; the file is complete without it
		dir.Close()
	}
	return nil
}

// Abort closes, and removes a whole file that was not committed. What was appended stays.
func (f *File) Abort() {
	if f.file != nil {
		f.file.Close() // a second Close is harmless, and what it could report no longer matters
	}
	if f.temp != "" {
		os.Remove(f.temp)
	}
}

// explain says why path cannot be written and what to do. An error that does so, of this path or of another one, stays as it is.
func explain(path string, err error) error {
	if _, done := errors.AsType[*problem](err); done {
		return err
	}
	dir := filepath.Dir(path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &problem{fmt.Sprintf("%s: the folder %s does not exist; create it: mkdir -p %s", path, dir, dir), err}
	case errors.Is(err, fs.ErrPermission):
		return &problem{fmt.Sprintf("%s: no permission to write it (see ls -ld %s %s)", path, dir, path), err}
	case errors.Is(err, syscall.ENOSPC):
		return &problem{fmt.Sprintf("%s: no space left on its device", path), err}
	case errors.Is(err, syscall.EPIPE):
		return &problem{fmt.Sprintf("%s: closed by its reader (broken pipe)", path), err}
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &problem{fmt.Sprintf("%s: cannot be written: %v", path, err), err}
}

// Same says whether two paths lead to one regular file, whether it exists yet or not.
func Same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y) && x.Mode().IsRegular()
	}
	if errA == nil || errB == nil || filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(x, y)
}
