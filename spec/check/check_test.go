package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// try loads and checks a spec.
func try(t *testing.T, text string) (*spec.Package, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "spec.cue")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w, found := load.Load([]string{file})
	var p *spec.Package
	if len(found) == 0 {
		p, found = Check(w)
	}
	return p, diag.Render(found, w.Source)
}

// accept is try for a spec that is correct.
func accept(t *testing.T, text string) *spec.Package {
	t.Helper()
	p, errors := try(t, text)
	if errors != "" {
		t.Fatal(errors)
	}
	return p
}

// with is a spec whose event has these fields and "at", and whose pipeline has these stages and sinks.
func with(fields, nodes string) string {
	return "package x\n\nimport \"github.com/streamwright/streamwright/spec\"\n\n#E: {\n" + fields + "\n\tat!: spec.#Timestamp\n}\n\npipeline: p: spec.#Pipeline & {\n" +
		"\tsource: in: {file: path: \"in.ndjson\", format: \"json\", event: #E, time: {field: \"at\", out_of_orderness: \"0s\"}}\n" + nodes + "\n}\n"
}

const toStdout = `	sink: out: {from: "in", stdout: {}}`

func TestAccepted(t *testing.T) {
	for _, dir := range []string{"../../golden/bench/w1", "testdata/orders"} {
		w, found := load.Load([]string{dir})
		if len(found) == 0 {
			_, found = Check(w)
		}
		if len(found) > 0 {
			t.Errorf("%s:\n%s", dir, diag.Render(found, w.Source))
		}
	}
}

// TestModel looks at the whole model of the example in the design.
func TestModel(t *testing.T) {
	w, _ := load.Load([]string{"testdata/orders"})
	pkg, found := Check(w)
	if len(found) > 0 {
		t.Fatal(diag.Render(found, w.Source))
	}
	if pkg.Name != "orders" || !slices.Equal(pkg.Files, []string{"orders.cue"}) || len(pkg.Structs) != 1 || pkg.Structs[0].Name != "Order" || len(pkg.Pipelines) != 1 {
		t.Fatalf("%+v", pkg)
	}
	p := pkg.Pipelines[0]
	src := p.Sources[0]
	if p.Name != "spend_per_user" || p.File != "orders.cue" || p.Doc[0] != "Counts paid orders and sums their value per user and minute." || src.Event != pkg.Structs[0] ||
		src.MaxRecord != 1<<20 || src.Time.Field.Name != "at" || src.Time.Unit != spec.RFC3339 || src.Time.OutOfOrderness != 5e9 || src.Time.Future != spec.FutureOff {
		t.Errorf("%+v %+v", p, src)
	}
	var fields []string
	for _, f := range src.Event.Fields {
		text := fmt.Sprint(f.Name, " ", f.Type.Kind, " ", f.Type.Nullable, " ", f.Missing, " ", f.Null)
		for _, c := range f.Checks {
			text += fmt.Sprint(" ", c.Op, " ", c.Text)
		}
		fields = append(fields, text)
	}
	want := []string{`order_id 4 false 0 false 4 !=""`, `user_id 4 false 0 false`, `status 4 false 0 false 7 "open" | "paid" | "void"`, `amount_cents 2 false 0 false 3 >=0`, `at 5 false 0 false`, `note 4 true 1 true`}
	if !slices.Equal(fields, want) {
		t.Errorf("fields\n%s", strings.Join(fields, "\n"))
	}
	if doc := src.Event.Fields[0].Doc; !slices.Equal(doc, []string{"Identifier given by the shop; the same on every redelivery."}) {
		t.Errorf("doc %q", doc)
	}
	once, spend := p.Stages[1], p.Stages[2]
	if d := once.Dedup; d.By[0].Name != "order_id" || d.Horizon != 600e9 || d.Spread != 0 || d.Late.Policy != spec.LateSideOutput || d.PassNoID || once.Out != src.Event || once.InFrom != "orders" {
		t.Errorf("%+v %+v", once, d)
	}
	if v := spend.Window; v.Size != 60e9 || v.Offset != 0 || v.Key[0] != src.Event.Fields[1] || len(v.Calls) != 3 || len(v.Aggregates) != 3 || spend.In != src.Event {
		t.Errorf("%+v", v)
	}
	var columns []string
	for _, f := range spend.Out.Fields {
		columns = append(columns, fmt.Sprint(f.Name, " ", f.Type.Kind))
	}
	if spend.Out.Name != "spend_per_user.spend" || !slices.Equal(columns, []string{"window_start 5", "window_end 5", "user_id 4", "orders 2", "spent_cents 2", "basket 3"}) {
		t.Errorf("%s: %q", spend.Out.Name, columns)
	}
	totals, late := p.Sinks[0], p.Sinks[1]
	if totals.In != spend.Out || totals.InFrom != "spend" || totals.Target.Path != "totals.ndjson" || totals.Target.Write != spec.WriteWhole || late.In != src.Event || late.InFrom != "orders" ||
		late.From[0].String() != "once.late" || late.From[1].String() != "spend.late" {
		t.Errorf("%+v %+v", totals, late)
	}
	if d := p.DeadLetter; d.Target.Path != "dead.ndjson" || d.StopShare != 0.5 || d.StopOf != 1000 {
		t.Errorf("%+v", d)
	}
}

