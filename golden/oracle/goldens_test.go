package oracle_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/oracle"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// TestGoldens: the oracle gives what the goldens of golden/ok and of the examples say, which were worked out by hand. Functions of a user it does not know.
func TestGoldens(t *testing.T) {
	compared := 0
	for _, pattern := range []string{"../ok/*/testdata/*", "../../examples/*/testdata/*", "../bench/w1/testdata/*"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%s: no goldens (%v)", pattern, err)
		}
		packages := map[string]*spec.Package{}
		for _, dir := range dirs {
			of := filepath.Dir(filepath.Dir(dir))
			if packages[of] == nil {
				packages[of] = checked(t, of)
			}
		pipelines:
			for _, p := range packages[of].Pipelines {
				if fileName(p.Name) == filepath.Base(dir) && understood(p) {
					compared++
					name := filepath.Base(of) + "/" + p.Name
					for skipped := range otherwise {
						if strings.HasPrefix(name, skipped) {
							continue pipelines
						}
					}
					t.Run(name, func(t *testing.T) { golden(t, p, dir) })
				}
			}
		}
	}
	if compared < 80 {
		t.Errorf("%d pipelines compared", compared)
	}
}

// otherwise are goldens that are not what the rules say, and why they stand.
var otherwise = map[string]string{
	"events_of_two_times/by_created": "a decoder that two pipelines share judges the ranges of both their times behind the rest of the contract",
	"events_of_two_times/by_updated": "likewise",
	"upgrade/":                       "aggregates were added since an earlier version, so rows say whether they are partial: the oracle knows no versions",
	"hostile_text/":                  "U+2028 in the name of a column is escaped, in a value it is not",
}

// understood says whether the oracle knows all stages. It does not know limits.
func understood(p *spec.Pipeline) bool {
	if p.Limits != nil {
		return false
	}
	for _, s := range p.Stages {
		if s.Apply != nil {
			return false
		}
	}
	return true
}

func golden(t *testing.T, p *spec.Pipeline, dir string) {
	ext := map[string]string{"json": ".ndjson", "csv": ".csv"}
	var inputs []oracle.Input
	for _, s := range p.Sources {
		if !s.PerFile {
			inputs = append(inputs, oracle.Input{File: s.Name + ext[s.Format], Data: read(t, filepath.Join(dir, "in", fileName(s.Name)+ext[s.Format])), Now: runtimetest.Now})
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "in", fileName(s.Name), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range files {
			inputs = append(inputs, oracle.Input{File: filepath.Base(file), Data: read(t, file), Now: runtimetest.Now, Partition: i > 0})
		}
	}
	got := oracle.Run(p, nil, inputs...)
	for i, s := range p.Sinks {
		end := ext["json"]
		if s.Format == "csv" || s.Raw && p.Sources[0].Format == "csv" {
			end = ext["csv"]
		}
		want := read(t, filepath.Join(dir, "out", fileName(s.Name)+end))
		if end == ext["csv"] {
			_, want, _ = bytes.Cut(want, []byte("\n"))
		}
		if d := difference(want, got.Outputs[i]); d != "" {
			t.Errorf("sink %s, %s", s.Name, d)
		}
	}
	if d := difference(unworded(read(t, filepath.Join(dir, "dead.ndjson"))), got.Letters); d != "" {
		t.Errorf("dead letters, %s", d)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fileName is a name of the spec as a file name.
func fileName(name string) string {
	return regexp.MustCompile(`[^A-Za-z0-9_.\-]|^\.`).ReplaceAllStringFunc(name, func(s string) string {
		var out string
		for _, c := range []byte(s) {
			out += fmt.Sprintf("%%%02X", c)
		}
		return out
	})
}

// checked is the model of the spec in a folder.
func checked(t *testing.T, dir string) *spec.Package {
	t.Helper()
	w, found := load.Load([]string{dir})
	var pkg *spec.Package
	if len(found) == 0 {
		pkg, found = check.Check(w)
	}
	if len(found) > 0 {
		t.Fatalf("the spec is refused:\n%s", diag.Render(found, w.Source))
	}
	return pkg
}

var message = regexp.MustCompile(`"message":"(?:[^"\\]|\\.)*",`)

// unworded are dead letters without their messages, whose wording the oracle does not know. Inside a string the pattern's quotes would be escaped.
func unworded(letters []byte) []byte {
	var out []byte
	for line := range bytes.Lines(letters) {
		if at := message.FindIndex(line); at != nil {
			line = append(bytes.Clone(line[:at[0]]), line[at[1]:]...)
		}
		out = append(out, line...)
	}
	return out
}

// difference shows the first line in which want and got differ.
func difference(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	for n := 1; ; n++ {
		w, restW, _ := bytes.Cut(want, []byte("\n"))
		g, restG, _ := bytes.Cut(got, []byte("\n"))
		if !bytes.Equal(w, g) || len(restW) == 0 != (len(restG) == 0) {
			return fmt.Sprintf("line %d:\n  want %.900s\n  got  %.900s", n, w, g)
		}
		want, got = restW, restG
	}
}

var places = regexp.MustCompile(`,"offset":\d+|,"watermark":(null|"[^"]*")`)

// placeless are dead letters without what the order of records changes.
func placeless(letters []byte) []byte { return places.ReplaceAll(unworded(letters), nil) }
