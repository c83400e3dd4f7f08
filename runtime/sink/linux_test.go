package sink

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestSpecialFiles(t *testing.T) {
	for _, open := range []func(string) (*File, error){Append, Whole} {
		f, err := open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		put(t, f, "a\n")
		commit(t, f)
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Fatalf("%s was replaced: %v %v", os.DevNull, info.Mode(), err)
		}
	}
}

func TestFullDevice(t *testing.T) {
	for _, open := range []func(string) (*File, error){Append, Whole} {
		f, err := open("/dev/full")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Put([]byte("a\n")); err == nil || err.Error() != "/dev/full: no space left on its device" {
			t.Error(err)
		}
		f.Abort()
	}
}

func TestBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	f, err := Stdout(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Put([]byte("a\n")); err == nil || err.Error() != "standard output: closed by its reader (broken pipe)" {
		t.Error(err)
	}
}

func TestClosedAtStart(t *testing.T) {
	for _, tt := range []struct {
		name string
		flag int
		want bool
	}{{os.DevNull, os.O_RDWR, true}, {os.DevNull, os.O_WRONLY, false}, {"/dev/zero", os.O_RDWR, false}} {
		file, err := os.OpenFile(tt.name, tt.flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Stdout(file); (err != nil) != tt.want {
			t.Errorf("%s, %d: %v", tt.name, tt.flag, err)
		}
		file.Close()
	}
}

func TestNotWritable(t *testing.T) {
	dir := t.TempDir()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) { // testing makes some of them private
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	old := write(t, filepath.Join(dir, "old"), "a\n")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread has lost the rights of root over files, and ends with this function
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				done <- err
				return
			}
		}
		for _, open := range []func(string) (*File, error){Append, Whole} {
			for _, name := range []string{filepath.Join(dir, "new"), old} {
				if f, err := open(name); err == nil {
					f.Abort()
					if os.Getuid() == 0 || name != old {
						t.Errorf("%s was opened", name)
					}
				} else if !strings.Contains(err.Error(), name+": no permission to write it (see ls -ld "+dir) {
					t.Error(err)
				}
			}
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	only(t, dir, "old")
}
