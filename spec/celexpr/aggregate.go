package celexpr

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/streamwright/streamwright/spec"
)

// aggregateForm is a form of an aggregate function: plain, or with a condition as its last operand.
type aggregateForm struct {
	of   spec.AggregateFunc
	cond bool
}

// aggregateFuncs are the forms by the names that expressions call them by.
var aggregateFuncs = func() map[string]aggregateForm {
	forms := map[string]aggregateForm{}
	for f := range spec.AggregateFuncs {
		forms[f.String()] = aggregateForm{of: f}
		if f.Conditional() {
			forms[f.String()+"_if"] = aggregateForm{f, true}
		}
	}
	return forms
}()

// aggregates declares the aggregate functions. Their results may be null as far as cel-go is concerned; the translator knows better where they cannot.
func aggregates() []cel.EnvOption {
	options := []cel.EnvOption{
		cel.Function("count", cel.Overload("count_rows", nil, cel.IntType), cel.Overload("count_values", []*cel.Type{cel.TypeParamType("A")}, cel.IntType)),
		cel.Function("count_if", cel.Overload("count_if_bool", []*cel.Type{cel.BoolType}, cel.IntType)),
	}
	over := func(f spec.AggregateFunc, result *cel.Type, of ...*cel.Type) { // nil: the result is of the operand's type
		var plain, conditional []cel.FunctionOpt
		for _, p := range of {
			r := result
			if r == nil {
				r = p
			}
			if r != cel.TimestampType && r != cel.DurationType && r != decimalType {
				r = types.NewNullableType(r)
			}
			name := f.String() + "_" + p.TypeName()
			plain = append(plain, cel.Overload(name, []*cel.Type{p}, r))
			conditional = append(conditional, cel.Overload(name+"_if", []*cel.Type{p, cel.BoolType}, r))
		}
		options = append(options, cel.Function(f.String(), plain...), cel.Function(f.String()+"_if", conditional...))
	}
	numbers := []*cel.Type{cel.IntType, cel.DoubleType, decimalType}
	ordered := []*cel.Type{cel.IntType, cel.DoubleType, cel.StringType, cel.TimestampType, cel.DurationType, cel.BoolType, cel.BytesType, decimalType}
	over(spec.Sum, nil, numbers...)
	for _, f := range []spec.AggregateFunc{spec.Avg, spec.Variance, spec.Stddev} {
		over(f, cel.DoubleType, numbers...)
	}
	for _, f := range []spec.AggregateFunc{spec.Min, spec.Max, spec.First, spec.Last} {
		over(f, nil, ordered...)
	}
	any := cel.TypeParamType("A")
	options = append(options,
		cel.Function("distinct", cel.Overload("distinct_values", []*cel.Type{any}, cel.IntType)),
		cel.Function("distinct_if", cel.Overload("distinct_values_if", []*cel.Type{any, cel.BoolType}, cel.IntType)),
		cel.Function("approx_distinct", cel.Overload("approx_distinct_values", []*cel.Type{any}, cel.IntType)),
		cel.Function("approx_distinct_if", cel.Overload("approx_distinct_values_if", []*cel.Type{any, cel.BoolType}, cel.IntType)),
	)
	var approx, approxIf []cel.FunctionOpt
	for _, x := range numbers {
		for _, p := range []*cel.Type{cel.IntType, cel.DoubleType} {
			name, r := fmt.Sprintf("approx_percentile_%s_%s", x.TypeName(), p.TypeName()), types.NewNullableType(cel.DoubleType)
			approx = append(approx, cel.Overload(name, []*cel.Type{x, p}, r))
			approxIf = append(approxIf, cel.Overload(name+"_if", []*cel.Type{x, p, cel.BoolType}, r))
		}
	}
	options = append(options, cel.Function("approx_percentile", approx...), cel.Function("approx_percentile_if", approxIf...))
	options = append(options, lists(ordered)...)
	var plain, conditional []cel.FunctionOpt
	for _, x := range []*cel.Type{cel.IntType, cel.DoubleType, decimalType, cel.TimestampType, cel.DurationType} {
		for _, p := range []*cel.Type{cel.IntType, cel.DoubleType} {
			r := x
			if r == cel.IntType || r == cel.DoubleType {
				r = types.NewNullableType(r)
			}
			name := fmt.Sprintf("percentile_%s_%s", x.TypeName(), p.TypeName())
			plain = append(plain, cel.Overload(name, []*cel.Type{x, p}, r))
			conditional = append(conditional, cel.Overload(name+"_if", []*cel.Type{x, p, cel.BoolType}, r))
		}
	}
	return append(options, cel.Function("percentile", plain...), cel.Function("percentile_if", conditional...))
}

