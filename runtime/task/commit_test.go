package task_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/internal/simdisk"
	"github.com/streamwright/streamwright/runtime/internal/toy"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// committing is the toy under commits: seen and dead are appended to, counts are rows of files of two rows.
func committing(in, dir string, records int) task.Pipeline {
	p := toy.Pipeline(in, filepath.Join(dir, "seen"), filepath.Join(dir, "counts-{n}"), filepath.Join(dir, "dead"))
	p.Sinks[1].Target.Roll = &task.Roll{Rows: 2}
	p.DeadLetter.Target.Append = true
	p.DeadLetter.StopShare = 2
	p.Commit = &task.Commit{Dir: filepath.Join(dir, "state"), Every: time.Hour, Records: records, Exact: true}
	return p
}

func (p place) committing(records int) task.Pipeline { return committing(p.path("in"), p.dir, records) }

func (p place) add(text string) {
	p.t.Helper()
	f, err := os.OpenFile(p.path("in"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// all is what the files of a row hold, one after the other.
func (p place) all(pattern string) string {
	names, err := filepath.Glob(p.path(pattern))
	if err != nil {
		p.t.Fatal(err)
	}
	text := ""
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			p.t.Fatal(err)
		}
		text += string(b)
	}
	return text
}

func counts(starts ...int) (text string) {
	for _, s := range starts {
		text += fmt.Sprintf(`{"start":%d,"n":1}`+"\n", s)
	}
	return text
}

// TestCommitsHold: an input that grows, one run after the other, gives what one run over all of it gives.
func TestCommitsHold(t *testing.T) {
	for _, records := range []int{1, 2, 1000} {
		p := newPlace(t, "1\n12\nx\n23\n3")
		pipeline := p.committing(records)
		pipeline.Sources[0].Hold = true
		var notes []string
		run := func() task.Summary {
			t.Helper()
			s, err := task.Run(context.Background(), pipeline, task.Options{Batch: 2, Note: func(text string) { notes = append(notes, text) }})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		run()
		p.has("seen", "1\n12\n23\n")
		if got := p.all("counts-*"); got != counts(0, 10) {
			t.Errorf("%q", got)
		}
		if s := run(); s.Commits != 0 || !strings.Contains(s.String(), "commit       commits now  0  "+p.path("state")+"\n") || !strings.Contains(s.String(), "toy: 4 records in all, 0 of them now in ") || !strings.Contains(s.String(), "(0 records/s)") { // nothing new
			t.Error(s)
		}
		if len(notes) != 2 || notes[0] != "source numbers: the last 1 bytes of "+p.path("in")+" have no newline: they are left for the next run" {
			t.Errorf("%q", notes)
		}
		p.add("4\ny\n")
		run()
		p.add("45\n")
		if s := run(); s.Counts[0] != 7 || s.Before != 6 {
			t.Errorf("%d records, %d before", s.Counts[0], s.Before)
		}
		p.has("seen", "1\n12\n23\n34\n45\n")
		if got := p.all("counts-*"); got != counts(0, 10, 20, 30) {
			t.Errorf("%q", got)
		}
		if dead := p.all("dead"); strings.Count(dead, "\n") != 2 || strings.Count(dead, `"value":"x"`) != 1 || strings.Count(dead, `"value":"y"`) != 1 {
			t.Errorf("%s", dead)
		}
		_, err := task.Run(context.Background(), pipeline, task.Options{Drain: true})
		if err != nil {
			t.Error(err)
		}
		if got := p.all("counts-*"); got != counts(0, 10, 20, 30, 40) {
			t.Errorf("%q", got)
		}
		p.has("counts-000001", counts(0, 10))
	}
}

// TestCommitsFinal: the end of the input closes all windows, which is final.
func TestCommitsFinal(t *testing.T) {
	p := newPlace(t, "1\n12\n")
	pipeline := p.committing(1)
	for range 3 {
		s, err := task.Run(context.Background(), pipeline, task.Options{})
		if err != nil || s.Counts[0] != 2 {
			t.Fatal(s, err)
		}
		p.has("seen", "1\n12\n")
		p.has("counts-000001", counts(0, 10))
	}
	p.add("13\n")
	_, err := task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "source numbers: there is more to read at byte 5 of "+p.path("in")+", but the run that ended at 20", `time: end_of_input: "hold"`, "mv "+p.path("state")+" "+p.path("seen")+" "+p.path("counts-")+"[0-9]* "+p.path("state")+".old/")
	p.has("seen", "1\n12\n")
}

// TestCommitsInterrupted: a run that is told to stop commits, and the next one goes on.
func TestCommitsInterrupted(t *testing.T) {
	var in strings.Builder
	for i := range 200 {
		fmt.Fprintln(&in, 10*i)
	}
	p := newPlace(t, in.String())
	for runs := 1; ; runs++ {
		ctx, cancel := context.WithCancelCause(context.Background())
		batches := 0
		pipeline := wrap(p.committing(7), wrapped{process: func(*stream.Batch) {
			if batches++; batches == 9 {
				cancel(errors.New("terminated"))
			}
		}})
		s, err := task.Run(ctx, pipeline, task.Options{Batch: 5})
		if err == nil {
			if runs != 5 || s.Counts[0] != 200 {
				t.Errorf("%d runs", runs)
			}
			break
		}
		fails(t, err, fmt.Sprintf("stopped after %d records (terminated): all of them are committed, open windows stay open, and the next run goes on from here", 45*runs))
		if s.Counts[0] != uint64(45*runs) || s.Before != uint64(45*(runs-1)) {
			t.Errorf("%d %d", s.Counts[0], s.Before)
		}
	}
	p.has("seen", in.String())
	var starts []int
	for i := range 200 {
		starts = append(starts, 10*i)
	}
	if got := p.all("counts-*"); got != counts(starts...) {
		t.Errorf("%q", got)
	}
}

// TestCommitsFail: what a run that fails has written since its last commit is done again by the next one.
func TestCommitsFail(t *testing.T) {
	p := newPlace(t, "1\n12\n23\npanic\n34\n")
	pipeline := p.committing(2)
	for range 2 {
		_, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1})
		fails(t, err, "panic, this is a bug", "2 of 3 records are committed in "+p.path("state")+"; the next run goes on behind them")
	}
	if err := os.WriteFile(p.path("in"), []byte("1\n12\n23\n33333\n34\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n12\n23\n33333\n34\n")
}

