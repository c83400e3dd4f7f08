package celexpr

import (
	"fmt"
	"strings"
)

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
const distinctHint = "distinct(x) counts the different values; to add them up take two stages: a window with the field in its key, and one behind it"

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

// functionHints say what to write for functions of other languages, by their names in small letters.
var functionHints = map[string]string{
	"mean": "use avg()", "average": "use avg()", "total": "use sum()", "minimum": "use min()", "maximum": "use max()", "countif": "use count_if(condition)", "sumif": "use sum_if(x, condition)", "avgif": "use avg_if(x, condition)",
	"median": "use percentile(x, 50)", "quantile": percentileHint, "percentile_cont": percentileHint, "percentile_disc": percentileHint, "approx_quantiles": approxHint, "approx_quantile": approxHint, "percentile_approx": approxHint,
	"var": "use variance()", "var_samp": "use variance()", "variance_samp": "use variance()", "stdev": "use stddev()", "std": "use stddev()", "stddev_samp": "use stddev()",
	"var_pop": populationHint, "variance_pop": populationHint, "stddev_pop": populationHint,
	"count_distinct": "use distinct(x)", "approx_count_distinct": "use approx_distinct(x)", "hll": "use approx_distinct(x)", "countdistinct": "use distinct(x)", "uniq": "use distinct(x)", "nunique": "use distinct(x)",
	"not": "write !(condition)", "and": "write &&", "or": "write ||", "if": "write condition ? value : other", "iif": "write condition ? value : other", "ifelse": "write condition ? value : other",
	"isnull": "write x == null", "is_null": "write x == null", "isnotnull": "write x != null", "exists": "write x != null, or of a list list.exists(x, x > 0)", "coalesce": "write x != null ? x : other", "ifnull": "write x != null ? x : other", "nvl": "write x != null ? x : other",
	"concat": "join texts with +", "substr": "use text.substring(from, to)", "len": "use size()", "float": "use double()", "strip": "use trim()", "len_trim": "use trim()", "tolower": "use lowerAscii(): text.lowerAscii()", "toupper": "use upperAscii(): text.upperAscii()", "tolowercase": "use lowerAscii(): text.lowerAscii()", "touppercase": "use upperAscii(): text.upperAscii()", "length": "use size()", "cast": "use int(), double() or string()", "to_timestamp": "use timestamp()", "date": "use timestamp()",
	"datetime": "use timestamp()", "includes": "use text.contains('piece'), or value in list", "regexp_match": "use text.matches('pattern')", "pow": "write x * x", "lower": "use lowerAscii(): text.lowerAscii()", "upper": "use upperAscii(): text.upperAscii()",
	"year": "use time.getFullYear()", "month": "use time.getMonth(): 0 for January", "day": "use time.getDate()", "hour": "use time.getHours()", "minute": "use time.getMinutes()", "second": "use time.getSeconds()", "current_timestamp": "use the event time",
}

// aggregateNames are those of them that take all rows of a window.
var aggregateNames = map[string]bool{"mean": true, "average": true, "total": true, "minimum": true, "maximum": true, "countif": true, "sumif": true, "avgif": true, "median": true, "quantile": true, "percentile_cont": true, "percentile_disc": true,
	"var": true, "stdev": true, "std": true, "var_samp": true, "variance_samp": true, "stddev_samp": true, "var_pop": true, "variance_pop": true, "stddev_pop": true, "uniq": true, "nunique": true, "count_distinct": true, "approx_count_distinct": true, "hll": true, "approx_quantiles": true, "approx_quantile": true, "percentile_approx": true, "countdistinct": true}

const (
	approxHint     = "use approx_percentile(x, p): p is 0 to 100"
	percentileHint = "use percentile(x, p): p is 0 to 100, the result the value of the nearest rank"
	populationHint = "variance() and stddev() are of a sample, divided by n - 1; for a whole population multiply a variance by (n - 1) / n in a set behind the window"
)
