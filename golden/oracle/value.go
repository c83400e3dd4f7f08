package oracle

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// value is nil for null, bool, *big.Int (an int, the units of a decimal, the nanoseconds of a time or a duration), float64, string (bytes too), []value or object.
type value any

// object has the fields of a struct that is not null.
type object map[string]value

// compare orders two values of one type: null first, false before true, texts by bytes.
func compare(a, b value) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	switch a := a.(type) {
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case b.(bool):
			return -1
		}
		return 1
	case *big.Int:
		return a.Cmp(b.(*big.Int))
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return strings.Compare(a, b.(string))
	}
	panic(fmt.Sprintf("%T has no order", a))
}

// key are the values of some fields.
func key(fields []*spec.Field, of object) []value {
	var k []value
	for _, f := range fields {
		k = append(k, of[f.Name])
	}
	return k
}

// identity is a text that is equal for equal keys alone.
func identity(key []value) string {
	var b strings.Builder
	for _, v := range key {
		fmt.Fprintf(&b, "%T %q ", v, fmt.Sprint(v))
	}
	return b.String()
}

func compareKeys(a, b []value) int {
	for i := range a {
		if c := compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}
