package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// asNobody runs f on a thread without the rights of root over files; the thread ends with it.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				done <- err
				return
			}
		}
		f()
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) { // testing makes some of them private
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	name := write(t, filepath.Join(dir, "secret"), "1\n")
	if err := os.Chmod(name, 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		f, err := Open(name, Options{MaxRecord: 100})
		if err == nil {
			err = f.Fill(new(stream.Batch))
		}
		if err == nil || !strings.Contains(err.Error(), "secret: no permission to read it (see ls -l") {
			t.Error(err)
		}
	})
}

// TestOneOfMany: a file without permission among many stops the start, before a record of the others was read.
func TestOneOfMany(t *testing.T) {
	dir := t.TempDir()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		name := write(t, filepath.Join(dir, fmt.Sprintf("%02d", i)), "1\n")
		if i == 17 {
			if err := os.Chmod(name, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	asNobody(t, func() {
		if _, err := Open(filepath.Join(dir, "*"), Options{MaxRecord: 100}); err == nil || !strings.Contains(err.Error(), "17: no permission to read it") {
			t.Error(err)
		}
	})
}

// TestManyFiles: of thousands of files one is open at a time.
func TestManyFiles(t *testing.T) {
	dir := t.TempDir()
	const files = 5000
	for i := range files {
		write(t, filepath.Join(dir, fmt.Sprintf("%04d", i)), fmt.Sprintf("%d\n", i))
	}
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := open()
	f, err := Open(filepath.Join(dir, "*"), Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	var b stream.Batch
	for i := range files {
		if err := f.Fill(&b); err != nil || string(b.Data[:b.End]) != fmt.Sprintf("%d\n", i) {
			t.Fatalf("file %d: %v %q", i, err, b.Data[:b.End])
		}
		if i%500 == 0 && open() > before+1 {
			t.Fatalf("%d files are open, %d before", open(), before)
		}
	}
	if err := f.Fill(&b); err != io.EOF || open() > before {
		t.Errorf("%v, %d files are open, %d before", err, open(), before)
	}
}

func TestReadError(t *testing.T) {
	f, err := Open("/proc/self/mem", Options{MaxRecord: 100}) // nothing is mapped at address 0
	if err == nil {
		err = f.Fill(new(stream.Batch))
	}
	if err == nil || !strings.Contains(err.Error(), "/proc/self/mem: reading failed at byte 0: input/output error") {
		t.Error(err)
	}
}

func TestNamedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(name, []byte("a\nb"), 0) // what fails shows as missing records
	f, err := Open(name, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	same(t, drain(t, f, 100), []record{{name, 0, "a", 0}, {name, 2, "b", 0}})
}

// TestNotTwice: what cannot be read twice is no input of a run that another one goes on from.
func TestNotTwice(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "in")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		fifo:                      fifo + ": is a pipe (FIFO), which cannot be read twice, and with commit a run goes on where the last one was. Write path: \"-\" in the source and start with <" + fifo + ": what comes",
		filepath.Dir(fifo) + "/*": fifo + ": is a pipe (FIFO), which cannot be read twice",
		"/dev/null":               "/dev/null: is a device, which cannot be read twice",
	} {
		if _, err := Open(name, Options{MaxRecord: 100, Again: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
		if _, err := Open(name, Options{MaxRecord: 100}); err != nil {
			t.Error(err)
		}
	}
}
