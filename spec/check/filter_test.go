package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/spec"
)

// TestPlaces looks up where faults are said to be: the word and the character of its text, wherever that stands and however it is written.
func TestPlaces(t *testing.T) {
	stages := []string{
		`stage: "a-b": {from: "in", filter: "'é\u20ac' < s && 1 / n > 0"}`,
		"stage: lines: {from: \"a-b\", route: \"x y\": \"\"\"\n\t\tn < 9\n\t\t\t&& 'é' < s && 1 / n > 0\n\t\t\"\"\", otherwise: \"rest\"}",
		`stage: each: {from: "lines.rest", set: {share: "1 / n", rest: #"n % n"#}}`,
		`stage: sums: {from: "each", window: {tumbling: "1m", aggregate: {mean: "sum(1 / n)", "p-q": "1 / sum(n)"}, late: policy: "drop"}}`,
	}
	want := []string{`stage."a-b".filter:15`, `stage.lines.route."x y":2:18`, `stage.each.set.share:3`, `stage.each.set.rest:3`, `stage.sums.window.aggregate.mean:7`, `stage.sums.window.aggregate."p-q":3`}
	for range 2 {
		pkg := accept(t, with("\tn!: int\n\ts!: string", strings.Join(stages, "\n")+`
	sink: out: {from: "lines.x y", stdout: {}}
	sink: sums: {from: "sums", file: path: "sums.ndjson"}`))
		var got []string
		add := func(e *spec.Expr) {
			for _, s := range e.Sites() {
				if s.Faults&(spec.FaultDivision|spec.FaultModulus) != 0 {
					got = append(got, s.Expr.At.Word)
				}
			}
		}
		for _, s := range pkg.Pipelines[0].Order {
			switch {
			case s.Filter != nil:
				add(s.Filter.Cond)
			case s.Route != nil:
				add(s.Route.Branches[0].Cond)
			case s.Select != nil:
				for _, c := range s.Select.Columns {
					add(c.Expr)
				}
			case s.Window != nil:
				for _, c := range s.Window.Calls {
					if c.Arg != nil {
						add(c.Arg)
					}
				}
				for _, a := range s.Window.Aggregates {
					add(a.Expr)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		slices.Reverse(stages)
	}
}
