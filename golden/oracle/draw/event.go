package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// drawEvent draws the event: a definition of CUE.
func (d *drawer) drawEvent() string {
	d.event = &shape{maker: "in"}
	csv := d.chance(15)
	if csv {
		d.format = "csv"
	}
	var lines []string
	at := &field{name: "t", kind: moment}
	form := pick(d.Rand, "Timestamp", "Timestamp", "Timestamp", "UnixMillis", "UnixSeconds", "UnixMicros", "UnixNanos", "int")
	line := `t!: spec.#` + form
	if form == "int" {
		line, d.unit = "t!: int", pick(d.Rand, "unix_s", "unix_ms", "unix_us", "unix_ns")
		at.kind = whole
	}
	at.values = []string{form}
	d.event.time = at
	lines = append(lines, line)
	all := []*field{at}
	add := func(name string, of kind) {
		f, text := d.member(name, of)
		all, lines = append(all, f), append(lines, text)
	}
	add("id", pick(d.Rand, text, text, whole))
	add("k", pick(d.Rand, text, text, text, whole, boolean, decimal, double))
	add("v", pick(d.Rand, whole, whole, decimal, double))
	odd := []string{"type", "range", "a b", "x-y", "string", "e", "p", "r", "s", "key", "size", "package", "A", "at", "_b"}
	d.Shuffle(len(odd), func(i, j int) { odd[i], odd[j] = odd[j], odd[i] })
	strange := d.chance(25)
	for i := range d.IntN(5) {
		of := pick(d.Rand, whole, double, text, boolean, moment, decimal, octets, wholes, texts, object, objects)
		if csv && !plain(&field{kind: of}) {
			of = text
		}
		name := fmt.Sprintf("f%d", i)
		if strange {
			name = odd[i]
		}
		add(name, of)
	}
	d.Shuffle(len(all), func(i, j int) { all[i], all[j], lines[i], lines[j] = all[j], all[i], lines[j], lines[i] })
	d.event.fields = all
	if csv {
		for _, f := range all {
			d.columns = append(d.columns, f.name)
		}
		if d.chance(30) {
			d.columns = append(d.columns, "other")
		}
		d.Shuffle(len(d.columns), func(i, j int) { d.columns[i], d.columns[j] = d.columns[j], d.columns[i] })
	}
	return "#Event: {\n\t" + strings.Join(lines, "\n\t") + "\n}\n"
}

// Texts of every length that matters to keys, some alike.
var someTexts = []string{`"a"`, `"b"`, `"c"`, `""`, `"fifteen bytes b"`, `"fifteen bytes and more: a"`, `"fifteen bytes and more: b"`, `"ü€😀"`, `"q\"\\\n\t"`, `"x,y"`,
	`"00000000-0000-4000-8000-00000000000a"`, `"\u00e9"`, `"A b"`}

