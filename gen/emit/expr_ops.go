package emit

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/spec"
)

// operand writes the statements that e needs and gives its value.
func (m *expression) operand(e *spec.Expr) operand {
	switch e.Op {
	case spec.OpConst:
		return literal(e.Value)
	case spec.OpField:
		return m.field(e)
	case spec.OpCall:
		return named(m.Call(e.Call))(e)
	case spec.OpRequire:
		o := m.operand(e.Args[0])
		m.fault(e, jen.Op("!").Add(o.has), jen.Id("stream").Dot("FaultNullUsed"))
		o.has = nil
		return o
	case spec.OpFinite:
		o := m.operand(e.Args[0])
		finite := helper("Finite", o.code)
		if e.Type.Kind == spec.List {
			finite = helper("FiniteList", jen.Id("in"), o.code, jen.Lit(depth(e.Type)))
			if e.Faults == 0 { // then it only makes 0 of -0
				v := variable(m.name("finite"))
				m.block.add(jen.List(v.code, jen.Id("_")).Op(":=").Add(finite))
				v.has = o.has
				return v
			}
		} else if e.Faults == 0 {
			return operand{code: helper("PlusZero", o.code), prec: primaryPrec, has: o.has}
		}
		v := m.partial(e, "finite", finite)
		v.has = o.has
		return v
	case spec.OpNot:
		return not(m.operand(e.Args[0]))
	case spec.OpAnd, spec.OpOr:
		return m.logic(e)
	case spec.OpCond:
		return m.choice(e)
	case spec.OpEqual, spec.OpNotEqual:
		return equal(e.Args[0], e.Args[1], m.operand(e.Args[0]), m.operand(e.Args[1]), e.Op == spec.OpNotEqual)
	case spec.OpIn:
		return m.in(e)
	case spec.OpHas:
		f := e.Args[0]
		path := m.path(f)
		of := max(len(path)-2, 0) // where the struct that has the field stands
		if f.Faults != 0 {
			m.fault(f, not(m.present(path[:of], 0)).code, jen.Id("stream").Dot("FaultNullUsed"))
		}
		return m.present(path, of)
	case spec.OpExists, spec.OpAll, spec.OpExistsOne, spec.OpFilter, spec.OpMap:
		return m.loop(e)
	case spec.OpList:
		return m.list(e)
	case spec.OpLookup:
		return m.lookup(e)
	}
	args := make([]operand, len(e.Args))
	for i, a := range e.Args {
		args[i] = m.operand(a)
	}
	switch e.Op {
	case spec.OpLess, spec.OpLessEqual, spec.OpGreater, spec.OpGreaterEqual:
		return ordered(e, args[0], args[1])
	case spec.OpAdd, spec.OpSub, spec.OpMul, spec.OpDiv, spec.OpMod, spec.OpNeg:
		return m.arithmetic(e, args)
	case spec.OpIndex:
		return m.element(e, args[0], args[1])
	case spec.OpSize:
		switch e.Args[0].Type.Kind {
		case spec.List:
			return primary(jen.Int64().Call(jen.Add(args[0].at(primaryPrec)).Dot("Len")))
		case spec.Bytes:
			return primary(jen.Int64().Call(jen.Len(args[0].code)))
		}
		return primary(helper("Size", args[0].code))
	case spec.OpStartsWith:
		return primary(jen.Id("strings").Dot("HasPrefix").Call(args[0].code, args[1].code))
	case spec.OpEndsWith:
		return primary(jen.Id("strings").Dot("HasSuffix").Call(args[0].code, args[1].code))
	case spec.OpContains:
		return primary(jen.Id("strings").Dot("Contains").Call(args[0].code, args[1].code))
	case spec.OpMatches:
		return primary(jen.Id(m.Regexp(e.Args[1].Value.String)).Dot("MatchString").Call(args[0].code))
	case spec.OpFunction:
		return m.function(e, args)
	}
	return m.conversion(e, args[0])
}

