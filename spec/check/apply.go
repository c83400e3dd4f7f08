package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// applies reads the function of an apply in the Go files beside the spec, and makes the row of what it gives. Only the text is looked at: the package cannot compile before
// the type of the function's argument is generated; gen.Functions checks the rest when it is.
func (g *graph) applies(s *spec.Stage, name string) (out *spec.Struct, ok bool) {
	a := s.Apply
	say := func(code, text, hint string) { g.add(code, a.Pos, a.Path, text, hint) }
	form := fmt.Sprintf("write func %s(in %sView) ([]Row, error) in a Go file beside the spec, with a struct Row of yours", a.Func, viewOf(s.In))
	if !token.IsIdentifier(a.Func) || !token.IsExported(a.Func) {
		say(diag.ApplyFunc, fmt.Sprintf("%q is not the name of an exported Go function", a.Func), "such as \"Enrich\"")
		return nil, false
	}
	files := g.goFiles()
	f := declaredFunc(files, a.Func)
	if f == nil {
		say(diag.ApplyFunc, fmt.Sprintf("there is no function %s in the folder of the spec", a.Func), form)
		return nil, false
	}
	results := f.Type.Results
	if f.Type.TypeParams != nil || results == nil || results.NumFields() != 2 || types.ExprString(results.List[len(results.List)-1].Type) != "error" || f.Type.Params.NumFields() != 1 {
		say(diag.ApplyFunc, fmt.Sprintf("%s is %s", a.Func, types.ExprString(f.Type)), form)
		return nil, false
	}
	slice, isSlice := results.List[0].Type.(*ast.ArrayType)
	var row *ast.StructType
	if isSlice && slice.Len == nil {
		a.Result = types.ExprString(slice.Elt)
		row = declaredStruct(files, a.Result)
	}
	if row == nil {
		say(diag.ApplyFunc, fmt.Sprintf("%s gives %s, which is not a slice of a struct of this package", a.Func, types.ExprString(results.List[0].Type)), form)
		return nil, false
	}
	ok = true
	for _, f := range s.In.Fields {
		if f.Type.Kind == spec.List && (f.Type.Elem.Kind == spec.Object || f.Type.Elem.Kind == spec.List) {
			say(diag.ApplyRow, fmt.Sprintf("the field %s is a list of %s, which a function cannot take yet", f.Name, kindName(f.Type.Elem)), "a select in front of the apply makes rows without it")
			ok = false
		}
	}
	out = &spec.Struct{Name: name, Pos: a.Pos}
	for _, field := range row.Fields.List {
		if len(field.Names) == 0 {
			say(diag.ApplyRow, fmt.Sprintf("%s embeds %s", a.Result, types.ExprString(field.Type)), "write its fields out")
			ok = false
		}
		for _, id := range field.Names {
			column, kept := g.applied(id.Name, field)
			switch {
			case !id.IsExported() || !kept:
			case column.Type == nil:
				say(diag.ApplyRow, fmt.Sprintf("%s.%s is %s", a.Result, id.Name, types.ExprString(field.Type)), "a field of a row is string, int64, float64, bool, time.Time, []byte, or a pointer to one where it may be null")
				ok = false
			case find(out, column.Name) != nil:
				say(diag.ApplyRow, fmt.Sprintf("%s has two fields with the JSON name %q", a.Result, column.Name), "give one another `json` tag")
				ok = false
			default:
				column.Pos = a.Pos
				out.Fields, a.Fields = append(out.Fields, column), append(a.Fields, id.Name)
			}
		}
	}
	if ok && len(out.Fields) == 0 {
		say(diag.ApplyRow, fmt.Sprintf("%s has no exported field", a.Result), "its exported fields are the fields of the rows")
		ok = false
	}
	return out, ok
}

// applied is the field of a row for a Go field: without a type when rows cannot have its type; kept is false when its tag leaves it out.
func (g *graph) applied(name string, field *ast.Field) (f *spec.Field, kept bool) {
	if field.Tag != nil {
		text, _ := strconv.Unquote(field.Tag.Value)
		tag, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
		if tag == "-" {
			return nil, false
		}
		if tag != "" {
			name = tag
		}
	}
	expr, nullable := field.Type, false
	if star, ok := expr.(*ast.StarExpr); ok {
		expr, nullable = star.X, true
	}
	kind, ok := map[string]spec.Kind{"string": spec.String, "int64": spec.Int, "float64": spec.Double, "bool": spec.Bool, "time.Time": spec.Timestamp, "[]byte": spec.Bytes}[types.ExprString(expr)]
	if !ok {
		return &spec.Field{Name: name}, true
	}
	var doc []string
	for line := range strings.Lines(field.Doc.Text()) {
		doc = append(doc, strings.TrimSuffix(line, "\n"))
	}
	return column(name, doc, diag.Pos{}, &spec.Type{Kind: kind, Nullable: nullable}), true
}

// viewOf is the type of the argument for rows of s, for messages.
func viewOf(s *spec.Struct) string {
	if token.IsIdentifier(s.Name) {
		return s.Name
	}
	return "…"
}

// goFiles parses the Go files of the spec's folder that the user wrote, without tests. Those that do not parse are left to the compiler.
func (c *checker) goFiles() []*ast.File {
	names, _ := filepath.Glob(filepath.Join(c.dir, "*.go")) // the pattern is right
	var files []*ast.File
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil || strings.HasSuffix(name, "_test.go") || bytes.HasPrefix(data, []byte("// Code generated by streamwright")) {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution|parser.ParseComments); err == nil {
			files = append(files, file)
		}
	}
	return files
}

func declaredFunc(files []*ast.File, name string) *ast.FuncDecl {
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
				return f
			}
		}
	}
	return nil
}

func declaredStruct(files []*ast.File, name string) *ast.StructType {
	for _, file := range files {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range group.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name && t.TypeParams == nil {
					row, _ := t.Type.(*ast.StructType)
					return row
				}
			}
		}
	}
	return nil
}
