package celexpr

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/streamwright/streamwright/spec"
)

// ops are the functions and operators that are offered.
var ops = map[string]spec.Op{
	operators.LogicalNot: spec.OpNot, operators.LogicalAnd: spec.OpAnd, operators.LogicalOr: spec.OpOr, operators.Conditional: spec.OpCond,
	operators.Equals: spec.OpEqual, operators.NotEquals: spec.OpNotEqual,
	operators.Less: spec.OpLess, operators.LessEquals: spec.OpLessEqual, operators.Greater: spec.OpGreater, operators.GreaterEquals: spec.OpGreaterEqual,
	operators.Add: spec.OpAdd, operators.Subtract: spec.OpSub, operators.Multiply: spec.OpMul, operators.Divide: spec.OpDiv, operators.Modulo: spec.OpMod,
	operators.Negate: spec.OpNeg, operators.In: spec.OpIn, operators.Index: spec.OpIndex,
	"size": spec.OpSize, "startsWith": spec.OpStartsWith, "endsWith": spec.OpEndsWith, "contains": spec.OpContains, "matches": spec.OpMatches,
	"bool": spec.OpToBool, "int": spec.OpToInt, "double": spec.OpToDouble, "string": spec.OpToString, "timestamp": spec.OpToTimestamp, "duration": spec.OpToDuration, "bytes": spec.OpToBytes,
}

func (t *translator) call(e celast.Expr, c celast.CallExpr) *spec.Expr {
	name := c.FunctionName()
	if _, ok := aggregateFuncs[name]; ok && t.group != nil {
		return t.aggregate(e, name, c.Args())
	}
	if name == "decimal" {
		return t.decimal(e, c.Args()[0])
	}
	if args := c.Args(); name == operators.Index && args[0].Kind() == celast.MapKind {
		return t.lookup(e, args[1], args[0].AsMap())
	} else if name == operators.In && args[1].Kind() == celast.MapKind {
		return t.inMap(e, args[0], args[1].AsMap())
	}
	op, ok := ops[name]
	if f := written(name); !ok && functions[f] {
		op, ok = spec.OpFunction, true
	}
	if !ok {
		return t.problem(e, CodeUnsupported, name+"() is not offered", notOffered[name])
	}
	operands := c.Args()
	if c.IsMemberFunction() {
		operands = append([]celast.Expr{c.Target()}, operands...)
	}
	out := &spec.Expr{Op: op, At: t.place(e)}
	if op == spec.OpFunction {
		out.Name = written(name)
		if strings.HasPrefix(name, "math.@") && len(operands) == 1 && operands[0].Kind() == celast.ListKind {
			operands = operands[0].AsList().Elements() // more than two, or what is the same
		}
	}
	before := len(t.problems)
	for _, x := range operands {
		out.Args = append(out.Args, t.expr(x))
	}
	if len(t.problems) > before {
		return out.Args[0]
	}
	if a := out.Args[0]; out.Op == spec.OpSize && a.Op == spec.OpFilter && a.Type.Elem.Kind == spec.Object { // a list of them is not made: count instead
		one := constant(spec.Value{Kind: spec.Int, Int: 1}, a.At)
		out.Args[0] = &spec.Expr{Op: spec.OpMap, Args: []*spec.Expr{a.Args[0], one, a.Args[1]}, Var: a.Var, Type: &spec.Type{Kind: spec.List, Elem: one.Type}, At: a.At}
	}
	out.Type = t.resultType(e, out)
	if !t.allowed(e, out, operands) {
		return constant(spec.Value{Kind: spec.Bool}, spec.Place{})
	}
	return t.fold(e, out)
}

func (t *translator) resultType(e celast.Expr, out *spec.Expr) *spec.Type {
	switch out.Op {
	case spec.OpCond: // of cel-go it may be null when one side is
		if out.Args[1].Type.Kind == spec.Null {
			return bare(out.Args[2].Type)
		}
		return bare(out.Args[1].Type)
	case spec.OpIndex:
		if out.Args[0].Type.Kind == spec.List {
			return out.Args[0].Type.Elem
		}
	case spec.OpAdd, spec.OpSub, spec.OpNeg:
		if k := out.Args[0].Type.Kind; k == spec.List || k == spec.Decimal {
			return bare(out.Args[0].Type)
		}
	}
	if of := typeOf(t.checked.GetType(e.ID())); of != nil {
		return of
	}
	return &spec.Type{}
}

