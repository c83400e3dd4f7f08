package golden

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
	"github.com/streamwright/streamwright/spec/reference"
)

// TestReference compares spec/REFERENCE.md with what the schema and the functions give.
func TestReference(t *testing.T) {
	const file = "../spec/REFERENCE.md"
	got := reference.Markdown()
	if runtimetest.Update() {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s is not what the schema says, from line %d on; run go test ./golden -run TestReference -update: %v", file, firstDifference(want, []byte(got)), err)
	}
}

// TestReferenceExamples puts every example of the reference into reference/base.cue, where it belongs: load, check and gen accept it. What the reference says is
// refused must be, and what to write instead accepted. Examples of functions have their own test beside the evaluator.
func TestReferenceExamples(t *testing.T) {
	sections := reference.Sections()
	for _, s := range sections {
		for _, example := range s.Examples {
			t.Run(s.Title, func(t *testing.T) { accepted(t, wordPlaces(sections, reference.Entry{}, example), example) })
		}
		for _, e := range s.Entries {
			t.Run(strings.ReplaceAll(e.Name, ".", "_"), func(t *testing.T) { entryExamples(t, sections, e) })
		}
	}
}

func entryExamples(t *testing.T, sections []reference.Section, e reference.Entry) {
	if strings.TrimSpace(e.Meaning) == "" {
		t.Error("it has no meaning")
	}
	if len(e.Examples) == 0 && e.Kind != reference.Column && e.Kind != reference.Reason && e.Kind != reference.Counter {
		t.Error("it has no example")
	}
	if e.Kind == reference.Word && e.Note == "optional" && !strings.Contains(e.Meaning, "Default") && !slices.Contains(kinds, e.Name) {
		t.Error("it is optional, and nothing says what its default is")
	}
	for _, example := range e.Examples {
		switch e.Kind {
		case reference.Word:
			accepted(t, wordPlaces(sections, e, example), example)
		case reference.Value:
			switch {
			case strings.HasPrefix(e.Name, "spec.#"):
				accepted(t, []string{"#Order"}, example)
			case strings.Contains(example, ": "):
				accepted(t, wordPlaces(sections, reference.Entry{}, example), example)
			default:
				names := []string{e.Name} // and of those that are the same
				for _, s := range sections {
					for _, v := range s.Entries {
						if v.Kind == reference.Value && slices.Equal(v.Usage, names[:1]) {
							names = append(names, v.Name)
						}
					}
				}
				for _, s := range sections { // any word that takes such a value
					for _, w := range s.Entries {
						if w.Kind == reference.Word && slices.Contains(names, w.Usage[0]) && len(tries(t, wordPlaces(sections, w, example), w.Name+": "+example)) == 0 {
							return
						}
					}
				}
				t.Errorf("no word takes %s", example)
			}
		case reference.FieldType, reference.Constraint:
			accepted(t, []string{"#Order"}, example)
		case reference.Refused:
			if said := tries(t, []string{"#Order"}, example); len(said) == 0 {
				t.Errorf("%s is accepted", example)
			}
			if e.Instead == "" {
				t.Error("it does not say what to write instead")
			}
			accepted(t, []string{"#Order"}, e.Instead)
		case reference.Aggregate:
			accepted(t, []string{"pipeline.NAME.stage.NAME.window"}, fmt.Sprintf("aggregate: {it: %q}", example))
		}
	}
}

// kinds are words of which a struct has exactly one.
var kinds = []string{"file", "stdout", "filter", "select", "set", "route", "dedup", "window", "running", "top", "apply", "tumbling", "hopping", "cumulative", "calendar", "session"}

// wordPlaces are the places of structs in which an example may stand: those of the entry, or of every word that begins the example.
func wordPlaces(sections []reference.Section, e reference.Entry, example string) (places []string) {
	name, _, _ := strings.Cut(example, ":")
	for _, s := range sections {
		for _, w := range s.Entries {
			if w.Kind != reference.Word || w.Name != name && w.Name != e.Name || e.Name != "" && !slices.Equal(w.Where, e.Where) {
				continue
			}
			for _, at := range w.Where {
				parent, ok := strings.CutSuffix(strings.TrimSuffix(at, w.Name), ".")
				if !ok {
					parent = ""
				}
				places = append(places, parent)
			}
		}
	}
	return places
}

// accepted demands that the example can stand in one of the places.
func accepted(t *testing.T, places []string, example string) {
	t.Helper()
	if len(places) == 0 {
		t.Errorf("no place for %s", example)
	}
	if said := tries(t, places, example); len(said) > 0 {
		t.Errorf("%s is not accepted:\n%s", example, strings.Join(said, "\n"))
	}
}

// tries puts the example into each struct of the base that stands at one of the places, until one is accepted; else it gives what each of them says.
func tries(t *testing.T, places []string, example string) (said []string) {
	t.Helper()
	for _, place := range places {
		for i := 0; ; i++ {
			text, ok := placed(t, place, example, i)
			if !ok {
				break
			}
			errors := generate(t, text)
			if errors == "" {
				return nil
			}
			if !slices.Contains(said, errors) {
				said = append(said, errors)
			}
		}
	}
	if said == nil {
		said = []string{"the base has no such struct: " + strings.Join(places, ", ")}
	}
	return said
}

