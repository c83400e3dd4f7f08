// Package conformance holds the Go code of expressions against the conformance tests of CEL: those of module cel.dev/expr, folder tests/simple/testdata.
package conformance

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	_ "cel.dev/expr/conformance/proto2" // of messages in the tests
	_ "cel.dev/expr/conformance/proto3"
	conformance "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"
)

var update = flag.Bool("update", false, "rewrite skipped.txt")

// TestConformance runs every test that the language can say, twice: as it is written, where what is constant is folded by cel-go, and with its constants in
// variables, so that the Go code has all the work. skipped.txt has the tests that it cannot say, each with the reason; with -update it is rewritten.
func TestConformance(t *testing.T) {
	var all []*attempt
	skipped := map[string]string{}
	total := 0
	for _, file := range files(t) {
		for _, section := range file.Section {
			for _, test := range section.Test {
				total++
				name := file.Name + "/" + section.Name + "/" + test.Name
				tries, reason := attempts(name, test)
				if reason != "" {
					skipped[name] = reason
				}
				all = append(all, tries...)
			}
		}
	}
	outcomes := run(t, all)
	ran := map[string]bool{}
	for i, a := range all {
		problem, outside := a.judge(outcomes[i])
		switch {
		case outside != "":
			skipped[a.name] = outside
		case problem != "":
			t.Errorf("%s: %s: %s", a.name, a.text, problem)
		default:
			ran[a.name] = true
		}
	}
	var lines []string
	for name, reason := range skipped {
		if !ran[name] {
			lines = append(lines, name+": "+reason+"\n")
		}
	}
	t.Logf("%d tests: %d run, as %d expressions; %d skipped", total, len(ran), len(all), len(lines))
	if len(ran) < 700 {
		t.Errorf("only %d tests run", len(ran))
	}
	sort.Strings(lines)
	got := strings.Join(lines, "")
	const golden = "skipped.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("other tests are skipped than skipped.txt says; look at it and run with -update")
	}
}

// files are the test files, in the order of their names.
func files(t *testing.T) []*conformance.SimpleTestFile {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "tests", "simple", "testdata", "*.textproto"))
	if err != nil || len(names) < 20 {
		t.Fatalf("module cel.dev/expr has %d test files, %v", len(names), err)
	}
	var all []*conformance.SimpleTestFile
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := &conformance.SimpleTestFile{}
		if err := prototext.Unmarshal(text, file); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		all = append(all, file)
	}
	return all
}