const (
	noFiltered   = "a list of structs that filter() makes is no value"
	filteredHint = "write list.exists(x, …), or take a field of them: list.filter(x, …).map(x, x.field)"
)

// allowed complains about what cel-go's checker lets pass and this language does not.
func (t *translator) allowed(e celast.Expr, out *spec.Expr, operands []celast.Expr) bool {
	complain := func(code, text, hint string) bool {
		t.problem(e, code, text, hint)
		return false
	}
	for _, a := range out.Args {
		if a.Op == spec.OpList && out.Op != spec.OpIn && slices.ContainsFunc(a.Args, isNull) {
			return complain(CodeNull, "a list has no null, but behind in", "")
		}
		if a.Op == spec.OpFilter && a.Type.Elem.Kind == spec.Object {
			return complain(CodeUnsupported, noFiltered, filteredHint)
		}
	}
	if !t.scales(e, out) {
		return false
	}
	switch out.Op {
	case spec.OpEqual, spec.OpNotEqual:
		a, b, name := out.Args[0], out.Args[1], t.describe(operands[0])
		if isNull(a) {
			a, b, name = b, a, t.describe(operands[1])
		}
		if isNull(b) {
			if isNull(a) || a.Type.Nullable || a.Op == spec.OpCond {
				return true
			}
			return complain(CodeNull, name+" is never null: the comparison always gives the same", "leave it out")
		}
		if a.Type.Kind == spec.Object || a.Type.Kind == spec.List && (a.Type.Elem.Kind == spec.List || a.Type.Elem.Kind == spec.Object) {
			return complain(CodeUnsupported, kindName(a.Type)+" cannot be compared", "compare its parts")
		}
		return t.different(e, out)
	case spec.OpAnd, spec.OpOr:
		if a, b := contradiction(out); a != "" {
			return complain(CodeConstant, contradictions[out.Op], "it cannot be "+a+" and "+b+" at once: "+map[spec.Op]string{spec.OpAnd: "write || for \"or\"", spec.OpOr: "write && for \"and\""}[out.Op])
		}
		return true
	case spec.OpHas, spec.OpIn, spec.OpCond:
		if out.Op == spec.OpCond && (out.Type.Kind == spec.Object || out.Type.Kind == spec.List && out.Type.Elem.Kind == spec.Object) {
			return complain(CodeUnsupported, "?: cannot choose "+kindName(out.Type), "choose among plain values")
		}
		if of := out.Args[len(out.Args)-1].Type; out.Op == spec.OpIn && of.Kind != spec.List {
			return complain(CodeUnsupported, "in looks only into lists", "")
		} else if out.Op == spec.OpIn && (of.Elem.Kind == spec.List || of.Elem.Kind == spec.Object) {
			return complain(CodeUnsupported, "in does not look for "+kindName(of.Elem), "write list.exists(x, …)")
		}
		return true
	case spec.OpLess, spec.OpLessEqual, spec.OpGreater, spec.OpGreaterEqual:
		if !t.different(e, out) {
			return false
		}
	case spec.OpMatches:
		if out.Args[1].Op != spec.OpConst {
			return complain(CodeUnsupported, "the pattern of matches() must be a constant", "write it as a string literal; for a plain piece of text use contains(), startsWith() or endsWith()")
		}
	}
	for _, a := range out.Args {
		if isNull(a) {
			return complain(CodeNull, "null cannot be used here: this would always fail", "")
		}
		if a.Type.Kind == spec.List && a.Type.Elem.Kind == spec.Object && out.Op == spec.OpAdd {
			return complain(CodeUnsupported, "lists of structs cannot be added", "")
		}
	}
	switch out.Type.Kind {
	case spec.Bool, spec.Int, spec.Double, spec.String, spec.Bytes, spec.Timestamp, spec.Duration, spec.Decimal, spec.List:
		return out.Op != spec.OpFunction || t.zoned(operands, out)
	case spec.Object:
		return out.Op == spec.OpIndex
	}
	if out.Op == spec.OpFunction && strings.HasPrefix(out.Name, "math.") {
		return complain(CodeType, out.Name+"() does not take "+joined(kindsOf(out.Args)), "convert with double() or int()")
	}
	return complain(CodeUnsupported, "values of this type are not offered", "")
}

