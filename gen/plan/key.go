package plan

import "github.com/streamwright/streamwright/spec"

// Key is the type by which a keyed stage tells rows apart.
type Key struct {
	Type   string // Go type
	Fields []KeyField
	ID     bool // an id, compared only; else a key that is ordered and read back
	Input  bool // the number of the input is the first part: copies are looked for in their own
}

// KeyField is one part of a key.
type KeyField struct {
	Field *Field // of the row
	Name  string // Go field of the key
	Has   string // Go field that says whether it is not null; "" when it never is
	Out   *Field // of a window's row
}

// Text says whether the part is a string or bytes, held as table.Text.
func (k KeyField) Text() bool { return k.Field.Spec.Type.Kind.Text() }

// Texts says whether k has parts that may be longer than a table.Text holds.
func (k *Key) Texts() bool {
	for _, f := range k.Fields {
		if f.Text() && !k.ID {
			return true
		}
	}
	return false
}

func (l *Pipeline) planKey(stage *Stage, fields []*spec.Field, id bool) *Key {
	k := &Key{Type: l.name(unexported(stage.Spec.Name) + "Key"), ID: id, Input: id && l.Merges() && stage.In.Maker == nil}
	names := newScope("hash", "compare", "lead")
	if k.Input {
		names.take("input")
	}
	for _, f := range fields {
		field := l.Package.fields[f]
		part := KeyField{Field: field, Name: names.unique(unexported(f.Name))}
		if field.Has != "" && !id { // an id that is null never becomes a key
			part.Has = names.unique("has" + exported(f.Name))
		}
		if e := field.Enum; e != nil {
			e.Keyed = e.Short()
		}
		k.Fields = append(k.Fields, part)
	}
	return k
}
