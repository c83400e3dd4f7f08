package golden

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/sample"
	"github.com/streamwright/streamwright/spec"
)

// TestEvents makes events for every pipeline of the repository, and has the generated processors read them: all events are accepted, copies and late ones too, and
// of those that are broken all are refused by the source.
func TestEvents(t *testing.T) {
	const records = 3000
	dir := t.TempDir()
	var imports, calls strings.Builder
	inputs := 0
	for _, pattern := range []string{"ok/*", "../examples/*", "bench/w1"} {
		packages, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, pkg := range packages {
			names := processors(t, pkg)
			if len(names) == 0 {
				continue
			}
			fmt.Fprintf(&imports, "\tp%d %q\n", inputs, "github.com/streamwright/streamwright/"+filepath.ToSlash(filepath.Join("golden", pkg)))
			for _, name := range names {
				fmt.Fprintf(&calls, "\tread(p%d.%s, %q)\n", inputs, name, pkg)
			}
			for _, p := range packageOf(t, pkg).Pipelines {
				for mode, config := range map[string]sample.Config{
					"good":   {Late: 0.05, Duplicates: 0.05},
					"broken": {Broken: 1},
				} {
					config.Events, config.Seed, config.Rate, config.Keys = records, 7, 100, 50
					config.Start, config.Disorder = sample.NoStart, sample.AsDeclared
					for config.Source = range p.Sources {
						file := filepath.Join(dir, fmt.Sprintf("%x", pkg+p.Name+mode+p.Sources[config.Source].Name))
						if err := os.WriteFile(file, events(t, p, config), 0o666); err != nil {
							t.Fatal(err)
						}
						inputs++
					}
				}
			}
		}
	}
	program := filepath.Join(dir, "main.go")
	text := strings.NewReplacer("IMPORTS", imports.String(), "CALLS", calls.String(), "DIR", fmt.Sprintf("%q", dir)).Replace(reader)
	if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command("go", "run", program)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	read := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(read) != inputs || inputs < 100 {
		t.Errorf("%d results for %d inputs", len(read), inputs)
	}
	for _, line := range read {
		parts := strings.SplitN(line, "\t", 4) // mode, records, out, what they were
		want := map[string]string{"good": fmt.Sprint(records), "broken": "0"}[parts[0]]
		if parts[1] != fmt.Sprint(records) || parts[2] != want {
			t.Errorf("%s: of %s records %s were accepted, want %s of %d: %s", parts[0], parts[1], parts[2], want, records, parts[3])
		}
	}
}

// reader is a program that replays the events of each pipeline and prints what its source counted.
const reader = `package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/runtime/task"
IMPORTS)

func main() {
CALLS}

func read(p task.Pipeline, pkg string) {
	for _, mode := range []string{"good", "broken"} {
		var data [][]byte
		for _, s := range p.Sources {
			records, err := os.ReadFile(filepath.Join(DIR, fmt.Sprintf("%x", pkg+p.Name+mode+s.Name)))
			if err != nil {
				panic(err)
			}
			data = append(data, records)
		}
		result, err := runtimetest.Replay(p, 1000, data...)
		if err != nil {
			panic(err)
		}
		shown := result.Letters
		if mode == "broken" { // what was accepted, as far as a sink shows it
			shown = bytes.Join(result.Outputs, nil)
		}
		line, _, _ := bytes.Cut(shown, []byte("\n"))
		for _, s := range p.Sources {
			var records, out uint64
			for i, c := range p.Counters {
				switch {
				case c.Node == s.Name && c.Kind == task.Records:
					records = result.Counts[i]
				case c.Node == s.Name && c.Kind == task.Out:
					out = result.Counts[i]
				}
			}
			fmt.Printf("%s\t%d\t%d\t%s: %q %s\n", mode, records, out, pkg, p.Name, line)
		}
	}
}
`

var processor = regexp.MustCompile(`(?m)^var (\w+) = task\.Pipeline\{`)

// processors are the Go names of the pipelines of a generated package.
func processors(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range processor.FindAllSubmatch(text, -1) {
			names = append(names, string(match[1]))
		}
	}
	return names
}

// events makes events twice, and once from another seed.
func events(t *testing.T, p *spec.Pipeline, c sample.Config) []byte {
	t.Helper()
	var all [3][]byte
	for i := range all {
		if i == 2 {
			c.Seed++
		}
		g, err := sample.New(p, c)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		var b bytes.Buffer
		if err := g.Write(&b); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		all[i] = b.Bytes()
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Errorf("%s: one seed gives different events", p.Name)
	}
	if bytes.Equal(all[0], all[2]) {
		t.Errorf("%s: two seeds give the same events", p.Name)
	}
	return all[0]
}
