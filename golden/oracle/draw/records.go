package draw

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/golden/oracle"
)

// stream makes the records of one input.
type stream struct {
	*rand.Rand
	*Spec
}

// Records draws a stream of about n records: a file for the source of the spec.
func (s *Spec) Records(seed uint64, n int) []byte {
	r := &stream{rand.New(rand.NewPCG(seed, s.Seed)), s}
	at := (&stream{rand.New(rand.NewPCG(seed%1000, s.Seed+1)), s}).start() // those of several sources begin at one time
	spread := pick(r.Rand, 0, s.Bound, s.Bound+s.base, 3*s.Bound+8*s.base) // how far records come behind their place
	grain := pick(r.Rand, 1, 1, s.base/2, s.base/4)                        // coarse ones are often at the edge of something
	var lines []string
	for len(lines) < n {
		at = add(at, r.Int64N(s.base/4+1))
		if r.chance(3) {
			at = add(at, r.Int64N(40*s.base))
		}
		t := at
		switch {
		case spread > 0:
			t = add(at, -r.Int64N(spread+1))
		case r.chance(10):
			t = at / s.base * s.base // an edge of windows
		}
		t = t / grain * grain
		if r.chance(5) {
			t = add(t, pick[int64](r.Rand, 1, -1))
		}
		if r.chance(1) && r.chance(30) {
			t = add(at, pick(r.Rand, 30*s.base, 2000*s.base, -2000*s.base))
		}
		lines = append(lines, r.line(t))
		if r.chance(15) { // a copy, or what looks like one
			lines = append(lines, lines[max(0, len(lines)-1-r.IntN(12))])
		}
	}
	return r.file(lines)
}

// Orders draws one stream in two orders: by event time, and disordered within the bound. No two of its different records have one time.
func (s *Spec) Orders(seed uint64, n int) (ordered, disordered []byte) {
	r := &stream{rand.New(rand.NewPCG(seed, s.Seed)), s}
	at := r.start()
	type event struct {
		line  string
		place int64
	}
	var events []event
	for len(events) < n {
		at = add(at, r.unit()*(1+r.Int64N(s.base/4/r.unit()+1)))
		if r.chance(3) {
			at = add(at, r.Int64N(40)*s.base/r.unit()*r.unit())
		}
		line := r.line(at)
		for range 1 + r.IntN(10)/9 {
			events = append(events, event{line, at})
		}
	}
	lines := func() (all []string) {
		for _, e := range events {
			all = append(all, e.line)
		}
		return all
	}
	header := r.header()
	ordered = []byte(header + strings.Join(lines(), "\n") + "\n")
	for i := range events {
		events[i].place = add(events[i].place, r.Int64N(s.Bound+1))
	}
	slices.SortStableFunc(events, func(a, b event) int { return int(min(max(a.place-b.place, -1), 1)) })
	return ordered, []byte(header + strings.Join(lines(), "\n") + "\n")
}

func (r *stream) chance(percent int) bool { return r.IntN(100) < percent }

// add is a + b within int64.
func add(a, b int64) int64 {
	switch sum := a + b; {
	case b > 0 && sum < a:
		return 1<<63 - 1
	case b < 0 && sum > a:
		return -1 << 63
	default:
		return sum
	}
}

// start is where the stream begins.
func (r *stream) start() int64 {
	begin := time.Date(2023, 12, 31, 23, 58, 0, 0, time.UTC).UnixNano()
	if r.Calm {
		return begin / r.unit() * r.unit()
	}
	switch r.IntN(12) {
	case 0, 1:
		return -30 * r.base
	case 2:
		return -1<<63 + r.Int64N(5*r.base)
	case 3:
		return add(1<<63-1, -20*r.base)
	}
	return begin
}

// unit is the shortest step of the event time, ns.
func (r *stream) unit() int64 {
	if r.Spec.unit != "" {
		return map[string]int64{"unix_s": second, "unix_ms": second / 1000, "unix_us": 1000, "unix_ns": 1}[r.Spec.unit]
	}
	return 1
}

