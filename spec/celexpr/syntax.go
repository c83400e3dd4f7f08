package celexpr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

// foreign finds the first piece outside of quotes that is right in SQL, Python, C or JavaScript and wrong in CEL.
func (t *translator) foreign(tokens []token) (Problem, bool) {
	for i, k := range tokens {
		say := func(text, hint string) (Problem, bool) { return Problem{k.at, CodeSyntax, text, hint}, true }
		var last, next token
		if i > 0 {
			last = tokens[i-1]
		}
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch k.kind {
		case open:
			return say("a quote is opened and not closed", `write 'text' or "text"`)
		case stray:
			switch {
			case strings.Contains("“”‘’„«»", k.text):
				return say("typographic quotes do not quote", `write 'text' or "text"`)
			case ascii[k.text] != "":
				return say(k.text+" is not an operator of CEL", "write "+ascii[k.text])
			case k.text == "$" || k.text == "@":
				return say(k.text+" is no part of a name", "write the field's name alone: "+next.text)
			case k.text == "#":
				return say("# is no comment in CEL", "leave it out; a comment goes above the line, behind //")
			case strings.TrimSpace(k.text) == "" || k.text == "\ufeff" || k.text == "\u200b":
				return say("a blank here is not the usual one ("+fmt.Sprintf("%U", []rune(k.text)[0])+")", "delete it and type a blank")
			}
		case symbol:
			if hint, ok := symbols[k.text]; ok {
				if k.text == "=~" || k.text == "~" || k.text == "!~" {
					pattern := "'^a.*z$'"
					if next.kind == str {
						pattern = next.text
					}
					hint = "write " + map[bool]string{true: "!"}[k.text == "!~"] + operandBefore(tokens, i) + ".matches(" + pattern + ")"
				}
				return say(k.text+" is not an operator of CEL", hint)
			}
			if k.text == "*" && last.text == "(" && next.text == ")" {
				if i > 1 && strings.EqualFold(tokens[i-2].text, "count") {
					return say("count() takes no *", "write count(): it counts rows")
				}
				return say("* is no operand", "name a field")
			}
			if k.text == "*" && last.text == "*" {
				return say("** is not an operator of CEL", "write x * x")
			}
			if k.text == "(" && last.text == "in" && commaIn(tokens[i:]) {
				return say("in looks for a value in a list, and a list stands in brackets", "write in ["+listText(tokens[i:])+"]")
			}
			if k.text == "{" && next.text == "{" {
				return say("{{ }} is not CEL", "write the field's name alone")
			}
		case word:
			if p, ok := t.foreignWord(tokens, i, last, next); ok {
				p.Offset, p.Code = k.at, CodeSyntax
				return p, true
			}
		}
	}
	return Problem{}, false
}