// placed is the base with the example in the i-th struct at a place; ok is false when there are not so many.
func placed(t *testing.T, place, example string, i int) (text string, ok bool) {
	t.Helper()
	base := parsed(t, "reference/base.cue", nil)
	root := &ast.StructLit{Elts: base.Decls[1:]} // without the package clause
	found := structs(root, strings.FieldsFunc(place, func(r rune) bool { return r == '.' }))
	if i >= len(found) {
		return "", false
	}
	if strings.Contains(example, "{…}") { // the rest of the base's own
		body, err := format.Node(structs(root, []string{"pipeline", "NAME"})[0])
		if err != nil {
			t.Fatal(err)
		}
		example = strings.Replace(example, "{…}", string(body), 1)
	}
	at := found[i]
	for _, d := range parsed(t, "example", []byte(example)).Decls {
		field, isField := d.(*ast.Field)
		if !isField {
			t.Fatalf("%s is no field", example)
		}
		at.Elts = slices.DeleteFunc(at.Elts, func(old ast.Decl) bool { return same(old, field) })
		at.Elts = append(at.Elts, field)
	}
	if place == "" {
		base.Decls = append(base.Decls[:1:1], at.Elts...)
	}
	data, err := format.Node(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(libraries)) {
		if regexp.MustCompile(`\b`+name+`\.[A-Z]`).Match(data) && !strings.Contains(string(data), fmt.Sprintf("%q", name)) {
			data = regexp.MustCompile(`(?m)^import `).ReplaceAll(data, []byte(fmt.Sprintf("import %q\nimport ", name)))
		}
	}
	return string(data), true
}

// libraries are packages of CUE that examples use.
var libraries = map[string]bool{"strings": true, "list": true, "time": true, "uuid": true}

func parsed(t *testing.T, name string, data []byte) *ast.File {
	t.Helper()
	var src any
	if data != nil {
		src = data
	}
	f, err := parser.ParseFile(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// structs are the structs at a path, where NAME is any name.
func structs(s *ast.StructLit, path []string) (found []*ast.StructLit) {
	if len(path) == 0 {
		return []*ast.StructLit{s}
	}
	for _, d := range s.Elts {
		f, ok := d.(*ast.Field)
		if !ok {
			continue
		}
		if name, _, _ := ast.LabelName(f.Label); path[0] != "NAME" && path[0] != name {
			continue
		}
		value := f.Value
		if and, ok := value.(*ast.BinaryExpr); ok { // spec.#Pipeline & {…}
			value = and.Y
		}
		if inner, ok := value.(*ast.StructLit); ok {
			found = append(found, structs(inner, path[1:])...)
		}
	}
	return found
}

// same says whether a field of the example stands for one of the base: they have one name, in a group of nodes also the node's.
func same(old ast.Decl, field *ast.Field) bool {
	f, ok := old.(*ast.Field)
	if !ok {
		return false
	}
	name, _, _ := ast.LabelName(field.Label)
	if was, _, _ := ast.LabelName(f.Label); was != name {
		return false
	}
	if !slices.Contains([]string{"pipeline", "source", "stage", "sink"}, name) {
		return true
	}
	node := func(f *ast.Field) string {
		if s, ok := f.Value.(*ast.StructLit); ok && len(s.Elts) == 1 {
			if inner, ok := s.Elts[0].(*ast.Field); ok {
				name, _, _ := ast.LabelName(inner.Label)
				return name
			}
		}
		return ""
	}
	return node(f) == node(field)
}

// generate says what the phases say about a spec; "" when they accept it.
func generate(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "base.cue"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	enrich, err := os.ReadFile("reference/enrich.go")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "enrich.go"), enrich, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	w, found := load.Load([]string{dir})
	if len(found) == 0 {
		pkg, wrong := check.Check(w)
		if found = wrong; len(found) == 0 {
			if _, err := gen.Generate(pkg, nil); err != nil {
				return err.Error()
			}
			return ""
		}
	}
	return diag.Render(found, w.Source)
}

var (
	reasonText  = regexp.MustCompile(`Reason: +"([a-z_]+)(:?)`)
	counterText = regexp.MustCompile(`Kind: task\.(\w+), Name: "([a-z_]+)(:?)`)
)

// TestReferenceReasons: the reference has exactly the reasons and counters that generated code has.
func TestReferenceReasons(t *testing.T) {
	generated, err := filepath.Glob("ok/*/*_state_gen.go")
	if err != nil || len(generated) == 0 {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range generated {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reasonText.FindAllStringSubmatch(string(text), -1) {
			used[m[1]+m[2]] = true
		}
		for _, m := range counterText.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "Dropped" || m[1] == "Skipped" || m[1] == "Refused" || m[1] == "RowRefused" {
				used[m[2]+m[3]] = true
			}
			used["counter "+counterName(m[1])] = true
		}
	}
	known := map[string]bool{}
	for _, s := range reference.Sections() {
		for _, e := range s.Entries {
			name, _, parted := strings.Cut(e.Name, ":")
			switch {
			case e.Kind == reference.Counter:
				known["counter "+e.Name] = true
			case e.Kind == reference.Reason && parted:
				known[name+":"] = true
			case e.Kind == reference.Reason:
				known[name] = true
			}
		}
	}
	for name := range used {
		if !known[name] {
			t.Errorf("generated code has %s, the reference does not", name)
		}
	}
	for name := range known {
		if !used[name] {
			t.Errorf("the reference has %s, no generated code does", name)
		}
	}
}

// counterName is the name of a counter of a kind.
func counterName(kind string) string {
	if kind == "RowRefused" {
		return "refused"
	}
	return strings.ToLower(kind)
}
