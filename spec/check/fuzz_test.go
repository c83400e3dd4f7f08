package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// FuzzCheck never panics on a spec, and says of every mistake where it is.
func FuzzCheck(f *testing.F) {
	seeds, err := filepath.Glob("../../golden/bad/*/orders.cue")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, seed := range append(seeds, "../../golden/bench/w1/w1.cue", "testdata/orders/orders.cue") {
		data, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	file := filepath.Join(f.TempDir(), "spec.cue")
	f.Add(strings.Replace(with("\ta: spec.#Decimal & >=0.5 | *1.5 @scale(2)\n\tb!: [...{c!: bytes & !='', d?: [...int] & list.MinItems(1)}] & [_, ...]\n\te?: {x?: strings.MaxRunes(3), ...}", toStdout),
		"import ", "import \"list\"\nimport \"strings\"\nimport ", 1))
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w, found := load.Load([]string{file})
		if len(found) == 0 {
			p, more := Check(w)
			if (p == nil) != (len(more) > 0) {
				t.Fatalf("model %v with %d diagnostics", p != nil, len(more))
			}
			found = more
		}
		for _, d := range found {
			if (d.Pos.Line == 0 || d.Pos.Col == 0) && d.Code != diag.NoFiles || d.Code == "" || d.Text == "" {
				t.Errorf("%+v", d)
			}
		}
		diag.Render(found, w.Source)
	})
}