// mostFields is how many fields the rows of a top have at most.
const mostFields = 16

// rowsType is the type of the elements of top(n, by, fields…) as far as cel-go is concerned: nothing can be done with them in the same expression.
var rowsType = cel.OpaqueType("rows")

// lists declares the functions that give lists.
func lists(ordered []*cel.Type) []cel.EnvOption {
	var top, topIf, collect, collectIf []cel.FunctionOpt
	for _, x := range ordered {
		list := cel.ListType(x)
		top = append(top, cel.Overload("top_"+x.TypeName(), []*cel.Type{cel.IntType, x}, list))
		topIf = append(topIf, cel.Overload("top_if_"+x.TypeName(), []*cel.Type{cel.IntType, x, cel.BoolType}, list))
		collect = append(collect, cel.Overload("collect_"+x.TypeName(), []*cel.Type{cel.IntType, x}, list))
		collectIf = append(collectIf, cel.Overload("collect_if_"+x.TypeName(), []*cel.Type{cel.IntType, x, cel.BoolType}, list))
	}
	fields := []*cel.Type{cel.IntType, cel.TypeParamType("by")}
	for i := range mostFields {
		fields = append(fields[:len(fields):len(fields)], cel.TypeParamType(fmt.Sprintf("f%d", i)))
		top = append(top, cel.Overload(fmt.Sprintf("top_fields_%d", i+1), fields, cel.ListType(rowsType)))
		topIf = append(topIf, cel.Overload(fmt.Sprintf("top_if_fields_%d", i+1), append(fields[:len(fields):len(fields)], cel.BoolType), cel.ListType(rowsType)))
	}
	return []cel.EnvOption{cel.Function("top", top...), cel.Function("top_if", topIf...), cel.Function("collect", collect...), cel.Function("collect_if", collectIf...)}
}

