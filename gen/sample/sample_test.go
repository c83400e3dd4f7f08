package sample

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

func kind(k spec.Kind) *spec.Type { return &spec.Type{Kind: k} }

// shop is a pipeline with an event of every type: a dedup by id and a window per user over what a select makes.
func shop() *spec.Pipeline {
	item := &spec.Struct{Name: "Item", Fields: []*spec.Field{
		{Name: "sku", Type: kind(spec.String), Checks: []*spec.Check{text(spec.CheckMatch, "^[A-Z]{3}$")}},
		{Name: "price", Type: &spec.Type{Kind: spec.Decimal, Scale: 2}, Checks: []*spec.Check{whole(spec.CheckGreaterEqual, 1), whole(spec.CheckLess, 100_000)}},
	}}
	event := &spec.Struct{Name: "Order", Fields: []*spec.Field{
		{Name: "id", Type: kind(spec.String)},
		{Name: "user", Type: kind(spec.String)},
		{Name: "at", Type: kind(spec.Timestamp), Time: spec.RFC3339},
		{Name: "state", Type: kind(spec.String), Missing: spec.MissingDefault, Checks: []*spec.Check{{Op: spec.CheckOneOf, Text: `"open" | "paid"`, Values: []spec.Value{{String: "open"}, {String: "paid"}}}}},
		{Name: "level", Type: kind(spec.Int), Checks: []*spec.Check{{Op: spec.CheckOneOf, Values: []spec.Value{{Int: 1}, {Int: 2}, {Int: 30}}}, whole(spec.CheckLess, 10)}},
		{Name: "share", Type: kind(spec.Double), Checks: []*spec.Check{float(spec.CheckGreaterEqual, 0), float(spec.CheckLessEqual, 1)}},
		{Name: "note", Type: &spec.Type{Kind: spec.String, Nullable: true}, Missing: spec.MissingNull, Null: true, Checks: []*spec.Check{text(spec.CheckNotEqual, "")}},
		{Name: "blob", Type: kind(spec.Bytes), Checks: []*spec.Check{whole(spec.CheckMinRunes, 1), whole(spec.CheckMaxRunes, 4)}},
		{Name: "rush", Type: kind(spec.Bool)},
		{Name: "sent", Type: kind(spec.Timestamp), Time: spec.UnixSeconds},
		{Name: "items", Type: &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: spec.Object, Struct: item}}, Items: []*spec.Check{whole(spec.CheckMinRunes, 1), whole(spec.CheckMaxRunes, 3)}},
	}}
	source := &spec.Source{Name: "orders", Format: "json", Event: event, Time: spec.Time{Field: event.Fields[2], Unit: spec.RFC3339, OutOfOrderness: 5e9, Future: spec.FutureOff}, MaxRecord: 1 << 20}
	who := &spec.Struct{Fields: []*spec.Field{{Name: "who", Type: kind(spec.String)}}}
	return &spec.Pipeline{Name: "shop", Sources: []*spec.Source{source}, Stages: []*spec.Stage{
		{Name: "once", In: event, Out: event, Dedup: &spec.Dedup{By: event.Fields[:1], Horizon: 60e9}},
		{Name: "short", In: event, Out: who, Select: &spec.Select{Columns: []*spec.Column{{Name: "who", Expr: &spec.Expr{Op: spec.OpField, Type: kind(spec.String), Path: event.Fields[1:2]}}}}},
		{Name: "count", In: who, Window: &spec.Window{Size: 60e9, Key: who.Fields}},
	}}
}

func config(events int) Config {
	return Config{Events: events, Seed: 3, Rate: 100, Start: NoStart, Disorder: AsDeclared, Keys: 100}
}

