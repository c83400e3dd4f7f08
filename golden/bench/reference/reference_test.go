package reference_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/naive"
	"github.com/streamwright/streamwright/golden/bench/reference"
)

// TestNaive holds the literal reference against the afternoon's program: written independently, they agree on the whole of W1.
func TestNaive(t *testing.T) {
	for _, long := range []bool{false, true} {
		c := events.Default(200_000)
		c.Long = long
		file := events.Bytes(c)
		want := reference.Run(file)
		var totals, byType, late bytes.Buffer
		stats, err := naive.Run(bytes.NewReader(file), &totals, &byType, &late)
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range []struct {
			name      string
			got, want []byte
		}{{"totals", totals.Bytes(), want.Totals}, {"by_type", byType.Bytes(), want.ByType}, {"late_events", late.Bytes(), want.Late}} {
			if !bytes.Equal(out.got, out.want) || len(out.want) == 0 {
				t.Errorf("%s: naive %d bytes, reference %d bytes", out.name, len(out.got), len(out.want))
			}
		}
		count := func(node, kind, name string) int {
			return int(want.Counts[reference.Count{Node: node, Kind: kind, Name: name}])
		}
		if got := (naive.Stats{
			Records:    count("events", "records", ""),
			Filtered:   count("wanted", "dropped", "filtered"),
			Duplicates: count("once", "dropped", "duplicate"),
			Late:       count("late_events", "in", ""),
			Rows:       count("spend", "out", "") + count("types", "out", ""),
		}); got != stats || len(want.Dead) > 0 {
			t.Errorf("naive %+v, reference %+v and %d dead letters", stats, got, len(want.Dead))
		}
	}
}

// line is an event; fields in the order id, user, type, amount, at.
func line(fields ...string) string {
	return fmt.Sprintf(`{"id":%s,"user":%s,"type":%s,"amount":%s,"at":%s}`+"\n", fields[0], fields[1], fields[2], fields[3], fields[4])
}

func at(id, clock string) string {
	return line(`"`+id+`"`, `"u"`, `"click"`, "1", `"2024-01-01T`+clock+`Z"`)
}

// TestRules has the edges of each rule, worked out by hand.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		file  string
		want  string // counters that are not 0, of the kind and node in question
		nodes string
	}{
		{"a record that closes a window is judged before it closes", at("a", "00:00:10") + at("b", "00:01:05") + at("c", "00:00:59"),
			"spend folded=2 in=3 opened=2 made=2 out=2 closed=2 side=1", "spend"},
		{"one nanosecond before the end the window is open", at("a", "00:00:10") + at("b", "00:01:04.999999999") + at("c", "00:00:59"),
			"spend folded=3 in=3 opened=2 made=2 out=2 closed=2", "spend"},
		{"an entry lives while W < t + horizon", at("a", "00:00:00") + at("x", "00:10:04.999999999") + at("a", "00:10:00"),
			"once in=3 passed=2 dropped/duplicate=1", "once"},
		{"and not when W = t + horizon", at("a", "00:00:00") + at("x", "00:10:05") + at("a", "00:10:00"),
			"once in=3 passed=3", "once"},
		{"a copy that W has passed by the horizon is late, not looked up", at("a", "00:00:00") + at("x", "00:10:05") + at("a", "00:00:00"),
			"once in=3 passed=2 side=1", "once"},
		{"copies do not extend an entry", at("a", "00:00:00") + at("y", "00:09:00") + at("a", "00:09:00") + at("x", "00:10:05") + at("a", "00:10:00"),
			"once in=5 passed=4 dropped/duplicate=1", "once"},
		{"filtered records move W", strings.Replace(at("a", "00:05:00"), "click", "view", 1) + at("b", "00:00:00"),
			"spend in=1 side=1", "spend"},
		{"refused records do not", strings.Replace(at("a", "00:05:00"), `"u"`, `""`, 1) + at("b", "00:00:00"),
			"spend in=1 folded=1 opened=1 closed=1 made=1 out=1", "spend"},
		{"two users, one window", at("a", "00:00:00") + strings.Replace(at("b", "00:00:00"), `"u"`, `"v"`, 1),
			"spend in=2 folded=2 opened=2 closed=1 made=2 out=2", "spend"},
		{"a sum beyond float64 refuses the row", strings.Replace(at("a", "00:00:00"), ":1,", ":1e308,", 1) + strings.Replace(at("b", "00:00:00"), ":1,", ":1e308,", 1),
			"spend in=2 folded=2 opened=1 closed=1 made=1 row_refused/not_finite=1", "spend"},
	} {
		got := reference.Run([]byte(c.file))
		var counts []string
		for k, n := range got.Counts {
			if k.Node == c.nodes {
				name := k.Kind
				if k.Name != "" {
					name += "/" + k.Name
				}
				counts = append(counts, fmt.Sprintf("%s=%d", name, n))
			}
		}
		want := strings.Fields(c.want)[1:]
		slices.Sort(want)
		slices.Sort(counts)
		if !slices.Equal(counts, want) {
			t.Errorf("%s: %v, want %v", c.name, counts, want)
		}
	}
}

