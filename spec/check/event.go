package check

import (
	"fmt"
	"regexp"
	"strings"

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
		s := arm(t, load.StructType)
		if s == nil {
			return refuse(&refusal{diag.FieldType, t.Pos, t.Text + " is one of several structs", "write one struct with optional fields"})
		}
		inner := c.structure(s.Struct, owner+"."+m.Name, m.Path)
		if inner == nil {
			return nil
		}
		f.Type = &spec.Type{Kind: spec.Object, Struct: inner}
	case "list":
		list := arm(t, load.ListType)
		if list == nil {
			return refuse(&refusal{diag.FieldType, t.Pos, t.Text + " is more than a list of one type", "write [...T] with a scalar T, such as [...string]"})
		}
		elem, d := scalar(list.Elem)
		switch {
		case d != nil:
			return refuse(d)
		case list.Elem.Null:
			return refuse(&refusal{diag.FieldType, list.Elem.Pos, "elements of a list cannot be null", "leave out null; a field that is a list may be null as a whole"})
		}
		f.Type = &spec.Type{Kind: spec.List, Elem: elem.kind}
		f.Time, f.Checks = elem.time, elem.checks
	default:
		s, d := scalar(t)
		if d != nil {
			return refuse(d)
		}
		f.Type, f.Time, f.Checks = s.kind, s.time, s.checks
		if f.Missing == spec.MissingDefault {
			v, why := value(m.Default, f.Type.Kind, f.Time)
			if why != "" {
				return refuse(&refusal{diag.FieldDefault, t.Pos, "the default cannot be used: " + why, ""})
			}
			f.Default = &v
		}
	}
	f.Type.Nullable = f.Null || f.Missing == spec.MissingNull
	return f
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
	isNull := m.Default != nil && m.Default.Text == nil && m.Default.Bool == nil && m.Default.Number == nil
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

// scalarType is a compiled scalar with its constraints.
type scalarType struct {
	kind   *spec.Type
	time   spec.TimeFormat
	checks []*spec.Check
}

// timeFormats are the time types of the schema.
var timeFormats = map[string]spec.TimeFormat{"Timestamp": spec.RFC3339, "UnixSeconds": spec.UnixSeconds, "UnixMillis": spec.UnixMillis, "UnixMicros": spec.UnixMicros,
	"UnixNanos": spec.UnixNanos}

// scalar compiles the type of a scalar.
func scalar(t *load.Type) (*scalarType, *refusal) {
	s := &scalarType{kind: &spec.Type{}}
	var times []string
	timesIn(t, &times)
	switch {
	case len(times) > 1:
		return nil, &refusal{diag.FieldType, t.Pos, fmt.Sprintf("the type is both spec.#%s and spec.#%s", times[0], times[1]), "a time is written in one way"}
	case len(times) == 1:
		s.kind.Kind, s.time = spec.Timestamp, timeFormats[times[0]]
	default:
		switch t.Kinds {
		case "string":
			s.kind.Kind = spec.String
		case "bool":
			s.kind.Kind = spec.Bool
		case "int":
			s.kind.Kind = spec.Int
		case "float", "number":
			s.kind.Kind = spec.Double
		default:
			return nil, noScalar(t)
		}
	}
	if d := s.constrain(t); d != nil {
		return nil, d
	}
	return s, nil
}

// timesIn collects the different time types in a type.
func timesIn(t *load.Type, names *[]string) {
	if t.Op == load.Time && !strings.Contains(" "+strings.Join(*names, " ")+" ", " "+t.Name+" ") {
		*names = append(*names, t.Name)
	}
	for _, a := range t.Args {
		timesIn(a, names)
	}
}

// noScalar says what to write instead of a type that is not offered.
func noScalar(t *load.Type) *refusal {
	d := &refusal{diag.FieldType, t.Pos, fmt.Sprintf("values of the type %s can be of several kinds", t.Text), "write one type; events that have either need two fields, or are converted before"}
	switch t.Kinds {
	case "_":
		d.text, d.hint = t.Text+" is any value", "write its type: string, bool, int, number, a time such as spec.#Timestamp, a list or a struct"
	case "bytes":
		d.text, d.hint = "bytes are not offered", "JSON has no bytes: write string, and decode it where it is used"
	case "_|_":
		d.text, d.hint = "only null can be "+t.Text, "write a type beside it: string | null"
	case "struct":
		d.text, d.hint = "elements of a list cannot be structs", "lists are of scalars: [...string], [...int]"
	case "list":
		d.text, d.hint = "elements of a list cannot be lists", "lists are of scalars: [...string], [...int]"
	}
	return d
}

