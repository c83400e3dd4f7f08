package spec

import "github.com/streamwright/streamwright/spec/diag"

// Expr is a typed CEL expression. Meaning and results are cel-go's; every implicit choice (overload, null handling) is resolved in Op, the
// types of the arguments and Type.
type Expr struct {
	Op    Op
	Type  *Type
	Args  []*Expr
	Value Value    // OpConst
	Path  []*Field // OpField: from the row to the field, one step per struct
	Call  int      // OpCall: index in Window.Calls
	Pos   diag.Pos // of the operator or literal, inside the CEL text
	Text  string   // of the root: the whole CEL text; of others empty
}

// Op is an operation. The types of the arguments choose among its overloads.
type Op uint8

// The operations.
const (
	OpConst Op = iota
	OpField
	OpCall  // the value of an aggregate call
	OpList  // list literal
	OpNot   // !a
	OpAnd   // a && b, absorbing faults
	OpOr    // a || b, absorbing faults
	OpCond  // a ? b : c
	OpEqual // a == b; null equals null alone, no fault
	OpNotEqual
	OpLess // faults when an argument is null, as everything below does
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAdd // numbers, strings, timestamp and duration
	OpSub
	OpMul
	OpDiv
	OpMod
	OpNeg
	OpIn    // a in list
	OpIndex // list[i]
	OpSize  // of a string: code points; of a list: elements
	OpStartsWith
	OpEndsWith
	OpContains
	OpMatches // second argument is a constant RE2 pattern
	OpHas     // the field is not null
	OpToBool
	OpToInt
	OpToDouble
	OpToString
	OpToTimestamp
	OpToDuration
)
