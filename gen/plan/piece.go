package plan

import (
	"github.com/streamwright/streamwright/spec"
)

// Argument is an expression over a row that a fold needs, each different one once.
type Argument struct {
	Expr    *spec.Expr
	Name    string // Go field of the arguments, and of the local that the fold uses
	Has     string // Go field that says whether it is not null; "" when it never is
	Partial bool   // it can fail, so it is evaluated before the row is judged
	Uses    int    // pieces that fold it
}

// PieceKind is what a piece of an accumulator does.
type PieceKind uint8

// The kinds of pieces.
const (
	CountRows  PieceKind = iota
	CountValue           // rows in which Arg is not null
	CountTrue            // rows in which Arg is true
	SumInt               // of ints and decimals: exact, in 128 bits
	SumDouble            // compensated
	Least
	Greatest
	Earliest
	Latest
	SquaresInt // sum of squares of ints and decimals: exact, in 192 bits
	Moments    // of doubles: how many, their mean, the squared distances from it
	Values     // all of them
	Different  // each different one once
	Ranked     // the rows that are first, in order
	Registers  // a sketch of how many different values there are
	Buckets    // a sketch of how values are distributed
)

// Piece is one field of an accumulator. Calls share pieces.
type Piece struct {
	Kind PieceKind
	Arg  *Argument // nil for CountRows
	Name string    // Go field
	Has  string    // Go field: a value was folded; "" when the first row of a window always brings one
	At   string    // Go field: event time of the value, of Earliest and Latest
	Blob bool      // the value is a string, held in the stage's blobs
	Most int64     // how many values it holds; 0 when it holds none
	Top  *Ranks    // of Ranked
}

// Ranks is the plan of a piece that keeps rows in order: the highest of Arg first or, of collect, the earliest.
type Ranks struct {
	Var      string // Go variable: what the piece keeps
	N        int64
	Earliest bool        // the rows are ordered by time alone, and each is the value of Arg
	Fields   []*Argument // of each row; none: each is the value of Arg
	Row      *Struct     // of Fields
}

// Blobs says whether the piece has something in the stage's blobs.
func (p *Piece) Blobs() bool {
	return p.Blob || p.Most > 0 || p.Top != nil || p.Kind == Registers || p.Kind == Buckets
}

// Timed says whether a fold of the piece looks at the event time.
func (p *Piece) Timed() bool { return p.At != "" || p.Top != nil }

// texts are how many bytes the texts of a row have at most, those of no known length left out.
func (r *Ranks) texts(by *Argument) int64 {
	n := int64(0)
	for _, a := range append([]*Argument{by}, r.Fields...) {
		if a.Expr.Type.Kind.Text() {
			n += textBytes(a.Expr.LongestText())
		}
	}
	return n
}

// textBytes is what a text takes in blobs that has so many bytes at most; of one of no known length 0.
func textBytes(longest int64) int64 {
	if longest <= 0 {
		return 0
	}
	return max(16, longest*3/2)
}

// Words is how many words a row takes beside its rank and time.
func (r *Ranks) Words() int {
	switch {
	case r.Row != nil:
		return r.Row.Element().Words()
	case r.Earliest:
		return 1
	}
	return 0
}

// Held is what the values of the piece take at most, beside its Bytes: a third of the room for a list may be empty, half of the cells of a set and more.
func (p *Piece) Held() int64 {
	switch p.Kind {
	case Values:
		return p.Most * 12
	case Registers:
		return 4096
	case Buckets:
		return 8192
	case Ranked:
		return p.Top.N * (12*int64(2+p.Top.Words()) + p.Top.texts(p.Arg))
	case Different:
		n := p.Most * 22
		if most := p.Arg.Expr.LongestText(); p.Arg.Expr.Type.Kind.Text() && most > 7 { // shorter ones stand in their cells
			n += p.Most * textBytes(most)
		}
		return n
	}
	if p.Blob {
		return max(0, p.Arg.Expr.LongestText())
	}
	return 0
}

// Bytes is what the piece takes in an accumulator.
func (p *Piece) Bytes() int64 {
	n := int64(8)
	switch p.Kind {
	case SumInt, SumDouble:
		n = 16
	case SquaresInt, Moments:
		n = 24
	case Different:
		n = 16
	case Values, Buckets:
		n = 32
	}
	if p.Has != "" {
		n += 8
	}
	if p.At != "" {
		n += 8
	}
	return n
}
