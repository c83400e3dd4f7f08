// Package expr has the Go code of the expressions of package cases, as gen/emit writes it, and the test that holds it against cel-go.
package expr

import (
	"math"

	"github.com/streamwright/streamwright/runtime/stream"
)

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
	Y, Raw                                stream.Str // bytes
	M, K, Fee                             int64      // hundredths
	HasRaw, HasFee                        bool
	Times, Blobs, Items                   stream.List
}

// Item is a struct in a list of the row.
type Item struct {
	Sku, Hint         stream.Str
	Price             float64
	Qty               int64
	Sizes             stream.List
	Maker             Maker
	HasHint, HasMaker bool
}

// Maker is a struct inside that.
type Maker struct{ Land stream.Str }

// itemWords is how many words of the batch an item takes.
const itemWords = 7

// store appends an item to the words of the batch.
func (o *Item) store(in *stream.Batch) {
	has := uint64(0)
	if o.HasHint {
		has |= 1
	}
	if o.HasMaker {
		has |= 2
	}
	in.Words = append(in.Words, has, o.Sku.Word(), o.Hint.Word(), math.Float64bits(o.Price), uint64(o.Qty), uint64(o.Sizes.Off)<<32|uint64(o.Sizes.Len), o.Maker.Land.Word())
}

// load fills o with element i of a list.
func (o *Item) load(in *stream.Batch, l stream.List, i int) {
	w := in.Words[int(l.Off)+i*itemWords:][:itemWords]
	*o = Item{
		Sku: stream.WordStr(w[1]), Hint: stream.WordStr(w[2]), Price: math.Float64frombits(w[3]), Qty: int64(w[4]), Sizes: stream.List{Off: uint32(w[5] >> 32), Len: uint32(w[5])},
		Maker: Maker{stream.WordStr(w[6])}, HasHint: w[0]&1 != 0, HasMaker: w[0]&2 != 0,
	}
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
