package gen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Fits says whether the files can stand in dir beside the Go files that the user wrote there: one folder is one Go package, and a package declares a name once.
// The error is for the user, who has to rename something. Files that do not parse are left to the compiler.
func Fits(dir string, files []File) error {
	set := token.NewFileSet()
	declared := map[string]string{} // name -> generated file
	pkg, specs := "", ""
	for _, f := range goFiles(files) {
		tree, err := parser.ParseFile(set, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("bug in streamwright: %s: %w", f.Name, err)
		}
		if list, ours := origin(f.Data); ours && specs == "" {
			specs = strings.Join(list, ", ")
		}
		pkg = tree.Name.Name
		for _, id := range declarations(tree) {
			declared[id.name] = f.Name
		}
	}
	theirs, err := handwritten(set, dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		tree := theirs[name]
		if strings.HasSuffix(name, "_test.go") && tree.Name.Name == pkg+"_test" {
			continue
		}
		if tree.Name.Name != pkg {
			return fmt.Errorf("%v: the Go package here is %s, and the package of %s is %s; a folder is one package: name both the same, or give the spec a folder of its own",
				set.Position(tree.Name.Pos()), tree.Name.Name, specs, pkg)
		}
		for _, id := range declarations(tree) {
			if file, ok := declared[id.name]; ok {
				return fmt.Errorf("%v: %s is declared here and in the generated %s; rename yours", set.Position(id.pos), id.name, file)
			}
		}
	}
	return nil
}

type declaration struct {
	name string // of a method: Type.Method
	pos  token.Pos
}

// declarations lists what a file declares in its package.
func declarations(tree *ast.File) []declaration {
	var list []declaration
	add := func(prefix string, id *ast.Ident) {
		if id.Name != "_" && (prefix != "" || id.Name != "init") {
			list = append(list, declaration{prefix + id.Name, id.Pos()})
		}
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			prefix := ""
			if d.Recv != nil && len(d.Recv.List) == 1 {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				id, ok := of.(*ast.Ident)
				if !ok {
					continue // of a generic type, which generated code has none of
				}
				prefix = id.Name + "."
			}
			add(prefix, d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add("", s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add("", id)
					}
				}
			}
		}
	}
	return list
}