// line is one record, or what should be one.
func (r *stream) line(at int64) string {
	if r.format == "csv" {
		return r.csv(at)
	}
	var members []string
	for _, f := range r.event.fields {
		if v := r.value(f, at); v != "" {
			name := strconv.Quote(f.name)
			if r.chance(1) {
				name = ""
				for i, c := range f.name {
					if i == 0 {
						name = fmt.Sprintf(`"\u%04x`, c)
					} else {
						name += string(c)
					}
				}
				name += `"`
			}
			members = append(members, name+r.space()+":"+r.space()+v)
		}
	}
	if r.chance(10) {
		members = append(members, pick(r.Rand, `"other":{"a":[1,{"t":null}],"a":2}`, `"more":"\ud83d\ude00"`, `"x":-1.5e-7`, `"deep":[[[[[]]]]]`))
	}
	if r.chance(15) {
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	if r.chance(1) && len(members) > 0 {
		members = append(members, pick(r.Rand, members...))
	}
	line := "{" + r.space() + strings.Join(members, r.space()+",") + "}" + r.space()
	switch {
	case r.chance(2):
		line = r.broken(line)
	case r.max > 0 && r.chance(5):
		line = strings.TrimRight(line, "} ") + `,"long":"` + strings.Repeat("é", r.IntN(r.max)) + `"}`
	}
	return line
}

func (r *stream) space() string {
	if r.chance(3) {
		return pick(r.Rand, " ", "\t", "  ")
	}
	return ""
}

// broken is no record any more, or a blank line. The last ways may give another record, or depend on where the line stands.
func (r *stream) broken(line string) string {
	ways := 9
	if r.Calm {
		ways = 7
	}
	switch r.IntN(ways) {
	case 0:
		return line[:r.IntN(max(len(line)-2, 1))]
	case 1:
		return line + "}"
	case 2:
		return "[" + line + "]"
	case 3:
		return ""
	case 4:
		return " \t"
	case 5:
		return strings.Replace(line, "\"", "\"\xff", 1+r.IntN(2))
	case 6:
		return strings.Replace(line, "\"", "\"\\ud800", 2)
	case 7:
		return "\ufeff" + line
	}
	i := r.IntN(len(line))
	return line[:i] + pick(r.Rand, "\x01", "0", "\"", "\\", ",", "-", ".") + line[i+1:]
}

// value is the JSON of a field: most often one that keeps the contract; "" when it is missing.
func (r *stream) value(f *field, at int64) string {
	switch {
	case f == r.event.time && r.Calm:
		return r.time(at)
	case r.chance(1) && r.chance(50):
		return pick(r.Rand, "null", "1", `"1"`, "true", "[]", "{}", "1.5", "-1e400", "1e400", "123456789012345678901234567890", `"zz"`, "0.001", "[null]", `["a",1]`, `{"x":"y"}`, "99999999999999999999.5", `"2024-13-01T00:00:00Z"`, `"9999-12-31T23:59:59Z"`)
	case f == r.event.time:
		return r.time(at)
	case f.missing && r.chance(25), f.dflt && r.chance(40), r.chance(1) && r.chance(30):
		return ""
	case f.null && r.chance(25):
		return "null"
	}
	if f.name == "id" && r.chance(60) { // most ids come once
		if f.kind == text && r.chance(95) && slices.Contains(f.values, `"fifteen bytes b"`) {
			return fmt.Sprintf(`"%s%d"`, pick(r.Rand, "", "", "a longer id, number "), r.IntN(1000))
		}
		if f.kind == whole && slices.Contains(f.values, "12") {
			return strconv.Itoa(r.IntN(1000))
		}
	}
	return pick(r.Rand, f.values...)
}

// time writes the event time in the form of its field.
func (r *stream) time(at int64) string {
	form := r.event.time.values[0]
	units := map[string]int64{"UnixSeconds": second, "UnixMillis": second / 1000, "UnixMicros": 1000, "UnixNanos": 1}
	switch form {
	case "int":
		return strconv.FormatInt(at/r.unit(), 10)
	case "Timestamp":
		t := time.Unix(0, at).UTC()
		if r.chance(5) {
			t = t.In(time.FixedZone("", pick(r.Rand, 3600, -12*3600, 5*3600+1800)))
		}
		return `"` + t.Format(time.RFC3339Nano) + `"`
	}
	unit := units[form]
	sign, whole, rest := "", at/unit, at%unit
	if at < 0 {
		sign, whole, rest = "-", -whole, -rest
	}
	if rest == 0 {
		return fmt.Sprintf("%s%d", sign, uint64(whole))
	}
	return fmt.Sprintf("%s%d.%0*d", sign, uint64(whole), len(strconv.FormatInt(unit, 10))-1, rest)
}

func (r *stream) header() string {
	if r.format != "csv" {
		return ""
	}
	return strings.Join(r.columns, ",") + "\n"
}

// csv is one row.
func (r *stream) csv(at int64) string {
	var cells []string
	for _, name := range r.columns {
		i := slices.IndexFunc(r.event.fields, func(f *field) bool { return f.name == name })
		cell := "other"
		if i >= 0 {
			cell = r.value(r.event.fields[i], at)
			if cell == "null" {
				cell = ""
			}
			if s, err := strconv.Unquote(cell); err == nil {
				cell = s
			}
		}
		if strings.ContainsAny(cell, ",\"\r\n") || r.chance(5) {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		cells = append(cells, cell)
	}
	row := strings.Join(cells, ",")
	if r.chance(2) {
		ways := 6
		if r.Calm { // the last ways may give another record, or swallow what follows
			ways = 3
		}
		switch r.IntN(ways) {
		case 0:
			return row + ",more"
		case 1:
			return strings.Replace(row, ",", ",\xff", 1)
		case 3:
			return strings.TrimRight(row, "abc0123456789,")
		case 4:
			return strings.Replace(row, ",", "\",", 1)
		case 5:
			return strings.Replace(row, ",", ",\"x\"y", 1)
		}
		return ""
	}
	return row
}

// file joins the lines in one of the ways that files have.
func (r *stream) file(lines []string) []byte {
	var b bytes.Buffer
	if r.chance(10) {
		b.WriteString("\ufeff")
	}
	b.WriteString(r.header())
	end := "\n"
	if r.chance(20) {
		end = "\r\n"
	}
	for i, line := range lines {
		b.WriteString(line)
		if i+1 < len(lines) || r.chance(80) {
			b.WriteString(end)
		}
	}
	return b.Bytes()
}

// Silences are those of stream i, whose first input has n records; none where inputs are never idle.
func (s *Spec) Silences(i uint64, n int) (silences []oracle.Silence) {
	if !s.idle {
		return nil
	}
	r := rand.New(rand.NewPCG(s.Seed, 3000+i))
	input := r.IntN(2)
	for at := r.IntN(n / 4); at < n; {
		end := at + 1 + r.IntN(n/3)
		silences = append(silences, oracle.Silence{Input: input, Beside: 1 - input, From: at, Until: end})
		at = end + 1 + r.IntN(n/4)
	}
	return silences
}
