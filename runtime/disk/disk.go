// Package disk is the file system as far as commits need it. What must survive a crash goes through it, so that tests can put a disk in its place that loses everything
// it was not told to keep.
package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Disk is a file system. What was written to a file is durable after the file's Sync, what became of names in a folder after SyncDir. Names are as those of package os.
type Disk interface {
	Open(name string, flag int) (File, error) // flag as of os.OpenFile
	Rename(from, to string) error             // replaces to
	Remove(name string) error
	List(dir string) ([]string, error) // base names of what is there, in order
	MakeDir(dir string) error          // with those above it; one that exists is fine
	SyncDir(dir string) error
	Lock(name string) (Lock, error)
}

// File is an open file. It has no position: whoever writes knows where.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	Sync() error
}

// Lock is held until it is closed or the process ends, however it ends.
type Lock interface {
	io.Closer
	Note(text string) error // for whoever finds the lock held
}

// Held is the error of Lock when another process has it.
type Held struct {
	Name string
	Note string // of the other process
}

func (h *Held) Error() string { return h.Name + " is locked by another process: " + h.Note }

// OS is the file system of the operating system.
type OS struct {
	NoSync bool // nothing waits until it is durable: what was written survives the process, and not the machine
}

type file struct {
	*os.File
	noSync bool
}

func (f file) Sync() error {
	if f.noSync {
		return nil
	}
	return f.File.Sync()
}

func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Open implements Disk.
func (o OS) Open(name string, flag int) (File, error) {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return file{f, o.NoSync}, nil
}

// Rename implements Disk.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements Disk.
func (OS) Remove(name string) error { return os.Remove(name) }

// List implements Disk.
func (OS) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	slices.Sort(names)
	return names, err
}

// MakeDir implements Disk.
func (o OS) MakeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return os.MkdirAll(dir, 0o777) // an error if it is a file
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return o.SyncDir(filepath.Dir(filepath.Clean(dir)))
}

// ReadAll reads a file from its start to its end.
func ReadAll(f File) ([]byte, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if err == io.EOF { // it may have become shorter
		err = nil
	}
	return data[:n], err
}

// Has says whether there is a file with this name.
func Has(d Disk, name string) (bool, error) {
	f, err := d.Open(name, os.O_RDONLY)
	switch {
	case err == nil:
		return true, f.Close()
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	}
	return false, err
}
