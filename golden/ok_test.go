package golden

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// rewrite is how a golden of this package is brought up to date; what the generated processors put out has goldens of its own.
const rewrite = "go test ./golden -run TestOK -update && go test ./golden/ok/... -update"

// TestOK generates every package of the repository that a spec stands for, twice, and compares it with what is committed. Cases in ok have their plan beside them.
// What the packages do is for their own tests, which are part of what is generated.
func TestOK(t *testing.T) {
	for _, pattern := range []string{"ok/*", "../examples/*", "bench/w1"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(dirs) == 0 && pattern != "../examples/*" {
			t.Errorf("%s: no cases", pattern)
		}
		for _, dir := range dirs {
			if specs, _ := filepath.Glob(filepath.Join(dir, "*.cue")); len(specs) == 0 {
				continue
			}
			t.Run(filepath.ToSlash(strings.TrimPrefix(dir, "../")), func(t *testing.T) {
				generated(t, dir, strings.HasPrefix(pattern, "ok/"))
			})
		}
	}
}

// generated compares a package with what its spec gives, or writes it.
func generated(t *testing.T, dir string, planned bool) {
	pkg := packageOf(t, dir)
	want := files(t, pkg)
	if planned {
		want["plan.txt"] = gen.Plan(pkg)
	}
	for name, text := range files(t, packageOf(t, dir)) {
		if text != want[name] {
			t.Errorf("%s: two runs give different text", name)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*_gen*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if _, ok := want[filepath.Base(file)]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s: the spec gives no such file any more; run %s", file, rewrite)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		file := filepath.Join(dir, name)
		old, err := os.ReadFile(file)
		if err == nil && string(old) == text {
			continue
		}
		switch {
		case *update:
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		case errors.Is(err, fs.ErrNotExist):
			t.Errorf("%s is missing; run %s", file, rewrite)
		case err != nil:
			t.Error(err)
		default:
			t.Errorf("%s is not what the spec gives, from line %d on; run %s", file, firstDifference(old, []byte(text)), rewrite)
		}
	}
}

// packageOf is the model of the spec in dir.
func packageOf(t *testing.T, dir string) *spec.Package {
	t.Helper()
	w, found := load.Load([]string{dir})
	var pkg *spec.Package
	if len(found) == 0 {
		pkg, found = check.Check(w)
	}
	if len(found) > 0 {
		t.Fatalf("the spec is refused:\n%s", diag.Render(found, w.Source))
	}
	return pkg
}

// files are the generated files of a package by name.
func files(t *testing.T, pkg *spec.Package) map[string]string {
	t.Helper()
	list, err := gen.Generate(pkg)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range list {
		if _, twice := texts[f.Name]; twice {
			t.Errorf("%s is generated twice", f.Name)
		}
		texts[f.Name] = string(f.Data)
	}
	return texts
}

// firstDifference is the number of the first line in which a and b differ.
func firstDifference(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return bytes.Count(a[:n], []byte("\n")) + 1
}
