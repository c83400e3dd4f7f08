package oracle

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// fault is why an expression has no value; the reason it is counted under follows from it.
type fault uint8

const (
	faultExpr      fault = iota + 1 // an error of CEL
	faultNotFinite                  // NaN or an infinity as the value
	faultOverflow                   // an exact sum outside its type
	faultBound                      // more values than an aggregate may hold
)

// reason is the reason of a fault in a stage.
func (f fault) reason(stage string) string {
	if f == faultNotFinite {
		return "not_finite"
	}
	return "expr:" + stage
}

// scope is what an expression sees.
type scope struct {
	row   object
	calls []result // of aggregate functions
	vars  map[*spec.Field]value
}

// result is a value, or why there is none.
type result struct {
	value value
	fault fault
}

// evaluate gives the value of an expression over a row.
func evaluate(e *spec.Expr, row object) result { return (&scope{row: row}).try(e) }

func (s *scope) try(e *spec.Expr) (r result) {
	defer func() {
		if x := recover(); x != nil {
			f, mine := x.(fault)
			if !mine {
				panic(x)
			}
			r = result{fault: f}
		}
	}()
	return result{value: s.eval(e)}
}

// demand faults when ok is false.
func demand(ok bool) {
	if !ok {
		panic(faultExpr)
	}
}

// fits is x when an int64 holds it.
func fits(x *big.Int) *big.Int {
	demand(x.IsInt64())
	return x
}

func number(n int) *big.Int { return big.NewInt(int64(n)) }

// eval gives the value of e, or panics with a fault.
func (s *scope) eval(e *spec.Expr) value {
	switch e.Op {
	case spec.OpConst:
		return constant(e.Value)
	case spec.OpField:
		v := s.path(e, len(e.Path))
		return v
	case spec.OpCall:
		c := s.calls[e.Call]
		if c.fault != 0 {
			panic(c.fault)
		}
		return c.value
	case spec.OpHas:
		return s.has(e.Args[0])
	case spec.OpFinite:
		return finite(s.eval(e.Args[0]))
	case spec.OpAnd:
		return s.absorb(e.Args, false)
	case spec.OpOr:
		return s.absorb(e.Args, true)
	case spec.OpCond:
		if s.eval(e.Args[0]).(bool) {
			return s.eval(e.Args[1])
		}
		return s.eval(e.Args[2])
	case spec.OpExists, spec.OpAll, spec.OpExistsOne, spec.OpFilter, spec.OpMap:
		return s.loop(e)
	}
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.eval(a)
	}
	switch e.Op {
	case spec.OpRequire:
		demand(args[0] != nil)
		return args[0]
	case spec.OpList:
		return args
	case spec.OpLookup:
		for i := 1; i < len(args); i += 2 {
			if equal(args[0], args[i]) {
				return args[i+1]
			}
		}
		demand(false)
	case spec.OpEqual:
		return equal(args[0], args[1])
	case spec.OpNotEqual:
		return !equal(args[0], args[1])
	case spec.OpIn:
		return slices.ContainsFunc(args[1].([]value), func(v value) bool { return equal(args[0], v) })
	case spec.OpLess:
		return ordered(args) && compare(args[0], args[1]) < 0
	case spec.OpLessEqual:
		return ordered(args) && compare(args[0], args[1]) <= 0
	case spec.OpGreater:
		return ordered(args) && compare(args[0], args[1]) > 0
	case spec.OpGreaterEqual:
		return ordered(args) && compare(args[0], args[1]) >= 0
	case spec.OpNot:
		return !args[0].(bool)
	case spec.OpAdd, spec.OpSub, spec.OpMul, spec.OpDiv, spec.OpMod, spec.OpNeg:
		return arithmetic(e.Op, args)
	case spec.OpIndex:
		list, i := args[0].([]value), args[1].(*big.Int)
		demand(i.Sign() >= 0 && i.Cmp(number(len(list))) < 0)
		return list[i.Int64()]
	case spec.OpSize:
		switch x := args[0].(type) {
		case []value:
			return number(len(x))
		case string:
			if e.Args[0].Type.Kind == spec.Bytes {
				return number(len(x))
			}
			return number(utf8.RuneCountInString(x))
		}
	case spec.OpStartsWith:
		return strings.HasPrefix(args[0].(string), args[1].(string))
	case spec.OpEndsWith:
		return strings.HasSuffix(args[0].(string), args[1].(string))
	case spec.OpContains:
		return strings.Contains(args[0].(string), args[1].(string))
	case spec.OpMatches:
		return regexp.MustCompile(args[1].(string)).MatchString(args[0].(string))
	case spec.OpFunction:
		return function(e, args)
	}
	return convert(e, args[0])
}

