package sample

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/streamwright/streamwright/spec"
)

func whole(op spec.CheckOp, v int64) *spec.Check {
	return &spec.Check{Op: op, Value: spec.Value{Kind: spec.Int, Int: v}}
}

func float(op spec.CheckOp, v float64) *spec.Check {
	return &spec.Check{Op: op, Value: spec.Value{Kind: spec.Double, Double: v}}
}

func text(op spec.CheckOp, v string) *spec.Check {
	return &spec.Check{Op: op, Value: spec.Value{Kind: spec.String, String: v}}
}

// made takes what a domain makes and reports what stands there twice.
func made(t *testing.T, d domain, judge func(text string) bool) {
	t.Helper()
	seen := map[string]bool{}
	dice := &dice{Rand: newRand(5), at: DefaultStart}
	for i := range min(d.count(), 3000) {
		text := string(d.at(nil, i))
		if seen[text] || !judge(text) {
			t.Errorf("value %d of %d is %q", i, d.count(), text)
			return
		}
		seen[text] = true
		if drawn := string(d.draw(nil, dice)); !judge(drawn) {
			t.Errorf("drew %q", drawn)
			return
		}
	}
}

func TestIntegers(t *testing.T) {
	const lo, hi = math.MinInt64, math.MaxInt64
	for _, c := range []struct {
		name   string
		checks []*spec.Check
		count  uint64 // 0: none
	}{
		{"any", nil, many},
		{"one", []*spec.Check{whole(spec.CheckGreater, 6), whole(spec.CheckLess, 8)}, 1},
		{"not the ends", []*spec.Check{whole(spec.CheckGreaterEqual, -3), whole(spec.CheckLessEqual, 3), whole(spec.CheckNotEqual, 3), whole(spec.CheckNotEqual, -3), whole(spec.CheckNotEqual, 1)}, 4},
		{"not one of them", []*spec.Check{whole(spec.CheckGreaterEqual, 0), whole(spec.CheckNotEqual, 5), whole(spec.CheckNotEqual, 5), whole(spec.CheckNotEqual, -5)}, many},
		{"low", []*spec.Check{whole(spec.CheckLess, lo+2)}, 2},
		{"high", []*spec.Check{whole(spec.CheckGreaterEqual, hi-1)}, 2},
		{"negative", []*spec.Check{whole(spec.CheckLess, 0)}, many},
		{"below a small one", []*spec.Check{whole(spec.CheckLess, 1000)}, many},
		{"not positive, far down", []*spec.Check{whole(spec.CheckGreaterEqual, -1<<33), whole(spec.CheckLessEqual, 0)}, 1<<33 + 1},
		{"all but zero", []*spec.Check{whole(spec.CheckNotEqual, 0), whole(spec.CheckNotEqual, 1), whole(spec.CheckNotEqual, 2)}, many},
		{"crossed", []*spec.Check{whole(spec.CheckLess, 3), whole(spec.CheckGreater, 2)}, 0},
		{"below all", []*spec.Check{whole(spec.CheckLess, lo)}, 0},
		{"above all", []*spec.Check{whole(spec.CheckGreater, hi)}, 0},
		{"none left", []*spec.Check{whole(spec.CheckGreaterEqual, 1), whole(spec.CheckLessEqual, 2), whole(spec.CheckNotEqual, 2), whole(spec.CheckNotEqual, 1)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newIntegers(c.checks)
			if n == nil || c.count == 0 {
				if n != nil || c.count != 0 {
					t.Errorf("%v", n)
				}
				return
			}
			if n.count() != c.count {
				t.Errorf("count is %d, want %d", n.count(), c.count)
			}
			made(t, n, func(text string) bool {
				v, err := strconv.ParseInt(text, 10, 64)
				return err == nil && keepsAll(spec.Value{Int: v}, c.checks)
			})
		})
	}
}

