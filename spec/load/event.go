package load

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/schema"
)

// Type is a CUE type as it was written: what a field of an event may be. References are followed, structs and lists are evaluated.
type Type struct {
	Op     TypeOp
	Pos    diag.Pos
	Text   string     // as the user wrote it
	Null   bool       // null is among its values
	Kinds  string     // its kinds without null, as CUE names them: "string", "(int|string)"
	Args   []*Type    // And, Or
	Name   string     // Basic: "string", "int", …; Time: "Timestamp", "UnixMillis", …; Bound: the operator; Length: the validator, such as "strings.MinRunes"
	Value  *Const     // Constant, Bound, Length
	Struct *Structure // StructType
	Elem   *Type      // ListType: of all elements
	Scales []string   // what its @scale attributes hold, and those of the definitions that it refers to
	Why    string     // Other: what it is, for people
	Code   string     // Other: of the diagnostic
	Hint   string     // Other: what to write instead
}

// TypeOp is the form of a Type.
type TypeOp uint8

// The forms of types.
const (
	Basic   TypeOp = iota + 1
	Time           // a reference to one of the schema's time types, or to time.Time of CUE
	Decimal        // a reference to the schema's #Decimal
	Constant
	Bound  // a comparison or a match with a constant
	Length // a bound on the code points of a string or the elements of a list
	And
	Or
	StructType
	ListType
	Other // what events cannot have
)

// Const is a constant. Exactly one of the fields is set; none for null.
type Const struct {
	Text   *string
	Bytes  *string
	Bool   *bool
	Number *big.Rat
	Whole  bool // Number is an int to CUE: 1, not 1.0
}

// IsNull says whether the constant is null.
func (c *Const) IsNull() bool { return *c == Const{} }

// Structure is a struct of an event.
type Structure struct {
	Def    string // of a definition its name without '#': "Order"; else empty
	Key    string // of a definition: tells it from others of the same name
	Doc    []string
	Pos    diag.Pos
	Fields []*Member
}

// Member is a field of a struct of an event.
type Member struct {
	Name     string
	Path     string // "#Order.amount"
	Doc      []string
	Pos      diag.Pos // of its name
	Optional bool     // ?
	Required bool     // !
	Type     *Type
	Default  *Const
}

// structKey names a definition: the package and the path in it.
type structKey struct{ pkg, path string }

// largestExponent bounds the constants that are taken: beyond, they are outside of float64.
const largestExponent = 400

// typeOf reads a type. path is for the members of structs without a name of their own.
func (l *loader) typeOf(v cue.Value, parent diag.Pos) *Type {
	return l.typeAt(v, parent, "event")
}

func (l *loader) typeAt(v cue.Value, parent diag.Pos, path string) *Type {
	t := l.read(v, parent, path)
	for _, a := range v.Attributes(cue.FieldAttr) {
		if a.Name() == "scale" && !slices.Contains(t.Scales, a.Contents()) {
			t.Scales = append(t.Scales, a.Contents())
		}
	}
	return t
}

