package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOS(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	var d Disk = OS{}
	for range 2 { // one that exists is fine
		if err := d.MakeDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "file")
	if there, err := Has(d, name); there || err != nil {
		t.Error(there, err)
	}
	f, err := d.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("hello"), 2); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(6), f.Sync(), d.SyncDir(dir)); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadAll(f); err != nil || string(data) != "\x00\x00hell" {
		t.Errorf("%q %v", data, err)
	}
	if size, err := f.Size(); size != 6 || err != nil {
		t.Error(size, err)
	}
	f.Close()
	if err := d.Rename(name, filepath.Join(dir, "z")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if names, err := d.List(dir); err != nil || strings.Join(names, " ") != "file z" {
		t.Error(names, err)
	}
	if err := d.Remove(name); err != nil {
		t.Error(err)
	}
	if there, err := Has(d, filepath.Join(dir, "z")); !there || err != nil {
		t.Error(there, err)
	}
	if err := d.MakeDir(filepath.Join(dir, "z")); err == nil {
		t.Error("a file is taken for a folder")
	}
	if _, err := d.Open(name, os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestNoSync: nothing waits for the disk, so even what cannot be synced is no error.
func TestNoSync(t *testing.T) {
	d := OS{NoSync: true}
	name := filepath.Join(t.TempDir(), "file")
	f, err := d.Open(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), f.Sync(), d.SyncDir(name+"/missing")); err != nil {
		t.Error(err)
	}
	if err := (OS{}).SyncDir(name + "/missing"); err == nil {
		t.Error("a folder that is missing was synced")
	}
}
