package expr

import (
	"math"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The functions of this file are those of cel-go's math extension that Go does not have as they are.

// AbsInt is the magnitude of v; FaultOverflow.
func AbsInt(v int64) (int64, stream.Fault) {
	if v == math.MinInt64 {
		return 0, stream.FaultOverflow
	}
	return max(v, -v), 0
}

// SignInt is -1, 0 or 1.
func SignInt(v int64) int64 { return v>>63 | int64(uint64(-v)>>63) }

// SignDouble is -1, 0 or 1, and NaN of NaN.
func SignDouble(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	case v == 0:
		return 0
	}
	return v
}

// IsFinite says whether v is neither NaN nor an infinity.
func IsFinite(v float64) bool { return v-v == 0 }

// ShiftLeft is the bits of v moved up by n; FaultOverflow when n is negative.
func ShiftLeft(v, n int64) (int64, stream.Fault) {
	if n < 0 {
		return 0, stream.FaultOverflow
	}
	return v << uint64(n), 0
}

// ShiftRight is the bits of v moved down by n, zeros from above; FaultOverflow when n is negative.
func ShiftRight(v, n int64) (int64, stream.Fault) {
	if n < 0 {
		return 0, stream.FaultOverflow
	}
	return int64(uint64(v) >> uint64(n)), 0
}

// Greater is the greater of two numbers, a when neither is; neither is NaN.
func Greater(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// Lesser is the lesser of two numbers, a when neither is; neither is NaN.
func Lesser(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

// GreaterOrdered is Greater; FaultNotFinite when one is NaN, which has no order.
func GreaterOrdered(a, b float64) (float64, stream.Fault) {
	if a != a || b != b {
		return 0, stream.FaultNotFinite
	}
	return Greater(a, b), 0
}

// LesserOrdered is Lesser; FaultNotFinite when one is NaN.
func LesserOrdered(a, b float64) (float64, stream.Fault) {
	if a != a || b != b {
		return 0, stream.FaultNotFinite
	}
	return Lesser(a, b), 0
}

// GreatestInt is the greatest of a list of ints; FaultIndex when it is empty.
func GreatestInt(in *stream.Batch, list stream.List) (int64, stream.Fault) {
	if list.Len == 0 {
		return 0, stream.FaultIndex
	}
	v := int64(math.MinInt64)
	for _, w := range Words(in, list) {
		v = max(v, int64(w))
	}
	return v, 0
}

// LeastInt is the least of a list of ints; FaultIndex when it is empty.
func LeastInt(in *stream.Batch, list stream.List) (int64, stream.Fault) {
	if list.Len == 0 {
		return 0, stream.FaultIndex
	}
	v := int64(math.MaxInt64)
	for _, w := range Words(in, list) {
		v = min(v, int64(w))
	}
	return v, 0
}

// GreatestDouble is the greatest of a list of doubles; FaultIndex when it is empty, FaultNotFinite when there is NaN among several.
func GreatestDouble(in *stream.Batch, list stream.List) (float64, stream.Fault) {
	return extreme(in, list, GreaterOrdered)
}

// LeastDouble is the least of a list of doubles; FaultIndex, FaultNotFinite as GreatestDouble.
func LeastDouble(in *stream.Batch, list stream.List) (float64, stream.Fault) {
	return extreme(in, list, LesserOrdered)
}

func extreme(in *stream.Batch, list stream.List, of func(a, b float64) (float64, stream.Fault)) (float64, stream.Fault) {
	if list.Len == 0 {
		return 0, stream.FaultIndex
	}
	words := Words(in, list)
	v := math.Float64frombits(words[0])
	for _, w := range words[1:] {
		var fault stream.Fault
		if v, fault = of(v, math.Float64frombits(w)); fault != 0 {
			return 0, fault
		}
	}
	return v, 0
}
