package golden

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/templates"
)

// TestFlags says that ok/skeleton_flags has a stage for every combination of the flags of every skeleton, so that each is compiled and replayed.
func TestFlags(t *testing.T) {
	used := emit.Flags(plan.Generate(packageOf(t, "ok/skeleton_flags")))
	for skeleton, flags := range skeletonFlags(t) {
		seen := map[string]bool{}
		for _, set := range used[skeleton] {
			if names := slices.Sorted(maps.Keys(set)); !slices.Equal(names, flags) {
				t.Fatalf("%s: a stage sets the flags %v, slots.go has %v", skeleton, names, flags)
			}
			seen[combination(flags, func(i int) bool { return set[flags[i]] })] = true
		}
		for n := range 1 << len(flags) {
			if c := combination(flags, func(i int) bool { return n>>i&1 == 1 }); !seen[c] {
				t.Errorf("%s: no stage with %s", skeleton, c)
			}
		}
	}
}

func combination(flags []string, set func(i int) bool) string {
	parts := make([]string, len(flags))
	for i, f := range flags {
		parts[i] = fmt.Sprintf("%s=%t", f, set(i))
	}
	return strings.Join(parts, " ")
}

// skeletonFlags are the flags of each skeleton, sorted: the constants of slots.go that are true or false.
func skeletonFlags(t *testing.T) map[string][]string {
	t.Helper()
	dirs, err := templates.Skeletons.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, dir := range dirs {
		src, err := templates.Skeletons.ReadFile(dir.Name() + "/slots.go")
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "slots.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		all[dir.Name()] = nil
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if ok && len(v.Values) == 1 {
				if id, ok := v.Values[0].(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					all[dir.Name()] = append(all[dir.Name()], v.Names[0].Name)
				}
			}
			return true
		})
		slices.Sort(all[dir.Name()])
	}
	return all
}
