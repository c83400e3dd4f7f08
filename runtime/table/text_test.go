package table

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// randomText has few different bytes, zeros among them, so that prefixes and near misses are common.
func randomText(rng *rand.Rand, most int) []byte {
	b := make([]byte, rng.IntN(most+1), most+1+rng.IntN(32))
	for i := range b {
		b[i] = []byte{0, 'a', 'a', 'a', 'a', 'a', 'b', 0xff}[rng.IntN(8)]
	}
	for i := range b[len(b):cap(b)] {
		b[len(b):cap(b)][i] = byte(rng.Uint32()) // what is behind must not matter
	}
	return b
}

func TestInlineIsExactAndOrderedByBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var texts Texts
	for range 100_000 {
		a, b := randomText(rng, 15), randomText(rng, 15)
		if rng.IntN(4) == 0 {
			b = append([]byte(nil), a...)
		}
		x, y := Inline(a), Inline(b)
		if (x == y) != bytes.Equal(a, b) {
			t.Fatalf("%q and %q: equal %v", a, b, x == y)
		}
		order := cmp.Compare(x.A, y.A)
		if order == 0 {
			order = cmp.Compare(x.B, y.B)
		}
		if order != bytes.Compare(a, b) || texts.Compare(x, y) != order {
			t.Fatalf("%q and %q: order %d", a, b, order)
		}
		var room [16]byte
		if got := texts.Bytes(x, &room); !bytes.Equal(got, a) {
			t.Fatalf("%q came back as %q", a, got)
		}
		if Inline(a[:len(a):len(a)]) != x {
			t.Fatalf("%q at the end of its memory differs", a)
		}
	}
}

func TestIDsOfUUIDs(t *testing.T) {
	canonical := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seed := NewSeed()
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[Text]string{}
	kinds := map[uint64]int{}
	try := func(s string) {
		x := ID(seed, []byte(s))
		if old, ok := seen[x]; ok && old != s {
			t.Fatalf("%q and %q have one id", old, s)
		}
		seen[x] = s
		kinds[x.B&3]++
		if want := canonical.MatchString(s); want != (x.B&3 == textUUID) {
			t.Fatalf("%q: canonical %v, kind %d", s, want, x.B&3)
		}
	}
	for range 20_000 {
		var b [16]byte
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		h := hex.EncodeToString(b[:])
		s := []byte(fmt.Sprintf("%s-%s-%s-%s-%s", h[:8], h[8:12], h[12:16], h[16:20], h[20:]))
		try(string(s))
		s[19] = "89ab"[rng.IntN(4)]
		try(string(s))
		s[rng.IntN(36)] = byte(rng.Uint32())
		try(string(s))
	}
	u := "01234567-89ab-4cde-bf01-23456789abcd"
	for i := range u { // every byte at every place
		for c := range 256 {
			try(u[:i] + string([]byte{byte(c)}) + u[i+1:])
		}
	}
	try(strings.ToUpper(u))
	try(u + "0")
	try("")
	try("short")
	try("exactly 15 byte")
	try("sixteen bytes ok")
	for _, kind := range []uint64{textInline, textUUID, textLong} {
		if kinds[kind] == 0 {
			t.Errorf("no id of kind %d was tried", kind)
		}
	}
	if a, b := ID(seed, []byte("sixteen bytes ok")), ID(NewSeed(), []byte("sixteen bytes ok")); a == b {
		t.Error("the hash of a long id does not depend on the seed")
	}
}

// The vectors are of the reference implementation (vectors_sip128 in https://github.com/veorq/SipHash), key 00 01 … 0f, input 00 01 … of the length.
func TestSipHashVectors(t *testing.T) {
	vectors := []string{
		"a3817f04ba25a8e66df67214c7550293",
		"da87c1d86b99af44347659119b22fc45",
		"8177228da4a45dc7fca38bdef60affe4",
	}
	for n, want := range vectors {
		input := make([]byte, n)
		for i := range input {
			input[i] = byte(i)
		}
		h0, h1 := sipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908, input)
		got := hex.EncodeToString(AppendWord(AppendWord(nil, h0), h1))
		if got != want {
			t.Errorf("length %d: %s, want %s", n, got, want)
		}
	}
}

