package oracle

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// json is a parsed value.
type json struct {
	kind     byte     // '{', '[', '"', '0' (number), 't', 'f', 'n'; 0 for none
	text     string   // of a string unescaped, of a number as written
	members  []member // of an object, as they stand
	elements []json   // of an array
}

type member struct {
	name string
	of   json
}

// deepest is how deep objects and arrays may be nested, the record's own object included.
const deepest = 512

// parseJSON reads one whole value (RFC 8259) and nothing else: valid UTF-8, no half surrogates, no control characters in strings, nothing behind it.
func parseJSON(text string) (v json, ok bool) {
	if !utf8.ValidString(text) {
		return v, false
	}
	defer func() {
		if e := recover(); e != nil {
			if _, mine := e.(invalid); !mine {
				panic(e)
			}
			ok = false
		}
	}()
	p := &parser{text}
	v = p.value(0)
	p.space()
	return v, p.rest == ""
}

// invalid is what a parser panics with.
type invalid struct{}

type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *parser) take(token string) bool {
	rest, ok := strings.CutPrefix(p.rest, token)
	p.rest = rest
	return ok
}

func (p *parser) want(ok bool) {
	if !ok {
		panic(invalid{})
	}
}

// value reads a value and the space before it, inside depth objects and arrays.
func (p *parser) value(depth int) json {
	p.space()
	switch {
	case p.take("null"):
		return json{kind: 'n'}
	case p.take("true"):
		return json{kind: 't'}
	case p.take("false"):
		return json{kind: 'f'}
	case p.take(`"`):
		return json{kind: '"', text: p.string()}
	case p.take("{"):
		v := json{kind: '{'}
		p.list("}", depth, func() {
			p.space()
			p.want(p.take(`"`))
			name := p.string()
			p.space()
			p.want(p.take(":"))
			v.members = append(v.members, member{name, p.value(depth + 1)})
		})
		return v
	case p.take("["):
		v := json{kind: '['}
		p.list("]", depth, func() { v.elements = append(v.elements, p.value(depth+1)) })
		return v
	}
	text := p.rest
	p.number()
	return json{kind: '0', text: text[:len(text)-len(p.rest)]}
}

// list reads items with commas between them, up to the closing bracket.
func (p *parser) list(closing string, depth int, item func()) {
	p.want(depth < deepest)
	if p.space(); p.take(closing) {
		return
	}
	for {
		item()
		if p.space(); p.take(closing) {
			return
		}
		p.want(p.take(","))
	}
}

// number reads -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
func (p *parser) number() {
	p.take("-")
	if !p.take("0") {
		p.digits()
	}
	if p.take(".") {
		p.digits()
	}
	if p.take("e") || p.take("E") {
		if !p.take("+") {
			p.take("-")
		}
		p.digits()
	}
}

func (p *parser) digits() {
	rest := strings.TrimLeft(p.rest, "0123456789")
	p.want(len(rest) < len(p.rest))
	p.rest = rest
}

// string reads a string behind its opening quote.
func (p *parser) string() string {
	var s strings.Builder
	for {
		p.want(p.rest != "")
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			return s.String()
		case c == '\\':
			s.WriteRune(p.escape())
		default:
			p.want(c >= ' ')
			s.WriteByte(c)
		}
	}
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what stands behind a backslash. The halves of a surrogate pair come together or not at all.
func (p *parser) escape() rune {
	if !p.take("u") {
		p.want(p.rest != "" && escapes[p.rest[0]] != 0)
		c := p.rest[0]
		p.rest = p.rest[1:]
		return escapes[c]
	}
	high := p.hex()
	if high < 0xD800 || high > 0xDFFF {
		return high
	}
	p.want(high < 0xDC00 && p.take(`\u`))
	low := p.hex()
	p.want(low >= 0xDC00 && low <= 0xDFFF)
	return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00)
}

func (p *parser) hex() rune {
	p.want(len(p.rest) >= 4 && strings.Trim(p.rest[:4], "0123456789abcdefABCDEF") == "")
	n, _ := strconv.ParseUint(p.rest[:4], 16, 16)
	p.rest = p.rest[4:]
	return rune(n)
}
