package load

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
)

// notText reports a file that is not UTF-8 text, of which nothing is shown.
func (l *loader) notText(name string, data []byte) bool {
	pos := diag.Pos{File: l.places.show(name)}
	bad := 0
	for bad < len(data) {
		r, n := utf8.DecodeRune(data[bad:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		bad += n
	}
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		l.add(diag.NoFiles, pos, "", "the file is UTF-16, not UTF-8", "save it as UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		l.add(diag.NoFiles, pos, "", "the file is not UTF-8 text: it has NUL characters", "a spec is a text file in CUE")
	case bad < len(data):
		l.add(diag.Syntax, l.places.offset(name, data, bad), "", fmt.Sprintf("the byte %#x is not UTF-8", data[bad]), "the file may be Latin-1 or Windows-1252: save it as UTF-8")
	default:
		return false
	}
	return true
}

// piece is a token of CUE.
type piece struct {
	tok token.Token
	lit string
	at  int // byte offset
}

func (p piece) text() string {
	if p.lit != "" && p.lit != "\n" {
		return cut(strings.Join(strings.Fields(p.lit), " "))
	}
	return p.tok.String()
}

// value says whether a value can end with the token.
func (p piece) value() bool {
	switch p.tok {
	case token.IDENT, token.STRING, token.INT, token.FLOAT, token.TRUE, token.FALSE, token.NULL, token.BOTTOM, token.RBRACE, token.RBRACK, token.RPAREN:
		return true
	}
	return false
}

// pieces cuts a file into tokens, as far as it has any.
func pieces(name string, data []byte) []piece {
	var all []piece
	var s scanner.Scanner
	s.Init(token.NewFile(name, -1, len(data)), data, func(token.Pos, string, []interface{}) {}, scanner.DontInsertCommas)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		all = append(all, piece{tok, lit, pos.Offset()})
	}
}

// syntaxError reports that a file is not CUE: the first mistake only, since what a parser finds behind it is mostly its consequence, at the place where it was made
// rather than where the parser noticed.
func (l *loader) syntaxError(name string, data []byte, err error) {
	list := errors.Errors(err)
	first := list[0]
	for _, e := range list {
		if e.Position().IsValid() && e.Position().Offset() < first.Position().Offset() {
			first = e
		}
	}
	m := mistake{data: data, at: min(max(first.Position().Offset(), 0), len(data)), message: message(first), all: pieces(name, data)}
	for m.next < len(m.all) && m.all[m.next].at < m.at {
		m.next++
	}
	text, hint := m.explain()
	l.add(diag.Syntax, l.places.offset(name, data, m.at), "", text, hint)
}

// mistake is where a parser stopped.
type mistake struct {
	data    []byte
	at      int     // byte offset; explain may move it
	message string  // of the parser
	all     []piece // of the file
	next    int     // index of the first piece at or behind at
}

// piece gives the piece that is n behind the place, or before it; the zero piece where there is none.
func (m *mistake) piece(n int) piece {
	if i := m.next + n; i >= 0 && i < len(m.all) {
		return m.all[i]
	}
	return piece{}
}

var (
	letter     = regexp.MustCompile(`^[\pL\pN_]`)
	oddName    = regexp.MustCompile(`^[\w.-]+[ \t]*[!?]?[ \t]*:`)
	foundToken = regexp.MustCompile(`found '(?:IDENT|STRING|INT|FLOAT)' (.*)$`)
)

// explain says what is wrong and what would be right.
func (m *mistake) explain() (text, hint string) {
	if at, found := m.comment(); found != "" {
		m.at = at
		return found + " begins no comment", "a comment begins with // and ends with its line"
	}
	if text, hint := m.quotes(); text != "" {
		return text, hint
	}
	here, last := m.piece(0), m.piece(-1)
	if at := m.equals(); at >= 0 {
		name := m.all[at-1].text()
		m.at = m.all[at].at
		return "= gives a field no value", fmt.Sprintf("write `%s: %s`", name, m.all[at+1].text())
	}
	if name := m.oddName(); name != "" {
		return fmt.Sprintf("%s is no plain name", name), fmt.Sprintf("a name with other characters than letters, digits and _ stands in quotes: write `%q:`", name)
	}
	field := (here.tok == token.IDENT || here.tok == token.STRING) && colon(m.piece(1), m.piece(2))
	switch {
	case here.tok == token.SEMICOLON || m.at < len(m.data) && m.data[m.at] == ';':
		return "; separates nothing", "a field ends with its line; on one line fields are separated by commas"
	case last.tok == token.RBRACK && m.piece(-2).tok == token.LBRACK && here.tok == token.IDENT:
		m.at = m.piece(-2).at
		return "[]" + here.text() + " is no type of CUE", fmt.Sprintf("a list is written [...%s]", here.text())
	case here.tok == token.LBRACK && last.text() == "map", last.tok == token.LBRACK && m.piece(-2).text() == "map", last.tok == token.RBRACK && m.piece(-3).tok == token.LBRACK && m.piece(-4).text() == "map":
		return "map[…] is no type of CUE", "list the fields of the struct, each with its type: {name!: string}"
	case here.tok == token.IDENT && last.value() && (here.text() == "or" || here.text() == "and"):
		return here.text() + " is no operator of CUE", fmt.Sprintf("write %s %s %s", last.text(), map[string]string{"or": "|", "and": "&"}[here.text()], m.piece(1).text())
	case strings.Contains(m.message, "in list literal") && (here.tok == token.COLON || field || last.tok == token.IDENT && colon(here, m.piece(1))), strings.Contains(m.message, "in list literal") && here.tok == token.RBRACE:
		if open := m.open(token.LBRACK); open >= 0 {
			m.at = open
			return "the [ is never closed", "write ] behind the last element"
		}
	case here.tok == token.RBRACE && strings.Contains(m.message, "'EOF'"):
		return "this } closes nothing", "leave it out; or is there a { too few before?"
	case m.next >= len(m.all):
		if open, bracket := m.unclosed(); open >= 0 {
			m.at = open
			return "the " + bracket + " is never closed", "write " + map[string]string{"{": "}", "[": "]", "(": ")"}[bracket] + " behind what belongs to it"
		}
		return "the file ends too early", "a value is missing at its end"
	case strings.Contains(m.message, "unknown escape sequence"):
		return "\\ begins an escape that CUE does not have", "write \\\\ for the backslash itself, or #\"…\"# around the text"
	case bytes.HasPrefix(m.data[min(m.at, len(m.data)):], []byte("..")):
		return ".. is no range", "bounds are written >=0 & <=100"
	case here.tok == token.QUO && last.tok == token.COLON:
		return "/…/ is no regular expression of CUE", "write =~\"^[a-z]+$\""
	case strings.HasPrefix(m.message, "expected ':'") && last.tok == token.NOT && m.piece(-3).tok == token.COLON:
		m.at = last.at
		return "! stands behind a name, not behind a type", fmt.Sprintf("write `%s!: %s`", m.piece(-4).text(), m.piece(-2).text())
	case here.tok == token.IDENT && (last.tok == token.INT || last.tok == token.FLOAT) && last.at+len(last.text()) == here.at:
		m.at = last.at
		return last.text() + here.text() + " is no value of CUE", fmt.Sprintf("a text stands in quotes: %q", last.text()+here.text())
	case last.tok == token.ATTRIBUTE && (here.tok == token.OR || here.tok == token.AND):
		m.at = last.at
		name := m.piece(-2).text()
		for at := -3; m.piece(at).tok == token.PERIOD; at -= 2 {
			name = m.piece(at-1).text() + "." + name
		}
		return fmt.Sprintf("%s stands before the end of the type", last.text()), fmt.Sprintf("an attribute stands last: `%s %s %s %s`", name, here.text(), m.piece(1).text(), last.text())
	case here.tok == token.LBRACE && last.tok == token.IDENT && strings.Contains(m.message, "missing ','"):
		return fmt.Sprintf("between %s and { an & is missing", last.text()), fmt.Sprintf("write `%s & {…}`", last.text())
	case strings.Contains(m.message, "missing ','") && field:
		return fmt.Sprintf("between %s and %s a comma is missing", last.text(), here.text()), "fields on one line are separated by commas"
	case strings.HasPrefix(m.message, "expected label or ':'") && (last.tok == token.IDENT || last.tok == token.STRING || last.tok == token.NOT || last.tok == token.OPTION):
		name := last.text()
		if last.tok == token.NOT || last.tok == token.OPTION {
			name = m.piece(-2).text() + name
		}
		return fmt.Sprintf("between %s and %s a colon is missing", name, here.text()), fmt.Sprintf("write `%s: %s`", name, here.text())
	case strings.HasPrefix(m.message, "expected operand") && last.tok != 0:
		return fmt.Sprintf("between %s and %s a value is missing", last.text(), here.text()), ""
	}
	return foundToken.ReplaceAllString(m.message, "found $1"), ""
}

// colon says whether a label ends in front of these pieces.
func colon(a, b piece) bool {
	return a.tok == token.COLON || (a.tok == token.NOT || a.tok == token.OPTION) && b.tok == token.COLON
}

// line is the line of an offset and where it begins.
func (m *mistake) line(at int) (line string, start int) {
	start = bytes.LastIndexByte(m.data[:at], '\n') + 1
	end := bytes.IndexByte(m.data[start:], '\n')
	if end < 0 {
		end = len(m.data) - start
	}
	return string(m.data[start : start+end]), start
}

// comment finds a comment in the way of another language, on the line or the one before: "#", "--" or "/*".
func (m *mistake) comment() (at int, found string) {
	line, start := m.line(m.at)
	if at, found = commentIn(line); found == "" && start > 0 {
		line, start = m.line(start - 1)
		at, found = commentIn(line)
	}
	return start + at, found
}

func commentIn(line string) (at int, found string) {
	quoted := false
	for i := range len(line) {
		rest := line[i:]
		switch {
		case line[i] == '"' && (i == 0 || line[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case strings.HasPrefix(rest, "//"):
			return 0, ""
		case i > 0 && line[i-1] != ' ' && line[i-1] != '\t':
		case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "-- "), rest == "#", strings.HasPrefix(rest, "# "):
			return i, strings.TrimSpace(rest[:min(2, len(rest))])
		}
	}
	return 0, ""
}

// quotes explains quotes that are typographic, not closed, or inside of a text.
func (m *mistake) quotes() (text, hint string) {
	for i, r := range string(m.data) {
		if strings.ContainsRune("“”„‘’", r) && i == m.at {
			return "typographic quotes do not quote", `write "text"`
		}
	}
	line, start := m.line(m.at)
	if strings.Contains(line, `"""`) {
		return "", ""
	}
	count := strings.Count(strings.ReplaceAll(line, `\"`, ""), `"`)
	last := m.piece(-1)
	if m.next < len(m.all) && m.all[m.next].at > m.at && last.tok == token.STRING && last.at+len(last.lit) > m.at {
		last = m.piece(-2)
	}
	switch touching := last.tok == token.STRING && last.at >= start && last.at+len(last.lit) == m.at && m.at < len(m.data) && letter.Match(m.data[m.at:]); {
	case touching && count%2 == 0:
		return "the text ends at this quote, and more stands behind it", `inside of "…" write 'text', or \" for the quote itself`
	case count%2 == 1:
		first := last
		for _, p := range m.all { // the text that has what looks like more than one text
			if p.at >= start && p.at <= m.at && p.tok == token.STRING && strings.ContainsAny(p.lit, "],:}") {
				first = p
				break
			}
		}
		if first.tok == token.STRING && first.at >= start && touching {
			m.at = first.at
		} else if i := strings.LastIndexByte(line, '"'); !touching && i >= 0 {
			m.at = start + i
		}
		return "a text is opened and not closed", `a text stands between two quotes on one line: "text"`
	}
	return "", ""
}

// equals is the index of a = that stands where a colon should, up to some pieces before the place; -1 when there is none.
func (m *mistake) equals() int {
	for i := min(m.next, len(m.all)-2); i >= max(1, m.next-4); i-- {
		if p := m.all[i]; p.tok == token.BIND && (m.all[i-1].tok == token.IDENT || m.all[i-1].tok == token.STRING) && (i < 2 || m.all[i-2].text() != "let") {
			return i
		}
	}
	return -1
}

// oddName is a name at the place that must stand in quotes, such as my-once or "unit price"; empty when there is none. It moves the place to its beginning.
func (m *mistake) oddName() string {
	line, start := m.line(m.at)
	from := m.at - start
	for from > 0 && (line[from-1] == '-' || line[from-1] == '.' || line[from-1] == '_' || line[from-1] >= '0' && line[from-1] <= '9' || line[from-1]|0x20 >= 'a' && line[from-1]|0x20 <= 'z') {
		from--
	}
	if p := m.piece(-1); from == m.at-start && p.tok == token.IDENT && p.at >= start && m.piece(0).tok == token.IDENT && colon(m.piece(1), m.piece(2)) &&
		(m.piece(-2).tok == token.COMMA || m.piece(-2).tok == token.LBRACE || m.piece(-2).at < start) {
		m.at = p.at
		return p.text() + " " + m.piece(0).text()
	}
	found := oddName.FindString(line[from:])
	name := strings.TrimRight(found, " \t!?:")
	if !strings.ContainsAny(name, ".-") && (name == "" || name[0] < '0' || name[0] > '9') {
		return ""
	}
	m.at = start + from
	return name
}

// open is the offset of the innermost bracket of that kind that is open at the place; -1 when there is none.
func (m *mistake) open(kind token.Token) int {
	var stack []piece
	for _, p := range m.all[:m.next] {
		switch p.tok {
		case token.LBRACE, token.LBRACK, token.LPAREN:
			stack = append(stack, p)
		case token.RBRACE, token.RBRACK, token.RPAREN:
			stack = stack[:max(0, len(stack)-1)]
		}
	}
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].tok == kind {
			return stack[i].at
		}
	}
	return -1
}

// unclosed finds the bracket that is not closed at the end of the file. Which of several it is, the indentation says: a closing bracket at the beginning of a line
// that stands further left than the line of the one it would close does not belong to it.
func (m *mistake) unclosed() (at int, bracket string) {
	var stack []piece
	indent := func(at int) (n int, first bool) {
		line, start := m.line(at)
		n = len(line) - len(strings.TrimLeft(line, " \t"))
		return n, start+n == at
	}
	for _, p := range m.all {
		switch p.tok {
		case token.LBRACE, token.LBRACK, token.LPAREN:
			stack = append(stack, p)
		case token.RBRACE, token.RBRACK, token.RPAREN:
			if len(stack) == 0 {
				return -1, ""
			}
			top := stack[len(stack)-1]
			left, first := indent(p.at)
			if opened, _ := indent(top.at); first && left < opened {
				return top.at, top.tok.String()
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) == 0 {
		return -1, ""
	}
	top := stack[len(stack)-1]
	return top.at, top.tok.String()
}
