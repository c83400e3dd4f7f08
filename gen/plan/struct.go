package plan

import (
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// Struct is a Go struct: an event type, a struct inside one, or the row of a windowed stage.
type Struct struct {
	Spec       *spec.Struct
	Type       string // Go type
	Fields     []*Field
	Event      bool     // records are decoded into it
	Members    string   // Go function that numbers the names of an event's members
	Derived    bool     // a row made of another row: the Go field at is its event time
	Origin     bool     // a row made of a row that a window made: the Go field origin is the place of that one in its column
	View       string   // Go type of the plain struct that functions of the user see; "" when none does
	scope      *scope   // of its fields
	Bad        int      // how many of its columns can fail: the Go field bad says which did
	BadColumns []string // their names
}

// Field is the field of a name of the spec.
func (s *Struct) Field(name string) *Field {
	return s.Fields[slices.IndexFunc(s.Fields, func(f *Field) bool { return f.Spec.Name == name })]
}

// Field is a field of a Go struct.
type Field struct {
	Spec   *spec.Field
	Name   string  // Go field
	Has    string  // Go field that says whether it is not null; "" when it never is null
	Struct *Struct // of a nested struct, or of the elements of a list of structs
	Enum   *Enum   // of a text of an event that is one of a few, else nil
}

// Enum numbers the texts that a field of an event may have.
type Enum struct {
	Number string            // Go field: the number of the text, from 1
	Table  string            // Go variable, a *codec.Enum
	Keys   string            // Go variable: the table.Text of each text by its number
	Keyed  bool              // a key has the field, so that Keys is needed
	Texts  []string          // in the order of the spec
	Consts map[string]string // Go constant of the number of each
}

// planStructs plans the event types, nested structs before those that hold them.
func (p *Package) planStructs(pkg *spec.Package) {
	for _, s := range pkg.Structs {
		p.structs[s] = &Struct{Spec: s, Type: p.names.unique(exported(s.Name)), Event: true}
	}
	for _, s := range pkg.Structs { // behind all types, so that a new one renames none of them
		p.structs[s].Members = p.names.unique(unexported(s.Name) + "Member")
	}
	inner := map[*Struct]bool{}
	for _, s := range pkg.Structs {
		p.planFields(p.structs[s])
		p.Structs = append(p.Structs, p.structs[s])
		for _, f := range p.structs[s].Fields {
			inner[f.Struct] = true
		}
	}
	for _, s := range p.Structs {
		if !inner[s] { // else it stands in lists, as words
			p.planEnums(s)
		}
	}
}

// Short says whether the texts are part of a key as they are.
func (e *Enum) Short() bool {
	const most = 15 // of a table.Text without a table.Texts
	return !slices.ContainsFunc(e.Texts, func(text string) bool { return len(text) > most })
}

// Limits of what planEnums takes.
const (
	enumTexts = 63 // so that a set of numbers is a word
	EnumBytes = 16 // as codec.EnumBytes, which golden/house holds it against
)

// planEnums numbers the texts of the fields of an event that must be one of a few.
func (p *Package) planEnums(s *Struct) {
	for _, f := range s.Fields {
		if f.Spec.Type.Kind != spec.String || f.Has != "" || f.Spec.Missing != spec.MissingRefused || len(f.Spec.Checks) != 1 || f.Spec.Checks[0].Op != spec.CheckOneOf {
			continue
		}
		values := f.Spec.Checks[0].Values
		if len(values) > enumTexts || slices.ContainsFunc(values, func(v spec.Value) bool { return len(v.String) > EnumBytes }) {
			continue
		}
		stem := unexported(s.Spec.Name) + f.Name
		f.Enum = &Enum{Number: s.scope.unique(unexported(f.Spec.Name) + "Number"), Table: p.names.unique(stem + "Texts"), Keys: p.names.unique(stem + "Keys"), Consts: map[string]string{}}
		for _, v := range values {
			f.Enum.Texts = append(f.Enum.Texts, v.String)
			f.Enum.Consts[v.String] = p.names.unique(stem + exported(v.String))
		}
	}
}

// planFields names the fields of s, whose nested structs are planned.
func (p *Package) planFields(s *Struct) {
	names := newScope("at", "origin", "bad", "decode", "append")
	s.scope = names
	for _, f := range s.Spec.Fields {
		field := &Field{Spec: f, Name: names.unique(exported(f.Name))}
		switch {
		case f.Type.Kind == spec.Object:
			field.Struct = p.structs[f.Type.Struct]
		case f.Type.Kind == spec.List && f.Type.Elem.Kind == spec.Object:
			field.Struct = p.structs[f.Type.Elem.Struct]
		}
		s.Fields = append(s.Fields, field)
		p.fields[f] = field
	}
	for _, field := range s.Fields { // behind all names of the spec, so that a new nullable field renames none of them
		if field.Spec.Type.Nullable {
			field.Has = names.unique("Has" + field.Name)
		}
	}
}

// Element is how a struct stands in a list: words of flags, then a word for each value.
type Element struct {
	Flags  []string // Go selectors of what says that a field is not null, a bit each, from the lowest of the first word on
	Values []Word
}

// Word is a value of an element.
type Word struct {
	Selector string // Go selector: "Price.Cents"
	Type     *spec.Type
}

// FlagWords is how many words the flags take.
func (e Element) FlagWords() int { return (len(e.Flags) + 63) / 64 }

// Words is how many words an element takes.
func (e Element) Words() int { return e.FlagWords() + len(e.Values) }

// Element lays s out as an element of a list: nested structs stand in it field by field, depth first.
func (s *Struct) Element() Element {
	var e Element
	e.add(s, "")
	return e
}

func (e *Element) add(s *Struct, path string) {
	for _, f := range s.Fields {
		if f.Has != "" {
			e.Flags = append(e.Flags, path+f.Has)
		}
		if f.Spec.Type.Kind == spec.Object {
			e.add(f.Struct, path+f.Name+".")
		} else {
			e.Values = append(e.Values, Word{path + f.Name, f.Spec.Type})
		}
	}
}

// leaves are the fields of s that hold a value, depth first.
func leaves(s *Struct, path string) []Leaf {
	var all []Leaf
	for _, f := range s.Fields {
		all = append(all, Leaf{Path: path + f.Spec.Name, Field: f})
		if f.Struct != nil {
			all = append(all, leaves(f.Struct, path+f.Spec.Name+".")...)
		}
	}
	return all
}

// LeafCount is how many numbers the fields of s take in a decoder.
func LeafCount(s *Struct) int { return len(leaves(s, "")) }
