package celexpr

import (
	"fmt"
	"strings"
	"time"

	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// overload reads "found no matching overload for '_>_' applied to '(double, int)'".
func overload(message string) (name string, args []string, ok bool) {
	parts := strings.Split(message, "'")
	if !strings.HasPrefix(message, "found no matching overload") || len(parts) < 5 {
		return "", nil, false
	}
	list := parts[3]
	if target, rest, member := strings.Cut(list, ".("); member {
		list = "(" + target + ", " + rest
	}
	depth, from := 0, 1
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if (c == ',' && depth == 1 || depth == 0) && i > from {
			arg := strings.TrimSpace(list[from:i])
			if inner, wrapped := strings.CutPrefix(arg, "wrapper("); wrapped {
				arg = strings.TrimSuffix(inner, ")")
			}
			if arg != "" {
				args = append(args, arg)
			}
			from = i + 1
		}
	}
	return parts[1], args, true
}

// mismatch explains an operator or function that does not take the types of its operands.
func (t *translator) mismatch(e celast.Expr, name string, kinds []string) Problem {
	c := e.AsCall()
	operands := c.Args()
	if c.IsMemberFunction() {
		operands = append([]celast.Expr{c.Target()}, operands...)
	}
	symbol := written(name) + "()"
	if s, ok := operators.FindReverse(name); ok {
		symbol = s
	}
	if name == operators.Conditional {
		symbol = "?:"
	}
	if len(kinds) != len(operands) {
		return Problem{Code: CodeType, Text: symbol + " does not take these operands"}
	}
	if p, ok := t.loopMismatch(e, name, kinds); ok {
		return p
	}
	if _, ok := aggregateFuncs[name]; ok {
		return t.aggregateMismatch(e, operands, kinds)
	}
	if len(kinds) == 2 && isOperator(name) && name != operators.In && name != operators.Index {
		return t.pair(symbol, operands, kinds)
	}
	p := Problem{Code: CodeType, Text: symbol + " does not take " + joined(kinds)}
	if len(kinds) == 0 {
		p.Text = symbol + " of what?"
	}
	switch name {
	case "size":
		if len(kinds) != 1 {
			p.Text = "size() takes one operand"
			break
		}
		p.Text = fmt.Sprintf("size() is of a string, bytes or a list, and %s is %s", t.describe(operands[0]), article(kinds[0]))
		if kinds[0] == "int" || kinds[0] == "double" {
			p.Hint = "compare the number itself"
		}
	case operators.LogicalNot, operators.Conditional:
		if kinds[0] != "bool" {
			p.Text = fmt.Sprintf("%s asks a bool, and %s is %s", symbol, t.describe(operands[0]), article(kinds[0]))
			p.Hint = "compare it, such as x != 0 or x != ''"
		} else if len(kinds) == 3 {
			p.Text = fmt.Sprintf("both sides of : must have one type, not %s and %s", kinds[1], kinds[2])
			p.Hint = "convert one: int(), double(), string()"
			if kinds[1] == "null" || kinds[2] == "null" {
				p.Hint = "null goes beside a field that may be null"
			}
		}
	case "startsWith", "endsWith", "contains", "matches":
		p.Hint = "both are strings; convert with string()"
		if name == "contains" && strings.HasPrefix(kinds[0], "list") && len(kinds) == 2 {
			p.Hint = fmt.Sprintf("write %s in %s", t.side(1, operands[1]), t.side(0, operands[0]))
		}
		if !c.IsMemberFunction() && len(kinds) == 2 {
			p.Text, p.Hint = symbol+" stands behind its text", fmt.Sprintf("write %s.%s(%s)", t.side(0, operands[0]), name, t.side(1, operands[1]))
		}
	case operators.In:
		p.Text = fmt.Sprintf("in looks for a value in a list of its type, not for %s in %s", article(kinds[0]), article(kinds[1]))
		if kinds[1] == "string" {
			p.Hint = "for a piece of text write text.contains('piece')"
			if operands[1].Kind() == celast.LiteralKind {
				p.Hint = fmt.Sprintf("a list stands in brackets: in [%s]; %s", t.source(operands[1]), p.Hint)
			}
		}
	case operators.Index:
		p.Text = fmt.Sprintf("[] takes a list and an int, and not %s and %s", article(kinds[0]), article(kinds[1]))
		if kinds[0] == "string" {
			p.Hint = "for one character of a text write text.charAt(i)"
		}
	default:
		if usage := usages[written(name)]; usage != "" {
			p.Hint = "it is called as " + usage
		}
	}
	return p
}

