package oracle

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// convert is a conversion from one kind to another.
func convert(e *spec.Expr, v value) value {
	from := e.Args[0].Type
	switch e.Op {
	case spec.OpToBool:
		if text, ok := v.(string); ok {
			b, err := strconv.ParseBool(text)
			demand(err == nil)
			return b
		}
		return v
	case spec.OpToInt:
		switch from.Kind {
		case spec.Double:
			x := v.(float64)
			demand(x > -1<<63 && x < 1<<63)
			return big.NewInt(int64(x))
		case spec.String:
			n, err := strconv.ParseInt(v.(string), 10, 64)
			demand(err == nil)
			return big.NewInt(n)
		case spec.Timestamp:
			return new(big.Int).Div(v.(*big.Int), big.NewInt(second))
		}
		return v
	case spec.OpToDouble:
		switch from.Kind {
		case spec.Int, spec.Decimal:
			x, _ := new(big.Rat).SetFrac(v.(*big.Int), ten(from.Scale)).Float64()
			return x
		case spec.String:
			x, err := strconv.ParseFloat(v.(string), 64)
			demand(err == nil)
			return x
		}
		return v
	case spec.OpToString:
		switch from.Kind {
		case spec.Double:
			return strconv.FormatFloat(v.(float64), 'g', -1, 64)
		case spec.Bytes:
			demand(utf8.ValidString(v.(string)))
			return v
		case spec.Duration:
			return strconv.FormatFloat(time.Duration(v.(*big.Int).Int64()).Seconds(), 'f', -1, 64) + "s"
		}
		return plainText(from, v)
	case spec.OpToTimestamp:
		switch from.Kind {
		case spec.Int:
			return fits(new(big.Int).Mul(v.(*big.Int), big.NewInt(second)))
		case spec.String:
			at, err := time.Parse(time.RFC3339, v.(string))
			demand(err == nil)
			ns := new(big.Int).Mul(big.NewInt(at.Unix()), big.NewInt(second))
			return fits(ns.Add(ns, number(at.Nanosecond())))
		}
		return v
	case spec.OpToDuration:
		if text, ok := v.(string); ok {
			d, err := time.ParseDuration(text)
			demand(err == nil)
			return big.NewInt(int64(d))
		}
		return v
	case spec.OpToBytes:
		return v
	}
	panic("the oracle has no such operation in " + e.Text)
}

// function is a function of the library.
func function(e *spec.Expr, args []value) value {
	if strings.HasPrefix(e.Name, "math.") {
		return mathFunction(e, args)
	}
	if strings.HasPrefix(e.Name, "get") {
		return clock(e, args)
	}
	if list, ok := args[0].([]value); ok && e.Name == "join" {
		var parts []string
		for _, v := range list {
			parts = append(parts, v.(string))
		}
		separator := ""
		if len(args) > 1 {
			separator = args[1].(string)
		}
		return strings.Join(parts, separator)
	}
	text := args[0].(string)
	runes := []rune(text)
	place := func(i int) int { // argument i as a place in the text
		n := args[i].(*big.Int)
		demand(n.Sign() >= 0 && n.Cmp(number(len(runes))) <= 0)
		return int(n.Int64())
	}
	count := func(i int) int { // argument i as a number of times
		if len(args) <= i {
			return -1
		}
		return int(saturated(args[i].(*big.Int)))
	}
	switch e.Name {
	case "charAt":
		at := place(1)
		return string(runes[at:min(at+1, len(runes))])
	case "substring":
		from, to := place(1), len(runes)
		if len(args) > 2 {
			to = place(2)
		}
		demand(from <= to)
		return string(runes[from:to])
	case "indexOf":
		piece := []rune(args[1].(string))
		if len(args) < 3 {
			return number(index(runes, piece))
		}
		from := args[2].(*big.Int)
		switch {
		case len(piece) == 0: // as cel-go has it
			return from
		case from.Cmp(number(len(runes))) >= 0:
			return number(-1)
		}
		demand(from.Sign() >= 0)
		at := index(runes[from.Int64():], piece)
		if at >= 0 {
			at += int(from.Int64())
		}
		return number(at)
	case "lowerAscii":
		return strings.Map(func(c rune) rune {
			if c >= 'A' && c <= 'Z' {
				return c + 'a' - 'A'
			}
			return c
		}, text)
	case "upperAscii":
		return strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' {
				return c - 'a' + 'A'
			}
			return c
		}, text)
	case "trim":
		return strings.TrimSpace(text)
	case "reverse":
		slices.Reverse(runes)
		return string(runes)
	case "replace":
		return strings.Replace(text, args[1].(string), args[2].(string), count(3))
	case "split":
		list := []value{}
		for _, part := range strings.SplitN(text, args[1].(string), count(2)) {
			list = append(list, part)
		}
		return list
	}
	panic("the oracle has no function " + e.Name)
}

