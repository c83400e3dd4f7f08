//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"errors"
	"os"
	"strings"
	"syscall"
)

// SyncDir implements Disk.
func (o OS) SyncDir(dir string) error {
	if o.NoSync {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

type lock struct{ *os.File }

// Lock implements Disk: flock(2), which ends with the process.
func (OS) Lock(name string) (Lock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			break
		}
	}
	if err == nil {
		return lock{f}, nil
	}
	defer f.Close()
	if err != syscall.EWOULDBLOCK {
		return nil, &os.PathError{Op: "flock", Path: name, Err: err}
	}
	note := make([]byte, 1000)
	n, _ := f.ReadAt(note, 0)
	return nil, &Held{Name: name, Note: strings.TrimSpace(string(note[:n]))}
}

func (l lock) Note(text string) error {
	if err := l.Truncate(0); err != nil {
		return err
	}
	_, err := l.WriteAt([]byte(text+"\n"), 0)
	return err
}
