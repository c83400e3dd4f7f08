package golden

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/explain"
	"github.com/streamwright/streamwright/runtime/runtimetest"
)

// explained are the specs whose explanation is a golden: explain/<name>.txt, with the Mermaid picture behind the words.
var explained = map[string]string{
	"earthquakes": "../examples/1-earthquakes",
	"w1":          "bench/w1",
	"windows":     "ok/windows_over_windows",
	"sessions":    "ok/session_rows",
	"revisions":   "ok/session_update",
	"updates":     "ok/late_update",
	"route":       "ok/route",
	"select":      "ok/select_and_set",
	"expressions": "ok/expression_faults",
	"late":        "ok/late_side_output",
	"dedup":       "ok/dedup_ids",
	"sinks":       "ok/sinks_of_every_kind",
	"letters":     "ok/dead_letters",
	"hostile":     "ok/hostile_text",
	"inputs":      "ok/source_several",
	"quiet":       "ok/time_idle",
	"new_files":   "ok/source_new_files",
	"aggregates":  "ok/aggregate_values",
	"top":         "ok/aggregate_top",
	"quotients":   "ok/aggregate_expressions",
	"follow":      "ok/source_follow",
}

func TestExplain(t *testing.T) {
	for name, dir := range explained {
		t.Run(name, func(t *testing.T) {
			pkg := packageOf(t, dir)
			got := explain.Words(pkg) + "\n" + explain.Mermaid(pkg)
			file := filepath.Join("explain", name+".txt")
			if runtimetest.Update() {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is not what explain says now; go test ./golden -run TestExplain -update, and read the difference", file)
			}
		})
	}
}

// TestPicture draws pipelines whose names and texts are hostile, and reads what came out as XML.
func TestPicture(t *testing.T) {
	for _, dir := range []string{"bench/w1", "ok/hostile_text", "ok/hostile_fields"} {
		pkg := packageOf(t, dir)
		for _, p := range pkg.Pipelines {
			svg, err := explain.SVG(explain.Only(pkg, p.Name))
			if err != nil {
				t.Fatal(dir, err)
			}
			boxes := 0
			d := xml.NewDecoder(strings.NewReader(string(svg)))
			for {
				token, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(dir, err)
				}
				if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
					for _, a := range e.Attr {
						if a.Name.Local == "class" && a.Value == "node" {
							boxes++
						}
					}
				}
			}
			if want := 1 + len(p.Stages) + len(p.Sinks); boxes != want {
				t.Errorf("%s: %s: %d boxes, want %d", dir, p.Name, boxes, want)
			}
		}
	}
}
