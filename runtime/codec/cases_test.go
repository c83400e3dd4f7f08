package codec

import (
	"bytes"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// item is a record of the cases: when, a required int v, an int r, a string zip. What each field may be the case says.
type item struct {
	at, v, r   int64
	hasV, hasR bool
	zip        string
}

type itemRules struct {
	vNullable bool
	rRequired bool
	time      func(s *Scanner) (int64, stream.Fault)
}

const (
	itemDecode uint16 = iota
	itemAt
	itemV
	itemR
	itemZip
)

func (o *item) decode(rules itemRules, in *stream.Batch, line stream.Str) (field uint16, fault stream.Fault) {
	s := Scan(in, line)
	seen := uint64(0)
	for s.Next() {
		switch string(s.Key()) {
		case "t":
			s.Once(&seen, 1<<0)
			o.at, fault = rules.time(&s)
			s.JudgeTime(itemAt, fault)
		case "v":
			s.Once(&seen, 1<<1)
			if rules.vNullable && s.Null() {
				break
			}
			o.v, fault = s.Int()
			o.hasV = true
			s.Judge(itemV, fault)
		case "r":
			s.Once(&seen, 1<<2)
			o.r, fault = s.Int()
			o.hasR = true
			s.Judge(itemR, fault)
		case "zip":
			s.Once(&seen, 1<<3)
			var zip stream.Str
			zip, fault = s.Str()
			o.zip = in.Text(zip)
			s.Judge(itemZip, fault)
		default:
			s.Skip()
		}
	}
	s.Need(itemAt, seen, 1<<0)
	if !rules.vNullable {
		s.Need(itemV, seen, 1<<1)
	}
	if rules.rRequired {
		s.Need(itemR, seen, 1<<2)
	}
	field, fault, _ = s.End()
	return field, fault
}

// verdict is what becomes of a line: refused for a fault of the record or of a field, or kept.
type verdict struct {
	field uint16
	fault stream.Fault
	item  item
}

// read decodes the records of a file whose first bytes may be a byte-order mark; the source takes that off.
func read(rules itemRules, file string) (got []verdict) {
	data := bytes.TrimPrefix([]byte(file), bom)
	in := &stream.Batch{End: len(data)}
	in.Data = append(data, make([]byte, stream.Padding)...)
	for {
		line, ok := in.Next()
		if !ok {
			return got
		}
		var v verdict
		v.field, v.fault = v.item.decode(rules, in, line)
		if v.fault != 0 {
			v.item = item{}
		}
		got = append(got, v)
	}
}

func refused(field uint16, fault stream.Fault) verdict { return verdict{field: field, fault: fault} }

func compare(t *testing.T, got, want []verdict) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("record %d: field %d, %v, %+v; want field %d, %v, %+v", i+1, got[i].field, got[i].fault, got[i].item, want[i].field, want[i].fault, want[i].item)
		}
	}
}

const second = 1704067201_000000000 // 2024-01-01T00:00:01Z

var strict = itemRules{time: (*Scanner).Time}

// One name twice in an object, also when one of them is written with an escape. Undeclared fields may be doubled, and so may names of another object.
func TestNameTwice(t *testing.T) {
	got := read(strict, `{"t":"2024-01-01T00:00:01Z","v":1,"v":2}
{"t":"2024-01-01T00:00:01Z","v":3}
{"t":"2024-01-01T00:00:01Z","v":4,"\u0076":5}
{"t":"2024-01-01T00:00:01Z","v":6,"extra":{"q":1},"extra":{"q":2}}
{"t":"2024-01-01T00:00:01Z","v":7,"extra":{"v":1}}
`)
	kept := func(v int64) verdict { return verdict{item: item{at: second, v: v, hasV: true}} }
	compare(t, got, []verdict{refused(itemDecode, stream.FaultTwice), kept(3), refused(itemDecode, stream.FaultTwice), kept(6), kept(7)})
}

