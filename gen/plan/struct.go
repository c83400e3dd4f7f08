package plan

import "github.com/streamwright/streamwright/spec"

// Struct is a Go struct: an event type, a struct inside one, or the row of a windowed stage.
type Struct struct {
	Spec    *spec.Struct
	Type    string // Go type
	Fields  []*Field
	Event   bool // records are decoded into it
	Derived bool // a row made of another row: the Go field at is its event time
	Origin  bool // a row made of a row that a window made: the Go field origin is the place of that one in its column
	Bad     int  // how many of its columns can fail: the Go field bad says which did
}

// Field is a field of a Go struct.
type Field struct {
	Spec   *spec.Field
	Name   string  // Go field
	Has    string  // Go field that says whether it is not null; "" when it never is null
	Struct *Struct // of a nested struct
}

// planStructs plans the event types, nested structs before those that hold them.
func (p *Package) planStructs(pkg *spec.Package) {
	for _, s := range pkg.Structs {
		p.structs[s] = &Struct{Spec: s, Type: p.names.unique(exported(s.Name)), Event: true}
	}
	for _, s := range pkg.Structs {
		p.planFields(p.structs[s])
		p.Structs = append(p.Structs, p.structs[s])
	}
}

// planFields names the fields of s, whose nested structs are planned.
func (p *Package) planFields(s *Struct) {
	names := newScope("at", "origin", "bad", "decode", "append")
	for _, f := range s.Spec.Fields {
		field := &Field{Spec: f, Name: names.unique(exported(f.Name))}
		if f.Type.Kind == spec.Object {
			field.Struct = p.structs[f.Type.Struct]
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
