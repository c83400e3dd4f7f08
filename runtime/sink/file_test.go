package sink

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, name, data string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o640); err != nil {
		t.Fatal(err)
	}
	return name
}

// only fails if dir has other entries than these.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s has %q, want %q", dir, got, names)
	}
}

func put(t *testing.T, f *File, rows ...string) {
	t.Helper()
	for _, r := range rows {
		if err := f.Put([]byte(r)); err != nil {
			t.Fatal(err)
		}
	}
}

func commit(t *testing.T, f *File) {
	t.Helper()
	if err := errors.Join(f.Sync(), f.Commit()); err != nil {
		t.Fatal(err)
	}
	f.Abort() // as a run does in every case: no effect after Commit
}

func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows")
	for i, want := range []string{"a\nb\n", "a\nb\na\nb\n"} {
		f, err := Append(name)
		if err != nil {
			t.Fatal(err)
		}
		put(t, f, "a\n", "", "b\n")
		if got := content(t, name); got != want {
			t.Errorf("before commit: %q", got)
		}
		if i == 0 {
			commit(t, f)
		} else {
			f.Abort()
		}
		if got := content(t, name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAppendToHalfARow(t *testing.T) {
	name := write(t, filepath.Join(t.TempDir(), "rows"), "a\nhalf")
	if _, err := Append(name); !errors.Is(err, errHalfRow) || !strings.HasPrefix(err.Error(), name+": ") {
		t.Error(err)
	}
	if got := content(t, name); got != "a\nhalf" {
		t.Errorf("changed to %q", got)
	}
}

func TestWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "rows")
	f, err := Whole(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "a\n")
	if _, err := os.Stat(name); err == nil {
		t.Error("visible before commit")
	}
	commit(t, f)
	only(t, dir, "rows")
	if got := content(t, name); got != "a\n" {
		t.Errorf("%q", got)
	}

	if f, err = Whole(name); err != nil {
		t.Fatal(err)
	}
	put(t, f, "b\n")
	f.Abort()
	only(t, dir, "rows")
	if got := content(t, name); got != "a\n" {
		t.Errorf("after abort %q", got)
	}
}

// TestLeftBehind: a later run of the same target removes what processes left that are gone, and nothing else.
func TestLeftBehind(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "rows")
	living, err := Whole(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, living, "living\n")
	others := []string{".rows.tmp", ".rows.1.ABCDEFGH.tmp.x", ".rows.x.ABCDEFGH.tmp", ".rows.1.ABC.tmp", ".rows.-1.ABCDEFGH.tmp", ".rows.b.1.ABCDEFGH.tmp", ".row.1.ABCDEFGH.tmp", "rows.1.ABCDEFGH.tmp"}
	for _, left := range append([]string{".rows.1.ABCDEFGH.tmp", ".rows.99999999.ABCDEFGH.tmp", "." + "rows." + strconv.Itoa(os.Getpid()) + ".ABCDEFGH.tmp"}, others...) {
		write(t, filepath.Join(dir, left), "half\n")
	}
	if err := os.Mkdir(filepath.Join(dir, ".rows.2.ABCDEFGH.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := Whole(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "new\n")
	commit(t, f)
	if got := content(t, name); got != "new\n" {
		t.Errorf("%q", got)
	}
	want := append([]string{filepath.Base(living.temp), "rows", ".rows.2.ABCDEFGH.tmp"}, others...)
	slices.Sort(want)
	only(t, dir, want...)
	commit(t, living)
	if got := content(t, name); got != "living\n" {
		t.Errorf("%q", got)
	}
}

func TestWholeKeepsModeAndFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	real := write(t, filepath.Join(sub, "rows"), "old\n")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join("sub", "rows"), link); err != nil {
		t.Fatal(err)
	}
	f, err := Whole(link)
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "new\n")
	commit(t, f)
	only(t, sub, "rows")
	info, err := os.Lstat(real)
	if err != nil || info.Mode() != 0o640 || content(t, real) != "new\n" {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if info, err = os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "x\n")
	for _, open := range []func(string) (*File, error){Append, Whole} {
		for _, tt := range []struct{ path, want string }{
			{"", "the path is empty"},
			{dir, dir + ": is a directory; name a file in it"},
			{filepath.Join(dir, "none", "x"), "the folder " + filepath.Join(dir, "none") + " does not exist; create it: mkdir -p " + filepath.Join(dir, "none")},
			{filepath.Join(file, "x"), "x: cannot be written: not a directory"},
			{filepath.Join(dir, strings.Repeat("x", 300)), ": cannot be written: file name too long"},
		} {
			_, err := open(tt.path)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.path, err, tt.want)
			}
		}
	}
	only(t, dir, "file")
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	at := func(path ...string) string { return filepath.Join(append([]string{dir}, path...)...) }
	write(t, at("real", "a"), "")
	write(t, at("real", "b"), "")
	if err := os.Link(at("real", "a"), at("real", "hard")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{at("real", "a"), at("link", "a"), true},
		{at("real", "a"), at("real", "hard"), true},
		{at("real", "a"), at("real", "b"), false},
		{at("real", "new"), at("link", "new"), true},
		{dir + "/real/./new", dir + "/real/../real/new", true},
		{at("real", "new"), at("real", "other"), false},
		{at("real", "new"), at("new"), false},
		{at("real", "new"), at("real", "a"), false},
		{at("none", "new"), at("none", "new"), false}, // cannot be created anyway
		{os.DevNull, os.DevNull, false},
	} {
		if got := Same(tt.a, tt.b); got != tt.want {
			t.Errorf("%s, %s: %v", tt.a, tt.b, got)
		}
	}
}

// short writes n bytes and fails.
type short struct {
	*os.File
	n int
}

func (s short) Write(b []byte) (int, error) {
	n, err := s.File.Write(b[:min(len(b), s.n)])
	return n, errors.Join(errors.New("broken disk"), err)
}

func TestHalfARowIsCutOff(t *testing.T) {
	for n, want := range map[int]string{0: "first\n", 3: "first\n", 5: "first\naaaa\n", 7: "first\naaaa\n", 10: "first\naaaa\nbbbb\n"} {
		name := filepath.Join(t.TempDir(), "rows")
		f, err := Append(name)
		if err != nil {
			t.Fatal(err)
		}
		put(t, f, "first\n")
		f.w = short{f.file, n}
		if err := f.Put([]byte("aaaa\nbbbb\n")); err == nil || !strings.Contains(err.Error(), name+": cannot be written: broken disk") {
			t.Errorf("%d bytes: %v", n, err)
		}
		f.Abort()
		if got := content(t, name); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
}

func TestStdout(t *testing.T) {
	var out strings.Builder
	f, err := Stdout(&out)
	if err != nil {
		t.Fatal(err)
	}
	put(t, f, "a\n")
	commit(t, f)
	if out.String() != "a\n" {
		t.Errorf("%q", out.String())
	}
}