func (m *expression) field(e *spec.Expr) operand {
	path := m.path(e)
	if e.Faults != 0 {
		m.fault(e, not(m.present(path[:len(path)-1], 0)).code, jen.Id("stream").Dot("FaultNullUsed"))
	}
	o := named(m.read(path))(e)
	if _, item := m.items[path[0]]; m.Enum != nil && !item {
		if number, consts := m.Enum(path); consts != nil {
			o.number, o.consts = jen.Add(number), consts
		}
	}
	return o
}

// path is the way to a field. That of a field of a list's element, which is brought into a variable, begins with this element.
func (m *expression) path(e *spec.Expr) []*spec.Field {
	if len(e.Args) == 0 {
		return e.Path
	}
	item := &spec.Field{Type: e.Args[0].Type}
	o := m.operand(e.Args[0])
	m.know(item, o)
	return append([]*spec.Field{item}, e.Path...)
}

// read is the value of the field that a path leads to, and whether it is not null.
func (m *expression) read(path []*spec.Field) (value, has jen.Code) {
	item, ok := m.items[path[0]]
	switch {
	case !ok:
		return m.Field(path)
	case len(path) == 1:
		return item.code, nil
	}
	return m.Item(render(item.code), path[1:])
}

// know remembers the element of a list.
func (m *expression) know(item *spec.Field, o operand) {
	if m.items == nil {
		m.items = make(map[*spec.Field]operand)
	}
	m.items[item] = o
}

// present says that none of the steps of path is null, from the given one on; at least one may be.
func (m *expression) present(path []*spec.Field, from int) operand {
	var all operand
	for i := from; i < len(path); i++ {
		if !path[i].Type.Nullable {
			continue
		}
		_, has := m.read(path[:i+1])
		o := operand{code: jen.Add(has), prec: primaryPrec, leaf: true}
		if all.code != nil {
			o = and(all, o)
		}
		all = o
	}
	return all
}

// named is the operand of a field or call.
func named(value, has jen.Code) func(*spec.Expr) operand {
	return func(e *spec.Expr) operand {
		o := operand{code: jen.Add(value), prec: primaryPrec, leaf: true}
		if e.Type.Nullable {
			o.has = jen.Add(has)
		}
		return o
	}
}

// literal writes a constant without a type, and a time or duration with a comment that reads well.
func literal(v spec.Value) operand {
	o := operand{prec: primaryPrec, leaf: true}
	switch v.Kind {
	case spec.Null:
		return o
	case spec.Bool:
		o.code = jen.Lit(v.Bool)
		return o
	case spec.String, spec.Bytes:
		o.code = jen.Op(strconv.Quote(v.String))
		return o
	case spec.Double:
		switch {
		case math.IsNaN(v.Double):
			o.code = jen.Id("math").Dot("NaN").Call()
		case math.IsInf(v.Double, 0):
			o.code = jen.Id("math").Dot("Inf").Call(jen.Lit(int(math.Copysign(1, v.Double))))
		case v.Double == 0 && math.Signbit(v.Double):
			o.code = jen.Id("math").Dot("Copysign").Call(jen.Lit(0), jen.Lit(-1))
		default:
			o.code = jen.Op(strconv.FormatFloat(v.Double, 'g', -1, 64))
		}
	case spec.Timestamp:
		o.code = jen.Op(fmt.Sprintf("%d /* %s */", v.Int, time.Unix(0, v.Int).UTC().Format(time.RFC3339Nano)))
	case spec.Duration:
		o.code = jen.Op(fmt.Sprintf("%d /* %s */", v.Int, time.Duration(v.Int)))
	default:
		o.code = jen.Op(strconv.FormatInt(v.Int, 10))
	}
	if v.Int < 0 || v.Double < 0 {
		o.prec = unaryPrec
	}
	return o
}

