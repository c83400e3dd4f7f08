package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
)

// find gives the absolute names of the spec's files and sets Dir and Files.
func (l *loader) find(args []string) []string {
	if len(args) == 0 {
		args = []string{"."}
	}
	var names []string
	for _, arg := range args {
		abs, err := filepath.Abs(arg)
		if err != nil {
			l.add(diag.NoFiles, diag.Pos{}, "", err.Error(), "")
			return nil
		}
		info, err := os.Stat(abs)
		switch {
		case strings.Contains(arg, "..."):
			l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("%q stands for several specs", arg), "name one folder, or the .cue files of one folder")
		case err != nil:
			l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("there is no file or folder %q", arg), "name a folder with .cue files, or the files")
		case info.IsDir() && len(args) > 1:
			l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("%q is a folder beside other arguments", arg), "name one folder, or the .cue files of one folder")
		case info.IsDir():
			l.Dir = abs
			names = inFolder(abs)
			if len(names) == 0 {
				l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("there is no .cue file in the folder %q", arg), "`streamwright init NAME` writes a first one")
			}
		case filepath.Ext(abs) != ".cue":
			l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("%q is not a .cue file", arg), "a spec is written in CUE")
		case l.Dir != "" && l.Dir != filepath.Dir(abs):
			l.add(diag.NoFiles, diag.Pos{}, "", fmt.Sprintf("%q lies in another folder than the files before", arg), "the files of one spec lie in one folder")
		default:
			l.Dir = filepath.Dir(abs)
			names = append(names, abs)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range names {
		l.Files = append(l.Files, filepath.Base(name))
	}
	return names
}

// inFolder lists the .cue files that CUE takes for the package of a folder.
func inFolder(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // reported as a folder without files
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || filepath.Ext(name) != ".cue" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
			strings.HasSuffix(name, "_tool.cue") || strings.HasSuffix(name, "_test.cue") {
			continue
		}
		names = append(names, filepath.Join(dir, name))
	}
	return names
}

// parse reads the files, reports what is not CUE, and compares the package clauses.
func (l *loader) parse(names []string) []*ast.File {
	var files []*ast.File
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			l.add(diag.NoFiles, diag.Pos{File: l.places.show(name)}, "", "the file cannot be read: "+err.Error(), "")
			continue
		}
		data = withoutMark(data)
		l.places.add(name, data)
		if l.notText(name, data) {
			continue
		}
		file, err := parser.ParseFile(name, data, parser.ParseComments)
		if err != nil {
			l.syntaxError(name, data, err)
			continue
		}
		files = append(files, file)
		l.strays(file)
		l.uses(file)
		pos := l.places.pos(file.Pos())
		if pos.Line == 0 {
			pos = diag.Pos{File: l.places.show(name), Line: 1, Col: 1}
		}
		pkg := file.PackageName()
		for _, d := range file.Decls {
			if p, ok := d.(*ast.Package); ok {
				pos = l.places.pos(p.Name.Pos())
			}
		}
		switch {
		case pkg == "":
			l.add(diag.NoPackage, pos, "", "the file has no package clause", "write `package orders` in the first line: the generated Go code gets this name")
		case !goName(pkg):
			l.add(diag.NoPackage, pos, "", fmt.Sprintf("%q cannot be the name of a Go package", pkg), "the generated code gets this name: a letter, then letters and digits, no keyword of Go")
		case l.Package == "":
			l.Package, l.Pos = pkg, pos
		case l.Package != pkg:
			l.add(diag.NoPackage, pos, "", fmt.Sprintf("the file belongs to package %s, others of the spec to package %s", pkg, l.Package), "one spec is one package; name its files if the folder has several")
		}
	}
	return files
}

// uses notes the names that values refer to.
func (l *loader) uses(file *ast.File) {
	if l.used == nil {
		l.used = map[string]bool{}
	}
	labels := map[ast.Node]bool{}
	ast.Walk(file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Field:
			labels[x.Label] = true
		case *ast.Ident:
			if !labels[x] {
				l.used[x.Name] = true
			}
		}
		return true
	}, nil)
}

