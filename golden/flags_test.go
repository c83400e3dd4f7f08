package golden

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/templates"
)

// TestFlags says that the cases ok/skeleton_flags* have a stage for every combination of the flags of every skeleton, so that each is compiled and replayed. Of the kinds of a skeleton at most one
// is true: with each of them every two of the other flags have every combination.
func TestFlags(t *testing.T) {
	cases, err := filepath.Glob("ok/skeleton_flags*")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string][]map[string]bool{}
	for _, dir := range cases {
		for skeleton, sets := range emit.Flags(plan.Generate(packageOf(t, dir))) {
			used[skeleton] = append(used[skeleton], sets...)
		}
	}
	for skeleton, flags := range skeletonFlags(t) {
		kinds := skeletonKinds(t, skeleton)
		seen := map[string]bool{}
		for _, set := range used[skeleton] {
			if names := slices.Sorted(maps.Keys(set)); !slices.Equal(names, flags) {
				t.Fatalf("%s: a stage sets the flags %v, slots.go has %v", skeleton, names, flags)
			}
			seen[combination(flags, func(i int) bool { return set[flags[i]] })] = true
		}
		plain := slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return slices.Contains(kinds, f) })
		for n := range 1 << len(plain) {
			if c := combination(flags, func(i int) bool { at := slices.Index(plain, flags[i]); return at >= 0 && n>>at&1 == 1 }); !seen[c] {
				t.Errorf("%s: no stage with %s", skeleton, c)
			}
		}
		for _, kind := range kinds {
			for i, a := range plain {
				for _, b := range plain[:i] {
					for n := range 4 {
						if !slices.ContainsFunc(used[skeleton], func(set map[string]bool) bool { return set[kind] && set[a] == (n&1 == 1) && set[b] == (n&2 == 2) }) {
							t.Errorf("%s: no stage with %s and %s=%t %s=%t", skeleton, kind, a, n&1 == 1, b, n&2 == 2)
						}
					}
				}
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

// skeletonFlags are the flags of each skeleton, sorted: the constants of slots.go that are true or false, and its kinds.
func skeletonFlags(t *testing.T) map[string][]string {
	t.Helper()
	dirs, err := templates.Skeletons.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, dir := range dirs {
		all[dir.Name()] = truths(t, dir.Name(), token.CONST)
		all[dir.Name()] = append(all[dir.Name()], skeletonKinds(t, dir.Name())...)
		slices.Sort(all[dir.Name()])
	}
	return all
}

// skeletonKinds are the flags of a skeleton at most one of which is true: the variables of its slots.go that are true or false.
func skeletonKinds(t *testing.T, skeleton string) []string { return truths(t, skeleton, token.VAR) }

// truths are the constants or variables of a skeleton's slots.go that are true or false.
func truths(t *testing.T, skeleton string, of token.Token) (names []string) {
	t.Helper()
	src, err := templates.Skeletons.ReadFile(skeleton + "/slots.go")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "slots.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != of {
			continue
		}
		for _, s := range g.Specs {
			if v := s.(*ast.ValueSpec); len(v.Values) == 1 {
				if id, ok := v.Values[0].(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					names = append(names, v.Names[0].Name)
				}
			}
		}
	}
	return names
}
