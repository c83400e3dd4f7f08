package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// event compiles the type of a source's events; nil when it cannot be. name is for a struct that is not a definition.
func (c *checker) event(n *load.Node, name string) *spec.Struct {
	t := n.Type
	switch {
	case t.Op == load.Other:
		c.add(t.Code, t.Pos, n.Path, t.Why, t.Hint)
		return nil
	case t.Op != load.StructType:
		c.add(diag.EventType, n.Pos, n.Path, fmt.Sprintf("%s is not a struct", t.Text), "an event is a struct of fields: event: #Order")
		return nil
	}
	return c.structure(t.Struct, name, n.Path)
}

// structure compiles a struct of an event, each definition once; nil when it cannot be. name and path are for one that is not a definition.
func (c *checker) structure(s *load.Structure, name, path string) *spec.Struct {
	if s.Def != "" {
		if out, known := c.byKey[s.Key]; known {
			return out
		}
		name, path = s.Def, "#"+s.Def
	}
	out := &spec.Struct{Name: c.free(name), Doc: s.Doc, Pos: s.Pos}
	c.pkg.Structs = append(c.pkg.Structs, out)
	if len(s.Fields) == 0 {
		c.add(diag.EventType, s.Pos, path, "the struct has no fields", "declare at least one")
	}
	good := len(s.Fields) > 0
	for _, m := range s.Fields {
		f := c.member(m, out.Name)
		if f == nil {
			good = false
			continue
		}
		out.Fields = append(out.Fields, f)
	}
	if !good {
		out = nil
	}
	if s.Def != "" {
		c.byKey[s.Key] = out
	}
	return out
}

