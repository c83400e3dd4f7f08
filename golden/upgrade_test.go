package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// upgraded is the spec that each case of TestUpgrade changes.
const upgraded = `package upgraded

import "github.com/streamwright/streamwright/spec"

#Order: {
	id!:     string
	user!:   string
	shop!:   string
	note?:   string
	cents!:  int
	tax!:    int
	amount!: number
	at!:     spec.#Timestamp
}

pipeline: p: spec.#Pipeline & {
	commit: dir: "state"
	source: orders: {file: path: "orders.ndjson", format: "json", event: #Order, time: {field: "at", out_of_orderness: "5s"}}
	stage: paid: {from: "orders", filter: "cents > 0 && user != ''"}
	stage: once: {from: "paid", dedup: {by: ["id", "shop"], horizon: "10m", late: policy: "drop"}}
	stage: spend: {from: "once", window: {tumbling: "1m", key: ["user", "shop"], aggregate: {orders: "count()", spent: "sum(cents)"}, late: policy: "drop"}}
	stage: so_far: {from: "once", running: {key: ["user"], aggregate: {orders: "count()", last_note: "last(note)"}, expire: "24h", emit: "change"}}
	sink: spend: {from: "spend", file: path: "spend.ndjson"}
	sink: so_far: {from: "so_far", file: path: "so_far.ndjson", mode: "changelog"}
}
`

// updating makes the windows of spend ones that late events update, and their sink a changelog; dropping takes that back.
var (
	updating = []string{`spent: "sum(cents)"}, late: policy: "drop"}`, `spent: "sum(cents)"}, late: {policy: "update", allowed_lateness: "1m", beyond: "drop"}}`,
		`{from: "spend", file: path: "spend.ndjson"}`, `{from: "spend", file: path: "spend.ndjson", mode: "changelog"}`}
	dropping = []string{updating[1], updating[0], updating[3], updating[2]}
)

