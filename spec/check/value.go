package check

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// value makes a constant of a field's type. why says what is wrong with it, for people; empty when nothing is.
func value(c *load.Const, t *spec.Type, format spec.TimeFormat) (v spec.Value, why string) {
	kind := t.Kind
	v.Kind = kind
	switch {
	case kind == spec.String && c.Text != nil:
		v.String = *c.Text
	case kind == spec.Bool && c.Bool != nil:
		v.Bool = *c.Bool
	case kind == spec.Int && c.Number != nil:
		if !c.Number.IsInt() || !c.Number.Num().IsInt64() {
			return v, "it is not an integer of 64 bits"
		}
		v.Int = c.Number.Num().Int64()
	case kind == spec.Bytes && c.Bytes != nil:
		v.String = *c.Bytes
	case kind == spec.Decimal && c.Number != nil:
		n := unitsOf(c.Number, t)
		switch {
		case !n.IsInt():
			return v, fmt.Sprintf("it has more than %d digits behind the point", t.Scale)
		case !n.Num().IsInt64():
			return v, "it is outside of the decimals of 64 bits"
		}
		v.Int = n.Num().Int64()
	case kind == spec.Double && c.Number != nil:
		v.Double, _ = c.Number.Float64()
		if math.IsInf(v.Double, 0) {
			return v, "it is outside of float64"
		}
		v.Double += 0 // -0 is 0
	case kind == spec.Timestamp && format == spec.RFC3339 && c.Text != nil:
		t, err := time.Parse(time.RFC3339Nano, *c.Text)
		if err != nil {
			return v, fmt.Sprintf("%q is not an RFC 3339 time such as \"2024-01-01T00:00:00Z\"", *c.Text)
		}
		ns := new(big.Int).Add(new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9)), big.NewInt(int64(t.Nanosecond())))
		if !ns.IsInt64() {
			return v, "it is outside of the times that are offered, 1677 to 2262"
		}
		v.Int = ns.Int64()
	case kind == spec.Timestamp && format != spec.RFC3339 && c.Number != nil:
		scale := map[spec.TimeFormat]int64{spec.UnixSeconds: 1e9, spec.UnixMillis: 1e6, spec.UnixMicros: 1e3, spec.UnixNanos: 1}[format]
		ns := new(big.Rat).Mul(c.Number, new(big.Rat).SetInt64(scale))
		switch {
		case !ns.IsInt():
			return v, "it is between two nanoseconds"
		case !ns.Num().IsInt64():
			return v, "it is outside of the times that are offered, 1677 to 2262"
		}
		v.Int = ns.Num().Int64()
	default:
		return v, "it is of another type"
	}
	return v, ""
}

// keeps says whether a value that is not null keeps all checks.
func keeps(v spec.Value, checks []*spec.Check) bool {
	for _, c := range checks {
		order, holds := compare(v, c.Value), false
		switch c.Op {
		case spec.CheckLess:
			holds = order < 0
		case spec.CheckLessEqual:
			holds = order <= 0
		case spec.CheckGreater:
			holds = order > 0
		case spec.CheckGreaterEqual:
			holds = order >= 0
		case spec.CheckNotEqual:
			holds = order != 0
		case spec.CheckMatch, spec.CheckNotMatch:
			holds = regexp.MustCompile(c.Value.String).MatchString(v.String) == (c.Op == spec.CheckMatch)
		case spec.CheckOneOf:
			holds = slices.Contains(c.Values, v)
		case spec.CheckMinRunes:
			holds = int64(utf8.RuneCountInString(v.String)) >= c.Value.Int
		case spec.CheckMaxRunes:
			holds = int64(utf8.RuneCountInString(v.String)) <= c.Value.Int
		}
		if !holds {
			return false
		}
	}
	return true
}

// unitsOf is a number as a count of what a type counts: of a decimal 10^-scale, of an int 1.
func unitsOf(n *big.Rat, t *spec.Type) *big.Rat {
	return new(big.Rat).Mul(n, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)))
}

// unitBound compiles the bound of an int or a decimal, whose constant may be between two values or beyond 64 bits: of an int `<=1.5` is `<=1`. The check is nil
// when every value keeps the bound.
func unitBound(t *load.Type, op spec.CheckOp, kind *spec.Type) (*spec.Check, *refusal) {
	if t.Value.Number == nil {
		return nil, &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the constraint %s cannot be checked: it is of another type", t.Text), ""}
	}
	exact := unitsOf(t.Value.Number, kind)
	n, whole := floor(exact), exact.IsInt()
	if !whole {
		switch op {
		case spec.CheckNotEqual:
			return nil, nil
		case spec.CheckLess:
			op = spec.CheckLessEqual
		case spec.CheckGreaterEqual:
			op = spec.CheckGreater
		}
	}
	upper := op == spec.CheckLess || op == spec.CheckLessEqual
	var always, never bool
	switch {
	case n.IsInt64():
		at := n.Int64()
		always = op == spec.CheckGreaterEqual && at == math.MinInt64 || op == spec.CheckLessEqual && at == math.MaxInt64
		never = op == spec.CheckLess && at == math.MinInt64 || op == spec.CheckGreater && at == math.MaxInt64
	case op == spec.CheckNotEqual:
		always = true
	default:
		always = upper == (n.Sign() > 0)
		never = !always
	}
	switch {
	case never && kind.Kind == spec.Decimal:
		return nil, &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("no decimal of scale %d is %s", kind.Scale, t.Text), "decimals are counts of 64 bits"}
	case never:
		return nil, &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("no int of 64 bits is %s", t.Text), "ints have 64 bits"}
	case always:
		return nil, nil
	}
	return &spec.Check{Op: op, Value: spec.Value{Kind: kind.Kind, Int: n.Int64()}, Text: t.Text}, nil
}

// floor is the largest integer that is not above r.
func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // the denominator is positive: Euclid's division is floor
}
