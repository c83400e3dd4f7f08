package cases

import (
	"flag"
	"os"
	"testing"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
)

var update = flag.Bool("update", false, "rewrite ../expr_gen.go")

// TestGenerated holds the Go code of all cases against that of package expr, whose tests run it.
func TestGenerated(t *testing.T) {
	exprs := make([]*spec.Expr, len(Exprs))
	for i, text := range Exprs {
		e, problems := celexpr.Row(text, Row, func(offset int) spec.Place { return spec.Place{Pos: diag.Pos{Line: 1, Col: offset}} })
		if e == nil {
			t.Fatalf("%s: %v", text, problems)
		}
		exprs[i] = e
	}
	got, err := Evaluator(Exprs, exprs).Source()
	if err != nil {
		t.Fatal(err)
	}
	const golden = "../expr_gen.go"
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
		t.Error("the code of expressions has changed; look at it and run go test ./golden/expr/cases -update")
	}
}