// TestCommitsWithoutDeadLetter: the record that stops a run stops each one, until it is mended.
func TestCommitsWithoutDeadLetter(t *testing.T) {
	p := newPlace(t, "1\n12\n23\nx\n34\n")
	pipeline := p.committing(1)
	pipeline.DeadLetter = nil
	for range 2 {
		_, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1})
		fails(t, err, "The pipeline has no dead_letter", "3 of 4 records are committed in")
	}
	if err := os.WriteFile(p.path("in"), []byte("1\n12\n23\n4\n34\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n12\n23\n4\n34\n")
}

// TestCommitsKeepWhatWasThere: rows of before stay, rows of a run that died before its first commit do not.
func TestCommitsKeepWhatWasThere(t *testing.T) {
	p := newPlace(t, "1\n2\npanic\n")
	for name, text := range map[string]string{"seen": "0\n", "counts-000007": "old\n", ".counts-000008.part": "left"} {
		if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := task.Run(context.Background(), p.committing(1000), task.Options{Batch: 1})
	fails(t, err, "nothing has been committed in "+p.path("state"), "there are rows already, perhaps of what is read: "+p.path("seen")+", "+p.path("counts-000007")+". ", "-append-to-outputs")
	for i := range 2 {
		_, err := task.Run(context.Background(), p.committing(1000), task.Options{Batch: 1, Onto: i == 0})
		fails(t, err, "0 of 2 records are committed")
	}
	if err := os.WriteFile(p.path("in"), []byte("1\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), p.committing(1000), task.Options{Batch: 1}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "0\n1\n2\n")
	p.has("counts-000007", "old\n")
	p.has("counts-000008", `{"start":0,"n":2}`+"\n")
}

// TestCommitsOverChangedOutputs: an output that is not as it was committed stops the start; one that goes elsewhere begins there.
func TestCommitsOverChangedOutputs(t *testing.T) {
	start := func() (place, task.Pipeline) {
		p := newPlace(t, "1\n12\n")
		pipeline := p.committing(1)
		pipeline.Sources[0].Hold = true
		if _, err := task.Run(context.Background(), pipeline, task.Options{}); err != nil {
			t.Fatal(err)
		}
		p.add("23\n")
		return p, pipeline
	}
	for _, tt := range []struct {
		change func(name string) error
		want   string
	}{
		{os.Remove, "cannot be written: is gone, and its first 5 bytes were committed"},
		{func(name string) error { return os.Truncate(name, 4) }, "cannot be written: has 4 bytes, and 5 were committed"},
		{func(name string) error { return os.WriteFile(name, []byte("1\n13\n"), 0o666) }, "cannot be written: is not the file that was written: the bytes before its committed end (5) are others"},
		{func(name string) error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o777)) }, "is a directory"},
	} {
		p, pipeline := start()
		if err := tt.change(p.path("seen")); err != nil {
			t.Fatal(err)
		}
		_, err := task.Run(context.Background(), pipeline, task.Options{})
		fails(t, err, "sink seen: "+p.path("seen")+": "+tt.want)
	}
	p, pipeline := start() // a copy is as good
	p.add("")
	if err := errors.Join(os.Rename(p.path("seen"), p.path("moved")), os.WriteFile(p.path("seen"), []byte("1\n12\nhalf"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), pipeline, task.Options{}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n12\n23\n")

	p, pipeline = start() // the spec names another file
	p.add("")
	pipeline.Sinks[0].Target.Path = p.path("other")
	f, err := os.OpenFile(p.path("seen"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("uncommitted\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), pipeline, task.Options{}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n12\n")
	p.has("other", "23\n")
}

// TestCommitsWhileWaiting: records are committed although no more come.
func TestCommitsWhileWaiting(t *testing.T) {
	p := newPlace(t, "")
	pipeline := p.committing(0)
	pipeline.Sources[0].Path = "-"
	pipeline.Commit.Every = 4 * time.Millisecond
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := task.Run(context.Background(), pipeline, task.Options{Stdin: r})
		ended <- err
	}()
	acknowledged := func() uint64 {
		b, _ := os.ReadFile(filepath.Join(p.path("state"), "acknowledged"))
		if len(b) < 8 {
			return 0
		}
		return binary.LittleEndian.Uint64(b)
	}
	for i := range 3 {
		before := acknowledged()
		if _, err := fmt.Fprintln(w, i); err != nil {
			t.Fatal(err)
		}
		for begin := time.Now(); acknowledged() <= max(before, 1); time.Sleep(time.Millisecond) {
			if time.Since(begin) > 10*time.Second {
				t.Fatalf("record %d is not committed", i)
			}
		}
	}
	w.Close()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	p.has("seen", "0\n1\n2\n")
}

// TestCommitsToStdout: what cannot be taken back comes again after a crash.
func TestCommitsToStdout(t *testing.T) {
	p := newPlace(t, "1\n12\npanic\n")
	pipeline := p.committing(1000)
	pipeline.Sinks[0].Target = task.Target{Stdout: true}
	var out strings.Builder
	_, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1, Stdout: &out})
	fails(t, err, "0 of 2 records")
	if err := os.WriteFile(p.path("in"), []byte("1\n12\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := task.Run(context.Background(), pipeline, task.Options{Batch: 1, Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimPrefix(out.String(), "1\n12\n"); got != "" && got != "1\n12\n" {
		t.Errorf("%q", out.String())
	}
}

// input is what the crash tests read; expected is what its run without a crash gives, by file.
func crashInput() string {
	random := rand.New(rand.NewPCG(1, 2))
	var in strings.Builder
	for i := range 40 {
		switch {
		case i%9 == 4:
			in.WriteString("bad\n")
		default:
			fmt.Fprintln(&in, 4*i+random.IntN(9))
		}
	}
	return in.String()
}

// TestRunCrashes: the same bytes come out, whichever operation of whichever run is the last one of a process.
func TestRunCrashes(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte(crashInput()), 0o666); err != nil {
		t.Fatal(err)
	}
	files := []string{"seen", "dead", "counts-000001", "counts-000002", "counts-000003", "counts-000004", "counts-000005", "counts-000006", "counts-000007", "counts-000008", "counts-000009"}
	defer task.SetPause(task.Pause())
	run := func(d *simdisk.Disk) (err error) {
		defer func() {
			if v := recover(); v != nil {
				if _, crashed := v.(simdisk.Crash); !crashed {
					panic(v)
				}
			}
		}()
		_, err = task.Run(context.Background(), committing(in, "/out", 3), task.Options{Batch: 2, Disk: d, Limits: checkpoint.Limits{Segment: 600, Dead: 600, Merged: 2000, Step: 300, Many: 5}})
		return err
	}
	disk := func(seed uint64) *simdisk.Disk {
		d := simdisk.New(seed)
		d.MakeDir("/out")
		return d
	}
	d := disk(0)
	if err := run(d); err != nil {
		t.Fatal(err)
	}
	want, ops := map[string]string{}, d.Ops
	for _, name := range files {
		want[name] = string(d.Read("/out/" + name))
	}
	if want["seen"] == "" || want["dead"] == "" || want["counts-000006"] == "" || want["counts-000009"] != "" {
		t.Fatalf("%q", want)
	}
	for first := 1; first <= ops; first++ {
		for seed := range uint64(3) {
			random := rand.New(rand.NewPCG(seed, uint64(first)))
			task.SetPause([]time.Duration{time.Hour, 0}[seed%2]) // 0: each batch is a commit, and some are made durable together
			d := disk(random.Uint64())
			d.CrashAt = first
			for lives := 1; ; lives++ {
				err := run(d)
				if !d.Dead {
					if err != nil {
						t.Fatalf("crash in operation %d, outcome %d, life %d: %v", first, seed, lives, err)
					}
					break
				}
				if random.IntN(3) == 0 {
					d.Kill()
				} else {
					d.Restart()
				}
				if lives < 4 {
					d.CrashAt = d.Ops + 1 + random.IntN(1<<random.IntN(7))
				}
			}
			for _, name := range files {
				if got := string(d.Read("/out/" + name)); got != want[name] {
					t.Fatalf("crash in operation %d, outcome %d: %s has %q, want %q", first, seed, name, got, want[name])
				}
			}
		}
	}
	t.Logf("%d operations", ops)
}

// TestRunOnDisksThatFail: an error of any operation ends the run with a word about it, and the next run ends as if nothing had been.
func TestRunOnDisksThatFail(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte(crashInput()), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(d *simdisk.Disk) error {
		_, err := task.Run(context.Background(), committing(in, "/out", 3), task.Options{Batch: 2, Disk: d})
		return err
	}
	want, ops := "", 1<<30
	for op := 0; op <= ops; op++ {
		for _, errno := range []error{syscall.ENOSPC, syscall.EIO} {
			d := simdisk.New(1)
			d.MakeDir("/out")
			if op > 0 {
				d.Fail = func(string, string) error {
					if d.Ops == op {
						return errno
					}
					return nil
				}
				err := run(d)
				if err == nil && op == ops { // giving up the lock of what is done
					break
				}
				fails(t, err, "/out/", map[error]string{syscall.ENOSPC: "no space left", syscall.EIO: syscall.EIO.Error()}[errno])
				d.Fail = nil
			}
			if err := run(d); err != nil {
				t.Fatalf("after an error in operation %d: %v", op, err)
			}
			got := string(d.Read("/out/seen")) + string(d.Read("/out/dead")) + string(d.Read("/out/counts-000001")) + string(d.Read("/out/counts-000006"))
			if op == 0 {
				want, ops = got, d.Ops
			}
			if got != want {
				t.Fatalf("after an error in operation %d: %q, want %q", op, got, want)
			}
		}
	}
}
