package table

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

func TestReaderReadsWhatWasAppended(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		n := int64(rng.Uint64()) >> rng.IntN(64)
		text := randomText(rng, 40)
		f := math.Float64frombits(rng.Uint64())
		yes := rng.IntN(2) == 0
		seed := NewSeed()
		b := AppendSeed(nil, seed)
		b = AppendWord(b, uint64(n))
		b = AppendInt(b, n)
		b = AppendUint(b, uint64(n))
		b = AppendBool(b, yes)
		b = AppendFloat(b, f)
		b = AppendBytes(b, text)

		r := NewReader(b)
		if r.Seed() != seed || r.Word() != uint64(n) || r.Int() != n || r.Uint() != uint64(n) || r.Bool() != yes ||
			math.Float64bits(r.Float()) != math.Float64bits(f) || !bytes.Equal(r.Bytes(), text) {
			t.Fatal("something came back as something else")
		}
		if r.More() || r.Done() != nil {
			t.Fatalf("at the end: %v", r.Done())
		}
		for end := range b { // every shorter one is an error, whatever is read
			r := NewReader(b[:end])
			r.Seed()
			r.Word()
			r.Int()
			r.Uint()
			r.Bool()
			r.Float()
			r.Bytes()
			if r.Err() == nil || r.Done() == nil || r.More() {
				t.Fatalf("%d of %d bytes are no error", end, len(b))
			}
		}
		r = NewReader(append(b, 0))
		for r.Seed(); r.Err() == nil && len(r.data)-r.pos > 1; {
			r.pos++
		}
		if r.Done() == nil {
			t.Fatal("a byte too many is no error")
		}
	}
}

func TestReaderErrors(t *testing.T) {
	overlong := bytes.Repeat([]byte{0xff}, 11)
	for name, read := range map[string]func(r *Reader){
		"not a number":               func(r *Reader) { r.Uint() },
		"not a signed number":        func(r *Reader) { r.Int() },
		"length of eleven bytes":     func(r *Reader) { r.Bytes() },
		"neither true nor false":     func(r *Reader) { r.Bool() },
		"what the caller complained": func(r *Reader) { r.Fail("no such window") },
	} {
		r := NewReader(overlong)
		read(&r)
		first := r.Err()
		if first == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if r.Word() != 0 || r.Uint() != 0 || r.Int() != 0 || r.Bool() || r.Float() != 0 || len(r.Bytes()) != 0 || r.Count(1) != 0 || r.native() != 0 {
			t.Errorf("%s: something was read behind the error", name)
		}
		if r.Fail("later"); r.Err() != first {
			t.Errorf("%s: a later error replaced the first", name)
		}
	}
	r := NewReader([]byte{3, 1, 2, 3, 4, 5, 6})
	if r.Count(2) != 3 {
		t.Error("three things of two bytes fit into six")
	}
	r = NewReader([]byte{4, 1, 2, 3, 4, 5, 6})
	if r.Count(2) != 0 || r.Err() == nil {
		t.Error("four things of two bytes do not fit into six")
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7}, AppendBytes(AppendInt(AppendSeed(nil, Seed{1, 2, 3, 4}), -7), []byte("text")))
	f.Add([]byte{6, 6, 6, 7, 7}, bytes.Repeat([]byte{0xff}, 40))
	f.Add([]byte{6}, AppendUint(nil, math.MaxUint64))
	f.Fuzz(func(t *testing.T, ops, data []byte) {
		r := NewReader(data)
		for _, op := range ops {
			failed := r.Err() != nil
			var zero bool
			switch op % 9 {
			case 0:
				zero = r.Word() == 0
			case 1:
				zero = r.Int() == 0
			case 2:
				zero = r.Uint() == 0
			case 3:
				zero = !r.Bool()
			case 4:
				zero = r.Float() == 0
			case 5:
				b := r.Bytes()
				if len(b) > len(data) || cap(b) != len(b) {
					t.Fatal("more bytes than there are")
				}
				zero = len(b) == 0
			case 6:
				n := r.Count(int(op)/9 + 1)
				if n < 0 || n*(int(op)/9+1) > len(data)-r.pos {
					t.Fatal("a count beyond the end")
				}
				zero = n == 0
			case 7:
				zero = r.native() == 0
			case 8:
				zero = r.Seed() == Seed{}
			}
			if failed && !zero {
				t.Fatal("something was read behind the error")
			}
			if r.pos > len(data) {
				t.Fatal("behind the end")
			}
		}
		r.Done()
	})
}

func TestParts(t *testing.T) {
	dst := AppendPart(nil, AppendInt, -5)
	dst = append(dst, 0, 0, 0, 0) // one that is lacking
	dst = AppendPart(dst, AppendSeed, Seed{1, 2, 3, 4})
	r := NewReader(dst)
	if !r.Part() || r.Int() != -5 || r.Part() || !r.Part() || r.Seed() != (Seed{1, 2, 3, 4}) || r.Done() != nil {
		t.Errorf("parts do not come back: %v", r.Err())
	}
	for cut := range dst {
		r := NewReader(dst[:cut])
		if r.Part() {
			r.Int()
		}
		if r.Part(); r.Part() {
			r.Seed()
		}
		if r.Done() == nil {
			t.Errorf("the first %d bytes are taken for all", cut)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, v := range []int64{0, 1, -1, math.MaxInt64 / 100, math.MinInt64 / 100} {
		r := NewReader(AppendInt(nil, v))
		if got := r.Times(100); got != v*100 || r.Done() != nil {
			t.Errorf("%d times 100: %d, %v", v, got, r.Err())
		}
	}
	for _, v := range []int64{math.MaxInt64/100 + 1, math.MinInt64/100 - 1} {
		r := NewReader(AppendInt(nil, v))
		if r.Times(100); r.Err() == nil {
			t.Errorf("%d times 100 is no error", v)
		}
	}
}
