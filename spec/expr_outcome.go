package spec

import (
	"math"
	"math/bits"
)

func constant(v Value) known {
	switch v.Kind {
	case Int:
		return known{lo: v.Int, hi: v.Int}
	case Double:
		return known{infinite: math.IsInf(v.Double, 0), nan: math.IsNaN(v.Double), minusZero: v.Double == 0 && math.Signbit(v.Double)}
	}
	return anything
}

// outcome is what is known of the value of a strict operation, and how it can fail.
func outcome(e *Expr, a, b known) (known, Faults) {
	kind := e.Type.Kind
	switch e.Op {
	case OpAdd, OpSub, OpMul, OpNeg:
		switch kind {
		case Int, Decimal:
			return intOutcome(e.Op, a, b)
		case List:
			return a.or(b), 0
		case Double:
			return doubleOutcome(e, a, b), 0
		case Timestamp:
			return anything, FaultTimeRange
		case Duration:
			return anything, FaultOverflow
		}
	case OpDiv, OpMod:
		if kind == Double {
			return doubleOutcome(e, a, b), 0
		}
		return quotientOutcome(e.Op, a, b)
	case OpIndex:
		return a, FaultIndex
	case OpSize:
		return known{lo: 0, hi: math.MaxInt64}, 0
	case OpToInt:
		switch e.Args[0].Type.Kind {
		case Int:
			return a, 0
		case Double:
			return anything, FaultOverflow
		case String:
			return anything, FaultConversion
		case Timestamp:
			return known{lo: math.MinInt64/1_000_000_000 - 1, hi: math.MaxInt64 / 1_000_000_000}, 0
		}
	case OpToDouble:
		switch e.Args[0].Type.Kind {
		case Double:
			return a, 0
		case String:
			return known{infinite: true, nan: true, minusZero: true}, FaultConversion
		}
		return known{}, 0
	case OpToString:
		if e.Args[0].Type.Kind == Bytes {
			return anything, FaultConversion
		}
	case OpToBool, OpToDuration:
		if e.Args[0].Type.Kind == String {
			return anything, FaultConversion
		}
	case OpToTimestamp:
		switch e.Args[0].Type.Kind {
		case Int:
			return anything, FaultTimeRange
		case String:
			return anything, FaultConversion | FaultTimeRange
		}
	}
	return anything, 0
}

func intOutcome(op Op, a, b known) (known, Faults) {
	var lo, hi int64
	ok := true
	switch op {
	case OpAdd:
		lo, hi = a.lo+b.lo, a.hi+b.hi
		ok = !addOverflows(a.lo, b.lo, lo) && !addOverflows(a.hi, b.hi, hi)
	case OpSub:
		lo, hi = a.lo-b.hi, a.hi-b.lo
		ok = !addOverflows(lo, b.hi, a.lo) && !addOverflows(hi, b.lo, a.hi)
	case OpMul:
		lo, hi = math.MaxInt64, math.MinInt64
		for _, x := range [2]int64{a.lo, a.hi} {
			for _, y := range [2]int64{b.lo, b.hi} {
				p, fits := product(x, y)
				ok = ok && fits
				lo, hi = min(lo, p), max(hi, p)
			}
		}
	case OpNeg:
		lo, hi = -a.hi, -a.lo
		ok = a.lo != math.MinInt64
	}
	if !ok {
		return anything, FaultOverflow
	}
	return known{lo: lo, hi: hi}, 0
}

// addOverflows says whether sum, computed as x + y, is wrong.
func addOverflows(x, y, sum int64) bool { return (x^sum)&(y^sum) < 0 }

func product(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y)) // of the unsigned words; corrected to the signed product
	h := int64(hi)
	if x < 0 {
		h -= y
	}
	if y < 0 {
		h -= x
	}
	return int64(lo), h == int64(lo)>>63
}

func quotientOutcome(op Op, a, b known) (known, Faults) {
	var faults Faults
	if b.lo <= 0 && b.hi >= 0 && !b.notZero {
		faults |= FaultDivision
		if op == OpMod {
			faults = FaultModulus
		}
	}
	if a.lo == math.MinInt64 && b.lo <= -1 && b.hi >= -1 {
		faults |= FaultOverflow
	}
	if faults == 0 && op == OpDiv { // the magnitude does not grow
		return known{lo: min(a.lo, -max(a.hi, 0)), hi: max(a.hi, magnitude(a.lo))}, 0
	}
	if faults == 0 { // towards zero, with the sign of the dividend
		return known{lo: min(a.lo, 0), hi: max(a.hi, 0)}, 0
	}
	return anything, faults
}

func magnitude(x int64) int64 {
	if x == math.MinInt64 {
		return math.MaxInt64
	}
	return max(x, -x)
}

func doubleOutcome(e *Expr, a, b known) known {
	nan, infinite := a.nan || b.nan, a.infinite || b.infinite
	switch e.Op {
	case OpNeg:
		a.minusZero = true
		return a
	case OpAdd:
		return known{infinite: true, nan: nan || a.infinite && b.infinite, minusZero: a.minusZero && b.minusZero}
	case OpSub:
		return known{infinite: true, nan: nan || a.infinite && b.infinite, minusZero: a.minusZero}
	case OpMul:
		c, ok := constantOf(e)
		return known{infinite: infinite || !ok || math.Abs(c) > 1, nan: nan || infinite, minusZero: true}
	}
	c, ok := constantOf(e)
	if !ok || e.Args[1].Op != OpConst || c == 0 {
		return known{infinite: true, nan: true, minusZero: true}
	}
	return known{infinite: infinite || math.Abs(c) < 1, nan: nan || infinite, minusZero: true}
}

func constantOf(e *Expr) (float64, bool) {
	for _, a := range e.Args {
		if a.Op == OpConst && a.Value.Kind == Double {
			return a.Value.Double, true
		}
	}
	return 0, false
}
