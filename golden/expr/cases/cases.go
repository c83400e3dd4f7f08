// Package cases has the expressions that the translation from CEL to Go is held against cel-go with, and the row that they are over.
package cases

import "github.com/streamwright/streamwright/spec"

// Row is the row of the expressions. Go has it as expr.Row: each name with its first letter in upper case, beside nullable ones a HasName.
var Row = row()

func row() *spec.Struct {
	field := func(name string, kind spec.Kind) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: kind}}
	}
	nullable := func(f *spec.Field) *spec.Field {
		f.Type.Nullable = true
		return f
	}
	list := func(name string, elem spec.Kind) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: elem}}}
	}
	object := func(name string, of *spec.Struct) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.Object, Struct: of}}
	}
	geo := &spec.Struct{Name: "Row.place.geo", Fields: []*spec.Field{field("lat", spec.Double), nullable(field("alt", spec.Double))}}
	place := &spec.Struct{Name: "Row.place", Fields: []*spec.Field{field("city", spec.String), nullable(field("zip", spec.String)), nullable(object("geo", geo))}}
	amount := field("amount", spec.Int)
	amount.Checks = []*spec.Check{{Op: spec.CheckGreaterEqual, Value: spec.Value{Kind: spec.Int}, Text: ">=0"}}
	return &spec.Struct{Name: "Row", Fields: []*spec.Field{
		field("v", spec.Int), field("w", spec.Int), amount, nullable(field("n", spec.Int)),
		field("d", spec.Double), field("x", spec.Double), nullable(field("r", spec.Double)),
		field("s", spec.String), field("u", spec.String), nullable(field("note", spec.String)),
		field("b", spec.Bool), field("c", spec.Bool), nullable(field("flag", spec.Bool)),
		field("t", spec.Timestamp), field("z", spec.Timestamp), nullable(field("seen", spec.Timestamp)),
		list("tags", spec.String), list("nums", spec.Int), list("marks", spec.Double), list("bits", spec.Bool), nullable(list("more", spec.Int)),
		object("home", place), nullable(object("work", place)),
	}}
}