// lines makes all records.
func lines(t *testing.T, p *spec.Pipeline, c Config) []string {
	t.Helper()
	g, err := New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := g.Write(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

type order struct {
	ID, User, State string
	At              time.Time
	Level           int
	Note            *string
	Blob            []byte
	Rush            *bool
	Sent            json.Number
	Items           []struct {
		SKU   string
		Price json.Number
	}
}

func read(t *testing.T, line string) (o order) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return o
}

func TestValues(t *testing.T) {
	users, ids := map[string]int{}, map[string]bool{}
	var absent, null, there, noState int
	for _, line := range lines(t, shop(), config(5000)) {
		o := read(t, line)
		ids[o.ID] = true
		users[o.User]++
		switch {
		case o.Note != nil:
			there++
		case strings.Contains(line, `"note":null`):
			null++
		default:
			absent++
		}
		if o.State == "" {
			noState++
		}
		if o.Level != 1 && o.Level != 2 || o.Rush == nil || len(o.Blob) < 1 || len(o.Blob) > 4 || len(o.Items) < 1 || len(o.Items) > 3 {
			t.Fatal(line)
		}
		for _, item := range o.Items {
			if len(item.SKU) != 3 || strings.ToUpper(item.SKU) != item.SKU || !strings.Contains(item.Price.String(), ".") {
				t.Fatal(line)
			}
		}
		if sent := units(t, o.Sent.String(), 9); sent > o.At.UnixNano() || sent < o.At.UnixNano()-int64(time.Hour)-1e6 {
			t.Fatal(line)
		}
	}
	if len(ids) != 5000 {
		t.Errorf("%d ids", len(ids))
	}
	if users["user-1"] < 3*5000/100 || users["user-1"] < users["user-30"] || len(users) < 50 || len(users) > 100 {
		t.Errorf("%d users, the first %d times", len(users), users["user-1"])
	}
	if there < 4000 || absent < 100 || null < 100 || noState < 300 {
		t.Errorf("a note is there %d times, missing %d times and null %d times; no state: %d", there, absent, null, noState)
	}
}

func TestOrder(t *testing.T) {
	const n = 20_000
	c := config(n)
	c.Late, c.Duplicates = 0.02, 0.05
	var newest time.Time
	known := map[string]time.Time{}
	var late, copies, disorder int
	for i, line := range lines(t, shop(), c) {
		o := read(t, line)
		watermark := newest.Add(-5 * time.Second)
		if first, again := known[line]; again {
			if copies++; !first.Add(time.Minute).After(watermark) {
				t.Fatalf("record %d is a copy of one that is forgotten: %s", i, line)
			}
			continue
		}
		known[line] = o.At
		if i > 0 && o.At.Before(watermark) {
			late++
			continue
		}
		if o.At.Before(newest) {
			disorder++
		}
		if o.At.After(newest) {
			newest = o.At
		}
		due := time.Unix(0, DefaultStart).Add(time.Duration(i) * 10 * time.Millisecond)
		if o.At.After(due) || o.At.Before(due.Add(-5*time.Second)) {
			t.Fatalf("record %d is due at %v: %s", i, due, line)
		}
	}
	if late < n/50*8/10 || late > n/50*12/10 || copies < n/20*9/10 || copies > n/20*11/10 || disorder < n/2 {
		t.Errorf("%d late, %d copies, %d out of order", late, copies, disorder)
	}
	c.Late, c.Duplicates, c.Disorder = 0, 0, 0
	var last time.Time
	for _, line := range lines(t, shop(), c) {
		if o := read(t, line); o.At.Before(last) {
			t.Fatalf("%s is out of order", line)
		} else {
			last = o.At
		}
	}
}

func TestFaults(t *testing.T) {
	p := shop()
	c := config(2000)
	c.Broken = 1
	g, err := New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for range c.Events {
		line, err := g.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		kinds[g.fault.kind]++
		var members map[string]json.RawMessage
		valid := json.Unmarshal(line, &members) == nil && bytes.Count(line, []byte(`"id"`)) == 1 && !bytes.Contains(line, []byte(`\ud800`)) &&
			!bytes.Contains(line, []byte("\xff")) && members != nil
		if g.fault.kind == "json" && valid || g.fault.kind != "json" && g.fault.kind != "missing" && !valid {
			t.Fatalf("%s: %s", g.fault.kind, line)
		}
	}
	for _, kind := range []string{"json", "missing", "null", "type", "enum", "bound", "pattern", "time", "base64"} {
		if kinds[kind] < 100 {
			t.Errorf("%s: %d times", kind, kinds[kind])
		}
	}
}

func TestCSV(t *testing.T) {
	p := shop()
	s := p.Sources[0]
	s.Format = "csv"
	s.Event.Fields = s.Event.Fields[:len(s.Event.Fields)-1] // rows have no lists
	c := config(1000)
	all := strings.Join(lines(t, p, c), "\n")
	rows, err := csv.NewReader(strings.NewReader(all)).ReadAll()
	if err != nil || len(rows) != 1001 || strings.Join(rows[0], ",") != "id,user,at,state,level,share,note,blob,rush,sent" {
		t.Fatal(len(rows), rows[0], err)
	}
	for _, row := range rows[1:] {
		if row[0] == "" || row[6] == "" {
			t.Fatalf("%q", row)
		}
	}
	c.Broken = 1
	reader := csv.NewReader(strings.NewReader(strings.Join(lines(t, p, c), "\n")))
	reader.FieldsPerRecord = -1
	if rows, err = reader.ReadAll(); err != nil || len(rows) != 1001 {
		t.Fatal(len(rows), err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*spec.Pipeline, *Config)
		want   string
	}{
		{"text", func(p *spec.Pipeline, _ *Config) {
			f := p.Sources[0].Event.Fields[1]
			f.Pos = diag.Pos{File: "shop.cue", Line: 7, Col: 2}
			f.Checks = []*spec.Check{{Op: spec.CheckMatch, Value: spec.Value{String: "^a"}, Text: `=~"^a"`}, {Op: spec.CheckMatch, Value: spec.Value{String: "^b"}, Text: `=~"^b"`}}
		}, `shop.cue:7:2: user: no value keeps =~"^a" & =~"^b"`},
		{"text between", func(p *spec.Pipeline, _ *Config) {
			p.Sources[0].Event.Fields[1].Checks = []*spec.Check{ordered(">=", "d"), ordered("<", "b")}
		}, `user: no value keeps >=d & <b`},
		{"bytes between", func(p *spec.Pipeline, _ *Config) {
			p.Sources[0].Event.Fields[7].Checks = []*spec.Check{ordered(">", "\xff"), ordered("<", "\xff\x00")}
		}, "blob: no value keeps >\xff & <\xff\x00"},
		{"element", func(p *spec.Pipeline, _ *Config) {
			f := p.Sources[0].Event.Fields[1]
			f.Type = &spec.Type{Kind: spec.List, Elem: kind(spec.String)}
			f.Checks = []*spec.Check{ordered("<", "b"), ordered("=~", "^c")}
		}, "user: no value keeps <b & =~^c"},
		{"large", func(p *spec.Pipeline, _ *Config) {
			p.Sources[0].Event.Fields[1].Checks = []*spec.Check{{Op: spec.CheckMatch, Value: spec.Value{String: "a.{40}$"}, Text: `=~"a.{40}$"`}}
		}, `user: no values can be made for =~"a.{40}$": they need too large an automaton: use simpler patterns`},
		{"choice", func(p *spec.Pipeline, _ *Config) {
			f := p.Sources[0].Event.Fields[4]
			f.Checks[0].Text, f.Checks[1].Text = "1 | 2 | 30", "<1"
			f.Checks[1].Value.Int = 1
		}, "level: no value keeps 1 | 2 | 30 & <1"},
		{"two at once", func(p *spec.Pipeline, _ *Config) {
			items := p.Sources[0].Event.Fields[10]
			items.Items = []*spec.Check{{Op: spec.CheckMinRunes, Value: spec.Value{Int: 2}, Text: "list.MinItems(2)"}, {Op: spec.CheckMaxRunes, Value: spec.Value{Int: 1}, Text: "list.MaxItems(1)"}}
			items.Type.Elem.Struct.Fields[1].Checks = []*spec.Check{{Op: spec.CheckLess, Value: spec.Value{Int: 1}, Text: "<0.01"}, {Op: spec.CheckGreater, Text: ">0"}}
		}, "items: no value keeps list.MinItems(2) & list.MaxItems(1)\nitems.price: no value keeps <0.01 & >0"},
		{"time", func(p *spec.Pipeline, _ *Config) {
			p.Sources[0].Event.Fields[2].Checks = []*spec.Check{{Op: spec.CheckLess, Text: `<"1970-01-01T00:00:00Z"`}, {Op: spec.CheckGreater, Text: `>"1970-01-01T00:00:00Z"`}}
		}, `at: no value keeps <"1970-01-01T00:00:00Z" & >"1970-01-01T00:00:00Z"`},
		{"start", func(p *spec.Pipeline, c *Config) {
			p.Sources[0].Event.Fields[2].Checks = []*spec.Check{whole(spec.CheckLess, 0)}
			c.Start = DefaultStart
		}, "at: a start at 2024-01-01T00:00:00Z is outside of the contract"},
		{"record", func(p *spec.Pipeline, _ *Config) { p.Sources[0].MaxRecord = 100 }, "bytes, more than the source's max_record of 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, config := shop(), config(10)
			c.change(p, &config)
			g, err := New(p, config)
			if err == nil {
				err = g.Write(&bytes.Buffer{})
			}
			if err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
		})
	}
}

