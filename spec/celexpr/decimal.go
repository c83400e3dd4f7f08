package celexpr

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/streamwright/streamwright/spec"
)

// maxScale is the highest scale of a decimal.
const maxScale = 18

// decimal translates decimal('1.25'). The scale is as small as the text allows; beside a field it becomes that of the field.
func (t *translator) decimal(e, arg celast.Expr) *spec.Expr {
	text, ok := "", false
	if arg.Kind() == celast.LiteralKind {
		var s types.String
		s, ok = arg.AsLiteral().(types.String)
		text = string(s)
	}
	if !ok {
		return t.problem(e, CodeUnsupported, "decimal() takes a constant text", "write decimal('1.25'); a field becomes a decimal in the contract: spec.#Decimal @scale(2)")
	}
	v, scale, err := parseDecimal(text)
	if err != "" {
		return t.problem(e, CodeConstant, t.describe(arg)+" is not a decimal: "+err, "write digits with a point, such as decimal('1.25')")
	}
	out := constant(spec.Value{Kind: spec.Decimal, Int: v}, t.place(e))
	out.Type.Scale = scale
	return out
}

// parseDecimal reads -12.50, 1e-1 and the like as a count of 10^-scale, with the smallest scale that is exact. err says what is wrong.
func parseDecimal(text string) (v int64, scale int, err string) {
	number, isNumber := new(big.Rat).SetString(text)
	if !isNumber || strings.Trim(text, "+-.0123456789eE") != "" || len(text) > 64 {
		return 0, 0, "no number"
	}
	ten := big.NewRat(10, 1)
	for ; !number.IsInt(); scale++ {
		if scale == maxScale {
			return 0, 0, fmt.Sprintf("more than %d digits behind the point", maxScale)
		}
		number.Mul(number, ten)
	}
	if !number.Num().IsInt64() {
		return 0, 0, "more digits than a decimal holds"
	}
	return number.Num().Int64(), scale, ""
}

// scales brings the decimals among the operands of out to one scale, which is then that of its result.
func (t *translator) scales(e celast.Expr, out *spec.Expr) bool {
	operands := out.Args
	switch out.Op {
	case spec.OpCond:
		operands = out.Args[1:]
	case spec.OpEqual, spec.OpNotEqual, spec.OpLess, spec.OpLessEqual, spec.OpGreater, spec.OpGreaterEqual, spec.OpAdd, spec.OpSub, spec.OpIn:
	default:
		return true
	}
	before := len(t.problems)
	if !t.sameScale(e, operands...) {
		return len(t.problems) == before
	}
	for _, a := range operands {
		if a.Type.Kind == spec.Decimal && out.Type.Kind == spec.Decimal {
			out.Type = bare(a.Type)
		}
		if a.Type.Kind == spec.List && out.Type.Kind == spec.List {
			out.Type = bare(a.Type)
		}
	}
	return true
}

// sameScale brings decimals, and lists of them, to one scale: that of those that are not constant, else the highest. It is false when there are none, and after a
// complaint.
func (t *translator) sameScale(e celast.Expr, operands ...*spec.Expr) bool {
	scale, fixed, any := 0, false, false
	for _, a := range operands {
		of := a.Type
		if of.Kind == spec.List {
			of = of.Elem
		}
		if of.Kind != spec.Decimal {
			continue
		}
		any = true
		switch free := adapts(a); {
		case free && !fixed:
			scale = max(scale, of.Scale)
		case !free && fixed && scale != of.Scale:
			t.problem(e, CodeType, fmt.Sprintf("decimals of scale %d and %d do not mix", scale, of.Scale), "both sides must have the same @scale")
			return false
		case !free:
			scale, fixed = of.Scale, true
		}
	}
	for _, a := range operands {
		if any && !rescale(a, scale) {
			t.problem(e, CodeConstant, fmt.Sprintf("the constant does not fit a decimal of scale %d", scale), fmt.Sprintf("give it at most %d digits behind the point", scale))
			return false
		}
	}
	return any
}

// adapts says whether e takes the scale of what it stands beside: a constant, or what is made of constants.
func adapts(e *spec.Expr) bool {
	switch e.Op {
	case spec.OpConst:
		return true
	case spec.OpCond:
		return adapts(e.Args[1]) && adapts(e.Args[2])
	case spec.OpList:
		for _, a := range e.Args {
			if !adapts(a) {
				return false
			}
		}
		return true
	}
	return false
}

// rescale gives what adapts another scale; false when a constant does not fit.
func rescale(e *spec.Expr, scale int) bool {
	of := e.Type
	if of.Kind == spec.List {
		of = of.Elem
	}
	if of.Kind != spec.Decimal || of.Scale == scale {
		return true
	}
	if e.Type.Kind == spec.List {
		e.Type = &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: spec.Decimal, Scale: scale}}
	} else {
		e.Type = &spec.Type{Kind: spec.Decimal, Scale: scale, Nullable: of.Nullable}
	}
	if e.Op == spec.OpConst {
		for of := of.Scale; of < scale; of++ {
			if e.Value.Int > math.MaxInt64/10 || e.Value.Int < math.MinInt64/10 {
				return false
			}
			e.Value.Int *= 10
		}
		for of := of.Scale; of > scale; of-- {
			if e.Value.Int%10 != 0 {
				return false
			}
			e.Value.Int /= 10
		}
		return true
	}
	for _, a := range e.Args {
		if !rescale(a, scale) {
			return false
		}
	}
	return true
}

// foldDecimal evaluates an operation on constant decimals, which cel-go cannot. What faults stays, and so does double(): cel-go could not fold what is done with its
// result, and Go would compute with the constant exactly.
func foldDecimal(e *spec.Expr) *spec.Expr {
	a := e.Args[0]
	x, y := big.NewInt(a.Value.Int), new(big.Int)
	if len(e.Args) > 1 {
		y.SetInt64(e.Args[1].Value.Int)
	}
	known := func(v spec.Value) *spec.Expr {
		v.Kind = e.Type.Kind
		c := constant(v, e.At)
		c.Type = e.Type
		return c
	}
	null := isNull(a) || len(e.Args) > 1 && isNull(e.Args[1])
	switch e.Op {
	case spec.OpAdd:
		x.Add(x, y)
	case spec.OpSub:
		x.Sub(x, y)
	case spec.OpNeg:
		x.Neg(x)
	case spec.OpEqual, spec.OpNotEqual:
		if !null {
			return known(spec.Value{Bool: (x.Cmp(y) == 0) == (e.Op == spec.OpEqual)})
		}
		return e
	case spec.OpLess:
		return known(spec.Value{Bool: x.Cmp(y) < 0})
	case spec.OpLessEqual:
		return known(spec.Value{Bool: x.Cmp(y) <= 0})
	case spec.OpGreater:
		return known(spec.Value{Bool: x.Cmp(y) > 0})
	case spec.OpGreaterEqual:
		return known(spec.Value{Bool: x.Cmp(y) >= 0})
	case spec.OpIn:
		for _, c := range e.Args[1].Args {
			if !isNull(a) && !isNull(c) && c.Value.Int == a.Value.Int {
				return known(spec.Value{Bool: true})
			}
		}
		return known(spec.Value{Bool: false})
	default:
		return e
	}
	if null || !x.IsInt64() {
		return e
	}
	return known(spec.Value{Int: x.Int64()})
}

// decimalText is a decimal with all digits of its scale.
func decimalText(v int64, scale int) string {
	scaled := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return new(big.Rat).SetFrac(big.NewInt(v), scaled).FloatString(scale)
}
