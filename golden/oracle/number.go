package oracle

import (
	"math/big"
	"strconv"
	"strings"
)

// plus is a + b, saturated.
func plus(a, b int64) int64 {
	return saturated(new(big.Int).Add(big.NewInt(a), big.NewInt(b)))
}

func saturated(x *big.Int) int64 {
	switch {
	case x.IsInt64():
		return x.Int64()
	case x.Sign() < 0:
		return never
	}
	return always
}

func ten(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// beyond is more digits than any number has that can be read as one of 64 bits.
const beyond = 400

// shifted is the JSON number text times 10^n as a fraction. ok is false when it is so large that no number of 64 bits equals it; one that is very small is given as a
// small one with its sign.
func shifted(text string, n int) (x *big.Rat, ok bool) {
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		e, err := strconv.Atoi(text[i+1:])
		if err != nil { // more digits than an int has
			e = 1 << 40
			if text[i+1] == '-' {
				e = -e
			}
		}
		exponent = e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, _ := new(big.Int).SetString(whole+fraction, 10)
	if digits.Sign() == 0 {
		return new(big.Rat), true
	}
	exponent += n - len(fraction)
	size := len(strings.TrimLeft(strings.TrimPrefix(whole, "-")+fraction, "0")) + exponent // digits before the point
	switch {
	case size > beyond:
		return nil, false
	case size < -beyond:
		return new(big.Rat).SetFrac(big.NewInt(int64(digits.Sign())), ten(beyond)), true
	case exponent < 0:
		return new(big.Rat).SetFrac(digits, ten(-exponent)), true
	}
	return new(big.Rat).SetInt(digits.Mul(digits, ten(exponent))), true
}

// whole is a JSON number times 10^n when that is an int of 64 bits.
func whole(text string, n int) (*big.Int, bool) {
	x, ok := shifted(text, n)
	if !ok || !x.IsInt() || !x.Num().IsInt64() {
		return nil, false
	}
	return x.Num(), true
}

// floor is the greatest whole number that is not above x.
func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

// floorDiv is a / b towards minus infinity; b is above 0.
func floorDiv(a, b int64) int64 { return new(big.Int).Div(big.NewInt(a), big.NewInt(b)).Int64() }
