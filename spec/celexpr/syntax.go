package celexpr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
)

// syntax says why the text is not CEL. The words of cel-go's parser are its grammar's, so of it only the place is used: what people bring from other languages is
// looked for first, and then what stands around that place.
func (t *translator) syntax(issues *cel.Issues) Problem {
	tokens := scan(t.text)
	if len(tokens) == 0 {
		return Problem{Code: CodeSyntax, Text: "the expression is empty", Hint: "write one, such as amount > 0"}
	}
	if p, ok := t.foreign(tokens); ok {
		return p
	}
	first := slices.MinFunc(issues.Errors(), func(a, b *common.Error) int {
		return cmp.Compare(lineOffset(t.text, a.Location), lineOffset(t.text, b.Location))
	})
	message := strings.TrimPrefix(first.Message, "Syntax error: ")
	p := Problem{Offset: lineOffset(t.text, first.Location), Code: CodeSyntax}
	word, isReserved := strings.CutPrefix(message, "reserved identifier: ")
	switch {
	case isReserved:
		p.Text = word + " is a word that CEL keeps for itself"
		if word == "if" {
			p.Hint = "write condition ? value : other"
		}
		if find(t.row, word) != nil {
			p.Hint = "write " + eventName + "." + word
		}
	case strings.Contains(message, "argument must be a simple name"), strings.Contains(message, "argument is not an identifier"):
		p.Code, p.Text, p.Hint = CodeType, "the first operand of a loop is a name for the element", "such as x in list.exists(x, x > 0)"
	case strings.HasPrefix(message, "math.greatest()"), strings.HasPrefix(message, "math.least()"):
		name, _, _ := strings.Cut(message, "(")
		p.Code, p.Text, p.Hint = CodeType, name+"() takes numbers, or one list of numbers", "write "+name+"(a, b)"
	case strings.Contains(message, "invalid argument to has() macro"):
		p.Offset = before(t.text, max(p.Offset-1, 0), "has")
		p.Text, p.Hint = "has() takes a field with what it is a field of", "write has("+eventName+".field)"
	case strings.HasPrefix(message, "unsupported syntax"):
		p.Text, p.Hint = "optional values (.? and [?) are not offered", "a missing field is null: write x != null, or has("+eventName+".x)"
	case strings.HasPrefix(message, "invalid int literal"), strings.HasPrefix(message, "invalid uint literal"), strings.HasPrefix(message, "invalid double literal"):
		p.Text, p.Hint = "the number is too large", "ints have 64 bits"
	case strings.HasPrefix(message, "expression recursion limit"), strings.HasPrefix(message, "expression count exceeds"), strings.HasPrefix(message, "expression code point size"):
		p.Code, p.Text, p.Hint = CodeUnsupported, "the expression is too long or too deep", "compute parts of it in a stage before: set: {part: \"…\"}"
	case strings.Contains(message, "escape"):
		p.Text, p.Hint = "the text has an escape that CEL does not know", `write \\ for a backslash; in a pattern r'…' leaves it as it is`
	default:
		t.around(&p, tokens)
	}
	return p
}

// around explains a place at which the parser could not go on, by the tokens before and behind it.
func (t *translator) around(p *Problem, tokens []token) {
	if open, extra, ok := unbalanced(tokens); ok {
		if extra != nil {
			p.Offset, p.Text, p.Hint = extra.at, "the "+extra.text+" closes nothing", "leave it out, or open it before"
			return
		}
		i := slices.IndexFunc(tokens, func(k token) bool { return k.at >= p.Offset })
		if i < 0 {
			i = len(tokens)
		}
		if i == len(tokens) || open.at < p.Offset {
			p.Text, p.Hint = fmt.Sprintf("the %s is never closed", open.text), "write "+closing[open.text]+" behind what belongs to it"
			p.Offset = open.at
			if tokens[len(tokens)-1].operator() {
				p.Offset, p.Text, p.Hint = len(strings.TrimRight(t.text, " \t\r\n")), "the expression ends too early", "an operand and "+closing[open.text]+" are missing"
			}
			return
		}
	}
	i := slices.IndexFunc(tokens, func(k token) bool { return k.at+len(k.text) > p.Offset })
	if i < 0 {
		p.Offset = len(strings.TrimRight(t.text, " \t\r\n"))
		p.Text, p.Hint = "the expression ends too early", "an operand is missing at its end"
		if last := tokens[len(tokens)-1]; !last.operator() && slices.ContainsFunc(tokens, func(k token) bool { return k.text == "?" }) {
			p.Hint = "behind ? and a value comes : and another"
		}
		return
	}
	at := tokens[i]
	p.Offset = at.at
	var last token
	if i > 0 {
		last = tokens[i-1]
	}
	switch {
	case last.text == "." && at.operand():
		p.Text, p.Hint = at.short()+" cannot stand behind a dot", "a field with such a name is written in back quotes: "+eventName+".`"+strings.Trim(at.text, "`'\"")+"`"
	case at.kind == quotedName:
		p.Text, p.Hint = "back quotes stand only behind a dot", "write "+eventName+"."+at.text
	case at.kind == stray:
		p.Text = fmt.Sprintf("%q cannot stand in a CEL expression outside of quotes", at.text)
	case at.kind == str && last.kind == str:
		p.Text, p.Hint = "two texts stand beside each other", `inside of '…' a quote is written \'; texts are joined with +`
	case at.text == "," && i > 0:
		p.Text, p.Hint = "a comma stands only between operands of a function and in a list", "join conditions with && or ||"
	case last.kind == number && at.kind == word && last.at+len(last.text) == at.at:
		p.Text, p.Hint = fmt.Sprintf("%s%s is not a number", last.short(), at.short()), "write 1000, 1.5, 1e6 or 0xff: digits alone, without _ and without a unit"
	case at.kind == number && last.operator():
		p.Text, p.Hint = at.text+" is not a number", "write 1000, 1.5, 1e6 or 0xff"
	case at.operand() && last.ends():
		p.Text, p.Hint = fmt.Sprintf("between %s and %s an operator is missing", last.short(), at.short()), "such as ==, && or +"
	case at.text == ")" && last.text == "(":
		p.Text, p.Hint = "there is nothing between ( and )", "write an operand"
	case at.operator() && i == 0:
		p.Text, p.Hint = fmt.Sprintf("in front of %s an operand is missing", at.text), "write one, or leave "+at.text+" out"
	case !at.operand() && last.operator():
		p.Text, p.Hint = fmt.Sprintf("between %s and %s an operand is missing", last.short(), at.short()), ""
	case at.text == ":":
		p.Text, p.Hint = "the : belongs to no ?", "write condition ? value : other"
	default:
		p.Text, p.Hint = fmt.Sprintf("%s cannot stand here", at.short()), ""
		if last.text != "" {
			p.Text = fmt.Sprintf("%s cannot stand behind %s", at.short(), last.short())
		}
	}
}

// closing are the brackets that close others.
var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// unbalanced finds the innermost bracket that is not closed, or one that closes nothing.
func unbalanced(tokens []token) (open, extra *token, ok bool) {
	var stack []*token
	for i := range tokens {
		k := &tokens[i]
		switch {
		case k.kind != symbol:
		case closing[k.text] != "":
			stack = append(stack, k)
		case k.text == ")" || k.text == "]" || k.text == "}":
			if len(stack) == 0 || closing[stack[len(stack)-1].text] != k.text {
				return nil, k, true
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) == 0 {
		return nil, nil, false
	}
	return stack[len(stack)-1], nil, true
}
