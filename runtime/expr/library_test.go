package expr

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestStrings holds the functions over texts against plain ones over code points.
func TestStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	texts := []string{"", "a", "b", "ab", "aab", "abcabc", "é", "éa", "😀", "a😀é", "ÅÄÖ", "ééé", ",", "a,b,,c", "aaaa", " x\t", "\u3000a "}
	pick := func() string { return texts[r.IntN(len(texts))] + texts[r.IntN(len(texts))] }
	for range 20_000 {
		in := &stream.Batch{}
		s, piece, with, n, m := pick(), texts[r.IntN(len(texts))], texts[r.IntN(len(texts))], int64(r.IntN(12)-3), int64(r.IntN(12)-3)
		runes := []rune(s)
		size := int64(len(runes))
		same := func(what string, got, want string) {
			if got != want {
				t.Fatalf("%s of %q, %q, %q, %d, %d is %q, want %q", what, s, piece, with, n, m, got, want)
			}
		}
		fails := func(what string, fault stream.Fault, want bool) bool {
			if (fault == stream.FaultIndex) != want || fault != 0 && fault != stream.FaultIndex {
				t.Fatalf("%s of %q, %q, %d, %d: %v, want a fault: %t", what, s, piece, n, m, fault, want)
			}
			return !want
		}
		if c, fault := CharAt(s, n); fails("CharAt", fault, n < 0 || n > size) && n < size {
			same("CharAt", c, string(runes[n]))
		}
		if c, fault := Substring(s, n); fails("Substring", fault, n < 0 || n > size) {
			same("Substring", c, string(runes[n:]))
		}
		if c, fault := SubstringTo(s, n, m); fails("SubstringTo", fault, n < 0 || n > m || m > size) {
			same("SubstringTo", c, string(runes[n:m]))
		}
		places := func(from int64) (all []int64) { // of piece, from a place on
			for i := from; i+int64(utf8.RuneCountInString(piece)) <= size; i++ {
				if strings.HasPrefix(string(runes[i:]), piece) {
					all = append(all, i)
				}
			}
			return all
		}
		first, last := int64(-1), int64(-1)
		if all := places(0); len(all) > 0 {
			first, last = all[0], all[len(all)-1]
		}
		if a, b := IndexOf(s, piece), LastIndexOf(s, piece); a != first || b != last {
			t.Fatalf("%q stands in %q at %d and %d, want %d and %d", piece, s, a, b, first, last)
		}
		if at, fault := IndexOfFrom(s, piece, n); fails("IndexOfFrom", fault, n < 0) && piece != "" {
			want := int64(-1)
			if all := places(n); len(all) > 0 {
				want = all[0]
			}
			if at != want {
				t.Fatalf("%q stands in %q from %d on at %d, want %d", piece, s, n, at, want)
			}
		}
		if at, fault := LastIndexOfFrom(s, piece, n); fails("LastIndexOfFrom", fault, n < 0) && piece != "" {
			want := int64(-1)
			for _, i := range places(0) {
				if i <= n && n < size {
					want = i
				}
			}
			if at != want {
				t.Fatalf("%q stands in %q up to %d at %d, want %d", piece, s, n, at, want)
			}
		}
		replaced, _ := ReplaceN(in, s, piece, with, n)
		same("ReplaceN", replaced, strings.Replace(s, piece, with, int(n)))
		replaced, _ = Replace(in, s, piece, with)
		same("Replace", replaced, strings.ReplaceAll(s, piece, with))
		lower, upper := []byte(s), []byte(s)
		for i, c := range []byte(s) {
			if 'A' <= c && c <= 'Z' {
				lower[i] += 'a' - 'A'
			}
			if 'a' <= c && c <= 'z' {
				upper[i] -= 'a' - 'A'
			}
		}
		same("Lower", Lower(in, s), string(lower))
		same("Upper", Upper(in, s), string(upper))
		slices.Reverse(runes)
		same("Reverse", Reverse(in, s), string(runes))
		list, want := SplitN(in, s, piece, n), strings.SplitN(s, piece, int(n))
		if int(list.Len) != len(want) {
			t.Fatalf("%q by %q into %d has %d pieces, want %q", s, piece, n, list.Len, want)
		}
		joined, _ := Join(in, list, with)
		same("Join", joined, strings.Join(want, with))
	}
}

