package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	pollEvery = 100 * time.Millisecond // how often a followed file is looked at for more
	settles   = 5 * time.Second        // so long nobody must have written a file before the one behind it is read: whoever wrote it may not know yet that it was renamed
)

// follower reads a file that grows. At the end of what is there it waits for more, and ends only when another file goes on: one of a later name, or the one that has taken the
// name of this one. It looks at the file again and again instead of asking the system for news, which not every file system gives.
type follower struct {
	files   *Files
	file    *os.File
	raw     *head
	still   int64 // bytes that were there at the last look
	changed time.Time
	lost    time.Time // when it was seen that it has lost its name
}

// Read is io.Reader. It returns io.EOF when there is another file to go on with, and errStopped when the source was told to stop before anything came.
func (w *follower) Read(dst []byte) (int, error) {
	for {
		more := true
		if grows := w.files.Grows; grows != nil { // before one looks, so that nothing comes behind that
			var err error
			if more, err = grows(); err != nil {
				return 0, &inputError{err}
			}
		}
		n, err := w.raw.Read(dst)
		if n > 0 || err != nil && err != io.EOF {
			w.files.caughtUp(false)
			return n, err
		}
		over, err := w.over(more)
		if err != nil {
			return 0, err
		}
		if over {
			return 0, io.EOF
		}
		if err := w.files.wait(); err != nil {
			return 0, err
		}
	}
}

// inputError is of whoever writes what is followed. It says itself where.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }

func (e *inputError) Unwrap() error { return e.err }

// over says whether the file has ended. It has when a later one is there and nobody has written this one for a while, or when no more can come.
func (w *follower) over(more bool) (over bool, err error) {
	info, err := w.file.Stat()
	if err != nil {
		return false, err
	}
	if err := w.files.intact(info.Size()); err != nil {
		return false, err
	}
	if info.Size() > w.raw.size { // it has grown since the read
		return false, nil
	}
	if info.Size() != w.still || w.changed.IsZero() {
		w.still, w.changed = info.Size(), time.Now()
	}
	later, err := w.files.later(info)
	gone := w.files.gone()
	if gone && w.lost.IsZero() {
		w.lost = time.Now()
	}
	switch {
	case err != nil:
		return false, err
	case len(later) == 0 && !gone:
		return w.files.Drain || !more, nil
	case gone && time.Since(w.lost) < settles && !w.files.Drain:
		return false, nil
	case w.files.Grows != nil: // who writes it has begun another one
	case time.Since(w.changed) < settles && time.Since(info.ModTime()) < settles && !w.files.Drain:
		return false, nil
	}
	if info, err = w.file.Stat(); err != nil || info.Size() > w.raw.size { // something came before the later one began
		return false, err
	}
	w.files.names = later[:min(len(later), 1)] // what follows that is looked up at its end: names may have moved on by then
	return true, nil
}

// gone says whether the file has ended because it has lost its name.
func (f *Files) gone() bool {
	if !f.Removed {
		return false
	}
	_, err := os.Stat(f.path)
	return errors.Is(err, fs.ErrNotExist)
}

// await waits for the first file of a pattern. It returns io.EOF when none will come.
func (f *Files) await() error {
	for {
		more := !f.Drain
		if f.Grows != nil {
			var err error
			if more, err = f.Grows(); err != nil {
				return err
			}
		}
		names, err := filepath.Glob(f.pattern)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			slices.Sort(names)
			f.names, f.known = names[:1], names
			return nil
		}
		if !more {
			return io.EOF
		}
		if err := f.wait(); err != nil {
			return err
		}
	}
}

// wait waits for the next look at the files. It returns errStopped when the source was told to stop.
func (f *Files) wait() error {
	f.caughtUp(true)
	timer := time.NewTimer(pollEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-f.Stop:
		return errStopped
	}
}

// caughtUp tells who wants to know whether everything that is there was read.
func (f *Files) caughtUp(all bool) {
	if f.CaughtUp != nil {
		f.CaughtUp(all)
	}
}

// grows opens a file to be followed.
func (f *Files) grows(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: cannot be followed: it is no regular file", f.title())
	}
	f.in = &follower{files: f, file: f.file, raw: &f.raw}
	return nil
}

