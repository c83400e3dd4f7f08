package expr

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/expr/cases"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
)

var (
	randomSeeds = flag.Int("seeds", 1, "how many programs of random expressions TestRandom compiles")
	randomSeed  = flag.Uint64("seed", 1, "the first of their seeds")
	randomCount = flag.Int("count", 300, "how many expressions a program has")
)

// TestRandom makes expressions at random, by types, and runs TestAgainstCEL over them: it replaces the cases and their Go code by an overlay.
func TestRandom(t *testing.T) {
	if cases.Random {
		t.Skip("these are the random expressions")
	}
	if testing.Short() {
		t.Skip("compiles a program")
	}
	for seed := *randomSeed; seed < *randomSeed+uint64(*randomSeeds); seed++ {
		texts, exprs := randomExprs(seed, *randomCount)
		code, err := cases.Evaluator(texts, exprs).Source()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var list strings.Builder
		list.WriteString("package cases\n\n// Random says that the expressions were made at random.\nconst Random = true\n\n// Exprs are the expressions.\nvar Exprs = []string{\n")
		for _, text := range texts {
			list.WriteString(strconv.Quote(text) + ",\n")
		}
		list.WriteString("}\n")
		dir := t.TempDir()
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		overlay := map[string]map[string]string{"Replace": {}}
		for name, text := range map[string]string{"expr_gen.go": string(code), "cases/exprs.go": list.String()} {
			file := filepath.Join(dir, filepath.Base(name))
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay["Replace"][filepath.Join(here, filepath.FromSlash(name))] = file
		}
		replace, err := json.Marshal(overlay)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "overlay.json"), replace, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "test", "-overlay", filepath.Join(dir, "overlay.json"), "-vet=off", "-count=1", "-run", "^(TestAgainstCEL|TestNoAllocations)$", ".").CombinedOutput()
		if err != nil {
			t.Errorf("seed %d: %v\n%.20000s", seed, err, out)
		}
	}
}

// randomExprs makes n expressions that the language accepts.
func randomExprs(seed uint64, n int) (texts []string, exprs []*spec.Expr) {
	m := &maker{r: rand.New(rand.NewPCG(seed, 40))}
	known := map[string]bool{}
	for len(texts) < n {
		kinds := []string{"bool", "bool", "bool", "int", "double", "string", "bytes", "time", "duration", "decimal", "ints", "strings", "doubles"}
		text := m.make(kinds[m.r.IntN(len(kinds))], 2+m.r.IntN(3))
		if len(text) > 400 || known[text] {
			continue
		}
		known[text] = true
		if e, _ := celexpr.Row(text, cases.Row, func(offset int) spec.Place { return spec.Place{Pos: diag.Pos{Line: 1, Col: offset}} }); e != nil {
			texts, exprs = append(texts, text), append(exprs, e)
		}
	}
	return texts, exprs
}

// maker makes expressions by their types.
type maker struct {
	r     *rand.Rand
	items []item // of the loops around
}

// item is the element of a loop.
type item struct{ name, kind string }

// leaves are the expressions without a part. Those that may be null are left out where null is not ours as it is cel-go's: in the elements of lists.
var leaves = map[string][]string{
	"bool":     {"b", "c", "true", "false", "bits[0]", "w != 0", "v > 0", "v < 10", "w >= 1", "amount > 10"},
	"int":      {"v", "w", "amount", "0", "1", "2", "-1", "5", "10", "-3", "9223372036854775807", "-9223372036854775808", "nums[0]", "nums[1]", "items[0].qty"},
	"double":   {"d", "x", "0.0", "1.0", "2.5", "-0.5", "1e300", "home.geo.lat", "marks[0]", "items[0].price"},
	"string":   {"s", "u", "'a'", "'paid'", "''", "'é😀a'", "home.city", "tags[0]", "items[0].sku", "'1'"},
	"bytes":    {"y", "b'a'", "b'\\xff'", "b''", "blobs[0]"},
	"time":     {"t", "z", "times[0]", "timestamp('2024-05-01T12:00:00.25Z')", "timestamp(0)"},
	"duration": {"duration('90s')", "duration('-1h')", "duration('0.5s')", "duration('2562047h')"},
	"decimal":  {"m", "k", "decimal('1.25')", "decimal('-3.01')", "decimal('0.55')"},
	"ints":     {"nums", "items[0].sizes", "[1, 2, 3]"},
	"doubles":  {"marks", "[0.5, -2.0]"},
	"strings":  {"tags", "['a', 'é', '']"},
}

// nullLeaves may be null.
var nullLeaves = map[string][]string{
	"bool": {"flag"}, "int": {"n"}, "double": {"r", "work.geo.alt", "home.geo.alt"}, "string": {"note", "home.zip", "work.zip", "items[0].hint"}, "bytes": {"raw"}, "time": {"seen"}, "decimal": {"fee"}, "ints": {"more"},
}