// upgrades are changes of the spec above: texts that are replaced, each followed by what replaces it. A case with several steps goes through all of them.
var upgrades = []struct {
	name  string
	steps [][]string
}{
	{"identical", [][]string{{}}},
	{"spaces and parentheses", [][]string{{"sum(cents)", "(sum( cents ))", "cents > 0 && user != ''", "(cents>0) && (user != '')"}}},
	{"a sink more, another path", [][]string{{`sink: so_far`, "sink: again: {from: \"spend\", file: path: \"again.ndjson\"}\n\tsink: so_far", "orders.ndjson", "all/*.ndjson"}}},
	{"filter", [][]string{{"cents > 0", "cents > 100"}}},
	{"horizon, lateness", [][]string{{`"10m"`, `"20m"`, `"5s"`, `"30s"`, `"24h"`, `"48h"`}}},
	{"column over the same sum", [][]string{{`"sum(cents)"`, `"sum(cents) / 100"`}}},
	{"column renamed", [][]string{{"orders: \"count()\", spent", "number: \"count()\", spent"}}},
	{"stages in another order", [][]string{{"stage: spend:", "stage: zz: {from: \"once\", filter: \"true\"}\n\tsink: zz: {from: \"zz\", file: path: \"zz.ndjson\"}\n\tstage: spend:"}}},
	{"renamed, not said", [][]string{{"stage: spend:", "stage: spending:", `from: "spend"`, `from: "spending"`}}},
	{"renamed", [][]string{{"stage: spend: {", `stage: spending: {was: "spend", `, `from: "spend"`, `from: "spending"`}}},
	{"renamed, and still said", [][]string{{"stage: spend: {", `stage: spending: {was: "spend", `, `from: "spend"`, `from: "spending"`}, {}}},
	{"renamed from nothing", [][]string{{"stage: spend: {", `stage: spending: {was: "spent", `, `from: "spend"`, `from: "spending"`}}},
	{"another under a new name", [][]string{{"stage: spend: {", `stage: spending: {state: "reset", `, `from: "spend"`, `from: "spending"`}}},
	{"two states into one", [][]string{{"stage: spend: {", `stage: spend: {was: "so_far", `, "\tstage: so_far", "\t//", "\tsink: so_far", "\t//"}}},
	{"removed", [][]string{{"\tstage: so_far", "\t//", "\tsink: so_far", "\t//"}}},
	{"removed, and back", [][]string{{"\tstage: so_far", "\t//", "\tsink: so_far", "\t//"}, {"\t//", "\tstage: so_far", "\t//", "\tsink: so_far"}}},
	{"new", [][]string{{"\tsink: spend:", "\tstage: hours: {from: \"once\", window: {tumbling: \"1h\", aggregate: n: \"count()\", late: policy: \"drop\"}}\n\tsink: hours: {from: \"hours\", file: path: \"hours.ndjson\"}\n\tsink: spend:",
		`"10m"`, `"1h"`}}},
	{"added, not said", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent"}}},
	{"added", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `}}},
	{"added, and another column of what is there", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", mean: \"avg(cents)\", spent"}}},
	{"added to running", [][]string{{"last_note:", "first: \"first(user)\", last_note:", "stage: so_far: {", `stage: so_far: {state: "add", `}}},
	{"added, with one sum of what is there", [][]string{{"orders: \"count()\", spent", "mean: \"sum(cents + tax) / count()\", spent", "stage: spend: {", `stage: spend: {state: "add", `}}},
	{"added, two that belong together", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", each: \"sum(tax) / count_if(tax > 0)\", spent", "stage: spend: {", `stage: spend: {state: "add", `}}},
	{"added, then mixed", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `},
		{`"sum(tax)"`, `"sum(tax) + sum(cents)"`, `state: "add", `, ""}}},
	{"added, computed with", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", range: \"max(tax) - min(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `}}},
	{"added, the least", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", least: \"min(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `}, {`state: "add", `, ""}}},
	{"added where a stage reads", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `, "\tsink: spend:",
		"\tstage: big: {from: \"spend\", filter: \"orders > 1\"}\n\tsink: big: {from: \"big\", file: path: \"big.ndjson\"}\n\tsink: spend:"}}},
	{"added where a stage reads it", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `, "\tsink: spend:",
		"\tstage: some: {from: \"spend\", filter: \"orders > 1\"}\n\tstage: big: {from: \"some\", select: {double: \"tax * 2\"}}\n\tsink: big: {from: \"big\", file: path: \"big.ndjson\"}\n\tsink: spend:"}}},
	{"added where a top reads", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `, "\tsink: spend:",
		"\tstage: best: {from: \"spend\", top: {n: 3, by: \"spent\", ties: [\"user\"]}}\n\tsink: best: {from: \"best\", file: path: \"best.ndjson\"}\n\tsink: spend:"}}},
	{"another sum under the same name", [][]string{{"sum(cents)", "sum(cents + tax)"}}},
	{"less", [][]string{{"orders: \"count()\", spent", "spent"}}},
	{"less, migrated", [][]string{{"orders: \"count()\", spent", "spent", "stage: spend: {", `stage: spend: {state: "migrate", `}}},
	{"less is not more", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "migrate", `}}},
	{"twice", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `},
		{"orders: \"count()\", ", "", `state: "add"`, `state: "migrate"`}}},
	{"a word that is left", [][]string{{"orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent", "stage: spend: {", `stage: spend: {state: "add", `}, {}}},
	{"key in another order", [][]string{{`["user", "shop"]`, `["shop", "user"]`}}},
	{"key in another order, migrated", [][]string{{`["user", "shop"]`, `["shop", "user"]`, "stage: spend: {", `stage: spend: {state: "migrate", `}}},
	{"key that may be null", [][]string{{"shop!:   string", "shop?:   string"}}},
	{"key of other fields", [][]string{{`["user", "shop"]`, `["user"]`}}},
	{"id in another order", [][]string{{`["id", "shop"]`, `["shop", "id"]`}}},
	{"id in another order, then of other fields", [][]string{{`["id", "shop"]`, `["shop", "id"]`}, {`["shop", "id"]`, `["shop", "user"]`}}},
	{"late events update windows, not said", [][]string{updating}},
	{"late events update windows", [][]string{append([]string{"stage: spend: {", `stage: spend: {state: "reset", `}, updating...)}},
	{"late events update windows, and longer", [][]string{append([]string{"stage: spend: {", `stage: spend: {state: "reset", `}, updating...), {`state: "reset", `, "", `allowed_lateness: "1m"`, `allowed_lateness: "5m"`, `"10m"`, `"20m"`}}},
	{"late events update windows no more, not said", [][]string{append([]string{"stage: spend: {", `stage: spend: {state: "reset", `}, updating...), append([]string{`state: "reset", `, ""}, dropping...)}},
	{"late events update windows no more", [][]string{append([]string{"stage: spend: {", `stage: spend: {state: "reset", `}, updating...), dropping}},
	{"beyond", [][]string{append([]string{"stage: spend: {", `stage: spend: {state: "reset", `}, updating...), {`state: "reset", `, "", `beyond: "drop"`, `beyond: "side_output"`,
		"\tsink: spend:", "\tsink: late: {from: \"spend.late\", file: path: \"late.ndjson\"}\n\tsink: spend:"}}},
	{"id of other fields", [][]string{{`["id", "shop"]`, `["id"]`}}},
	{"id of another type", [][]string{{"id!:     string", "id!:     int"}}},
	{"size", [][]string{{`"1m"`, `"2m"`}}},
	{"size, reset", [][]string{{`"1m"`, `"2m"`, "stage: spend: {", `stage: spend: {state: "reset", `}}},
	{"sum of another type", [][]string{{"cents!:  int", "cents!:  number", "cents > 0", "cents > 0.0"}}},
	{"sum of a decimal", [][]string{{"cents!:  int", "cents!:  spec.#Decimal @scale(2)", "cents > 0", "cents > decimal('0')", "stage: spend: {", `stage: spend: {state: "migrate", `}}},
	{"sum of another type, migrated", [][]string{{"cents!:  int", "cents!:  number", "cents > 0", "cents > 0.0", "stage: spend: {", `stage: spend: {state: "migrate", `}}},
	{"rows at intervals", [][]string{{`emit: "change"`, `emit: "1m"`}}},
	{"another kind", [][]string{{`window: {tumbling: "1m", key: ["user", "shop"], aggregate: {orders: "count()", spent: "sum(cents)"}, late: policy: "drop"}`,
		`running: {key: ["user"], aggregate: n: "count()", expire: "1h", emit: "change"}`, `file: path: "spend.ndjson"`, `file: path: "spend.ndjson", mode: "changelog"`}}},
	{"time", [][]string{{"at!:     spec.#Timestamp", "at!:     spec.#UnixMillis", "stage: spend: {", `stage: spend: {state: "reset", `}}},
	{"no commits any more", [][]string{{"\tcommit:", "\t//"}}},
	{"was, and never had another name", [][]string{{"stage: spend: {", `stage: spend: {was: "spendd", `}}},
	{"pipeline renamed, not said", [][]string{{"pipeline: p:", "pipeline: q:"}}},
	{"pipeline renamed, and still said, and again", [][]string{{"pipeline: p: spec.#Pipeline & {", `pipeline: q: spec.#Pipeline & {was: "p"`}, {}, {"q:", "r:", `"p"`, `"q"`}}},
	{"pipeline renamed from nothing", [][]string{{"pipeline: p: spec.#Pipeline & {", `pipeline: q: spec.#Pipeline & {was: "o"`}}},
	{"another pipeline", [][]string{{"pipeline: p: spec.#Pipeline & {", `pipeline: q: spec.#Pipeline & {state: "reset"`}, {}}},
	{"pipeline that never had another name", [][]string{{"spec.#Pipeline & {", `spec.#Pipeline & {was: "o"`}}},
	{"source renamed, not said", [][]string{{"source: orders", "source: buys", `from: "orders"`, `from: "buys"`}}},
	{"source renamed, and still said, and again", [][]string{{"source: orders: {", `source: buys: {was: "orders", `, `from: "orders"`, `from: "buys"`}, {},
		{"source: buys: {", `source: sales: {`, `was: "orders"`, `was: "buys"`, `from: "buys"`, `from: "sales"`}}},
	{"source renamed from nothing", [][]string{{"source: orders: {", `source: buys: {was: "order", `, `from: "orders"`, `from: "buys"`}}},
	{"another source", [][]string{{"source: orders: {", `source: buys: {state: "reset", `, `from: "orders"`, `from: "buys"`}, {}}},
	{"source that never had another name", [][]string{{"source: orders: {", `source: orders: {was: "order", `}}},
	{"source added, and removed, and back", [][]string{
		{"\tstage: paid: {from: \"orders\"", "\tsource: more: {file: path: \"more.ndjson\", format: \"json\", event: #Order, time: {field: \"at\", out_of_orderness: \"9s\"}}\n\tstage: paid: {from: [\"orders\", \"more\"]",
			"stage: once: {", `stage: once: {state: "reset", `},
		{"\tsource: more", "\t//", `["orders", "more"]`, `"orders"`}, {"\t//", "\tsource: more", `from: "orders"`, `from: ["orders", "more"]`}}},
	{"source removed of three", [][]string{
		{"\tstage: paid: {from: \"orders\"", "\tsource: more: {file: path: \"more.ndjson\", format: \"json\", event: #Order, time: {field: \"at\", out_of_orderness: \"9s\"}}\n" +
			"\tsource: rest: {file: path: \"rest.ndjson\", format: \"json\", event: #Order, time: {field: \"at\", out_of_orderness: \"9s\"}}\n\tstage: paid: {from: [\"orders\", \"more\", \"rest\"]",
			"stage: once: {", `stage: once: {state: "reset", `},
		{"\tsource: more", "\t//", `"more", `, "", `state: "reset", `, ""}, {"stage: once: {", `stage: once: {state: "reset", `}}},
	{"source with the earlier name of another", [][]string{{"source: orders: {", `source: buys: {was: "orders", `, `from: "orders"`, `from: "buys"`},
		{"\tstage: paid: {from: \"buys\"", "\tsource: orders: {file: path: \"more.ndjson\", format: \"json\", event: #Order, time: {field: \"at\", out_of_orderness: \"9s\"}}\n\tstage: paid: {from: [\"orders\", \"buys\"]",
			"stage: once: {", `stage: once: {state: "reset", `, `was: "orders", `, ""}}},
	{"columns of rows of JSON", [][]string{{"orders: \"count()\", spent", "number: \"count()\", spent"}}},
	{"columns of rows of CSV, and another path", [][]string{{`file: path: "spend.ndjson"`, `format: "csv", file: path: "spend.csv"`}, {"stage: spend: {", `stage: spend: {state: "add", `, "orders: \"count()\", spent", "orders: \"count()\", tax: \"sum(tax)\", spent"},
		{`"spend.csv"`, `"spend2.csv"`}}},
	{"rows of CSV in a file of JSON", [][]string{{`file: path: "spend.ndjson"`, `format: "csv", file: path: "spend.ndjson"`}}},
	{"CSV under another name", [][]string{{`file: path: "spend.ndjson"`, `format: "csv", file: path: "spend.csv"`}, {"sink: spend", "sink: spending"}, {"sink: spending", "sink: spend", "orders: \"count()\", spent", "number: \"count()\", spent"}}},
}

// TestUpgrade compares what gen says of each change with upgrade/verdicts.txt: what it would print, and how state.lock changes.
func TestUpgrade(t *testing.T) {
	var b strings.Builder
	for _, u := range upgrades {
		fmt.Fprintf(&b, "=== %s\n", u.name)
		dir := t.TempDir()
		spec := upgraded
		upgradeTo(t, dir, spec)
		for _, step := range u.steps {
			for i := 0; i < len(step); i += 2 {
				if !strings.Contains(spec, step[i]) {
					t.Fatalf("%s: %q is not in the spec", u.name, step[i])
				}
				if strings.HasPrefix(step[i], "\t//") {
					spec = strings.Replace(spec, step[i], step[i+1], 1)
				} else {
					spec = strings.ReplaceAll(spec, step[i], step[i+1])
				}
			}
			before, _ := os.ReadFile(filepath.Join(dir, gen.LockFile))
			after, said := upgradeTo(t, dir, spec)
			if said == "" {
				said = "(nothing)\n"
			}
			b.WriteString(said)
			if after != nil {
				b.Write(lockDiff(before, after))
			}
		}
	}
	file := filepath.Join("upgrade", "verdicts.txt")
	if runtimetest.Update() {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Errorf("%s is not what gen says, from line %d on; run go test ./golden -run TestUpgrade -update, and read the difference: %v", file, firstDifference(want, []byte(b.String())), err)
	}
}

// upgradeTo holds a spec against the state.lock in dir, and writes the new one. There is none when gen would stop.
func upgradeTo(t *testing.T, dir, text string) (lock []byte, said string) {
	t.Helper()
	name := filepath.Join(dir, "upgraded.cue")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w, found := load.Load([]string{dir})
	if len(found) > 0 {
		t.Fatal(diag.Render(found, w.Source))
	}
	pkg, found := check.Check(w)
	if len(found) > 0 {
		t.Fatal(diag.Render(found, w.Source))
	}
	l, notes, found, err := gen.Upgrade(dir, pkg)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		for i := range found {
			found[i].Pos.File = filepath.Base(found[i].Pos.File)
		}
		return nil, diag.Render(found, func(string) []byte { return []byte(text) })
	}
	files, err := gen.Generate(pkg, l)
	if err != nil {
		t.Fatal(err)
	}
	last := files[len(files)-1]
	if last.Name != gen.LockFile {
		if err := os.Remove(filepath.Join(dir, gen.LockFile)); err != nil {
			t.Fatal(err)
		}
		last.Data = nil
	} else if err := os.WriteFile(filepath.Join(dir, gen.LockFile), last.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	if len(notes) > 0 {
		said = strings.Join(notes, "\n") + "\n"
	}
	return last.Data, said
}

// lockDiff are the lines of a lock that have come and gone.
func lockDiff(before, after []byte) []byte {
	var lines []byte
	for line := range strings.Lines(string(gen.Diff("", []gen.Change{{Name: gen.LockFile, Old: before, New: after}}))) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---") {
			lines = append(lines, line...)
		}
	}
	return lines
}

// TestUpgradeOrderOfID: the parts of an id keep the order of state.lock, so that the code, and with it the bytes of the state, are the same in whatever order the spec has them.
func TestUpgradeOrderOfID(t *testing.T) {
	dir := t.TempDir()
	code := func(text string) string {
		upgradeTo(t, dir, text)
		w, _ := load.Load([]string{dir})
		pkg, _ := check.Check(w)
		lock, _, found, err := gen.Upgrade(dir, pkg)
		if err != nil || len(found) > 0 {
			t.Fatal(err, found)
		}
		files, err := gen.Generate(pkg, lock)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range files {
			for line := range strings.Lines(string(f.Data)) {
				if strings.HasSuffix(f.Name, ".go") && !strings.HasSuffix(f.Name, "_test.go") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
					all.WriteString(line)
				}
			}
		}
		return all.String()
	}
	before := code(upgraded)
	if after := code(strings.Replace(upgraded, `["id", "shop"]`, `["shop", "id"]`, 1)); after != before {
		t.Errorf("the code is another from line %d on", firstDifference([]byte(before), []byte(after)))
	}
	if err := os.Remove(filepath.Join(dir, gen.LockFile)); err != nil {
		t.Fatal(err)
	}
	if anew := code(strings.Replace(upgraded, `["id", "shop"]`, `["shop", "id"]`, 1)); anew == before {
		t.Error("without a state.lock the order is that of the spec")
	}
}
