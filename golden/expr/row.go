// Package expr has the Go code of the expressions of package cases, as gen/emit writes it, and the test that holds it against cel-go.
package expr

import "github.com/streamwright/streamwright/runtime/stream"

// Row is cases.Row in Go, as generated code has rows.
type Row struct {
	V, W, Amount, N                       int64
	D, X, R                               float64
	S, U, Note                            stream.Str
	B, C, Flag                            bool
	T, Z, Seen                            int64 // ns
	Tags, Nums, Marks, Bits, More         stream.List
	Home, Work                            Place
	HasN, HasR, HasNote, HasFlag, HasSeen bool
	HasMore, HasWork                      bool
}

// Place is a struct inside the row.
type Place struct {
	City, Zip      stream.Str
	Geo            Geo
	HasZip, HasGeo bool
}

// Geo is a struct inside that.
type Geo struct {
	Lat, Alt float64
	HasAlt   bool
}

// outcome is what an expression gives: a value, null when it is nil, or a fault and where it is: the byte of the text.
type outcome struct {
	value any
	fault stream.Fault
	at    int
}