// tests are the bools that look at null.
var tests = []string{
	"n == null", "n != null", "has(event.note)", "has(event.work)", "has(work.geo)", "has(work.geo.alt)", "note == null", "r != null", "has(event.more)", "work != null", "has(items[0].hint)", "fee != null", "raw == null", "flag == b", "n == v",
	"n in nums", "note in tags", "fee in [m]", "seen == t", "r == d", "work.city == 'x'", "n in [v, 1]", "n > 0", "n != 0",
}

func (m *maker) pick(of []string) string { return of[m.r.IntN(len(of))] }

// forms are the ways to make each kind: {int} stands for a part of that kind, {+int:ints} opens a loop over ints whose element is then an int.
var forms = map[string][]string{
	"bool": {
		"({bool} && {bool})", "({bool} && {bool})", "({bool} || {bool})", "({bool} || {bool})", "!{bool}", "({bool} ? {bool} : {bool})", "({int} < {int})", "({int} >= {int})", "({int} == {int})", "({int} != {int})", "({double} < {double})",
		"({double} <= {double})", "({double} == {double})", "({string} == {string})", "({string} < {string})", "({string} != {string})", "({bytes} == {bytes})", "({bytes} < {bytes})", "({time} < {time})", "({time} == {time})", "({duration} > {duration})",
		"({decimal} < {decimal})", "({decimal} == {decimal})", "({decimal} >= {decimal})", "({bool} == {bool})", "({bool} < {bool})", "({int} in {ints})", "({int} in [{int}, {int}])", "({string} in <'a': 1, 'x': 2>)", "({string} in {strings})", "({double} in {doubles})",
		"{string}.startsWith({string})", "{string}.endsWith({string})", "{string}.contains({string})", "{string}.matches('[a-z]+|^$')", "{ints}.exists({+int}, {bool})", "{ints}.all({+int}, {bool})", "{ints}.exists_one({+int}, {bool})",
		"{strings}.exists({+string}, {bool})", "{strings}.all({+string}, {bool})", "{doubles}.exists({+double}, {bool})", "items.exists({+item}, {bool})", "items.all({+item}, {bool})", "times.exists({+time}, {bool})", "({ints} == {ints})", "({strings} != {strings})",
		"({doubles} == {doubles})", "math.isNaN({double})", "math.isInf({double})", "math.isFinite({double})", "bool({string})",
	},
	"int": {
		"({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} / {int})", "({int} % {int})", "-({int})", "({bool} ? {int} : {int})", "size({string})", "size({bytes})", "size({ints})", "size({strings})", "int({double})", "int({string})", "int({duration})", "int({time})",
		"{ints}[{int}]", "{string}.indexOf({string})", "{string}.indexOf({string}, {int})", "{string}.lastIndexOf({string})", "{string}.lastIndexOf({string}, {int})", "math.greatest({int}, {int})", "math.least({int}, {int}, {int})", "math.greatest({ints})", "math.least({ints})",
		"math.abs({int})", "math.sign({int})", "<'a': {int}, 'paid': {int}>[{string}]", "<0: {int}, 1: {int}, 5: {int}>[{int}]", "math.bitAnd({int}, {int})", "math.bitOr({int}, {int})", "math.bitXor({int}, {int})", "math.bitNot({int})", "math.bitShiftLeft({int}, {int})", "math.bitShiftRight({int}, {int})", "{time}.getHours()", "{time}.getFullYear('Europe/Berlin')",
		"{time}.getMinutes('-03:30')", "{time}.getDayOfYear()", "{time}.getDate('Asia/Tokyo')", "{time}.getMonth()", "{time}.getDayOfWeek('+12:45')", "{duration}.getHours()", "{duration}.getMinutes()", "{duration}.getSeconds()", "{duration}.getMilliseconds()", "{time}.getMilliseconds()",
	},
	"double": {
		"({double} + {double})", "({double} - {double})", "({double} * {double})", "({double} / {double})", "-({double})", "({bool} ? {double} : {double})", "double({int})", "double({string})", "double({decimal})", "{doubles}[{int}]", "math.greatest({double}, {double})",
		"math.least({double}, {double}, {double})", "math.greatest({doubles})", "math.abs({double})", "math.sign({double})", "math.ceil({double})", "math.floor({double})", "math.round({double})", "math.trunc({double})", "math.sqrt({double})", "math.sqrt({int})",
	},
	"string": {
		"({string} + {string})", "<true: {string}, false: {string}>[{bool}]", "({bool} ? {string} : {string})", "string({int})", "string({double})", "string({bool})", "string({bytes})", "string({decimal})", "string({duration})", "{strings}[{int}]", "{string}.charAt({int})", "{string}.substring({int})", "{string}.substring({int}, {int})",
		"{string}.replace({string}, {string})", "{string}.replace({string}, {string}, {int})", "{string}.lowerAscii()", "{string}.upperAscii()", "{string}.trim()", "{string}.reverse()", "{strings}.join()", "{strings}.join({string})",
	},
	"bytes":    {"({bytes} + {bytes})", "bytes({string})", "({bool} ? {bytes} : {bytes})"},
	"time":     {"({time} + {duration})", "({time} - {duration})", "({bool} ? {time} : {time})", "timestamp({int})"},
	"duration": {"({time} - {time})", "({duration} + {duration})", "({duration} - {duration})", "duration({string})", "({bool} ? {duration} : {duration})"},
	"decimal":  {"({decimal} + {decimal})", "({decimal} - {decimal})", "-({decimal})", "({bool} ? {decimal} : {decimal})", "[{decimal!}, {decimal!}][{int}]"},
	"ints": {
		"[{int!}, {int!}]", "({ints} + {ints})", "({bool} ? {ints} : {ints})", "{ints}.filter({+int}, {bool})", "{ints}.map({+int}, {int!})", "{ints}.map({+int}, {bool}, {int!})", "{strings}.map({+string}, {int!})", "items.map({+item}, {int!})",
		"items.map({+item}, {bool}, {int!})", "items.filter({+item}, {bool}).map(i, i.qty)",
	},
	"strings": {"[{string!}, {string!}]", "({strings} + {strings})", "{strings}.filter({+string}, {bool})", "{strings}.map({+string}, {string!})", "{ints}.map({+int}, {string!})", "{string}.split({string})", "{string}.split({string}, {int})", "items.map({+item}, i.sku)"},
	"doubles": {"[{double!}, {double!}]", "({doubles} + {doubles})", "{doubles}.filter({+double}, {bool})", "{doubles}.map({+double}, {double!})", "{ints}.map({+int}, {bool}, {double!})", "items.map({+item}, {double!})"},
}

