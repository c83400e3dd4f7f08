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

// Transient says whether an error of Put may go away by itself, so that it is worth to try again: a full disk or quota that somebody makes room on, a device or a server of files that is busy,
// slow or away for a while. A right that is missing, a folder that is gone or a reader that has left is there to stay.
func Transient(err error) bool {
	for _, e := range [...]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EINTR, syscall.EAGAIN, syscall.EIO, syscall.ETIMEDOUT, syscall.ESTALE, syscall.EBUSY, syscall.ENOMEM, syscall.ENOBUFS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// problem is an error with what to do about it in words.
type problem struct {
	text string
	err  error
}

func (p *problem) Error() string { return p.text }

func (p *problem) Unwrap() error { return p.err }
