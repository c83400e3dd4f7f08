package reference

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is a parsed JSON value.
type value struct {
	kind    byte     // '{', '[', '"', '0' (number), 't', 'f', 'n'
	text    string   // of strings: unescaped; of numbers: as written
	members []member // of objects, as they stand
}

type member struct {
	name  string
	value value
}

var errJSON = errors.New("not valid JSON")

// maxDepth is how deep objects and arrays may be nested, the record's own object included.
const maxDepth = 512

// parse reads one whole JSON value (RFC 8259) and nothing else: valid UTF-8, no lone surrogates, no control characters in strings, nothing behind the value.
func parse(text string) (value, error) {
	if !utf8.ValidString(text) {
		return value{}, errJSON
	}
	p := &parser{text: text}
	v, err := p.value(0)
	p.space()
	if err == nil && p.text != "" {
		err = errJSON
	}
	return v, err
}

// parser holds what was not read yet.
type parser struct{ text string }

func (p *parser) space() { p.text = strings.TrimLeft(p.text, " \t\r\n") }

func (p *parser) take(token string) bool {
	rest, ok := strings.CutPrefix(p.text, token)
	p.text = rest
	return ok
}

// value reads a value and the space before it. depth is how many objects and arrays are open.
func (p *parser) value(depth int) (value, error) {
	p.space()
	switch {
	case p.take("null"):
		return value{kind: 'n'}, nil
	case p.take("true"):
		return value{kind: 't'}, nil
	case p.take("false"):
		return value{kind: 'f'}, nil
	case p.take(`"`):
		s, err := p.string()
		return value{kind: '"', text: s}, err
	case p.take("{"):
		return p.object(depth + 1)
	case p.take("["):
		return p.array(depth + 1)
	}
	return p.number()
}

func (p *parser) object(depth int) (value, error) {
	v := value{kind: '{'}
	if depth > maxDepth {
		return v, errJSON
	}
	if p.space(); p.take("}") {
		return v, nil
	}
	for {
		if p.space(); !p.take(`"`) {
			return v, errJSON
		}
		name, err := p.string()
		if err != nil {
			return v, err
		}
		if p.space(); !p.take(":") {
			return v, errJSON
		}
		of, err := p.value(depth)
		if err != nil {
			return v, err
		}
		v.members = append(v.members, member{name, of})
		if p.space(); p.take("}") {
			return v, nil
		}
		if !p.take(",") {
			return v, errJSON
		}
	}
}

func (p *parser) array(depth int) (value, error) {
	v := value{kind: '['}
	if depth > maxDepth {
		return v, errJSON
	}
	if p.space(); p.take("]") {
		return v, nil
	}
	for {
		if _, err := p.value(depth); err != nil {
			return v, err
		}
		if p.space(); p.take("]") {
			return v, nil
		}
		if !p.take(",") {
			return v, errJSON
		}
	}
}

// number reads -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
func (p *parser) number() (value, error) {
	all := p.text
	p.take("-")
	if !p.take("0") && !p.digits() {
		return value{}, errJSON
	}
	if p.take(".") && !p.digits() {
		return value{}, errJSON
	}
	if p.take("e") || p.take("E") {
		if !p.take("+") {
			p.take("-")
		}
		if !p.digits() {
			return value{}, errJSON
		}
	}
	return value{kind: '0', text: all[:len(all)-len(p.text)]}, nil
}

// digits reads digits, at least one.
func (p *parser) digits() bool {
	rest := strings.TrimLeft(p.text, "0123456789")
	found := len(rest) < len(p.text)
	p.text = rest
	return found
}

// string reads a string behind its opening quote.
func (p *parser) string() (string, error) {
	var s strings.Builder
	for p.text != "" {
		c := p.text[0]
		p.text = p.text[1:]
		switch {
		case c == '"':
			return s.String(), nil
		case c < ' ':
			return "", errJSON
		case c != '\\':
			s.WriteByte(c)
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			s.WriteRune(r)
		}
	}
	return "", errJSON
}

// escape reads what stands behind a backslash. The halves of a surrogate pair come together or not at all.
func (p *parser) escape() (rune, error) {
	if p.take("u") {
		r, err := p.hex()
		if err != nil || r < 0xD800 || r > 0xDFFF {
			return r, err
		}
		if r > 0xDBFF || !p.take(`\u`) {
			return 0, errJSON
		}
		low, err := p.hex()
		if err != nil || low < 0xDC00 || low > 0xDFFF {
			return 0, errJSON
		}
		return 0x10000 + (r-0xD800)<<10 + low - 0xDC00, nil
	}
	for _, e := range []struct {
		name string
		is   rune
	}{{`"`, '"'}, {`\`, '\\'}, {"/", '/'}, {"b", '\b'}, {"f", '\f'}, {"n", '\n'}, {"r", '\r'}, {"t", '\t'}} {
		if p.take(e.name) {
			return e.is, nil
		}
	}
	return 0, errJSON
}

// hex reads four hexadecimal digits.
func (p *parser) hex() (rune, error) {
	if len(p.text) < 4 || strings.Trim(p.text[:4], "0123456789abcdefABCDEF") != "" {
		return 0, errJSON
	}
	n, err := strconv.ParseUint(p.text[:4], 16, 16)
	p.text = p.text[4:]
	return rune(n), err
}
