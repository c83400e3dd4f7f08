package apply

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

func TestCall(t *testing.T) {
	for _, test := range []struct {
		name  string
		f     func(n *int) ([]int, error)
		rows  int
		tried int
		err   string
	}{
		{"rows", func(*int) ([]int, error) { return []int{1, 2}, nil }, 2, 1, ""},
		{"none", func(*int) ([]int, error) { return nil, nil }, 0, 1, ""},
		{"error", func(*int) ([]int, error) { return nil, errors.New("no such shop") }, 0, 1, "no such shop"},
		{"panic", func(*int) ([]int, error) { return []int{[]int{}[3]}, nil }, 0, 1, "panic: runtime error: index out of range [3] with length 0"},
		{"passes", func(n *int) ([]int, error) {
			if *n++; *n < 3 {
				return nil, fmt.Errorf("asking: %w", Transient(errors.New("busy")))
			}
			return []int{1}, nil
		}, 1, 3, ""},
		{"stays", func(*int) ([]int, error) { return nil, Transient(errors.New("busy")) }, 0, attempts, "busy"},
	} {
		rows, tried, err := Call(test.f, new(int))
		if got := fmt.Sprint(err); len(rows) != test.rows || tried != test.tried || err != nil && got != test.err || err == nil && test.err != "" {
			t.Errorf("%s: %d rows, %d tries, %v", test.name, len(rows), tried, err)
		}
	}
	if Transient(nil) != nil {
		t.Error("no error is transient")
	}
}

func TestValues(t *testing.T) {
	good := Values{In: new(stream.Batch)}
	if s := good.Text("s", "wörd"); string(good.In.Bytes(s)) != "wörd" {
		t.Errorf("text %q", good.In.Bytes(s))
	}
	if v := good.Float("f", math.Copysign(0, -1)); math.Signbit(v) {
		t.Error("-0 stays")
	}
	if v := good.Time("t", time.Unix(0, math.MinInt64)); v != math.MinInt64 || good.Time("t", time.Unix(0, math.MaxInt64)) != math.MaxInt64 {
		t.Errorf("time %d", v)
	}
	if good.Err != nil {
		t.Error(good.Err)
	}
	for want, set := range map[string]func(x *Values){
		"s is not valid UTF-8":          func(x *Values) { x.Text("s", "\xff") },
		"f is NaN, not a finite number": func(x *Values) { x.Float("f", math.NaN()); x.Float("g", math.Inf(1)) },
		"t is 0001-01-01T00:00:00Z, outside the range of times (1677-09-21 to 2262-04-11)": func(x *Values) { x.Time("t", time.Time{}) },
	} {
		x := Values{In: new(stream.Batch)}
		set(&x)
		if x.Err == nil || x.Err.Error() != want {
			t.Errorf("got %v, want %s", x.Err, want)
		}
	}
}