// TestContract compiles one field of every kind.
func TestContract(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{`a!: string`, `string`},
		{`a: string`, `string`},
		{`a?: string`, `string missing:null`},
		{`a!: string | null`, `string null`},
		{`a: string | null`, `string missing:null null`},
		{`a?: null | string`, `string missing:null null`},
		{`a!: bool`, `bool`},
		{`a!: true | false`, `bool`},
		{`a!: int`, `int`},
		{`a!: number`, `double`},
		{`a!: float`, `double`},
		{`a!: >=0.5 & <1e3`, `double >=0.5 <1000`},
		{`a!: int & >=0 & <10 & !=5`, `int >=0 <10 !=5`},
		{`a!: int & >0.5 & <=2.5 & !=1.5`, `int >0 <=2`},
		{`a!: int & <0.5 & >=-1.5`, `int <=0 >-2`},
		{`a!: uint8`, `int >=0 <=255`},
		{`a!: int64`, `int`},
		{`a!: uint64`, `int >=0`},
		{`a!: int & !=9223372036854775808`, `int`},
		{`a!: string & !="" & =~"^a" & !~"b$"`, `string !="" =~"^a" !~"b$"`},
		{`a!: (string | null) & !=null`, `string`},
		{`a!: "x" | "y"`, `string ["x" "y"]`},
		{`a!: #Colour`, `string ["red" "green"]`},
		{`a!: #Colour | null`, `string null ["red" "green"]`},
		{`a!: #Colour & !="red"`, `string ["green"]`},
		{`a!: 1 | -2 | 3`, `int [1 -2 3]`},
		{`a!: 1 | 2.5`, `double [1 2.5]`},
		{`a!: "only"`, `string ["only"]`},
		{`a: "only"`, `string ["only"] default:"only"`},
		{`a: *"x" | string`, `string default:"x"`},
		{`a: *"x" | "y"`, `string ["x" "y"] default:"x"`},
		{`a: int | *5 | null`, `int null default:5`},
		{`a: (int & >0) | *7`, `int >0 default:7`},
		{`a: *null | int`, `int missing:null null`},
		{`a: *true | bool`, `bool default:true`},
		{`a: *0.5 | number`, `double default:0.5`},
		{`a!: #Id`, `string !=""`},
		{`a!: _hidden`, `int >=3`},
		{`a!: int & >=_least`, `int >=3`},
		{`a!: spec.#Timestamp`, `time:1`},
		{`a!: spec.#Timestamp & >="1970-01-01T00:00:01Z"`, `time:1 >=1000000000`},
		{`a!: spec.#Timestamp & !="1969-12-31T23:59:59.5Z"`, `time:1 !=-500000000`},
		{`a: spec.#Timestamp | *"1970-01-01T01:00:00+01:00"`, `time:1 default:0`},
		{`a?: spec.#UnixSeconds & >1.5`, `time:2 missing:null >1500000000`},
		{`a!: spec.#UnixMillis & <2 | null`, `time:3 null <2000000`},
		{`a!: spec.#UnixMicros`, `time:4`},
		{`a!: spec.#UnixNanos & >=0`, `time:5 >=0`},
		{`a!: #When`, `time:3 >=0`},
		{`a!: [...string]`, `[string]`},
		{`a?: [...int & >0] | null`, `[int] missing:null null >0`},
		{`a!: [...spec.#Timestamp]`, `[time:1]`},
		{`a!: [..."x" | "y"]`, `[string] ["x" "y"]`},
		{`a!: #Address`, `{Address: city string}`},
		{`a?: #Address | null`, `{Address: city string} missing:null null`},
		{`a!: {city!: string, zip?: int & >0}`, `{E.a: city string, zip int missing:null >0}`},
		{`a!: {#Address, zip!: int}`, `{E.a: city string, zip int}`},
		{`a!: #Address & {city!: !=""}`, `{E.a: city string !=""}`},
		{`"a b.c"!: string`, `string`},
		{`a!: float64`, `double`},
		{`a!: float32 & >=0`, `double >=-3.4028234663852886e+38 <=3.4028234663852886e+38 >=0`},
		{`a!: 1 | 1.0 | 2`, `double [1 2]`},
		{`a!: #Colour & #Colour`, `string ["red" "green"]`},
		{`a!: {"red", #number: 1} | {"blue", #number: 2}`, `string ["red" "blue"]`},
		{`a!: string & >="b" & <"d"`, `string >="b" <"d"`},
		{`a!: strings.MinRunes(2) & strings.MaxRunes(4) & =~"^a"`, `string min2 max4 =~"^a"`},
		{`a: *"xx" | strings.MinRunes(2)`, `string min2 default:"xx"`},
		{`a!: time.Time & >="1970-01-01T00:00:01Z" | null`, `time:1 null >=1000000000`},
		{`a!: bytes`, `bytes`},
		{`a?: spec.#Bytes & !='' & <'\xff' | null`, `bytes missing:null null !="" <"\xff"`},
		{`a: 'x' | *'y\x00'`, `bytes ["x" "y\x00"] default:"y\x00"`},
		{`a!: spec.#Decimal @scale(2)`, `decimal2`},
		{`a?: spec.#Decimal & >=0 & <0.005 & !=0.001 & >-1e3 | null @scale(2)`, `decimal2 missing:null null >=0 <=0 >-100000`},
		{`a!: spec.#Decimal & >=0.101 & <=9 @scale( 1 )`, `decimal1 >1 <=90`},
		{`a!: spec.#Decimal & <1e18 @scale(2)`, `decimal2`},
		{`a!: spec.#Decimal & (0.1 | 0.10 | 2) @scale(2)`, `decimal2 [10 200]`},
		{`a: spec.#Decimal | *1.5 @scale(3)`, `decimal3 default:1500`},
		{`a: spec.#Decimal & >=1 | *1.5 @scale(3)`, `decimal3 >=1000 default:1500`},
		{`a!: #Price`, `decimal2 >=0`},
		{`a!: #Price & <=10 @scale(2)`, `decimal2 >=0 <=1000`},
		{`a!: [...#Price]`, `[decimal2] >=0`},
		{`a!: [...spec.#Decimal] @scale(4)`, `[decimal4]`},
		{`a!: [...string] & list.MinItems(1) & list.MaxItems(3)`, `[string] items:min1 items:max3`},
		{`a?: null | ([...string] & list.MinItems(1))`, `[string] missing:null null items:min1`},
		{`a: list.MaxItems(3) & [...(string & !="")] | null`, `[string] missing:null null !="" items:max3`},
		{`a!: [...int] & [_, _, ...]`, `[int] items:min2`},
		{`a!: [...#Address]`, `[{Address: city string}]`},
		{`a?: [...{x!: int & >0, y: [...{z?: spec.#Bytes}] | null}]`, `[{E.a: x int >0, y [{E.a.y: z bytes missing:null}] missing:null null}] missing:null`},
		{`a!: {x!: int, ...}`, `{E.a: x int}`},
		{`a!: close({x!: int})`, `{E.a: x int}`},
		{`a!: close({x!: int}) | null`, `{E.a: x int} null`},
	} {
		text := with("\t"+c.field, toStdout)
		for _, pkg := range []string{"list", "strings", "time"} {
			if strings.Contains(c.field, pkg+".") {
				text = strings.Replace(text, "import ", "import \""+pkg+"\"\nimport ", 1)
			}
		}
		pkg, errors := try(t, text+`
#Price: spec.#Decimal & >=0 @scale(2)
#Colour: "red" | "green"
#Id: #Text
#Text: string & !=""
#When: spec.#UnixMillis & >=0
#Address: city!: string
_hidden: int & >=_least
_least: 3
`)
		if errors != "" {
			t.Errorf("%s:\n%s", c.field, errors)
			continue
		}
		if got := describe(pkg.Pipelines[0].Sources[0].Event.Fields[0]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.field, got, c.want)
		}
	}
}

