package deadletter

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

const second = int64(1e9)

func record() Letter {
	return Letter{
		Pipeline: "spend", Site: &stream.Site{Node: "orders", Reason: "contract:amount", Field: "amount", Want: "a number"}, Fault: stream.FaultType,
		Source: "orders", File: "in/orders.ndjson", Offset: 132, Value: []byte(`{"amount":"<5>"}`), Watermark: stream.Never,
	}
}

func TestAppendLetter(t *testing.T) {
	tests := []struct {
		name   string
		change func(l *Letter)
		want   string
	}{
		{"contract", func(*Letter) {},
			`{"kind":"record","pipeline":"spend","stage":"orders","reason":"contract:amount","field":"amount","message":"amount: wrong JSON type (want a number)",` +
				`"source":"orders","file":"in/orders.ndjson","offset":132,"watermark":null,"attempt":1,"value":"{\"amount\":\"<5>\"}"}`},
		{"expression", func(l *Letter) {
			l.Site = &stream.Site{Node: "paid", Reason: "expr:paid", Field: "share", Place: "stage.paid.select.share:14"}
			l.Fault, l.Attempt = stream.FaultDivision, 2
			l.HasEventTime, l.EventTime, l.Watermark = true, 90*second+5e8, -second
		}, `{"kind":"record","pipeline":"spend","stage":"paid","reason":"expr:paid","field":"share","message":"division by zero at stage.paid.select.share:14",` +
			`"source":"orders","file":"in/orders.ndjson","offset":132,"event_time":"1970-01-01T00:01:30.5Z","watermark":"1969-12-31T23:59:59Z","attempt":2,"value":"{\"amount\":\"<5>\"}"}`},
		{"not UTF-8, too large", func(l *Letter) {
			l.Site = &stream.Site{Node: "orders", Reason: "too_large", Want: `at most "1Ki"`}
			l.Fault, l.Value, l.Size = stream.FaultTooLarge, []byte("\xff\x00a"), 5000
		}, `{"kind":"record","pipeline":"spend","stage":"orders","reason":"too_large","message":"larger than max_record (want at most \"1Ki\")",` +
			`"source":"orders","file":"in/orders.ndjson","offset":132,"watermark":null,"attempt":1,"value_base64":"/wBh","truncated":true,"size":5000}`},
		{"cut inside a rune", func(l *Letter) { l.Value, l.Size = []byte("a€"[:3]), 9 },
			`{"kind":"record","pipeline":"spend","stage":"orders","reason":"contract:amount","field":"amount","message":"amount: wrong JSON type (want a number)",` +
				`"source":"orders","file":"in/orders.ndjson","offset":132,"watermark":null,"attempt":1,"value":"a","truncated":true,"size":9}`},
		{"row", func(l *Letter) {
			*l = Letter{Pipeline: "spend", Site: &stream.Site{Node: "sums", Reason: "overflow:total"}, Fault: stream.FaultOverflow, Row: true,
				WindowStart: 0, WindowEnd: 60 * second, Key: []byte(`"user":"u1","n":1`), Columns: []byte(`"events":3`), Watermark: stream.Always}
		}, `{"kind":"row","pipeline":"spend","stage":"sums","reason":"overflow:total","message":"result outside the range of its type",` +
			`"window":{"start":"1970-01-01T00:00:00Z","end":"1970-01-01T00:01:00Z"},"key":{"user":"u1","n":1},"watermark":null,"row":{"events":3}}`},
		{"row without a key or window", func(l *Letter) {
			*l = Letter{Site: &stream.Site{}, Row: true, Watermark: 0}
		}, `{"kind":"row","pipeline":"","stage":"","reason":"","message":"no fault",` +
			`"key":{},"watermark":"1970-01-01T00:00:00Z","row":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := record()
			tt.change(&l)
			got := string(AppendLetter([]byte("before\n"), &l))
			if got != "before\n"+tt.want+"\n" {
				t.Errorf("got  %swant before\n%s", got, tt.want)
			}
			if !json.Valid([]byte(strings.TrimPrefix(got, "before\n"))) {
				t.Error("not valid JSON")
			}
		})
	}
}

func TestMessageEscapes(t *testing.T) {
	for _, test := range []struct {
		letter Letter
		want   string
	}{
		{Letter{Site: &stream.Site{Field: "a\"b\\", Want: "=~\"^\t€$\""}, Fault: stream.FaultConstraint, Detail: "say \"no\""}, "a\"b\\: constraint violated (want =~\"^\t€$\"): say \"no\""},
		{Letter{Site: &stream.Site{Place: "stage.\"a\\b\".filter:1"}, Fault: stream.FaultIndex}, "index outside the list or text at stage.\"a\\b\".filter:1"},
	} {
		var got string
		if err := json.Unmarshal(appendMessage(nil, &test.letter), &got); err != nil || got != test.want {
			t.Errorf("got %q, %v, want %q", got, err, test.want)
		}
	}
}

// A record that cannot be decoded: where, and which field or what of other languages stands there. Nothing else of the record is in the message.
func TestMessageOfAPlace(t *testing.T) {
	for _, test := range []struct {
		fault stream.Fault
		value string // » is the place
		want  string
	}{
		{stream.FaultTwice, `{"id":1,"»i\u0064":2}`, "the field stands twice, at byte 9 of the record: id"},
		{stream.FaultTwice, `{"a\"€":1,"»a\"€":2}`, `the field stands twice, at byte 13 of the record: a"€`},
		{stream.FaultSyntax, `{"id":»NaN}`, "not valid JSON, at byte 6 of the record: NaN"},
		{stream.FaultSyntax, `{"id":»secret}`, "not valid JSON, at byte 6 of the record"},
		{stream.FaultNumber, `{"id":»01}`, "not a valid JSON number, at byte 6 of the record: zeros before the number"},
		{stream.FaultQuote, `a»"b`, "a quote in a field that does not begin with one, at byte 1 of the record"},
		{stream.FaultTruncated, `{"id":»`, "the record ends inside the JSON object; each line must be a whole one"},
		{stream.FaultFields, `a,b»`, "more or fewer fields than the header has"},
	} {
		at := strings.Index(test.value, "»")
		l := Letter{Site: &stream.Site{}, Fault: test.fault, Value: []byte(strings.Replace(test.value, "»", "", 1)), At: uint32(at)}
		var got string
		if err := json.Unmarshal(appendMessage(nil, &l), &got); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.value, got, err, test.want)
		}
	}
}