// index is where piece stands first, -1 when it does not.
func index(text, piece []rune) int {
	for i := 0; i+len(piece) <= len(text); i++ {
		if slices.Equal(text[i:i+len(piece)], piece) {
			return i
		}
	}
	return -1
}

func mathFunction(e *spec.Expr, args []value) value {
	switch e.Name {
	case "math.greatest", "math.least":
		if list, ok := args[0].([]value); ok {
			args = list
		}
		demand(len(args) > 0)
		if len(args) > 1 {
			demand(ordered(args))
		}
		least := slices.MinFunc(args, compare)
		if e.Name == "math.greatest" {
			return slices.MaxFunc(args, compare)
		}
		return least
	case "math.isNaN":
		return math.IsNaN(args[0].(float64))
	case "math.isInf":
		return math.IsInf(args[0].(float64), 0)
	case "math.isFinite":
		return !math.IsNaN(args[0].(float64)) && !math.IsInf(args[0].(float64), 0)
	}
	switch x := args[0].(type) {
	case float64:
		switch e.Name {
		case "math.abs":
			return math.Abs(x)
		case "math.sign":
			switch {
			case x > 0:
				return 1.0
			case x < 0:
				return -1.0
			}
			return x * 0 // NaN stays
		case "math.ceil":
			return math.Ceil(x)
		case "math.floor":
			return math.Floor(x)
		case "math.round":
			return math.Round(x)
		case "math.trunc":
			return math.Trunc(x)
		case "math.sqrt":
			return math.Sqrt(x)
		}
	case *big.Int:
		switch e.Name {
		case "math.abs":
			return fits(new(big.Int).Abs(x))
		case "math.sign":
			return number(x.Sign())
		case "math.sqrt":
			return math.Sqrt(float64(x.Int64()))
		case "math.bitAnd":
			return new(big.Int).And(x, args[1].(*big.Int))
		case "math.bitOr":
			return new(big.Int).Or(x, args[1].(*big.Int))
		case "math.bitXor":
			return new(big.Int).Xor(x, args[1].(*big.Int))
		case "math.bitNot":
			return new(big.Int).Not(x)
		}
	}
	panic("the oracle has no function " + e.Name)
}

var offset = regexp.MustCompile(`^([+-]?)(\d\d):(\d\d)$`)

// clock is a part of a timestamp, in UTC or in a zone, or the whole of a duration in one unit.
func clock(e *spec.Expr, args []value) value {
	ns := args[0].(*big.Int).Int64()
	if e.Args[0].Type.Kind == spec.Duration {
		unit := map[string]int64{"getHours": 3600 * second, "getMinutes": 60 * second, "getSeconds": second, "getMilliseconds": second / 1000}[e.Name]
		return big.NewInt(ns / unit)
	}
	zone := time.UTC
	if len(args) > 1 {
		name := args[1].(string)
		if m := offset.FindStringSubmatch(name); m != nil {
			hours, _ := strconv.Atoi(m[2])
			minutes, _ := strconv.Atoi(m[3])
			east := hours*3600 + minutes*60
			if m[1] == "-" {
				east = -east
			}
			zone = time.FixedZone("", east)
		} else {
			var err error
			zone, err = time.LoadLocation(name)
			demand(err == nil)
		}
	}
	t := time.Unix(floorDiv(ns, second), ns-floorDiv(ns, second)*second).In(zone)
	return number(map[string]int{
		"getFullYear": t.Year(), "getMonth": int(t.Month()) - 1, "getDayOfMonth": t.Day() - 1, "getDate": t.Day(), "getDayOfYear": t.YearDay() - 1, "getDayOfWeek": int(t.Weekday()),
		"getHours": t.Hour(), "getMinutes": t.Minute(), "getSeconds": t.Second(), "getMilliseconds": t.Nanosecond() / 1e6,
	}[e.Name])
}
