package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Discover looks, again and again, in a goroutine of its own, for files that have come to match a pattern, each to be read by itself. known are the names that the caller has, in order. A name that is gone for
// a while and there again is a new one. It ends when the source is told to stop, or behind an error.
func Discover(pattern string, known []string, o Options) *Discovery {
	d := &Discovery{pattern: pattern, known: known, options: o, found: make(chan Found, 1)}
	go d.look()
	return d
}

// Discovery is where files come from that appear while others are read.
type Discovery struct {
	pattern string
	known   []string
	options Options
	found   chan Found
}

// Found is a file that has appeared, or why it cannot be read.
type Found struct {
	Name  string
	Files *Files
	Err   error
}

// Next is the next file that has appeared; ok is false while there is none. It does not wait.
func (d *Discovery) Next() (f Found, ok bool) {
	select {
	case f = <-d.found:
		return f, true
	default:
		return f, false
	}
}

func (d *Discovery) look() {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-d.options.Stop:
			return
		}
		names, err := filepath.Glob(d.pattern)
		if err != nil {
			d.tell(Found{Err: err})
			return
		}
		slices.Sort(names)
		there := names[:0]
		for _, name := range names {
			if _, known := slices.BinarySearch(d.known, name); !known {
				f := Found{Name: name}
				f.Files, f.Err = OpenFile(name, d.options)
				if _, err := os.Stat(name); f.Err != nil && errors.Is(err, fs.ErrNotExist) {
					continue // it had this name for a moment
				}
				if !d.tell(f) || f.Err != nil {
					return
				}
			}
			there = append(there, name)
		}
		d.known = there
	}
}

// tell hands a file over; it is false when nobody wants it any more.
func (d *Discovery) tell(f Found) bool {
	select {
	case d.found <- f:
	case <-d.options.Stop:
		return false
	}
	select {
	case d.options.News <- struct{}{}:
	default: // somebody will look anyway
	}
	return true
}
