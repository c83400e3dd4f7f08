package expr

import (
	"math"
	"slices"

	"github.com/streamwright/streamwright/runtime/stream"
)

// HasInt says whether v is in a list of ints or times.
func HasInt(in *stream.Batch, list stream.List, v int64) bool {
	for _, w := range in.Words[list.Off:][:list.Len] {
		if int64(w) == v {
			return true
		}
	}
	return false
}

// HasDouble says whether v is in a list of doubles.
func HasDouble(in *stream.Batch, list stream.List, v float64) bool {
	for _, w := range in.Words[list.Off:][:list.Len] {
		if math.Float64frombits(w) == v {
			return true
		}
	}
	return false
}

// HasBool says whether v is in a list of bools.
func HasBool(in *stream.Batch, list stream.List, v bool) bool {
	for _, w := range in.Words[list.Off:][:list.Len] {
		if (w != 0) == v {
			return true
		}
	}
	return false
}

// HasText says whether v is in a list of strings.
func HasText(in *stream.Batch, list stream.List, v string) bool {
	for _, w := range in.Words[list.Off:][:list.Len] {
		if in.Text(stream.WordStr(w)) == v {
			return true
		}
	}
	return false
}

// IntAt is element i of a list of ints or times; FaultIndex.
func IntAt(in *stream.Batch, list stream.List, i int64) (int64, stream.Fault) {
	if uint64(i) >= uint64(list.Len) {
		return 0, stream.FaultIndex
	}
	return int64(in.Word(list, int(i))), 0
}

// DoubleAt is element i of a list of doubles; FaultIndex.
func DoubleAt(in *stream.Batch, list stream.List, i int64) (float64, stream.Fault) {
	if uint64(i) >= uint64(list.Len) {
		return 0, stream.FaultIndex
	}
	return math.Float64frombits(in.Word(list, int(i))), 0
}

// BoolAt is element i of a list of bools; FaultIndex.
func BoolAt(in *stream.Batch, list stream.List, i int64) (bool, stream.Fault) {
	if uint64(i) >= uint64(list.Len) {
		return false, stream.FaultIndex
	}
	return in.Word(list, int(i)) != 0, 0
}

// TextAt is element i of a list of strings; FaultIndex.
func TextAt(in *stream.Batch, list stream.List, i int64) (string, stream.Fault) {
	if uint64(i) >= uint64(list.Len) {
		return "", stream.FaultIndex
	}
	return in.Text(stream.WordStr(in.Word(list, int(i)))), 0
}

// ListAt is element i of a list of lists; FaultIndex.
func ListAt(in *stream.Batch, list stream.List, i int64) (stream.List, stream.Fault) {
	if uint64(i) >= uint64(list.Len) {
		return stream.List{}, stream.FaultIndex
	}
	return WordList(in.Word(list, int(i))), 0
}

// Outside says whether a list has no element i.
func Outside(list stream.List, i int64) bool { return uint64(i) >= uint64(list.Len) }

// Words are the elements of a list. The batch owns the memory.
func Words(in *stream.Batch, list stream.List) []uint64 { return in.Words[list.Off:][:list.Len] }

// WordBool is a bool as the element of a list.
func WordBool(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// ListWord is a list as the element of another.
func ListWord(l stream.List) uint64 { return uint64(l.Off)<<32 | uint64(l.Len) }

// WordList is the list that ListWord gave.
func WordList(w uint64) stream.List { return stream.List{Off: uint32(w >> 32), Len: uint32(w)} }

// ListOf makes a list of words.
func ListOf(in *stream.Batch, words ...uint64) stream.List {
	list := stream.List{Off: uint32(len(in.Words)), Len: uint32(len(words))}
	in.Words = append(in.Words, words...)
	return list
}

// NewList makes a list of n zeros.
func NewList(in *stream.Batch, n int) stream.List {
	list := stream.List{Off: uint32(len(in.Words)), Len: uint32(n)}
	in.Words = slices.Grow(in.Words, n)[:len(in.Words)+n]
	clear(in.Words[list.Off:])
	return list
}

// Set sets element i of a list.
func Set(in *stream.Batch, list stream.List, i int, word uint64) { in.Words[int(list.Off)+i] = word }

// Made is how many bytes there are in the batch; what a loop makes is the difference to its beginning.
func Made(in *stream.Batch) int { return len(in.Data) + 8*len(in.Words) }

// Full says whether a loop that began at start has made more than MaxMade.
func Full(in *stream.Batch, start int) bool { return Made(in)-start > MaxMade }

// JoinLists makes a list of the elements of a, then those of b.
func JoinLists(in *stream.Batch, a, b stream.List) stream.List {
	list := stream.List{Off: uint32(len(in.Words)), Len: a.Len + b.Len}
	in.Words = append(in.Words, Words(in, a)...)
	in.Words = append(in.Words, Words(in, b)...)
	return list
}

// SameInts says whether two lists of ints, times, decimals or bools are equal.
func SameInts(in *stream.Batch, a, b stream.List) bool {
	return slices.Equal(Words(in, a), Words(in, b))
}

// SameDoubles says whether two lists of doubles are equal.
func SameDoubles(in *stream.Batch, a, b stream.List) bool {
	if a.Len != b.Len {
		return false
	}
	x, y := Words(in, a), Words(in, b)
	for i := range x {
		if math.Float64frombits(x[i]) != math.Float64frombits(y[i]) {
			return false
		}
	}
	return true
}

// SameTexts says whether two lists of strings or bytes are equal.
func SameTexts(in *stream.Batch, a, b stream.List) bool {
	if a.Len != b.Len {
		return false
	}
	x, y := Words(in, a), Words(in, b)
	for i := range x {
		if in.Text(stream.WordStr(x[i])) != in.Text(stream.WordStr(y[i])) {
			return false
		}
	}
	return true
}

// FiniteList is a list of doubles as the value of an expression, depth is above 0 of lists of such lists: -0 becomes 0 in it; FaultNotFinite.
func FiniteList(in *stream.Batch, list stream.List, depth int) (stream.List, stream.Fault) {
	words := Words(in, list)
	for i, w := range words {
		if depth > 0 {
			if _, fault := FiniteList(in, WordList(w), depth-1); fault != 0 {
				return list, fault
			}
			continue
		}
		v, fault := Finite(math.Float64frombits(w))
		if fault != 0 {
			return list, fault
		}
		words[i] = math.Float64bits(v)
	}
	return list, 0
}
