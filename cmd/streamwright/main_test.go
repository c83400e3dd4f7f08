package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestVersionLine(t *testing.T) {
	for want, info := range map[string]*debug.BuildInfo{
		"streamwright v0.3.0, go1.26.0 linux/amd64": {GoVersion: "go1.26.0", Main: debug.Module{Version: "v0.3.0"},
			Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "amd64"}}},
		"streamwright (devel) (commit 0123456789ab of 2026-05-01T10:00:00Z, changed), go1.26.0 linux/arm64": {GoVersion: "go1.26.0",
			Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}, {Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
				{Key: "vcs.time", Value: "2026-05-01T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}},
	} {
		if got := versionLine(info); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFree: the folder that exists only in the overlay is never one of the user.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{"_streamwright_run", "_streamwright_run_", "_streamwright_run__"} {
		got := free(dir)
		if got != filepath.Join(dir, want) {
			t.Errorf("%s, want %s", got, want)
		}
		if err := os.Mkdir(got, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCreate: when one file cannot be written, nothing of the others is left.
func TestCreate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("there", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, last := range []string{"there", "there/b"} {
		if err := create([]newFile{{"a/b/c", []byte("1")}, {"a/d", []byte("2")}, {last, []byte("3")}}); err == nil {
			t.Errorf("%s: no error", last)
		}
		if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
			t.Errorf("%s: left behind: %v %v", last, entries, err)
		}
	}
	if err := create([]newFile{{"a/b/c", []byte("1")}, {"d", []byte("2")}}); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile("a/b/c"); err != nil || string(got) != "1" {
		t.Errorf("%q %v", got, err)
	}
}
