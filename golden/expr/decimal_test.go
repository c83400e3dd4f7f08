package expr

import (
	"math/big"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// decimal is a count of hundredths for cel-go, which has no decimals: the oracle computes with math/big.
type decimal int64

var decimalType = types.NewOpaqueType("decimal")

// decimalValue is the type of a value, which says what its operators are.
var decimalValue = types.NewObjectType("decimal", traits.AdderType|traits.SubtractorType|traits.NegatorType|traits.ComparerType)

// hundredths is a decimal, or an error outside int64.
func hundredths(v *big.Int) ref.Val {
	if !v.IsInt64() {
		return types.NewErr("decimal overflow")
	}
	return decimal(v.Int64())
}

func bigOf(v ref.Val) *big.Int { return big.NewInt(int64(v.(decimal))) }

// decimals declares what decimals can do. The operators of cel-go ask the methods of their operands.
func decimals() []cel.EnvOption {
	two := []*cel.Type{decimalType, decimalType}
	rat := func(v ref.Val) *big.Rat { return new(big.Rat).SetFrac(bigOf(v), big.NewInt(100)) }
	one := []*cel.Type{decimalType}
	return []cel.EnvOption{
		cel.Function(operators.Add, cel.Overload("add_decimal", two, decimalType)),
		cel.Function(operators.Subtract, cel.Overload("subtract_decimal", two, decimalType)),
		cel.Function(operators.Negate, cel.Overload("negate_decimal", one, decimalType)),
		cel.Function(operators.Less, cel.Overload("less_decimal", two, cel.BoolType)),
		cel.Function(operators.LessEquals, cel.Overload("less_equals_decimal", two, cel.BoolType)),
		cel.Function(operators.Greater, cel.Overload("greater_decimal", two, cel.BoolType)),
		cel.Function(operators.GreaterEquals, cel.Overload("greater_equals_decimal", two, cel.BoolType)),
		cel.Function("decimal", cel.Overload("decimal_string", []*cel.Type{cel.StringType}, decimalType, cel.UnaryBinding(func(a ref.Val) ref.Val {
			v, _ := new(big.Rat).SetString(string(a.(types.String)))
			return hundredths(v.Mul(v, big.NewRat(100, 1)).Num())
		}))),
		cel.Function("double", cel.Overload("double_decimal", one, cel.DoubleType, cel.UnaryBinding(func(a ref.Val) ref.Val {
			d, _ := rat(a).Float64()
			return types.Double(d)
		}))),
		cel.Function("string", cel.Overload("string_decimal", one, cel.StringType, cel.UnaryBinding(func(a ref.Val) ref.Val { return types.String(rat(a).FloatString(2)) }))),
	}
}

// Add implements traits.Adder.
func (d decimal) Add(other ref.Val) ref.Val {
	if _, ok := other.(decimal); !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return hundredths(new(big.Int).Add(bigOf(d), bigOf(other)))
}

// Subtract implements traits.Subtractor.
func (d decimal) Subtract(other ref.Val) ref.Val {
	if _, ok := other.(decimal); !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return hundredths(new(big.Int).Sub(bigOf(d), bigOf(other)))
}

// Negate implements traits.Negater.
func (d decimal) Negate() ref.Val { return hundredths(new(big.Int).Neg(bigOf(d))) }

// Compare implements traits.Comparer.
func (d decimal) Compare(other ref.Val) ref.Val {
	if _, ok := other.(decimal); !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Int(bigOf(d).Cmp(bigOf(other)))
}

// ConvertToNative implements ref.Val; nothing needs it.
func (d decimal) ConvertToNative(reflect.Type) (any, error) { return nil, nil }

// ConvertToType implements ref.Val; nothing needs it.
func (d decimal) ConvertToType(ref.Type) ref.Val { return types.NewErr("no conversion") }

// Equal implements ref.Val.
func (d decimal) Equal(other ref.Val) ref.Val { return types.Bool(ref.Val(d) == other) }

// Type implements ref.Val.
func (d decimal) Type() ref.Type { return decimalValue }

// Value implements ref.Val.
func (d decimal) Value() any { return int64(d) }
