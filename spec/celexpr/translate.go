package celexpr

import (
	"math"
	"slices"
	"time"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/streamwright/streamwright/spec"
)

// translator turns one checked expression into a tree of package spec.
type translator struct {
	text  string
	row   *spec.Struct
	group *spec.Struct  // of an aggregate expression, else nil
	calls *[]*spec.Call // likewise
	at    func(offset int) spec.Place

	env     *cel.Env
	names   map[*spec.Struct]string // of the structs in the environment
	structs map[string]*spec.Struct

	parsed, checked *celast.AST
	info            *celast.SourceInfo
	inside          bool          // of an argument of an aggregate function
	items           []*spec.Field // elements of the loops around, the innermost last
	problems        []Problem
}

func (t *translator) problem(e celast.Expr, code, text, hint string) *spec.Expr {
	t.problems = append(t.problems, Problem{t.start(e), code, text, hint})
	return constant(spec.Value{Kind: spec.Bool}, spec.Place{})
}

func constant(v spec.Value, at spec.Place) *spec.Expr {
	return &spec.Expr{Op: spec.OpConst, Type: &spec.Type{Kind: v.Kind, Nullable: v.Kind == spec.Null}, Value: v, At: at}
}

func (t *translator) expr(e celast.Expr) *spec.Expr {
	switch e.Kind() {
	case celast.LiteralKind:
		return t.literal(e)
	case celast.IdentKind:
		return t.field(e)
	case celast.SelectKind:
		if s := e.AsSelect(); s.IsTestOnly() {
			return t.has(e, s)
		}
		return t.field(e)
	case celast.CallKind:
		return t.call(e, e.AsCall())
	case celast.ListKind:
		return t.list(e)
	case celast.MapKind:
		return t.problem(e, CodeUnsupported, "a map is no value", "a map is for looking up: {'a': 1, 'b': 2}[x], or x in {'a': 1}")
	case celast.StructKind:
		return t.problem(e, CodeUnsupported, "a message cannot be made here", "")
	}
	return t.loop(e, e.AsComprehension())
}

func (t *translator) literal(e celast.Expr) *spec.Expr {
	v, ok := value(e.AsLiteral())
	if _, unsigned := e.AsLiteral().(types.Uint); unsigned {
		return t.problem(e, CodeUnsupported, "uint is not offered: no field has that type", "write an int, without the u")
	}
	if !ok {
		return t.problem(e, CodeUnsupported, "literals of type "+e.AsLiteral().Type().TypeName()+" are not offered", "write an int, a double, a string or a bool")
	}
	return constant(v, t.place(e))
}

// value converts what cel-go has as a constant. A time outside int64 nanoseconds has no value.
func value(of any) (spec.Value, bool) {
	switch v := of.(type) {
	case types.Bool:
		return spec.Value{Kind: spec.Bool, Bool: bool(v)}, true
	case types.Int:
		return spec.Value{Kind: spec.Int, Int: int64(v)}, true
	case types.Double:
		return spec.Value{Kind: spec.Double, Double: float64(v)}, true
	case types.String:
		return spec.Value{Kind: spec.String, String: string(v)}, true
	case types.Bytes:
		return spec.Value{Kind: spec.Bytes, String: string(v)}, true
	case types.Null:
		return spec.Value{Kind: spec.Null}, true
	case types.Duration:
		return spec.Value{Kind: spec.Duration, Int: int64(v.Duration)}, true
	case types.Timestamp:
		ok := !v.Before(time.Unix(0, math.MinInt64)) && !v.After(time.Unix(0, math.MaxInt64))
		return spec.Value{Kind: spec.Timestamp, Int: v.UnixNano()}, ok
	}
	return spec.Value{}, false
}

// field translates an identifier or a selection.
func (t *translator) field(e celast.Expr) *spec.Expr {
	path, ok := t.path(e)
	if !ok {
		return t.fieldOf(e)
	}
	if len(path) == 0 {
		if len(t.problems) == 0 {
			t.problem(e, CodeType, eventName+" is the whole row, not a value", "name one of its fields")
		}
		return constant(spec.Value{Kind: spec.Bool}, spec.Place{})
	}
	return &spec.Expr{Op: spec.OpField, Type: path[len(path)-1].Type, Path: path, At: t.place(e)}
}