// constrain adds the constraints that a type has besides its kind.
func (s *scalarType) constrain(t *load.Type) *refusal {
	switch t.Op {
	case load.And:
		for _, a := range t.Args {
			if d := s.constrain(a); d != nil {
				return d
			}
		}
	case load.Or:
		return s.alternatives(t)
	case load.Constant:
		if t.Kinds != "_|_" { // null has its own place
			return s.oneOf(t, []*load.Type{t})
		}
	case load.Bound:
		return s.bound(t)
	}
	return nil
}

// alternatives compiles a disjunction: null and one type, constants, or a type and constants that it has anyway.
func (s *scalarType) alternatives(t *load.Type) *refusal {
	arms := parts(t)
	if len(arms) == 1 {
		return s.constrain(arms[0])
	}
	constants := true
	for _, a := range arms {
		constants = constants && a.Op == load.Constant
		if a.Op == load.Time || a.Op == load.Basic && (a.Kinds == t.Kinds || a.Kinds == "number") {
			return nil // every value of the kind
		}
	}
	if constants {
		return s.oneOf(t, arms)
	}
	return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the alternatives of %s have constraints of their own", t.Text),
		"alternatives are constants (\"a\" | \"b\"), or one type and null; a default must keep the constraints of the type"}
}

// oneOf compiles a choice of constants.
func (s *scalarType) oneOf(t *load.Type, arms []*load.Type) *refusal {
	if s.kind.Kind == spec.Bool {
		if len(arms) == 2 {
			return nil // true | false
		}
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("a bool that is always %s is not offered", t.Text), "write bool"}
	}
	if s.kind.Kind == spec.Timestamp {
		return &refusal{diag.FieldBound, t.Pos, "a choice of times is not offered", "bounds are: >=\"2024-01-01T00:00:00Z\""}
	}
	check := &spec.Check{Op: spec.CheckOneOf, Text: t.Text}
	for _, a := range arms {
		v, why := value(a.Value, s.kind.Kind, s.time)
		if why != "" {
			return &refusal{diag.FieldBound, a.Pos, fmt.Sprintf("%s is not a value of the field: %s", a.Text, why), ""}
		}
		check.Values = append(check.Values, v)
	}
	s.checks = append(s.checks, check)
	return nil
}

// checkOps are the operators of CUE's bounds.
var checkOps = map[string]spec.CheckOp{"<": spec.CheckLess, "<=": spec.CheckLessEqual, ">": spec.CheckGreater, ">=": spec.CheckGreaterEqual, "!=": spec.CheckNotEqual,
	"=~": spec.CheckMatch, "!~": spec.CheckNotMatch}

// bound compiles a comparison or match with a constant.
func (s *scalarType) bound(t *load.Type) *refusal {
	op := checkOps[t.Name]
	isNull := t.Value.Text == nil && t.Value.Bool == nil && t.Value.Number == nil
	match := op == spec.CheckMatch || op == spec.CheckNotMatch
	switch {
	case isNull:
		return nil // !=null: null is not among the values
	case match && s.kind.Kind != spec.String:
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("%s matches texts, the field is %s", t.Text, kindName(s.kind)), "patterns are for fields of type string; times are compared: >=\"2024-01-01T00:00:00Z\""}
	case match:
		if _, err := regexp.Compile(*t.Value.Text); err != nil {
			return &refusal{diag.FieldBound, t.Pos, err.Error(), "patterns are of RE2"}
		}
	case s.kind.Kind == spec.String && op != spec.CheckNotEqual:
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the order of texts in %s is not offered", t.Text), "texts are constrained by !=, =~, !~ and choices (\"a\" | \"b\")"}
	case s.kind.Kind == spec.Int:
		check, d := intBound(t, op)
		if check != nil {
			s.checks = append(s.checks, check)
		}
		return d
	}
	v, why := value(t.Value, s.kind.Kind, s.time)
	if why != "" {
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the constraint %s cannot be checked: %s", t.Text, why), ""}
	}
	s.checks = append(s.checks, &spec.Check{Op: op, Value: v, Text: t.Text})
	return nil
}
