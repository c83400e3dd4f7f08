package load

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/literal"
	cueload "cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"

	"github.com/streamwright/streamwright/spec/schema"
)

// overlay is what CUE sees beside the user's files: the schema under cue.mod/pkg, and a module file where there is none. So imports are resolved without
// network, and an old copy of the schema on disk is not used. In this copy the definitions that are structs are open and empty: `spec.#Pipeline & {…}`
// then evaluates to exactly what the user wrote, and it is this package that compares it with the words of the schema, with better messages than CUE has.
func (l *loader) overlay() (map[string]cueload.Source, error) {
	root, module := moduleRoot(l.Dir)
	over := map[string]cueload.Source{}
	if text, ok := moduleFile(module); ok {
		over[filepath.Join(root, "cue.mod", "module.cue")] = cueload.FromString(text)
	}
	pkg := filepath.Join(root, "cue.mod", "pkg", filepath.FromSlash(schema.Path))
	l.places.schema = pkg
	names, files := schemaFiles()
	for _, name := range names {
		f, err := parser.ParseFile(name, files[name])
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if field, ok := d.(*ast.Field); ok {
				if _, ok := field.Value.(*ast.StructLit); ok {
					field.Value = ast.NewStruct(&ast.Ellipsis{})
				}
			}
		}
		text, err := format.Node(f)
		if err != nil {
			return nil, err
		}
		over[filepath.Join(pkg, name)] = cueload.FromBytes(text)
	}
	// Files of an older copy on disk that this schema does not have.
	old, _ := os.ReadDir(pkg) // usually there is none
	for _, e := range old {
		if name := filepath.Join(pkg, e.Name()); filepath.Ext(name) == ".cue" && over[name] == nil {
			over[name] = cueload.FromString("package spec\n")
		}
	}
	return over, nil
}

// moduleRoot finds the CUE module around a folder and its module file. Without one the folder itself is the root.
func moduleRoot(dir string) (root string, module []byte) {
	for at := dir; ; {
		if data, err := os.ReadFile(filepath.Join(at, "cue.mod", "module.cue")); err == nil {
			return at, data
		}
		up := filepath.Dir(at)
		if up == at {
			return dir, nil
		}
		at = up
	}
}

// moduleFile gives the module file that CUE is to see, when it must be another than the one on disk: none there, one that names this very project as the
// module (the schema would be looked for in the module's own folders), or one that lists it among the dependencies (it would be looked for in a registry).
func moduleFile(module []byte) (text string, ok bool) {
	if module == nil {
		return "module: \"local.invalid@v0\"\nlanguage: version: \"v0.17.0\"\n", true
	}
	f, err := parser.ParseFile("cue.mod/module.cue", module)
	if err != nil {
		return "", false // CUE will report it
	}
	own := strings.TrimSuffix(schema.Path, "/spec")
	ours := func(path string) bool { return path == own || strings.HasPrefix(path, own+"@") }
	each(f.Decls, func(_ ast.Label, name string, value ast.Expr) {
		switch x := value.(type) {
		case *ast.BasicLit:
			if path, err := literal.Unquote(x.Value); err == nil && name == "module" && ours(path) {
				x.Value, ok = `"local.invalid@v0"`, true
			}
		case *ast.StructLit:
			if name != "deps" {
				return
			}
			var keep []ast.Decl
			for _, d := range x.Elts {
				if field, isField := d.(*ast.Field); isField {
					if path, _, err := ast.LabelName(field.Label); err == nil && ours(path) {
						ok = true
						continue
					}
				}
				keep = append(keep, d)
			}
			x.Elts = keep
		}
	})
	if !ok {
		return "", false
	}
	data, err := format.Node(f)
	return string(data), err == nil
}

// schemaInstance builds the schema as it is, for its words, docs and examples.
func schemaInstance() (*build.Instance, error) {
	names, files := schemaFiles()
	return instance(schema.Path, files, names)
}

// schemaFiles reads the embedded schema.
func schemaFiles() (names []string, files map[string][]byte) {
	files = map[string][]byte{}
	names, err := fs.Glob(schema.Files, "*.cue")
	if err != nil {
		panic(err) // only for a broken pattern
	}
	for _, name := range names {
		data, err := fs.ReadFile(schema.Files, name)
		if err != nil {
			panic(err) // embedded files can be read
		}
		files[name] = data
	}
	return names, files
}