// TestRows has whole outputs.
func TestRows(t *testing.T) {
	got := reference.Run([]byte("\uFEFF" +
		line(`"a"`, `"\u00e9\n"`, `"click"`, "0.1", `"1969-12-31T23:59:59.5Z"`) + "\r\n" +
		line(`"b"`, `"\u00e9\n"`, `"purchase"`, "0.2", `"1969-12-31t23:59:00.000000001999z"`) +
		line(`"c"`, `"<>"`, `"click"`, "1e21", `"1970-01-01T05:30:00+05:30"`) +
		line(`"d"`, `"z"`, `"click"`, "-0", `"1970-01-01T00:01:05Z"`) +
		strings.TrimSuffix(line(`"e"`, `"z"`, `"click"`, "5E-7", `"1969-12-31T23:59:59Z"`), "\n")))
	for _, out := range []struct{ name, got, want string }{
		{"totals", string(got.Totals), `{"window_start":"1969-12-31T23:59:00Z","window_end":"1970-01-01T00:00:00Z","user":"é\n","events":2,"total":0.30000000000000004,"mean":0.15000000000000002}
{"window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:01:00Z","user":"<>","events":1,"total":1e+21,"mean":1e+21}
{"window_start":"1970-01-01T00:01:00Z","window_end":"1970-01-01T00:02:00Z","user":"z","events":1,"total":0,"mean":0}
`},
		{"by_type", string(got.ByType), `{"window_start":"1969-12-31T23:59:00Z","window_end":"1970-01-01T00:00:00Z","type":"click","events":1}
{"window_start":"1969-12-31T23:59:00Z","window_end":"1970-01-01T00:00:00Z","type":"purchase","events":1}
{"window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:01:00Z","type":"click","events":1}
{"window_start":"1970-01-01T00:01:00Z","window_end":"1970-01-01T00:02:00Z","type":"click","events":1}
`},
		{"late_events", string(got.Late), `{"id":"e","user":"z","type":"click","amount":5e-7,"at":"1969-12-31T23:59:59Z"}
`},
	} {
		if out.got != out.want {
			t.Errorf("%s:\n%swant\n%s", out.name, out.got, out.want)
		}
	}
}

