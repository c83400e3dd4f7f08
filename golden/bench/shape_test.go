package bench_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"testing"
)

// function is the text of a function as tokens, without comments.
type function []lexeme

type lexeme struct {
	tok  token.Token
	text string
}

// functions are the methods of W1 and of its batch in a Go file, by name.
func functions(t *testing.T, name string) map[string]function {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]function{}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		of, ok := f.Recv.List[0].Type.(*ast.StarExpr)
		if !ok || of.X.(*ast.Ident).Name != "W1" && of.X.(*ast.Ident).Name != "eventsBatch" {
			continue
		}
		from, to := set.Position(f.Pos()).Offset, set.Position(f.End()).Offset
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile("", -1, to-from), src[from:to], nil, 0)
		var body function
		for {
			_, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok != token.SEMICOLON {
				body = append(body, lexeme{tok, text})
			}
		}
		all[f.Name.Name] = body
	}
	return all
}

// TestShape: the generator reproduces the target. Each stage, close, sink and step of the story is the same text in both, up to names, which are changed consistently, and
// comments.
func TestShape(t *testing.T) {
	want, got := functions(t, "target/w1.go"), functions(t, "w1/w1_gen.go")
	for _, name := range []string{
		"Process", "End", "advance", "next", "decode", "Decode", "segment", "recycle", "wanted", "once", "spend", "emitSpend", "closeSpend", "spendTotal", "spendMean", "types", "emitTypes", "closeTypes",
		"totals", "byType", "lateEvents", "refuse",
	} {
		a, b := want[name], got[name]
		if len(a) == 0 || len(b) == 0 {
			t.Errorf("%s is not in both", name)
			continue
		}
		there, back := map[string]string{}, map[string]string{}
		for i := range min(len(a), len(b)) {
			x, y := a[i], b[i]
			same := x.tok == y.tok
			if same && x.tok == token.IDENT {
				old, known := there[x.text]
				other, taken := back[y.text]
				same = !known && !taken || old == y.text && other == x.text
				there[x.text], back[y.text] = y.text, x.text
			} else if same {
				same = x.text == y.text
			}
			if !same {
				t.Errorf("%s: token %d is %q in the target and %q in the generated code, behind %q", name, i, x.text, y.text, texts(b[max(0, i-8):i]))
				break
			}
		}
		if len(a) != len(b) && !t.Failed() {
			t.Errorf("%s: %d tokens in the target, %d in the generated code", name, len(a), len(b))
		}
	}
}

func texts(f function) (all []string) {
	for _, l := range f {
		all = append(all, l.text)
	}
	return all
}