// path is the value of the first steps of the path of a field.
func (s *scope) path(e *spec.Expr, steps int) value {
	var v value = s.row
	path := e.Path[:steps]
	if len(e.Args) > 0 {
		v = s.eval(e.Args[0])
	} else if of, ok := s.vars[e.Path[0]]; ok {
		v, path = of, path[1:]
	}
	for _, f := range path {
		demand(v != nil)
		v = v.(object)[f.Name]
	}
	return v
}

// has says whether neither a field nor the struct that has it is null.
func (s *scope) has(e *spec.Expr) bool {
	last := len(e.Path) - 1
	in := s.path(e, last)
	return in != nil && in.(object)[e.Path[last].Name] != nil
}

// absorb is && and ||: decided by one operand that is so, whatever the others do.
func (s *scope) absorb(args []*spec.Expr, decides bool) bool {
	var failed fault
	for _, a := range args {
		switch r := s.try(a); {
		case r.fault != 0:
			failed = r.fault
		case r.value == decides:
			return decides
		}
	}
	if failed != 0 {
		panic(failed)
	}
	return !decides
}

// loop goes over the elements of a list.
func (s *scope) loop(e *spec.Expr) value {
	var failed fault
	found, list := 0, []value{}
	for _, x := range s.eval(e.Args[0]).([]value) {
		vars := map[*spec.Field]value{e.Var: x}
		for f, v := range s.vars {
			if f != e.Var {
				vars[f] = v
			}
		}
		inside := &scope{s.row, s.calls, vars}
		switch e.Op {
		case spec.OpExists, spec.OpAll:
			switch r := inside.try(e.Args[1]); {
			case r.fault != 0:
				failed = r.fault
			case r.value == (e.Op == spec.OpExists):
				return r.value
			}
		case spec.OpExistsOne:
			if inside.eval(e.Args[1]).(bool) {
				found++
			}
		case spec.OpFilter:
			if inside.eval(e.Args[1]).(bool) {
				list = append(list, x)
			}
		case spec.OpMap:
			if len(e.Args) < 3 || inside.eval(e.Args[2]).(bool) {
				list = append(list, inside.eval(e.Args[1]))
			}
		}
	}
	if failed != 0 {
		panic(failed)
	}
	switch e.Op {
	case spec.OpExists, spec.OpAll:
		return e.Op == spec.OpAll
	case spec.OpExistsOne:
		return found == 1
	}
	return list
}

// finite is a double, or each of a list, as the value of an expression: -0 is 0.
func finite(v value) value {
	switch x := v.(type) {
	case []value:
		list := []value{}
		for _, e := range x {
			list = append(list, finite(e))
		}
		return list
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			panic(faultNotFinite)
		}
		return x + 0 // of -0 it is 0
	}
	return v
}

// equal: null equals null alone, NaN nothing, lists are equal when all elements are.
func equal(a, b value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch x := a.(type) {
	case float64:
		return x == b.(float64)
	case []value:
		return slices.EqualFunc(x, b.([]value), equal)
	}
	return compare(a, b) == 0
}

// ordered says whether two values have an order: NaN has none.
func ordered(args []value) bool {
	for _, v := range args {
		if x, ok := v.(float64); ok && math.IsNaN(x) {
			return false
		}
	}
	return true
}

// arithmetic is exact, and a fault where the result does not fit.
func arithmetic(op spec.Op, args []value) value {
	if op == spec.OpNeg {
		if x, ok := args[0].(float64); ok {
			return -x
		}
		return fits(new(big.Int).Neg(args[0].(*big.Int)))
	}
	switch a := args[0].(type) {
	case string:
		return a + args[1].(string)
	case []value:
		return slices.Concat(a, args[1].([]value))
	case float64:
		b := args[1].(float64)
		switch op {
		case spec.OpAdd:
			return a + b
		case spec.OpSub:
			return a - b
		case spec.OpMul:
			return a * b
		}
		return a / b
	}
	a, b, x := args[0].(*big.Int), args[1].(*big.Int), new(big.Int)
	switch op {
	case spec.OpAdd:
		x.Add(a, b)
	case spec.OpSub:
		x.Sub(a, b)
	case spec.OpMul:
		x.Mul(a, b)
	default:
		demand(b.Sign() != 0)
		fits(x.Quo(a, b)) // of the least int and -1 neither has a result
		if op == spec.OpMod {
			x.Rem(a, b)
		}
	}
	return fits(x)
}
