package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// tail is a source that is followed in a goroutine of its own, in a bubble whose time stands still while anybody works.
type tail struct {
	t       *testing.T
	dir     string
	files   *Files
	stop    chan struct{}
	lines   chan string
	err     chan error
	waiting bool
	last    []byte // position behind the last line
}

// follow opens a source below dir, at a position.
func follow(t *testing.T, dir string, o Options, path, rotated string, from []byte) (*tail, error) {
	t.Helper()
	w := &tail{t: t, dir: dir, stop: make(chan struct{}), lines: make(chan string, 100), err: make(chan error, 1)}
	o.Follow, o.Stop, o.CaughtUp = true, w.stop, func(all bool) { w.waiting = all }
	if o.MaxRecord == 0 {
		o.MaxRecord = positionMax
	}
	if rotated != "" {
		o.Rotated = filepath.Join(dir, rotated)
	}
	var err error
	if w.files, err = Open(filepath.Join(dir, path), o); err == nil {
		err = w.files.Start(from)
	}
	if err != nil {
		return nil, err
	}
	go func() {
		var b stream.Batch
		for {
			if err := w.files.Fill(&b); err != nil {
				w.files.Close()
				w.err <- err
				return
			}
			next := b.Next
			if o.Fields != nil {
				next = b.NextRow
			}
			for {
				line, ok := next()
				if !ok {
					break
				}
				w.lines <- string(b.Bytes(line))
			}
			w.last = AppendPosition(w.last[:0], &b, o.MaxRecord)
		}
	}()
	return w, nil
}

// has demands the lines that come until nothing more does, within some seconds of the bubble's time.
func (w *tail) has(want ...string) {
	w.t.Helper()
	time.Sleep(settles + 3*pollEvery)
	synctest.Wait()
	var got []string
	for len(w.lines) > 0 {
		got = append(got, <-w.lines)
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("got %q, want %q", got, want)
	}
	if !w.waiting && len(w.err) == 0 {
		w.t.Error("it waits and does not say so")
	}
}

// ends stops it, or demands the error that stopped it.
func (w *tail) ends(want string) {
	w.t.Helper()
	if want == "" {
		close(w.stop)
	} else {
		time.Sleep(settles + 3*pollEvery)
	}
	synctest.Wait()
	if len(w.err) == 0 {
		w.t.Fatal("it goes on")
	}
	switch err := <-w.err; {
	case want == "" && !errors.Is(err, errStopped), want != "" && !strings.Contains(err.Error(), want):
		w.t.Fatalf("%v, want %q", err, want)
	}
}

// put appends to a file below dir.
func (w *tail) put(name, text string) { appendTo(w.t, filepath.Join(w.dir, name), text) }

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func (w *tail) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(filepath.Join(w.dir, from), filepath.Join(w.dir, to)); err != nil {
		w.t.Fatal(err)
	}
}

func begin(t *testing.T, dir string, o Options, path, rotated string, from []byte) *tail {
	t.Helper()
	w, err := follow(t, dir, o, path, rotated, from)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, "a"), "1\n2\n3")
		w := begin(t, dir, Options{}, "a", "", nil)
		w.has("1", "2")
		w.put("a", "3\n\n4\n5")
		w.has("33", "4")
		position := bytes.Clone(w.last)
		w.ends("")
		w.put("a", "5\n6\n")
		w = begin(t, dir, Options{}, "a", "", position)
		w.has("55", "6")
		w.put("a", strings.Repeat("x", 3*positionMax)) // longer than a record may be
		w.has()
		w.put("a", "xx\n7\n")
		w.has(strings.Repeat("x", positionMax), "7")
		w.ends("")
	})
}

func TestFollowCSV(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, "a.csv"), "id,")
		w := begin(t, dir, Options{Fields: []string{"id", "n"}}, "a.csv", "", nil)
		w.has()
		w.put("a.csv", "n\n1,\"two\n")
		w.has()
		w.put("a.csv", "lines\"\n2,x\n3")
		w.has("1,\"two\nlines\"", "2,x")
		position := bytes.Clone(w.last)
		w.ends("")
		w = begin(t, dir, Options{Fields: []string{"id", "n"}}, "a.csv", "", position)
		w.has()
		w.put("a.csv", ",y\n")
		w.has("3,y")
		w.ends("")
	})
}

// TestFollowRotation renames the file again and again: what was written to the old one after it was renamed is read, then the next, also when the program did not run meanwhile.
func TestFollowRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, "log"), "1\n")
		w := begin(t, dir, Options{}, "log", "log.*", nil)
		w.has("1")
		w.rename("log", "log.1")
		w.has()
		w.put("log.1", "2\n") // the writer has not noticed yet
		w.put("log", "3\n")
		time.Sleep(settles / 2)
		w.put("log.1", "late")
		w.has("2", "late", "3")
		// Two rotations while it does not run.
		position := bytes.Clone(w.last)
		w.ends("")
		w.put("log", "4\n")
		w.rename("log.1", "log.2")
		w.rename("log", "log.1")
		w.put("log", "5\n")
		w.rename("log.2", "log.3")
		w.rename("log.1", "log.2")
		w.rename("log", "log.1")
		w.put("log", "6\n7\n")
		old := time.Now()
		for i, name := range []string{"log.3", "log.2", "log.1"} { // as their writer would have left them
			if err := os.Chtimes(filepath.Join(dir, name), old, old.Add(time.Duration(i-10)*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		w = begin(t, dir, Options{}, "log", "log.*", position)
		w.has("4", "5", "6", "7")
		// Nothing was read of the newest yet, and what was read last has gone.
		position = bytes.Clone(w.last)
		w.ends("")
		w.rename("log", "gone")
		w.put("log", "8\n")
		if _, err := follow(t, dir, Options{}, "log", "log.*", position); err == nil || !strings.Contains(err.Error(), "nor among the files that match") {
			t.Fatal(err)
		}
		w.rename("gone", "log.0")
		w = begin(t, dir, Options{}, "log", "log.*", position)
		w.has("8")
		w.rename("log", "elsewhere")
		w.put("log", "9\n")
		w.ends("is not among those that match")
	})
}

