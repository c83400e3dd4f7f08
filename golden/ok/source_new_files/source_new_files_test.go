package sourcenewfiles

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/task"
)

// hosts is a folder, and a pipeline that follows it, in a bubble whose clock moves only while everybody waits.
type hosts struct {
	t      *testing.T
	dir    string
	p      task.Pipeline
	notes  []string
	cancel context.CancelFunc
	ended  chan error
	s      task.Summary
}

func newHosts(t *testing.T) *hosts {
	h := &hosts{t: t, dir: t.TempDir(), p: PerWindowPipeline}
	in := func(path string) string { return filepath.Join(h.dir, path) }
	h.p.Sources, h.p.Sinks = slices.Clone(h.p.Sources), slices.Clone(h.p.Sinks)
	h.p.Sources[0].Path = in(h.p.Sources[0].Path)
	for i := range h.p.Sinks {
		h.p.Sinks[i].Target.Path = in(h.p.Sinks[i].Target.Path)
	}
	commit, dead := *h.p.Commit, *h.p.DeadLetter
	commit.Dir, dead.Target.Path = in("state"), in("dead.ndjson")
	h.p.Commit, h.p.DeadLetter = &commit, &dead
	h.start(false)
	return h
}

func (h *hosts) start(drain bool) {
	var ctx context.Context
	ctx, h.cancel = context.WithCancel(h.t.Context())
	h.ended = make(chan error, 1)
	go func() {
		var err error
		h.s, err = task.Run(ctx, h.p, task.Options{Drain: drain, Note: func(text string) { h.notes = append(h.notes, text) }})
		h.ended <- err
	}()
}

// stop ends the run as a signal would.
func (h *hosts) stop() {
	h.t.Helper()
	h.cancel()
	var i *task.Interrupted
	if err := <-h.ended; !errors.As(err, &i) || !i.Committed {
		h.t.Fatal(err)
	}
}

// record appends a record to the file of a host.
func (h *hosts) record(host, id string, second int) {
	h.t.Helper()
	f, err := os.OpenFile(filepath.Join(h.dir, "host-"+host+".ndjson"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(`{"id":"` + id + `","t":"` + at(second) + "\"}\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		h.t.Fatal(err)
	}
	time.Sleep(time.Second)
}

func (h *hosts) remove(host string) {
	h.t.Helper()
	if err := os.Remove(filepath.Join(h.dir, "host-"+host+".ndjson")); err != nil {
		h.t.Fatal(err)
	}
}

func at(second int) string {
	return time.Date(2024, 1, 1, 0, 0, second, 0, time.UTC).Format(time.RFC3339)
}

// has demands what an output holds once all has come to rest.
func (h *hosts) has(name, want string) {
	h.t.Helper()
	synctest.Wait()
	if got, _ := os.ReadFile(filepath.Join(h.dir, name)); string(got) != want {
		h.t.Fatalf("%s has\n%swant\n%s", name, got, want)
	}
}

func row(second int, n string) string {
	return `{"window_start":"` + at(second) + `","window_end":"` + at(second+10) + `","n":` + n + "}\n"
}

// TestNewFiles: a file that appears is an input like one that was there: read from its start, it holds the watermark until it has something as new, or is idle; what is older than the watermark then is late. That
// stays so over restarts, at any of its moments.
func TestNewFiles(t *testing.T) {
	for restart := range 10 {
		synctest.Test(t, func(t *testing.T) {
			h := newHosts(t)
			moment := 0
			pause := func() {
				time.Sleep(2 * time.Second)
				if moment++; moment == restart {
					h.stop()
					h.start(false)
					time.Sleep(2 * time.Second)
				}
			}
			pause() // there is nothing yet
			if len(h.notes) == 0 || !strings.Contains(h.notes[0], "no file matches") {
				t.Errorf("%q", h.notes)
			}
			h.record("b", "a", 1)
			h.record("b", "b", 12)
			h.has("rows.ndjson", row(0, "1")) // b alone
			pause()
			h.record("a", "a", 13) // the id of another file
			h.record("a", "c", 5)  // late: b was there
			h.has("late.ndjson", `{"id":"c","t":"`+at(5)+`"}`+"\n")
			pause()
			h.record("b", "d", 31) // a holds the watermark
			h.has("rows.ndjson", row(0, "1"))
			pause()
			h.record("a", "e", 25)
			h.has("rows.ndjson", row(0, "1")+row(10, "2"))
			pause()
			h.record("c", "f", 26)
			h.record("a", "g", 35) // now c holds it
			h.has("rows.ndjson", row(0, "1")+row(10, "2"))
			pause()
			h.remove("c")
			time.Sleep(10 * time.Second) // it has ended
			h.has("rows.ndjson", row(0, "1")+row(10, "2")+row(20, "2"))
			pause()
			h.record("a", "h", 45)
			h.record("d", "", 46) // a dead letter moves nothing: an input without a record holds the watermark until it is idle
			h.record("b", "i", 47)
			pause()
			time.Sleep(10 * time.Second)
			h.record("b", "j", 48)
			h.record("a", "k", 49)
			h.stop()
			h.start(true)
			if err := <-h.ended; err != nil {
				t.Fatal(err)
			}
			h.has("rows.ndjson", row(0, "1")+row(10, "2")+row(20, "2")+row(30, "2")+row(40, "4"))
		})
	}
}

// TestNewFilesGo: what was removed before it was read to its end stops the next start; a name that comes back stops the run; the sinks' own files are no inputs.
func TestNewFilesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHosts(t)
		h.record("a", "a", 1)
		time.Sleep(2 * time.Second)
		h.stop()
		h.remove("a")
		h.start(false)
		if err := <-h.ended; err == nil || !strings.Contains(err.Error(), "host-a.ndjson was read, and is not among the files any more: put it back") {
			t.Error(err)
		}
		h.record("a", "a", 1)
		h.start(false)
		time.Sleep(time.Second)
		h.remove("a")
		time.Sleep(10 * time.Second)
		h.record("a", "b", 2)
		if err := <-h.ended; err == nil || !strings.Contains(err.Error(), "host-a.ndjson was read and removed, and is there again") {
			t.Error(err)
		}
		h.remove("a")
		h.start(false) // the end was committed
		time.Sleep(time.Second)
		h.stop()
	})
	synctest.Test(t, func(t *testing.T) {
		h := newHosts(t)
		h.record("a", "a", 1)
		h.stop()
		h.p.Sinks[0].Target.Path = filepath.Join(h.dir, "host-rows.ndjson")
		h.start(false)
		if err := <-h.ended; err == nil || !strings.Contains(err.Error(), "host-rows.ndjson") {
			t.Error(err)
		}
	})
}