// Framing: CRLF, blank lines, no last newline, rubbish behind the object, a byte-order mark inside the file.
func TestFraming(t *testing.T) {
	got := read(strict, "\ufeff"+`{"t":"2024-01-01T00:00:01Z","v":1}`+"\r\n"+`{"t":"2024-01-01T00:00:01Z","v":2}`+"\n\r\n  \t\n"+
		`{"t":"2024-01-01T00:00:01Z","v":4} x`+"\n"+
		`{"t":"2024-01-01T00:00:01Z","v":8}{"t":"2024-01-01T00:00:01Z","v":16}`+"\n"+
		"\ufeff"+`{"t":"2024-01-01T00:00:01Z","v":32}`+"\n[1]\n"+`{"t":"2024-01-01T00:00:01Z","v":64}`)
	kept := func(v int64) verdict { return verdict{item: item{at: second, v: v, hasV: true}} }
	compare(t, got, []verdict{
		kept(1), kept(2), refused(itemDecode, stream.FaultTrailing), refused(itemDecode, stream.FaultTrailing), refused(itemDecode, stream.FaultBOM),
		refused(itemDecode, stream.FaultNotObject), kept(64),
	})
}

// Integers: exponents, 2^53+1, the limits; what is not JSON is refused as such.
func TestIntegersOfRecords(t *testing.T) {
	kept := func(v int64) verdict { return verdict{item: item{at: second, v: v, hasV: true}} }
	no := func(fault stream.Fault) verdict { return refused(itemV, fault) }
	bad := func(fault stream.Fault) verdict { return refused(itemDecode, fault) }
	cases := []struct {
		number string
		want   verdict
	}{
		{"9007199254740993", kept(9007199254740993)},
		{"9223372036854775807", kept(9223372036854775807)},
		{"-9223372036854775808", kept(-9223372036854775808)},
		{"9223372036854775808", no(stream.FaultIntRange)},
		{"1e3", kept(1000)},
		{"1.0", kept(1)},
		{"6.6999677E+8", kept(669996770)},
		{"10e-1", kept(1)},
		{"-0", kept(0)},
		{"1.5", no(stream.FaultIntegral)},
		{"1e-1", no(stream.FaultIntegral)},
		{"1e400", no(stream.FaultIntRange)},
		{"9007199254740993.0", kept(9007199254740993)},
		{"1e18", kept(1000000000000000000)},
		{"01", bad(stream.FaultNumber)},
		{"+1", bad(stream.FaultNumber)},
		{".5", bad(stream.FaultNumber)},
		{"1.", bad(stream.FaultNumber)},
		{"0x10", bad(stream.FaultSyntax)},
		{"NaN", bad(stream.FaultSyntax)},
		{"-", bad(stream.FaultNumber)},
		{"1e", bad(stream.FaultNumber)},
		{"228930314431312345", kept(228930314431312345)},
	}
	var file strings.Builder
	var want []verdict
	for _, c := range cases {
		file.WriteString(`{"t":"2024-01-01T00:00:01Z","v":` + c.number + "}\n")
		want = append(want, c.want)
	}
	compare(t, read(strict, file.String()), want)
}

// Zero, null and missing are three things.
func TestZeroNullMissing(t *testing.T) {
	got := read(itemRules{vNullable: true, rRequired: true, time: (*Scanner).Time}, `{"t":"2024-01-01T00:00:01Z","r":0,"v":0}
{"t":"2024-01-01T00:00:01Z","r":0,"v":null}
{"t":"2024-01-01T00:00:01Z","r":0}
{"t":"2024-01-01T00:00:01Z","r":0,"v":4}
{"t":"2024-01-01T00:00:01Z","r":null,"v":100}
{"t":"2024-01-01T00:00:01Z","v":100}
{"t":null,"r":0,"v":100}
{"r":0,"v":100}
`)
	kept := func(v int64, has bool) verdict {
		return verdict{item: item{at: second, v: v, hasV: has, hasR: true}}
	}
	compare(t, got, []verdict{
		kept(0, true), kept(0, false), kept(0, false), kept(4, true),
		refused(itemR, stream.FaultNull), refused(itemR, stream.FaultMissing), refused(itemAt, stream.FaultNull), refused(itemAt, stream.FaultMissing),
	})
}