// intact tells a file that has only grown from one that was cut or written anew since it was read.
func (f *Files) intact(size int64) error {
	if size < f.raw.size {
		return fmt.Errorf("%s: became shorter while it was followed (%d bytes were read, it has %d now): records may be lost. Let log rotation rename the file and begin another "+
			"(no copytruncate), and say where the old ones are: rotated: %q", f.name, f.raw.size, size, f.name+".*")
	}
	if still, err := f.raw.still(); err != nil || !still {
		if err != nil {
			return f.failed(err, 0)
		}
		return fmt.Errorf("%s: was written anew while it was followed: records of what it was may be lost; let its writer begin another file and rename the old one", f.name)
	}
	return nil
}

// later are the names of the files that go on behind the open one, in order. opened is what is open.
func (f *Files) later(opened fs.FileInfo) ([]string, error) {
	if f.pattern != "" {
		return f.laterNames()
	}
	info, err := os.Stat(f.path)
	switch {
	case err == nil && os.SameFile(info, opened):
		return nil, nil
	case err != nil && f.name == f.path: // it was renamed, and the next one is not there yet
		return nil, nil
	case err == nil && f.Rotated == "":
		return nil, fmt.Errorf("%s: another file has taken the place of the one that was followed. If this is log rotation say where it puts the old ones: rotated: %q; "+
			"else put the file back, and let its writer only append to it", f.path, f.path+".*")
	}
	row, err := f.rotation()
	if err != nil {
		return nil, err
	}
	for i, name := range row {
		if info, err := os.Stat(name); err == nil && os.SameFile(info, opened) {
			return row[i+1:], nil
		}
	}
	return nil, fmt.Errorf("%s: another file has taken its place, and the one that was followed is not among those that match %s: it was removed, compressed or put elsewhere. "+
		"Let log rotation rename it to a name that matches, and compress it later (delaycompress)", f.path, f.Rotated)
}

// laterNames are the files of the pattern whose names come after that of the open one.
func (f *Files) laterNames() ([]string, error) {
	names, err := filepath.Glob(f.pattern)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	i, found := slices.BinarySearch(names, f.name)
	for _, name := range names[:i] {
		if _, known := slices.BinarySearch(f.known, name); !known {
			return nil, fmt.Errorf("%s: appeared while %s was followed, which comes after it: files are read in the order of their names, so nobody would read it. Give new files names that sort "+
				"behind the others", name, f.name)
		}
	}
	f.known = names
	if found {
		i++
	}
	return names[i:], nil
}

// rotation are the files that log rotation has renamed, the one that was written first before the others, and behind them the one that is written now, if it is there.
func (f *Files) rotation() ([]string, error) {
	type old struct {
		name string
		at   time.Time
	}
	var olds []old
	current, missing := os.Stat(f.path)
	if f.Rotated != "" {
		names, err := filepath.Glob(f.Rotated)
		if err != nil {
			return nil, fmt.Errorf("%s: not a valid pattern", f.Rotated)
		}
		slices.Sort(names)
		for _, name := range names {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && (missing != nil || !os.SameFile(info, current)) {
				olds = append(olds, old{name, info.ModTime()})
			}
		}
		slices.SortStableFunc(olds, func(a, b old) int { return a.at.Compare(b.at) })
	}
	var row []string
	for _, o := range olds {
		row = append(row, o.name)
	}
	if missing == nil {
		row = append(row, f.path)
	}
	return row, nil
}

// whereabouts finds the file of a position among those that log rotation may have renamed, and gives it and what follows it. A file that has the position's name is looked at first.
func (f *Files) whereabouts(p *place) ([]string, error) {
	row, err := f.rotation()
	if err != nil {
		return nil, err
	}
	for _, first := range []bool{true, false} {
		for i, name := range row {
			if first != (name == p.name) {
				continue
			}
			if same, err := p.of(name); err != nil {
				return nil, f.explain(name, err)
			} else if same {
				return row[i:], nil
			}
		}
	}
	if f.Rotated == "" {
		return nil, nil
	}
	return nil, fmt.Errorf("%s was read up to byte %d, and is neither there any more nor among the files that match %s: put it back, so that nothing behind that byte is lost", p.name, p.offset, f.Rotated)
}

// of says whether a file holds what was read up to the position.
func (p *place) of(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	for _, part := range []struct {
		from int64
		size int
		hash uint64
	}{{0, p.begin, p.beginHash}, {p.offset - int64(p.tail), p.tail, p.tailHash}} {
		b := make([]byte, part.size)
		if _, err := file.ReadAt(b, part.from); err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
		if hash(hashed, b) != part.hash {
			return false, nil
		}
	}
	return true, nil
}
