package sink

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/streamwright/streamwright/runtime/disk"
)

// appended is a file at whose end rows are added. Whoever reads it while it grows may see rows that a crash takes away again.
type appended struct {
	disk    disk.Disk
	path    string
	file    disk.File
	size    int64
	tail    tail
	staged  int64 // size at the last Stage
	unnamed bool  // its name is not durable yet
	goes    bool  // on from a commit
}

// Keep adds rows to the end of the file at path, under commits. state is nil, or what the last commit kept: then the file must be at least as long as that says, what is behind
// it is cut off, and the rows before it must be those that were written.
func Keep(d disk.Disk, path string, state []byte) (Kept, error) {
	k, err := recoverOther(d, path, 'a', state)
	a := &appended{disk: d, path: path}
	switch {
	case err != nil:
		return nil, explain(path, err)
	case k != nil && k.size > 0:
		a.size, a.staged, a.goes = k.size, k.size, true
		a.file, a.tail, err = cutBack(d, path, k)
	default:
		a.unnamed = true
		if a.file, err = d.Open(path, os.O_RDWR|os.O_CREATE); err != nil {
			break
		}
		if k != nil { // committed when it was empty
			err = a.file.Truncate(0)
		} else if a.size, err = a.file.Size(); err == nil {
			err = wholeRows(a.file, a.size)
		}
		if err == nil {
			a.tail, err = tailOf(a.file, a.size)
		}
	}
	if err != nil {
		a.Abort()
		return nil, explain(path, err)
	}
	return a, nil
}

// Leave brings what an output that is no more has written to its committed end, and says where it is: "" if it is not there, or cannot be cut.
func Leave(d disk.Disk, state []byte) (path string, err error) {
	if len(state) == 0 {
		return "", nil
	}
	k, err := readKept(state)
	if err == nil {
		_, err = recoverOther(d, "", 0, state)
	}
	return k.path, explain(k.path, err)
}

// recoverOther reads a state. One of another path or kind is brought to its committed end and then forgotten: the rows behind it come again, elsewhere.
func recoverOther(d disk.Disk, path string, kind byte, state []byte) (*kept, error) {
	if len(state) == 0 {
		return nil, nil
	}
	k, err := readKept(state)
	if err != nil {
		return nil, err
	}
	if k.path == path && k.kind == kind {
		return &k, nil
	}
	switch k.kind {
	case 'a':
		if there, err := disk.Has(d, k.path); err != nil || !there || k.size == 0 {
			return nil, nil // moved away, which is what a new path is often for
		}
		f, _, err := cutBack(d, k.path, &k)
		if err == nil {
			err = unsure(errors.Join(f.Sync(), f.Close()))
		}
		return nil, err
	default:
		r := newRolling(d, k.path, Roll{})
		return nil, r.recover(&k, false)
	}
}

// Put implements Kept.
func (a *appended) Put(rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	if _, err := a.file.WriteAt(rows, a.size); err != nil {
		return partly(0, explain(a.path, errors.Join(err, a.file.Truncate(a.size))))
	}
	a.size += int64(len(rows))
	a.tail = a.tail.add(rows)
	return nil
}

// Header implements Kept.
func (a *appended) Header(line []byte) (missing bool, err error) {
	return beginsWith(a.path, a.file, a.size, line, a.goes)
}

// Crosses implements Kept.
func (a *appended) Crosses(int64) bool { return false }

// Reach implements Kept.
func (a *appended) Reach(int64) {}

// Stage implements Kept.
func (a *appended) Stage(_ bool, before *Staged) *Staged {
	k := kept{kind: 'a', path: a.path, size: a.size, sum: a.tail.sum()}
	s := &Staged{State: k.append(nil), disk: a.disk, name: a.path}
	if a.size != a.staged || a.unnamed { // what was cut off at the start need not be durable: the next start cuts it again
		s.files, a.staged = []disk.File{a.file}, a.size
	}
	if a.unnamed {
		s.dir, a.unnamed = filepath.Dir(a.path), false
	}
	s.join(before)
	return s
}

// Abort implements Kept.
func (a *appended) Abort() {
	if a.file != nil {
		a.file.Close()
	}
}

// through is a target that cannot take rows back: standard output, a pipe, /dev/null. Rows that no commit has come again after a crash.
type through struct{ *File }

// Through makes a target of one that cannot take rows back.
func Through(f *File) Kept { return through{f} }

func (through) Crosses(int64) bool { return false }

func (through) Reach(int64) {}

func (t through) Stage(bool, *Staged) *Staged { return &Staged{name: t.name} }

func errGone(size int64) error {
	return fmt.Errorf("is gone, and its first %d bytes were committed: put it back; or write to another path", size)
}

func errShorter(size, committed int64) error {
	return fmt.Errorf("has %d bytes, and %d were committed: rows that count are missing; put it back as it was, or write to another path", size, committed)
}

func errAnother(committed int64) error {
	return fmt.Errorf("is not the file that was written: the bytes before its committed end (%d) are others; put it back as it was, or write to another path", committed)
}