func (l *loader) read(v cue.Value, parent diag.Pos, path string) *Type {
	syntax := l.syntax(v)
	t := &Type{Pos: parent, Text: cut(l.places.text(syntax))}
	t.kind(v)
	if syntax != nil {
		t.Pos = l.places.pos(syntax.Pos())
	}
	if t.Text == "" {
		t.Text = cut(fmt.Sprint(v))
	}
	kind := v.IncompleteKind()

	root, ref := v.ReferencePath()
	if sel := ref.Selectors(); root.Exists() && len(sel) > 0 {
		pkg := ""
		if inst := root.BuildInstance(); inst != nil {
			pkg, _, _ = strings.Cut(inst.ImportPath, ":") // import "…/spec:spec"
			pkg, _, _ = strings.Cut(pkg, "@")             // import "…/spec@v0"
		}
		if pkg == schema.Path {
			switch name, isDefinition := strings.CutPrefix(ref.String(), "#"); {
			case !isDefinition:
				return t.other(diag.Evaluation, "the schema has no spec."+name, "its types are definitions: spec.#"+name)
			case timeTypes[name]:
				t.Op, t.Name = Time, name
				return t
			case name == "Decimal":
				t.Op = Decimal
				return t
			}
		}
		last := sel[len(sel)-1]
		key := structKey{pkg, ref.String()}
		for _, open := range l.structs {
			if open == key {
				return t.other(diag.Recursive, t.Text+" contains itself", "events are flat: nest structs to a fixed depth")
			}
		}
		target := cue.Dereference(v)
		if scalar, ok := constant(v); ok {
			t.Op, t.Value = Constant, scalar
			return t
		}
		if standard[pkg] {
			return t.validator(pkg + "." + ref.String())
		}
		if last.LabelType() == cue.StringLabel && kind != cue.StructKind {
			return t.other(diag.FieldBound, t.Text+" refers to another field", "a field is compared with constants only; name a shared type as a definition, #Name")
		}
		l.structs = append(l.structs, key)
		defer func() { l.structs = l.structs[:len(l.structs)-1] }()
		if kind != cue.StructKind || !last.LabelType().IsDefinition() {
			return l.typeAt(target, t.Pos, path)
		}
		if inner, again := target.ReferencePath(); inner.Exists() && len(again.Selectors()) > 0 { // #A: #B
			return l.typeAt(target, t.Pos, path)
		}
		def := strings.ReplaceAll(ref.String(), "#", "")
		return l.structure(t, target, "#"+def, &Structure{Def: def, Key: pkg + "/" + ref.String()})
	}
	if err := v.Err(); err != nil && kind == cue.BottomKind {
		if strings.Contains(err.Error(), "structural cycle") {
			return t.other(diag.Recursive, t.Text+" contains itself", "events are flat: nest structs to a fixed depth")
		}
		return l.faulty(t, v, err, path)
	}
	op, _ := v.Expr()
	if kind == cue.NullKind && op == cue.OrOp { // null | [...T] & list.MinItems(1): to CUE [] is too short, so that null is all there is
		l.expression(t, v, path)
		for _, a := range t.Args {
			if a.Kinds == "list" {
				t.Kinds = a.Kinds
			}
		}
		return t
	}
	if scalar, ok := constant(v); ok {
		t.Op, t.Value = Constant, scalar
		if _, is := syntax.(*ast.StructLit); is && scalar.Text != nil { // {"A", #enumValue: 0}
			t.Text = strconv.Quote(*scalar.Text)
		}
		return t
	}
	switch {
	case kind == cue.StructKind && op != cue.OrOp:
		return l.structure(t, v, path, &Structure{})
	case kind == cue.ListKind:
		return l.list(t, v, path)
	}
	return l.expression(t, v, path)
}

// faulty finds out why a type has an error.
func (l *loader) faulty(t *Type, v cue.Value, err error, path string) *Type {
	if open := l.open(v); open != nil {
		return open
	}
	switch op, _ := v.Expr(); op {
	case cue.NoOp, cue.SelectorOp:
	case cue.AndOp, cue.OrOp:
		x := *t
		l.expression(&x, v, path)
		for _, a := range x.Args {
			if a.Op == Other {
				return a
			}
		}
		if x.Op == And && x.items() { // no list has been given yet, and [] is too short
			x.Kinds = "list"
			return &x
		}
	default:
		return l.expression(t, v, path)
	}
	text, hint := l.teach(errors.Errors(err)[0])
	return t.other(diag.Evaluation, text, hint)
}

// timeTypes are the time types of the schema.
var timeTypes = map[string]bool{"Timestamp": true, "UnixSeconds": true, "UnixMillis": true, "UnixMicros": true, "UnixNanos": true}

// other makes t a type that events cannot have.
func (t *Type) other(code, why, hint string) *Type {
	t.Op, t.Code, t.Why, t.Hint = Other, code, why, hint
	return t
}

// kind notes which kinds of values a type has.
func (t *Type) kind(v cue.Value) {
	if v.IncompleteKind() == cue.BottomKind && t.Kinds != "" {
		return
	}
	t.Null = v.IncompleteKind()&cue.NullKind != 0
	if v.IncompleteKind() == cue.NullKind && t.Kinds != "" {
		return
	}
	t.Kinds = (v.IncompleteKind() &^ cue.NullKind).String()
	if v.IncompleteKind() == cue.TopKind {
		t.Kinds = "_"
	}
}

// fallback reads the default of a field; nil when there is none.
func (l *loader) fallback(t *Type, v cue.Value) *Const {
	d, ok := v.Default()
	if t.Op == Or && v.IncompleteKind() == cue.NullKind {
		return nil // null | [...T] & list.MinItems(1)
	}
	if !ok {
		c, _ := constant(v) // a: "x" is there with this value, unless the record has it
		return c
	}
	if c, ok := constant(d); ok {
		return c
	}
	if x, ok := l.syntax(v).(*ast.BinaryExpr); ok && x.Op == token.OR && t.Op != Other && (t.Op == ListType || t.Op == StructType) {
		t.other(diag.FieldDefault, "a default that is a list or a struct is not offered", "leave it out, or make the field optional")
	}
	return nil
}

