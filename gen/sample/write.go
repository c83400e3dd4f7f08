package sample

import (
	"bytes"
	"fmt"

	"github.com/streamwright/streamwright/spec"
)

// line appends a record and a newline. A field that may be missing or null is so now and then.
func (g *Generator) line(dst []byte) []byte {
	if g.csv {
		return g.row(dst)
	}
	g.first = nil
	start := len(dst)
	if f := g.fault; f != nil {
		f.force(true)
		dst = g.members(dst, g.root)
		f.force(false)
		if f.spoil != nil {
			dst = append(dst[:start], f.spoil(g, bytes.Clone(dst[start:]))...)
		}
	} else {
		dst = g.members(dst, g.root)
	}
	return append(dst, '\n')
}

// members appends an object.
func (g *Generator) members(dst []byte, n *node) []byte {
	dst = append(dst, '{')
	empty := true
	for _, f := range n.fields {
		how := g.presence(f)
		if how == missing {
			continue
		}
		if !empty {
			dst = append(dst, ',')
		}
		empty = false
		start := len(dst)
		dst = append(dst, f.member...)
		if how == null {
			dst = append(dst, "null"...)
		} else {
			dst = g.value(dst, f)
		}
		if n == g.root && g.fault != nil && g.first == nil {
			g.first = bytes.Clone(dst[start:])
		}
	}
	return append(dst, '}')
}

// presence is how a field is there.
type presence uint8

const (
	present presence = iota
	missing
	null
)

func (g *Generator) presence(n *node) presence {
	if f := g.fault; f != nil {
		if f.node == n {
			return f.how
		}
		if n.forced {
			return present
		}
	}
	if g.csv && (n.kind == spec.String || !n.field.Type.Nullable) { // nothing is the empty string, else null
		return present
	}
	often := 8
	switch n.role {
	case eventTime, id:
		return present
	case key, optionalID:
		often = 32
	}
	mayMiss, mayBeNull := n.field.Missing != spec.MissingRefused, n.field.Null
	if !mayMiss && !mayBeNull || !g.dice.lean && g.dice.IntN(often) > 0 {
		return present
	}
	if mayMiss && (!mayBeNull || g.dice.IntN(2) == 0) {
		return missing
	}
	return null
}

// value appends the value of a node that is there.
func (g *Generator) value(dst []byte, n *node) []byte {
	if f := g.fault; f != nil && f.node == n && f.text != nil {
		return append(dst, f.text...)
	}
	switch n.kind {
	case spec.Object:
		return g.members(dst, n)
	case spec.List:
		dst = append(dst, '[')
		for i := range g.elements(n) {
			if i > 0 {
				dst = append(dst, ',')
			}
			if f := g.fault; i > 0 && f != nil && n.forced { // only the first element has the fault
				g.fault = nil
				dst = g.value(dst, n.elem)
				g.fault = f
				continue
			}
			dst = g.value(dst, n.elem)
		}
		return append(dst, ']')
	}
	return g.scalar(dst, n)
}

// elements is how many elements a list gets.
func (g *Generator) elements(n *node) int64 {
	if f := g.fault; f != nil {
		if f.node == n && f.resize {
			return f.elements
		}
		if n.forced {
			return max(n.least, 1)
		}
	}
	if g.dice.lean {
		return n.least
	}
	return n.least + g.dice.Int64N(min(n.most-n.least, 3)+1)
}

// scalar appends a scalar.
func (g *Generator) scalar(dst []byte, n *node) []byte {
	switch n.role {
	case eventTime:
		return g.quote(dst, n, func(dst []byte) []byte { return g.clock.write(dst, g.dice.at/g.clock.time) })
	case id, optionalID:
		return g.quote(dst, n, func(dst []byte) []byte { return n.values.at(dst, g.ids%n.values.count()) })
	case key:
		return n.kept(dst, int(g.key), func() []byte {
			return g.quote(nil, n, func(dst []byte) []byte { return n.values.at(dst, g.key%n.values.count()) })
		})
	}
	if n.kind == spec.String {
		return n.kept(dst, g.dice.IntN(cached), func() []byte { return g.quote(nil, n, func(dst []byte) []byte { return n.values.draw(dst, &g.dice) }) })
	}
	if n.quoted {
		return g.quote(dst, n, func(dst []byte) []byte { return n.values.draw(dst, &g.dice) })
	}
	return n.values.draw(dst, &g.dice)
}

// kept appends what make gives for i, which it is asked for once.
func (n *node) kept(dst []byte, i int, make func() []byte) []byte {
	if i >= mostCache {
		return append(dst, make()...)
	}
	for len(n.cache) <= i {
		n.cache = append(n.cache, nil)
	}
	if n.cache[i] == nil {
		n.cache[i] = make()
	}
	return append(dst, n.cache[i]...)
}

// quote appends the text that write makes, in quotes where the field's text stands in them, and holds it against the contract.
func (g *Generator) quote(dst []byte, n *node, write func([]byte) []byte) []byte {
	if !n.quoted {
		return write(dst)
	}
	text := write(make([]byte, 0, 64))
	if n.kind == spec.String && !n.text.keeps(text) {
		panic(fmt.Sprintf("sample: %s: made %q, which does not keep the contract", n.path, text))
	}
	if g.csv {
		return appendCell(dst, text)
	}
	return appendString(dst, text)
}

// appendString appends a JSON string.
func appendString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < 0x20 || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// row appends a CSV row: nothing stands for a value that is missing or null.
func (g *Generator) row(dst []byte) []byte {
	f := g.fault
	for i, n := range g.root.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if g.presence(n) != present {
			continue
		}
		if f != nil && f.node == n {
			dst = appendCell(dst, f.text)
		} else {
			dst = g.scalar(dst, n)
		}
	}
	if f != nil && f.node == nil {
		dst = append(dst, ",one,too,many"...)
	}
	return append(dst, '\n')
}

// appendCell appends a field of a CSV row.
func appendCell(dst, text []byte) []byte {
	if len(text) > 0 && !bytes.ContainsAny(text, ",\"\r\n") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for _, c := range text {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}