// TestElements makes lists whose elements have checks, and breaks each of them.
func TestElements(t *testing.T) {
	list := func(name string, of *spec.Type, checks ...*spec.Check) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.List, Elem: of}, Checks: checks,
			Items: []*spec.Check{whole(spec.CheckMinRunes, 1), whole(spec.CheckMaxRunes, 4)}}
	}
	p := shop()
	s := p.Sources[0]
	s.Event.Fields = append(s.Event.Fields[:3:3], // id, user, at
		list("names", kind(spec.String), ordered(">=", "b"), ordered("<", "d"), ordered("!~", "x"), whole(spec.CheckMaxRunes, 3)),
		list("steps", &spec.Type{Kind: spec.Decimal, Scale: 1}, whole(spec.CheckLess, 1000)),
		list("blobs", kind(spec.Bytes), ordered(">=", "\x01"), ordered("<", "\xf0")),
		list("counts", kind(spec.Int), whole(spec.CheckLessEqual, 50)))
	type record struct {
		Names  []string
		Steps  []json.Number
		Blobs  [][]byte
		Counts []int64
	}
	keeps := func(line string) bool {
		var r record
		if json.Unmarshal([]byte(line), &r) != nil {
			return false
		}
		ok := true
		for _, n := range []int{len(r.Names), len(r.Steps), len(r.Blobs), len(r.Counts)} {
			ok = ok && n >= 1 && n <= 4
		}
		for _, v := range r.Names {
			ok = ok && v >= "b" && v < "d" && !strings.Contains(v, "x") && utf8.RuneCountInString(v) <= 3
		}
		for _, v := range r.Steps {
			number, err := v.Float64()
			ok = ok && err == nil && number < 100 && len(v.String())-strings.IndexByte(v.String(), '.') == 2
		}
		for _, v := range r.Blobs {
			ok = ok && string(v) >= "\x01" && string(v) < "\xf0"
		}
		for _, v := range r.Counts {
			ok = ok && v <= 50
		}
		return ok
	}
	c := config(2000)
	for _, line := range lines(t, p, c) {
		if !keeps(line) {
			t.Fatal(line)
		}
	}
	c.Broken = 1
	g, err := New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]int{}
	for range c.Events {
		line, err := g.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if f := g.fault; f.node != nil && (f.kind == "bound" || f.kind == "pattern") {
			if keeps(string(line)) {
				t.Fatalf("%s of %s: %s", f.kind, f.node.path, line)
			}
			if f.node.parent.kind == spec.List {
				broken[f.node.path]++
			}
		}
	}
	for _, name := range []string{"names", "steps", "blobs", "counts"} {
		if broken[name] == 0 {
			t.Errorf("no element of %s is broken", name)
		}
	}
}