// foreignMacros are the names of loops in other languages.
var foreignMacros = map[string]string{"any": "exists", "some": "exists", "every": "all", "none": "exists", "forall": "all", "where": "filter", "select": "map", "find": "filter"}

// macroExample shows each macro.
var macroExample = map[string]string{
	"all": "list.all(x, x > 0)", "exists": "list.exists(x, x > 0)", "exists_one": "list.exists_one(x, x > 0)", "map": "list.map(x, x + 1)", "filter": "list.filter(x, x > 0)",
}

// isNamespace says whether e is the name math before a function.
func (t *translator) isNamespace(e celast.Expr) bool {
	if e.Kind() != celast.IdentKind || e.AsIdent() != "math" {
		return false
	}
	found := false
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		found = found || x.Kind() == celast.CallKind && x.AsCall().IsMemberFunction() && x.AsCall().Target().ID() == e.ID()
	}))
	return found
}

// extreme says whether e is one of several operands of math.greatest or math.least, which cel-go makes a list of.
func (t *translator) extreme(e celast.Expr) (name string, ok bool) {
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if x.Kind() != celast.CallKind || !strings.HasPrefix(x.AsCall().FunctionName(), "math.@") || x.AsCall().Args()[0].Kind() != celast.ListKind {
			return
		}
		for _, o := range x.AsCall().Args()[0].AsList().Elements() {
			if o.ID() == e.ID() {
				name, ok = written(x.AsCall().FunctionName()), true
			}
		}
	}))
	return name, ok
}

// loopMismatch explains a condition of a loop that is no bool: e is the operator name that the macro made or, without a name, its second operand.
func (t *translator) loopMismatch(e celast.Expr, name string, kinds []string) (Problem, bool) {
	var problem Problem
	found := false
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if found || x.Kind() != celast.ComprehensionKind {
			return
		}
		step := x.AsComprehension().LoopStep()
		if operand := step.AsCall().Args()[1]; step.ID() != e.ID() && (name != "" || operand.ID() != e.ID()) {
			return
		}
		macro := macroOf(x.AsComprehension())
		kind := kinds[0]
		if name == "" || name == operators.LogicalAnd || name == operators.LogicalOr {
			kind = kinds[1]
		}
		problem = Problem{Code: CodeType, Text: fmt.Sprintf("%s() asks a bool of each element, not %s", macro, article(kind)), Hint: "compare it, such as x > 0"}
		if macro == "map" {
			problem.Hint = "the second operand of three is the condition: list.map(x, x > 0, x + 1)"
		}
		found = kind != "bool"
	}))
	return problem, found
}

