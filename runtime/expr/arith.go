// Package expr has the operations of CEL that can fail or that Go does not have, for the expressions in generated code. Results are those of cel-go, except that a
// timestamp is int64 nanoseconds since 1970 without a zone. Each function that can fail gives a fault, 0 when there is none, and then a value without meaning.
package expr

import (
	"math"

	"github.com/streamwright/streamwright/runtime/stream"
)

// AddInt is a + b; FaultOverflow. It also adds durations.
func AddInt(a, b int64) (int64, stream.Fault) {
	sum := a + b
	if (a^sum)&(b^sum) < 0 {
		return 0, stream.FaultOverflow
	}
	return sum, 0
}

// SubInt is a - b; FaultOverflow. It also subtracts durations.
func SubInt(a, b int64) (int64, stream.Fault) {
	d := a - b
	if (a^b)&(a^d) < 0 {
		return 0, stream.FaultOverflow
	}
	return d, 0
}

// MulInt is a * b; FaultOverflow.
func MulInt(a, b int64) (int64, stream.Fault) {
	p := a * b
	if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
		return 0, stream.FaultOverflow
	}
	return p, 0
}

// DivInt is a / b, towards zero; FaultDivision, FaultOverflow.
func DivInt(a, b int64) (int64, stream.Fault) {
	if b == 0 {
		return 0, stream.FaultDivision
	}
	if b == -1 && a == math.MinInt64 {
		return 0, stream.FaultOverflow
	}
	return a / b, 0
}

// ModInt is a % b with the sign of a; FaultModulus, FaultOverflow (the smallest int by -1, as cel-go has it).
func ModInt(a, b int64) (int64, stream.Fault) {
	if b == 0 {
		return 0, stream.FaultModulus
	}
	if b == -1 && a == math.MinInt64 {
		return 0, stream.FaultOverflow
	}
	return a % b, 0
}

// NegInt is -a; FaultOverflow.
func NegInt(a int64) (int64, stream.Fault) {
	if a == math.MinInt64 {
		return 0, stream.FaultOverflow
	}
	return -a, 0
}

// AddTime is the timestamp t + d, in nanoseconds; FaultTimeRange.
func AddTime(t, d int64) (int64, stream.Fault) {
	sum := t + d
	if (t^sum)&(d^sum) < 0 {
		return 0, stream.FaultTimeRange
	}
	return sum, 0
}

// SubTime is the timestamp t - d, in nanoseconds; FaultTimeRange. The smallest duration has no negative and always faults, as in cel-go.
func SubTime(t, d int64) (int64, stream.Fault) {
	if d == math.MinInt64 {
		return 0, stream.FaultTimeRange
	}
	return AddTime(t, -d)
}

// Between is the duration from timestamp u to timestamp t, in nanoseconds; FaultOverflow, also where only the difference in whole seconds does not fit, as in cel-go.
func Between(t, u int64) (int64, stream.Fault) {
	a, b := Seconds(t), Seconds(u)
	if d := a - b; -maxSeconds <= d && d <= maxSeconds {
		return AddInt(d*1_000_000_000, (t-a*1_000_000_000)-(u-b*1_000_000_000))
	}
	return 0, stream.FaultOverflow
}

// maxSeconds is how many whole seconds of nanoseconds an int64 holds.
const maxSeconds = math.MaxInt64 / 1_000_000_000

// Finite is v as the value of an expression: -0 becomes 0; FaultNotFinite.
func Finite(v float64) (float64, stream.Fault) {
	if v-v != 0 { // NaN or an infinity
		return 0, stream.FaultNotFinite
	}
	return PlusZero(v), 0
}

// PlusZero is v with -0 as 0.
func PlusZero(v float64) float64 {
	return float64(v) + 0 // the conversion keeps a product from being fused with what it is added to later
}
