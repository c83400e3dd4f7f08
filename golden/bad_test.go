package golden

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// diagnose runs the phases that may complain.
func diagnose(args ...string) (found []diag.Diagnostic, source func(string) []byte) {
	w, found := load.Load(args)
	var pkg *spec.Package
	if len(found) == 0 {
		pkg, found = check.Check(w)
	}
	source = w.Source
	if len(found) == 0 {
		_, _, found, _ = gen.Upgrade(args[0], pkg)
		source = func(file string) []byte {
			if data := w.Source(file); data != nil {
				return data
			}
			data, _ := os.ReadFile(file)
			return data
		}
	}
	return found, source
}

// TestBad compares what a user reads about a wrong spec with bad/<case>/errors.txt, and wants a case for every code.
func TestBad(t *testing.T) {
	cases, err := filepath.Glob("bad/*")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen := map[string]bool{}
	for _, dir := range cases {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			found, source := diagnose(dir)
			if len(found) == 0 {
				t.Fatal("the spec is accepted")
			}
			for _, d := range found {
				seen[d.Code] = true
				if !slices.Contains(codes(), d.Code) {
					t.Errorf("code %q is in no list", d.Code)
				}
				if d.Pos.Line == 0 && d.Code != diag.NoFiles {
					t.Errorf("no place: %+v", d)
				}
			}
			got := diag.Render(found, source)
			file := filepath.Join(dir, "errors.txt")
			if runtimetest.Update() {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; go test ./golden -update writes it", err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
	for _, code := range codes() {
		if !seen[code] {
			t.Errorf("no case has the code %q", code)
		}
	}
}

// codes are the codes of all diagnostics.
func codes() []string { return slices.Concat(diag.Codes, celexpr.Codes) }