// equal writes a == b, or a != b. Null equals null alone.
func equal(x, y *spec.Expr, a, b operand, negated bool) operand {
	op, join := "==", and
	if negated {
		op, join = "!=", or
	}
	if isNull(x) {
		x, y, a, b = y, x, b, a
	}
	present := func(o operand, is bool) operand { // o is not null, or is
		if o.code == nil {
			return literal(spec.Value{Kind: spec.Bool, Bool: !is})
		}
		if o.has == nil {
			return literal(spec.Value{Kind: spec.Bool, Bool: is})
		}
		has := operand{code: o.has, prec: primaryPrec, leaf: true}
		if is {
			return has
		}
		return not(has)
	}
	if isNull(y) {
		return present(a, negated)
	}
	if b.consts != nil {
		x, y, a, b = y, x, b, a
	}
	if c := a.consts[y.Value.String]; c != "" && y.Op == spec.OpConst {
		if negated {
			return infix(a.number, "!=", jen.Id(c), comparePrec)
		}
		return isOneOf(a.number, []string{c})
	}
	same := infix(a.at(addPrec), op, b.at(addPrec), comparePrec)
	if x.Type.Kind == spec.List {
		same = primary(helper("Same"+plural(x.Type.Elem.Kind), jen.Id("in"), a.code, b.code))
		if negated {
			same = not(same)
		}
	}
	for _, side := range [2]struct {
		constant *spec.Expr
		other    operand
	}{{x, b}, {y, a}} {
		if side.constant.Op == spec.OpConst && side.constant.Value.Kind == spec.Bool {
			same = side.other
			if side.constant.Value.Bool == negated {
				same = not(side.other)
			}
			break
		}
	}
	if a.has == nil {
		a, b = b, a
	}
	switch {
	case a.has == nil:
		return same
	case b.has == nil:
		return join(present(a, !negated), same)
	}
	both := infix(jen.Add(a.has), op, jen.Add(b.has), comparePrec) // both null or neither; or just one
	if negated {
		return or(both, and(present(a, true), same))
	}
	return and(both, or(present(a, false), same))
}

// ordered writes <, <=, > and >=; false is before true.
func ordered(e *spec.Expr, a, b operand) operand {
	op := map[spec.Op]string{spec.OpLess: "<", spec.OpLessEqual: "<=", spec.OpGreater: ">", spec.OpGreaterEqual: ">="}[e.Op]
	if e.Args[0].Type.Kind != spec.Bool {
		return infix(a.at(addPrec), op, b.at(addPrec), comparePrec)
	}
	switch e.Op {
	case spec.OpLess:
		return and(not(a), b)
	case spec.OpLessEqual:
		return or(not(a), b)
	case spec.OpGreater:
		return and(a, not(b))
	}
	return or(a, not(b))
}

// in writes a in list: comparisons with the elements of a literal, a search in a field.
func (m *expression) in(e *spec.Expr) operand {
	x := m.operand(e.Args[0])
	list := e.Args[1]
	if list.Op != spec.OpList {
		l := m.operand(list)
		of := map[spec.Kind]string{spec.Bool: "HasBool", spec.Double: "HasDouble", spec.String: "HasText", spec.Bytes: "HasText"}[list.Type.Elem.Kind]
		if of == "" {
			of = "HasInt"
		}
		found := primary(helper(of, jen.Id("in"), l.code, x.code))
		switch {
		case x.code == nil: // null is in no list of plain values
			return literal(spec.Value{Kind: spec.Bool})
		case x.has != nil:
			return and(operand{code: x.has, prec: primaryPrec}, found)
		}
		return found
	}
	if x.code != nil && !x.leaf && len(list.Args) > 0 {
		v := variable(m.name("sought"))
		m.block.add(jen.Add(v.code).Op(":=").Add(x.rounded(0)))
		v.has = x.has
		x = v
	}
	has := x.has
	for _, a := range list.Args {
		if a.Type.Nullable {
			has = nil // an element may be null as well: compare one by one
		}
	}
	if has != nil {
		x.has = nil
	}
	found := literal(spec.Value{Kind: spec.Bool}) // in no element
	for i, a := range list.Args {
		same := equal(e.Args[0], a, x, m.operand(a), false)
		if i == 0 {
			found = same
		} else {
			found = or(found, same)
		}
	}
	if has != nil && len(list.Args) > 0 {
		return and(operand{code: has, prec: primaryPrec}, found)
	}
	return found
}