// TestRefused has one record each that is refused, and why.
func TestRefused(t *testing.T) {
	good := line(`"a"`, `"u"`, `"click"`, "1", `"2024-01-01T00:00:00Z"`)
	for _, c := range []struct{ record, reason string }{
		{good, ""},
		{strings.Replace(good, "{", `{"x":1,"x":[{"id":1,"id":2}],`, 1), ""},
		{strings.Replace(good, "{", `{"x":`+strings.Repeat("[", 511)+strings.Repeat("]", 511)+`,`, 1), ""},
		{strings.Replace(good, "{", `{"x":`+strings.Repeat("[", 512)+strings.Repeat("]", 512)+`,`, 1), "decode"},
		{strings.Replace(good, `"id"`, `"\u0069d"`, 1), ""},
		{strings.Replace(good, "{", `{"\u0069d":"b",`, 1), "decode"},
		{strings.Replace(good, "{", "\uFEFF{", 1) + good, ""}, // at the start of the file
		{"\n" + strings.Replace(good, "{", "\uFEFF{", 1), "decode"},
		{strings.Replace(good, `"u"`, `"\ud800"`, 1), "decode"},
		{strings.Replace(good, `"u"`, "\"\xff\"", 1), "decode"},
		{strings.Replace(good, `"u"`, `""`, 1), "contract:user"},
		{strings.Replace(good, `"u"`, `null`, 1), "contract:user"},
		{strings.Replace(good, `"user"`, `"User"`, 1), "contract:user"},
		{strings.Replace(good, `"click"`, `"buy"`, 1), "contract:type"},
		{strings.Replace(good, `1,"at"`, `"1","at"`, 1), "contract:amount"},
		{strings.Replace(good, `1,"at"`, `-5e-324,"at"`, 1), "contract:amount"},
		{strings.Replace(good, `1,"at"`, `-5e-325,"at"`, 1), ""},
		{strings.Replace(good, `1,"at"`, `1e309,"at"`, 1), "contract:amount"},
		{strings.Replace(good, `1,"at"`, `01,"at"`, 1), "decode"},
		{strings.Replace(good, "2024-01-01T00:00:00Z", "2016-12-31T18:59:60-05:00", 1), ""},
		{strings.Replace(good, "2024-01-01T00:00:00Z", "2016-12-31T18:59:60Z", 1), "contract:at"},
		{strings.Replace(good, "2024-01-01T00:00:00Z", "2023-02-29T00:00:00Z", 1), "contract:at"},
		{strings.Replace(good, "2024-01-01T00:00:00Z", "2262-04-11T23:47:16.854775808Z", 1), "time_range"},
	} {
		reason := ""
		if dead := reference.Run([]byte(c.record)).Dead; len(dead) > 0 {
			reason = dead[0].Reason
		}
		if reason != c.reason {
			t.Errorf("%.200q: refused %q, want %q", c.record, reason, c.reason)
		}
	}
	for _, edge := range []string{"1677-09-21T00:12:43.145224192Z", "2262-04-11T23:47:16.854775807Z"} {
		dead := reference.Run([]byte(strings.Replace(good, "2024-01-01T00:00:00Z", edge, 1))).Dead
		if len(dead) != 2 || dead[0].Stage != "spend" || dead[1].Stage != "types" || dead[0].Reason != "time_range" || dead[1].Reason != "time_range" {
			t.Errorf("%s, whose window is outside int64: %v", edge, dead)
		}
	}
}

// TestAdversarial asserts that the adversarial files meet what they are made for, and that the reference accounts for every row.
func TestAdversarial(t *testing.T) {
	sum := map[reference.Count]uint64{}
	for seed := range int64(100) {
		c := reference.Run(events.Adversarial(seed)).Counts
		for k, n := range c {
			sum[k] += n
		}
		out := func(node string, kinds ...string) (total uint64) {
			for k, n := range c {
				if k.Node == node && slices.Contains(kinds, k.Kind) {
					total += n
				}
			}
			return total
		}
		for _, node := range []string{"wanted", "once", "spend", "types"} {
			if in, rest := out(node, "in"), out(node, "passed", "folded", "side", "dropped", "refused"); in != rest {
				t.Errorf("seed %d, %s: %d rows in, %d accounted for", seed, node, in, rest)
			}
			if made, rest := out(node, "made"), out(node, "out", "row_refused"); made != rest {
				t.Errorf("seed %d, %s: %d rows made, %d accounted for", seed, node, made, rest)
			}
		}
		if records, rest := out("events", "records"), out("events", "out", "refused"); records != rest {
			t.Errorf("seed %d: %d records, %d accounted for", seed, records, rest)
		}
	}
	for _, want := range []reference.Count{
		{"events", "refused", "decode"}, {"events", "refused", "time_range"}, {"events", "refused", "contract:id"}, {"events", "refused", "contract:user"},
		{"events", "refused", "contract:type"}, {"events", "refused", "contract:amount"}, {"events", "refused", "contract:at"},
		{"wanted", "dropped", "filtered"}, {"once", "dropped", "duplicate"}, {"once", "side", ""}, {"spend", "side", ""}, {"types", "dropped", "late"},
		{"spend", "refused", "time_range"}, {"types", "refused", "time_range"}, {"spend", "row_refused", "not_finite"},
	} {
		t.Logf("%v: %d", want, sum[want])
		if sum[want] < 20 {
			t.Errorf("%v: %d in 100 files", want, sum[want])
		}
	}
	t.Logf("records: %d, rows: %d", sum[reference.Count{Node: "events", Kind: "records"}], sum[reference.Count{Node: "totals", Kind: "in"}])
}
