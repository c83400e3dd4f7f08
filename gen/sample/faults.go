package sample

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// fault is one way in which a record does not keep the contract.
type fault struct {
	kind     string
	node     *node    // nil: the record as a whole
	how      presence // of the node
	text     []byte   // the node's value, when it is present; nil: made as always
	resize   bool     // the node is a list of so many elements
	elements int64

	spoil func(g *Generator, line []byte) []byte // of the record as a whole
}

// force makes sure that the record has the fault's place.
func (f *fault) force(on bool) {
	if f.node == nil {
		return
	}
	for n := f.node.parent; n != nil; n = n.parent {
		n.forced = on
	}
}

// mostElements is how many elements a list gets to have too many.
const mostElements = 1000

// findFaults collects all the ways in which records of the contract can be broken.
func (g *Generator) findFaults() {
	if g.csv {
		g.faults = append(g.faults, fault{kind: "row"})
	} else {
		for _, spoil := range spoilers {
			g.faults = append(g.faults, fault{kind: "json", spoil: spoil})
		}
	}
	g.root.each(func(n *node) {
		add := func(kind string, texts ...string) {
			for _, t := range texts {
				if g.csv && t == "" && n.kind != spec.String {
					continue // null
				}
				g.faults = append(g.faults, fault{kind: kind, node: n, text: []byte(t)})
			}
		}
		element := n.parent.kind == spec.List
		if !g.csv || n.kind != spec.String {
			if n.field.Missing == spec.MissingRefused && !element && !(g.csv && n.field.Null) {
				g.faults = append(g.faults, fault{kind: "missing", node: n, how: missing})
			}
			if (!n.field.Null || element) && !g.csv {
				g.faults = append(g.faults, fault{kind: "null", node: n, how: null, text: []byte("null")})
			}
		}
		add("type", g.otherTypes(n)...)
		switch {
		case n.kind == spec.List:
			if n.least > 0 {
				g.faults = append(g.faults, fault{kind: "bound", node: n, resize: true, elements: n.least - 1})
			}
			if n.most < mostElements {
				g.faults = append(g.faults, fault{kind: "bound", node: n, resize: true, elements: n.most + 1})
			}
		case n.kind == spec.String:
			for _, t := range badTexts(n) {
				add(t.kind, g.written([]byte(t.text)))
			}
		case n.kind != spec.Object && n.kind != spec.Bool:
			g.badNumbers(n, add)
		}
	})
	byKind := map[string]int{}
	for _, f := range g.faults {
		i, ok := byKind[f.kind]
		if !ok {
			i = len(g.kinds)
			byKind[f.kind] = i
			g.kinds = append(g.kinds, nil)
		}
		g.kinds[i] = append(g.kinds[i], f)
	}
}

// each visits all nodes below n.
func (n *node) each(visit func(*node)) {
	for _, f := range n.fields {
		visit(f)
		f.each(visit)
	}
	if n.elem != nil {
		visit(n.elem)
		n.elem.each(visit)
	}
}

// written is a text as a value; a fault of CSV keeps the bare text, which row quotes.
func (g *Generator) written(text []byte) string {
	if g.csv {
		return string(text)
	}
	return string(appendString(nil, text))
}

// otherTypes are values of other types than the node's.
func (g *Generator) otherTypes(n *node) []string {
	number := []string{`"42"`, `true`, `[1]`, `{}`}
	if g.csv {
		number = []string{"x", "1,5", "0x10", "--1"}
	}
	switch n.kind {
	case spec.String, spec.Bytes:
		if g.csv {
			return nil
		}
		return []string{`42`, `false`, `["x"]`, `{}`}
	case spec.Bool:
		if g.csv {
			return []string{"yes", "2"}
		}
		return []string{`"true"`, `1`, `[]`}
	case spec.Int:
		return append(number, "1.5", "9223372036854775808", "-1e19")
	case spec.Double:
		return append(number, "1e309")
	case spec.Decimal:
		return append(number, "0."+strings.Repeat("0", n.scale())+"1", "1e30")
	case spec.Timestamp:
		if n.quoted {
			return []string{`1704067200`, `true`, `[]`}
		}
		return number
	case spec.Object:
		return []string{`"x"`, `[]`, `7`}
	case spec.List:
		return []string{`"x"`, `{}`, `7`}
	}
	return nil
}

// scale is that of a decimal.
func (n *node) scale() int {
	t := n.field.Type
	for t.Kind == spec.List {
		t = t.Elem
	}
	return t.Scale
}

// badText is a text that does not keep the checks.
type badText struct{ kind, text string }

func badTexts(n *node) []badText {
	d := &dice{Rand: newRand(1)}
	good := string(n.values.draw(nil, d))
	list := []string{"", "x", "~", good + "~", "~" + good, good + "\n", "\u00e9", strings.ToUpper(good), strings.Repeat("x", 50)}
	if good != "" {
		_, first := utf8.DecodeRuneInString(good)
		_, last := utf8.DecodeLastRuneInString(good)
		list = append(list, good[first:], good[:len(good)-last])
	}
	kind := ""
	for _, c := range n.text.checks {
		switch c.Op {
		case spec.CheckMinRunes:
			if c.Value.Int > 0 && c.Value.Int <= mostElements {
				list = append(list, strings.Repeat("x", int(c.Value.Int)-1))
			}
		case spec.CheckMaxRunes:
			if c.Value.Int < mostElements {
				list = append(list, strings.Repeat("x", int(c.Value.Int)+1))
			}
		default:
			list = append(list, beyond(c)...)
		}
		switch {
		case c.Op == spec.CheckOneOf:
			kind = "enum"
		case c.Op == spec.CheckMatch || c.Op == spec.CheckNotMatch:
			kind = "pattern"
		case kind == "":
			kind = "bound"
		}
	}
	var bad []badText
	slices.Sort(list)
	for _, text := range slices.Compact(list) {
		if !n.text.keeps([]byte(text)) {
			bad = append(bad, badText{kind, text})
		}
	}
	return bad
}

