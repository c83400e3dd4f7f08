package aggregate

import (
	"math/bits"
	"slices"

	"github.com/streamwright/streamwright/runtime/table"
)

// Values is what an accumulator keeps of a multiset of values: all of them, up to a number beyond which it keeps none, since a part of them would give wrong answers. A value
// is a word that is ordered as it is (table.OrderedInt, table.Ordered). They stand in table.Blobs, which are the same in every call; the zero value has none.
type Values struct {
	place   table.Blob // 8 bytes for each
	sorted  uint32     // so many are in order, before those that came since
	told    uint32     // so many the newest commit has that told them,
	commit  uint32     // this is its number,
	durable uint32     // and so many the one before it had
	Over    bool       // there were more than may be
}

// Len is how many values there are.
func (v *Values) Len() int { return int(v.place.Len / 8) }

// Add adds a value; with more than most there are none from then on.
func (v *Values) Add(x *table.Blobs, word uint64, most int) {
	n := v.Len()
	if n >= most || v.Over {
		v.drop(x)
		return
	}
	v.place = x.Extend(v.place, 8*n+8)
	x.Words(v.place)[n] = word
}

// drop gives all values up.
func (v *Values) drop(x *table.Blobs) {
	x.Free(v.place)
	*v = Values{Over: true}
}

// Free gives the memory back.
func (v *Values) Free(x *table.Blobs) { x.Free(v.place) }

// Merge adds the values of o, which keeps its own.
func (v *Values) Merge(x *table.Blobs, o *Values, most int) {
	n, more := v.Len(), o.Len()
	if v.Over || o.Over || n+more > most {
		v.drop(x)
		return
	}
	if more > 0 {
		v.place = x.Extend(v.place, 8*(n+more))
		copy(x.Bytes(v.place)[8*n:], x.Bytes(o.place))
	}
}

// Rank is the nearest rank (ISO 3534-1) of the share part/of: the least value that at least this share of the values does not exceed, of a share of 0 the least of all. Without
// values it is 0. Asked again it sorts only what came in between.
func (v *Values) Rank(x *table.Blobs, part, of uint64) uint64 {
	all := x.Words(v.place)
	if len(all) == 0 {
		return 0
	}
	v.sort(all)
	return all[rank(uint64(len(all)), part, of)-1]
}

// rank is max(1, ceil(n·part/of)) for a share of at most 1.
func rank(n, part, of uint64) uint64 {
	hi, lo := bits.Mul64(n, part)
	k, rest := bits.Div64(hi, lo, of)
	if rest > 0 || k == 0 {
		k++
	}
	return k
}

// sort puts all in order. A few that are new are put in their places one by one, many are sorted with the others.
func (v *Values) sort(all []uint64) {
	if fresh := len(all) - int(v.sorted); fresh > 8 {
		slices.Sort(all)
	} else {
		for n := int(v.sorted); n < len(all); n++ {
			word := all[n]
			i, _ := slices.BinarySearch(all[:n], word)
			copy(all[i+1:n+1], all[i:n])
			all[i] = word
		}
	}
	if len(all) != int(v.sorted) { // no commit has the values in this order
		v.told, v.durable = 0, 0
	}
	v.sorted = uint32(len(all))
}

// Append appends the values to the state of the commit of that number: all, or those that came since the commits before. A commit that is made anew, because nobody said that it is
// durable, has the number again.
func (v *Values) Append(dst []byte, x *table.Blobs, commit uint32, whole bool) []byte {
	if v.commit != commit {
		v.commit, v.durable = commit, v.told
	}
	all := x.Words(v.place)
	from := v.durable
	if whole {
		from = 0
	}
	v.told = uint32(len(all))
	dst = table.AppendBool(dst, v.Over)
	dst = table.AppendUint(dst, uint64(from))
	dst = table.AppendUint(dst, uint64(len(all))-uint64(from))
	for _, word := range all[from:] {
		dst = table.AppendWord(dst, word)
	}
	return dst
}

// Read reads what Append wrote over what v holds. Values whose beginning is in no commit any more, since the watermark has passed their window, are given up.
func (v *Values) Read(r *table.Reader, x *table.Blobs) {
	over, from := r.Bool(), r.Uint()
	n := r.Count(8)
	if from == 0 || from != uint64(v.Len()) {
		x.Free(v.place)
		*v = Values{Over: over || from > 0}
		from = 0
	}
	if n > 0 {
		v.place = x.Extend(v.place, 8*(int(from)+n))
	}
	for i := range n {
		x.Words(v.place)[int(from)+i] = r.Word()
	}
	if v.Over = v.Over || over; v.Over {
		v.drop(x)
	}
	v.told = uint32(v.Len())
}
