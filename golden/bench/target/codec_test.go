package target

import (
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
)

func batch(text string) *stream.Batch {
	return &stream.Batch{Data: append([]byte(text), make([]byte, stream.Padding)...), End: len(text)}
}

// What is read is written again, in the order of the spec; undeclared fields are not.
func TestEventThereAndBack(t *testing.T) {
	in := batch(`{"type":"click","at":"2024-03-01T07:00:00.250+01:00","id":"a\u0022","page":["/",{}],"amount":1e1,"user":"Zo\u00eb\/"}`)
	line, _ := in.Next()
	var o Event
	if field, fault, _ := o.decode(in, line); fault != 0 {
		t.Fatalf("field %d: %v", field, fault)
	}
	same := o
	in.Pos = 0
	if at, ok := o.take(in, new(codec.Learned)); !ok || at != line || o.Amount != same.Amount || o.At != same.At || in.Text(o.User) != in.Text(same.User) {
		t.Errorf("taken %v at %v: %+v, want %+v at %v", ok, at, o, same, line)
	}
	want := `{"id":"a\"","user":"Zoë/","type":"click","amount":10,"at":"2024-03-01T06:00:00.25Z"}`
	if got := string(appendEvent(nil, in, &o)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestContract(t *testing.T) {
	for _, test := range []struct {
		line  string
		field uint16
		fault stream.Fault
	}{
		{`{"id":"a","user":"u","type":"view","amount":0,"at":"2024-03-01T06:00:00Z"}`, 0, 0},
		{`{"id":"a","user":"u","type":"view","amount":-0.0,"at":"2024-03-01T06:00:00Z"}`, 0, 0},
		{`{"at":0,"amount":-1,"type":"buy","user":"","id":""}`, 1, stream.FaultConstraint},
		{`{"at":0,"amount":-1,"type":"buy","user":"","id":"a"}`, 2, stream.FaultConstraint},
		{`{"at":0,"amount":-1,"type":"buy","user":"u","id":"a"}`, 3, stream.FaultConstraint},
		{`{"at":0,"amount":-1,"type":"view","user":"u","id":"a"}`, 4, stream.FaultConstraint},
		{`{"at":0,"amount":1,"type":"view","user":"u","id":"a"}`, 5, stream.FaultType},
		{`{"at":"3000-01-01T00:00:00Z","amount":1,"type":"view","user":"u","id":"a"}`, 5, stream.FaultTimeRange},
		{`{"at":"3000-01-01T00:00:00Z","amount":1,"type":"view","user":"u"}`, 1, stream.FaultMissing},
		{`{"at":0,"amount":-1,"type":"buy","user":"","id":"","id":""}`, 0, stream.FaultTwice},
		{`{"at":0,"amount":-1,"type":"buy","user":"","id":"","x":[}`, 0, stream.FaultSyntax},
	} {
		in := batch(test.line)
		line, _ := in.Next()
		var o Event
		if field, fault, _ := o.decode(in, line); field != test.field || fault != test.fault {
			t.Errorf("%s: field %d, %v, want %d, %v", test.line, field, fault, test.field, test.fault)
		}
		in.Pos = 0
		if _, ok := o.take(in, new(codec.Learned)); ok != (test.fault == 0) {
			t.Errorf("%s: taken %v", test.line, ok)
		}
	}
}

func TestSpendRow(t *testing.T) {
	in := batch("u1")
	row := SpendRow{User: stream.Str{Len: 2}, Events: 3, Total: 10, Mean: 10.0 / 3}
	const start = `{"window_start":"1969-12-31T23:59:00Z","window_end":"1970-01-01T00:00:00Z",`
	for _, test := range []struct{ got, want string }{
		{string(appendSpendRow(codec.AppendWindow(nil, -60e9, 0), in, &row)), start + `"user":"u1","events":3,"total":10,"mean":3.3333333333333335}`},
		{string(appendTypesRow(codec.AppendWindow(nil, -60e9, 0), in, &TypesRow{Type: stream.Str{Len: 2}})), start + `"type":"u1","events":0}`},
		{string(appendSpendRowKey(nil, in, &row)), `"user":"u1"`},
		{string(appendSpendRowColumns(nil, in, &row)), `"events":3,"total":10,"mean":3.3333333333333335`},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	row.bad = [2]bool{true, false}
	if got := string(appendSpendRowColumns(nil, in, &row)); got != `"events":3,"mean":3.3333333333333335` {
		t.Error(got)
	}
	row.bad = [2]bool{true, true}
	if got := string(appendSpendRowColumns(nil, in, &row)); got != `"events":3` {
		t.Error(got)
	}
}

func BenchmarkDecode(b *testing.B) {
	in := batch(string(events.Bytes(events.Default(10_000))))
	var o Event
	var learned codec.Learned
	records := 0
	for b.Loop() {
		for in.Pos = 0; in.Pos < in.End; records++ {
			if _, ok := o.take(in, &learned); !ok {
				b.Fatal("left alone")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(records), "ns/record")
}
