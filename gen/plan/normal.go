package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// Normal is an expression in one form for all ways to write it that differ in spaces, parentheses, line breaks, and in the names of the variables of loops. Two expressions with one
// normal form over the same fields give the same values.
func Normal(e *spec.Expr) string { return normalizer{}.text(e) }

// normalizer knows the loops around an expression, and the calls of aggregates that it has the values of.
type normalizer struct {
	vars  []*spec.Field
	calls []*spec.Call
}

// infix are the operators that stand between their arguments.
var infix = map[spec.Op]string{
	spec.OpAnd: " && ", spec.OpOr: " || ", spec.OpEqual: " == ", spec.OpNotEqual: " != ", spec.OpLess: " < ", spec.OpLessEqual: " <= ", spec.OpGreater: " > ", spec.OpGreaterEqual: " >= ",
	spec.OpAdd: " + ", spec.OpSub: " - ", spec.OpMul: " * ", spec.OpDiv: " / ", spec.OpMod: " % ", spec.OpIn: " in ",
}

// calls are the operators that stand before their arguments.
var calls = map[spec.Op]string{
	spec.OpNot: "!", spec.OpNeg: "-", spec.OpSize: "size", spec.OpStartsWith: "startsWith", spec.OpEndsWith: "endsWith", spec.OpContains: "contains", spec.OpMatches: "matches",
	spec.OpHas: "has", spec.OpToBool: "bool", spec.OpToInt: "int", spec.OpToDouble: "double", spec.OpToString: "string", spec.OpToTimestamp: "timestamp", spec.OpToDuration: "duration",
	spec.OpToBytes: "bytes", spec.OpExists: "exists", spec.OpAll: "all", spec.OpExistsOne: "exists_one", spec.OpFilter: "filter", spec.OpMap: "map", spec.OpLookup: "lookup", spec.OpIndex: "at",
}

func (n normalizer) text(e *spec.Expr) string {
	if e.Var != nil {
		n.vars = append(n.vars[:len(n.vars):len(n.vars)], e.Var)
	}
	args := func() []string {
		all := make([]string, len(e.Args))
		for i, a := range e.Args {
			all[i] = n.text(a)
		}
		return all
	}
	switch e.Op {
	case spec.OpRequire, spec.OpFinite: // the types say where they stand
		return n.text(e.Args[0])
	case spec.OpConst:
		return constant(e.Value, e.Type)
	case spec.OpField:
		return n.path(e)
	case spec.OpCall:
		var args []string
		call := n.calls[e.Call]
		for _, a := range []*spec.Expr{call.Arg, call.Cond} {
			if a != nil {
				args = append(args, Normal(a))
			}
		}
		if call.N > 0 {
			args = append([]string{fmt.Sprint(call.N)}, args...)
			for _, f := range call.Fields {
				args = append(args, Normal(f))
			}
		}
		if call.Of > 0 {
			args = append(args, fmt.Sprintf("%d/%d", call.Part, call.Of))
		}
		return e.Func.String() + "(" + strings.Join(args, ", ") + ")"
	case spec.OpList:
		return "[" + strings.Join(args(), ", ") + "]"
	case spec.OpCond:
		a := args()
		return fmt.Sprintf("(%s ? %s : %s)", a[0], a[1], a[2])
	case spec.OpFunction:
		return e.Name + "(" + strings.Join(args(), ", ") + ")"
	}
	if sign := infix[e.Op]; sign != "" {
		return "(" + strings.Join(args(), sign) + ")"
	}
	return calls[e.Op] + "(" + strings.Join(args(), ", ") + ")"
}

// path is the way to a field.
func (n normalizer) path(e *spec.Expr) string {
	var parts []string
	if len(e.Args) > 0 {
		parts = append(parts, n.text(e.Args[0]))
	}
	for i, f := range e.Path {
		name := Quoted(f.Name)
		for depth, v := range n.vars {
			if i == 0 && v == f {
				name = fmt.Sprintf("$%d", depth+1)
			}
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ".")
}

// constant is a constant with what tells its type.
func constant(v spec.Value, t *spec.Type) string {
	switch v.Kind {
	case spec.Null:
		return "null"
	case spec.Bool:
		return strconv.FormatBool(v.Bool)
	case spec.Double:
		text := strconv.FormatFloat(v.Double, 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
		return text
	case spec.String:
		return strconv.Quote(v.String)
	case spec.Bytes:
		return "b" + strconv.Quote(v.String)
	case spec.Int:
		return strconv.FormatInt(v.Int, 10)
	}
	return fmt.Sprintf("%s(%d)", typeName(t), v.Int)
}

// typeName is a type as layouts have it, without whether it may be null.
func typeName(t *spec.Type) string {
	switch t.Kind {
	case spec.List:
		return "list of " + typeName(t.Elem)
	case spec.Decimal:
		return fmt.Sprintf("decimal(%d)", t.Scale)
	}
	return map[spec.Kind]string{spec.Bool: "bool", spec.Int: "int", spec.Double: "double", spec.String: "string", spec.Timestamp: "time", spec.Duration: "duration", spec.Bytes: "bytes",
		spec.Object: "struct", spec.Null: "null"}[t.Kind]
}

// Quoted is a name, in quotes where it has other characters than letters, digits and _.
func Quoted(name string) string {
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}
