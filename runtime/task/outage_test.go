package task_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/internal/simdisk"
	"github.com/streamwright/streamwright/runtime/task"
)

// outages is a disk with operations that fail, and a pipeline whose sinks try again.
type outages struct {
	*simdisk.Disk
	in    string
	notes []string
}

func newOutages(in string, seed uint64) *outages {
	o := &outages{Disk: simdisk.New(seed), in: in}
	o.Log = []string{}
	o.MakeDir("/out")
	return o
}

func (o *outages) run(ctx context.Context) (s task.Summary, err error) {
	defer func() {
		if v := recover(); v != nil {
			if _, crashed := v.(simdisk.Crash); !crashed {
				panic(v)
			}
		}
	}()
	p := committing(o.in, "/out", 3)
	for i := range p.Sinks {
		p.Sinks[i].Retry = &task.Retry{Base: time.Second, Max: time.Minute, Tries: 4}
	}
	p.DeadLetter.Retry = p.Sinks[0].Retry
	return task.Run(ctx, p, task.Options{Batch: 2, Disk: o.Disk, Limits: checkpoint.Limits{Segment: 600, Dead: 600, Merged: 2000, Step: 300, Many: 5}, Note: func(text string) { o.notes = append(o.notes, text) }})
}

// all is what the sinks and the dead letters have.
func (o *outages) all() (text string) {
	names, _ := o.List("/out")
	for _, name := range names {
		text += name + " " + string(o.Read("/out/"+name))
	}
	return text
}

// retried says whether an operation belongs to a sink that tries again.
func retried(name string) bool {
	return strings.HasPrefix(name, "/out/seen") || strings.HasPrefix(name, "/out/counts") || strings.HasPrefix(name, "/out/.counts") || strings.HasPrefix(name, "/out/dead")
}

func crashFile(t *testing.T) string {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte(crashInput()), 0o666); err != nil {
		t.Fatal(err)
	}
	return in
}

// TestOutages: whichever operation of a sink fails for a while, the run goes on when it works again, and gives the bytes of one without an outage. A fsync that failed has lost what it says it has, so
// that a crash later on shows whoever trusts it. Operations of the log end the run; the next one goes on.
func TestOutages(t *testing.T) {
	in := crashFile(t)
	whole := newOutages(in, 0)
	if _, err := whole.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	want, log := whole.all(), slices.Clone(whole.Log)
	kinds := map[string]int{}
	for op := range log {
		kind, name, _ := strings.Cut(log[op], " ")
		for seed := range uint64(4) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, uint64(op)))
				o := newOutages(in, random.Uint64())
				fails := 1 + random.IntN(3)
				o.Fail = func(k, n string) error {
					if o.Ops > op && fails > 0 && k == kind && n == name {
						fails--
						return syscall.ENOSPC
					}
					return nil
				}
				o.CrashAt = op + 10 + random.IntN(200)
				where := fmt.Sprintf("%s fails in operation %d, outcome %d", log[op], op+1, seed)
				for lives := 1; ; lives++ {
					_, err := o.run(context.Background())
					switch {
					case o.Dead:
						o.Restart()
					case err != nil && (retried(name) || lives > 5):
						t.Fatalf("%s: %v", where, err)
					case err == nil:
						if got := o.all(); got != want {
							t.Fatalf("%s: got\n%s\nwant\n%s\n%q", where, got, want, o.notes)
						}
						if retried(name) && len(o.notes) > 0 {
							kinds[kind]++
						}
						return
					}
				}
			})
		}
	}
	for _, kind := range []string{"create", "write", "sync", "rename"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s of a sink was tried again: %v", kind, kinds)
		}
	}
}

// breaking is a disk of the operating system whose files fail once to be made durable, those with a prefix.
type breaking struct {
	disk.OS
	prefix string
	left   *int
}

type breakingFile struct {
	disk.File
	of breaking
}

func (b breaking) Open(name string, flag int) (disk.File, error) {
	f, err := b.OS.Open(name, flag)
	if err != nil || !strings.HasPrefix(name, b.prefix) {
		return f, err
	}
	return breakingFile{f, b}, nil
}

func (f breakingFile) Sync() error {
	if *f.of.left--; *f.of.left == 0 {
		return syscall.EIO
	}
	return f.File.Sync()
}

// TestOutageOfStdin: what came on standard input before an outage is still there behind it, and what comes later, too.
func TestOutageOfStdin(t *testing.T) {
	for at := 1; at <= 5; at++ {
		p := newPlace(t, "")
		pipeline := p.committing(2)
		pipeline.Sources[0].Path = "-"
		pipeline.Sinks[0].Retry = &task.Retry{Base: time.Millisecond, Max: time.Millisecond, Tries: 2}
		r, w := io.Pipe()
		go func() {
			for i := range 10 {
				fmt.Fprintln(w, i)
			}
			w.Close()
		}()
		left, notes := at, 0
		s, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1, Stdin: r, Disk: breaking{prefix: p.path("seen"), left: &left}, Note: func(string) { notes++ }})
		if err != nil {
			t.Fatal(err)
		}
		if p.has("seen", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"); s.Counts[0] != 10 || s.Before != 0 || notes != 1 {
			t.Errorf("failing at %d: %d records, %d before, %d notes", at, s.Counts[0], s.Before, notes)
		}
	}
}

// TestOutageWithoutEnd: after so many tries the run stops, and says how often it has tried; a stop ends the waits; what does not go away is not tried again.
func TestOutageWithoutEnd(t *testing.T) {
	in := crashFile(t)
	for _, c := range []struct {
		op    string
		errno error
		want  string
		tries int
	}{
		{"sync", syscall.EIO, "it was tried 4 times", 4},
		{"rename", syscall.EIO, "it was tried 4 times", 4},
		{"write", syscall.ENOSPC, "it was tried 4 times", 4},
		{"sync", syscall.EROFS, "read-only file system", 1},
		{"rename", syscall.EACCES, "no permission to write it", 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := newOutages(in, 1)
			tries := 0
			o.Fail = func(op, name string) error {
				if op == c.op && strings.HasPrefix(name, "/out/.counts") {
					tries++
					return c.errno
				}
				return nil
			}
			_, err := o.run(context.Background())
			fails(t, err, c.want, "records are committed in /out/state")
			if tries != c.tries || len(o.notes) < c.tries-1 {
				t.Errorf("%s: %d tries; %q", c.op, tries, o.notes)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		o := newOutages(in, 1)
		ctx, stop := context.WithCancel(context.Background())
		o.Fail = func(op, name string) error {
			if op == "sync" && retried(name) {
				stop()
				return syscall.EIO
			}
			return nil
		}
		begin := time.Now()
		_, err := o.run(ctx)
		fails(t, err, "it was told to stop before it was tried again")
		if time.Since(begin) > 0 {
			t.Error("it waited")
		}
	})
}