// TestFollowNames follows a pattern: the file with the last name is the one that grows.
func TestFollowNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, "a-1"), "1\n2")
		appendTo(t, filepath.Join(dir, "a-2"), "3\n4")
		w := begin(t, dir, Options{}, "a-*", "", nil)
		w.has("1", "2", "3")
		w.put("a-2", "4\n")
		w.put("a-3", "5\n")
		w.has("44", "5")
		position := bytes.Clone(w.last)
		w.ends("")
		if err := os.Remove(filepath.Join(dir, "a-1")); err != nil {
			t.Fatal(err)
		}
		w.put("a-3", "6\n")
		w = begin(t, dir, Options{}, "a-*", "", position)
		w.has("6")
		w.put("a-2b", "7\n")
		w.ends("a-2b: appeared while")
	})
}

func TestFollowRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(w *tail)
	}{
		{"shorter", "became shorter while it was followed", func(w *tail) { os.Truncate(filepath.Join(w.dir, "a"), 2) }},
		{"anew", "was written anew while it was followed", func(w *tail) {
			os.WriteFile(filepath.Join(w.dir, "a"), []byte("other\nbytes\n"), 0o666)
		}},
		{"replaced", "another file has taken the place of the one that was followed", func(w *tail) {
			w.put("b", "1\n2\n3\n")
			w.rename("b", "a")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				appendTo(t, filepath.Join(dir, "a"), "1\n2\n")
				w := begin(t, dir, Options{}, "a", "", nil)
				w.has("1", "2")
				c.change(w)
				w.ends(c.want)
			})
		})
	}
	dir := t.TempDir()
	if _, err := follow(t, dir, Options{Fields: []string{"a"}}, "none/*.csv", "", nil); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Error(err)
	}
	f, err := Open(os.DevNull, Options{Follow: true})
	if err == nil {
		err = f.Fill(new(stream.Batch))
	}
	if err == nil || err == io.EOF || !strings.Contains(fmt.Sprint(err), "no regular file") {
		t.Error(err)
	}
}

// TestFollowAwaits: a folder in which nothing is yet is followed, too; with Drain it has ended.
func TestFollowAwaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, t.TempDir(), Options{}, "*.log", "", nil)
		w.has()
		w.put("b.log", "1\n")
		w.has("1")
		w.put("c.log", "2\n")
		w.has("2")
		w.ends("")
	})
	synctest.Test(t, func(t *testing.T) {
		begin(t, t.TempDir(), Options{Drain: true}, "*.log", "", nil).ends("EOF")
	})
}

// TestFollowRemoved: a file that has lost its name is read until nobody has written it for a while; then it has ended.
func TestFollowRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		appendTo(t, filepath.Join(dir, "a"), "1\n")
		w := begin(t, dir, Options{Removed: true}, "a", "", nil)
		w.has("1")
		file, err := os.OpenFile(filepath.Join(dir, "a"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		w.rename("a", "b")
		for _, text := range []string{"2", "3"} { // by who does not know yet
			time.Sleep(settles - pollEvery)
			if _, err := file.WriteString(text); err != nil {
				t.Fatal(err)
			}
		}
		w.ends("EOF")
		if line := <-w.lines; line != "23" {
			t.Error(line)
		}
	})
}

// TestDiscover: each file that comes to match is found once, in the order of the names of those that are found at once; one that is gone and there again is found again.
func TestDiscover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, stop := t.TempDir(), make(chan struct{})
		put := func(name string) { appendTo(t, filepath.Join(dir, name), "1\n") }
		put("a.log")
		d := Discover(filepath.Join(dir, "*.log"), []string{filepath.Join(dir, "a.log")}, Options{Follow: true, MaxRecord: positionMax, Stop: stop, News: make(chan struct{}, 1)})
		finds := func(want ...string) {
			t.Helper()
			var got []string
			for range 10 {
				time.Sleep(pollEvery)
				synctest.Wait()
				if f, ok := d.Next(); ok {
					if f.Err != nil || f.Files == nil {
						t.Fatal(f.Err)
					}
					got = append(got, filepath.Base(f.Name))
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("found %q, want %q", got, want)
			}
		}
		finds()
		put("c.log")
		put("b.log")
		put("other")
		finds("b.log", "c.log")
		if err := os.Remove(filepath.Join(dir, "b.log")); err != nil {
			t.Fatal(err)
		}
		finds()
		put("b.log")
		finds("b.log")
		if err := os.Mkdir(filepath.Join(dir, "d.log"), 0o777); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * pollEvery)
		if f, ok := d.Next(); !ok || f.Err == nil || !strings.Contains(f.Err.Error(), "is a directory") {
			t.Error(f.Err)
		}
		close(stop)
	})
}