// member draws a field and its contract. Of a kind there are a few contracts, each with values that keep it.
func (d *drawer) member(name string, of kind) (*field, string) {
	f := &field{name: name, kind: of}
	type contract struct {
		text   string
		dflt   string
		values []string
	}
	small := []string{"0", "1", "2", "3", "-1", "7", "1.0", "2e0", "-0", "12"}
	var choices []contract
	switch of {
	case whole:
		choices = []contract{
			{"int", "5", append(small, "9223372036854775807", "-9223372036854775808", "4611686018427387904", "1e3")},
			{"int & >=0 & <=20", "3", []string{"0", "1", "2", "20", "13"}},
			{"int & !=0", "1", []string{"1", "2", "-3"}},
			{"1 | 2 | 3", "2", []string{"1", "2", "3"}},
			{"int & >-10", "-1", small},
		}
	case double:
		numbers := []string{"0.5", "1.25", "-2.5", "3", "0", "-0.0", "100.75"}
		choices = []contract{
			{"number & >=-10", "0.5", numbers},
			{"number", "1.5", numbers},
		}
		if !d.Calm { // where the order of a sum shows in its last bits
			choices = append(choices, contract{"float", "1.5", append(numbers, "0.1", "0.2", "1e16", "-1e16", "1e300", "1.7e308", "1e-300", "5e-324", "1e-400", "123456789.987654321")})
		}
	case text:
		choices = []contract{
			{"string", `"a"`, someTexts},
			{`string & !=""`, `"b"`, []string{`"a"`, `"b"`, `"fifteen bytes and more: a"`, `"é"`}},
			{`"a" | "b" | "c"`, `"c"`, []string{`"a"`, `"b"`, `"c"`, `"\u0061"`}},
			{`=~"^[a-z]*[0-9]?$"`, `"z9"`, []string{`"a"`, `"b7"`, `""`}},
			{`string & _atLeast`, `"dd"`, []string{`"a"`, `"€"`, `"abc"`}},
			{`string & <"m"`, `"l"`, []string{`"a"`, `""`, `"lz"`}},
		}
	case boolean:
		choices = []contract{{"bool", "true", []string{"true", "false"}}}
	case moment:
		choices = []contract{
			{"spec.#Timestamp", "", []string{`"2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:01.5+02:00"`, `"1969-12-31t23:59:59.999999999z"`, `"2024-02-29T12:00:00Z"`}},
			{"spec.#UnixMillis", "", []string{"0", "-1", "1704067200000", "1704067200000.25", "1.7e12"}},
		}
	case decimal:
		f.scale = pick(d.Rand, 2, 2, 0, 4)
		choices = []contract{{fmt.Sprintf("spec.#Decimal @scale(%d)", f.scale), "", []string{"0", "1", "2", "-3", "10", "1e2", "700"}}}
		if f.scale > 0 {
			choices[0].values = append(choices[0].values, "0.5", "1.10", "-0.1", "12.3e-1", "99999999999999.9")
		}
	case octets:
		choices = []contract{{"spec.#Bytes", "", []string{`""`, `"YQ=="`, `"w6k="`, `"/+8="`}}}
	case wholes:
		choices = []contract{{"[...int]", "", []string{"[]", "[1]", "[3,1,2]", "[0,0]"}}, {"[...int & <10]", "", []string{"[]", "[9]", "[-3,1]"}}}
	case texts:
		choices = []contract{{"[...string]", "", []string{"[]", `["a"]`, `["b","a","ü"]`}}}
	case object:
		f.inner = []*field{{name: "x", kind: whole}, {name: "y", kind: text, nullable: true}}
		choices = []contract{{"{x!: int, y?: string}", "", []string{`{"x":1}`, `{"x":2,"y":"q"}`, `{"y":"","x":-3}`, `{"x":4,"z":null}`}}}
	}
	if of == objects {
		choices = []contract{{"[...{x!: int, y?: string}]", "", []string{"[]", `[{"x":1}]`, `[{"x":2,"y":"q"},{"y":"","x":-3}]`, `[{"x":0,"z":1}]`}}}
	}
	label := strconv.Quote(name)
	c := pick(d.Rand, choices...)
	f.values = c.values
	mark, null, attribute := "!", "", ""
	if before, after, ok := strings.Cut(c.text, " @"); ok {
		c.text, attribute = before, " @"+after
	}
	switch n := d.IntN(10); {
	case n < 2:
		mark, f.missing, f.nullable = "?", true, true
	case n == 2:
		null, f.null, f.nullable = " | null", true, true
	case n == 3:
		mark, null, f.missing, f.null, f.nullable = "?", " | null", true, true, true
	case n == 4 && c.dflt != "" && attribute == "":
		f.dflt, mark = true, ""
		return f, fmt.Sprintf("%s: *%s | (%s)", label, c.dflt, c.text)
	}
	if null != "" && strings.ContainsAny(c.text, "&") {
		c.text = "(" + c.text + ")"
	}
	return f, label + mark + ": " + c.text + null + attribute
}
