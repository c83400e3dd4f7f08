package task

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStrangePlace: a folder with something else in it is no place for commits, and nothing is made before that is known.
func TestStrangePlace(t *testing.T) {
	dir := t.TempDir()
	p := empty("one")
	p.Sources[0].Path = filepath.Join(dir, "in")
	for i := range p.Sinks {
		p.Sinks[i].Target = Target{Path: filepath.Join(dir, p.Sinks[i].Name), Append: true}
	}
	p.DeadLetter.Target = Target{Path: filepath.Join(dir, "dead"), Append: true}
	place := filepath.Join(dir, "state")
	p.Commit = &Commit{Dir: "${ONE_STATE}", Every: time.Hour, Exact: true}
	t.Setenv("ONE_STATE", place)
	if err := os.WriteFile(p.Sources[0].Path, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string) {
		var log strings.Builder
		code := command(context.Background(), append([]string{"/bin/prog"}, args...), nil, nil, &log, []Pipeline{p})
		return code, log.String()
	}
	has := func(code int, log string, wantCode int, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(log, w) {
				t.Errorf("want %s, got\n%s", w, log)
			}
		}
		if code != wantCode {
			t.Errorf("exit status %d, want %d\n%s", code, wantCode, log)
		}
	}
	if err := os.Mkdir(place, 0o777); err != nil {
		t.Fatal(err)
	}
	strange := filepath.Join(place, "notes.txt")
	if err := os.WriteFile(strange, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	code, log := run()
	has(code, log, 1, "prog: one: commit.dir: "+place+": is not empty and holds no commits: notes.txt", "in the spec the path is ${ONE_STATE}")
	if entries, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(entries) != 2 {
		t.Errorf("something was made: %q", entries)
	}
}