// FuzzValue: the original comes back byte for byte from every letter.
func FuzzValue(f *testing.F) {
	f.Add([]byte(`{"a":"\u0000"}`))
	f.Add([]byte("\xed\xa0\x80 \x00\n€"))
	f.Fuzz(func(t *testing.T, value []byte) {
		l := record()
		l.Value = value
		var got struct {
			Value       *string
			ValueBase64 *string `json:"value_base64"`
		}
		if err := json.Unmarshal(AppendLetter(nil, &l), &got); err != nil {
			t.Fatal(err)
		}
		switch {
		case got.Value != nil && *got.Value == string(value):
		case got.ValueBase64 != nil:
			if b, err := base64.StdEncoding.DecodeString(*got.ValueBase64); err != nil || string(b) != string(value) {
				t.Errorf("%q came back as %q (%v)", value, b, err)
			}
		default:
			t.Errorf("%q came back as %v", value, got.Value)
		}
	})
}

func TestNoAllocation(t *testing.T) {
	records := [3]Letter{record(), record(), record()}
	records[1].Value = []byte("\xff\xfe")
	records[2].Row = true
	records[0].Fault, records[0].Value, records[0].At = stream.FaultTwice, []byte(`{"id":1,"id":1}`), 9
	records[1].Fault, records[1].At = stream.FaultSyntax, 1
	buf := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		buf = buf[:0]
		for i := range records {
			buf = AppendLetter(buf, &records[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
