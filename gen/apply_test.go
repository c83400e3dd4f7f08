package gen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// TestFunctions: what the compiler says of a function of the user becomes a diagnostic at the place in the spec.
func TestFunctions(t *testing.T) {
	pkg := orders()
	p := pkg.Pipelines[0]
	out := &spec.Struct{Name: "all.rich", Fields: []*spec.Field{{Name: "id", Type: &spec.Type{Kind: spec.String}}}}
	place := diag.Pos{File: "orders.cue", Line: 3, Col: 7}
	rich := &spec.Stage{Name: "rich", From: []spec.Ref{{Node: "orders"}}, In: p.Sources[0].Event, InFrom: "orders", Out: out,
		Apply: &spec.Apply{Func: "Enrich", Pos: place, Path: "pipeline.all.stage.rich.apply.func", Result: "Rich", Fields: []string{"ID"}}}
	p.Stages, p.Order = []*spec.Stage{rich}, []*spec.Stage{rich}
	p.Sinks[0].From, p.Sinks[0].In, p.Sinks[0].InFrom = []spec.Ref{{Node: "rich"}}, out, "rich"
	files, err := gen.Generate(pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	const row = "type Rich struct{ ID string }\n"
	for _, test := range []struct{ name, text, want string }{
		{"right", row + "func Enrich(o OrderView) ([]Rich, error) { return []Rich{{o.ID}}, nil }", ""},
		{"the event", row + "func Enrich(o Order) ([]Rich, error) { return nil, nil }", "Enrich is func(Order) ([]Rich, error) (for the rows that enter rich it must be func(OrderView) ([]Rich, error))"},
		{"a pointer", row + "func Enrich(o *OrderView) ([]Rich, error) { return nil, nil }", "Enrich is func(*OrderView) ([]Rich, error)"},
		{"a misspelt type", row + "func Enrich(o OrdersView) ([]Rich, error) { return nil, nil }", "Enrich takes a type that does not exist (for the rows that enter rich it must be func(OrderView)"},
		{"does not compile", row + "func Enrich(o OrderView) ([]Rich, error) { return []Rich{{o.Id}}, nil }", "the Go package of Enrich does not compile: "},
		{"for another system", "//go:build plan9\n\n" + row, "there is no function Enrich in the Go files that this system compiles"},
	} {
		dir := folder(t)
		head, body, constrained := strings.Cut(test.text, "\n\n")
		text := "package orders\n\n" + test.text
		if constrained {
			text = head + "\n\npackage orders\n\n" + body
		}
		if err := os.WriteFile(filepath.Join(dir, "rich.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		found, err := gen.Functions(dir, pkg, files)
		if err != nil && test.name != "for another system" {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := ""
		for _, d := range found {
			if d.Pos != place || d.Code != diag.ApplyFunc {
				t.Errorf("%s: %+v", test.name, d)
			}
			got += d.Text + " (" + d.Hint + ")"
		}
		if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
