package sink

import (
	"errors"
	"syscall"
)

// Partly is the error of a Put that failed: of the rows that it was given, it had taken some bytes. The rest may be put again.
type Partly struct {
	Taken int
	Err   error
}

func (p *Partly) Error() string { return p.Err.Error() }

func (p *Partly) Unwrap() error { return p.Err }

// partly is the error of a Put, nil if there is none.
func partly(taken int, err error) error {
	if err == nil {
		return nil
	}
	return &Partly{taken, err}
}

// unsynced is the error of an fsync, or of a close, that failed: nobody knows which of the bytes before it are on the disk. Systems forget them then and say nothing at the next fsync (LWN, "PostgreSQL's
// fsync() surprise", 2018), so it must not be called again as if nothing had been.
type unsynced struct{ err error }

func (u *unsynced) Error() string { return u.err.Error() }

func (u *unsynced) Unwrap() error { return u.err }

// unsure is the error of an fsync or a close, nil if there is none.
func unsure(err error) error {
	if err == nil {
		return nil
	}
	return &unsynced{err}
}

// Transient says whether what failed with an error may just be tried again: the reason may go away by itself, and nothing that was done before is in doubt.
func Transient(err error) bool {
	_, lost := errors.AsType[*unsynced](err)
	return !lost && passes(err)
}

// Lost says whether the reason of an error may go away by itself, and rows that were written before may be gone: they must be written again, from where it is known that they are on the disk.
func Lost(err error) bool {
	_, lost := errors.AsType[*unsynced](err)
	return lost && passes(err)
}

// passes says whether the reason of an error may go away by itself: a full disk or quota that somebody makes room on, a device or a server of files that is busy, slow or away for a while. A right that is
// missing, a folder that is gone or a reader that has left is there to stay.
func passes(err error) bool {
	for _, e := range [...]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EINTR, syscall.EAGAIN, syscall.EIO, syscall.ETIMEDOUT, syscall.ESTALE, syscall.EBUSY, syscall.ENOMEM, syscall.ENOBUFS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// problem is an error with its place, and what to do about it, in words.
type problem struct {
	text string
	err  error
}

func (p *problem) Error() string { return p.text }

func (p *problem) Unwrap() error { return p.err }
