package codec

import (
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Where a record is not JSON, at the place of », and what is said of it.
func TestWhereARecordIsNotJSON(t *testing.T) {
	for _, test := range []struct {
		line  string
		fault stream.Fault
		what  string
	}{
		{`{"a":»NaN}`, stream.FaultSyntax, "NaN"},
		{`{"a":»-Infinity}`, stream.FaultNumber, "-Infinity"},
		{`{"a":[1,»undefined]}`, stream.FaultSyntax, "undefined"},
		{`{"a": »None }`, stream.FaultSyntax, "None"},
		{`{"a":»True}`, stream.FaultSyntax, "True"},
		{`{"a":»Nanny}`, stream.FaultSyntax, ""},
		{`{"a":»secret}`, stream.FaultSyntax, ""},
		{`{»a:1}`, stream.FaultSyntax, "a name or a text without quotes"},
		{`{»true:1}`, stream.FaultSyntax, "a name or a text without quotes"},
		{`{»'a':1}`, stream.FaultSyntax, "a single quote; texts and names stand between double ones"},
		{`{"a":1,»}`, stream.FaultSyntax, "a comma with nothing behind it"},
		{`{"a":[1,»]}`, stream.FaultSyntax, "a comma with nothing behind it"},
		{`{"a":[»,1]}`, stream.FaultSyntax, "a comma with nothing before it"},
		{`{"a":1,»,"b":2}`, stream.FaultSyntax, "a comma with nothing before it"},
		{`{"a"»,1}`, stream.FaultSyntax, ""},
		{`{"a":1 »"b":2}`, stream.FaultSyntax, "a comma or a colon is missing before it"},
		{`{"a" »"b"}`, stream.FaultSyntax, "a comma or a colon is missing before it"},
		{`{"a":1} »// x`, stream.FaultTrailing, "a comment"},
		{`{»/* x */"a":1}`, stream.FaultSyntax, "a comment"},
		{`{"a":»01}`, stream.FaultNumber, "zeros before the number"},
		{`{"a":»-007}`, stream.FaultNumber, "zeros before the number"},
		{`{"a":»+1}`, stream.FaultNumber, "a plus sign"},
		{`{"a":».5}`, stream.FaultNumber, "no digit before the point"},
		{`{"a":»-.5}`, stream.FaultNumber, "no digit before the point"},
		{`{"a":»5.}`, stream.FaultNumber, "no digit behind the point"},
		{`{"a":»1e}`, stream.FaultNumber, ""},
		{`{"a":1»;"b":2}`, stream.FaultSyntax, ""},
		{`  »hello`, stream.FaultSyntax, ""},
		{`{"a":{"b":"x»\q"}}`, stream.FaultEscape, ""},
		{`{"a":"x»\ud800"}`, stream.FaultSurrogate, ""},
		{"{\"a\":\"é\\n»\x01\"}", stream.FaultControl, ""},
		{"{\"a\":\"é»\xff\"}", stream.FaultUTF8, ""},
		{"{\"»\xff\":1}", stream.FaultUTF8, ""},
		{"{\"a\":»\ufeff1}", stream.FaultBOM, ""},
		{`{"a":1}»{"a":2}`, stream.FaultTrailing, ""},
		{`{"a":` + strings.Repeat("[", maxDepth-1) + "»[", stream.FaultDepth, ""},
	} {
		at := strings.Index(test.line, "»")
		line := strings.Replace(test.line, "»", "", 1)
		in, all := batchOf(line)
		for _, before := range []uint32{0, 5} { // the place is in the record, wherever that stands
			in.Data = append(make([]byte, before), in.Data...)
			all.Off = before
			s := Scan(in, all)
			for s.Next() {
				s.Skip()
			}
			if _, fault, place := s.End(); fault != test.fault || place != uint32(at) {
				t.Errorf("%s: %v at %d, want %v at %d", line, fault, place, test.fault, at)
			}
		}
		if got := Foreign([]byte(line), at); got != test.what {
			t.Errorf("%s: %q, want %q", line, got, test.what)
		}
	}
}

// A member that stands twice is known by the place of its second name.
func TestWhereAMemberStandsTwice(t *testing.T) {
	for line, name := range map[string]string{
		`{"id":"x","»id":"x"}`:                           "id",
		`{"id":"x","»\u0069d":"x"}`:                      "id",
		`{"address":{"city":"a","»cit\u0079":"b"}}`:      "city",
		`{"x":1,"x":2,"at":3,"x":4 , "»at" : {"id":[]}}`: "at",
	} {
		at := strings.Index(line, "»")
		in, all := batchOf(strings.Replace(line, "»", "", 1))
		var o order
		if _, fault, place := o.decode(in, all); fault != stream.FaultTwice || place != uint32(at) {
			t.Errorf("%s: %v at %d, want %d", line, fault, place, at)
		}
		if got := string(AppendName(nil, in.Bytes(all), at)); got != name {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// Where a row is not CSV.
func TestWhereARowIsNotCSV(t *testing.T) {
	for line, want := range map[string]stream.Fault{
		`a,b»"c`: stream.FaultQuote, `a,"b"»c`: stream.FaultBehind, `a,»"b`: stream.FaultUnclosed, "a»\rb,c": stream.FaultReturn, "a,é»\xff": stream.FaultUTF8, "»\ufeffa,b": stream.FaultBOM,
	} {
		at := strings.Index(line, "»")
		data := strings.Replace(line, "»", "", 1)
		in := &stream.Batch{Data: append([]byte("xyz"+data), make([]byte, stream.Padding)...), Columns: []uint16{1, 2}}
		r := ReadRow(in, stream.Str{Off: 3, Len: uint32(len(data))})
		for r.Next() {
		}
		if _, fault, place := r.End(); fault != want || place != uint32(at) {
			t.Errorf("%q: %v at %d, want %v at %d", data, fault, place, want, at)
		}
	}
}
