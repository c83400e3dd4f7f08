package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/parser"

	"github.com/streamwright/streamwright/spec/diag"
)

// TestInside places the character '!' of texts, by its offset in the decoded text, where it stands in the file.
func TestInside(t *testing.T) {
	for _, c := range []struct{ name, file string }{
		{"plain", `a: "x > 1!"`},
		{"escapes", `a: "\"x\" \\ \u00e9\U0001F600\t!"`},
		{"characters", `a: "名前 é!"`},
		{"first", `a: "!"`},
		{"raw", `a: #"say "x" \n!"#`},
		{"raw with escapes", `a: ##"\##n\##u0041 \#n "# !"##`},
		{"block", "a: \"\"\"\n\t\tx == 1 &&\n\t\t\ty > 0!\n\t\t\"\"\""},
		{"block without indentation", "a: \"\"\"\nx\n!\n\"\"\""},
		{"block with blank lines", "a: \"\"\"\n    x\n\n    \n    y!\n    \"\"\""},
		{"block with escapes", "a: \"\"\"\n  \\\"\\\"\\\" \\t!\n  \"\"\""},
		{"raw block", "a: #\"\"\"\n  \\n \"\"\" \\#u0041!\n  \"\"\"#"},
		{"line ends of two bytes", "a: \"\"\"\r\n\tx\r\n\ty!\r\n\t\"\"\"\r\n"},
	} {
		f, err := parser.ParseFile("/x/a.cue", c.file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		lit := f.Decls[0].(*ast.Field).Value.(*ast.BasicLit)
		text, err := literal.Unquote(lit.Value)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p := newPlaces()
		p.add("/x/a.cue", []byte(c.file))
		fallback := diag.Pos{File: "fallback"}
		at := p.inside(lit, text, fallback)
		want := p.offset("/x/a.cue", []byte(c.file), strings.IndexByte(c.file, '!'))
		if got := at(strings.IndexByte(text, '!')); got != want {
			t.Errorf("%s: %q: got %v, want %v", c.name, text, got, want)
		}
		if got := at(len(text) + 5); got == fallback || got.Line < want.Line {
			t.Errorf("%s: behind the end: %v", c.name, got)
		}
	}
}

// TestInsideUncertain has no certain places: then all is at the value itself.
func TestInsideUncertain(t *testing.T) {
	p := newPlaces()
	p.add("/x/a.cue", []byte(`a: "other"`))
	fallback := diag.Pos{File: "a.cue", Line: 1, Col: 1}
	for _, lit := range []*ast.BasicLit{nil, ast.NewString("x"), {Value: `'bytes'`}, {Value: `"\x41"`}} {
		if got := p.inside(lit, "A", fallback)(0); got != fallback {
			t.Errorf("%v: %v", lit, got)
		}
	}
}

// TestDecode decodes what CUE's own quoting writes, and never claims to know a literal that it reads otherwise than CUE.
func TestDecode(t *testing.T) {
	letters := []rune("ab \t\n\\\"'#é名😀\u0000\u2028(")
	forms := []literal.Form{literal.String, literal.String.WithTabIndent(2), literal.String.WithOptionalTabIndent(1), literal.String.WithASCIIOnly(), literal.String.WithGraphicOnly()}
	known := 0
	for range 5000 {
		var b strings.Builder
		for range rand.IntN(12) {
			b.WriteRune(letters[rand.IntN(len(letters))])
		}
		lit := forms[rand.IntN(len(forms))].Quote(b.String())
		text, err := literal.Unquote(lit)
		if err != nil {
			t.Fatal(lit, err)
		}
		offsets, ok := decode(lit, text)
		if !ok {
			continue
		}
		known++
		if len(offsets) != len(text)+1 {
			t.Fatalf("%s: %d places for %d bytes", lit, len(offsets), len(text))
		}
		for i := 1; i < len(offsets); i++ {
			if offsets[i] < offsets[i-1] || offsets[i] > len(lit) {
				t.Fatalf("%s: places %v", lit, offsets)
			}
		}
	}
	if known < 4900 {
		t.Errorf("only %d of 5000 literals are known", known)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`"a"`, `#"a"#`, "\"\"\"\n\ta\n\t\"\"\"", `"\u00`, `"`, `##`, "\"\"\"\n\"\"\"", `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, lit string) {
		want, err := literal.Unquote(lit)
		offsets, ok := decode(lit, want)
		if ok && err == nil && len(offsets) != len(want)+1 {
			t.Error(fmt.Sprint(offsets))
		}
	})
}