// describe writes a compiled field in short.
func describe(f *spec.Field) string {
	var name func(t *spec.Type) string
	name = func(t *spec.Type) string {
		switch t.Kind {
		case spec.Timestamp:
			return fmt.Sprint("time:", f.Time)
		case spec.Decimal:
			return fmt.Sprint("decimal", t.Scale)
		case spec.List:
			return "[" + name(t.Elem) + "]"
		case spec.Object:
			var parts []string
			for _, inner := range t.Struct.Fields {
				parts = append(parts, inner.Name+" "+describe(inner))
			}
			return "{" + t.Struct.Name + ": " + strings.Join(parts, ", ") + "}"
		}
		return [...]string{spec.Bool: "bool", spec.Int: "int", spec.Double: "double", spec.String: "string", spec.Bytes: "bytes"}[t.Kind]
	}
	text := name(f.Type)
	if f.Missing == spec.MissingNull {
		text += " missing:null"
	}
	if f.Null {
		text += " null"
	}
	if f.Type.Nullable != (f.Null || f.Missing == spec.MissingNull) {
		text += " NULLABLE?"
	}
	constant := func(v spec.Value) string {
		switch v.Kind {
		case spec.Int, spec.Timestamp, spec.Decimal:
			return fmt.Sprint(v.Int)
		case spec.Double:
			return fmt.Sprint(v.Double)
		case spec.Bool:
			return fmt.Sprint(v.Bool)
		}
		return fmt.Sprintf("%q", v.String)
	}
	operators := map[spec.CheckOp]string{spec.CheckLess: "<", spec.CheckLessEqual: "<=", spec.CheckGreater: ">", spec.CheckGreaterEqual: ">=", spec.CheckNotEqual: "!=",
		spec.CheckMatch: "=~", spec.CheckNotMatch: "!~", spec.CheckMinRunes: "min", spec.CheckMaxRunes: "max"}
	for _, c := range f.Checks {
		if c.Op == spec.CheckOneOf {
			var all []string
			for _, v := range c.Values {
				all = append(all, constant(v))
			}
			text += " [" + strings.Join(all, " ") + "]"
			continue
		}
		text += " " + operators[c.Op] + constant(c.Value)
	}
	for _, c := range f.Items {
		text += " items:" + operators[c.Op] + constant(c.Value)
	}
	if f.Default != nil {
		text += " default:" + constant(*f.Default)
	}
	return text
}