// arithmetic writes + - * / % and the sign: an operator of Go where it cannot fail, else a helper.
func (m *expression) arithmetic(e *spec.Expr, args []operand) operand {
	type form struct {
		op   string
		prec int
		call string // of the helper for ints
		hint string // of a variable for its result
	}
	f := map[spec.Op]form{
		spec.OpAdd: {"+", addPrec, "AddInt", "sum"}, spec.OpSub: {"-", addPrec, "SubInt", "difference"}, spec.OpMul: {"*", mulPrec, "MulInt", "product"},
		spec.OpDiv: {"/", mulPrec, "DivInt", "quotient"}, spec.OpMod: {"%", mulPrec, "ModInt", "remainder"}, spec.OpNeg: {"-", unaryPrec, "NegInt", "negative"},
	}[e.Op]
	switch {
	case e.Type.Kind == spec.String, e.Type.Kind == spec.Bytes:
		return primary(helper("Concat", jen.Id("in"), args[0].code, args[1].code))
	case e.Type.Kind == spec.List:
		return primary(helper("JoinLists", jen.Id("in"), args[0].code, args[1].code))
	case e.Op == spec.OpSub && e.Args[0].Type.Kind == spec.Timestamp && e.Type.Kind == spec.Duration:
		f.call = "Between"
	case e.Type.Kind == spec.Timestamp:
		f.call = map[spec.Op]string{spec.OpAdd: "AddTime", spec.OpSub: "SubTime"}[e.Op]
	}
	if e.Faults != 0 {
		operands := make([]jen.Code, len(args))
		for i, a := range args {
			operands[i] = a.code
		}
		return m.partial(e, f.hint, helper(f.call, operands...))
	}
	if e.Op == spec.OpNeg {
		return operand{code: jen.Op("-").Add(args[0].rounded(primaryPrec)), prec: unaryPrec}
	}
	if f.prec == addPrec {
		return infix(args[0].rounded(f.prec), f.op, args[1].rounded(f.prec+1), f.prec)
	}
	o := infix(args[0].at(f.prec), f.op, args[1].at(f.prec+1), f.prec)
	o.product = e.Op == spec.OpMul && e.Type.Kind == spec.Double
	return o
}

// conversion writes int(), double(), string(), bool(), timestamp() and duration().
func (m *expression) conversion(e *spec.Expr, o operand) operand {
	from := e.Args[0].Type.Kind
	if from == e.Type.Kind {
		return o
	}
	text := from == spec.String
	switch e.Op {
	case spec.OpToBytes:
		return o
	case spec.OpToBool:
		return m.partial(e, "truth", helper("BoolOfText", o.code))
	case spec.OpToInt:
		switch {
		case text:
			return m.partial(e, "number", helper("IntOfText", o.code))
		case from == spec.Double:
			return m.partial(e, "number", helper("IntOfDouble", o.code))
		case from == spec.Timestamp:
			return primary(helper("Seconds", o.code))
		}
		return o // a duration's nanoseconds
	case spec.OpToDouble:
		if text {
			return m.partial(e, "number", helper("DoubleOfText", o.code))
		}
		if from == spec.Decimal {
			return primary(helper("DoubleOfDecimal", o.code, jen.Lit(e.Args[0].Type.Scale)))
		}
		return primary(jen.Float64().Call(o.code))
	case spec.OpToTimestamp:
		if text {
			return m.partial(e, "time", helper("TimeOfText", o.code))
		}
		return m.partial(e, "time", helper("TimeOfInt", o.code))
	case spec.OpToDuration:
		return m.partial(e, "duration", helper("DurationOfText", o.code))
	case spec.OpToString:
		switch from {
		case spec.Bytes:
			return m.partial(e, "text", helper("TextOfBytes", o.code))
		case spec.Decimal:
			return primary(helper("TextOfDecimal", jen.Id("in"), o.code, jen.Lit(e.Args[0].Type.Scale)))
		case spec.Bool:
			return primary(helper("TextOfBool", o.code))
		case spec.Double:
			return primary(helper("TextOfDouble", jen.Id("in"), o.code))
		case spec.Timestamp:
			return primary(helper("TextOfTime", jen.Id("in"), o.code))
		case spec.Duration:
			return primary(helper("TextOfDuration", jen.Id("in"), o.code))
		}
		return primary(helper("TextOfInt", jen.Id("in"), o.code))
	}
	panic(fmt.Sprintf("emit: operation %d has no code", e.Op))
}