// The words of a long input are chained in order: exchanging, cutting or changing any of its bytes changes the hash.
func TestHashesDependOnEveryByte(t *testing.T) {
	seed := NewSeed()
	b := make([]byte, 100)
	sips, hashes := map[[2]uint64]bool{}, map[uint64]bool{}
	n := 0
	try := func(b []byte) {
		h0, h1 := sipHash(seed.C, seed.D, b)
		sips[[2]uint64{h0, h1}] = true
		hashes[HashBytes(seed, b)] = true
		n++
	}
	for i := range b {
		try(b[:i])
		for bit := range 8 {
			b[i] = 1 << bit
			try(b)
		}
		b[i] = 0
	}
	if len(sips) != n || len(hashes) != n {
		t.Errorf("%d inputs have %d SipHashes and %d hashes", n, len(sips), len(hashes))
	}
}

// Keys in use are sequences, multiples and words that differ in few bits. The low bits of their hashes must fill cells as evenly as chance does.
func TestHashesSpread(t *testing.T) {
	const cells, keys = 1 << 12, 1 << 15
	for name, word := range map[string]func(i uint64) uint64{
		"sequence": func(i uint64) uint64 { return i }, "high": func(i uint64) uint64 { return i << 48 }, "minutes": func(i uint64) uint64 { return i * 60e9 },
	} {
		seed := NewSeed()
		for _, hash := range []func(i uint64) uint64{
			func(i uint64) uint64 { return Hash1(seed, word(i)) },
			func(i uint64) uint64 { return Hash2(seed, word(i), 7) },
			func(i uint64) uint64 { return Hash2(seed, 7, word(i)) },
			func(i uint64) uint64 { return Hash2(seed, Hash2(seed, 1, word(i)), 2) },
		} {
			var count [cells]float64
			for i := range uint64(keys) {
				count[uint32(hash(i))%cells]++
			}
			square := 0.0
			for _, c := range count {
				square += (c - keys/cells) * (c - keys/cells) / (keys / cells)
			}
			// Chi-square with 4095 degrees of freedom: mean 4095, deviation 90.5.
			if square > 4095+8*90.5 {
				t.Errorf("%s: chi-square %.0f", name, square)
			}
		}
	}
}

func TestTextsAgainstAMap(t *testing.T) {
	for name, hash := range hashes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			seed := NewSeed()
			var texts Texts
			model := map[string]Text{}
			intern := func(b []byte) Text {
				if len(b) <= 15 {
					return texts.Intern(seed, b)
				}
				return texts.long(hash(HashBytes(seed, b)), b)
			}
			swept := 0
			for i := range 20_000 {
				b := append([]byte("common pre"), randomText(rng, 12)...)
				x := intern(b)
				if old, ok := model[string(b)]; ok && old != x {
					t.Fatalf("%q was %x and is %x", b, old, x)
				}
				for k, v := range model {
					if (v == x) != (k == string(b)) {
						t.Fatalf("%q and %q: equal %v", k, b, v == x)
					}
					if got := texts.Compare(x, v); got != strings.Compare(string(b), k) {
						t.Fatalf("%q and %q: order %d", b, k, got)
					}
					var room [16]byte
					if got := texts.Bytes(v, &room); string(got) != k {
						t.Fatalf("%q came back as %q", k, got)
					}
					if i%50 != 0 {
						break
					}
				}
				model[string(b)] = x
				if texts.Crowded(50) {
					for k, v := range model {
						if rng.IntN(2) == 0 {
							texts.Mark(v)
						} else {
							delete(model, k)
						}
					}
					texts.Sweep()
					swept++
				}
				long := 0
				for k := range model {
					if len(k) > 15 {
						long++
					}
				}
				if texts.Len() != long {
					t.Fatalf("%d strings, want %d", texts.Len(), long)
				}
			}
			if swept < 3 {
				t.Fatalf("only %d sweeps", swept)
			}
			texts.Reset()
			if texts.Len() != 0 {
				t.Fatal("Reset left strings")
			}
			for k := range model {
				var room [16]byte
				if got := texts.Bytes(intern([]byte(k)), &room); string(got) != k {
					t.Fatalf("after Reset %q came back as %q", k, got)
				}
			}
		})
	}
}

// Strings that never repeat: what is swept is used again.
func TestTextsOfASoak(t *testing.T) {
	var texts Texts
	seed := NewSeed()
	n := uint64(0)
	room := make([]byte, 0, 64)
	run := func() {
		for range 3000 {
			n++
			room = AppendWord(append(room[:0], "a name of more than fifteen bytes "...), n)
			if x := texts.Intern(seed, room); n%3 == 0 {
				texts.Mark(x)
			}
			if texts.Crowded(500) {
				texts.Sweep()
			}
		}
	}
	for range 10 {
		run()
	}
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(texts.blobs.chunks) > 8 {
		t.Errorf("%d chunks for %d strings", len(texts.blobs.chunks), texts.Len())
	}
}
