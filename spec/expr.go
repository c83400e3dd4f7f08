package spec

import "github.com/streamwright/streamwright/spec/diag"

// Expr is a typed CEL expression. Meaning and results are cel-go's; every implicit choice is resolved: the overload in Op and the types of the arguments, null
// in Type.Nullable and OpRequire, what can fail in Faults, the order of evaluation in Args.
type Expr struct {
	Op     Op
	Type   *Type // Nullable when the value may be null at this place: in "x == null || x > 1" the second x is not
	Args   []*Expr
	Value  Value         // OpConst
	Path   []*Field      // OpField: from the row to the field, one step per struct
	Call   int           // OpCall: index in Window.Calls
	Func   AggregateFunc // OpCall: the function of that call
	Faults Faults        // how this operation itself can fail, its arguments not counted
	Pos    diag.Pos      // of the operator or literal, inside the CEL text
	Text   string        // of the root: the whole CEL text; of others empty
}

// Op is an operation. The types of the arguments choose among its overloads.
type Op uint8

// The operations. Where nothing else is said an operation is strict: its arguments are not null (OpRequire stands before those that may be) and a fault of one is its own.
const (
	OpConst Op = iota
	OpField
	OpCall    // the value of an aggregate call
	OpList    // list literal; elements may be null
	OpRequire // its argument, which may be null; faults when it is
	OpFinite  // of the root: its argument, a double or null, with -0 as 0; faults when it is NaN or an infinity
	OpNot     // !a
	OpAnd     // a && b && …, absorbing faults: false when one is false, else a fault when one faults. Two or more; those that cannot fail stand first
	OpOr      // a || b || …, likewise
	OpCond    // a ? b : c; one of b and c is evaluated, each may be null
	OpEqual   // a == b; null equals null alone
	OpNotEqual
	OpLess // numbers (false with NaN), strings by bytes, times, durations, false before true; null faults, where cel-go has false of NaN and null
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAdd // numbers, strings, timestamp and duration
	OpSub
	OpMul
	OpDiv
	OpMod
	OpNeg
	OpIn    // a in list; a may be null
	OpIndex // list[i]
	OpSize  // of a string: code points; of a list: elements
	OpStartsWith
	OpEndsWith
	OpContains
	OpMatches // second argument is a constant RE2 pattern
	OpHas     // neither the field nor the struct that has it is null
	OpToBool
	OpToInt // of a double: towards zero; of a timestamp: whole seconds, floor; of a duration: nanoseconds
	OpToDouble
	OpToString
	OpToTimestamp // of an int: seconds
	OpToDuration
)

// Faults is a set of ways to fail.
type Faults uint16

// The faults.
const (
	FaultDivision   Faults = 1 << iota // division by zero
	FaultModulus                       // modulus by zero
	FaultOverflow                      // result outside its type
	FaultTimeRange                     // time outside int64 nanoseconds
	FaultNotFinite                     // NaN or infinity as the value of an expression
	FaultNull                          // null into an operator
	FaultIndex                         // index outside the list
	FaultConversion                    // text that cannot be converted
)

// Total says whether e cannot fail.
func (e *Expr) Total() bool {
	if e.Faults != 0 {
		return false
	}
	for _, a := range e.Args {
		if !a.Total() {
			return false
		}
	}
	return true
}

// Site is a place in an expression that faults are reported at, and which.
type Site struct {
	Expr   *Expr
	Faults Faults
}

// Sites are all places at which faults of e are reported, inner before outer.
func (e *Expr) Sites() []Site {
	return e.sites(nil, make(map[*Expr]bool))
}

func (e *Expr) sites(dst []Site, known map[*Expr]bool) []Site {
	captured := e.captured()
	for i, a := range e.Args {
		if i < len(captured) && captured[i] {
			if s := a.Site(); !known[s.Expr] {
				known[s.Expr] = true
				dst = append(dst, s)
			}
			continue
		}
		dst = a.sites(dst, known)
	}
	if e.Faults != 0 && !known[e] {
		known[e] = true
		dst = append(dst, Site{e, e.Faults})
	}
	return dst
}

// captured says of each argument whether its fault is kept until a later one has been evaluated: of && and || with several that can fail, all of these but the last.
func (e *Expr) captured() []bool {
	if e.Op != OpAnd && e.Op != OpOr {
		return nil
	}
	captured := make([]bool, len(e.Args))
	for i, a := range e.Args[:len(e.Args)-1] {
		captured[i] = !a.Total()
	}
	return captured
}

// Captures says whether the fault of argument i of && or || waits for what later arguments give. It is then reported at e.Args[i].Site().
func (e *Expr) Captures(i int) bool { return e.captured()[i] }

// Site is the one place at which all faults of e are reported when they are captured: the operation that can fail when there is one, else e itself.
func (e *Expr) Site() Site {
	var all []Site
	collect(e, &all)
	if len(all) == 1 {
		return all[0]
	}
	s := Site{Expr: e}
	for _, in := range all {
		s.Faults |= in.Faults
	}
	return s
}

func collect(e *Expr, dst *[]Site) {
	for _, a := range e.Args {
		collect(a, dst)
	}
	if e.Faults != 0 {
		*dst = append(*dst, Site{e, e.Faults})
	}
}

// Same says whether a and b are the same expression, wherever they stand.
func Same(a, b *Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Op != b.Op || a.Type.Kind != b.Type.Kind || len(a.Args) != len(b.Args) || len(a.Path) != len(b.Path) || a.Value != b.Value || a.Call != b.Call {
		return false
	}
	for i := range a.Path {
		if a.Path[i] != b.Path[i] {
			return false
		}
	}
	for i := range a.Args {
		if !Same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}
