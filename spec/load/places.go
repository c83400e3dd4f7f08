package load

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
)

// places turns CUE's positions into the user's.
type places struct {
	cwd     string
	sources map[string][]byte // by absolute name
	shown   map[string]string // absolute name by the name in positions
	schema  string            // folder of the schema in the overlay: its files are not the user's
}

func newPlaces() *places {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "/" // absolute names are shown then
	}
	return &places{cwd: cwd, sources: map[string][]byte{}, shown: map[string]string{}}
}

func (p *places) add(name string, data []byte) {
	p.sources[name] = data
	p.shown[p.show(name)] = name
}

// named gives the content of a file by the name in positions.
func (p *places) named(file string) []byte { return p.sources[p.shown[file]] }

// show is the name of a file in positions: relative to the working directory where that is shorter.
func (p *places) show(name string) string {
	if rel, err := filepath.Rel(p.cwd, name); err == nil && len(rel) < len(name) {
		return filepath.ToSlash(rel)
	}
	return name
}

// pos is the place of a position in one of the user's files; the zero Pos for any other.
func (p *places) pos(at token.Pos) diag.Pos {
	if !at.IsValid() {
		return diag.Pos{}
	}
	data, ok := p.file(at.Filename())
	if !ok {
		return diag.Pos{}
	}
	return p.offset(at.Filename(), data, at.Offset())
}

// file gives the content of a file: of the spec, or of a package that it imports.
func (p *places) file(name string) ([]byte, bool) {
	if data, ok := p.sources[name]; ok {
		return data, data != nil
	}
	if !filepath.IsAbs(name) || p.schema != "" && filepath.Dir(name) == p.schema {
		return nil, false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		data = nil // not asked again
	}
	p.add(name, withoutMark(data))
	return withoutMark(data), err == nil
}

// offset is the place of byte offset at of a file.
func (p *places) offset(name string, data []byte, at int) diag.Pos {
	at = min(max(at, 0), len(data))
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	return diag.Pos{File: p.show(name), Line: bytes.Count(data[:start], []byte{'\n'}) + 1, Col: utf8.RuneCount(data[start:at]) + 1}
}

// withoutMark is a file without its byte-order mark, as CUE's loader takes it, and so as it counts offsets.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// text is the source of a node, its white space made single blanks.
func (p *places) text(n ast.Node) string {
	if n == nil {
		return ""
	}
	from, to := n.Pos(), n.End()
	data, ok := p.file(from.Filename())
	if !ok || from.Offset() > to.Offset() || to.Offset() > len(data) {
		return ""
	}
	return strings.Join(strings.Fields(string(data[from.Offset():to.Offset()])), " ")
}

// inside gives the place of each byte of a decoded text, by its offset. lit is the literal that the text was decoded from, or nil; where the
// correspondence is not certain, all is at fallback.
func (p *places) inside(lit *ast.BasicLit, text string, fallback diag.Pos) func(offset int) diag.Pos {
	if lit != nil && lit.Pos().IsValid() {
		name, start := lit.Pos().Filename(), lit.Pos().Offset()
		data, _ := p.file(name)
		if offsets, ok := decode(original(data[min(start, len(data)):], lit.Value), text); ok {
			return func(offset int) diag.Pos {
				return p.offset(name, data, start+offsets[min(max(offset, 0), len(offsets)-1)])
			}
		}
	}
	return func(int) diag.Pos { return fallback }
}

// original is a literal as it stands at the beginning of data: CUE's scanner drops the carriage returns of line ends. It is empty when it is not there.
func original(data []byte, lit string) string {
	n := 0
	for i := 0; i < len(lit); i++ {
		if n < len(data) && data[n] == '\r' && lit[i] == '\n' {
			n++
		}
		if n >= len(data) || data[n] != lit[i] {
			return ""
		}
		n++
	}
	return string(data[:n])
}

// decode gives, for each byte of the text that a CUE string literal stands for and for its end, where in the literal it comes from. It knows "…", #"…"# and
// """ blocks with their indentation and escapes. ok is false when what it decodes is not want: then the literal has a form that it does not know.
func decode(lit, want string) (offsets []int, ok bool) {
	hashes := len(lit) - len(strings.TrimLeft(lit, "#"))
	fence := strings.Repeat("#", hashes)
	body := lit[hashes:]
	var indent string
	pos := 0
	switch {
	case strings.HasPrefix(body, `"""`):
		nl := strings.IndexByte(lit, '\n')
		closing := strings.LastIndexByte(lit, '\n')
		if nl < 0 || closing < nl {
			return nil, false
		}
		indent = strings.TrimSuffix(lit[closing+1:], `"""`+fence)
		pos = nl + 1
		end := closing
		if end > 0 && lit[end-1] == '\r' {
			end--
		}
		if closing == nl {
			return []int{pos}, want == ""
		}
		lit = lit[:end]
	case strings.HasPrefix(body, `"`):
		pos = hashes + 1
		lit = lit[:max(pos, len(lit)-hashes-1)]
	default:
		return nil, false
	}
	multi := indent != "" || strings.HasPrefix(body, `"""`)
	var out []byte
	put := func(s string, at int) {
		for range len(s) {
			offsets = append(offsets, at)
		}
		out = append(out, s...)
	}
	for newLine := multi; pos < len(lit); {
		if newLine {
			newLine = false
			if strings.HasPrefix(lit[pos:], indent) {
				pos += len(indent)
				continue
			}
		}
		switch c := lit[pos]; {
		case c == '\r' && strings.HasPrefix(lit[pos:], "\r\n"):
			pos++
		case c == '\n':
			put("\n", pos)
			pos++
			newLine = true
		case c == '\\' && strings.HasPrefix(lit[pos+1:], fence) && pos+1+hashes < len(lit):
			at := pos
			s, n := escape(lit[pos+1+hashes:])
			if n == 0 {
				return nil, false
			}
			put(s, at)
			pos += 1 + hashes + n
		default:
			out = append(out, c)
			offsets = append(offsets, pos)
			pos++
		}
	}
	return append(offsets, pos), string(out) == want
}

// escape decodes what stands behind a backslash and says how many bytes that is; 0 for an escape that texts do not have.
func escape(s string) (text string, n int) {
	const names, values = "abfnrtv\\/\"'", "\a\b\f\n\r\t\v\\/\"'"
	if i := strings.IndexByte(names, s[0]); i >= 0 {
		return values[i : i+1], 1
	}
	digits := map[byte]int{'u': 4, 'U': 8}[s[0]]
	if digits == 0 || len(s) < 1+digits {
		return "", 0
	}
	var r rune
	for _, c := range s[1 : 1+digits] {
		d := strings.IndexRune("0123456789abcdef", c|0x20)
		if d < 0 {
			return "", 0
		}
		r = r<<4 | rune(d)
	}
	return string(r), 1 + digits
}
