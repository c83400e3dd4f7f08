package oracle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/golden/oracle"
	"github.com/streamwright/streamwright/golden/oracle/draw"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// drawn is a pipeline of a spec that the language accepts.
type drawn struct {
	*draw.Spec
	pipeline *spec.Pipeline
	variable string // of the generated pipeline
}

// program has the processors of several specs. To build is what costs, so that many are built at once. Nothing is written into the module: the go command sees
// the files as if they stood there.
type program struct {
	dir     string // for files
	overlay map[string]string
	specs   []*drawn
	refused map[string]int // by code of the first diagnostic
}

// root is the folder of the module, and place the folder in it where the generated packages seem to stand.
const (
	root  = "../.."
	place = "golden/oracle/drawn"
)

func newProgram(t *testing.T) *program {
	return &program{dir: t.TempDir(), overlay: map[string]string{}, refused: map[string]int{}}
}

// add takes a spec, and says whether the language accepts it.
func (p *program) add(t *testing.T, s *draw.Spec) bool {
	t.Helper()
	dir := filepath.Join(p.dir, s.Name)
	p.write(t, filepath.Join(dir, "drawn.cue"), []byte(s.Text))
	w, found := load.Load([]string{dir})
	var pkg *spec.Package
	if len(found) == 0 {
		pkg, found = check.Check(w)
	}
	if len(found) > 0 {
		p.refused[found[0].Code]++
		if *refusals {
			t.Logf("seed %d is refused:\n%s", s.Seed, diag.Render(found, w.Source))
		}
		return false
	}
	files, err := gen.Generate(pkg, nil)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", s.Seed, err, s.Text)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name, "_gen.go") {
			p.stand(t, filepath.Join(s.Name, f.Name), f.Data)
		}
	}
	for i, variable := range gen.Vars(pkg) {
		p.specs = append(p.specs, &drawn{s, pkg.Pipelines[i], variable})
	}
	return true
}

func (p *program) write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// stand has a file seem to stand in the module.
func (p *program) stand(t *testing.T, name string, data []byte) {
	t.Helper()
	file := filepath.Join(p.dir, "files", name)
	p.write(t, file, data)
	as, err := filepath.Abs(filepath.Join(root, place, name))
	if err != nil {
		t.Fatal(err)
	}
	p.overlay[as] = file
}

// build compiles the program.
func (p *program) build(t *testing.T) {
	t.Helper()
	var imports, table strings.Builder
	for i, s := range p.specs {
		if i == 0 || s.Spec != p.specs[i-1].Spec {
			fmt.Fprintf(&imports, "\t%q\n", "github.com/streamwright/streamwright/"+place+"/"+s.Name)
		}
		fmt.Fprintf(&table, "\t%q: %s.%s,\n", s.pipeline.Name, s.Name, s.variable)
	}
	p.stand(t, "main.go", fmt.Appendf(nil, "package main\n\nimport (\n\t\"github.com/streamwright/streamwright/golden/oracle/replay\"\n\t\"github.com/streamwright/streamwright/runtime/task\"\n%s)\n\n"+
		"func main() { replay.Main(map[string]task.Pipeline{\n%s}) }\n", imports.String(), table.String()))
	overlay, err := json.Marshal(map[string]any{"Replace": p.overlay})
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, filepath.Join(p.dir, "overlay.json"), overlay)
	cmd := exec.Command("go", "build", "-trimpath", "-overlay", filepath.Join(p.dir, "overlay.json"), "-o", filepath.Join(p.dir, "program"), "./"+place)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		if len(out) > 4000 {
			out = out[:4000]
		}
		t.Fatalf("what was generated does not build: %v\n%s", err, out)
	}
}

// input is a stream for a spec.
type input struct {
	of       *drawn
	data     []byte
	others   [][]byte // of further sources
	silences []oracle.Silence
}

// all are the streams of the sources.
func (in input) all() [][]byte { return append([][]byte{in.data}, in.others...) }

// answer is what a generated processor gave; package replay writes it.
type answer struct {
	Outputs [][]byte
	Letters []byte
	Counts  []struct {
		Node, Kind, Name string
		Value            uint64
	}
	Watermark int64
	Error     string
}

// run has the processors take the inputs.
func (p *program) run(t *testing.T, inputs []input) []answer {
	t.Helper()
	type job struct {
		Pipeline string
		Data     [][]byte
		Silences []oracle.Silence
	}
	var stdin, stdout, stderr bytes.Buffer
	e := json.NewEncoder(&stdin)
	for _, in := range inputs {
		e.Encode(job{in.of.pipeline.Name, in.all(), in.silences})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // it takes seconds, when no processor goes round in circles
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(p.dir, "program"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &stdin, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		at := inputs[min(bytes.Count(stdout.Bytes(), []byte("\n")), len(inputs)-1)] // an answer is a line
		t.Fatalf("seed %d, pipeline %s: %v\n%.3000s\non\n%s", at.of.Seed, at.of.pipeline.Name, err, stderr.String(), at.of.Text)
	}
	answers := make([]answer, len(inputs))
	d := json.NewDecoder(&stdout)
	for i := range answers {
		if err := d.Decode(&answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

// wrong says what a processor gave that the oracle does not; empty if nothing.
func wrong(p *spec.Pipeline, want *oracle.Result, got answer) string {
	if got.Error != "" {
		return got.Error
	}
	for i, s := range p.Sinks {
		if d := difference(want.Outputs[i], got.Outputs[i]); d != "" {
			return fmt.Sprintf("sink %s, %s", s.Name, d)
		}
	}
	if d := difference(want.Letters, unworded(got.Letters)); d != "" {
		return "dead letters, " + d
	}
	counts := map[oracle.Count]uint64{}
	for _, c := range got.Counts {
		counts[oracle.Count{Node: c.Node, Kind: c.Kind, Name: c.Name}] += c.Value
	}
	for c, n := range want.Counts {
		if counts[c] != n {
			return fmt.Sprintf("counter %v: want %d, got %d", c, n, counts[c])
		}
	}
	for c, n := range counts {
		if want.Counts[c] != n {
			return fmt.Sprintf("counter %v: want %d, got %d", c, want.Counts[c], n)
		}
	}
	if want.Watermark != got.Watermark {
		return fmt.Sprintf("watermark: want %d, got %d", want.Watermark, got.Watermark)
	}
	return ""
}
