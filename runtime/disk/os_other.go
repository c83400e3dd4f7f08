//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package disk

import "os"

// SyncDir implements Disk. Here folders cannot be synced: the system keeps names by itself.
func (OS) SyncDir(string) error { return nil }

type lock struct{ *os.File }

// Lock implements Disk. Here nobody looks for other processes: the file only notes who came last.
func (OS) Lock(name string) (Lock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	return lock{f}, nil
}

func (l lock) Note(text string) error {
	if err := l.Truncate(0); err != nil {
		return err
	}
	_, err := l.WriteAt([]byte(text+"\n"), 0)
	return err
}