// aggregate translates a call of an aggregate function by its name, and shares it with an equal one.
func (t *translator) aggregate(e celast.Expr, name string, operands []celast.Expr) *spec.Expr {
	if len(t.items) > 0 {
		return t.problem(e, CodeAggregate, name+"() stands inside a loop over a list", "aggregate in one stage, and go over its rows in a second one")
	}
	if t.inside {
		return t.problem(e, CodeAggregate, name+"() stands inside another aggregate function", "aggregate in one stage, and again in a second one")
	}
	form := aggregateFuncs[name]
	call := &spec.Call{Func: form.of, Pos: t.place(e).Pos, Type: &spec.Type{Kind: spec.Int}}
	before := len(t.problems)
	texts := t.operands(e)
	var cond *spec.Expr
	if form.cond {
		cond = t.operand(name, operands[len(operands)-1])
	}
	value := 0 // its place among the operands
	if form.of == spec.TopOf || form.of == spec.Collect {
		call.N = t.most(operands[0], name, texts[0])
		value = 1
	}
	if cond != nil && len(t.problems) == before {
		texts[value] += " if " + texts[len(texts)-1]
	}
	switch {
	case form.of == spec.CountIf:
		call.Cond = t.resolved(t.operand(name, operands[0]), texts[0])
	case len(operands) > 0:
		call.Arg = t.resolved(where(t.operand(name, operands[value]), cond, t.place(e)), texts[value])
	}
	if form.of == spec.TopOf {
		fields := operands[2:]
		if form.cond {
			fields = fields[:len(fields)-1]
		}
		call.Fields = t.topFields(name, fields, texts[2:])
	}
	if form.of == spec.Percentile || form.of == spec.ApproxPercentile {
		call.Part, call.Of = t.share(operands[1], name, texts[1])
	}
	if len(t.problems) > before {
		return constant(spec.Value{Kind: spec.Bool}, spec.Place{})
	}
	switch form.of {
	case spec.Avg, spec.ApproxPercentile:
		call.Type = &spec.Type{Kind: spec.Double, Nullable: call.Arg.Type.Nullable}
	case spec.Variance, spec.Stddev:
		call.Type = &spec.Type{Kind: spec.Double, Nullable: true} // of one value it is null
	case spec.Sum, spec.Min, spec.Max, spec.First, spec.Last, spec.Percentile:
		call.Type = &spec.Type{Kind: call.Arg.Type.Kind, Scale: call.Arg.Type.Scale, Nullable: call.Arg.Type.Nullable}
	}
	if call.N > 0 {
		call.Type = &spec.Type{Kind: spec.List, Elem: bare(call.Arg.Type), Nullable: form.of == spec.Collect && call.Arg.Type.Nullable}
		if len(call.Fields) > 0 {
			call.Type.Elem = &spec.Type{Kind: spec.Object, Struct: structOf(call)}
		}
	}
	index := len(*t.calls)
	for i, known := range *t.calls {
		if known.Func == call.Func && spec.Same(known.Arg, call.Arg) && spec.Same(known.Cond, call.Cond) && known.Part == call.Part && known.Of == call.Of && known.N == call.N &&
			slices.EqualFunc(known.Fields, call.Fields, spec.Same) {
			call = known
			index = i
		}
	}
	if index == len(*t.calls) {
		*t.calls = append(*t.calls, call)
	}
	return &spec.Expr{Op: spec.OpCall, Type: call.Type, Call: index, Func: call.Func, Exact: call.Arg != nil && (call.Arg.Type.Kind == spec.Int || call.Arg.Type.Kind == spec.Decimal), At: t.place(e)}
}

// mostListed is how many rows or values a list has at most that an aggregate gives.
const mostListed = 1000

// most is n of top and collect.
func (t *translator) most(n celast.Expr, name, text string) int64 {
	if n.Kind() == celast.LiteralKind {
		if v, ok := n.AsLiteral().(types.Int); ok && v >= 1 && v <= mostListed {
			return int64(v)
		}
	}
	t.problem(n, CodeConstant, fmt.Sprintf("n of %s() is a whole number from 1 to %d, not %s", name, mostListed, text), "it bounds what the stage keeps for a key")
	return 1
}

// topFields are the fields of a row that top keeps.
func (t *translator) topFields(name string, operands []celast.Expr, texts []string) []*spec.Expr {
	var fields []*spec.Expr
	for i, o := range operands {
		before := len(t.problems)
		f := t.operand(name, o)
		if len(t.problems) > before {
			continue
		}
		f = spec.Resolve(f)
		f.Text = texts[i]
		if f.Op != spec.OpField || len(f.Args) > 0 {
			t.problem(o, CodeType, fmt.Sprintf("%s() takes the names of fields behind by, and %s is none", name, texts[i]), "compute it in a set in front of the stage")
			continue
		}
		for _, other := range fields {
			if last(other).Name == last(f).Name {
				t.problem(o, CodeType, fmt.Sprintf("two fields of %s() have the name %q", name, last(f).Name), "each is a member of the same object")
			}
		}
		fields = append(fields, f)
	}
	return fields
}

// last is the field that a path leads to.
func last(e *spec.Expr) *spec.Field { return e.Path[len(e.Path)-1] }

