package celexpr

import (
	"strings"
	"unicode/utf8"
)

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