// TestHorizon is SEMANTICS 27.
func TestHorizon(t *testing.T) {
	const stages = `	stage: once: {from: "in", dedup: {by: ["id"], horizon: "HORIZON", SPREAD late: policy: "side_output"}}
	stage: again: {from: "once", dedup: {by: ["id"], horizon: "100h", late: policy: "side_output"}}
	stage: some: {from: ["again", "again.late"], filter: "id != ''"}
	stage: minutes: {from: "some", window: {tumbling: "1m", aggregate: n: "count()", late: policy: "side_output"}}
	stage: hours: {from: "minutes", window: {tumbling: "1h", aggregate: n: "sum(n)", late: policy: "drop"}}
	stage: days: {from: LATE, window: {tumbling: "24h", aggregate: n: "count()", late: policy: "drop"}}
	sink: out: {from: ["hours"], stdout: {}}
	sink: d: {from: ["days"], stdout: {}}
	sink: late: {from: ["once.late", "minutes.late"], stdout: {}}
`
	const bare = `	stage: once: {from: "in", dedup: {by: ["id"], horizon: "HORIZON", SPREAD late: policy: "drop"}}
	sink: out: {from: "once", stdout: {}}
`
	for _, c := range []struct{ nodes, late, horizon, spread, want string }{
		{stages, `"once.late"`, "1m", "", ""},
		{stages, `"once.late"`, "59s", "", "at least 1m,"},
		{stages, `"once.late"`, "1m5s", "5s", ""},
		{stages, `"once.late"`, "1m4.999999999s", "5s", "at least 1m5s,"},
		{stages, `"minutes.late"`, "24h", "", ""},
		{stages, `"minutes.late"`, "23h59m59s", "", "at least 24h,"},
		{stages, `"again.late"`, "23h", "", "at least 24h,"},
		{bare, "", "5.000000001s", "5s", ""},
		{bare, "", "5s", "5s", "more than spread, 5s"},
		{bare, "", "1ns", "", ""},
		{stages, `"once.late"`, "1m", "2562047h47m16s", "at least 2562047h47m16.854775807s"},
	} {
		if c.spread != "" {
			c.spread = fmt.Sprintf("spread: %q,", c.spread)
		}
		_, errors := try(t, with("\tid!: string", strings.NewReplacer("HORIZON", c.horizon, "SPREAD", c.spread, "LATE", c.late).Replace(c.nodes)))
		if (errors == "") != (c.want == "") || !strings.Contains(errors, c.want) {
			t.Errorf("horizon %s, spread %s, days read %s: %s", c.horizon, c.spread, c.late, errors)
		}
	}
}

