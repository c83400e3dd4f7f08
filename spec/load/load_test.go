package load

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	cueload "cuelang.org/go/cue/load"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/schema"
)

// valid is a correct spec with its event in the package that stands for EVENT.
const valid = `package orders

import "github.com/streamwright/streamwright/spec"

#Order: {
	id!: string
	at!: spec.#Timestamp
}

pipeline: all: spec.#Pipeline & {
	source: orders: {file: path: "orders.ndjson", format: "json", event: #Order, time: {field: "at", out_of_orderness: "5s"}}
	sink: out: {from: "orders", stdout: {}}
}
`

// write makes files in a new folder and gives its name.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// accepted loads and fails on diagnostics.
func accepted(t *testing.T, args ...string) *Written {
	t.Helper()
	w, found := Load(args)
	if len(found) > 0 {
		t.Fatalf("refused:\n%s", diag.Render(found, w.Source))
	}
	return w
}

// TestModules loads a spec in every kind of tree: the schema comes from the binary, whatever is on disk.
func TestModules(t *testing.T) {
	old := "cue.mod/pkg/github.com/streamwright/streamwright/spec/"
	for name, files := range map[string]map[string]string{
		"no module":         {},
		"a module":          {"cue.mod/module.cue": "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\n"},
		"module above":      {"../cue.mod/module.cue": "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\n"},
		"this very module":  {"cue.mod/module.cue": "module: \"github.com/streamwright/streamwright@v0\"\nlanguage: version: \"v0.17.0\"\n"},
		"a dependency":      {"cue.mod/module.cue": "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\ndeps: \"github.com/streamwright/streamwright@v0\": v: \"v0.1.0\"\n"},
		"an old copy":       {"cue.mod/module.cue": "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\n", old + "pipeline.cue": "package spec\n#Pipeline: {other!: int}\n"},
		"an old other file": {"cue.mod/module.cue": "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\n", old + "other.cue": "package spec\n#Timestamp: int\n"},
		"other cue files":   {"_draft.cue": "broken {", "x_tool.cue": "broken {", "sub/other.cue": "package other\n"},
	} {
		t.Run(name, func(t *testing.T) {
			inner := map[string]string{"spec/orders.cue": valid}
			for file, text := range files {
				inner[filepath.Join("spec", file)] = text
			}
			w := accepted(t, filepath.Join(write(t, inner), "spec"))
			if len(w.Pipelines) != 1 || w.Package != "orders" || !slices.Equal(w.Files, []string{"orders.cue"}) || filepath.Base(w.Dir) != "spec" {
				t.Errorf("%+v", w)
			}
			event := w.Pipelines[0].Field("source").Field("orders").Field("event").Type.Struct
			if event.Def != "Order" || event.Fields[1].Type.Op != Time || event.Fields[1].Type.Name != "Timestamp" {
				t.Errorf("%+v", event)
			}
		})
	}
}

// TestClone loads a spec in a clone of this project, where no module file is.
func TestClone(t *testing.T) {
	w := accepted(t, "../../golden/bench/w1")
	if len(w.Pipelines) != 1 || w.Pipelines[0].Name != "w1" || w.Pipelines[0].NamePos.File != "../../golden/bench/w1/w1.cue" {
		t.Errorf("%+v", w)
	}
}

// TestSharedTypes reads an event of another package of the user's module, with places in its file.
func TestSharedTypes(t *testing.T) {
	dir := write(t, map[string]string{
		"cue.mod/module.cue":  "module: \"example.com/shop@v0\"\nlanguage: version: \"v0.17.0\"\n",
		"schemas/schemas.cue": "package schemas\n\nimport \"github.com/streamwright/streamwright/spec\"\n\n// An order.\n#Order: {\n\tid!: string\n\tat!: spec.#UnixMillis & >=0\n}\n",
		"orders/orders.cue": strings.Replace(strings.Replace(valid, "import \"github.com/streamwright/streamwright/spec\"",
			"import (\n\t\"example.com/shop/schemas\"\n\t\"github.com/streamwright/streamwright/spec\"\n)", 1), "event: #Order", "event: schemas.#Order", 1),
	})
	w := accepted(t, filepath.Join(dir, "orders"))
	event := w.Pipelines[0].Field("source").Field("orders").Field("event").Type.Struct
	if event.Def != "Order" || event.Doc[0] != "An order." || filepath.Base(event.Pos.File) != "schemas.cue" || event.Fields[1].Pos.Line != 8 || event.Fields[1].Type.Args[0].Name != "UnixMillis" {
		t.Errorf("%+v", event)
	}
}

