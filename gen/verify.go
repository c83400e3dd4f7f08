package gen

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// mostErrors is how many lines of the compiler are shown: the first tells, the others mostly follow from it.
const mostErrors = 5

// Verify type-checks the files in memory where they are going to stand: in the package of dir, beside the Go files that the user wrote there, in place of the
// generated ones on disk. Nothing is written. An error in a generated file is a bug in streamwright and says so; mistakes in the user's own files are left to
// the compiler; what keeps the go command from finding an imported package is reported as it says.
//
// Only the imported packages are loaded, from the compiler's export data: to ask the go command for the package itself would compile it, which takes ten times
// as long.
func Verify(dir string, files []File) error {
	checked, err := check(dir, files)
	if err != nil {
		return err
	}
	for _, text := range checked.ours {
		if strings.Contains(text, "stream.ABI") {
			return fmt.Errorf("this streamwright and the one in go.mod do not fit together (%s): run the one of go.mod, `go tool streamwright`, or update go.mod: go get -tool %s", text, command)
		}
	}
	if len(checked.ours) > 0 {
		return bug(checked.ours)
	}
	return nil
}

// checked is the package of a folder with the generated files in it.
type checked struct {
	pkg          *types.Package
	ours, theirs []string // errors of the compiler in generated files, and in others
}

// check type-checks the files where they are going to stand.
func check(dir string, files []File) (*checked, error) {
	set := token.NewFileSet()
	var trees []*ast.File
	for _, f := range goFiles(files) {
		tree, err := parser.ParseFile(set, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, bug([]string{err.Error()})
		}
		trees = append(trees, tree)
	}
	ours := len(trees)
	theirs, err := handwritten(set, dir)
	if err != nil {
		return nil, err
	}
	for name, tree := range theirs {
		if !strings.HasSuffix(name, "_test.go") {
			trees = append(trees, tree)
		}
	}
	imported, err := imports(dir, trees, ours)
	if err != nil {
		return nil, err
	}
	var result checked
	config := types.Config{
		Importer:    imported,
		FakeImportC: true,
		Sizes:       types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) {
			var e types.Error
			if !errors.As(err, &e) {
				return
			}
			for _, tree := range trees[:ours] {
				if tree.FileStart <= e.Pos && e.Pos <= tree.FileEnd {
					result.ours = append(result.ours, err.Error())
					return
				}
			}
			result.theirs = append(result.theirs, err.Error())
		},
	}
	result.pkg, _ = config.Check(trees[0].Name.Name, set, trees, nil) // its error is the first of those that Error was told
	return &result, nil
}

const command = "github.com/streamwright/streamwright/cmd/streamwright"

func bug(lines []string) error {
	if n := len(lines) - mostErrors; n > 0 {
		lines = append(slices.Clone(lines[:mostErrors]), fmt.Sprintf("and %d more", n))
	}
	return fmt.Errorf("this is a bug in streamwright: the code that it generates does not compile, so nothing was written. Please report it with the spec:\n%s", strings.Join(lines, "\n"))
}

// handwritten parses the Go files of a folder that streamwright did not generate and that the go command takes for this system, by their full names. Files that
// do not parse are left out: the compiler will say why.
func handwritten(set *token.FileSet, dir string) (map[string]*ast.File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	trees := map[string]*ast.File{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || e.IsDir() {
			continue
		}
		if match, err := build.Default.MatchFile(dir, e.Name()); err != nil || !match {
			continue
		}
		name := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if _, ours := origin(data); ours {
			continue
		}
		if tree, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution); err == nil {
			trees[name] = tree
		}
	}
	return trees, nil
}

// loaded is the packages that files import, by path.
type loaded map[string]*types.Package

// Import implements types.Importer.
func (l loaded) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := l[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not there", path)
}

// imports loads what the files import, as the module around dir has it. That a package cannot be found is an error when one of the first files, ours of
// them, needs it.
func imports(dir string, trees []*ast.File, ours int) (loaded, error) {
	var paths []string
	needed := map[string]bool{}
	for i, tree := range trees {
		for _, s := range tree.Imports {
			path, err := strconv.Unquote(s.Path.Value)
			if err != nil || path == "C" || path == "unsafe" {
				continue
			}
			paths = append(paths, path)
			needed[path] = needed[path] || i < ours
		}
	}
	slices.Sort(paths)
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile, Dir: dir}, slices.Compact(paths)...)
	if err != nil {
		return nil, fmt.Errorf("the go command cannot look for the packages that generated code imports: %w", err)
	}
	found := loaded{}
	for _, p := range list {
		if len(p.Errors) > 0 && needed[p.PkgPath] {
			return nil, fmt.Errorf("package %s, which generated code imports, cannot be used: %s", p.PkgPath, p.Errors[0].Msg)
		}
		found[p.PkgPath] = p.Types
	}
	return found, nil
}
