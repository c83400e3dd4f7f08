package timeidle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/task"
)

// quiet is a run of a pipeline that follows files, in a bubble whose clock moves only while everybody waits.
type quiet struct {
	t    *testing.T
	dir  string
	p    task.Pipeline
	stop func() task.Summary
}

func newQuiet(t *testing.T, p task.Pipeline) *quiet {
	q := &quiet{t: t, dir: t.TempDir(), p: p}
	q.p.Sources, q.p.Sinks = slices.Clone(p.Sources), slices.Clone(p.Sinks)
	for i := range q.p.Sources {
		q.p.Sources[i].Path = filepath.Join(q.dir, p.Sources[i].Name)
		q.put(p.Sources[i].Name, "")
	}
	for i := range q.p.Sinks {
		q.p.Sinks[i].Target.Path = filepath.Join(q.dir, p.Sinks[i].Name)
	}
	commit := *p.Commit
	commit.Dir = filepath.Join(q.dir, "state")
	q.p.Commit = &commit
	if p.DeadLetter != nil {
		dead := *p.DeadLetter
		dead.Target.Path = filepath.Join(q.dir, "dead")
		q.p.DeadLetter = &dead
	}
	q.start()
	return q
}

// start begins to run; stop ends the run as a signal would.
func (q *quiet) start() {
	ctx, cancel := context.WithCancel(q.t.Context())
	ended := make(chan task.Summary, 1)
	go func() {
		s, err := task.Run(ctx, q.p, task.Options{})
		var i *task.Interrupted
		if !errors.As(err, &i) || !i.Committed {
			q.t.Error(err)
		}
		ended <- s
	}()
	q.stop = func() task.Summary {
		cancel()
		return <-ended
	}
}

func (q *quiet) put(name, text string) {
	f, err := os.OpenFile(filepath.Join(q.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		q.t.Fatal(err)
	}
}

// record is put for one record.
func (q *quiet) record(name, id string, second int) {
	q.put(name, `{"id":"`+id+`","t":"`+at(second)+"\"}\n")
}

func at(second int) string {
	return time.Date(2024, 1, 1, 0, 0, second, 0, time.UTC).Format(time.RFC3339)
}

// has demands what an output holds once all has come to rest.
func (q *quiet) has(name, want string) {
	q.t.Helper()
	synctest.Wait()
	if got, _ := os.ReadFile(filepath.Join(q.dir, name)); string(got) != want {
		q.t.Fatalf("%s has\n%swant\n%s", name, got, want)
	}
}

func row(start, n string) string {
	t, _ := time.Parse(time.RFC3339, start)
	return `{"window_start":"` + start + `","window_end":"` + t.Add(10*time.Second).Format(time.RFC3339) + `","n":` + n + "}\n"
}

func counts(s task.Summary, node, name string) (n uint64) {
	for i, c := range s.Pipeline.Counters {
		if c.Node == node && c.Name == name {
			n += s.Counts[i]
		}
	}
	return n
}

// TestQuiet is WM-01, with a restart while an input is idle: [0,10) leaves when right has been silent for 30 s and no earlier; what right brings back is late by left's watermark only.
func TestQuiet(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			q := newQuiet(t, PerWindowPipeline)
			q.record("left", "a", 1)
			q.record("right", "d", 2)
			time.Sleep(time.Second)
			q.record("left", "b", 15)
			time.Sleep(28500 * time.Millisecond)
			q.has("rows", "") // never before 30 s
			time.Sleep(3500 * time.Millisecond)
			q.has("rows", row(at(0), "2"))
			if restart {
				q.stop()
				q.start()
				time.Sleep(time.Second)
			}
			time.Sleep(7 * time.Second)
			q.record("left", "c", 25)
			time.Sleep(time.Second)
			q.record("right", "e", 5)
			time.Sleep(time.Second)
			q.record("right", "f", 27)
			time.Sleep(2 * time.Second)
			q.has("rows", row(at(0), "2")+row(at(10), "1"))
			q.has("late", `{"id":"e","t":"2024-01-01T00:00:05Z"}`+"\n")
			// Now both are active, and it is late by its own watermark, too.
			q.record("right", "g", 8)
			q.record("left", "h", 31)
			time.Sleep(2 * time.Second)
			q.has("rows", row(at(0), "2")+row(at(10), "1"))
			q.record("right", "i", 30)
			time.Sleep(2 * time.Second)
			q.has("rows", row(at(0), "2")+row(at(10), "1")+row(at(20), "2"))
			s := q.stop()
			for _, stage := range []string{"windows", "hops", "sliced", "growing"} {
				if counts(s, stage, "late_after_idle") != 1 || counts(s, stage, "late") != 1 {
					t.Errorf("%s:\n%v", stage, s)
				}
			}
		})
	}
}

// TestClock: while the only input is silent its windows close by the clock, and that is committed: a restart does not go back.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuiet(t, ByClockPipeline)
		stamp := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
		start := time.Now().UTC() // midnight
		q.put("events", `{"id":"a","t":"`+stamp(0)+"\"}\n")
		time.Sleep(24 * time.Second) // the watermark is 15 s behind the clock, and follows it at most once a second
		q.has("rows", "")
		time.Sleep(4 * time.Second)
		q.has("rows", row(start.Format(time.RFC3339), "1"))
		q.stop()
		q.start()
		time.Sleep(time.Second)
		q.put("events", `{"id":"b","t":"`+start.Add(9*time.Second).Format(time.RFC3339)+"\"}\n") // by its own watermark it is not late
		q.put("events", `{"id":"c","t":"`+stamp(2*time.Hour)+"\"}\n")                            // beyond the guard, which files that are followed have
		time.Sleep(2 * time.Second)
		s := q.stop()
		if counts(s, "windows", "late_after_idle") != 1 || counts(s, "windows", "late") != 0 || counts(s, "events", "future") != 1 {
			t.Errorf("\n%v", s)
		}
		q.has("rows", row(start.Format(time.RFC3339), "1"))
	})
}