// fieldOf translates the selection of fields of something that is no field: the element of a list.
func (t *translator) fieldOf(e celast.Expr) *spec.Expr {
	at := e
	var names []string
	for e.Kind() == celast.SelectKind {
		names = append(names, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
	}
	before := len(t.problems)
	of := t.expr(e)
	if len(t.problems) > before {
		return of
	}
	if of.Op != spec.OpIndex {
		return t.problem(e, CodeUnsupported, "fields are those of the row, of the element of a loop, or of list[i]", "")
	}
	out := &spec.Expr{Op: spec.OpField, Args: []*spec.Expr{of}, At: t.place(at)}
	for in := of.Type; len(names) > 0; names = names[:len(names)-1] {
		f := find(in.Struct, names[len(names)-1])
		out.Path = append(out.Path, f)
		in = f.Type
		out.Type = in
	}
	return out
}

// path is the way from the row to what e selects; empty of the row itself, and after a problem.
func (t *translator) path(e celast.Expr) ([]*spec.Field, bool) {
	switch e.Kind() {
	case celast.IdentKind:
		name := e.AsIdent()
		for _, item := range slices.Backward(t.items) {
			if item.Name == name {
				return []*spec.Field{item}, true
			}
		}
		if name == eventName {
			return nil, true
		}
		if typeNames[name] && find(t.row, name) == nil {
			t.problem(e, CodeType, name+" is the name of a type here", "")
			return nil, true
		}
		if f := t.visibleField(e, name); f != nil {
			return []*spec.Field{f}, true
		}
		return nil, true
	case celast.SelectKind:
		s := e.AsSelect()
		path, ok := t.path(s.Operand())
		if !ok {
			return nil, false
		}
		if len(path) == 0 {
			if f := t.visibleField(e, s.FieldName()); f != nil {
				return []*spec.Field{f}, true
			}
			return nil, true
		}
		last := path[len(path)-1].Type
		if last.Kind != spec.Object {
			return nil, false
		}
		return append(path[:len(path):len(path)], find(last.Struct, s.FieldName())), true
	}
	return nil, false
}

// visibleField is the field of that name in the row or, outside of aggregate functions, in the group. It complains when there is none.
func (t *translator) visibleField(e celast.Expr, name string) *spec.Field {
	if t.group == nil || t.inside {
		if f := find(t.row, name); f != nil {
			return f
		}
		t.problem(e, CodeOutside, name+" belongs to the window, not to a row: it cannot stand in an aggregate function", "")
		return nil
	}
	if f := find(t.group, name); f != nil {
		return f
	}
	t.problem(e, CodeOutside, name+" is not a key field: it differs from row to row of the window", "put it into an aggregate function, such as last("+name+"), or into key")
	return nil
}

func (t *translator) has(e celast.Expr, s celast.SelectExpr) *spec.Expr {
	factory := celast.NewExprFactory()
	field := t.field(factory.NewSelect(e.ID(), s.Operand(), s.FieldName()))
	return &spec.Expr{Op: spec.OpHas, Type: &spec.Type{Kind: spec.Bool}, Args: []*spec.Expr{field}, At: t.place(e)}
}

func (t *translator) list(e celast.Expr) *spec.Expr {
	elements := e.AsList().Elements()
	out := &spec.Expr{Op: spec.OpList, At: t.place(e)}
	elem := &spec.Type{Kind: spec.Null}
	before := len(t.problems)
	for _, x := range elements {
		a := t.expr(x)
		if a.Type.Kind == spec.Object {
			return t.problem(x, CodeUnsupported, "a list that is written out holds no structs", "")
		}
		if a.Type.Kind != spec.Null {
			elem = bare(a.Type)
		}
		out.Args = append(out.Args, a)
	}
	if len(t.problems) > before {
		return out.Args[0]
	}
	if len(elements) == 0 {
		if elem = typeOf(t.checked.GetType(e.ID()).Parameters()[0]); elem == nil {
			return t.problem(e, CodeUnsupported, "an empty list has no type", "")
		}
	}
	out.Type = &spec.Type{Kind: spec.List, Elem: elem}
	if t.sameScale(e, out.Args...) {
		for _, a := range out.Args {
			if a.Type.Kind == spec.Decimal {
				out.Type.Elem = bare(a.Type)
			}
		}
	}
	return out
}

// bare is t without null.
func bare(t *spec.Type) *spec.Type {
	b := *t
	b.Nullable = false
	return &b
}

// typeOf is a type of cel-go, nil where there is none in this language. Decimals get their scale, and lists of structs their struct, from elsewhere.
func typeOf(t *cel.Type) *spec.Type {
	kind, ok := kinds[t.Kind()]
	if !ok || kind == spec.Decimal && t.TypeName() != decimalType.TypeName() {
		return nil
	}
	if kind != spec.List {
		return &spec.Type{Kind: kind}
	}
	elem := typeOf(t.Parameters()[0])
	if elem == nil {
		return nil
	}
	return &spec.Type{Kind: kind, Elem: elem}
}

var kinds = map[types.Kind]spec.Kind{
	types.BoolKind: spec.Bool, types.IntKind: spec.Int, types.DoubleKind: spec.Double, types.StringKind: spec.String, types.BytesKind: spec.Bytes, types.OpaqueKind: spec.Decimal,
	types.TimestampKind: spec.Timestamp, types.DurationKind: spec.Duration, types.NullTypeKind: spec.Null, types.ListKind: spec.List, types.StructKind: spec.Object,
}