func TestArgs(t *testing.T) {
	dir := write(t, map[string]string{"a.cue": valid, "b.cue": "package orders\n", "notes.txt": "", "sub/c.cue": valid, "empty/notes.txt": ""})
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args []string
		want string // part of the only message; empty when accepted
	}{
		{[]string{dir}, ""},
		{[]string{in("a.cue")}, ""},
		{[]string{in("b.cue"), in("a.cue"), in("a.cue")}, ""},
		{[]string{in("a.cue"), in("sub/c.cue")}, "another folder"},
		{[]string{in("none")}, "no file or folder"},
		{[]string{in("notes.txt")}, "not a .cue file"},
		{[]string{in("empty")}, "no .cue file"},
		{[]string{in("a.cue"), in("sub")}, "beside other arguments"},
		{[]string{in("...")}, "several specs"},
	} {
		w, found := Load(c.args)
		text := diag.Render(found, w.Source)
		if len(found) > 1 || !strings.Contains(text, c.want) || (text == "") != (c.want == "") {
			t.Errorf("%v: %s", c.args, text)
		}
	}
	t.Chdir(dir)
	if w := accepted(t); w.Pipelines[0].Pos.File != "a.cue" || w.Pipelines[0].Pos.Line != 10 {
		t.Errorf("%v", w.Pipelines[0].Pos)
	}
}

