package spec

import "github.com/streamwright/streamwright/spec/diag"

// Expr is a typed CEL expression. Meaning and results are cel-go's; every implicit choice is resolved: the overload in Op and the types of the arguments, null
// in Type.Nullable and OpRequire, what can fail in Faults, the order of evaluation in Args.
type Expr struct {
	Op     Op
	Type   *Type // Nullable when the value may be null at this place: in "x == null || x > 1" the second x is not
	Args   []*Expr
	Value  Value         // OpConst
	Path   []*Field      // OpField: to the field, one step per struct: from the row, from the struct that Args[0] gives if there is one, or beginning with the Var of a loop
	Call   int           // OpCall: index in Window.Calls
	Func   AggregateFunc // OpCall: the function of that call
	Exact  bool          // OpCall: its argument is an int or a decimal
	Name   string        // OpFunction: the function
	Var    *Field        // of a loop: the element, first step of the paths of its conditions and result
	Faults Faults        // how this operation itself can fail, its arguments not counted
	At     Place         // of the operator or literal
	Text   string        // of the root: the whole CEL text; of others empty
}

// Place is where a part of an expression stands.
type Place struct {
	Pos  diag.Pos // in the user's file
	Word string   // in the pipeline, wherever that stands: the expression and the character of its text, from 1, as in "stage.paid.filter:14"; with a line where the text has several: "stage.paid.filter:2:7"
}

// Op is an operation. The types of the arguments choose among its overloads.
type Op uint8

// The operations. Where nothing else is said an operation is strict: its arguments are not null (OpRequire stands before those that may be) and a fault of one is its own.
const (
	OpConst Op = iota
	OpField
	OpCall    // the value of an aggregate call
	OpList    // list literal; its elements may be null where it is the list of OpIn
	OpRequire // its argument, which may be null; faults when it is
	OpFinite  // of the root: its argument, a double or null, with -0 as 0; faults when it is NaN or an infinity
	OpNot     // !a
	OpAnd     // a && b && …, absorbing faults: false when one is false, else a fault when one faults. Two or more; those that cannot fail stand first
	OpOr      // a || b || …, likewise
	OpCond    // a ? b : c; one of b and c is evaluated, each may be null
	OpEqual   // a == b; null equals null alone; of lists: all elements
	OpNotEqual
	OpLess // numbers (false with NaN), strings by bytes, times, durations, false before true; null faults, where cel-go has false of NaN and null
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAdd // numbers, decimals of one scale, strings, bytes, lists, timestamp and duration
	OpSub
	OpMul
	OpDiv
	OpMod
	OpNeg
	OpIn    // a in list; a may be null
	OpIndex // list[i]
	OpSize  // of a string: code points; of a list: elements; of bytes: bytes
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
	OpToBytes
	OpFunction  // a strict function of the library, by its Name
	OpExists    // list.exists(Var, Args[1]), absorbing faults: true when one is true, else a fault when one faults
	OpAll       // likewise: false when one is false
	OpExistsOne // exactly one is true; a fault of one is its own, also in the two that follow
	OpFilter    // the elements for which Args[1] is true
	OpMap       // Args[1] of each element, or of each for which Args[2] is true
	OpLookup    // {k: v, …}[x]: Args are x, k, v, k, v, …; the keys are constants and differ, the values may be null and are strict, as in a list
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
	FaultIndex                         // index outside the list or text, key not in the map
	FaultConversion                    // text or bytes that cannot be converted
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

// Quotients are the divisions of ints in e, outer before inner, but for those with int(…) around them.
func (e *Expr) Quotients() []*Expr {
	var all []*Expr
	if e.Op == OpDiv && e.Type.Kind == Int {
		all = append(all, e)
	}
	for _, a := range e.Args {
		of := a.Quotients()
		if e.Op == OpToInt && len(of) > 0 && of[0] == a {
			of = of[1:]
		}
		all = append(all, of...)
	}
	return all
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

// captured says of each argument whether its fault is kept for later: of && and || with several that can fail, of all of these but the last until a later one has
// been evaluated; of loops, of what is done with each element until the loop has been left.
func (e *Expr) captured() []bool {
	from, to := 0, 0
	switch {
	case e.Op == OpAnd || e.Op == OpOr:
		to = len(e.Args) - 1
	case e.Loop():
		from, to = 1, len(e.Args)
	}
	captured := make([]bool, to)
	for i := from; i < to; i++ {
		captured[i] = !e.Args[i].Total()
	}
	return captured
}

// Loop says whether e goes over the elements of a list: Args[0].
func (e *Expr) Loop() bool { return e.Op >= OpExists && e.Op <= OpMap }

// Captures says whether the fault of argument i of && or || waits for what later arguments give, or that of a loop until it is left. It is then reported at e.Args[i].Site().
func (e *Expr) Captures(i int) bool {
	captured := e.captured()
	return i < len(captured) && captured[i]
}

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
	if a.Op != b.Op || a.Type.Kind != b.Type.Kind || a.Type.Scale != b.Type.Scale || len(a.Args) != len(b.Args) || len(a.Path) != len(b.Path) || a.Value != b.Value || a.Call != b.Call ||
		a.Name != b.Name || a.Var != b.Var {
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
