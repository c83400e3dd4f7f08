package celexpr

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are looked up where the spec is read

	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/streamwright/streamwright/spec"
)

// macros are the loops over lists of CEL's standard library.
var macros = []string{"all", "exists", "exists_one", "map", "filter"}

// macroOf is the macro that a comprehension was made by. cel-go expands them as its parser/macro.go says: all and exists begin with a bool, exists_one with 0, the
// others with an empty list; filter adds the element itself.
func macroOf(c celast.ComprehensionExpr) string {
	switch init := c.AccuInit(); init.Kind() {
	case celast.LiteralKind:
		switch init.AsLiteral() {
		case types.True:
			return "all"
		case types.False:
			return "exists"
		}
		return "exists_one"
	}
	_, result := condition(c.LoopStep().AsCall())
	if result.Kind() == celast.IdentKind && result.AsIdent() == c.IterVar() && c.LoopStep().AsCall().FunctionName() == operators.Conditional {
		return "filter"
	}
	return "map"
}

// condition takes the step of map and filter apart: cond ? list + [result] : list, or list + [result].
func condition(step celast.CallExpr) (cond, result celast.Expr) {
	if step.FunctionName() == operators.Conditional {
		cond = step.Args()[0]
		step = step.Args()[1].AsCall()
	}
	return cond, step.Args()[1].AsList().Elements()[0]
}

// loop translates the macros that go over a list.
func (t *translator) loop(e celast.Expr, c celast.ComprehensionExpr) *spec.Expr {
	before := len(t.problems)
	list := t.expr(c.IterRange())
	if len(t.problems) > before {
		return list
	}
	name := macroOf(c)
	if list.Type.Kind != spec.List {
		return t.problem(e, CodeUnsupported, name+"() goes over a list", "")
	}
	if list.Op == spec.OpList {
		for _, a := range list.Args {
			if isNull(a) {
				return t.problem(e, CodeNull, "a list has no null, but behind in", "")
			}
		}
	}
	item := &spec.Field{Name: c.IterVar(), Type: bare(list.Type.Elem)}
	out := &spec.Expr{At: t.place(e), Args: []*spec.Expr{list}, Var: item, Type: &spec.Type{Kind: spec.Bool}}
	var operands []celast.Expr
	switch step := c.LoopStep().AsCall(); name {
	case "all", "exists":
		out.Op = map[string]spec.Op{"all": spec.OpAll, "exists": spec.OpExists}[name]
		operands = step.Args()[1:]
	case "exists_one":
		out.Op = spec.OpExistsOne
		operands = step.Args()[:1]
	case "filter":
		out.Op, out.Type = spec.OpFilter, bare(list.Type)
		operands = step.Args()[:1]
	default:
		out.Op = spec.OpMap
		cond, result := condition(step)
		operands = []celast.Expr{result}
		if cond != nil {
			operands = append(operands, cond)
		}
	}
	if list.Op == spec.OpFilter && list.Type.Elem.Kind == spec.Object { // of structs there is no list to put in between
		if out.Op != spec.OpMap || len(operands) > 1 {
			return t.problem(e, CodeUnsupported, name+"() cannot go over what filter() makes of structs", "put both conditions into one")
		}
		out.Args[0], out.Var = list.Args[0], list.Var
		item = &spec.Field{Name: c.IterVar(), Type: list.Var.Type}
	}
	t.items = append(t.items, item)
	for _, x := range operands {
		out.Args = append(out.Args, t.expr(x))
	}
	t.items = t.items[:len(t.items)-1]
	if len(t.problems) > before {
		return list
	}
	if out.Var != item {
		rename(out.Args[1], item, out.Var)
		out.Args = append(out.Args, list.Args[1])
	}
	for i, a := range out.Args[1:] {
		switch {
		case isNull(a):
			return t.problem(operands[i], CodeNull, "null cannot be used here: this would always fail", "")
		case out.Op == spec.OpMap && i == 0 && a.Type.Kind == spec.Object:
			return t.problem(operands[i], CodeUnsupported, "a list of structs cannot be made", "take one of its fields: map(x, x.field)")
		case out.Op == spec.OpMap && i == 0:
			out.Type = &spec.Type{Kind: spec.List, Elem: bare(a.Type)}
		}
	}
	return out
}

// rename makes the paths that begin with the element of a loop begin with that of another.
func rename(e *spec.Expr, from, to *spec.Field) {
	if len(e.Path) > 0 && e.Path[0] == from {
		e.Path = append([]*spec.Field{to}, e.Path[1:]...)
	}
	for _, a := range e.Args {
		rename(a, from, to)
	}
}

// zoned checks the zone of an accessor of a timestamp, and makes it one of the forms that OpFunction knows: an IANA name or "+hh:mm"; none for UTC.
func (t *translator) zoned(operands []celast.Expr, out *spec.Expr) bool {
	if out.Args[0].Type.Kind != spec.Timestamp || len(out.Args) < 2 {
		return true
	}
	complain := func(code, text string) bool {
		t.problem(operands[1], code, text, "write an IANA name such as 'Europe/Berlin', or an offset such as '+02:00'")
		return false
	}
	zone := out.Args[1]
	if zone.Op != spec.OpConst {
		return complain(CodeUnsupported, "the zone must be a constant")
	}
	name := zone.Value.String
	hour, minute, fixed := strings.Cut(name, ":")
	if !fixed {
		if _, err := time.LoadLocation(name); err != nil || name == "Local" {
			return complain(CodeConstant, t.describe(operands[1])+" is not a zone")
		}
		if name == "" || name == "UTC" {
			out.Args = out.Args[:1]
		}
		return true
	}
	h, err := strconv.Atoi(hour)
	m, err2 := strconv.Atoi(minute)
	if err != nil || err2 != nil || h < -23 || h > 23 || m < 0 || m > 59 {
		return complain(CodeConstant, t.describe(operands[1])+" is not an offset from UTC")
	}
	sign := "+"
	if hour[0] == '-' {
		sign, h = "-", -h
	}
	two := func(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }
	zone.Value.String = sign + two(h) + ":" + two(m)
	if h == 0 && m == 0 {
		out.Args = out.Args[:1]
	}
	return true
}

// notOffered says of functions that cel-go has, and this language not, what to write instead.
var notOffered = map[string]string{
	"format":        "put the parts together with + and string()",
	"strings.quote": "put the quotes around it with +",
}
