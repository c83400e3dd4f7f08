package codec

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// valid reads line as a record without declared fields.
func valid(line string) stream.Fault {
	in, at := batchOf(line)
	s := Scan(in, at)
	for s.Next() {
		s.Key()
		s.Skip()
	}
	_, fault, _ := s.End()
	return fault
}

// skipped says whether take of an event without declared fields takes line, which has no newline inside.
func skipped(line string, learned *Learned) bool {
	in, _ := batchOf(line)
	for pos, step := 0, 0; ; step++ {
		member := learned.Expected(in, pos, step)
		if !member.Stands(in, pos) {
			if member, step = learned.Find(in, pos, step, func([]byte) int { return 0 }); member == nil {
				return false
			}
		}
		if pos += member.Size; member.Field == End {
			return pos == in.End
		}
		if pos = Skip(in, pos); pos == 0 {
			return false
		}
	}
}

// What is a JSON record, and what is wrong with what is none. The kinds of cases are those of Seriot, "Parsing JSON is a Minefield" (2016).
func TestValidity(t *testing.T) {
	var all Learned
	const (
		syntax    = stream.FaultSyntax
		notObject = stream.FaultNotObject
		trailing  = stream.FaultTrailing
		truncated = stream.FaultTruncated
		text      = stream.FaultUTF8
		surrogate = stream.FaultSurrogate
		control   = stream.FaultControl
		escape    = stream.FaultEscape
		number    = stream.FaultNumber
		bom       = stream.FaultBOM
	)
	for _, test := range []struct {
		line string
		want stream.Fault
	}{
		// Framing.
		{"{}", 0}, {" \t\r{ \t}\r", 0}, {"{\n}", 0}, {`{"a":1}` + "\r", 0}, {"{} ", 0},
		{"", notObject}, {"  ", notObject}, {"[]", notObject}, {"[1]", notObject}, {`"a"`, notObject}, {"null", notObject}, {"1", notObject}, {"true", notObject},
		{"[", notObject}, {"[1", notObject}, {"[1,", notObject}, {`"a": 1,`, notObject}, {`"a": {`, notObject}, {"2026-01-02,3", notObject}, {"}", syntax}, {"[1}", syntax}, {"a", syntax}, {"'a'", syntax}, {"[1] x", notObject}, {"1 2", notObject},
		{"{}{}", trailing}, {"{} x", trailing}, {`{"a":1},`, trailing}, {"{}}", trailing}, {"{}]", trailing}, {"{}#", trailing}, {"{}//", trailing}, {"{}\x00", trailing}, {"{}\u00a0", trailing},
		{"\ufeff{}", bom}, {"{\ufeff}", bom}, {"{\"a\":\ufeff1}", bom}, {"{\"\ufeff\":\"\ufeff\"}", 0}, {"{}\ufeff", trailing}, {"\xff\xfe{}", text}, {"\xef\xbb{}", text}, {"\u2060{}", syntax}, {"\f{}", syntax}, {"\x00{}", syntax},
		// Objects.
		{`{"a":1,"b":2}`, 0}, {`{"":0}`, 0}, {`{"a":1,"a":1}`, 0}, {`{"a":{"b":{}}}`, 0}, {`{"a\u0000b":1}`, 0}, {`{"a":[]}`, 0},
		{`{,}`, syntax}, {`{"a":1,}`, syntax}, {`{"a":1,,"b":2}`, syntax}, {`{"a" 1}`, syntax}, {`{"a"::1}`, syntax}, {`{"a":}`, syntax}, {`{:1}`, syntax}, {`{a:1}`, syntax}, {`{'a':1}`, syntax},
		{`{1:1}`, syntax}, {`{"a":1 "b":2}`, syntax}, {`{"a":1;"b":2}`, syntax}, {`{"a"}`, syntax}, {`{"a",1}`, syntax}, {`{"a":1]`, syntax}, {`{]`, syntax}, {`{"a":/**/1}`, syntax}, {`{null:1}`, syntax},
		{`{`, truncated}, {`{"`, truncated}, {`{"a`, truncated}, {`{"a"`, truncated}, {`{"a":`, truncated}, {`{"a":1`, truncated}, {`{"a":1,`, truncated}, {`{"a":{"b":1}`, truncated}, {`{"a":1,"`, truncated},
		// Arrays.
		{`{"a":[1,[2,[]],{}]}`, 0}, {`{"a":[ ]}`, 0}, {`{"a":[[]   ]}`, 0},
		{`{"a":[,]}`, syntax}, {`{"a":[1,]}`, syntax}, {`{"a":[,1]}`, syntax}, {`{"a":[1,,2]}`, syntax}, {`{"a":[1 2]}`, syntax}, {`{"a":[1}}`, syntax}, {`{"a":[1:2]}`, syntax}, {`{"a":[1]]}`, syntax}, {`{"a":["b":1]}`, syntax}, {`{"a":[*]}`, syntax},
		{`{"a":[`, truncated}, {`{"a":[1`, truncated}, {`{"a":[1,`, truncated}, {`{"a":["`, truncated}, {`{"a":[{`, truncated},
		// Literals.
		{`{"a":true,"b":false,"c":null}`, 0}, {`{"a":[true,false,null]}`, 0},
		{`{"a":True}`, syntax}, {`{"a":truE}`, syntax}, {`{"a":truee}`, syntax}, {`{"a":nul}`, syntax}, {`{"a":nulll}`, syntax}, {`{"a":falsy}`, syntax}, {`{"a":tru}`, syntax}, {`{"a":fals}`, syntax}, {`{"a":undefined}`, syntax}, {`{"a":NaN}`, syntax}, {`{"a":Infinity}`, syntax}, {`{"a":nan}`, syntax},
		{`{"a":t`, truncated}, {`{"a":tru`, truncated}, {`{"a":fals`, truncated}, {`{"a":n`, truncated}, {`{"a":true`, truncated}, {`{"a":nux`, syntax},
		// Numbers.
		{`{"a":[0,-0,1,-1,10,0.5,-0.5,1e1,1E1,1e+1,1e-1,1.5e10,0e0,0.0e-0,1e00,1e0100,123456789012345678901234567890,1e999999999,-1e-999999999]}`, 0},
		{`{"a":01}`, number}, {`{"a":-01}`, number}, {`{"a":00}`, number}, {`{"a":-}`, number}, {`{"a":+1}`, number}, {`{"a":++1}`, number}, {`{"a":--1}`, number}, {`{"a":.5}`, number}, {`{"a":-.5}`, number}, {`{"a":1.}`, number}, {`{"a":1.e1}`, number},
		{`{"a":1e}`, number}, {`{"a":1e+}`, number}, {`{"a":1e-}`, number}, {`{"a":1e+-1}`, number}, {`{"a":1.5.}`, syntax}, {`{"a":1e1.5}`, syntax}, {`{"a":1e1e1}`, syntax}, {`{"a":0x10}`, syntax}, {`{"a":1_000}`, syntax}, {`{"a":1a}`, syntax}, {`{"a":-a}`, number}, {`{"a":-Infinity}`, number}, {`{"a":1-1}`, syntax}, {"{\"a\":\uff11}", syntax}, {`{"a":.}`, number}, {`{"a":- 1}`, number}, {`{"a":1 000}`, syntax}, {`{"a":1,000}`, syntax},
		{`{"a":-`, truncated}, {`{"a":1.`, truncated}, {`{"a":1e`, truncated}, {`{"a":1e-`, truncated}, {`{"a":0`, truncated},
		// Strings.
		{`{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000\uFFFF\ufffe"}`, 0}, {"{\"a\":\"\x7f\u2028\u2029\U0010ffff\"}", 0}, {`{"a":"// /* */ # <&>"}`, 0}, {`{"a":"\\"}`, 0}, {`{"a":"\\\\"}`, 0},
		{`{"a":"\x41"}`, escape}, {`{"a":"\'"}`, escape}, {`{"a":"\a"}`, escape}, {`{"a":"\0"}`, escape}, {`{"a":"\U0041"}`, escape}, {`{"a":"\u004"}`, escape}, {`{"a":"\u004g"}`, escape}, {`{"a":"\u"}`, escape}, {`{"a":"\u-041"}`, escape}, {"{\"a\":\"\\\u00e9\"}", escape}, {"{\"a\":\"\\\t\"}", escape},
		{`{"a":"\ud83d"}`, surrogate}, {`{"a":"\ude00"}`, surrogate}, {`{"a":"\ud83dx"}`, surrogate}, {`{"a":"\ud83d\n"}`, surrogate}, {`{"a":"\ud83d\u0041"}`, surrogate}, {`{"a":"\ud83d\ud83d\ude00"}`, surrogate}, {`{"a":"\ude00\ud83d"}`, surrogate}, {`{"a":"\uDFFF"}`, surrogate}, {`{"a":"\ud83d\u"}`, surrogate}, {`{"\ud83d":1}`, surrogate},
		{"{\"a\":\"\n\"}", control}, {"{\"a\":\"\t\"}", control}, {"{\"a\":\"\x00\"}", control}, {"{\"a\":\"\x1f\"}", control}, {"{\"\x01\":1}", control},
		{"{\"a\":\"\xff\"}", text}, {"{\"a\":\"\xc0\xaf\"}", text}, {"{\"a\":\"\xed\xa0\x80\"}", text}, {"{\"a\":\"\xf4\x90\x80\x80\"}", text}, {"{\"a\":\"\xe2\x82\"}", text}, {"{\"a\":\"\x80\"}", text}, {"{\"a\":\"\xe9\"}", text}, {"{\"\xff\":1}", text}, {"{\"a\":\xff}", text}, {"{\"a\":\"\u00e9\xff\"}", text},
		{`{"a":"`, truncated}, {`{"a":"b`, truncated}, {`{"a":"b\`, truncated}, {`{"a":"b\"`, truncated}, {`{"a":"\u`, truncated}, {`{"a":"\u12`, truncated}, {"{\"a\":\"\u00e9", truncated}, {`{"a":'b'}`, syntax}, {`{"a":b}`, syntax}, {"{\"a\":`b`}", syntax},
	} {
		if got := valid(test.line); got != test.want {
			t.Errorf("%q: %v, want %v", test.line, got, test.want)
		}
		want := test.want == 0
		if isRecord([]byte(test.line)) != want {
			t.Errorf("%q: the oracle says %v", test.line, !want)
		}
		// What nothing is expected of, what was just learnt, and what all cases before have left behind.
		var fresh Learned
		for i, learned := range []*Learned{&fresh, &fresh, &all} {
			if got := skipped(test.line, learned); got != want && !(want && leftAlone(test.line)) {
				t.Errorf("%q: taken %v, want %v (%d)", test.line, got, want, i)
			}
		}
	}
}

// leftAlone says whether take leaves a record to decode though nothing is wrong with it: names with escapes, white space in front.
func leftAlone(line string) bool {
	return line[0] != '{' || strings.Contains(line, "\n") || escapedName.MatchString(line)
}

var escapedName = regexp.MustCompile(`\\[^"]*"\s*:`)

func TestDepth(t *testing.T) {
	nested := func(open, close string, n int) string {
		return `{"a":` + strings.Repeat(open, n) + "1" + strings.Repeat(close, n) + "}"
	}
	for _, test := range []struct {
		line string
		want stream.Fault
	}{
		{nested("[", "]", 511), 0},
		{nested("[", "]", 512), stream.FaultDepth},
		{nested(`{"b":`, "}", 511), 0},
		{nested(`{"b":`, "}", 512), stream.FaultDepth},
		{nested(`{"b":[`, "]}", 255), 0},
		{nested(`{"b":[`, "]}", 256), stream.FaultDepth},
		{nested("[", "", 1<<20), stream.FaultDepth},
		{strings.Repeat("[", 512) + strings.Repeat("]", 512), stream.FaultNotObject},
		{strings.Repeat("[", 513) + strings.Repeat("]", 513), stream.FaultDepth},
		{`{"a":[` + strings.Repeat("[],", 1000) + `[]]}`, 0},
	} {
		if got := valid(test.line); got != test.want {
			t.Errorf("%.40s (%d bytes): %v, want %v", test.line, len(test.line), got, test.want)
		}
	}
	// A declared object inside is as deep as it stands.
	if _, _, _, fault := decodeOrder(`{"address":{"x":` + strings.Repeat("[", 510) + strings.Repeat("]", 510) + `}}`); fault != stream.FaultMissing {
		t.Errorf("nesting of 512 in a declared object: %v", fault)
	}
	if _, _, _, fault := decodeOrder(`{"address":{"x":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}}`); fault != stream.FaultDepth {
		t.Errorf("nesting of 513 in a declared object: %v", fault)
	}
}

// isRecord says with encoding/json and what it is lax about whether line is a record.
func isRecord(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	return json.Valid(line) && utf8.Valid(line) && bytes.HasPrefix(bytes.TrimLeft(line, " \t\r\n"), []byte("{")) && !loneSurrogate(line) && depthOf(line) <= 512
}

// loneSurrogate says whether valid JSON has half of a surrogate pair: encoding/json reads it as U+FFFD, which then was not written in the text.
func loneSurrogate(line []byte) bool {
	for d := json.NewDecoder(bytes.NewReader(line)); ; {
		start := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return false
		}
		if s, ok := token.(string); ok {
			raw := line[start:d.InputOffset()]
			written := strings.Count(string(raw), "\ufffd") + strings.Count(strings.ToLower(strings.ReplaceAll(string(raw), `\\`, "")), `\ufffd`)
			if strings.Count(s, "\ufffd") != written {
				return true
			}
		}
	}
}

// depthOf is how deep valid JSON is nested.
func depthOf(line []byte) (most int) {
	depth := 0
	for d := json.NewDecoder(bytes.NewReader(line)); ; {
		token, err := d.Token()
		if err != nil {
			return most
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			most = max(most, depth)
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// pieces make lines that are often nearly JSON.
var pieces = []string{
	`{`, `}`, `[`, `]`, `,`, `:`, `"`, `\`, `"a"`, `"id"`, `"\u0069d"`, `"address":{"city":"c"}`, `"at":"1970-01-01T00:00:00Z"`, `"count":`, `"price":`, `"tags":[`, `"parcels":[`, `"seen":`, `"paid":`, `"at":`, `"id":"x"`,
	`1`, `0`, `-`, `.`, `e`, `E+`, `1e3`, `1.0`, `-0`, `1e400`, `9223372036854775808`, `1.5`, `true`, `false`, `null`, `tru`, `"\n"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\udc00"`, "\"\xff\"", "\"\u00e9\"", "\ufeff", "\x00", "\t", " ", "\n", `"2024-02-30T00:00:00Z"`, `"2024-02-29T23:59:60Z"`, `"2024-02-29t23:59:59.5+23:59"`,
	`"":`, `"a":`, `,"b":`, `{}`, `[]`, `"id":`,
}

func TestRandomLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	records := 0
	for range 80_000 {
		var line []byte
		if r.IntN(2) == 0 { // what someone would write, with one mistake
			line = []byte(full)
			at := r.IntN(len(line))
			line = append(append(line[:at:at], pieces[r.IntN(len(pieces))]...), line[min(len(line), at+r.IntN(4)):]...)
		} else {
			line = append(line, '{')
			for range r.IntN(12) {
				line = append(line, pieces[r.IntN(len(pieces))]...)
			}
			line = append(line, '}')
		}
		if checkLine(t, line) {
			records++
		}
	}
	if records < 2_000 {
		t.Errorf("only %d of the lines were records", records)
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(full))
	for _, piece := range pieces {
		f.Add([]byte(`{"a":` + piece + `}`))
		f.Add([]byte(piece))
	}
	f.Fuzz(func(t *testing.T, line []byte) { checkLine(t, line) })
}

// checkLine holds both decoders of the tests against their oracles, and says whether line is a record.
func checkLine(t *testing.T, line []byte) bool {
	t.Helper()
	want := isRecord(line)
	if got := valid(string(line)) == 0; got != want {
		t.Fatalf("%q: record %v, want %v", line, got, want)
	}
	checkOrder(t, line, want)
	return want
}
