package load

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/streamwright/streamwright/spec/diag"
)

// Node is one word of the language, or one name that the user gave, with its value. Which fields are set depends on Kind.
type Node struct {
	Name    string   // of the field
	Path    string   // "pipeline.orders.stage.paid.filter"
	NamePos diag.Pos // of the field's name
	Pos     diag.Pos // of its value
	Doc     []string // lines of the comment above
	Kind    Kind
	Text    string  // String
	Int     int64   // Int
	Number  float64 // Int and Float
	True    bool    // Bool
	Fields  []*Node // Struct, in the order of the spec
	List    []*Node // List; the elements have no name
	Type    *Type   // of an event

	at func(offset int) diag.Pos
}

// Kind is the kind of a Node's value.
type Kind uint8

// The kinds of values.
const (
	Struct Kind = iota + 1
	List
	String
	Int
	Float
	Bool
	Event // Type has it
)

// Field is the word of that name, or nil.
func (n *Node) Field(name string) *Node {
	if n == nil {
		return nil
	}
	for _, f := range n.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// At is the place of byte offset of Text in the user's file, also inside escapes and blocks of several lines.
func (n *Node) At(offset int) diag.Pos { return n.at(offset) }

// node makes the part of a Node that does not depend on its kind.
func (l *loader) node(name, path string, v cue.Value, parent diag.Pos) *Node {
	n := &Node{Name: name, Path: path, Doc: docs(v), NamePos: parent, Pos: parent}
	value := l.syntax(v)
	l.composed(v, name, path)
	if field := fieldOf(v); field != nil {
		if pos := l.places.pos(field.Label.Pos()); pos.Line > 0 {
			n.NamePos, n.Pos = pos, pos
		}
	}
	if value != nil {
		if pos := l.places.pos(value.Pos()); pos.Line > 0 {
			n.Pos = pos
			if n.NamePos == parent {
				n.NamePos = pos
			}
		}
	}
	return n
}

// syntax is the expression in the user's files that a value was written as, or nil.
func (l *loader) syntax(v cue.Value) ast.Expr {
	switch x := v.Source().(type) {
	case *ast.Field:
		if l.places.pos(x.Value.Pos()).Line > 0 {
			return x.Value
		}
	case ast.Expr:
		if l.places.pos(x.Pos()).Line > 0 {
			return x
		}
	}
	if op, args := v.Expr(); op == cue.AndOp {
		for _, a := range args {
			if x := l.syntax(a); x != nil {
				return x
			}
		}
	}
	return nil
}

// composed reports a name that CUE changes: it brings names to Unicode's composed form (NFC), and two that differ in nothing else become one.
func (l *loader) composed(v cue.Value, name, path string) {
	if f, ok := v.Source().(*ast.Field); ok {
		if raw, _, err := ast.LabelName(f.Label); err == nil && raw != name {
			l.add(diag.BadName, l.places.pos(f.Label.Pos()), path, fmt.Sprintf("CUE takes the name %+q for %+q, so records that have it could not be read", raw, name),
				"it knows names only in Unicode's composed form (NFC)")
		}
		return
	}
	if op, args := v.Expr(); op == cue.AndOp {
		for _, a := range args {
			l.composed(a, name, path)
		}
	}
}

// fieldOf is the syntax of the field that holds a value, or nil.
func fieldOf(v cue.Value) *ast.Field {
	if f, ok := v.Source().(*ast.Field); ok {
		return f
	}
	if op, args := v.Expr(); op == cue.AndOp {
		for _, a := range args {
			if f := fieldOf(a); f != nil {
				return f
			}
		}
	}
	return nil
}

// docs are the lines of the comments above a value.
func docs(v cue.Value) []string {
	var lines []string
	for _, group := range v.Doc() {
		text := strings.TrimSpace(group.Text())
		if text == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}

// join appends a name to a path, quoted where CUE would need it.
func join(path, name string) string {
	if path != "" {
		path += "."
	}
	return path + cue.Str(name).String()
}