func TestFloats(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name   string
		checks []*spec.Check
		some   bool
	}{
		{"any", nil, true},
		{"share", []*spec.Check{float(spec.CheckGreaterEqual, 0), float(spec.CheckLessEqual, 1), float(spec.CheckNotEqual, 0), float(spec.CheckNotEqual, 0.5)}, true},
		{"open", []*spec.Check{float(spec.CheckGreater, 0), float(spec.CheckLess, 1e-300)}, true},
		{"negative", []*spec.Check{float(spec.CheckLess, -1e300)}, true},
		{"large", []*spec.Check{float(spec.CheckGreaterEqual, 1e300)}, true},
		{"degrees", []*spec.Check{float(spec.CheckGreaterEqual, -180), float(spec.CheckLess, 180)}, true},
		{"one", []*spec.Check{float(spec.CheckGreaterEqual, 7), float(spec.CheckLessEqual, 7)}, true},
		{"two floats, one left", []*spec.Check{float(spec.CheckGreaterEqual, 0), float(spec.CheckLessEqual, tiny), float(spec.CheckNotEqual, 0)}, true},
		{"two floats, none left", []*spec.Check{float(spec.CheckGreaterEqual, 0), float(spec.CheckLessEqual, tiny), float(spec.CheckNotEqual, 0), float(spec.CheckNotEqual, tiny)}, false},
		{"between neighbours", []*spec.Check{float(spec.CheckGreater, 0), float(spec.CheckLess, tiny)}, false},
		{"crossed", []*spec.Check{float(spec.CheckGreater, 1), float(spec.CheckLess, 0)}, false},
		{"beyond all", []*spec.Check{float(spec.CheckGreater, math.MaxFloat64)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFloats(c.checks)
			if f == nil || !c.some {
				if f != nil || c.some {
					t.Errorf("%v", f)
				}
				return
			}
			d := &dice{Rand: newRand(5)}
			for i := range uint64(2000) {
				for _, text := range [][]byte{f.at(nil, i%f.count()), f.draw(nil, d)} {
					var v float64
					if err := json.Unmarshal(text, &v); err != nil || !keepsAll(spec.Value{Double: v}, c.checks) {
						t.Fatalf("%s: %v", text, err)
					}
				}
			}
		})
	}
	made(t, newFloats(nil), func(string) bool { return true })
	made(t, newFloats([]*spec.Check{float(spec.CheckGreaterEqual, 0), float(spec.CheckLessEqual, 1)}), func(string) bool { return true })
}

func TestTimes(t *testing.T) {
	const day = int64(24 * time.Hour)
	for format := spec.RFC3339; format <= spec.UnixNanos; format++ {
		for _, checks := range [][]*spec.Check{
			nil,
			{whole(spec.CheckGreaterEqual, DefaultStart), whole(spec.CheckLess, DefaultStart+day), whole(spec.CheckNotEqual, DefaultStart)},
			{whole(spec.CheckLess, -day)},
			{whole(spec.CheckGreater, DefaultStart+7), whole(spec.CheckLess, DefaultStart+900_000)},
		} {
			n := newTimes(checks, format, DefaultStart)
			if n == nil {
				if format != spec.UnixMicros && format != spec.UnixNanos || len(checks) != 2 {
					t.Errorf("format %d: none", format)
				}
				continue
			}
			made(t, n, func(text string) bool {
				var ns int64
				if format == spec.RFC3339 {
					at, err := time.Parse(time.RFC3339, text)
					if err != nil {
						return false
					}
					ns = at.UnixNano()
				} else {
					unit := map[spec.TimeFormat]int{spec.UnixSeconds: 9, spec.UnixMillis: 6, spec.UnixMicros: 3}[format]
					ns = units(t, text, unit)
				}
				return keepsAll(spec.Value{Int: ns}, checks)
			})
		}
	}
	if n := newTimes([]*spec.Check{whole(spec.CheckLess, 5), whole(spec.CheckGreater, 5)}, spec.RFC3339, 0); n != nil {
		t.Error(n)
	}
}

