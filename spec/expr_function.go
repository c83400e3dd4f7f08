package spec

import "math"

// resolveLoop resolves a loop over a list. What its conditions show of other fields is not known behind it, since the list may be empty.
func resolveLoop(e *Expr, f *fact) (*Expr, known) {
	k := e.require(0, f)
	of := &Expr{Op: OpField, Type: e.Var.Type, Path: []*Field{e.Var}}
	inside := &fact{f, of, k}
	e.Faults = 0
	if makes(e.Args[1:]) {
		e.Faults = FaultOverflow
	}
	switch e.Op {
	case OpFilter:
		e.require(1, inside)
		return e, k
	case OpMap:
		if len(e.Args) == 3 {
			e.require(2, inside)
			inside = assume(inside, e.Args[2], true)
		}
		return e, e.require(1, inside)
	}
	e.require(1, inside)
	return e, anything
}

// resolveLookup resolves the search in a map that is written out.
func resolveLookup(e *Expr, f *fact) (*Expr, known) {
	e.require(0, f)
	e.Faults = FaultIndex
	nullable := false
	var k known
	for i := 2; i < len(e.Args); i += 2 {
		value, of := resolve(e.Args[i], f)
		e.Args[i] = value
		nullable = nullable || value.Type.Nullable
		if i > 2 {
			of = of.or(k)
		}
		k = of
	}
	e.setNullable(nullable)
	return e, k
}

// makes says whether one of the expressions makes a text or a list, which for each element of a long list may be more than a batch can hold.
func makes(all []*Expr) bool {
	for _, e := range all {
		switch e.Type.Kind {
		case String, Bytes, List:
			if e.Op != OpField && e.Op != OpConst && e.Op != OpIndex && e.Op != OpCond && e.Op != OpRequire {
				return true
			}
		}
		if makes(e.Args) {
			return true
		}
	}
	return false
}

// function is what is known of a function of OpFunction: how it can fail whatever its arguments are, and between what an int lies that it gives.
type function struct {
	faults Faults
	lo, hi int64
}

// functions are those that have more to say than the kind of their result. Years are those of int64 nanoseconds; a zone may shift them.
var functions = map[string]function{
	"getFullYear": {0, 1677, 2262}, "getMonth": {0, 0, 11}, "getDayOfYear": {0, 0, 365}, "getDayOfMonth": {0, 0, 30}, "getDate": {0, 1, 31}, "getDayOfWeek": {0, 0, 6},
	"charAt": {faults: FaultIndex}, "substring": {faults: FaultIndex}, "join": {faults: FaultOverflow},
	"indexOf": {0, -1, math.MaxInt32}, "lastIndexOf": {0, -1, math.MaxInt32},
	"math.sign": {0, -1, 1}, "math.bitShiftLeft": {faults: FaultOverflow}, "math.bitShiftRight": {faults: FaultOverflow},
}

// clock are the accessors that of a timestamp give a part of its time of day, and of a duration the whole of it in that unit.
var clock = map[string]struct{ parts, unit int64 }{
	"getHours": {24, 3_600_000_000_000}, "getMinutes": {60, 60_000_000_000}, "getSeconds": {60, 1_000_000_000}, "getMilliseconds": {1000, 1_000_000},
}

// functionOutcome is outcome for OpFunction.
func functionOutcome(e *Expr, args []known) (known, Faults) {
	double := e.Args[0].Type.Kind == Double
	if c, ok := clock[e.Name]; ok {
		if e.Args[0].Type.Kind == Timestamp {
			return known{lo: 0, hi: c.parts - 1}, 0
		}
		return known{lo: math.MinInt64/c.unit - 1, hi: math.MaxInt64/c.unit + 1}, 0
	}
	switch e.Name {
	case "indexOf", "lastIndexOf":
		if len(e.Args) == 3 {
			return anything, FaultIndex
		}
	case "replace":
		if shrinks(e) {
			return anything, 0
		}
		return anything, FaultOverflow
	case "math.greatest", "math.least":
		return extreme(e, args)
	case "math.abs":
		if double {
			args[0].minusZero = false
			return args[0], 0
		}
		if args[0].lo == math.MinInt64 {
			return known{lo: 0, hi: math.MaxInt64}, FaultOverflow
		}
		return known{lo: 0, hi: max(args[0].hi, -args[0].lo)}, 0
	case "math.ceil", "math.floor", "math.round", "math.trunc":
		args[0].minusZero = true
		return args[0], 0
	case "math.sqrt":
		return known{infinite: args[0].infinite, nan: true, minusZero: args[0].minusZero}, 0
	case "math.sign":
		if double {
			return known{nan: args[0].nan}, 0
		}
	case "math.bitShiftLeft", "math.bitShiftRight":
		if args[1].lo >= 0 {
			return anything, 0
		}
	}
	f := functions[e.Name]
	if f.lo < f.hi {
		return known{lo: f.lo, hi: f.hi}, f.faults
	}
	return anything, f.faults
}

// extreme is the outcome of math.greatest and math.least: NaN has no order among several, and an empty list no greatest element.
func extreme(e *Expr, args []known) (known, Faults) {
	k, faults := args[0], Faults(0)
	for i := range e.Args {
		k = k.or(args[i])
		if e.Type.Kind == Int && i > 0 { // as far as one of them reaches, all do
			if e.Name == "math.greatest" {
				k.lo = max(args[i-1].lo, args[i].lo)
			} else {
				k.hi = min(args[i-1].hi, args[i].hi)
			}
			args[i] = k
		}
	}
	list := e.Args[0].Type.Kind == List
	if list {
		faults |= FaultIndex
	}
	if k.nan && (list || len(e.Args) > 1) {
		faults |= FaultNotFinite
	}
	return k, faults
}

// shrinks says whether replace() surely gives no longer text than it takes.
func shrinks(e *Expr) bool {
	old, with := e.Args[1], e.Args[2]
	return old.Op == OpConst && with.Op == OpConst && old.Value.String != "" && len(with.Value.String) <= len(old.Value.String)
}