// TestLongTexts: what would be too long for a batch is a fault, before memory is taken.
func TestLongTexts(t *testing.T) {
	in := &stream.Batch{}
	long := strings.Repeat("a", 100_000)
	if _, fault := Replace(in, long, "a", long); fault != stream.FaultOverflow {
		t.Errorf("Replace: %v", fault)
	}
	if _, fault := Join(in, Split(in, long, ""), long); fault != stream.FaultOverflow {
		t.Errorf("Join: %v", fault)
	}
	if len(in.Data) > 2*len(long) {
		t.Errorf("%d bytes were made", len(in.Data))
	}
	start := Made(in)
	in.Data = append(in.Data, make([]byte, MaxMade-80)...)
	ListOf(in, make([]uint64, 10)...)
	if Full(in, start) {
		t.Error("as much as may be made is too much")
	}
	if in.KeepText("x"); !Full(in, start) {
		t.Error("more than may be made is not too much")
	}
}

// TestDecimals holds text and float64 of decimals against math/big.
func TestDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	edges := []int64{0, 1, -1, 5, -5, 10, 99, 100, -100, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MinInt64, 9007199254740993}
	in := &stream.Batch{}
	for range 50_000 {
		v := edges[r.IntN(len(edges))]
		if r.IntN(3) > 0 {
			v = int64(r.Uint64()) >> r.IntN(64)
		}
		scale := r.IntN(19)
		exact := new(big.Rat).SetFrac(big.NewInt(v), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		if got, want := TextOfDecimal(in, v, scale), exact.FloatString(scale); got != want {
			t.Fatalf("%d of scale %d is %s, want %s", v, scale, got, want)
		}
		if want, _ := exact.Float64(); DoubleOfDecimal(v, scale) != want {
			t.Fatalf("%d of scale %d is %v, want %v", v, scale, DoubleOfDecimal(v, scale), want)
		}
		in.Data = in.Data[:0]
	}
	if n := testing.AllocsPerRun(100, func() { DoubleOfDecimal(math.MaxInt64, 18) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestParts has the parts of one time in several zones, and of durations.
func TestParts(t *testing.T) {
	at := time.Date(2024, 12, 31, 23, 30, 7, 123_456_789, time.UTC).UnixNano()
	east, west := FixedZone(2*3600), FixedZone(-3*3600-1800)
	parts := []func(int64, *time.Location) int64{FullYear, Month, DayOfYear, DayOfMonth, Date, DayOfWeek, Hours, Minutes, Seconds60, Milliseconds}
	for _, c := range []struct {
		at   int64
		zone *time.Location
		want []int64
	}{
		{at, nil, []int64{2024, 11, 365, 30, 31, 2, 23, 30, 7, 123}},
		{at, east, []int64{2025, 0, 0, 0, 1, 3, 1, 30, 7, 123}},
		{at, west, []int64{2024, 11, 365, 30, 31, 2, 20, 0, 7, 123}},
		{-1, nil, []int64{1969, 11, 364, 30, 31, 3, 23, 59, 59, 999}},
		{math.MinInt64, east, []int64{1677, 8, 263, 20, 21, 2, 2, 12, 43, 145}},
		{math.MaxInt64, nil, []int64{2262, 3, 100, 10, 11, 5, 23, 47, 16, 854}},
	} {
		for i, part := range parts {
			if got := part(c.at, c.zone); got != c.want[i] {
				t.Errorf("part %d of %d in %v is %d, want %d", i, c.at, c.zone, got, c.want[i])
			}
		}
	}
	d := -(90*time.Minute + 30*time.Second + 250*time.Millisecond)
	if InHours(int64(d)) != -1 || InMinutes(int64(d)) != -90 || InSeconds(int64(d)) != -5430 || InMilliseconds(int64(d)) != -5430250 {
		t.Error("parts of a duration")
	}
	if n := testing.AllocsPerRun(100, func() { Hours(at, east) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestMath has the functions over numbers at their edges.
func TestMath(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	if v, fault := AbsInt(math.MinInt64); fault != stream.FaultOverflow {
		t.Errorf("AbsInt: %d, %v", v, fault)
	}
	if v, fault := AbsInt(-math.MaxInt64); v != math.MaxInt64 || fault != 0 {
		t.Errorf("AbsInt: %d, %v", v, fault)
	}
	for v, want := range map[int64]int64{0: 0, 1: 1, -1: -1, math.MaxInt64: 1, math.MinInt64: -1} {
		if SignInt(v) != want {
			t.Errorf("SignInt(%d) = %d", v, SignInt(v))
		}
	}
	if SignDouble(-inf) != -1 || SignDouble(5e-324) != 1 || math.Signbit(SignDouble(math.Copysign(0, -1))) || SignDouble(nan) == SignDouble(nan) {
		t.Error("SignDouble")
	}
	if IsFinite(nan) || IsFinite(inf) || !IsFinite(-math.MaxFloat64) {
		t.Error("IsFinite")
	}
	for _, c := range []struct{ v, n, left, right int64 }{{1, 4, 16, 0}, {-1, 60, -1 << 60, 15}, {5, 64, 0, 0}, {5, math.MaxInt64, 0, 0}, {-1, 0, -1, -1}} {
		l, _ := ShiftLeft(c.v, c.n)
		r, _ := ShiftRight(c.v, c.n)
		if l != c.left || r != c.right {
			t.Errorf("%d by %d is %d and %d, want %d and %d", c.v, c.n, l, r, c.left, c.right)
		}
	}
	_, a := ShiftLeft(1, -1)
	_, b := ShiftRight(1, -1)
	_, c := GreaterOrdered(1, nan)
	_, d := LesserOrdered(nan, 1)
	if a != stream.FaultOverflow || b != stream.FaultOverflow || c != stream.FaultNotFinite || d != stream.FaultNotFinite {
		t.Error("faults: ", a, b, c, d)
	}
	in := &stream.Batch{}
	bits := math.Float64bits
	ints, doubles := ListOf(in, 3, uint64(1<<63), 7), ListOf(in, bits(0.5), bits(inf), bits(-2))
	least, _ := LeastInt(in, ints)
	greatest, _ := GreatestInt(in, ints)
	low, _ := LeastDouble(in, doubles)
	high, _ := GreatestDouble(in, doubles)
	if least != math.MinInt64 || greatest != 7 || low != -2 || high != inf {
		t.Error("extremes: ", least, greatest, low, high)
	}
	for _, f := range []func() stream.Fault{
		func() stream.Fault { _, fault := LeastInt(in, stream.List{}); return fault },
		func() stream.Fault { _, fault := GreatestInt(in, stream.List{}); return fault },
		func() stream.Fault { _, fault := LeastDouble(in, stream.List{}); return fault },
		func() stream.Fault { _, fault := GreatestDouble(in, stream.List{}); return fault },
	} {
		if fault := f(); fault != stream.FaultIndex {
			t.Error("an extreme of nothing: ", fault)
		}
	}
	if _, fault := GreatestDouble(in, ListOf(in, bits(1), bits(nan))); fault != stream.FaultNotFinite {
		t.Error("NaN among several: ", fault)
	}
	if v, fault := GreatestDouble(in, ListOf(in, bits(nan))); v == v || fault != 0 {
		t.Error("NaN alone: ", v, fault)
	}
}

// TestWholeLists has what is done with whole lists.
func TestWholeLists(t *testing.T) {
	in := &stream.Batch{}
	a, b := ListOf(in, 1, 2), ListOf(in, 3)
	if !slices.Equal(Words(in, JoinLists(in, a, b)), []uint64{1, 2, 3}) || !SameInts(in, ListOf(in, 1, 2), a) || SameInts(in, a, b) {
		t.Error("lists of ints")
	}
	made := NewList(in, 3)
	Set(in, made, 1, 9)
	if !slices.Equal(Words(in, made), []uint64{0, 9, 0}) {
		t.Errorf("made: %v", Words(in, made))
	}
	minus := math.Copysign(0, -1)
	zeros, other := ListOf(in, math.Float64bits(minus), math.Float64bits(1)), ListOf(in, 0, math.Float64bits(1))
	nan := ListOf(in, math.Float64bits(math.NaN()))
	if !SameDoubles(in, zeros, other) || SameDoubles(in, nan, nan) || SameDoubles(in, zeros, nan) {
		t.Error("lists of doubles")
	}
	if _, fault := FiniteList(in, ListOf(in, ListWord(zeros), ListWord(nan)), 1); fault != stream.FaultNotFinite || in.Words[zeros.Off] != 0 {
		t.Error("finite: ", fault)
	}
	x, y := ListOf(in, in.KeepText("é").Word()), ListOf(in, in.KeepText("é").Word())
	if !SameTexts(in, x, y) || SameTexts(in, x, ListOf(in)) || SameTexts(in, x, ListOf(in, in.KeepText("e").Word())) {
		t.Error("lists of texts")
	}
	if l, fault := ListAt(in, ListOf(in, ListWord(a)), 0); l != a || fault != 0 {
		t.Error("list of lists: ", l, fault)
	}
	if _, fault := ListAt(in, a, 2); fault != stream.FaultIndex || !Outside(a, 2) || !Outside(a, -1) || Outside(a, 1) {
		t.Error("outside: ", fault)
	}
	if WordBool(true) != 1 || WordBool(false) != 0 {
		t.Error("bools")
	}
	if _, fault := TextOfBytes("\xff"); fault != stream.FaultConversion {
		t.Error("bytes: ", fault)
	}
	if s, fault := TextOfBytes("é"); s != "é" || fault != 0 {
		t.Error("bytes: ", s, fault)
	}
}
