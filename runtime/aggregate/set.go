package aggregate

import (
	"bytes"
	"encoding/binary"

	"github.com/streamwright/streamwright/runtime/table"
)

// Set is what an accumulator keeps of a set: its values, each once, up to a number beyond which it keeps none. Cells stand in table.Blobs, which are the same in every call; the zero value
// is empty. A value is a word, or a text below 2 GiB; words and texts are not put into one set.
//
//	cell of a word    the word
//	cell of a text    1 | 7 bits length | 56 bits of up to 7 bytes
//	                  0 | 31 bits length | 32 bits place in table.Blobs
//	empty cell        0
//
// The values whose cell would be 0, the word 0 and the empty text, have a flag.
type Set struct {
	cells   table.Blob // 8 bytes for each of a power of two, of which at least a quarter is empty
	fresh   table.Blob // cells of values that came since the last commit that is durable, if some commit has told the set
	used    uint32
	told    uint32 // so many of fresh the newest commit has that told the set,
	commit  uint32 // and this is its number
	known   bool   // there is such a commit,
	durable bool   // and one that is durable
	zero    bool
	Over    bool // there were more than may be
}

// inlineText marks the cell of a text that stands in it.
const inlineText = 1 << 63

// Len is how many values there are.
func (t *Set) Len() int64 {
	if t.zero {
		return int64(t.used) + 1
	}
	return int64(t.used)
}

// full says that one value more is too many, and gives them up.
func (t *Set) full(most int) bool { return t.Over || t.Len() >= int64(most) }

// drop gives all values up.
func (t *Set) drop(x *table.Blobs, texts bool) {
	t.Free(x, texts)
	*t = Set{Over: true}
}

// Free gives the memory back; texts says that the values are texts.
func (t *Set) Free(x *table.Blobs, texts bool) {
	if texts {
		for _, cell := range x.Words(t.cells) {
			if cell != 0 && cell&inlineText == 0 {
				x.Free(blobOf(cell))
			}
		}
	}
	x.Free(t.cells)
	x.Free(t.fresh)
}

// put puts the cell of a new value into cell i.
func (t *Set) put(x *table.Blobs, cells []uint64, i int, cell uint64) {
	cells[i] = cell
	t.used++
	if t.known {
		n := int(t.fresh.Len) / 8
		t.fresh = x.Extend(t.fresh, 8*n+8)
		x.Words(t.fresh)[n] = cell
	}
}

// Add adds a word; with more than most values there are none from then on.
func (t *Set) Add(x *table.Blobs, s table.Seed, word uint64, most int) {
	if word == 0 {
		t.addZero(x, most, false)
		return
	}
	cells := x.Words(t.cells)
	i := find(cells, uint32(table.Hash1(s, word)), word)
	if i >= 0 && cells[i] == word {
		return
	}
	if t.full(most) {
		t.drop(x, false)
		return
	}
	if t.crowded(len(cells)) {
		cells = t.grow(x, func(word uint64) uint32 { return uint32(table.Hash1(s, word)) })
		i = find(cells, uint32(table.Hash1(s, word)), word)
	}
	t.put(x, cells, i, word)
}

func (t *Set) addZero(x *table.Blobs, most int, texts bool) {
	switch {
	case t.zero:
	case t.full(most):
		t.drop(x, texts)
	default:
		t.zero = true
	}
}

// find is the cell of a word, or the empty one where it belongs; -1 when there are no cells.
func find(cells []uint64, hash uint32, word uint64) int {
	mask := len(cells) - 1
	if mask < 0 {
		return -1
	}
	i := int(hash) & mask
	for cells[i] != 0 && cells[i] != word {
		i = (i + 1) & mask
	}
	return i
}

// crowded says that one value more would leave fewer than a quarter of the cells empty.
func (t *Set) crowded(cells int) bool { return 4*(int(t.used)+1) > 3*cells }

