package conformance

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/spec"
)

// program is the rest of the program: it evaluates all expressions and prints a line for each.
const program = `// Package main evaluates the conformance tests.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/expr"
	"github.com/streamwright/streamwright/runtime/stream"
)

// Row is empty: the values stand in variables.
type Row struct{}

type outcome struct {
	value any
	fault stream.Fault
	at    int
}

var in = &stream.Batch{Data: []byte{}}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i, f := range functions {
		got := f(in, &Row{})
		if got.fault != 0 {
			fmt.Fprintln(out, "fault", got.fault)
			continue
		}
		fmt.Fprintln(out, shown(got.value, types[i]))
	}
}

// shown writes a value; of is its type, with one "list " for each list around it.
func shown(v any, of string) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case float64:
		return fmt.Sprintf("double %x", math.Float64bits(v))
	case string:
		return strconv.Quote(v)
	case stream.List:
		var all []string
		of = strings.TrimPrefix(of, "list ")
		for _, w := range expr.Words(in, v) {
			var e any = int64(w)
			switch {
			case strings.HasPrefix(of, "list "):
				e = expr.WordList(w)
			case of == "bool":
				e = w != 0
			case of == "double":
				e = math.Float64frombits(w)
			case of == "string":
				e = in.Text(stream.WordStr(w))
			}
			all = append(all, shown(e, of))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprint(v)
}

`

func typeName(t *spec.Type) string {
	switch t.Kind {
	case spec.List:
		return "list " + typeName(t.Elem)
	case spec.Bool:
		return "bool"
	case spec.Double:
		return "double"
	case spec.String, spec.Bytes:
		return "string"
	}
	return "int"
}

// run compiles the attempts into one program and gives what each line of it says.
func run(t *testing.T, all []*attempt) []string {
	t.Helper()
	names := map[*spec.Field]string{}
	var rest strings.Builder
	rest.WriteString(program)
	v := &emit.Evaluator{Package: "main", Field: func(_ string, path []*spec.Field) (value, has string) {
		if path[0].Type.Nullable {
			has = "false"
		}
		return names[path[0]], has
	}}
	rest.WriteString("var types = []string{\n")
	for _, a := range all {
		rest.WriteString("\t" + strconv.Quote(typeName(a.expr.Type)) + ",\n")
		v.Texts, v.Exprs = append(v.Texts, a.text), append(v.Exprs, a.expr)
	}
	rest.WriteString("}\n\n")
	for i, a := range all {
		for _, x := range a.vars {
			if names[x.field] == "" {
				names[x.field] = fmt.Sprintf("v%d_%s", i, x.field.Name)
				fmt.Fprintf(&rest, "var %s = %s\n", names[x.field], x.value)
			}
		}
	}
	functions, err := v.Source()
	if err != nil {
		t.Fatal(err)
	}
	main, err := format.Source([]byte(rest.String()))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range map[string][]byte{"main.go": main, "functions.go": functions} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(here, "program", name)] = file
	}
	replace, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), replace, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "program.exe")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, "./program")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d lines for %d expressions", len(lines), len(all))
	}
	return lines
}
