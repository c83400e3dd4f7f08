package golden

import (
	"bytes"
	"errors"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// rewrite is how a golden of this package is brought up to date; what the generated processors put out has goldens of its own.
const rewrite = "go test ./golden -run TestOK -update && go test ./golden/ok/... -update"

// TestOK generates every package of the repository that a spec stands for, twice, the second time further down in its files, and compares it with what is committed. Cases in ok have their plan beside them.
// What the packages do is for their own tests, which are part of what is generated.
func TestOK(t *testing.T) {
	for _, pattern := range []string{"ok/*", "../examples/*", "bench/*", "crash/*"} {
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
	lock := lockOf(t, dir, pkg)
	want := files(t, pkg, lock)
	if planned {
		want["plan.txt"] = gen.Plan(pkg, lock)
		if text, err := os.ReadFile(filepath.Join(dir, pkg.Files[0])); err != nil || !bytes.HasPrefix(text, []byte("// ")) {
			t.Errorf("%s does not begin with a comment that says what the case shows (%v)", pkg.Files[0], err)
		}
	}
	again := moved(t, dir)
	again.Sums = pkg.Sums // all that may differ
	for name, text := range files(t, again, lockOf(t, dir, pkg)) {
		if text != want[name] {
			t.Errorf("%s: a comment on top of the spec changes line %d", name, firstDifference([]byte(text), []byte(want[name])))
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*_gen*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if locks, _ := filepath.Glob(filepath.Join(dir, gen.LockFile)); len(locks) > 0 {
		found = append(found, locks...)
	}
	for _, file := range found {
		if _, ok := want[filepath.Base(file)]; ok {
			continue
		}
		if !runtimetest.Update() {
			t.Errorf("%s: the spec gives no such file any more; run %s", file, rewrite)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		if strings.HasSuffix(name, ".go") {
			harmless(t, pkg.Name, name, text)
		}
		file := filepath.Join(dir, name)
		old, err := os.ReadFile(file)
		if err == nil && string(old) == text {
			continue
		}
		switch {
		case runtimetest.Update():
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

// harmless says that no text of the spec has become more than text: the file has the package clause it should have and imports nothing but the runtime and the few
// packages of the standard library that contracts and expressions need; no comment in it is a directive; nothing in it runs by itself.
func harmless(t *testing.T, pkg, name, text string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if file.Name.Name != pkg {
		t.Errorf("%s is of package %s, want %s", name, file.Name.Name, pkg)
	}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		if !strings.HasPrefix(path, "github.com/streamwright/streamwright/runtime/") && !slices.Contains([]string{"bytes", "cmp", "math", "regexp", "slices", "strings", "testing", "time", "unicode/utf8"}, path) {
			t.Errorf("%s imports %s", name, path)
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") && c.Text != "//" && !strings.HasPrefix(c.Text, "/* ") {
				t.Errorf("%s: the comment %q may be a directive", name, c.Text)
			}
			if constraint.IsPlusBuild(c.Text) {
				t.Errorf("%s: the comment %q is a build constraint", name, c.Text)
			}
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
			t.Errorf("%s declares %s", name, f.Name.Name)
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

// moved is the model of the spec in dir with a comment on top of each of its files.
func moved(t *testing.T, dir string) *spec.Package {
	t.Helper()
	specs, err := filepath.Glob(filepath.Join(dir, "*.cue"))
	if err != nil {
		t.Fatal(err)
	}
	functions, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	for _, file := range append(specs, functions...) {
		text, err := os.ReadFile(file)
		if strings.HasSuffix(file, ".cue") {
			text = append([]byte("// Two lines,\n// and an empty one.\n\n"), text...)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return packageOf(t, to)
}

// lockOf is what the stages of a package keep, as gen holds it against the state.lock in its folder.
func lockOf(t *testing.T, dir string, pkg *spec.Package) *gen.Lock {
	t.Helper()
	lock, _, found, err := gen.Upgrade(dir, pkg)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	return lock
}

// files are the generated files of a package by name.
func files(t *testing.T, pkg *spec.Package, lock *gen.Lock) map[string]string {
	t.Helper()
	list, err := gen.Generate(pkg, lock)
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
