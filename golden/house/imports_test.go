// Package house has the rules of the house as tests: who may import whom, where a dependency has its door, what generated code compiles to.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/streamwright/streamwright"

// root is the folder of the module, seen from this package.
const root = "../.."

// source is one Go file of the module.
type source struct {
	dir  string // of the package, relative to the module: "spec/load"
	name string // base name
	test bool
	tree *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	var modules []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if base == "testdata" || strings.HasPrefix(base, ".") && base != ".." {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
				modules = append(modules, filepath.ToSlash(name))
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(name))
		all = append(all, source{filepath.ToSlash(dir), base, strings.HasSuffix(base, "_test.go"), tree})
		return err
	})
	if err != nil || len(all) < 50 {
		t.Fatal("cannot read the module: ", len(all), err)
	}
	if want := []string{root + "/golden/bench/peers"}; !slices.Equal(modules, want) { // other programs, whose dependencies nobody else should get
		t.Fatalf("modules of their own are %v; the rules know %v", modules, want)
	}
	return all
}

func (s source) imports() []string {
	var paths []string
	for _, i := range s.tree.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

// stairs says which packages of the module a folder may import, by the beginnings of their paths. The longest entry that is the folder or above it counts.
// Imports point down, and the stair of generate time (spec, gen) never touches that of run time (runtime).
var stairs = map[string][]string{
	"spec/diag":                {},
	"spec":                     {"spec/diag"},
	"spec/schema":              {},
	"spec/load":                {"spec/diag", "spec/schema"},
	"spec/celexpr":             {"spec", "spec/diag"},
	"spec/check":               {"spec", "spec/diag", "spec/load", "spec/celexpr"},
	"spec/reference":           {"spec", "spec/load", "spec/celexpr"},
	"gen/plan":                 {"spec", "spec/diag"},
	"gen/emit":                 {"spec", "spec/diag", "gen/plan", "templates"},
	"gen/explain":              {"spec", "gen/plan"},
	"gen/sample":               {"spec", "spec/diag"},
	"gen":                      {"spec", "spec/diag", "gen/plan", "gen/emit", "templates"},
	"templates":                {},
	"templates/dedup":          {"runtime/checkpoint", "runtime/stream", "runtime/table", "runtime/window"},
	"templates/running":        {"runtime/checkpoint", "runtime/stream", "runtime/table", "runtime/window"},
	"templates/session":        {"runtime/checkpoint", "runtime/sessions", "runtime/stream", "runtime/table", "runtime/window"},
	"templates/window":         {"runtime/calendar", "runtime/checkpoint", "runtime/stream", "runtime/table", "runtime/window"},
	"runtime/stream":           {},
	"runtime/window":           {"runtime/stream"},
	"runtime/calendar":         {"runtime/stream", "runtime/window"},
	"runtime/watermark":        {"runtime/stream"},
	"runtime/codec":            {"runtime/stream"},
	"runtime/expr":             {"runtime/stream", "runtime/codec"},
	"runtime/expr/zone":        {},
	"runtime/table":            {"runtime/stream", "runtime/window"},
	"runtime/aggregate":        {"runtime/stream", "runtime/expr", "runtime/table"},
	"runtime/sessions":         {"runtime/stream", "runtime/table"},
	"runtime/apply":            {"runtime/stream"},
	"runtime/deadletter":       {"runtime/stream", "runtime/codec"},
	"runtime/source":           {"runtime/stream", "runtime/codec"},
	"runtime/gzip":             {},
	"runtime/zstd":             {},
	"runtime/sink":             {"runtime/disk", "runtime/internal/simdisk"},
	"runtime/disk":             {},
	"runtime/checkpoint":       {"runtime/disk", "runtime/internal/simdisk"},
	"runtime/task":             {"runtime/stream", "runtime/watermark", "runtime/source", "runtime/sink", "runtime/checkpoint", "runtime/disk", "runtime/deadletter", "runtime/codec", "runtime/internal/toy", "runtime/internal/simdisk"},
	"runtime/internal/simdisk": {"runtime/disk"},
	"runtime/internal/toy":     {"runtime/stream", "runtime/codec", "runtime/deadletter", "runtime/task", "runtime/table", "runtime/watermark", "runtime/checkpoint"},
	"runtime/runtimetest":      {"runtime/stream", "runtime/source", "runtime/task", "runtime/codec", "runtime/checkpoint", "runtime/internal/toy", "runtime/internal/simdisk"},
	"runtime/inspect":          {"runtime/stream", "runtime/codec", "runtime/table", "runtime/checkpoint", "runtime/disk", "runtime/source", "runtime/sink"},
	"cmd/streamwright":         {"spec", "gen", "templates", "runtime/inspect"},
	"golden":                   {""},
	"golden/bench/target":      {"runtime"},
	"golden/bench/naive":       {},
	"golden/bench/reference":   {},
	"golden/bench/events":      {},
	"golden/ok":                {"runtime"},
	"golden/oracle":            {"spec"},
	"golden/oracle/draw":       {"golden/oracle"},
	"golden/oracle/replay":     {"runtime"},
	"examples":                 {"runtime"},
}

func TestImportsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		allowed, ok := rule(s.dir)
		if !ok {
			t.Errorf("%s: no rule says what a package here may import", s.dir)
			continue
		}
		if strings.HasSuffix(s.name, "_gen.go") || strings.HasSuffix(s.name, "_gen_test.go") {
			allowed = []string{"runtime"}
		}
		if s.test { // of the generate stair, and of the yardsticks, may hold one part against another
			switch {
			case strings.HasPrefix(s.dir, "golden/bench/"), s.dir == "golden/oracle":
				allowed = []string{""}
			case s.dir == "runtime/checkpoint": // commits of rows
				allowed = []string{"runtime/disk", "runtime/internal/simdisk", "runtime/sink"}
			}
		}
		for _, p := range s.imports() {
			inside, ok := strings.CutPrefix(p, module+"/")
			if !ok || inside == s.dir {
				continue
			}
			if !permitted(inside, allowed, s.dir) {
				t.Errorf("%s/%s imports %s, which it must not see", s.dir, s.name, inside)
			}
		}
	}
}