// different complains when both sides of a comparison are the same field.
func (t *translator) different(e celast.Expr, out *spec.Expr) bool {
	if out.Args[0].Op == spec.OpField && spec.Same(out.Args[0], out.Args[1]) {
		t.problem(e, CodeConstant, "both sides are the same field", "compare it with another")
		return false
	}
	return true
}

var contradictions = map[spec.Op]string{spec.OpAnd: "this is never true", spec.OpOr: "this is always true"}

// contradiction finds x == 'a' && x == 'b' and x != 'a' || x != 'b', with the two constants as they would be written.
func contradiction(e *spec.Expr) (a, b string) {
	op := map[spec.Op]spec.Op{spec.OpAnd: spec.OpEqual, spec.OpOr: spec.OpNotEqual}[e.Op]
	var all []*spec.Expr
	var collect func(*spec.Expr)
	collect = func(x *spec.Expr) {
		for _, a := range x.Args {
			if a.Op == e.Op {
				collect(a)
			} else if a.Op == op && a.Args[1].Op == spec.OpConst && a.Args[0].Op == spec.OpField && a.Args[1].Value.Kind != spec.Null && a.Args[1].Value.Kind != spec.Bool {
				all = append(all, a)
			}
		}
	}
	collect(e)
	for i, x := range all {
		for _, y := range all[:i] {
			if spec.Same(x.Args[0], y.Args[0]) && x.Args[1].Value != y.Args[1].Value {
				return constantText(y.Args[1]), constantText(x.Args[1])
			}
		}
	}
	return "", ""
}

func constantText(e *spec.Expr) string {
	switch v := e.Value; v.Kind {
	case spec.Decimal:
		return decimalText(v.Int, e.Type.Scale)
	case spec.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	case spec.String, spec.Bytes:
		return "'" + v.String + "'"
	case spec.Timestamp:
		return time.Unix(0, v.Int).UTC().Format(time.RFC3339Nano)
	case spec.Duration:
		return time.Duration(v.Int).String()
	}
	return strconv.FormatInt(e.Value.Int, 10)
}

func isNull(e *spec.Expr) bool { return e.Op == spec.OpConst && e.Value.Kind == spec.Null }

// fold evaluates what is constant by cel-go itself. What faults stays, and faults at run time. The text of a time is made at run time too: there times have no zone.
func (t *translator) fold(e celast.Expr, out *spec.Expr) *spec.Expr {
	for _, a := range out.Args {
		if !isConstant(a) {
			return out
		}
	}
	switch of := out.Args[0].Type.Kind; {
	case of == spec.Timestamp && (out.Op == spec.OpToString || out.Op == spec.OpFunction):
		return out
	case of == spec.Decimal || out.Op == spec.OpIn && out.Args[1].Type.Elem.Kind == spec.Decimal:
		return foldDecimal(out)
	}
	program, err := t.env.PlanProgram(celast.NewAST(e, t.info))
	if err != nil {
		return out
	}
	result, _, err := program.Eval(cel.NoVars())
	if err != nil {
		return out
	}
	v, ok := value(result)
	if !ok {
		if out.Op == spec.OpToTimestamp {
			return t.problem(e, CodeConstant, "the time is outside the range of times", "between 1677-09-21 and 2262-04-11")
		}
		return out
	}
	return constant(v, out.At)
}

func isConstant(e *spec.Expr) bool {
	if e.Op == spec.OpList {
		for _, a := range e.Args {
			if !isConstant(a) {
				return false
			}
		}
		return true
	}
	return e.Op == spec.OpConst
}
