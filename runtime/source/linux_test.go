package source

import (
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
		f, err := Open(name, 100, nil, nil, nil)
		if err == nil {
			err = f.Fill(new(stream.Batch))
		}
		if err == nil || !strings.Contains(err.Error(), "secret: no permission to read it (see ls -l") {
			t.Error(err)
		}
	})
}

func TestReadError(t *testing.T) {
	f, err := Open("/proc/self/mem", 100, nil, nil, nil) // nothing is mapped at address 0
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
	f, err := Open(name, 100, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, drain(t, f, 100), []record{{name, 0, "a", 0}, {name, 2, "b", 0}})
}
