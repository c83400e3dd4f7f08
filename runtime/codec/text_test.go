package codec

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// lowest is the index of the first byte of w for which is holds, 8 when there is none.
func lowest(w uint64, is func(c byte) bool) int {
	for i := range 8 {
		if is(byte(w >> (8 * i))) {
			return i
		}
	}
	return 8
}

func TestWords(t *testing.T) {
	escaped := func(c byte) bool { return c < ' ' || c == '"' || c == '\\' }
	stops := func(c byte) bool { return escaped(c) || c >= 0x80 }
	check := func(w uint64) {
		t.Helper()
		if got, want := bits.TrailingZeros64(special(w))/8, lowest(w, stops); got != want {
			t.Fatalf("special(%#x) is at %d, want %d", w, got, want)
		}
		if got, want := bits.TrailingZeros64(mustEscape(w))/8, lowest(w, escaped); got != want {
			t.Fatalf("mustEscape(%#x) is at %d, want %d", w, got, want)
		}
	}
	for a := range 256 { // a byte and its neighbour, at every place
		for b := range 256 {
			for shift := 0; shift < 56; shift += 8 {
				check(each*'x'&^(0xffff<<shift) | uint64(a)<<shift | uint64(b)<<(shift+8))
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	const borders = "\x00\x1f\x20\x21\x22\x23\x5b\x5c\x5d\x7f\x80\x9f\xa0\xff\xdc\xa2"
	for range 200_000 {
		w := r.Uint64()
		check(w)
		var b [8]byte
		for i := range b {
			b[i] = borders[r.IntN(len(borders))]
		}
		check(binary.LittleEndian.Uint64(b[:]))
	}
}

// Every text comes back from what AppendString writes and from what encoding/json writes, however it lies in the record.
func TestStringsThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	alphabet := []string{"a", "b", " ", `"`, `\`, "/", "\n", "\x00", "\x1f", "\x7f", "é", "€", "\U0001F600", "\u2028", "<", "\ufffd", "\ufeff", "nine bytes"}
	for range 50_000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		checkText(t, b.String())
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a", "\"\\\b\f\n\r\t\x00\x1f/", "é€\U0001F600\u2028", strings.Repeat("long ", 20)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkText(t, strings.ToValidUTF8(text, "?")) })
}

func checkText(t *testing.T, text string) {
	t.Helper()
	own := AppendText([]byte("x"), text)[1:]
	if got := AppendString(nil, []byte(text)); string(got) != string(own) {
		t.Fatalf("AppendString gives %s, AppendText %s", got, own)
	}
	var read string
	if err := json.Unmarshal(own, &read); err != nil || read != text {
		t.Fatalf("%q is written as %s, which is %q, %v", text, own, read, err)
	}
	std, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	// Unlike ours it has escapes for HTML and JavaScript.
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029", `\\`, `\\`).Replace(string(std))
	if plain != string(own) {
		t.Fatalf("%q is written as %s, want %s", text, own, plain)
	}
	for _, raw := range []string{string(own), string(std), allEscaped(text)} {
		in, at := batchOf(`{"a":` + raw + `}`)
		s := Scan(in, at)
		if !s.Next() {
			t.Fatalf("%s: no member", raw)
		}
		if got, fault := s.Str(); fault != 0 || in.Text(got) != text {
			t.Fatalf("%s is %q, %v, want %q", raw, in.Text(got), fault, text)
		}
		if more := s.Next(); more {
			t.Fatalf("%s: a second member", raw)
		}
		if field, fault, _ := s.End(); field != 0 || fault != 0 {
			t.Fatalf("%s: %v", raw, fault)
		}
		in, at = batchOf(`{` + raw + `:0}`)
		s = Scan(in, at)
		if !s.Next() || string(s.Key()) != text {
			t.Fatalf("name %s is %q, want %q", raw, s.Key(), text)
		}
	}
}

// allEscaped writes every character as \uXXXX.
func allEscaped(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r >= 0x10000 {
			b.WriteString(escape16(0xd800 + (r-0x10000)>>10))
			b.WriteString(escape16(0xdc00 + (r-0x10000)&0x3ff))
		} else {
			b.WriteString(escape16(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func escape16(r rune) string {
	const digits = "0123456789abcdefABCDEF"
	text := []byte(`\u0000`)
	for i := 5; i > 1; i-- {
		d := r & 15
		if d > 9 && i&1 == 0 {
			d += 6 // upper case
		}
		text[i] = digits[d]
		r >>= 4
	}
	return string(text)
}
