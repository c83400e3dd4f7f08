//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sink

import (
	"os"
	"syscall"
)

// renamesOpen: a file can be renamed while it is open.
const renamesOpen = true

// hold locks a temporary file until it is closed, also by the end of the process (flock(2)). Where the file system has no locks, files that are left stay.
func hold(file *os.File) {
	for syscall.Flock(int(file.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
}

// removeLeft removes a temporary file whose process is gone: nobody holds its lock. Numbers of processes do not tell, they are used again, and other containers
// have their own.
func removeLeft(name string, _ int) {
	file, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(name) // while we hold the lock, so that a process that has just created it sees that it is gone
	}
}