// ascii are operators of other keyboards.
var ascii = map[string]string{"≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "–": "-", "×": "*", "÷": "/", "∧": "&&", "∨": "||", "¬": "!"}

// symbols are operators of other languages, with what to write.
var symbols = map[string]string{
	"===": "write ==", "!==": "write !=", "<>": "write !=", "=": "compare with ==", "&": `write && for "and"`, "|": `write || for "or"`,
	";": "an expression is one line of thought: leave it out", "=~": "", "!~": "", "~": "", "??": "write x != null ? x : other", "::": "convert with int(), double() or string()",
	"=>": "compare with >=", "=<": "compare with <=", "->": "in a loop the name stands first: list.exists(x, x > 0)", ":=": "compare with ==",
	"++": "write x + 1", "<<": "write math.bitShiftLeft(x, n)", ">>": "write math.bitShiftRight(x, n)", "^": "write math.bitXor(x, y), or x * x for a square",
	"+=": "an expression changes nothing: write the new value", "-=": "an expression changes nothing: write the new value",
}

// behind are words that other languages have between operands.
var behind = map[string]string{"and": "write &&", "or": "write ||", "xor": "write !=", "is": "write ==", "equals": "write ==", "eq": "write ==", "ne": "write !=", "neq": "write !=", "gt": "write >", "lt": "write <",
	"ge": "write >=", "gte": "write >=", "le": "write <=", "lte": "write <=", "mod": "write %", "div": "write /", "as": "a name stands in front of the expression: select: {name: \"…\"}",
	"then": "write condition ? value : other", "else": "write condition ? value : other", "end": "write condition ? value : other", "when": "write condition ? value : other", "where": "leave it out: a filter is the condition alone",
	"from": "leave it out: a stage names what it reads with its own word from", "plus": "write +", "minus": "write -"}

// foreignWord explains a word that SQL, Python or JavaScript have as an operator.
func (t *translator) foreignWord(tokens []token, i int, last, next token) (Problem, bool) {
	k := tokens[i]
	lower := strings.ToLower(k.text)
	operand := operandBefore(tokens, i)
	is := func(j int, what ...string) bool {
		for n, w := range what {
			if j+n >= len(tokens) || !strings.EqualFold(tokens[j+n].text, w) {
				return false
			}
		}
		return true
	}
	say := func(text, hint string) (Problem, bool) { return Problem{Text: text, Hint: hint}, true }
	operator := k.text + " is not an operator of CEL"
	if last.text == "." {
		switch {
		case lower == k.text && (lower == "in" || lower == "true" || lower == "false" || lower == "null"):
			return say(k.text+" is a word of CEL", "behind a dot it stands in back quotes: "+operandBefore(tokens, i-1)+".`"+k.text+"`")
		}
		return Problem{}, false
	}
	if !last.ends() { // an operand is expected
		switch {
		case lower == "not" && next.text != "(":
			return say(operator, "write !")
		case lower == "case" && (is(i+1, "when") || next.operand()), lower == "if" && next.operand() && find(t.row, "if") == nil:
			return say(k.text+" is not CEL", "write condition ? value : other")
		case lower == "select" && next.operand(), lower == "where" && next.operand():
			return say(k.text+" is not CEL", "write the expression alone, such as amount > 0")
		case lower == "distinct" && next.operand():
			return say("distinct is not offered inside of an aggregate function", distinctHint)
		case lower == "new" && next.operand(), lower == "let" && next.operand(), lower == "var" && next.operand(), lower == "def" && next.operand(), lower == "return" && next.operand():
			return say(k.text+" is not CEL", "an expression is one value; what is used twice is computed in a stage before: set: {part: \"…\"}")
		case k.text == "in":
			hint := "write value in [a, b]"
			if find(t.row, "in") != nil {
				hint = "the field of that name is " + eventName + ".`in`"
			} else if next.operator() {
				hint = "a field of that name would be " + eventName + ".`in`"
			}
			return say("in is a word of CEL that stands between a value and a list", hint)
		}
		return Problem{}, false
	}
	not := ""
	word := lower
	if lower == "not" || lower == "is" && is(i+1, "not") {
		not = "!"
		if lower == "not" {
			word = strings.ToLower(next.text)
			if i+2 < len(tokens) {
				next = tokens[i+2]
			}
			operator = k.text + " " + tokens[min(i+1, len(tokens)-1)].text + " is not an operator of CEL"
		}
	}
	switch word {
	case "is":
		switch {
		case is(i+1, "not", "null"):
			return say("IS NOT NULL is not CEL", "write "+operand+" != null")
		case is(i+1, "null"):
			return say("IS NULL is not CEL", "write "+operand+" == null")
		case not != "":
			return say(operator, "write !=")
		}
		return say(operator, "write ==")
	case "like", "ilike":
		return say(operator, "write "+not+likeHint(operand, next))
	case "rlike", "regexp", "matches", "similar":
		if next.kind == str {
			return say(operator, "write "+not+operand+".matches("+next.text+")")
		}
		return say(operator, "write "+not+operand+".matches('pattern')")
	case "contains", "startswith", "endswith":
		name := map[string]string{"contains": "contains", "startswith": "startsWith", "endswith": "endsWith"}[word]
		return say(operator, "write "+not+operand+"."+name+"("+map[bool]string{true: next.text, false: "'text'"}[next.kind == str]+")")
	case "between":
		j := i + 1
		if not != "" {
			j++
		}
		low, high := "low", "high"
		if j+2 < len(tokens) && strings.EqualFold(tokens[j+1].text, "and") {
			low, high = tokens[j].text, tokens[j+2].text
		}
		if not != "" {
			return say(operator, fmt.Sprintf("write %s < %s || %s > %s", operand, low, operand, high))
		}
		return say(operator, fmt.Sprintf("write %s >= %s && %s <= %s", operand, low, operand, high))
	case "in":
		switch {
		case not != "":
			return say(operator, "write !("+operand+" in ["+listText(tokens[min(i+2, len(tokens)):])+"])")
		case k.text != "in":
			return say(operator, "write "+operand+" in ["+listText(tokens[i+1:])+"]: in small letters, with a list in brackets")
		}
	case "xor":
		return say(operator, "write !=")
	default:
		if hint := behind[word]; hint != "" {
			return say(operator, hint)
		}
		if not != "" {
			return say(k.text+" is not an operator of CEL", "write !")
		}
	}
	return Problem{}, false
}

// distinctHint says how distinct values are counted.
const distinctHint = "count distinct values in two stages: a window with the field in its key, and behind it one that takes count() of those rows"

// keyword says that a word of an expression belongs to another language rather than being an operand.
func keyword(w string) bool {
	w = strings.ToLower(w)
	return behind[w] != "" || w == "not" || w == "like" || w == "between" || w == "distinct"
}

// listText is what stands in the brackets that tokens begin with, as far as it is short and plain.
func listText(tokens []token) string {
	var b strings.Builder
	for i, k := range tokens {
		switch {
		case i == 0 && (k.text == "(" || k.text == "["):
		case i > 0 && (k.text == ")" || k.text == "]") && b.Len() > 0 && b.Len() <= 60:
			return b.String()
		case i > 0 && k.text == ",":
			b.WriteString(", ")
		case i > 0 && (k.kind == word || k.kind == number || k.kind == str || k.text == "." || k.text == "-"):
			b.WriteString(k.text)
		default:
			return "…"
		}
	}
	return "…"
}

// likeHint is what a LIKE pattern of SQL is in CEL.
func likeHint(operand string, pattern token) string {
	if pattern.kind != str || strings.ContainsAny(pattern.text, `_\`) || len(pattern.text) < 3 {
		return operand + ".contains('text'), or startsWith(), endsWith(), matches()"
	}
	q := pattern.text[:1]
	inner := pattern.text[1 : len(pattern.text)-1]
	core := strings.Trim(inner, "%")
	switch front, back := strings.HasPrefix(inner, "%"), strings.HasSuffix(inner, "%"); {
	case strings.Contains(core, "%") || core == "":
		return operand + ".matches('^a.*z$')"
	case front && back:
		return operand + ".contains(" + q + core + q + ")"
	case front:
		return operand + ".endsWith(" + q + core + q + ")"
	case back:
		return operand + ".startsWith(" + q + core + q + ")"
	}
	return operand + " == " + pattern.text
}

// commaIn says whether the bracket that tokens begin with has a comma in it.
func commaIn(tokens []token) bool {
	depth := 0
	for _, k := range tokens {
		switch k.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 1 {
				return true
			}
		}
		if depth == 0 {
			return false
		}
	}
	return false
}

// operandBefore is the name or literal that ends in front of token i, else "x".
func operandBefore(tokens []token, i int) string {
	from := i
	for from > 0 {
		k := tokens[from-1]
		if from < i && (k.text == ".") == (tokens[from].text == ".") {
			break
		}
		if k.text != "." && k.kind != word && k.kind != quotedName && k.kind != str && k.kind != number {
			break
		}
		from--
	}
	if from == i || tokens[from].text == "." {
		return "x"
	}
	var b strings.Builder
	for _, k := range tokens[from:i] {
		b.WriteString(k.text)
	}
	return b.String()
}

// token is a piece of an expression.
type token struct {
	kind tokenKind
	at   int // byte offset
	text string
}

type tokenKind uint8

const (
	word tokenKind = iota + 1
	number
	str        // a literal in quotes, with its prefix
	quotedName // `name`
	symbol     // an operator or bracket, of CEL or another language
	stray      // a character that none of them has
	open       // a quote that is not closed, with all behind it
)

// short is the token for a message.
func (k token) short() string {
	text := []rune(strings.Join(strings.Fields(k.text), " "))
	if len(text) > 40 {
		return string(text[:39]) + "…"
	}
	return string(text)
}

// operand says whether a token begins an operand.
func (k token) operand() bool {
	return k.kind == word && k.text != "in" || k.kind == number || k.kind == str || k.kind == quotedName || k.text == "(" || k.text == "["
}

// ends says whether an operand can end with the token.
func (k token) ends() bool {
	return k.kind == word && k.text != "in" || k.kind == number || k.kind == str || k.kind == quotedName || k.text == ")" || k.text == "]" || k.text == "}"
}

// operator says whether an operand must stand behind the token.
func (k token) operator() bool {
	return k.text == "in" || k.kind == symbol && !k.ends() && closing[k.text] == ""
}

// longSymbols are the operators of more than one character, longest first.
var longSymbols = []string{"===", "!==", "<=>", "==", "!=", "<=", ">=", "&&", "||", "<>", "=~", "!~", "=>", "=<", "->", ":=", "++", "<<", ">>", "??", "::", "+=", "-="}

// scan cuts an expression into tokens, without white space and comments. It takes any text.
func scan(text string) []token {
	var all []token
	for i := 0; i < len(text); {
		rest := text[i:]
		n, kind := 1, symbol
		switch c := text[i]; {
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			i++
			continue
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			i += n
			continue
		case c == '\'' || c == '"':
			if n, kind = quoted(rest), str; n < 0 {
				n, kind = len(rest), open
			}
		case c == '`':
			kind = quotedName
			if n = strings.IndexByte(rest[1:], '`') + 2; n < 2 {
				n, kind = len(rest), open
			}
		case letter(c):
			kind = word
			for n < len(rest) && (letter(rest[n]) || digit(rest[n])) {
				n++
			}
			if n < len(rest) && (rest[n] == '\'' || rest[n] == '"') && n <= 2 && strings.Trim(rest[:n], "rRbB") == "" {
				kind = str
				if strings.ContainsAny(rest[:n], "rR") {
					rest = strings.ReplaceAll(rest, `\`, "/") // a backslash is one in it
				}
				if m := quoted(rest[n:]); m < 0 {
					n, kind = len(rest), open
				} else {
					n += m
				}
			}
		case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]) && (len(all) == 0 || !all[len(all)-1].ends()):
			kind = number
			for n < len(rest) && (letter(rest[n]) && rest[n] != '_' || digit(rest[n]) || rest[n] == '.' && n+1 < len(rest) && digit(rest[n+1]) ||
				(rest[n] == '-' || rest[n] == '+') && (rest[n-1] == 'e' || rest[n-1] == 'E') && !strings.HasPrefix(rest, "0x")) {
				n++
			}
		case c >= utf8.RuneSelf || strings.IndexByte("$@#\\", c) >= 0 || c < ' ' || c == 0x7f:
			_, n = utf8.DecodeRuneInString(rest)
			kind = stray
		default:
			for _, s := range longSymbols {
				if strings.HasPrefix(rest, s) {
					n = len(s)
					break
				}
			}
		}
		all = append(all, token{kind, i, text[i : i+n]})
		i += n
	}
	return all
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// quoted is the length of the string literal at the beginning of s, -1 when it does not end.
func quoted(s string) int {
	q := s[:1]
	if strings.HasPrefix(s, strings.Repeat(q, 3)) {
		q = s[:3]
	}
	for i := len(q); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case len(q) == 1 && s[i] == '\n':
			return -1
		case strings.HasPrefix(s[i:], q):
			return i + len(q)
		}
	}
	return -1
}