// Keys of running stages are skewed as those of windows are.
func TestRolesOfKeys(t *testing.T) {
	p := shop()
	count := p.Stages[2]
	check := func(stage string) {
		if got := rolesOf(p, p.Sources[0]); got["user"] != key || got["id"] != id || got["note"] != plain {
			t.Errorf("%s: %v", stage, got)
		}
	}
	check("window")
	count.Window, count.Running = nil, &spec.Running{Key: count.Window.Key}
	check("running")
}

// The start follows the contract, and records that would be too large leave out what they can.
func TestFitting(t *testing.T) {
	p := shop()
	at := p.Sources[0].Event.Fields[2]
	at.Checks = []*spec.Check{whole(spec.CheckLess, -1e9), whole(spec.CheckNotEqual, -2e9)}
	p.Sources[0].MaxRecord = 260
	all := lines(t, p, config(1000))
	for _, line := range all {
		if o := read(t, line); o.At.UnixNano() >= -1e9 || o.At.UnixNano() == -2e9 || len(line) > 260 {
			t.Fatal(line)
		}
	}
	if len(all) != 1000 {
		t.Error(len(all))
	}
	at.Checks = []*spec.Check{whole(spec.CheckGreaterEqual, DefaultStart+5e18)}
	if o := read(t, lines(t, p, config(1))[0]); o.At.UnixNano() != DefaultStart+5e18 {
		t.Error(o.At)
	}
}

// An id that has fewer values than there are events repeats, and a note says so.
func TestNotes(t *testing.T) {
	p := shop()
	p.Stages[0].Dedup.By = p.Sources[0].Event.Fields[8:9]
	c := config(1000)
	c.Disorder = int64(time.Minute)
	g, err := New(p, c)
	if err != nil {
		t.Fatal(err)
	}
	want := "the events are up to 1m0s out of order, more than the out_of_orderness of 5s: some are late\nrush of stage once has 2 values: ids repeat"
	if got := strings.Join(g.Notes(), "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkAppend(b *testing.B) {
	c := config(b.N)
	c.Late, c.Duplicates, c.Broken = 0.01, 0.02, 0.005
	g, err := New(shop(), c)
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	for b.Loop() {
		if buf, err = g.Append(buf[:0]); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(buf)))
	}
}