// TestOrder sorts stages that are written against the arrows.
func TestOrder(t *testing.T) {
	p := accept(t, with("\tid!: string", `	stage: d: {from: ["b", "c"], filter: "id != 'd'"}
	stage: c: {from: "a", filter: "id != 'c'"}
	stage: b: {from: "a", filter: "id != 'b'"}
	stage: a: {from: "in", filter: "id != 'a'"}
	stage: z: {from: "in", filter: "id != 'z'"}
	sink: out: {from: ["d", "z"], stdout: {}}
`)).Pipelines[0]
	var order string
	for _, s := range p.Order {
		order += s.Name
	}
	if order != "acbdz" {
		t.Error(order)
	}
}

// TestNames takes every name that a field, column or node can have.
func TestNames(t *testing.T) {
	names := []string{"type", "func", "range", "len", "nil", "_", "__", "_id", "T", "Event", "Pipeline", "user_id", "userId", "user-id", "user id", "user.id", "1st", "+1", "$v", "名前", "éclair",
		"a\u200bb", "ab", "😀", "a\"b", "a`b", "a\\", "a\nb", "*/ var X = 1 /*", "%s", "{{.Secret}}", "${HOME}", "\u2028", "a\u0000b", strings.Repeat("x", 200)}
	var fields, stages strings.Builder
	for i, name := range names {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&fields, "\t%s?: int\n", quoted)
		if strings.Contains(name, ".") {
			continue
		}
		fmt.Fprintf(&stages, "\tstage: %s: {from: \"in\", window: {tumbling: \"1m\", key: [%s], aggregate: {c%d: \"count()\"}, late: policy: \"side_output\"}}\n", quoted, quoted, i)
		fmt.Fprintf(&stages, "\tsink: %s: {from: %s, stdout: {}}\n\tsink: l%d: {from: %s + \".late\", stdout: {}}\n", quoted, quoted, i, quoted)
	}
	p := accept(t, with(fields.String(), stages.String())).Pipelines[0]
	for i, f := range p.Sources[0].Event.Fields[:len(names)] {
		if f.Name != names[i] {
			t.Errorf("field %d is %q, want %q", i, f.Name, names[i])
		}
	}
}

// TestStructs lists each definition once, outer before inner, and keeps apart what has one name.
func TestStructs(t *testing.T) {
	p := accept(t, strings.Replace(with("\ta!: #A\n\tb?: #A | null\n\tc!: x!: #A\n\tf!: #E.#c\n\t#c: {y!: int}", toStdout), "pipeline:", "#A: {d!: #B}\n#B: {e!: int}\npipeline:", 1))
	var names []string
	for _, s := range p.Structs {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"E", "A", "B", "E.c", "E.c_2"}) {
		t.Errorf("%q", names)
	}
}

