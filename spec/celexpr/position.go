package celexpr

import (
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/streamwright/streamwright/spec"
)

// bytesOf is the byte offset of code point n of text; cel-go counts code points.
func bytesOf(text string, n int) int {
	offset := 0
	for ; n > 0 && offset < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}

// lineOffset is the byte offset of a place that cel-go reports by line, from 1, and column, in code points from 0.
func lineOffset(text string, at common.Location) int {
	offset := 0
	for line := 1; line < at.Line(); line++ {
		i := strings.IndexByte(text[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
	}
	return offset + bytesOf(text[offset:], max(at.Column(), 0))
}

func (t *translator) place(e celast.Expr) spec.Place { return t.at(t.start(e)) }

// start is the byte offset of what a reader takes for the place of e: the operator, the name of a function, the name of a field.
func (t *translator) start(e celast.Expr) int {
	r, ok := t.info.GetOffsetRange(e.ID())
	if !ok {
		return 0
	}
	offset := bytesOf(t.text, int(r.Start))
	switch e.Kind() {
	case celast.ComprehensionKind:
		return before(t.text, offset, macroOf(e.AsComprehension()))
	case celast.CallKind:
		if name := e.AsCall().FunctionName(); !isOperator(name) {
			return before(t.text, offset, written(name))
		}
	case celast.SelectKind:
		if e.AsSelect().IsTestOnly() {
			return before(t.text, offset, "has")
		}
		if offset < len(t.text) && t.text[offset] == '.' {
			return offset + 1 + len(t.text[offset+1:]) - len(strings.TrimLeft(t.text[offset+1:], " \t\r\n"))
		}
	}
	return offset
}

// before goes from the parenthesis of a call back to the function's name.
func before(text string, offset int, name string) int {
	head := strings.TrimRight(text[:offset], " \t\r\n")
	if strings.HasSuffix(head, name) {
		return len(head) - len(name)
	}
	return offset
}

// written is a function's name as it is written: cel-go has others for what the macros of its math extension make.
func written(name string) string {
	switch name {
	case "math.@max":
		return "math.greatest"
	case "math.@min":
		return "math.least"
	}
	return name
}

func isOperator(name string) bool {
	_, ok := operators.FindReverse(name)
	return ok || name == operators.Conditional || name == operators.Index
}

// source is the text of an operand as far as that is a name or a literal; of others it is empty.
func (t *translator) source(e celast.Expr) string {
	switch e.Kind() {
	case celast.IdentKind:
		return e.AsIdent()
	case celast.SelectKind:
		s := e.AsSelect()
		if of := t.source(s.Operand()); of != "" && !s.IsTestOnly() {
			return of + "." + s.FieldName()
		}
	case celast.LiteralKind:
		if r, ok := t.info.GetOffsetRange(e.ID()); ok {
			return t.text[bytesOf(t.text, int(r.Start)):bytesOf(t.text, int(r.Stop))]
		}
	}
	return ""
}

// operands are the texts of the operands of the call e of a function.
func (t *translator) operands(e celast.Expr) []string {
	start := t.start(e)
	var all []string
	depth, from := 0, 0
	for _, k := range scan(t.text[start:]) {
		switch k.text {
		case "(", "[", "{":
			if depth++; depth == 1 {
				from = k.at + 1
			}
			continue
		case ")", "]", "}":
			depth--
		}
		if depth == 0 && from > 0 || depth == 1 && k.text == "," {
			all = append(all, strings.Join(strings.Fields(t.text[start+from:start+k.at]), " "))
			from = k.at + 1
		}
		if depth == 0 && from > 0 {
			break
		}
	}
	return all
}