// Types are strict: no number in quotes is a number, no number a string.
func TestStrictTypes(t *testing.T) {
	got := read(strict, `{"t":"2024-01-01T00:00:01Z","v":12,"zip":"00712"}
{"t":"2024-01-01T00:00:01Z","v":"12"}
{"t":"2024-01-01T00:00:01Z","v":1,"zip":712}
{"t":"2024-01-01T00:00:01Z","v":true}
{"t":"2024-01-01T00:00:01Z","v":[1]}
{"t":"2024-01-01T00:00:01Z","v":1,"zip":""}
{"t":"2024-01-01T00:00:01Z","v":1,"zip":"1e3"}
`)
	kept := func(v int64, zip string) verdict {
		return verdict{item: item{at: second, v: v, hasV: true, zip: zip}}
	}
	compare(t, got, []verdict{
		kept(12, "00712"), refused(itemV, stream.FaultType), refused(itemZip, stream.FaultType), refused(itemV, stream.FaultType), refused(itemV, stream.FaultType),
		kept(1, ""), kept(1, "1e3"),
	})
}

// Epoch numbers have the unit that is declared; they are scaled exactly, and rounded down to the nanosecond.
func TestEpochOfRecords(t *testing.T) {
	values := []string{
		"1700000000", "1623748302.02", "12", "12.0", "1.2e1", "-0.5", "0", `"1700000000"`, "1700000000000", "1e30", "null", "1700000000.123456789", "1700000000.9999999999",
	}
	for _, test := range []struct {
		name string
		unit Unit
		want []any // a time or a refusal
	}{
		{"seconds", Seconds, []any{
			"2023-11-14T22:13:20Z", "2021-06-15T09:11:42.02Z", "1970-01-01T00:00:12Z", "1970-01-01T00:00:12Z", "1970-01-01T00:00:12Z", "1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00Z",
			refused(itemAt, stream.FaultType), refused(itemAt, stream.FaultTimeRange), refused(itemAt, stream.FaultTimeRange), refused(itemAt, stream.FaultNull),
			"2023-11-14T22:13:20.123456789Z", "2023-11-14T22:13:20.999999999Z",
		}},
		{"milliseconds", Millis, []any{
			"1970-01-20T16:13:20Z", "1970-01-19T19:02:28.30202Z", "1970-01-01T00:00:00.012Z", "1970-01-01T00:00:00.012Z", "1970-01-01T00:00:00.012Z", "1969-12-31T23:59:59.9995Z", "1970-01-01T00:00:00Z",
			refused(itemAt, stream.FaultType), "2023-11-14T22:13:20Z", refused(itemAt, stream.FaultTimeRange), refused(itemAt, stream.FaultNull),
			"1970-01-20T16:13:20.000123456Z", "1970-01-20T16:13:20.000999999Z",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var file strings.Builder
			for _, value := range values {
				file.WriteString(`{"v":1,"t":` + value + "}\n")
			}
			got := read(itemRules{time: func(s *Scanner) (int64, stream.Fault) { return s.Epoch(test.unit) }}, file.String())
			for i, want := range test.want {
				if no, ok := want.(verdict); ok {
					if got[i] != no {
						t.Errorf("%s: field %d, %v, want %v", values[i], got[i].field, got[i].fault, no.fault)
					}
				} else if text := string(AppendTime(nil, got[i].item.at)); got[i].fault != 0 || text != `"`+want.(string)+`"` {
					t.Errorf("%s: %s, field %d, %v, want %s", values[i], text, got[i].field, got[i].fault, want)
				}
			}
		})
	}
}
