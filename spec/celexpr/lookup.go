package celexpr

import (
	celast "cel.dev/cel-go/common/ast"

	"github.com/streamwright/streamwright/spec"
)

// lookup translates {key: value, …}[x].
func (t *translator) lookup(e, x celast.Expr, m celast.MapExpr) *spec.Expr {
	before := len(t.problems)
	out := &spec.Expr{Op: spec.OpLookup, At: t.place(e), Args: []*spec.Expr{t.expr(x)}}
	keys := t.keys(e, m)
	var values []*spec.Expr
	for i, entry := range m.Entries() {
		v := t.expr(entry.AsMapEntry().Value())
		if v.Type.Kind == spec.Object || v.Type.Kind == spec.List && v.Type.Elem.Kind == spec.Object {
			return t.problem(e, CodeUnsupported, "a map holds no structs", "")
		}
		if v.Type.Kind != spec.Null {
			out.Type = bare(v.Type)
		}
		values = append(values, v)
		if len(t.problems) == before {
			out.Args = append(out.Args, keys[i], v)
		}
	}
	switch {
	case len(t.problems) > before:
		return out.Args[0]
	case isNull(out.Args[0]) || out.Type == nil:
		return t.problem(e, CodeNull, "null cannot be used here: this would always fail", "")
	}
	if t.sameScale(e, values...) {
		out.Type = bare(values[0].Type)
	}
	if len(t.problems) > before {
		return out.Args[0]
	}
	return t.fold(e, out)
}

// inMap translates x in {key: value, …}; the values must not be able to fail, since they count for nothing here.
func (t *translator) inMap(e, x celast.Expr, m celast.MapExpr) *spec.Expr {
	before := len(t.problems)
	sought := t.expr(x)
	keys := t.keys(e, m)
	for _, entry := range m.Entries() {
		if v := t.expr(entry.AsMapEntry().Value()); len(t.problems) == before && v.Op != spec.OpConst {
			return t.problem(e, CodeUnsupported, "the values of a map behind in must be constants", "write x in [key, …]")
		}
	}
	if len(t.problems) > before {
		return sought
	}
	list := &spec.Expr{Op: spec.OpList, Args: keys, Type: &spec.Type{Kind: spec.List, Elem: bare(keys[0].Type)}, At: t.place(e)}
	return t.fold(e, &spec.Expr{Op: spec.OpIn, Args: []*spec.Expr{sought, list}, Type: &spec.Type{Kind: spec.Bool}, At: t.place(e)})
}

// keys are the keys of a map: constants, no two of them equal.
func (t *translator) keys(e celast.Expr, m celast.MapExpr) []*spec.Expr {
	if m.Size() == 0 {
		t.problem(e, CodeUnsupported, "the map is empty", "")
	}
	var keys []*spec.Expr
	for _, entry := range m.Entries() {
		key := entry.AsMapEntry().Key()
		k := t.expr(key)
		switch {
		case k.Op != spec.OpConst || k.Type.Kind != spec.Int && k.Type.Kind != spec.String && k.Type.Kind != spec.Bool:
			t.problem(key, CodeUnsupported, "the keys of a map are constants: strings, ints or bools", "")
		case entry.AsMapEntry().IsOptional():
			t.problem(key, CodeUnsupported, "an optional entry is not offered", "")
		}
		for _, known := range keys {
			if known.Value == k.Value {
				t.problem(key, CodeConstant, "the key "+constantText(k)+" stands twice", "")
			}
		}
		keys = append(keys, k)
	}
	return keys
}