// beyond are texts or bytes, valid UTF-8 where the check's text is, that a comparison refuses.
func beyond(c *spec.Check) []string {
	text := c.Value.String
	switch c.Op {
	case spec.CheckNotEqual:
		return []string{text}
	case spec.CheckLess:
		return []string{text, text + "x"}
	case spec.CheckLessEqual:
		return []string{text + "x"}
	case spec.CheckGreater:
		return []string{text, ""}
	case spec.CheckGreaterEqual:
		if text != "" {
			return []string{""}
		}
	}
	return nil
}

// badNumbers adds values of the node's type that do not keep its checks, or are no times.
func (g *Generator) badNumbers(n *node, add func(kind string, texts ...string)) {
	checks, format := n.field.Checks, n.field.Time
	write := func(v spec.Value) string {
		switch n.kind {
		case spec.Double:
			return string(appendFloat(nil, v.Double))
		case spec.Int:
			return string(newIntegers(nil).write(nil, v.Int))
		case spec.Decimal:
			return string(appendDecimal(nil, v.Int, n.scale()))
		case spec.Timestamp:
			text := appendTime(nil, v.Int, format)
			if n.quoted {
				return g.written(text)
			}
			return string(text)
		}
		return ""
	}
	for _, c := range checks {
		if c.Op == spec.CheckMatch || n.kind == spec.Bytes {
			continue
		}
		kind, around := "bound", []spec.Value{c.Value}
		if c.Op == spec.CheckOneOf {
			kind, around = "enum", c.Values
		}
		for _, v := range around {
			for _, step := range []int64{0, -1, 1, -1000, 1000} {
				w := v
				if n.kind == spec.Double {
					w.Double += float64(step)
				} else if w.Int += step; (w.Int < v.Int) != (step < 0) && step != 0 {
					continue
				}
				if math.IsInf(w.Double, 0) || keepsAll(w, checks) {
					continue
				}
				add(kind, write(w))
			}
		}
	}
	switch {
	case n.kind == spec.Bytes:
		g.badBytes(n, add)
	case n.kind == spec.Timestamp && n.quoted:
		for _, t := range []string{"yesterday", "", "2024-02-30T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"} {
			add("time", g.written([]byte(t)))
		}
	case n.kind == spec.Timestamp:
		add("time", "1e30", "-1e30")
	case n.role == eventTime && g.clock.time > 1:
		for _, v := range []int64{math.MaxInt64, math.MinInt64} {
			if keepsAll(spec.Value{Int: v}, checks) {
				add("time", write(spec.Value{Int: v}))
			}
		}
	}
}

// badBytes adds what is no base64, and bytes that do not keep the checks.
func (g *Generator) badBytes(n *node, add func(kind string, texts ...string)) {
	for _, t := range []string{"?", "YQ", "YQ=", "YR==", "Y Q=="} {
		add("base64", g.written([]byte(t)))
	}
	var bad []string
	for _, c := range n.field.Checks {
		bad = append(bad, beyond(c)...)
		switch {
		case c.Op == spec.CheckMinRunes && c.Value.Int > 0 && c.Value.Int <= mostElements:
			bad = append(bad, strings.Repeat("x", int(c.Value.Int)-1))
		case c.Op == spec.CheckMaxRunes && c.Value.Int < mostElements:
			bad = append(bad, strings.Repeat("x", int(c.Value.Int)+1))
		case c.Op == spec.CheckOneOf && !slices.ContainsFunc(c.Values, func(v spec.Value) bool { return v.String == "other" }):
			bad = append(bad, "other")
		}
	}
	for _, b := range bad {
		add("bound", g.written(base64.StdEncoding.AppendEncode(nil, []byte(b))))
	}
}

// spoilers make of a JSON object what is no JSON object.
var spoilers = []func(g *Generator, line []byte) []byte{
	func(g *Generator, line []byte) []byte { return line[:1+g.dice.IntN(len(line)-1)] }, // cut
	func(_ *Generator, line []byte) []byte { return append(line, '}') },
	func(_ *Generator, line []byte) []byte { return append(line, line...) }, // two in one line
	func(_ *Generator, line []byte) []byte { return append(append([]byte("["), line...), ']') },
	func(_ *Generator, line []byte) []byte { return bytes.ReplaceAll(line, []byte(`"`), []byte(`'`)) },
	func(_ *Generator, line []byte) []byte { return before(line, ",") },
	func(_ *Generator, line []byte) []byte { return after(line, `"\ud800":0`) },
	func(_ *Generator, line []byte) []byte { return after(line, "\"\xff\":0") },
	func(_ *Generator, line []byte) []byte { return after(line, "\"\t\":0") },
	func(_ *Generator, line []byte) []byte { return after(line, `"_undeclared":NaN`) },
	func(_ *Generator, line []byte) []byte { return after(line, `"_undeclared":01`) },
	func(_ *Generator, line []byte) []byte { return []byte(`"event"`) },
	func(_ *Generator, line []byte) []byte { return []byte("null") },
	func(g *Generator, line []byte) []byte { // a declared field twice
		if g.first == nil {
			return []byte("{")
		}
		return after(line, string(g.first))
	},
}

// after inserts a member at the beginning of an object, before at its end.
func after(line []byte, member string) []byte {
	if len(line) > len("{}") {
		member += ","
	}
	return slices.Insert(line, 1, []byte(member)...)
}

func before(line []byte, text string) []byte {
	return slices.Insert(line, len(line)-1, []byte(text)...)
}
