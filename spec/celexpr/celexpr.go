// Package celexpr is the door to CEL: the text of an expression in, a typed tree of package spec out. cel-go parses and type-checks; nothing of it leaves.
//
// The environment is cel-go's standard library without dyn, type, uint and maps, without cross-type comparison of numbers, with list literals of one type, constant
// patterns and constant zones; beside it are cel-go's string extension without format and quote, its math extension, and decimals. Timestamps have no zone. Every field of the row is a variable where its name is a CEL identifier; all are fields of the variable event, those with other names as
// event.`user-id`. Fields that may be missing or null are wrapper types. has(event.x) means that x is not null.
package celexpr

import (
	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/streamwright/streamwright/spec"
)

// Problem is one mistake in an expression.
type Problem struct {
	Offset int    // bytes from the beginning of the text
	Code   string // one of Codes
	Text   string // what is wrong
	Hint   string // what would be right; may be empty
}

// The codes of problems.
const (
	CodeSyntax      = "expr-syntax"        // not CEL
	CodeName        = "expr-name"          // no such field or function
	CodeType        = "expr-type"          // an operator or function does not take these types
	CodeNull        = "expr-null"          // null where it is always, or never, the answer
	CodeUnsupported = "expr-unsupported"   // CEL that is not offered here
	CodeConstant    = "expr-constant"      // a pattern, time or duration that cannot be read, or a condition that is always the same
	CodeAggregate   = "expr-aggregate"     // an aggregate function where there is nothing to aggregate, or inside another
	CodeOutside     = "expr-outside-group" // a field outside an aggregate function that is not the same in the whole group
)

// Codes are all codes of problems.
var Codes = []string{CodeSyntax, CodeName, CodeType, CodeNull, CodeUnsupported, CodeConstant, CodeAggregate, CodeOutside}

// Row compiles an expression over the fields of one row. at gives the place of a byte of text. The expression is nil when there are problems.
func Row(text string, row *spec.Struct, at func(offset int) spec.Place) (*spec.Expr, []Problem) {
	return compile(&translator{text: text, row: row, at: at})
}

// Aggregate compiles an expression over the aggregate functions of a window: their arguments see the fields of in, the rest those of group (the key fields and
// the window's bounds). The calls that it makes are appended to calls, unless an equal one is there already; OpCall has the index in it. A call over a
// field that is never null has a type that is not nullable, because a window has at least one row.
func Aggregate(text string, in, group *spec.Struct, at func(offset int) spec.Place, calls *[]*spec.Call) (*spec.Expr, []Problem) {
	return compile(&translator{text: text, row: in, group: group, calls: calls, at: at})
}

func compile(t *translator) (*spec.Expr, []Problem) {
	env, err := t.environment()
	if err != nil {
		return nil, []Problem{{Code: CodeSyntax, Text: "the fields of the row do not form a CEL environment: " + err.Error()}}
	}
	t.env = env
	parsed, issues := env.Parse(t.text)
	if issues.Err() != nil {
		return nil, []Problem{t.syntax(issues)}
	}
	t.info = parsed.NativeRep().SourceInfo()
	t.parsed = parsed.NativeRep()
	t.fieldsBeforeTypes()
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, t.explain(issues)
	}
	t.checked = checked.NativeRep()
	known := 0
	if t.calls != nil {
		known = len(*t.calls)
	}
	e := t.expr(t.checked.Expr())
	if len(t.problems) == 0 && e.Type.Kind == spec.Null {
		t.problem(t.checked.Expr(), CodeNull, "the value is always null", "")
	}
	if len(t.problems) == 0 && e.Op == spec.OpFilter && e.Type.Elem.Kind == spec.Object {
		t.problem(t.checked.Expr(), CodeUnsupported, noFiltered, filteredHint)
	}
	if len(t.problems) == 0 && e.Op != spec.OpField && e.Op != spec.OpCall && (e.Type.Kind == spec.Object || e.Type.Kind == spec.List && e.Type.Elem.Kind == spec.Object) {
		t.problem(t.checked.Expr(), CodeUnsupported, "the value would be a struct of a list, or a list of them", "take one of its fields")
	}
	if len(t.problems) == 0 && t.calls != nil && (e.Type.Kind == spec.Object || e.Type.Kind == spec.List && e.Type.Elem.Kind == spec.List) {
		t.problem(t.checked.Expr(), CodeType, "an aggregate gives a plain value or a list, not "+kindName(e.Type), "")
	}
	if len(t.problems) > 0 {
		if t.calls != nil {
			*t.calls = (*t.calls)[:known]
		}
		return nil, t.problems
	}
	e = spec.Resolve(e)
	e.Text = t.text
	return e, nil
}

// fieldsBeforeTypes makes a bare name that CEL has for a type, such as type or int, mean the field of that name when there is one.
func (t *translator) fieldsBeforeTypes() {
	build := celast.NewExprFactory()
	next := t.parsed.IDs()
	elements := map[string]bool{} // of loops, which go before fields
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		if e.Kind() == celast.ComprehensionKind {
			elements[e.AsComprehension().IterVar()] = true
		}
	}))
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		if e.Kind() != celast.IdentKind || !typeNames[e.AsIdent()] || elements[e.AsIdent()] {
			return
		}
		name := e.AsIdent()
		for _, f := range t.visible() {
			if f.Name != name {
				continue
			}
			var event int64
			for event = e.ID() + 1; next[event]; event++ {
			}
			next[event] = true
			if at, ok := t.info.GetOffsetRange(e.ID()); ok {
				t.info.SetOffsetRange(event, at)
			}
			e.SetKindCase(build.NewSelect(e.ID(), build.NewIdent(event, eventName), name))
			return
		}
	}))
}

// celType is the type of a field in the environment.
func (t *translator) celType(of *spec.Type) *cel.Type {
	var plain *cel.Type
	switch of.Kind {
	case spec.Bool:
		plain = cel.BoolType
	case spec.Int:
		plain = cel.IntType
	case spec.Double:
		plain = cel.DoubleType
	case spec.String:
		plain = cel.StringType
	case spec.Bytes:
		plain = cel.BytesType
	case spec.Decimal:
		return decimalType // takes null as it is, as the two that follow
	case spec.Timestamp:
		return cel.TimestampType
	case spec.Duration:
		return cel.DurationType
	case spec.List:
		return cel.ListType(t.celType(of.Elem))
	default:
		return cel.ObjectType(t.typeName(of.Struct))
	}
	if of.Nullable {
		return types.NewNullableType(plain)
	}
	return plain
}
