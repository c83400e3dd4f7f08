package expr

import (
	"math"

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