// pair explains an operator between two operands of different types.
func (t *translator) pair(symbol string, operands []celast.Expr, kinds []string) Problem {
	p := Problem{Code: CodeType, Text: fmt.Sprintf("%s does not go between %s and %s", symbol, article(kinds[0]), article(kinds[1]))}
	if kinds[0] == "decimal" && kinds[1] == "decimal" {
		p.Hint = "decimals are added, subtracted and compared; for " + symbol + " convert with double()"
		return p
	}
	for i, k := range kinds {
		if name := t.source(operands[i]); strings.HasPrefix(k, "type(") {
			p.Text = name + " is the name of a type here"
			return p
		}
	}
	for i, j := range [2]int{1, 0} {
		a, b := operands[i], operands[j] // seen from either side
		name, other := t.side(i, a), t.side(j, b)
		switch of := kinds[i] + " " + kinds[j]; {
		case kinds[j] == "null" && kinds[i] != "null":
			if symbol != "==" && symbol != "!=" {
				p.Code, p.Text = CodeNull, "null cannot be used with "+symbol
				return p
			}
			p.Code, p.Text, p.Hint = CodeNull, name+" is never null: the comparison always gives the same", "leave it out"
			if strings.HasPrefix(kinds[i], "list") {
				if path, ok := t.quietPath(a); ok && len(path) > 0 && path[len(path)-1].Type.Nullable {
					p.Text, p.Hint = "a list cannot be compared with null", "write has("+eventName+"."+strings.TrimPrefix(name, eventName+".")+")"
					if symbol == "==" {
						p.Hint = strings.Replace(p.Hint, "has(", "!has(", 1)
					}
				}
			}
			return p
		case kinds[i] == "decimal" && kinds[j] != "decimal":
			p.Text = fmt.Sprintf("%s is a decimal and %s %s: they do not mix", name, other, article(kinds[j]))
			p.Hint = "convert the decimal with double()"
			if symbol == "*" || symbol == "/" || symbol == "%" { // which no decimals have, whatever the other side is
				p.Text = symbol + " does not go with decimals, whose result would need rounding"
				if kinds[j] == "int" && b.Kind() == celast.LiteralKind {
					other += ".0"
				}
				p.Hint = "write double(" + name + ") " + symbol + " " + other
				if i == 1 {
					p.Hint = "write " + other + " " + symbol + " double(" + name + ")"
				}
				return p
			}
			if b.Kind() == celast.LiteralKind && (kinds[j] == "int" || kinds[j] == "double") {
				p.Hint = "write decimal('" + other + "')"
			}
			return p
		case of == "double int":
			p.Text = fmt.Sprintf("%s is a double and %s an int: CEL does not mix them", name, other)
			p.Hint = "write double(" + other + ")"
			if b.Kind() == celast.LiteralKind {
				p.Hint = "write " + other + ".0"
			} else if symbol == "/" && a.Kind() == celast.LiteralKind { // a division of ints would cut the fraction
				if strings.HasPrefix(other, "the ") {
					other = "…"
				}
				p.Hint = "write double(" + other + ") / " + name
				if i == 0 {
					p.Hint = "write " + name + " / double(" + other + ")"
				}
			} else if whole, ok := strings.CutSuffix(name, ".0"); ok && a.Kind() == celast.LiteralKind {
				p.Hint = "write " + whole
			} else if strings.HasPrefix(other, "the ") {
				p.Hint = "convert it with double()"
			}
			return p
		case of == "timestamp string":
			p.Text = fmt.Sprintf("%s is a time and %s a string", name, other)
			p.Hint = "write timestamp(" + other + ")"
			if b.Kind() == celast.LiteralKind {
				p.Hint = timeHint(other)
			}
			if b.Kind() == celast.LiteralKind && (symbol == "+" || symbol == "-") {
				p.Hint = "write duration(" + other + ")"
			}
			return p
		case of == "timestamp int", of == "duration int":
			p.Text = fmt.Sprintf("%s is a %s and %s an int", name, kinds[i], other)
			p.Hint = "a length of time is a duration, such as duration('90s'), and a time is made by timestamp(), from a string or from whole seconds since 1970"
			return p
		case of == "bytes string":
			p.Text = fmt.Sprintf("%s is bytes and %s a string", name, other)
			p.Hint = "convert one side with bytes() or string()"
			if b.Kind() == celast.LiteralKind {
				p.Hint = "write b" + other
			}
			return p
		case of == "duration string":
			p.Text = fmt.Sprintf("%s is a duration and %s a string", name, other)
			p.Hint = "write duration(" + other + ")"
			return p
		case of == "string int", of == "string double", of == "string bool":
			p.Text = fmt.Sprintf("%s is a string and %s %s", name, other, article(kinds[j]))
			switch {
			case symbol == "+":
				p.Hint = "write string(" + other + ")"
			case a.Kind() == celast.LiteralKind && strings.Trim(name, `'"0123456789`) == "" && kinds[j] == "int":
				p.Hint = "write " + strings.Trim(name, `'"`) + ", without quotes"
			case b.Kind() == celast.LiteralKind:
				p.Hint = "write '" + other + "' for text, or convert the other side with " + kinds[j] + "()"
			default:
				p.Hint = "convert one side with string() or " + kinds[j] + "()"
			}
			return p
		case (symbol == "&&" || symbol == "||") && kinds[j] != "bool":
			p.Text = fmt.Sprintf("%s goes between bools, and %s is %s", symbol, other, article(kinds[j]))
			p.Hint = "compare it, such as x != 0 or x != ''"
			return p
		}
	}
	if symbol == "%" && kinds[0] == "double" {
		p.Hint = "% is for ints"
	}
	return p
}

// timeHint says how to write a time for a text in quotes.
func timeHint(text string) string {
	if at := zoned(text); at != "" {
		return "write timestamp('" + at + "')"
	}
	return "a time is written timestamp('2026-01-01T00:00:00Z')"
}

// instant says how to write the text of a time.
func instant(text string) string {
	if at := zoned(text); at != "" {
		return "write RFC 3339 with a zone: '" + at + "'"
	}
	return "write RFC 3339 with a zone, such as '2024-05-01T12:00:00Z'"
}

// zoned is the time in RFC 3339 that a text in quotes seems to mean, in UTC where it has no zone; "" when it means none.
func zoned(text string) string {
	text = strings.ToUpper(strings.Trim(text, `'"`))
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02 15:04:05Z07:00",
		"2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z0700", "2006/01/02", "2006-01", "2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.RFC3339Nano)
		}
	}
	return ""
}
