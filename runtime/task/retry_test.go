package task

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/sink"
	"github.com/streamwright/streamwright/runtime/stream"
)

// TestRetryWaits is RET-01: the ceiling doubles, is never above the cap and never overflows; what is waited is anything below it.
func TestRetryWaits(t *testing.T) {
	r := &Retry{Base: 30 * time.Millisecond, Max: time.Second, Tries: 200}
	for i, ms := range []time.Duration{30, 60, 120, 240, 480, 960, 1000, 1000, 1000, 1000, 1000, 1000} {
		if got := r.ceiling(i + 2); got != ms*time.Millisecond {
			t.Errorf("before try %d: %v", i+2, got)
		}
	}
	for _, n := range []int{38, 39, 63, 64, 200, 1000} {
		if got := r.ceiling(n); got != time.Second {
			t.Errorf("before try %d: %v", n, got)
		}
	}
	if got := (&Retry{Base: time.Hour, Max: 1<<63 - 1}).ceiling(500); got != 1<<63-1 {
		t.Error(got)
	}
	different := map[time.Duration]bool{}
	for range 1000 {
		d := r.wait(5)
		if d <= 0 || d > 240*time.Millisecond {
			t.Fatal(d)
		}
		different[d] = true
	}
	if len(different) < 500 {
		t.Errorf("%d different waits of 1,000", len(different))
	}
}

// flaky is a target whose writes fail.
type flaky struct {
	sink.Kept
	fails []func(rows []byte) (taken int, err error)
	got   strings.Builder
	puts  int
}

func (f *flaky) Put(rows []byte) error {
	f.puts++
	if len(f.fails) > 0 {
		taken, err := f.fails[0](rows)
		f.fails = f.fails[1:]
		f.got.Write(rows[:taken])
		return &sink.Partly{Taken: taken, Err: fmt.Errorf("out: %w", err)}
	}
	f.got.Write(rows)
	return nil
}

// TestRetry is RET-02 on files: what may go away is tried again, and only the rest of it; what stays stops at once.
func TestRetry(t *testing.T) {
	fails := func(err error) func([]byte) (int, error) { return func([]byte) (int, error) { return 0, err } }
	half := func(rows []byte) (int, error) { return len(rows) / 2, syscall.ENOSPC }
	type failing = []func([]byte) (int, error)
	for _, c := range []struct {
		name  string
		fails failing
		puts  int
		want  string // error
	}{
		{"full", failing{fails(syscall.ENOSPC), fails(syscall.EDQUOT), fails(syscall.EIO)}, 4, ""},
		{"for good", failing{fails(syscall.EINTR), fails(syscall.EAGAIN), fails(syscall.EIO), fails(syscall.ENOSPC), fails(syscall.ENOSPC)}, 4, "no space left on device; it was tried 4 times"},
		{"in parts", failing{fails(syscall.EIO), fails(syscall.EIO), half, fails(syscall.EIO), fails(syscall.EIO), half}, 7, ""},
		{"no right", failing{fails(syscall.EACCES)}, 1, "permission denied"},
		{"reader left", failing{fails(syscall.EIO), fails(syscall.EPIPE)}, 2, "broken pipe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &flaky{fails: c.fails}
				var notes []string
				tries := &attempts{&Retry{Base: time.Second, Max: time.Minute, Tries: 4}, "sink out", func(text string) { notes = append(notes, text) }, t.Context().Done()}
				e := exit{attempts: tries, kept: f, rows: new(stream.Output)}
				e.rows.Buf = []byte("one\ntwo\nthree\nfour\n")
				err := e.write()
				if c.want == "" && (err != nil || f.got.String() != "one\ntwo\nthree\nfour\n") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
					t.Errorf("%v: %q", err, f.got.String())
				}
				if f.puts != c.puts || len(e.rows.Buf) > 0 {
					t.Errorf("%d writes; %q", f.puts, notes)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // a stop ends a wait at once
		stop := make(chan struct{})
		f := &flaky{fails: failing{fails(syscall.ENOSPC)}}
		tries := &attempts{&Retry{Base: time.Hour, Max: time.Hour, Tries: 4}, "sink out", func(string) {}, stop}
		e := exit{attempts: tries, kept: f, rows: &stream.Output{Buf: []byte("x\n")}}
		begin := time.Now()
		time.AfterFunc(time.Nanosecond, func() { close(stop) })
		if err := e.write(); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "told to stop") || time.Since(begin) > time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