// free makes a name that no struct has yet: definitions of two packages may have the same.
func (c *checker) free(name string) string {
	for n, base := 2, name; c.names[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	c.names[name] = true
	return name
}

// member compiles a field of an event; nil when it cannot be. One message at most: of a broken field one is enough to begin with.
func (c *checker) member(m *load.Member, owner string) *spec.Field {
	if !c.name(m.Name, m.Pos, m.Path, "field") {
		return nil
	}
	refuse := func(d *refusal) *spec.Field {
		c.add(d.code, d.pos, m.Path, d.text, d.hint)
		return nil
	}
	t := m.Type
	if bad := broken(t); bad != nil {
		return refuse(&refusal{bad.Code, bad.Pos, bad.Why, bad.Hint})
	}
	f := &spec.Field{Name: m.Name, Doc: m.Doc, Pos: m.Pos, Null: t.Null}
	d := missing(f, m)
	if d != nil {
		return refuse(d)
	}
	switch t.Kinds {
	case "struct":
		if f.Type, d = c.object(t, owner+"."+m.Name, m.Path); d != nil {
			return refuse(d)
		}
		if f.Type == nil {
			return nil
		}
	case "list":
		if d = c.list(f, t, owner+"."+m.Name, m.Path); d != nil {
			return refuse(d)
		}
		if f.Type == nil {
			return nil
		}
	default:
		s, d := scalar(t, scales(t))
		if d != nil {
			return refuse(d)
		}
		f.Type, f.Time, f.Checks = s.kind, s.time, s.checks
		if f.Missing == spec.MissingDefault {
			v, why := value(m.Default, f.Type, f.Time)
			if why != "" {
				return refuse(&refusal{diag.FieldDefault, t.Pos, "the default cannot be used: " + why, ""})
			}
			f.Default = &v
		}
	}
	f.Type.Nullable = f.Null || f.Missing == spec.MissingNull
	return f
}

// object compiles the type of a nested struct. It is nil when the struct cannot be compiled, which was reported at its fields.
func (c *checker) object(t *load.Type, name, path string) (*spec.Type, *refusal) {
	if len(scales(t)) > 0 {
		return nil, noDecimal(t)
	}
	s := arm(t, load.StructType)
	if s == nil {
		return nil, &refusal{diag.FieldType, t.Pos, t.Text + " is one of several structs", "write one struct with optional fields"}
	}
	inner := c.structure(s.Struct, name, path)
	if inner == nil {
		return nil, nil
	}
	return &spec.Type{Kind: spec.Object, Struct: inner}, nil
}

// list compiles the type of a list, of scalars or structs, into f.
func (c *checker) list(f *spec.Field, t *load.Type, name, path string) *refusal {
	var lists, lengths []*load.Type
	itemsOf(t, &lists, &lengths)
	if len(lists) == 0 {
		return &refusal{diag.FieldType, t.Pos, t.Text + " does not say what the list is of", "write [...T] with its type T beside it, such as [...string] & " + lengths[0].Text}
	}
	if len(lists) > 1 {
		return &refusal{diag.FieldType, t.Pos, t.Text + " is not a list of one type", "write [...T] with one type T, such as [...string]"}
	}
	elem := lists[0].Elem
	if elem.Null {
		return &refusal{diag.FieldType, elem.Pos, "elements of a list cannot be null", "leave out null; a field that is a list may be null as a whole"}
	}
	for _, l := range lengths {
		check, d := length(l)
		if d != nil {
			return d
		}
		f.Items = append(f.Items, check)
	}
	if elem.Kinds == "struct" {
		object, d := c.object(elem, name, path)
		if object != nil {
			f.Type = &spec.Type{Kind: spec.List, Elem: object}
		}
		return d
	}
	s, d := scalar(elem, scales(t))
	if d != nil {
		return d
	}
	f.Type = &spec.Type{Kind: spec.List, Elem: s.kind}
	f.Time, f.Checks = s.time, s.checks
	return nil
}

// itemsOf takes the type of a list apart: its lists and the bounds on their length.
func itemsOf(t *load.Type, lists, lengths *[]*load.Type) {
	for _, part := range parts(t) {
		switch part.Op {
		case load.And:
			for _, a := range part.Args {
				itemsOf(a, lists, lengths)
			}
		case load.Length:
			*lengths = append(*lengths, part)
		default:
			*lists = append(*lists, part)
		}
	}
}

// refusal is why a field cannot be compiled.
type refusal struct {
	code string
	pos  diag.Pos
	text string
	hint string
}

// missing says what it means that a field is not there.
func missing(f *spec.Field, m *load.Member) *refusal {
	hasDefault := m.Default != nil && m.Type.Op != load.Constant
	isNull := m.Default != nil && m.Default.IsNull()
	switch {
	case hasDefault && m.Required:
		return &refusal{diag.FieldDefault, m.Pos, fmt.Sprintf("%s! must be there, so its default is never taken", m.Name), fmt.Sprintf("write `%s:` without the !, or leave out the *", m.Name)}
	case hasDefault && m.Optional:
		return &refusal{diag.FieldDefault, m.Pos, fmt.Sprintf("%s? may be missing and is null then, so its default is never taken", m.Name), fmt.Sprintf("write `%s:` without the ?, or leave out the *", m.Name)}
	case m.Required:
		f.Missing = spec.MissingRefused
	case m.Optional || isNull:
		f.Missing = spec.MissingNull
	case m.Default != nil:
		f.Missing = spec.MissingDefault
	case m.Type.Null:
		f.Missing = spec.MissingNull
	}
	return nil
}

// broken finds a part of a type that events cannot have.
func broken(t *load.Type) *load.Type {
	if t.Op == load.Other {
		return t
	}
	for _, a := range t.Args {
		if bad := broken(a); bad != nil {
			return bad
		}
	}
	if t.Elem != nil {
		return broken(t.Elem)
	}
	return nil
}

// arm gives the only part of a type, besides null, when it has that form; else nil.
func arm(t *load.Type, op load.TypeOp) *load.Type {
	parts := parts(t)
	if len(parts) == 1 && parts[0].Op == op {
		return parts[0]
	}
	return nil
}

// parts gives the arms of a disjunction, of nested ones too, without null.
func parts(t *load.Type) []*load.Type {
	switch {
	case t.Op == load.Or:
		var all []*load.Type
		for _, a := range t.Args {
			all = append(all, parts(a)...)
		}
		return all
	case t.Kinds == "_|_": // null alone
		return nil
	}
	return []*load.Type{t}
}