func TestTime(t *testing.T) {
	source := func(fields, time, more string) string {
		return "package x\nimport \"github.com/streamwright/streamwright/spec\"\npipeline: p: spec.#Pipeline & {source: in: {file: path: \"-\", format: \"json\", event: {" + fields + "}, time: {" + time + "}" + more +
			"}, sink: out: {from: \"in\", file: {path: \"${DIR:-a}/b\", write: \"append\"}}, dead_letter: {file: path: \"d\", stop_when: {share: 1, of: 10}}}\n"
	}
	p := accept(t, source("t!: int", `field: "t", unit: "unix_us", out_of_orderness: "1h30m", future: "2s", end_of_input: "flush"`, ", max_record: 64Ki")).Pipelines[0]
	s := p.Sources[0]
	if s.Time.Unit != spec.UnixMicros || s.Time.OutOfOrderness != 5400e9 || s.Time.Future != 2e9 || s.MaxRecord != 65536 || s.Event.Name != "p.in" || s.Path != "-" {
		t.Errorf("%+v", s)
	}
	if p.Sinks[0].Target.Write != spec.WriteAppend || p.DeadLetter.StopShare != 1 || p.DeadLetter.StopOf != 10 {
		t.Errorf("%+v %+v", p.Sinks[0], p.DeadLetter)
	}
	if p := accept(t, source("t!: spec.#UnixSeconds", `field: "t", out_of_orderness: "0s", future: "off"`, "")).Pipelines[0]; p.Sources[0].Time.Unit != spec.UnixSeconds || p.Sources[0].Time.Future != spec.FutureOff {
		t.Errorf("%+v", p.Sources[0])
	}
}

// TestSharedTargets lets two pipelines append to one file, and two sinks write standard output.
func TestSharedTargets(t *testing.T) {
	text := with("\tid!: string", `	sink: a: {from: "in", stdout: {}}
	sink: b: {from: "in", stdout: {}}
	dead_letter: file: {path: "dead.ndjson", write: "append"}
`)
	_, pipeline, _ := strings.Cut(text, "pipeline: p:")
	p := accept(t, text+"pipeline: q:"+pipeline)
	if len(p.Pipelines) != 2 || len(p.Structs) != 1 || p.Pipelines[0].Sources[0].Event != p.Pipelines[1].Sources[0].Event {
		t.Errorf("%+v", p)
	}
	if _, errors := try(t, text+"pipeline: q:"+strings.Replace(pipeline, `"append"`, `"whole"`, 1)); !strings.Contains(errors, `"append" in both`) {
		t.Error(errors)
	}
}

func TestSpan(t *testing.T) {
	for ns, want := range map[int64]string{0: "0s", 1: "1ns", 60e9: "1m", 3600e9: "1h", 5400e9: "1h30m", 3601e9: "1h0m1s", 600e9: "10m", 36000e9: "10h"} {
		if got := span(ns); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
}

func TestDurationHint(t *testing.T) {
	hints := map[string]string{"10": `"10s"`, "1d": `"24h"`, "2 weeks": `"336h"`, "0": `"0s"`, "1.5d": `"36h"`, "5x": "units are", "": "a number", "10 m": `"10m"`, "9999999h": "292 years"}
	for _, text := range slices.Sorted(maps.Keys(hints)) {
		if got := durationHint(text); !strings.Contains(got, hints[text]) {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestMany finds mistakes of all kinds in one run, one message each.
func TestMany(t *testing.T) {
	_, errors := try(t, with("\tid!: string\n\tbad!: int | string", `	stage: a: {from: "im", filter: "id = ''"}
	stage: b: {from: "in", dedup: {by: ["idd"], horizon: "5", late: policy: "side_output"}}
	sink: out: {from: ["a", "b"], file: path: ""}
`))
	if n := strings.Count(errors, "^\n"); n != 5 {
		t.Errorf("%d messages:\n%s", n, errors)
	}
}