// strays reports a type, a value or a bound that stands among the fields of a struct: `{>=0, a: 1}`, as a missing colon or a brace too many makes it. No
// value is both, CUE says so at every field, and of a bound its evaluator does not come back. A scalar with definitions is fine: an enum of Protobuf is
// `{"A", #enumValue: 0} | …`.
func (l *loader) strays(file *ast.File) {
	ast.Walk(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.StructLit)
		if !ok {
			return true
		}
		fields := slices.ContainsFunc(lit.Elts, func(d ast.Decl) bool {
			f, is := d.(*ast.Field)
			return is && !definition(f.Label)
		})
		for _, d := range lit.Elts {
			embedded, ok := d.(*ast.EmbedDecl)
			if !ok {
				continue
			}
			if x, bound := stray(embedded.Expr); x != nil && (fields || bound) {
				l.add(diag.Syntax, l.places.pos(x.Pos()), "", fmt.Sprintf("%s stands where a field is expected", l.places.text(x)), "a field is `name: value`; is there a : too few or a { too many?")
			}
		}
		return true
	}, nil)
}

// definition says whether a label is that of a definition or of a hidden field.
func definition(label ast.Label) bool {
	id, ok := label.(*ast.Ident)
	return ok && (strings.HasPrefix(id.Name, "#") || strings.HasPrefix(id.Name, "_"))
}

// stray finds a part of an expression that is certainly not a struct, outside of the structs, lists and calls in it.
func stray(x ast.Expr) (part ast.Expr, bound bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x, false
	case *ast.Ident:
		if x.Node == nil && slices.Contains([]string{"string", "bool", "int", "number", "float", "bytes"}, x.Name) {
			return x, false
		}
	case *ast.UnaryExpr:
		switch x.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.MAT, token.NMAT:
			return x, true
		}
	case *ast.BinaryExpr:
		left, isBound := stray(x.X)
		right, bound := stray(x.Y)
		if bound || left == nil {
			return right, bound
		}
		return left, isBound
	case *ast.ParenExpr:
		return stray(x.X)
	}
	return nil, false
}

// goKeywords are the words that the Go language reserves, and the blank identifier.
const goKeywords = " _ break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var "

// goName says that a CUE identifier can name a Go package.
func goName(name string) bool {
	return !strings.Contains(goKeywords, " "+name+" ") && !strings.ContainsAny(name, "$#") && !strings.HasPrefix(name, "_") && ast.IsValidIdent(name)
}

// duplicates reports nodes that are declared more than once. CUE merges them without a word, and a reader sees only one of them.
func (l *loader) duplicates(files []*ast.File) {
	l.twice = map[string]bool{}
	first := map[string]token.Pos{}
	node := func(path string, label ast.Label) (fresh bool) {
		before, again := first[path]
		if !again {
			first[path] = label.Pos()
			return true
		}
		l.twice[path] = true
		l.add(diag.Twice, l.places.pos(label.Pos()), path, "the node is declared a second time", fmt.Sprintf("a node is written in one place; the first is at %v", l.places.pos(before)))
		return false
	}
	for _, f := range files {
		each(f.Decls, func(label ast.Label, name string, value ast.Expr) {
			if strings.HasPrefix(name, "#") {
				l.defs = append(l.defs, name)
			}
			if name != "pipeline" {
				return
			}
			each(inside(value), func(label ast.Label, name string, value ast.Expr) {
				pipeline := join("pipeline", name)
				if !node(pipeline, label) {
					return
				}
				each(inside(value), func(label ast.Label, name string, value ast.Expr) {
					group := join(pipeline, name)
					switch name {
					case "dead_letter":
						node(group, label)
					case "source", "stage", "sink":
						each(inside(value), func(label ast.Label, name string, _ ast.Expr) { node(join(group, name), label) })
					}
				})
			})
		})
	}
}

// each calls f for every field among declarations whose name is a plain one.
func each(decls []ast.Decl, f func(label ast.Label, name string, value ast.Expr)) {
	for _, d := range decls {
		if field, ok := d.(*ast.Field); ok {
			if name, _, err := ast.LabelName(field.Label); err == nil {
				f(field.Label, name, field.Value)
			}
		}
	}
}

// inside gives the declarations of the struct literals that a value is made of.
func inside(value ast.Expr) []ast.Decl {
	switch x := value.(type) {
	case *ast.StructLit:
		return x.Elts
	case *ast.ParenExpr:
		return inside(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.AND {
			return append(slices.Clip(inside(x.X)), inside(x.Y)...)
		}
	}
	return nil
}