func rule(dir string) ([]string, bool) {
	for d := dir; ; d = path.Dir(d) {
		if allowed, ok := stairs[d]; ok {
			return allowed, true
		}
		if d == "." {
			return nil, false
		}
	}
}

func permitted(imported string, allowed []string, dir string) bool {
	for _, a := range allowed {
		broad := a == "" || a == "runtime" || dir == "cmd/streamwright" // whole subtrees
		if imported == a || broad && (a == "" || strings.HasPrefix(imported, a+"/")) {
			return true
		}
	}
	return false
}

// doors says in which folders a dependency may be imported. Tests under golden hold others against them.
var doors = map[string][]string{
	"cuelang.org/go":                  {"spec/load", "golden"},
	"cel.dev/":                        {"spec/celexpr", "golden"},
	"github.com/google/cel-go":        {"spec/celexpr", "golden"},
	"google.golang.org/protobuf":      {"golden/conformance"}, // CEL's conformance tests are protobuf texts
	"github.com/dave/jennifer":        {"gen/emit"},
	"github.com/klauspost/compress":   {"runtime/zstd"}, // linked only by pipelines that declare compression: "zstd"
	"github.com/goccy/go-graphviz":    {"gen/explain"},  // Graphviz itself, as WebAssembly: pictures without a program to install
	"golang.org/x/tools":              {"gen", "cmd/streamwright", "golden"},
	"github.com/rogpeppe/go-internal": {"gen", "golden", "cmd/streamwright"},
}

func TestOneDoorForEachDependency(t *testing.T) {
	for _, s := range sources(t) {
		for _, p := range s.imports() {
			if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") || strings.HasPrefix(p, module) {
				continue
			}
			open := false
			for dependency, folders := range doors {
				if !strings.HasPrefix(p, dependency) {
					continue
				}
				for _, f := range folders {
					open = open || s.dir == f || strings.HasPrefix(s.dir, f+"/")
				}
			}
			if !open {
				t.Errorf("%s/%s imports %s, which has no door there", s.dir, s.name, p)
			}
		}
	}
}

// unsafeFolders may look behind Go's types: bytes as words and as text.
var unsafeFolders = map[string]bool{"runtime/codec": true, "runtime/table": true, "runtime/stream": true}

func TestUnsafeStaysInItsPlaces(t *testing.T) {
	for _, s := range sources(t) {
		for _, p := range s.imports() {
			if p == "unsafe" && !unsafeFolders[s.dir] && !s.test {
				t.Errorf("%s/%s imports unsafe", s.dir, s.name)
			}
		}
	}
}

func TestNoInitFunctions(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s/%s has a func init", s.dir, s.name)
			}
		}
	}
}

func TestNoDrawerFolders(t *testing.T) {
	for _, s := range sources(t) {
		for _, part := range strings.Split(s.dir, "/") {
			switch part {
			case "util", "utils", "common", "helpers", "manager", "misc":
				t.Errorf("%s is a drawer, not a noun", s.dir)
			}
		}
	}
}

// One word has one file name on every floor, so that a search for it finds the whole feature in the order of its flow.
func TestOneWordOneFileName(t *testing.T) {
	for _, word := range []string{"source", "filter", "dedup", "window", "sink"} {
		for _, file := range []string{"spec/schema/" + word + ".cue", "spec/check/" + word + ".go", "gen/plan/" + word + ".go", "gen/emit/" + word + ".go"} {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
				t.Errorf("the word %s has no %s", word, file)
			}
		}
	}
}

// linked are the runtime packages that a processor of files links.
var linked = []string{"stream", "window", "watermark", "codec", "table", "expr", "deadletter", "source", "sink", "disk", "checkpoint", "task"}

// TestLinkedLines prints how many lines of the runtime a file pipeline links: a user answers for them, too.
func TestLinkedLines(t *testing.T) {
	lines := 0
	for _, dir := range linked {
		files, err := filepath.Glob(filepath.Join(root, "runtime", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(text), "\n")
		}
	}
	t.Logf("a file pipeline links %d lines of runtime", lines)
	// 700 of them are CEL's functions over texts, lists, numbers and times, of which a binary has those that it calls; 2,100 commit, with the disk and the outputs under commits; 500 decode in one pass; 450 go on from what another version of a pipeline has committed, under other names, too, 100 show people a place; 900 follow files that
	// grow, and read several inputs side by side; 600 are for services: where a run is, structured logs, rates, ages, writes that are tried again; 400 put windows that overlap together;
	// 200 say how one begins anew, and which file is not what it was; 300 let commits name keys by numbers; 100 put windows together again that have ended.
	if lines > 17550 {
		t.Errorf("a file pipeline links %d lines of runtime: above 17550 needs a new reason", lines)
	}
}
