package house

import (
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// hot are the small functions on the way of every record, by the functions of the generated processor that call them: the compiler must inline each. Generic ones
// are written without their type arguments.
var hot = map[string][]string{
	"decode": {"stream.(*Segments).Record", "stream.(*Segments).Accept", "stream.(*Segments).Full", "watermark.(*Input).Observe"},
	"take":   {"codec.(*Learned).Expected", "codec.(*Member).Stands"},
	"once":   {"onceKey.hash", "table.(*Seen).Hint", "window.Add", "stream.(*Batch).Bytes"},
	"spend": {
		"window.Bounds", "spendKey.hash", "table.(*Keys).Hint", "table.(*Keys).Probe", "table.(*Panes).At", "table.(*Keys).Ref",
		"expr.(*Neumaier).Add", "stream.(*Batch).Bytes",
	},
	"emitSpend":  {"table.(*Keys).Unref"},
	"closeSpend": {"stream.(*Segments).After"},
}

// TestHotFunctionsAreInlined reads what the compiler says about the generated processor of workload W1.
func TestHotFunctionsAreInlined(t *testing.T) {
	cmd := exec.Command("go", "build", "-gcflags=-m", "./golden/bench/w1")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	files := map[string]spans{}
	for _, name := range []string{"w1_gen.go", "events_codec_gen.go"} {
		files[name] = functions(t, "golden/bench/w1/"+name)
	}
	inlined := map[string]map[string]bool{}
	arguments := regexp.MustCompile(`\[.*\]`)
	for _, line := range strings.Split(string(out), "\n") {
		place, call, ok := strings.Cut(line, ": inlining call to ")
		at := strings.Split(place, ":")
		ends, known := files[path.Base(at[0])]
		if !ok || !known {
			continue
		}
		name := ends.at(at[1])
		if inlined[name] == nil {
			inlined[name] = map[string]bool{}
		}
		inlined[name][arguments.ReplaceAllString(call, "")] = true
	}
	for name, calls := range hot {
		for _, call := range calls {
			if !inlined[name][call] {
				t.Errorf("%s: the call to %s is not inlined", name, call)
			}
		}
	}
}
