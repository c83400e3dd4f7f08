package gen

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// Functions holds the functions that the spec applies against the generated types, in memory, in the package of dir: each takes the view of the rows that enter its
// stage, and the user's files compile. The diagnostics are for the user; an error is what keeps the package from being checked at all.
func Functions(dir string, pkg *spec.Package, files []File) ([]diag.Diagnostic, error) {
	var stages []*plan.Stage
	for _, l := range plan.Generate(pkg).Pipelines {
		for _, s := range l.Stages {
			if s.Apply != nil {
				stages = append(stages, s)
			}
		}
	}
	if len(stages) == 0 {
		return nil, nil
	}
	c, err := check(dir, files)
	if err != nil {
		return nil, err
	}
	var found []diag.Diagnostic
	for _, s := range stages {
		a := s.Spec.Apply
		say := func(text, hint string) {
			found = append(found, diag.Diagnostic{Code: diag.ApplyFunc, Pos: a.Pos, Path: a.Path, Text: text, Hint: hint})
		}
		name := func(p *types.Package) string {
			if p == c.pkg {
				return ""
			}
			return p.Name()
		}
		f := c.pkg.Scope().Lookup(a.Func)
		if f == nil {
			say(fmt.Sprintf("there is no function %s in the Go files that this system compiles", a.Func), "look at the build constraints of its file")
			continue
		}
		want := fmt.Sprintf("func(%s) ([]%s, error)", s.In.Struct.View, a.Result)
		got := types.TypeString(f.Type(), name)
		if sig, ok := f.Type().(*types.Signature); ok { // without the names of its parameters
			params, results := make([]string, sig.Params().Len()), make([]string, sig.Results().Len())
			for i := range params {
				params[i] = types.TypeString(sig.Params().At(i).Type(), name)
			}
			for i := range results {
				results[i] = types.TypeString(sig.Results().At(i).Type(), name)
			}
			got = fmt.Sprintf("func(%s) (%s)", strings.Join(params, ", "), strings.Join(results, ", "))
			if sig.Variadic() {
				got = strings.Replace(got, "[]", "...", 1)
			}
		}
		if got != want && !strings.Contains(got, "invalid type") {
			say(fmt.Sprintf("%s is %s", a.Func, got), fmt.Sprintf("for the rows that enter %s it must be %s", s.Spec.Name, want))
		} else if got != want {
			say(fmt.Sprintf("%s takes a type that does not exist", a.Func), fmt.Sprintf("for the rows that enter %s it must be %s", s.Spec.Name, want))
		}
	}
	if len(found) == 0 && len(c.theirs) > 0 {
		a := stages[0].Spec.Apply
		text := fmt.Sprintf("the Go package of %s does not compile: %s", a.Func, c.theirs[0])
		if n := len(c.theirs) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
		found = append(found, diag.Diagnostic{Code: diag.ApplyFunc, Pos: a.Pos, Path: a.Path, Text: text, Hint: "correct it; nothing was written"})
	}
	return diag.Sort(found), nil
}
