package conformance

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/parser"
	"cel.dev/expr"
	conformance "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
)

// attempt is one expression of a test, translated.
type attempt struct {
	name string
	text string
	expr *spec.Expr
	vars []variable
	test *conformance.SimpleTest
}

// variable is a field of the row of an attempt, and its value in Go.
type variable struct {
	field *spec.Field
	value string
}

// attempts translates a test as it is written and with its constants in variables; reason says why neither can be.
func attempts(name string, test *conformance.SimpleTest) (all []*attempt, reason string) {
	switch {
	case test.DisableCheck:
		return nil, "not type-checked"
	case test.CheckOnly:
		return nil, "asks only for the type"
	case test.GetUnknown() != nil || test.GetAnyUnknowns() != nil:
		return nil, "asks for unknowns"
	}
	vars, reason := bindings(test)
	if reason != "" {
		return nil, reason
	}
	plain, reason := translate(name, test, test.Expr, vars)
	if plain != nil {
		all = append(all, plain)
	}
	if text, lifted := lift(test.Expr); len(lifted) > 0 {
		if a, _ := translate(name, test, text, append(vars[:len(vars):len(vars)], lifted...)); a != nil {
			all = append(all, a)
		}
	}
	if len(all) > 0 {
		reason = ""
	}
	return all, reason
}

func translate(name string, test *conformance.SimpleTest, text string, vars []variable) (*attempt, string) {
	row := &spec.Struct{Name: "Row"}
	for _, v := range vars {
		row.Fields = append(row.Fields, v.field)
	}
	e, problems := celexpr.Row(text, row, func(offset int) spec.Place { return spec.Place{Pos: diag.Pos{Line: 1, Col: offset}} })
	if e == nil && problems[0].Code == celexpr.CodeSyntax {
		return nil, "has syntax that is not offered"
	}
	if e == nil {
		return nil, problems[0].Text
	}
	return &attempt{name, text, e, vars, test}, ""
}

// bindings are the variables of a test.
func bindings(test *conformance.SimpleTest) ([]variable, string) {
	var vars []variable
	for _, d := range test.TypeEnv {
		ident := d.GetIdent()
		if ident == nil {
			return nil, "declares a function"
		}
		of := typeOf(ident.Type)
		if strings.Contains(d.Name, ".") || test.Container != "" {
			return nil, "has a variable in a container of names"
		}
		if of == nil {
			return nil, "has a variable of a type that no field has"
		}
		bound := test.Bindings[d.Name].GetValue()
		value := goValue(bound, of)
		if value == "" {
			return nil, "has a variable without a value"
		}
		vars = append(vars, variable{&spec.Field{Name: d.Name, Type: of}, value})
	}
	return vars, ""
}

// typeOf is the type of a field, nil where there is none.
func typeOf(t *expr.Type) *spec.Type {
	switch t := t.GetTypeKind().(type) {
	case *expr.Type_Primitive:
		kind := map[expr.Type_PrimitiveType]spec.Kind{expr.Type_BOOL: spec.Bool, expr.Type_INT64: spec.Int, expr.Type_DOUBLE: spec.Double, expr.Type_STRING: spec.String, expr.Type_BYTES: spec.Bytes}[t.Primitive]
		if kind == 0 {
			return nil
		}
		return &spec.Type{Kind: kind}
	case *expr.Type_ListType_:
		if elem := typeOf(t.ListType.ElemType); elem != nil {
			return &spec.Type{Kind: spec.List, Elem: elem}
		}
	}
	return nil
}

// goValue writes a value in Go, "" when it is not of the type.
func goValue(v *expr.Value, of *spec.Type) string {
	switch v := v.GetKind().(type) {
	case *expr.Value_BoolValue:
		return strconv.FormatBool(v.BoolValue)
	case *expr.Value_Int64Value:
		return fmt.Sprintf("int64(%d)", v.Int64Value)
	case *expr.Value_DoubleValue:
		return fmt.Sprintf("math.Float64frombits(%#x)", math.Float64bits(v.DoubleValue))
	case *expr.Value_StringValue:
		return strconv.Quote(v.StringValue)
	case *expr.Value_BytesValue:
		return strconv.Quote(string(v.BytesValue))
	case *expr.Value_ListValue:
		words := "in"
		for _, e := range v.ListValue.Values {
			if of.Kind != spec.List || of.Elem.Kind == spec.List {
				return ""
			}
			word := goValue(e, of.Elem)
			switch of.Elem.Kind {
			case spec.Bool:
				word = "expr.WordBool(" + word + ")"
			case spec.Double:
				word = "math.Float64bits(" + word + ")"
			case spec.String, spec.Bytes:
				word = "in.KeepText(" + word + ").Word()"
			default:
				word = fmt.Sprintf("%d", uint64(e.GetInt64Value()))
			}
			words += ", " + word
		}
		return "expr.ListOf(" + words + ")"
	}
	return ""
}

