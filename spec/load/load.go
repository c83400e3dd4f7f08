// Package load is the CUE door of the language: from files to what the user wrote, every value with its place. It knows the words of the language from
// spec/schema and nothing of what they mean; spec/check does.
package load

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	cueload "cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"

	"github.com/streamwright/streamwright/spec/diag"
)

// Written is what the user wrote: the words of the language with plain values, and the types of the events.
type Written struct {
	Dir       string   // folder of the spec, absolute
	Package   string   // name in the package clause
	Files     []string // base names of the spec's files, sorted
	Sums      []string // of Files: 16 bytes of the SHA-256 of the text with line ends as \n, in hex
	Pos       diag.Pos // of the first package clause
	Pipelines []*Node  // in the order of the files

	places *places
}

// Source gives the content of a file of the spec by its name in positions, as diag.Render wants it; nil for other files.
func (w *Written) Source(file string) []byte { return w.places.named(file) }

// Load reads the spec that the arguments name: one folder or some files of one folder; without arguments the working directory. It never uses the network.
// When there are diagnostics, sorted by place, the result is not for use except for its Source.
func Load(args []string) (*Written, []diag.Diagnostic) {
	w := &Written{places: newPlaces()}
	l := &loader{Written: w}
	l.load(args)
	diag.Sort(l.found)
	return w, l.found
}

// loader is one run of Load.
type loader struct {
	*Written
	found   []diag.Diagnostic
	schema  cue.Value       // #File of the schema
	twice   map[string]bool // paths of nodes that are declared more than once
	defs    []string        // definitions at the top of the spec
	used    map[string]bool // names that values of the spec refer to
	structs []structKey     // definitions around the type that is read now
}

// add reports a mistake.
func (l *loader) add(code string, pos diag.Pos, path, text, hint string) {
	l.found = append(l.found, diag.Diagnostic{Code: code, Pos: pos, Path: path, Text: text, Hint: hint})
}

// load goes on from step to step as long as the one before found nothing: later ones would only find its consequences.
func (l *loader) load(args []string) {
	names := l.find(args)
	if len(l.found) > 0 {
		return
	}
	files := l.parse(names)
	if len(l.found) > 0 {
		return
	}
	l.Sums = l.sums()
	l.duplicates(files)

	overlay, err := l.overlay()
	if err != nil {
		l.cueErrors(err, diag.Import)
		return
	}
	inst := cueload.Instances(names, &cueload.Config{Dir: l.Dir, Overlay: overlay, Env: []string{"CUE_REGISTRY=none"}})[0]
	if inst.Err != nil {
		l.cueErrors(inst.Err, diag.Import)
		return
	}
	ctx := cuecontext.New()
	schema, err := schemaInstance()
	if err != nil {
		panic("spec/load: the embedded schema: " + err.Error())
	}
	l.schema = ctx.BuildInstance(schema).LookupPath(cue.ParsePath("#File"))
	user := ctx.BuildInstance(inst)
	if err := user.Validate(cue.All()); err != nil {
		l.cueErrors(err, diag.Evaluation)
		return
	}
	l.pipelines(user)
}

// instance builds the files of one package.
func instance(path string, files map[string][]byte, names []string) (*build.Instance, error) {
	inst := build.NewContext().NewInstance(path, nil)
	for _, name := range names {
		f, err := parser.ParseFile(name, files[name], parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if err := inst.AddSyntax(f); err != nil {
			return nil, err
		}
	}
	return inst, inst.Complete()
}
