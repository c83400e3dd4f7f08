package spec

import "github.com/streamwright/streamwright/spec/diag"

// Kind is the kind of a type.
type Kind uint8

// The kinds. Timestamp and Duration are counts of nanoseconds.
const (
	Bool Kind = iota + 1
	Int
	Double
	String
	Timestamp
	Duration
	List
	Object
	Null    // of the literal null alone
	Bytes   // base64 in JSON
	Decimal // an int64 count of 10^-Scale
)

// Text says whether a value of the kind is a string of bytes.
func (k Kind) Text() bool { return k == String || k == Bytes }

// Type is the type of a field or an expression.
type Type struct {
	Kind     Kind
	Nullable bool
	Elem     *Type   // of a list; not nullable
	Scale    int     // of a decimal: digits behind the point, 0 to 18
	Struct   *Struct // of an object
}

// OrNull is the type with null among its values.
func (t *Type) OrNull() *Type {
	of := *t
	of.Nullable = true
	return &of
}

// Struct is the shape of a row: an event type, a nested struct, or the row of a windowed stage.
type Struct struct {
	// Name is that of the CUE definition without '#' ("Order"), of a struct inside another the path to it ("Order.address"), of an event that is no definition
	// "pipeline.source", of the row of a windowed stage "pipeline.stage".
	Name   string
	Doc    []string
	Pos    diag.Pos
	Fields []*Field // in the order of the spec
}

// Field is one field of a struct.
type Field struct {
	Name    string // as it stands in JSON, byte for byte
	Doc     []string
	Pos     diag.Pos
	Type    *Type      // Nullable when the field may be missing or null
	Time    TimeFormat // of a Timestamp: how its value is read
	Missing Missing
	Null    bool     // null is accepted
	Default *Value   // when Missing is MissingDefault
	Checks  []*Check // in the order of the spec; all must hold for a value that is not null. Of a list with scalar elements: of each element
	Items   []*Check // of a list itself: how many elements
	// Retractable: it is null in rows that take an earlier one back, which have no aggregates and nothing that is made of them.
	Retractable bool
	Longest     int64 // of a text that a stage carries on in its rows: bytes at most; 0 when nobody knows, and for fields of events, whose Checks say it
}

// Missing is what a field that is not there means.
type Missing uint8

// What a missing field means.
const (
	MissingRefused Missing = iota // contract violated
	MissingNull
	MissingDefault
)

// TimeFormat is how a time is written in a record.
type TimeFormat uint8

// The time formats.
const (
	NoTime TimeFormat = iota
	RFC3339
	UnixSeconds
	UnixMillis
	UnixMicros
	UnixNanos
)

// Check is one constraint of a field.
type Check struct {
	Op     CheckOp
	Value  Value   // of the comparisons; of the matches a string: the RE2 pattern
	Values []Value // of OneOf
	Text   string  // as the spec writes it, for messages: ">=0"
}

// CheckOp is the operator of a check.
type CheckOp uint8

// The operators of checks.
const (
	CheckLess CheckOp = iota
	CheckLessEqual
	CheckGreater
	CheckGreaterEqual
	CheckNotEqual
	CheckMatch
	CheckNotMatch
	CheckOneOf
	CheckMinRunes // Value.Int: of a string, code points; of a list, elements
	CheckMaxRunes
)

// Value is a constant. Bool, Int (int, timestamp and duration), Double or String holds it, as Kind says; Null has none.
type Value struct {
	Kind   Kind
	Bool   bool
	Int    int64
	Double float64
	String string
}
