package codec

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// scanBytes reads the value v, a JSON text, as bytes.
func scanBytes(v string) (decoded []byte, fault stream.Fault) {
	s := value(v)
	at, fault := s.Bytes()
	if s.Next() {
		return nil, stream.FaultSyntax
	}
	if _, broken, _ := s.End(); broken != 0 {
		return nil, broken
	}
	return s.in.Bytes(at), fault
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  string
		fault stream.Fault
	}{
		{`""`, "", 0},
		{`"AA=="`, "\x00", 0},
		{`"aGk="`, "hi", 0},
		{`"aGkh"`, "hi!", 0},
		{`"+/+/"`, "\xfb\xff\xbf", 0},
		{`"\u0061Gk="`, "hi", 0},
		{`"\/\/\/\/"`, "\xff\xff\xff", 0},
		{`"aGk"`, "", stream.FaultBase64},
		{`"aGk=="`, "", stream.FaultBase64},
		{`"aG=k"`, "", stream.FaultBase64},
		{`"=aGk"`, "", stream.FaultBase64},
		{`"a==="`, "", stream.FaultBase64},
		{`"===="`, "", stream.FaultBase64},
		{`"aGk=aGk="`, "", stream.FaultBase64},
		{`"aGl="`, "", stream.FaultBase64},
		{`"AB=="`, "", stream.FaultBase64},
		{`"-_-_"`, "", stream.FaultBase64},
		{`"aG\nk"`, "", stream.FaultBase64},
		{`"aGkh\n"`, "", stream.FaultBase64},
		{`"aG k"`, "", stream.FaultBase64},
		{`"aGkh\u0000AAA"`, "", stream.FaultBase64},
		{`"ééé"`, "", stream.FaultBase64},
		{`null`, "", stream.FaultNull},
		{`12`, "", stream.FaultType},
		{`[1]`, "", stream.FaultType},
	} {
		got, fault := scanBytes(c.text)
		if fault != c.fault || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q, %v", c.text, got, fault, c.want, c.fault)
		}
	}
}

func TestAppendBytes(t *testing.T) {
	for n := range 20 {
		b := bytes.Repeat([]byte{0xfb, 0x00, 0x7f}, n)[:n]
		text := AppendBytes(nil, b)
		if got, fault := scanBytes(string(text)); fault != 0 || !bytes.Equal(got, b) {
			t.Errorf("%x: %s reads as %x, %v", b, text, got, fault)
		}
	}
}

// FuzzBytes holds the decoder against encoding/base64, whose strict form differs in that it passes over line breaks.
func FuzzBytes(f *testing.F) {
	for _, seed := range []string{"", "aGk=", "aGkh", "AB==", "a===", "aG\nk", "++//"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := appendDecoded(nil, []byte(text))
		want, err := base64.StdEncoding.Strict().DecodeString(text)
		if bytes.ContainsAny([]byte(text), "\r\n") {
			if ok {
				t.Fatalf("%q is accepted", text)
			}
			return
		}
		if ok != (err == nil) || ok && !bytes.Equal(got, want) {
			t.Fatalf("%s: %x, %v; encoding/base64: %x, %v", strconv.Quote(text), got, ok, want, err)
		}
	})
}
