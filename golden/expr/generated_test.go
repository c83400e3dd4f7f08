package expr

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/golden/expr/cases"
	"github.com/streamwright/streamwright/spec"
)

var update = flag.Bool("update", false, "rewrite expr_gen.go")

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// evaluator writes expressions over cases.Row as functions over Row.
func evaluator(texts []string, exprs []*spec.Expr) *emit.Evaluator {
	return &emit.Evaluator{
		Package: "expr",
		Field: func(row string, path []*spec.Field) (value, has string) {
			for i, f := range path {
				if i == len(path)-1 && f.Type.Nullable {
					has = row + ".Has" + upper(f.Name)
				}
				row += "." + upper(f.Name)
			}
			if k := path[len(path)-1].Type.Kind; k == spec.String || k == spec.Bytes {
				row = "in.Text(" + row + ")"
			}
			return row, has
		},
		Struct: func(*spec.Struct) string { return "Item" },
		Texts:  texts,
		Exprs:  exprs,
	}
}

// TestGenerated holds the Go code of all cases against expr_gen.go, which the other tests run.
func TestGenerated(t *testing.T) {
	exprs := make([]*spec.Expr, len(cases.Exprs))
	for i, text := range cases.Exprs {
		exprs[i] = compile(t, text)
	}
	got, err := evaluator(cases.Exprs, exprs).Source()
	if err != nil {
		t.Fatal(err)
	}
	const golden = "expr_gen.go"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("the code of expressions has changed; look at it and run with -update")
	}
}