// Exprs are the expressions. Each becomes a function of package expr.
var Exprs = []string{
	// comparison
	"v > 100", "v >= w", "v == w", "v != 7", "d < x", "d >= 1.5", "d == x", "s < u", "s == 'paid'", "s <= 'é'", "b == c", "b != (v > 0)", "b == true", "false == c", "b < c", "b <= c",
	"b > c", "b >= (v > w)", "t < z", "t == timestamp('2024-01-02T03:04:05.5Z')", "t >= timestamp('1960-01-01T00:00:00-05:00')", "(v > 0) == (w > 0)", "!(d < x)",
	// arithmetic
	"v + w", "v - w", "v * w", "v / w", "v % w", "-v", "v / 2", "v % 10 == 3", "v / -1", "-7 / 2", "-7 % 2", "v % 0", "v / 0", "9223372036854775807 + v", "-9223372036854775808 - v",
	"v - (w - 5)", "v - w - 5", "(v + 1) * 3", "amount / 100 * 100 + amount % 100", "amount * 0 + size(s) * 60", "60 * 60 * 24 + v", "d + x", "d - x", "d * x", "d / x", "-d", "d * 2.0", "d / 3.0",
	"d * 0.5 + x * 0.5", "d - (x - 1.0)", "d / (x * 2.0)", "-(d * x) + d", "- -d", "0.1 + 0.2 < d", "d / 0.0", "d / 0.0 > x", "0.0/0.0 == 0.0/0.0", "d / 0.0 == x / 0.0", "1.0 / d < 1.0 / x", "0.0 * d",
	"d * 1e300 * 1e300 > x", "1e308 * 10.0 > d", "s + u", "s + '-' + u + '!'", "'' + s",
	// logic, with faults absorbed
	"b && c", "b || c && v > 0", "!b", "!(b || c)", "b && !c || v > 3 && w > 4", "v / w > 10 || b", "v / w > 10 && b", "b || v / w > 10", "w != 0 && v / w > 10", "v / w > 10 && w > 0", "w == 0 || v % w == 1",
	"v / w > 1 && w / v > 1", "v / w > 1 || w / v > 1", "v / w > 1 && w / v > 1 && b", "v / w > 1 || w / v > 1 || b", "v / w > 1 && w / v > 1 && v + w > 0", "v / w > 1 || w / v > 1 || v + w > 0 || int(s) > 0",
	"(v / w > 1 && w / v > 1) || (v % w == 0 && int(s) > 1)", "!(v / w > 1 && w / v > 1) && b", "(v / w > 1 || b) && (w / v > 1 || c)", "(v + w > 0 ? v / w > 2 : w / v > 2) && int(s) > 3",
	"v / w + w / v > 1 && v % w + w % v > 1", "b && (v > 0 ? w : v) > 3 && (c ? d : x) > 1.0", "(b || v / w > 1) && (c ? v * w : v - w) > 0 && v + w > 1",
	"(v / w > 1 && (b ? w / v > 1 : v % w == 0)) || (v * w > 5 && c)",
	// choice
	"b ? v : w", "v == 0 ? 1 / v : 2", "v == 0 ? 1 : 2 / v", "b ? s : u", "b ? d * x : 0.5", "b ? 0.0 : d * x + 1.0", "b ? (c ? 1 : 2) : 3", "b ? n : v", "b ? n : null", "note == null ? 'none' : note", "b ? null : r",
	"(b ? n : v) == null", "(b ? n : v) == 3", "(b ? n : v) + 1", "b ? t : z", "b ? v / w : w / v", "(b ? d * x : x) + 1.0", "flag ? 1 : 2",
	// null
	"n == null", "n != null", "null == note", "n == 5", "n != 5", "n == v", "v != n", "n != v + 1", "note == s", "note != 'x'", "r == d", "flag == true", "flag == b", "flag == false", "flag != c", "seen == null", "seen == t",
	"seen != z", "n + 1", "n > 3", "-n", "size(note)", "note.startsWith('a')", "!flag", "flag && b", "flag || b", "flag && v / w > 1", "flag", "n", "r", "note", "seen", "seen < t", "n != null && n > 3", "n == null || n / 2 > 3",
	"n > 3 && n != null", "note != null && size(note) > 3 && note != 'long'", "has(event.n) ? n + 0 : 0", "has(event.note)", "has(event.v)", "!has(event.flag) || flag", "n == 5 && n + 1 > 2", "n in [1, 2]", "!(n in [1, 5])",
	"n in nums", "note in ['a', s]", "note in tags", "r in marks", "flag in [true]", "v in [n, 3]", "n in [v, 3]", "string(n)", "r / r", "n == v && n == w", "note in ['a', note + 'x']", "has(event.more) && 3 in more", "3 in more", "size(more)", "n > 0 && v / n > 2", "n == 0 ? 0 : v / n",
	// lists
	"s in ['a', 'paid', '']", "v in [1, w, v + 1]", "v + 1 in [1, 2, 3]", "d in [1.5, x]", "b in [c]", "s in tags", "v in nums", "d in marks", "d * 2.0 in marks", "b in bits", "t in [z]", "size(tags) > 1", "tags[0] == s", "nums[v] + 1", "marks[1] > 0.0",
	"bits[0] && b", "tags[size(tags) - 1]", "more[0] > 1", "(b ? r : null) == d", "v / w in [1, 2]", "1 in [v / w, w / v]",
	// nested
	"home.city == 'x'", "event.home.city + s", "home.zip == null", "has(event.home.zip) ? home.zip : 'none'", "work.city == 'x'", "has(event.work)", "has(event.work) && work.city != ''", "has(work.zip)", "has(event.work.city)", "work != null", "work == null || work.zip == 'x'",
	"home.geo.lat > 1.0", "has(home.geo) && home.geo.lat > 1.0", "has(work.geo) && work.geo.alt == 1.5", "work.geo.alt", "has(work.geo.alt)", "work.city == 'x' || b",
	// strings
	"size(s)", "s.size() > 2", "size('é😀')", "s.startsWith(u)", "s.endsWith('0')", "s.contains(u)", "u.contains('é')", "s.matches('^[0-9]+$')", "matches(s, 'a|é')", "s.matches('(?i)^PAID$') && b", "size(s + u) > 3", "(s + u).contains('aa')",
	// conversion
	"int(d)", "int(x * 1e10)", "int(1.9)", "int(-1.9)", "int(9.3e18)", "int(s)", "int(t)", "int(v)", "double(v)", "double(v) / 2.0", "double(s)", "double(s) > 1.0", "double(d)", "string(v)", "string(d)", "string(d / x)", "string(b)", "string(s)", "string(t)",
	"string(1.0)", "string(t - z)", "bool(s)", "bool(s) || b", "timestamp(v)", "timestamp(s)", "timestamp(s) > t", "duration(s)", "duration(s) > duration('1s')", "int(duration(s))", "double(int(d)) == d", "int(string(v)) == v",
	"'v=' + string(v) + ', d=' + string(d)",
	// time
	"t + duration('1h')", "t - duration('36h30m')", "t - z", "duration('90s') + t > z", "t - z > duration('10m')", "z + (t - z)", "(t - z) + (t - z)", "(t - z) - duration('1ms')", "t + duration(s)", "t - duration(s)", "duration('1h') + duration('1m') == t - z",
	"int(t - z)", "timestamp(int(t)) <= t",
}