// units is the number text in units of 10^-scale, which it must be a multiple of.
func units(t *testing.T, text string, scale int) int64 {
	t.Helper()
	head, tail, _ := bytes.Cut([]byte(text), []byte("."))
	if len(tail) > scale {
		t.Fatalf("%s has more than %d digits behind the point", text, scale)
	}
	digits := append(append(head, tail...), bytes.Repeat([]byte("0"), scale-len(tail))...)
	v, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		units int64
		scale int
		want  string
	}{{0, 2, "0.00"}, {5, 2, "0.05"}, {-5, 1, "-0.5"}, {-1234, 2, "-12.34"}, {7, 0, "7"}, {math.MinInt64, 18, "-9.223372036854775808"}, {math.MaxInt64, 2, "92233720368547758.07"}} {
		if got := string(appendDecimal([]byte("x"), c.units, c.scale)); got != "x"+c.want {
			t.Errorf("%d of scale %d is %s, want %s", c.units, c.scale, got, c.want)
		}
	}
}

func TestOctets(t *testing.T) {
	const some = math.MaxUint64 // at least enough
	for _, c := range []struct {
		name   string
		checks []*spec.Check
		count  uint64
	}{
		{"any", nil, enough},
		{"a byte", []*spec.Check{whole(spec.CheckMaxRunes, 1), text(spec.CheckNotEqual, "\x00"), text(spec.CheckNotEqual, "\xff"), text(spec.CheckNotEqual, "")}, 254},
		{"some", []*spec.Check{whole(spec.CheckMinRunes, 20), whole(spec.CheckMaxRunes, 22)}, enough},
		{"none", []*spec.Check{whole(spec.CheckMinRunes, 3), whole(spec.CheckMaxRunes, 2)}, 0},
		{"choice", []*spec.Check{{Op: spec.CheckOneOf, Values: []spec.Value{{String: "a"}, {String: "b"}}}, text(spec.CheckNotEqual, "b")}, 1},
		{"between", []*spec.Check{ordered(">=", "\x01"), ordered("<", "\xf0"), ordered("!=", "\x80\xff")}, some},
		{"one byte between", []*spec.Check{ordered(">", "\x7f"), ordered("<=", "\xff"), ordered("!=", "\xc3"), whole(spec.CheckMaxRunes, 1)}, 127},
		{"choice between", []*spec.Check{{Op: spec.CheckOneOf, Values: []spec.Value{{String: "\x01"}, {String: "\xff\x00"}}}, ordered(">", "\x01")}, 1},
		{"none of a choice", []*spec.Check{{Op: spec.CheckOneOf, Values: []spec.Value{{String: "\x01"}}}, ordered(">", "\x01")}, 0},
		{"crossed", []*spec.Check{ordered(">", "\xf0"), ordered("<", "\x01")}, 0},
		{"before all", []*spec.Check{ordered("<", "")}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := newOctets(c.checks)
			if err != nil || c.count == 0 {
				if err != errEmpty || c.count != 0 {
					t.Error(err)
				}
				return
			}
			if d.count() != c.count && (c.count != some || d.count() < enough) {
				t.Errorf("count is %d, want %d", d.count(), c.count)
			}
			made(t, d, func(text string) bool {
				b, err := base64.StdEncoding.Strict().DecodeString(text)
				ok := err == nil
				for _, check := range c.checks {
					switch check.Op {
					case spec.CheckMinRunes:
						ok = ok && len(b) >= int(check.Value.Int)
					case spec.CheckMaxRunes:
						ok = ok && len(b) <= int(check.Value.Int)
					case spec.CheckNotEqual:
						ok = ok && string(b) != check.Value.String
					case spec.CheckLess:
						ok = ok && string(b) < check.Value.String
					case spec.CheckLessEqual:
						ok = ok && string(b) <= check.Value.String
					case spec.CheckGreater:
						ok = ok && string(b) > check.Value.String
					case spec.CheckGreaterEqual:
						ok = ok && string(b) >= check.Value.String
					}
				}
				return ok
			})
		})
	}
}

