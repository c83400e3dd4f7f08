package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
)

// spans are the functions of a file by their lines.
type spans []struct {
	name       string
	first, end int
}

func functions(t *testing.T, file string) spans {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, filepath.Join(root, filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all spans
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, struct {
				name       string
				first, end int
			}{f.Name.Name, set.Position(f.Pos()).Line, set.Position(f.End()).Line})
		}
	}
	return all
}

// at is the function that holds a line, "" for none.
func (s spans) at(line string) string {
	n, err := strconv.Atoi(line)
	for _, f := range s {
		if err == nil && f.first <= n && n <= f.end {
			return f.name
		}
	}
	return ""
}
