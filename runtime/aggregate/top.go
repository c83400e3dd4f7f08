package aggregate

import (
	"bytes"
	"math"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// Ranks says what a Top keeps. It is the same in all calls.
type Ranks struct {
	Most  int    // rows, at least 1
	By    By     // the type of what they are ranked by
	Words int    // of a row, at most 64; 0: the row is what it is ranked by
	Texts uint64 // a bit for each word that is a text, which CellOf gives
}

// By is the type of what rows are ranked by.
type By uint8

// The types. Each is given as a word that is ordered as its values are, but texts.
const (
	Equal  By = iota // all rows are equal: the earliest are first
	Ints             // and times and decimals, by table.OrderedInt
	Floats           // by table.Ordered
	Bools            // by table.Word
	Texts
)

// Top is the place of the rows of an accumulator that are first: by a value, the highest first, then by event time, then as they came. Rows stand in table.Blobs, which are the same in
// every call, in their order; the zero value has none.
//
//	row   what it is ranked by | event time | its words
type Top struct{ place table.Blob }

// width is how many words a row takes.
func (r *Ranks) width() int { return 2 + r.Words }

// CellOf is a text as a word of a row.
func CellOf(x *table.Blobs, text string) uint64 { return cellOf(x.SetText(table.Blob{}, text)) }

func cellOf(s table.Blob) uint64 { return uint64(s.Len)<<32 | uint64(s.Off) }

// Insert makes room for a row that is ranked by a word, behind those that are as good, and gives its words to be set, all 0; nil when it is not among the first.
func (t *Top) Insert(x *table.Blobs, r *Ranks, by uint64, at int64) []uint64 {
	all, w := x.Words(t.place), r.width()
	i := len(all)
	for i > 0 && (all[i-w] < by || all[i-w] == by && int64(all[i-w+1]) > at) {
		i -= w
	}
	return t.open(x, r, i, by, at)
}

// InsertText is Insert for rows that are ranked by texts.
func (t *Top) InsertText(x *table.Blobs, r *Ranks, by string, at int64) []uint64 {
	return t.insertBytes(x, r, table.View(by), at)
}

func (t *Top) insertBytes(x *table.Blobs, r *Ranks, by []byte, at int64) []uint64 {
	all, w := x.Words(t.place), r.width()
	i := len(all)
	for i > 0 {
		c := bytes.Compare(x.Bytes(blobOf(all[i-w])), by)
		if c > 0 || c == 0 && int64(all[i-w+1]) <= at {
			break
		}
		i -= w
	}
	if i == r.Most*w {
		return nil
	}
	return t.open(x, r, i, cellOf(x.Set(table.Blob{}, by)), at)
}

// open makes room for a row at word i; the last row goes when there are too many.
func (t *Top) open(x *table.Blobs, r *Ranks, i int, by uint64, at int64) []uint64 {
	w := r.width()
	n := int(t.place.Len) / 8
	switch {
	case i == r.Most*w:
		return nil
	case n == r.Most*w:
		n -= w
		freeRow(x, r, x.Words(t.place)[n:])
	default:
		t.place = x.Extend(t.place, 8*(n+w))
	}
	all := x.Words(t.place)
	copy(all[i+w:], all[i:n])
	row := all[i : i+w]
	clear(row)
	row[0], row[1] = by, uint64(at)
	return row[2:]
}

// freeRow gives the texts of a row back.
func freeRow(x *table.Blobs, r *Ranks, row []uint64) {
	if r.By == Texts {
		x.Free(blobOf(row[0]))
	}
	for i, word := range row[2:] {
		if r.Texts>>i&1 != 0 {
			x.Free(blobOf(word))
		}
	}
}

// Len is how many rows there are.
func (t *Top) Len(r *Ranks) int { return int(t.place.Len) / 8 / r.width() }

// Free gives the memory back.
func (t *Top) Free(x *table.Blobs, r *Ranks) {
	if r.By == Texts || r.Texts != 0 {
		w := r.width()
		for all := x.Words(t.place); len(all) > 0; all = all[w:] {
			freeRow(x, r, all[:w])
		}
	}
	x.Free(t.place)
}

// List makes a list of the rows in a batch: of the words of each, or of what it is ranked by.
func (t *Top) List(in *stream.Batch, x *table.Blobs, r *Ranks) stream.List {
	l := stream.List{Off: uint32(len(in.Words)), Len: uint32(t.Len(r))}
	w := r.width()
	for all := x.Words(t.place); len(all) > 0; all = all[w:] {
		if r.Words == 0 {
			in.Words = append(in.Words, valueOf(in, x, r.By, all[0]))
		}
		for i, word := range all[2:w] {
			if r.Texts>>i&1 != 0 {
				word = in.Keep(x.Bytes(blobOf(word))).Word()
			}
			in.Words = append(in.Words, word)
		}
	}
	return l
}

// valueOf is what a row is ranked by as the element of a list.
func valueOf(in *stream.Batch, x *table.Blobs, by By, word uint64) uint64 {
	switch by {
	case Ints:
		return uint64(table.OfOrderedInt(word))
	case Floats:
		return math.Float64bits(table.OfOrdered(word))
	case Texts:
		return in.Keep(x.Bytes(blobOf(word))).Word()
	}
	return word
}

// Merge adds the rows of o, which keeps its own; of equal ones those of o are the later.
func (t *Top) Merge(x *table.Blobs, r *Ranks, o *Top) {
	w := r.width()
	for all := x.Words(o.place); len(all) > 0; all = all[w:] {
		var row []uint64
		if r.By == Texts {
			row = t.insertBytes(x, r, x.Bytes(blobOf(all[0])), int64(all[1]))
		} else {
			row = t.Insert(x, r, all[0], int64(all[1]))
		}
		if row == nil {
			return // nor is any that comes behind it
		}
		copy(row, all[2:w])
		for i, word := range row {
			if r.Texts>>i&1 != 0 {
				row[i] = cellOf(x.Set(table.Blob{}, x.Bytes(blobOf(word))))
			}
		}
	}
}

// Append appends the rows to a state.
func (t *Top) Append(dst []byte, x *table.Blobs, r *Ranks) []byte {
	w := r.width()
	dst = table.AppendUint(dst, uint64(t.Len(r)))
	for all := x.Words(t.place); len(all) > 0; all = all[w:] {
		if r.By == Texts {
			dst = table.AppendBytes(dst, x.Bytes(blobOf(all[0])))
		} else {
			dst = table.AppendWord(dst, all[0])
		}
		dst = table.AppendInt(dst, int64(all[1]))
		for i, word := range all[2:w] {
			if r.Texts>>i&1 != 0 {
				dst = table.AppendBytes(dst, x.Bytes(blobOf(word)))
			} else {
				dst = table.AppendWord(dst, word)
			}
		}
	}
	return dst
}

// Read reads what Append wrote over what t holds.
func (t *Top) Read(from *table.Reader, x *table.Blobs, r *Ranks) {
	t.Free(x, r)
	*t = Top{}
	for range from.Count(2 + r.Words) {
		var row []uint64
		if r.By == Texts {
			by := from.Bytes()
			row = t.insertBytes(x, r, by, from.Int())
		} else {
			by := from.Word()
			row = t.Insert(x, r, by, from.Int())
		}
		for i := range r.Words {
			word := uint64(0)
			if r.Texts>>i&1 != 0 {
				text := from.Bytes()
				if row != nil {
					word = cellOf(x.Set(table.Blob{}, text))
				}
			} else {
				word = from.Word()
			}
			if row != nil {
				row[i] = word
			}
		}
	}
}