// expression reads what is neither a reference, a constant, a struct nor a list.
func (l *loader) expression(t *Type, v cue.Value, path string) *Type {
	op, args := v.Expr()
	if op == cue.NoOp && len(args) == 1 && args[0].Source() != v.Source() {
		return l.typeAt(args[0], t.Pos, path) // a disjunction whose default is among the values of its other arm
	}
	switch op {
	case cue.NoOp:
		t.Op, t.Name = Basic, v.IncompleteKind().String()
		return t
	case cue.AndOp, cue.OrOp:
		t.Op = And
		if op == cue.OrOp {
			t.Op = Or
		}
		for _, a := range args {
			t.Args = append(t.Args, l.typeAt(a, t.Pos, path))
		}
		return t
	case cue.LessThanOp, cue.LessThanEqualOp, cue.GreaterThanOp, cue.GreaterThanEqualOp, cue.NotEqualOp, cue.RegexMatchOp, cue.NotRegexMatchOp:
		t.Op, t.Name = Bound, op.String()
		c, ok := constant(args[0])
		if !ok && args[0].IsConcrete() {
			return t.other(diag.FieldBound, t.Text+" compares with what is no constant of JSON", "write a string, a number within float64, or null")
		}
		if !ok {
			return t.other(diag.FieldBound, t.Text+" compares with something that is not a constant", "write the constant: a record is judged by itself, field by field")
		}
		t.Value = c
		return t
	case cue.CallOp:
		return l.call(t, args)
	}
	return t.other(diag.FieldBound, t.Text+" is computed from other values", "write the type, and constraints with constants")
}

// structure reads the members of a struct. into has what is known of its name.
func (l *loader) structure(t *Type, v cue.Value, path string, into *Structure) *Type {
	t.Op, t.Struct = StructType, into
	into.Doc, into.Pos = docs(v), t.Pos
	if f := fieldOf(v); f != nil && into.Def != "" {
		into.Pos = l.places.pos(f.Label.Pos())
	}
	if open := l.open(v); open != nil {
		return open
	}
	fields, err := v.Fields(cue.All())
	if err != nil {
		return t.other(diag.FieldType, "no value can be "+t.Text, "")
	}
	for fields.Next() {
		sel, value := fields.Selector(), fields.Value()
		if sel.LabelType() != cue.StringLabel {
			l.hidden(sel, value, path, t.Pos)
			continue
		}
		m := &Member{Name: sel.Unquoted(), Doc: docs(value), Pos: t.Pos}
		m.Path = join(path, m.Name)
		if strings.HasPrefix(path, "#") {
			m.Path = path + strings.TrimPrefix(join("x", m.Name), "x")
		}
		l.composed(value, m.Name, m.Path)
		m.Optional = sel.ConstraintType() == cue.OptionalConstraint
		m.Required = sel.ConstraintType() == cue.RequiredConstraint
		if f := fieldOf(value); f != nil {
			if pos := l.places.pos(f.Label.Pos()); pos.Line > 0 {
				m.Pos = pos
			}
		}
		m.Type = l.typeAt(value, m.Pos, m.Path)
		m.Type.kind(value)
		m.Default = l.fallback(m.Type, value)
		into.Fields = append(into.Fields, m)
	}
	return t
}

// hidden reports a field of an event whose name CUE hides, unless something refers to it: it would not be read, and not be missed.
func (l *loader) hidden(sel cue.Selector, v cue.Value, path string, parent diag.Pos) {
	f := fieldOf(v)
	name := strings.TrimRight(sel.String(), "?!")
	if f == nil || l.used[name] || sel.LabelType() != cue.HiddenLabel && sel.ConstraintType() == 0 {
		return
	}
	pos := l.places.pos(f.Label.Pos())
	if pos.Line == 0 || !slices.Contains(l.Files, filepath.Base(f.Label.Pos().Filename())) {
		return
	}
	mark := map[cue.SelectorType]string{cue.OptionalConstraint: "?", cue.RequiredConstraint: "!"}[sel.ConstraintType()]
	l.add(diag.HiddenField, pos, join(path, name), fmt.Sprintf("%s is not read: CUE hides names that begin with _ or #, and nothing here refers to it", name), fmt.Sprintf("for a field of that name in the records write `%q%s:`", name, mark))
}