// grow doubles the cells. hash is that of the value of a cell.
func (t *Set) grow(x *table.Blobs, hash func(cell uint64) uint32) []uint64 {
	old := t.cells
	place := x.Extend(table.Blob{}, max(2*int(old.Len), 32))
	cells := x.Words(place)
	clear(cells)
	for _, cell := range x.Words(old) {
		if cell != 0 {
			i := int(hash(cell)) & (len(cells) - 1)
			for cells[i] != 0 {
				i = (i + 1) & (len(cells) - 1)
			}
			cells[i] = cell
		}
	}
	x.Free(old)
	t.cells = place
	return cells
}

// blobOf is the place of the text that a cell refers to.
func blobOf(cell uint64) table.Blob { return table.Blob{Off: uint32(cell), Len: uint32(cell >> 32)} }

// inline is the cell of a text of 1 to 7 bytes.
func inline(b []byte) uint64 {
	var room [8]byte
	copy(room[:7], b)
	return inlineText | uint64(len(b))<<56 | binary.LittleEndian.Uint64(room[:])
}

// text is the text of a cell; it lies in room when it is a short one.
func textOf(x *table.Blobs, cell uint64, room *[8]byte) []byte {
	if cell&inlineText == 0 {
		return x.Bytes(blobOf(cell))
	}
	binary.LittleEndian.PutUint64(room[:], cell)
	return room[:cell>>56&0x7f]
}

// AddText adds a text, which is copied when it is new; with more than most values there are none from then on.
func (t *Set) AddText(x *table.Blobs, s table.Seed, text string, most int) {
	t.addBytes(x, s, table.View(text), most)
}

func (t *Set) addBytes(x *table.Blobs, s table.Seed, b []byte, most int) {
	if len(b) == 0 {
		t.addZero(x, most, true)
		return
	}
	hash := uint32(table.HashBytes(s, b))
	cells := x.Words(t.cells)
	i := -1
	short := uint64(0)
	if len(b) <= 7 {
		short = inline(b)
		i = find(cells, hash, short)
	} else {
		i = findText(x, cells, hash, b)
	}
	if i >= 0 && cells[i] != 0 {
		return
	}
	if t.full(most) {
		t.drop(x, true)
		return
	}
	if t.crowded(len(cells)) {
		cells = t.grow(x, func(cell uint64) uint32 {
			var room [8]byte
			return uint32(table.HashBytes(s, textOf(x, cell, &room)))
		})
		mask := len(cells) - 1
		for i = int(hash) & mask; cells[i] != 0; i = (i + 1) & mask {
		}
	}
	if short == 0 {
		place := x.Set(table.Blob{}, b)
		short = uint64(place.Len)<<32 | uint64(place.Off)
	}
	t.put(x, cells, i, short)
}

// findText is find for a text above 7 bytes.
func findText(x *table.Blobs, cells []uint64, hash uint32, b []byte) int {
	mask := len(cells) - 1
	if mask < 0 {
		return -1
	}
	i := int(hash) & mask
	for ; cells[i] != 0; i = (i + 1) & mask {
		if cells[i]>>32 == uint64(len(b)) && bytes.Equal(x.Bytes(blobOf(cells[i])), b) {
			break
		}
	}
	return i
}

// Merge adds the words of o, which keeps its own.
func (t *Set) Merge(x *table.Blobs, s table.Seed, o *Set, most int) {
	if o.Over {
		t.drop(x, false)
	}
	if o.zero {
		t.addZero(x, most, false)
	}
	for _, cell := range x.Words(o.cells) {
		if cell != 0 {
			t.Add(x, s, cell, most)
		}
	}
}

// MergeTexts is Merge for texts.
func (t *Set) MergeTexts(x *table.Blobs, s table.Seed, o *Set, most int) {
	if o.Over {
		t.drop(x, true)
	}
	if o.zero {
		t.addZero(x, most, true)
	}
	for _, cell := range x.Words(o.cells) {
		if cell != 0 {
			var room [8]byte
			t.addBytes(x, s, textOf(x, cell, &room), most)
		}
	}
}

// A state has a set whole, or what came to it since the commits before, behind the byte 2:
//
//	over | zero | how many values | values
//	2 | zero | how many values the commits before have | how many more | values

const moreOfSet = 2

// Append appends the words to a state, whole. A set is appended by Append in all commits, or by AppendSince.
func (t *Set) Append(dst []byte, x *table.Blobs) []byte {
	return appendWords(t.appendHead(dst), x.Words(t.cells))
}