// lift replaces the literals of an expression by variables, but for patterns, zones and decimals, which must be constant.
func lift(text string) (string, []variable) {
	env, err := cel.NewEnv(cel.ClearMacros(), cel.EnableIdentifierEscapeSyntax())
	if err != nil {
		return text, nil
	}
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return text, nil
	}
	constant := map[int64]bool{}
	tree, info := parsed.NativeRep().Expr(), parsed.NativeRep().SourceInfo()
	celast.PreOrderVisit(tree, celast.NewExprVisitor(func(e celast.Expr) {
		if e.Kind() != celast.CallKind {
			return
		}
		if name := e.AsCall().FunctionName(); name == "matches" || name == "decimal" || strings.HasPrefix(name, "get") {
			for _, a := range e.AsCall().Args() {
				constant[a.ID()] = true
			}
		}
	}))
	var vars []variable
	build := celast.NewExprFactory()
	celast.PostOrderVisit(tree, celast.NewExprVisitor(func(e celast.Expr) {
		if e.Kind() != celast.LiteralKind || constant[e.ID()] {
			return
		}
		v := variable{field: &spec.Field{Name: fmt.Sprintf("lit%d", len(vars)), Type: &spec.Type{}}}
		switch c := e.AsLiteral().(type) {
		case types.Bool:
			v.field.Type.Kind, v.value = spec.Bool, strconv.FormatBool(bool(c))
		case types.Int:
			v.field.Type.Kind, v.value = spec.Int, fmt.Sprintf("int64(%d)", c)
		case types.Double:
			v.field.Type.Kind, v.value = spec.Double, fmt.Sprintf("math.Float64frombits(%#x)", math.Float64bits(float64(c)))
		case types.String:
			v.field.Type.Kind, v.value = spec.String, strconv.Quote(string(c))
		case types.Bytes:
			v.field.Type.Kind, v.value = spec.Bytes, strconv.Quote(string(c))
		default:
			return
		}
		e.SetKindCase(build.NewIdent(e.ID(), v.field.Name))
		vars = append(vars, v)
	}))
	lifted, err := parser.Unparse(tree, info)
	if err != nil {
		return text, nil
	}
	return lifted, vars
}

// differs are the tests in which cel-go has another result than they want, which is then ours.
var differs = map[string]string{
	"string_ext/value_errors/indexof_out_of_range":     "cel-go gives -1 behind the end",
	"string_ext/value_errors/lastindexof_out_of_range": "cel-go gives -1 behind the end",
}

// judge compares what came out with what the test wants. outside says that the language gives a fault of its own where CEL has a value.
func (a *attempt) judge(got string) (problem, outside string) {
	if reason := differs[a.name]; reason != "" {
		return "", reason
	}
	switch {
	case a.test.GetEvalError() != nil || a.test.GetAnyEvalErrors() != nil:
		if !strings.HasPrefix(got, "fault ") {
			return "got " + got + ", want an error", ""
		}
		return "", ""
	case strings.HasSuffix(got, "(1677-09-21 to 2262-04-11)"):
		return "", "a time outside int64 nanoseconds"
	}
	want := a.test.GetValue()
	if a.test.GetTypedResult() != nil {
		want = a.test.GetTypedResult().Result
	}
	text := "true" // without a matcher
	if want != nil {
		text = shown(want)
	}
	if d, ok := want.GetKind().(*expr.Value_DoubleValue); ok && (math.IsNaN(d.DoubleValue) || math.IsInf(d.DoubleValue, 0)) && got == "fault result is not a finite number" {
		return "", ""
	}
	if got != text {
		return "got " + got + ", want " + text, ""
	}
	return "", ""
}

// shown writes a value as the program does.
func shown(v *expr.Value) string {
	switch v := v.GetKind().(type) {
	case *expr.Value_NullValue:
		return "null"
	case *expr.Value_BoolValue:
		return strconv.FormatBool(v.BoolValue)
	case *expr.Value_Int64Value:
		return strconv.FormatInt(v.Int64Value, 10)
	case *expr.Value_DoubleValue:
		return fmt.Sprintf("double %x", math.Float64bits(v.DoubleValue+0))
	case *expr.Value_StringValue:
		return strconv.Quote(v.StringValue)
	case *expr.Value_BytesValue:
		return strconv.Quote(string(v.BytesValue))
	case *expr.Value_ListValue:
		var all []string
		for _, e := range v.ListValue.Values {
			all = append(all, shown(e))
		}
		return "[" + strings.Join(all, " ") + "]"
	case *expr.Value_ObjectValue:
		m, err := v.ObjectValue.UnmarshalNew()
		if err != nil {
			return err.Error()
		}
		switch m := m.(type) {
		case *timestamppb.Timestamp:
			return strconv.FormatInt(m.AsTime().UnixNano(), 10)
		case *durationpb.Duration:
			return strconv.FormatInt(int64(m.AsDuration()/time.Nanosecond), 10)
		}
	}
	return fmt.Sprint(v)
}