// braces are those of maps; < and > that are operators have a space behind.
var braces = strings.NewReplacer("< ", "< ", "<= ", "<= ", "> ", "> ", ">= ", ">= ", "<", "{", ">", "}")

// make makes an expression of a kind, with parts in parts as deep as depth. A kind that ends in ! is never null, as far as its leaves go.
func (m *maker) make(kind string, depth int) string {
	kind, whole := strings.CutSuffix(kind, "!")
	if depth == 0 || m.r.IntN(8) == 0 {
		return m.leaf(kind, whole)
	}
	form := m.pick(forms[kind])
	before := len(m.items)
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(form, "{")
		b.WriteString(braces.Replace(text))
		if !found {
			break
		}
		part, rest, _ := strings.Cut(rest, "}")
		form = rest
		if of, loop := strings.CutPrefix(part, "+"); loop {
			name := fmt.Sprintf("e%d", len(m.items))
			if of == "item" && m.r.IntN(2) == 0 {
				name = "i"
			}
			m.items = append(m.items, item{name, of})
			b.WriteString(name)
			form = strings.ReplaceAll(form, "i.sku", name+".sku")
			continue
		}
		if whole && !strings.HasSuffix(part, "!") && (strings.HasPrefix(form, " :") || strings.HasSuffix(b.String(), ": ") || strings.HasSuffix(b.String(), "(")) {
			part += "!"
		}
		b.WriteString(m.make(part, depth-1))
	}
	m.items = m.items[:before]
	return b.String()
}

func (m *maker) leaf(kind string, whole bool) string {
	if m.r.IntN(2) == 0 { // the element of a loop
		var of []string
		for _, i := range m.items {
			switch {
			case i.kind == kind:
				of = append(of, i.name)
			case i.kind == "item":
				switch kind {
				case "int":
					of = append(of, i.name+".qty")
				case "double":
					of = append(of, i.name+".price")
				case "ints":
					of = append(of, i.name+".sizes")
				case "bool":
					of = append(of, "has("+i.name+".hint)", i.name+".hint == s", "has("+i.name+".maker)", i.name+".maker.land == u", i.name+".maker == null")
				case "string":
					of = append(of, i.name+".sku")
					if !whole {
						of = append(of, i.name+".hint", i.name+".maker.land")
					}
				}
			}
		}
		if len(of) > 0 {
			return m.pick(of)
		}
	}
	if kind == "bool" && m.r.IntN(2) == 0 {
		return "(" + m.pick(tests) + ")"
	}
	if null := nullLeaves[kind]; !whole && len(null) > 0 && m.r.IntN(4) == 0 {
		return m.pick(null)
	}
	return m.pick(leaves[kind])
}