// AppendTexts is Append for texts.
func (t *Set) AppendTexts(dst []byte, x *table.Blobs) []byte {
	return appendTexts(t.appendHead(dst), x, x.Words(t.cells))
}

// AppendSince appends the words to the state of the commit of that number: all, or those that came since the commits before. A commit that is made anew, because nobody said that it is
// durable, has the number again.
func (t *Set) AppendSince(dst []byte, x *table.Blobs, commit uint32, whole bool) []byte {
	dst, cells := t.appendSince(dst, x, commit, whole)
	return appendWords(dst, cells)
}

// AppendTextsSince is AppendSince for texts.
func (t *Set) AppendTextsSince(dst []byte, x *table.Blobs, commit uint32, whole bool) []byte {
	dst, cells := t.appendSince(dst, x, commit, whole)
	return appendTexts(dst, x, cells)
}

func (t *Set) appendHead(dst []byte) []byte {
	return table.AppendUint(table.AppendBool(table.AppendBool(dst, t.Over), t.zero), uint64(t.used))
}

// appendSince appends what stands before the values, and says in which cells these are.
func (t *Set) appendSince(dst []byte, x *table.Blobs, commit uint32, whole bool) ([]byte, []uint64) {
	if t.known && t.commit != commit { // the one before is durable
		t.durable = true
		fresh := x.Words(t.fresh)
		left := copy(fresh, fresh[t.told:])
		if left == 0 {
			x.Free(t.fresh)
			t.fresh = table.Blob{}
		} else {
			t.fresh = x.Extend(t.fresh, 8*left)
		}
	}
	fresh := x.Words(t.fresh)
	t.known, t.commit, t.told = true, commit, uint32(len(fresh))
	if whole || !t.durable || t.Over {
		return t.appendHead(dst), x.Words(t.cells)
	}
	dst = table.AppendBool(append(dst, moreOfSet), t.zero)
	return table.AppendUint(table.AppendUint(dst, uint64(t.used)-uint64(len(fresh))), uint64(len(fresh))), fresh
}

func appendWords(dst []byte, cells []uint64) []byte {
	for _, cell := range cells {
		if cell != 0 {
			dst = table.AppendWord(dst, cell)
		}
	}
	return dst
}

func appendTexts(dst []byte, x *table.Blobs, cells []uint64) []byte {
	for _, cell := range cells {
		if cell != 0 {
			var room [8]byte
			dst = table.AppendBytes(dst, textOf(x, cell, &room))
		}
	}
	return dst
}

// unbounded is more values than a state has bytes.
const unbounded = 1 << 62

// Read reads what Append or AppendSince wrote over what t holds. Values whose beginning is in no commit any more, since the watermark has passed their window, are given up.
func (t *Set) Read(r *table.Reader, x *table.Blobs, s table.Seed) {
	lacks := t.readHead(r, x, false)
	for range r.Count(8) {
		t.Add(x, s, r.Word(), unbounded)
	}
	if lacks {
		t.drop(x, false)
	}
}

// ReadTexts reads what AppendTexts or AppendTextsSince wrote over what t holds.
func (t *Set) ReadTexts(r *table.Reader, x *table.Blobs, s table.Seed) {
	lacks := t.readHead(r, x, true)
	for range r.Count(2) {
		t.addBytes(x, s, r.Bytes(), unbounded)
	}
	if lacks {
		t.drop(x, true)
	}
}

// readHead reads what stands before the number of values that follow. lacks says that those before them are missing. The next commit that tells the set tells it whole.
func (t *Set) readHead(r *table.Reader, x *table.Blobs, texts bool) (lacks bool) {
	over := r.Uint()
	zero := r.Bool()
	if over == moreOfSet {
		if before := r.Uint(); before == uint64(t.used) && !t.Over {
			x.Free(t.fresh)
			*t = Set{cells: t.cells, used: t.used, zero: zero}
			return false
		}
		over, lacks = 0, true
	}
	if over > 1 {
		r.Fail("no set")
	}
	t.Free(x, texts)
	*t = Set{Over: over == 1, zero: zero}
	return lacks
}