// structOf is the struct of the elements of a top.
func structOf(call *spec.Call) *spec.Struct {
	s := &spec.Struct{Name: "top", Pos: call.Pos}
	for _, e := range call.Fields {
		f := &spec.Field{Name: last(e).Name, Doc: last(e).Doc, Pos: e.At.Pos, Type: e.Type, Null: e.Type.Nullable, Longest: max(0, e.LongestText())}
		if f.Type.Kind == spec.Timestamp {
			f.Time = spec.RFC3339
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// shareDigits is how many digits behind the point a percentile may have: so the rank of 10 million values is found in 64 bits.
const shareDigits = 9

// share is p of a percentile, whose text is given, as a fraction of 100 in lowest terms.
func (t *translator) share(p celast.Expr, name, text string) (part, of int64) {
	const hint = "write 50 for the median, 99.9 for what one value of a thousand exceeds"
	if p.Kind() != celast.LiteralKind {
		t.problem(p, CodeConstant, fmt.Sprintf("p of %s() is a constant, and %s is not", name, text), hint)
		return 0, 1
	}
	share, ok := new(big.Rat).SetString(text)
	switch {
	case !ok:
		t.problem(p, CodeConstant, fmt.Sprintf("%s is not a decimal number", text), hint)
		return 0, 1
	case share.Sign() < 0 || share.Cmp(big.NewRat(100, 1)) > 0:
		t.problem(p, CodeConstant, fmt.Sprintf("p of %s() is 0 to 100, not %s", name, text), hint)
		return 0, 1
	}
	if digits := new(big.Rat).Mul(share, big.NewRat(1e9, 1)); !digits.IsInt() {
		fewer := new(big.Rat).SetFrac(new(big.Int).Quo(digits.Num(), digits.Denom()), big.NewInt(1e9)).FloatString(shareDigits)
		t.problem(p, CodeConstant, fmt.Sprintf("p of %s() has more than %d digits behind the point", name, shareDigits), "write "+strings.TrimRight(strings.TrimRight(fewer, "0"), "."))
		return 0, 1
	}
	share.Quo(share, big.NewRat(100, 1))
	return share.Num().Int64(), share.Denom().Int64()
}

// operand translates an operand of the aggregate function of that name, which sees the fields of a row.
func (t *translator) operand(name string, of celast.Expr) *spec.Expr {
	t.inside = true
	before := len(t.problems)
	arg := t.expr(of)
	t.inside = false
	if len(t.problems) > before {
		return arg
	}
	switch arg.Type.Kind {
	case spec.List, spec.Object:
		return t.problem(of, CodeType, name+"() takes a plain value, not "+kindName(arg.Type), "")
	case spec.Null:
		return t.problem(of, CodeNull, name+"() of null is always the same", "")
	}
	return arg
}

// resolved is an operand as a whole expression.
func (t *translator) resolved(arg *spec.Expr, text string) *spec.Expr {
	if len(t.problems) == 0 {
		arg = spec.Resolve(arg)
	}
	arg.Text = text
	return arg
}

// where is arg in the rows of which cond is true, and null in the others, in which it is not evaluated.
func where(arg, cond *spec.Expr, at spec.Place) *spec.Expr {
	if cond == nil {
		return arg
	}
	if cond.Type.Nullable {
		is := constant(spec.Value{Kind: spec.Bool, Bool: true}, cond.At)
		cond = &spec.Expr{Op: spec.OpEqual, Type: &spec.Type{Kind: spec.Bool}, Args: []*spec.Expr{cond, is}, At: cond.At}
	}
	t := bare(arg.Type)
	t.Nullable = true
	return &spec.Expr{Op: spec.OpCond, Type: t, Args: []*spec.Expr{cond, arg, constant(spec.Value{Kind: spec.Null}, at)}, At: at}
}

// aggregateMismatch explains an aggregate function that does not take the types of its operands.
func (t *translator) aggregateMismatch(e celast.Expr, operands []celast.Expr, kinds []string) Problem {
	name := e.AsCall().FunctionName()
	texts := t.operands(e)
	form := aggregateFuncs[name]
	f := form.of
	p := Problem{Code: CodeType, Text: fmt.Sprintf("%s() does not take %s", name, joined(kinds))}
	want := []string{"field"}
	about := "a value"
	ranks := f == spec.Percentile || f == spec.ApproxPercentile
	switch f {
	case spec.Percentile, spec.ApproxPercentile:
		want, about = append(want, "95"), "a value and p, 0 to 100"
	case spec.TopOf:
		want, about = []string{"3", "field"}, "n, what the rows are ranked by, and names of fields"
	case spec.Collect:
		want, about = []string{"3", "field"}, "n and a value"
	}
	if form.cond {
		want = append(want, "condition")
	}
	usage := fmt.Sprintf("%s(%s)", name, strings.Join(want, ", "))
	switch {
	case len(operands) == 0:
		p.Text, p.Hint = name+"() of what?", "write "+usage
		if f == spec.CountIf {
			p.Hint = "write count_if(condition)"
		}
	case f == spec.CountIf && len(operands) == 1:
		p.Hint = "it takes a condition, such as count_if(amount > 0)"
	case (f == spec.TopOf || f == spec.Collect) && kinds[0] != "int":
		p.Text, p.Hint = fmt.Sprintf("%s() takes first how many, a whole number, and %s is %s", name, texts[0], article(kinds[0])), "write "+usage
	case f == spec.TopOf && len(operands) > mostFields+2:
		p.Text = fmt.Sprintf("%s() takes at most %d fields", name, mostFields)
	case f == spec.TopOf && form.cond && kinds[len(kinds)-1] != "bool":
		p.Text, p.Hint = fmt.Sprintf("%s() takes a condition behind its other operands, and %s is %s", name, texts[len(texts)-1], article(kinds[len(kinds)-1])), "write "+usage
	case form.cond && len(operands) != len(want):
		p.Text, p.Hint = fmt.Sprintf("%s() takes %s and a condition", name, about), "write "+usage
	case len(operands) > len(want) && f.Conditional() && kinds[len(kinds)-1] == "bool" && len(operands) == len(want)+1:
		p.Text, p.Hint = fmt.Sprintf("%s() takes %s", name, map[bool]string{true: "one operand", false: about}[len(want) == 1]), fmt.Sprintf("with a condition write %s_if(%s)", name, strings.Join(texts, ", "))
	case (ranks || f == spec.TopOf || f == spec.Collect) && len(operands) != len(want):
		p.Text, p.Hint = fmt.Sprintf("%s() takes %s", name, about), "write "+usage
	case len(operands) > len(want):
		p.Text = name + "() takes one operand"
	case form.cond && kinds[len(kinds)-1] != "bool":
		p.Text = fmt.Sprintf("%s() asks a bool of each row, and %s is %s", name, t.describe(operands[len(operands)-1]), article(kinds[len(kinds)-1]))
		p.Hint = "the condition stands last, such as " + name + "(" + texts[0] + ", x > 0)"
	case f == spec.Sum:
		p.Hint = "it adds numbers: int, double or decimal"
	case f == spec.Avg || f == spec.Variance || f == spec.Stddev:
		p.Hint = "it is of numbers: int, double or decimal"
	case ranks && kinds[1] != "int" && kinds[1] != "double":
		p.Text, p.Hint = fmt.Sprintf("p of %s() is a number from 0 to 100, not %s", name, article(kinds[1])), "write "+usage
	case f == spec.ApproxPercentile:
		p.Hint = "it ranks numbers: int, double or decimal"
	case f == spec.Percentile:
		p.Hint = "it ranks numbers and times: int, double, decimal, timestamp or duration"
	default:
		p.Hint = "it takes an int, double, decimal, string, bytes, bool, timestamp or duration"
	}
	return p
}
