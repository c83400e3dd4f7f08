package conformance

import (
	"testing"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
)

// TestFunctions runs the example of every function of the reference, as it is written and with its constants in variables.
func TestFunctions(t *testing.T) {
	note := variable{&spec.Field{Name: "note", Type: &spec.Type{Kind: spec.String, Nullable: true}}, `""`} // null
	var all []*attempt
	var wants []string
	for _, f := range celexpr.Functions {
		text, want := f.Example, "fault "+f.Fault
		if f.Result != "" {
			text, want = "("+f.Example+") == ("+f.Result+")", "true"
		}
		if f.Group == "" || f.Name == "" || len(f.Usage) == 0 || f.Meaning == "" || (f.Result == "") == (f.Fault == "") {
			t.Errorf("%s: something is missing", f.Name)
		}
		a, reason := translate(f.Name, nil, text, []variable{note})
		if a == nil {
			t.Errorf("%s: %s: %s", f.Name, text, reason)
			continue
		}
		all, wants = append(all, a), append(wants, want)
		lifted, vars := lift(text)
		if a, _ := translate(f.Name, nil, lifted, append(vars, note)); a != nil && len(vars) > 0 {
			all, wants = append(all, a), append(wants, want)
		}
	}
	for i, got := range run(t, all) {
		if got != wants[i] {
			t.Errorf("%s: %s gives %s, want %s", all[i].name, all[i].text, got, wants[i])
		}
	}
	if len(all) < len(celexpr.Functions)*3/2 {
		t.Errorf("%d expressions for %d functions", len(all), len(celexpr.Functions))
	}
}