// TestPlaces looks up where words and values stand.
func TestPlaces(t *testing.T) {
	t.Chdir(write(t, map[string]string{"orders.cue": valid}))
	w := accepted(t)
	p := w.Pipelines[0]
	for _, c := range []struct {
		what diag.Pos
		want string
	}{
		{p.NamePos, "orders.cue:10:11"},
		{p.Field("source").Field("orders").Field("file").Field("path").Pos, "orders.cue:11:31"},
		{p.Field("source").Field("orders").Field("time").Field("out_of_orderness").NamePos, "orders.cue:11:99"},
		{p.Field("sink").Field("out").Field("from").At(3), "orders.cue:12:24"},
		{p.Field("source").Field("orders").Field("event").Type.Struct.Fields[1].Pos, "orders.cue:7:2"},
	} {
		if got := c.what.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestSchemaAccepts holds correct specs against the schema as `cue vet -c=false` sees it: not the open copy that Load evaluates with.
func TestSchemaAccepts(t *testing.T) {
	dir, err := filepath.Abs("../../golden/bench/w1")
	if err != nil {
		t.Fatal(err)
	}
	vet := func(spec string) error {
		over := map[string]cueload.Source{filepath.Join(dir, "cue.mod/module.cue"): cueload.FromString("module: \"local.invalid@v0\"\nlanguage: version: \"v0.17.0\"\n")}
		names, files := schemaFiles()
		for _, name := range names {
			over[filepath.Join(dir, "cue.mod/pkg", schema.Path, name)] = cueload.FromBytes(files[name])
		}
		over[filepath.Join(dir, "w1.cue")] = cueload.FromString(spec)
		inst := cueload.Instances([]string{filepath.Join(dir, "w1.cue")}, &cueload.Config{Dir: dir, Overlay: over, Env: []string{"CUE_REGISTRY=none"}})[0]
		if inst.Err != nil {
			return inst.Err
		}
		return cuecontext.New().BuildInstance(inst).Validate(cue.All())
	}
	data, err := os.ReadFile(filepath.Join(dir, "w1.cue"))
	if err != nil {
		t.Fatal(err)
	}
	if err := vet(string(data)); err != nil {
		t.Errorf("a correct spec: %v", err)
	}
	for _, bad := range [][2]string{{"filter:", "filtre:"}, {`policy: "drop"`, `policy: "dorp"`}, {`horizon: "10m"`, `horizon: 10`}, {"tumbling:", "tumblin:"}, {"dead_letter:", "dead_leter:"}} {
		if vet(strings.Replace(string(data), bad[0], bad[1], 1)) == nil {
			t.Errorf("the schema accepts %s", bad[1])
		}
	}
}

// TestSchemaDocs wants a comment with an example for every word and every definition.
func TestSchemaDocs(t *testing.T) {
	inst, err := schemaInstance()
	if err != nil {
		t.Fatal(err)
	}
	v := cuecontext.New().BuildInstance(inst)
	defs, err := v.Fields(cue.Definitions(true))
	if err != nil {
		t.Fatal(err)
	}
	for defs.Next() {
		if len(defs.Value().Doc()) == 0 {
			t.Errorf("%s has no comment", defs.Selector())
		}
		words, _, about := wordsOf(defs.Value())
		for _, word := range words {
			if explain(about[word]) == "" {
				t.Errorf("%s.%s has no comment", defs.Selector(), word)
			}
		}
	}
}

// TestMark loads a spec, and a package that it imports, with byte-order marks and the line ends of Windows: texts and places are those of the files without.
func TestMark(t *testing.T) {
	const mark = "\ufeff"
	dir := write(t, map[string]string{
		"cue.mod/module.cue": "module: \"example.com/shop\"\nlanguage: version: \"v0.17.0\"\n",
		"types/types.cue":    mark + "package types\r\n\r\n#Code: string & !=\"\"\r\n",
		"orders.cue": mark + strings.ReplaceAll(strings.NewReplacer("import \"github", "import \"example.com/shop/types\"\nimport \"github",
			"id!: string", "id!: string & =~\"^a\"\n\tcode!: types.#Code").Replace(valid), "\n", "\r\n"),
	})
	w := accepted(t, dir)
	members := w.Pipelines[0].Field("source").Field("orders").Field("event").Type.Struct.Fields
	var got []string
	for _, m := range members[:2] {
		got = append(got, m.Type.Text, m.Pos.String()[strings.LastIndex(m.Pos.String(), "/")+1:])
	}
	want := []string{`string & =~"^a"`, "orders.cue:7:2", `string & !=""`, "orders.cue:8:2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if first := w.Source(w.Pos.File); strings.HasPrefix(string(first), mark) || w.Pos.Col != 9 {
		t.Errorf("the package clause is at %v of %q", w.Pos, first[:10])
	}
}

// TestSyntaxOnce breaks a spec in many ways: of a file that is not CUE there is one message, at a place in it.
func TestSyntaxOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Split("{ } [ ] ( ) : , ; = ! ? # // /* \" ' \\ \"\"\" | & - . .. ... 1 a-b \u201c \x00 \xff \n \t @ ~ _ my map[ []string or", " ")
	broken := 0
	for range 400 {
		at := random.IntN(len(valid))
		text := valid[:at] + pieces[random.IntN(len(pieces))] + valid[at+random.IntN(min(4, len(valid)-at)):]
		w, found := Load([]string{write(t, map[string]string{"orders.cue": text})})
		syntax := 0
		for _, d := range found {
			if d.Code == diag.Syntax && !strings.Contains(d.Text, "stands where a field is expected") {
				syntax++
			}
			if strings.Contains(d.Text, "'IDENT'") || strings.Contains(d.Text, "'EOF'") || strings.Contains(d.Text, "\n") {
				t.Errorf("%q: %s", text, d.Text)
			}
			diag.Render(found, w.Source)
		}
		if syntax > 1 || syntax == 1 && len(found) > 1 {
			t.Errorf("%d messages:\n%s\n%s", len(found), diag.Render(found, w.Source), text)
		}
		broken += syntax
	}
	if broken < 100 {
		t.Errorf("only %d of the specs are broken", broken)
	}
}