func TestTexts(t *testing.T) {
	const some = math.MaxUint64 // at least enough
	choice := &spec.Check{Op: spec.CheckOneOf, Values: []spec.Value{{String: "open"}, {String: "paid"}, {String: "void"}}}
	for _, c := range []struct {
		name   string
		checks []*spec.Check
		count  uint64
		first  string
	}{
		{"free", nil, enough, "user-1"},
		{"not empty", []*spec.Check{text(spec.CheckNotEqual, "")}, enough, "user-1"},
		{"not the first", []*spec.Check{text(spec.CheckNotEqual, "user-1"), text(spec.CheckNotEqual, "user-1~")}, enough, "user-1~~"},
		{"choice", []*spec.Check{choice}, 3, "open"},
		{"part of a choice", []*spec.Check{choice, text(spec.CheckNotMatch, "n"), text(spec.CheckNotEqual, "void")}, 1, "paid"},
		{"nothing of a choice", []*spec.Check{choice, whole(spec.CheckMinRunes, 5)}, 0, ""},
		{"length", []*spec.Check{whole(spec.CheckMinRunes, 1), whole(spec.CheckMaxRunes, 1)}, 36, ""},
		{"no length", []*spec.Check{whole(spec.CheckMinRunes, 2), whole(spec.CheckMaxRunes, 1)}, 0, ""},
		{"between", []*spec.Check{ordered(">=", "b"), ordered("<", "d")}, some, "b"},
		{"behind", []*spec.Check{ordered(">", "zz"), ordered("!=", "zz0")}, some, ""},
		{"between and of a length", []*spec.Check{ordered(">", "b"), ordered("<=", "d"), whole(spec.CheckMaxRunes, 1)}, 2, ""},
		{"between and of a pattern", []*spec.Check{ordered(">=", "b"), ordered("<", "d"), ordered("=~", "^[a-z]{2}$"), ordered("!~", "^b"), ordered("!=", "cc")}, 25, ""},
		{"choice between", []*spec.Check{choice, ordered(">", "open"), ordered("<=", "paid")}, 1, "paid"},
		{"one", []*spec.Check{ordered(">=", "é"), ordered("<=", "é")}, 1, "é"},
		{"none of a choice between", []*spec.Check{choice, ordered(">", "void")}, 0, ""},
		{"crossed", []*spec.Check{ordered(">=", "d"), ordered("<", "b")}, 0, ""},
		{"between neighbours", []*spec.Check{ordered(">", "a"), ordered("<", "a\x00")}, 0, ""},
		{"before all", []*spec.Check{ordered("<", "")}, 0, ""},
		{"between and no pattern", []*spec.Check{ordered("<", "b"), ordered("=~", "^[b-z]")}, 0, ""},
		{"between and no length", []*spec.Check{ordered(">=", "b"), ordered("<=", "b"), whole(spec.CheckMinRunes, 2)}, 0, ""},
		{"pattern but one", []*spec.Check{text(spec.CheckMatch, "^[ab]$"), text(spec.CheckNotEqual, "a")}, 1, "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			keeps, err := newConstraint(c.checks)
			if err != nil {
				t.Fatal(err)
			}
			d, err := texts("user_id", keeps)
			if err != nil || c.count == 0 {
				if err != errEmpty || c.count != 0 {
					t.Error(err)
				}
				return
			}
			if first := string(d.at(nil, 0)); d.count() != c.count && (c.count != some || d.count() < enough) || c.first != "" && first != c.first {
				t.Errorf("%d texts, the first is %q", d.count(), first)
			}
			made(t, d, func(text string) bool { return keeps.keeps([]byte(text)) })
		})
	}
}