// open finds in the literals that a struct is made of what records cannot be checked against: patterns, conditions, validators. Whether a struct is closed does not
// matter, since fields that are not declared are skipped: `...` and close() change nothing.
func (l *loader) open(v cue.Value) *Type {
	op, args := v.Expr()
	switch op {
	case cue.AndOp:
		for _, a := range args {
			if t := l.open(a); t != nil {
				return t
			}
		}
		return nil
	case cue.SelectorOp:
		if to := cue.Dereference(v); to != v {
			return l.open(to)
		}
	case cue.CallOp:
		switch name := function(args[0]); {
		case name == "close":
			return l.open(args[1])
		case lengths[name]: // of no struct
			return nil
		}
		t := &Type{Pos: l.places.pos(v.Pos()), Text: l.written(v)}
		return t.validator(function(args[0]))
	}
	lit, ok := l.syntax(v).(*ast.StructLit)
	if !ok {
		return nil
	}
	for _, d := range lit.Elts {
		t := &Type{Pos: l.places.pos(d.Pos()), Text: cut(l.places.text(d))}
		switch x := d.(type) {
		case *ast.Field:
			if _, ok := x.Label.(*ast.ListLit); ok {
				return t.other(diag.OpenStruct, t.Text+" stands for any number of fields", "list the fields, each with its type: the generated Go struct has one for each")
			}
		case *ast.Comprehension:
			for _, c := range x.Clauses {
				if _, ok := c.(*ast.IfClause); ok {
					return t.other(diag.OpenStruct, "fields that are there under a condition are not offered", "declare them as optional: `field?: type`")
				}
			}
		}
	}
	return nil
}

// list reads the type of a list's elements, and how many there may be.
func (l *loader) list(t *Type, v cue.Value, path string) *Type {
	op, args := v.Expr()
	switch {
	case op == cue.NoOp && len(args) == 1 && args[0].Source() != v.Source():
		return l.typeAt(args[0], t.Pos, path)
	case op == cue.CallOp || op == cue.AndOp:
		return l.expression(t, v, path)
	case op != cue.NoOp:
		return t.other(diag.FieldType, t.Text+" is more than a list of one type", "write [...T] with one type T, such as [...string]")
	}
	t.Op = ListType
	elem := v.LookupPath(cue.MakePath(cue.AnyIndex))
	lit, ok := l.syntax(v).(*ast.ListLit)
	if n := least(lit); n > 0 {
		t.Op, t.Name, t.Value = Length, "list.MinItems", &Const{Number: new(big.Rat).SetInt64(n), Whole: true}
		return t
	}
	if !elem.Exists() || !ok || len(lit.Elts) != 1 {
		return t.other(diag.FieldType, "the list "+t.Text+" has fixed elements", "write [...T] with one type T, and list.MinItems(n) for a least length; or a struct with a field for each element")
	}
	t.Elem = l.typeAt(elem, t.Pos, path)
	return t
}

// least is the n of a list literal that only says that there are at least n elements: [_, _, ...] is 2, and what the JSON Schema importer writes for minItems.
// Of others it is 0.
func least(lit *ast.ListLit) int64 {
	if lit == nil || len(lit.Elts) == 0 {
		return 0
	}
	last := len(lit.Elts) - 1
	if e, ok := lit.Elts[last].(*ast.Ellipsis); !ok || e.Type != nil {
		return 0
	}
	for _, e := range lit.Elts[:last] {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return 0
		}
	}
	return int64(last)
}

// items says whether a type is of a list and of bounds on its length, and nothing else.
func (t *Type) items() bool {
	if t.Op == And {
		return !slices.ContainsFunc(t.Args, func(a *Type) bool { return !a.items() })
	}
	return t.Op == ListType || t.Op == Length && strings.HasPrefix(t.Name, "list.")
}

// constant reads a value that is a single scalar.
func constant(v cue.Value) (*Const, bool) {
	if !v.IsConcrete() || v.Err() != nil {
		return nil, false
	}
	switch v.Kind() {
	case cue.NullKind:
		return &Const{}, true
	case cue.BoolKind:
		b, err := v.Bool()
		return &Const{Bool: &b}, err == nil
	case cue.StringKind:
		s, err := v.String()
		return &Const{Text: &s}, err == nil
	case cue.BytesKind:
		b, err := v.Bytes()
		s := string(b)
		return &Const{Bytes: &s}, err == nil
	case cue.IntKind, cue.FloatKind:
		var mant big.Int
		exp, err := v.MantExp(&mant)
		if err != nil || exp > largestExponent || exp < -largestExponent {
			return nil, false
		}
		r := new(big.Rat).SetInt(&mant)
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exp, -exp))), nil))
		if exp < 0 {
			r.Quo(r, scale)
		} else {
			r.Mul(r, scale)
		}
		return &Const{Number: r, Whole: v.Kind() == cue.IntKind}, true
	}
	return nil, false
}
