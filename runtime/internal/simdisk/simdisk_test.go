package simdisk

import (
	"os"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/disk"
)

// after is what is left of a file by a crash, "-" for none, of which f has synced something.
func after(t *testing.T, seed uint64, kill bool, f func(d *Disk, file disk.File)) string {
	t.Helper()
	d := New(seed)
	d.MakeDir("/d")
	file, err := d.Open("/d/f", os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("first "), 0); err != nil {
		t.Fatal(err)
	}
	f(d, file)
	if kill {
		d.Kill()
	} else {
		d.Restart()
	}
	if names, _ := d.List("/d"); len(names) == 0 {
		return "-"
	}
	return string(d.Read("/d/f"))
}

// TestWhatACrashLeaves: what was synced is there after every crash, the rest sometimes, and everything after a kill.
func TestWhatACrashLeaves(t *testing.T) {
	for _, tt := range []struct {
		name   string
		f      func(d *Disk, file disk.File)
		always string   // begins with it
		seen   []string // each is left by some crash
	}{
		{"nothing was synced", func(*Disk, disk.File) {}, "", []string{"-", "", "first ", "\x00"}},
		{"the bytes, not the name", func(_ *Disk, file disk.File) { file.Sync() }, "", []string{"-", "first "}},
		{"the name, not the bytes", func(d *Disk, _ disk.File) { d.SyncDir("/d") }, "", []string{"", "first "}},
		{"both", func(d *Disk, file disk.File) { file.Sync(); d.SyncDir("/d") }, "first ", []string{"first "}},
		{"and more behind it", func(d *Disk, file disk.File) {
			file.Sync()
			d.SyncDir("/d")
			file.WriteAt([]byte("second "), 6)
			file.WriteAt([]byte("third"), 13)
		}, "first ", []string{"first ", "first second ", "first second third", "first \x00\x00\x00\x00\x00\x00\x00third"}},
		{"cut off again", func(d *Disk, file disk.File) {
			file.Sync()
			d.SyncDir("/d")
			file.Truncate(3)
		}, "fir", []string{"fir", "first "}},
	} {
		all := map[string]bool{}
		for seed := range uint64(400) {
			left := after(t, seed, false, tt.f)
			all[left] = true
			if strings.HasPrefix(left, "\x00") {
				all["\x00"] = true
			}
			if !strings.HasPrefix(left, tt.always) {
				t.Errorf("%s: %q is left", tt.name, left)
			}
		}
		for _, s := range tt.seen {
			if !all[s] {
				t.Errorf("%s: no crash leaves %q", tt.name, s)
			}
		}
		if left := after(t, 1, true, tt.f); !strings.HasPrefix(left, "fir") {
			t.Errorf("%s: a kill leaves %q", tt.name, left)
		}
	}
}

// TestCrashAt: the process dies in the operation that was said, and every further one dies, too.
func TestCrashAt(t *testing.T) {
	d := New(1)
	d.CrashAt = 2
	dies := func(f func()) (died bool) {
		defer func() { _, died = recover().(Crash) }()
		f()
		return false
	}
	var file disk.File
	if dies(func() { file, _ = d.Open("/f", os.O_RDWR|os.O_CREATE) }) {
		t.Fatal("died too early")
	}
	for range 2 {
		if !dies(func() { file.Sync() }) || !d.Dead {
			t.Error("lives on")
		}
	}
	d.Restart()
	if dies(func() { d.SyncDir("/") }) {
		t.Error("dies again")
	}
}
