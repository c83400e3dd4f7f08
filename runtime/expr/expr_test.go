package expr

import (
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// ints are edges; random adds numbers of every size.
var ints = []int64{0, 1, -1, 2, -2, 3, 7, 10, -10, 1 << 31, -1 << 31, 1<<53 + 1, 1 << 62, -1 << 62, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}

func random(r *rand.Rand) int64 {
	if r.IntN(3) == 0 {
		return ints[r.IntN(len(ints))]
	}
	return int64(r.Uint64()) >> r.IntN(64)
}

func TestInts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		a, b := random(r), random(r)
		x, y := big.NewInt(a), big.NewInt(b)
		check := func(name string, got int64, fault stream.Fault, want *big.Int, overflow stream.Fault) {
			t.Helper()
			if want.IsInt64() {
				overflow = 0
			}
			if fault != overflow || fault == 0 && got != want.Int64() {
				t.Fatalf("%s(%d, %d) = %d, %v; want %v", name, a, b, got, fault, want)
			}
		}
		v, f := AddInt(a, b)
		check("AddInt", v, f, new(big.Int).Add(x, y), stream.FaultOverflow)
		v, f = SubInt(a, b)
		check("SubInt", v, f, new(big.Int).Sub(x, y), stream.FaultOverflow)
		v, f = MulInt(a, b)
		check("MulInt", v, f, new(big.Int).Mul(x, y), stream.FaultOverflow)
		v, f = NegInt(a)
		check("NegInt", v, f, new(big.Int).Neg(x), stream.FaultOverflow)
		v, f = AddTime(a, b)
		check("AddTime", v, f, new(big.Int).Add(x, y), stream.FaultTimeRange)
		if v, f = SubTime(a, b); b == math.MinInt64 {
			if f != stream.FaultTimeRange {
				t.Fatalf("SubTime(%d, %d): %v", a, b, f)
			}
		} else {
			check("SubTime", v, f, new(big.Int).Sub(x, y), stream.FaultTimeRange)
		}
		if v, f = Between(a, b); f == 0 {
			check("Between", v, f, new(big.Int).Sub(x, y), 0)
		} else if d := Seconds(a) - Seconds(b); f != stream.FaultOverflow || -9223372036 < d && d < 9223372036 {
			t.Fatalf("Between(%d, %d): %v", a, b, f)
		}
		v, f = DivInt(a, b)
		w, g := ModInt(a, b)
		if b == 0 {
			if f != stream.FaultDivision || g != stream.FaultModulus {
				t.Fatalf("%d by 0: %v, %v", a, f, g)
			}
			continue
		}
		check("DivInt", v, f, new(big.Int).Quo(x, y), stream.FaultOverflow)
		if a == math.MinInt64 && b == -1 {
			if g != stream.FaultOverflow {
				t.Fatalf("ModInt(%d, %d): %v", a, b, g)
			}
			continue
		}
		check("ModInt", w, g, new(big.Int).Rem(x, y), 0)
	}
}

func TestFinite(t *testing.T) {
	for _, v := range []float64{1, -2.5, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if got, f := Finite(v); got != v || f != 0 {
			t.Errorf("Finite(%g) = %g, %v", v, got, f)
		}
	}
	if got, f := Finite(math.Copysign(0, -1)); f != 0 || math.Signbit(got) {
		t.Errorf("Finite(-0) = %g, %v", got, f)
	}
	if got := PlusZero(math.Copysign(0, -1)); math.Signbit(got) {
		t.Errorf("PlusZero(-0) = %g", got)
	}
	if got := PlusZero(-1.5); got != -1.5 {
		t.Errorf("PlusZero(-1.5) = %g", got)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, f := Finite(v); f != stream.FaultNotFinite {
			t.Errorf("Finite(%g): %v", v, f)
		}
	}
}

func TestIntOfDouble(t *testing.T) {
	for v, want := range map[float64]int64{1.9: 1, -1.9: -1, 0: 0, 9007199254740993: 9007199254740992, 9.2e18: 9200000000000000000} {
		if got, f := IntOfDouble(v); got != want || f != 0 {
			t.Errorf("IntOfDouble(%g) = %d, %v", v, got, f)
		}
	}
	for _, v := range []float64{1 << 63, -1 << 63, 9.3e18, math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, f := IntOfDouble(v); f != stream.FaultOverflow {
			t.Errorf("IntOfDouble(%g): %v", v, f)
		}
	}
}

// texts are seeds for every conversion.
var texts = []string{
	"", "0", "1", "-1", "+5", "-", "+", "007", "1e3", "1.5", ".5", "5.", ".", "0x10", "0x1p-2", "0x", "1_000", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"-9223372036854775809", "99999999999999999999", "18446744073709551616", "18446744073709551621", "1e400", "-1e400", "1e-400", "NaN", "nan", "-nan", "Inf", "-inf", "+Infinity", "infinit", " 1", "1 ", "é", "1e", "1e+",
	"true", "True", "TRUE", "tRUE", "t", "F", "false", "yes",
	"1s", "1.5h", "-1.5s", "1h30m", "90", "1d", "1us", "1µs", "1μs", "1ns", "9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns", "106751d", "2562047h47m16.854775807s",
	"2562047h47m16.854775808s", "-2562047h47m16.854775808s", "1.0000000000000000000001s", "0.9999999999999999999999s", ".s", "1..s", "1s1", "3000000h", "0.100000000000000000000h", "+0", "-0", "1m-1s", "9223372036854775807.5ns",
	"2024-01-02T03:04:05Z", "2024-01-02t03:04:05Z", "2024-01-02T03:04:05z", "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2016-12-31T23:59:60Z",
	"2024-01-02T03:04:05.123456789Z", "2024-01-02T03:04:05.1234567899Z", "2024-01-02T03:04:05.Z", "2024-01-02T03:04:05,5Z", "2024-01-02T03:04:05+02:00", "2024-01-02T03:04:05-23:59", "2024-01-02T03:04:05+24:00",
	"2024-01-02T03:04:05+2:00", "2024-01-02T03:04:05", "2024-1-02T03:04:05Z", "2024-13-02T03:04:05Z", "2024-00-02T03:04:05Z", "2024-01-00T03:04:05Z", "2024-01-02T24:04:05Z", "2024-01-02T03:60:05Z", "0000-01-01T00:00:00Z",
	"0000-03-01T00:00:00Z", "9999-12-31T23:59:59Z", "1677-09-21T00:12:43.145224192Z", "1677-09-21T00:12:43.145224191Z", "2262-04-11T23:47:16.854775807Z", "2262-04-11T23:47:16.854775808Z", "1969-12-31T23:59:59.5Z", "2024-01-02 03:04:05Z",
	"2024-01-02T03:04:05.5+00:00", "2024-01-02T03:04:05Z ", "1969-12-31T23:59:59.999999999-00:01",
}

var strict = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// compare holds every conversion of s against the standard library.
func compare(t *testing.T, s string) {
	t.Helper()
	faulted := func(name string, f stream.Fault, err error) bool {
		t.Helper()
		if (f != 0) != (err != nil) {
			t.Fatalf("%s(%q): %v; want %v", name, s, f, err)
		}
		return f != 0
	}
	i, f := IntOfText(s)
	wantInt, err := strconv.ParseInt(s, 10, 64)
	if !faulted("IntOfText", f, err) && i != wantInt {
		t.Fatalf("IntOfText(%q) = %d", s, i)
	}
	v, f := DoubleOfText(s)
	wantDouble, err := strconv.ParseFloat(s, 64)
	if !faulted("DoubleOfText", f, err) && math.Float64bits(v) != math.Float64bits(wantDouble) {
		t.Fatalf("DoubleOfText(%q) = %g", s, v)
	}
	b, f := BoolOfText(s)
	wantBool, err := strconv.ParseBool(s)
	if !faulted("BoolOfText", f, err) && b != wantBool {
		t.Fatalf("BoolOfText(%q) = %t", s, b)
	}
	d, f := DurationOfText(s)
	wantDuration, err := time.ParseDuration(s)
	if !faulted("DurationOfText", f, err) && d != int64(wantDuration) {
		t.Fatalf("DurationOfText(%q) = %d, want %d", s, d, wantDuration)
	}
	at, f := TimeOfText(s)
	wantTime, err := time.Parse(time.RFC3339, s)
	if !strict.MatchString(s) || err != nil {
		if f != stream.FaultConversion {
			t.Fatalf("TimeOfText(%q) = %d, %v; want a fault", s, at, f)
		}
		return
	}
	if wantTime.Before(time.Unix(0, math.MinInt64)) || wantTime.After(time.Unix(0, math.MaxInt64)) {
		if f != stream.FaultTimeRange {
			t.Fatalf("TimeOfText(%q) = %d, %v; want a fault", s, at, f)
		}
	} else if f != 0 || at != wantTime.UnixNano() {
		t.Fatalf("TimeOfText(%q) = %d, %v; want %d", s, at, f, wantTime.UnixNano())
	}
}

func TestTexts(t *testing.T) {
	for _, s := range texts {
		compare(t, s)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 { // one character of a seed replaced, dropped or doubled
		s := []byte(texts[r.IntN(len(texts))])
		for range 1 + r.IntN(3) {
			if len(s) == 0 {
				break
			}
			i := r.IntN(len(s))
			switch r.IntN(3) {
			case 0:
				s[i] = "0123456789-+.:TZeEhmsnu_x "[r.IntN(26)]
			case 1:
				s = append(s[:i], s[i+1:]...)
			default:
				s = append(s[:i+1], s[i:]...)
			}
		}
		compare(t, string(s))
	}
	for range 100_000 { // every day and zone
		at := time.Unix(r.Int64N(253402300800+62167219200)-62167219200, r.Int64N(1e9)).In(time.FixedZone("", (r.IntN(2*1440-1)-1439)*60))
		if at.Year() >= 0 && at.Year() <= 9999 {
			compare(t, at.Format(time.RFC3339Nano))
		}
	}
}

func FuzzTexts(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { compare(t, s) })
}

func TestSeconds(t *testing.T) {
	for _, ns := range []int64{0, 1, -1, 999_999_999, -999_999_999, 1e9, -1e9, -1e9 - 1, math.MaxInt64, math.MinInt64} {
		if got, want := Seconds(ns), time.Unix(0, ns).Unix(); got != want {
			t.Errorf("Seconds(%d) = %d, want %d", ns, got, want)
		}
	}
	for _, s := range []int64{0, -1, 9223372036, -9223372036} {
		if got, f := TimeOfInt(s); f != 0 || got != s*1e9 {
			t.Errorf("TimeOfInt(%d) = %d, %v", s, got, f)
		}
	}
	for _, s := range []int64{9223372037, -9223372037, math.MaxInt64, math.MinInt64} {
		if _, f := TimeOfInt(s); f != stream.FaultTimeRange {
			t.Errorf("TimeOfInt(%d): %v", s, f)
		}
	}
}

func TestMadeTexts(t *testing.T) {
	in := &stream.Batch{Data: []byte("abc")}
	for _, c := range [][2]string{
		{Concat(in, "é", ""), "é"}, {Concat(in, "", ""), ""}, {Concat(in, in.Text(stream.Str{Off: 0, Len: 3}), "d"), "abcd"},
		{TextOfInt(in, math.MinInt64), "-9223372036854775808"},
		{TextOfDouble(in, 1), "1"}, {TextOfDouble(in, 1e6), "1e+06"}, {TextOfDouble(in, 0.1), "0.1"}, {TextOfDouble(in, math.NaN()), "NaN"}, {TextOfDouble(in, math.Inf(-1)), "-Inf"},
		{TextOfBool(true), "true"}, {TextOfBool(false), "false"},
		{TextOfTime(in, 0), "1970-01-01T00:00:00Z"}, {TextOfTime(in, -500_000_000), "1969-12-31T23:59:59.5Z"},
		{TextOfDuration(in, 90e9), "90s"}, {TextOfDuration(in, -1), "-0.000000001s"}, {TextOfDuration(in, 0), "0s"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{"": 0, "abc": 3, "é": 1, "😀": 1, "e\u0301": 2} {
		if got := Size(s); got != want {
			t.Errorf("Size(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	in := &stream.Batch{Data: []byte("abc")}
	in.Words = []uint64{99, 5, uint64(1 << 63), math.Float64bits(1.5), 0, 1, stream.Str{Off: 0, Len: 1}.Word(), stream.Str{Off: 1, Len: 2}.Word()}
	numbers, double, bools, strs := stream.List{Off: 1, Len: 2}, stream.List{Off: 3, Len: 1}, stream.List{Off: 4, Len: 1}, stream.List{Off: 6, Len: 2}
	if !HasInt(in, numbers, 5) || !HasInt(in, numbers, math.MinInt64) || HasInt(in, numbers, 99) || HasInt(in, stream.List{}, 0) {
		t.Error("HasInt")
	}
	if !HasDouble(in, double, 1.5) || HasDouble(in, double, 2) || HasDouble(in, double, math.NaN()) {
		t.Error("HasDouble")
	}
	if !HasBool(in, bools, false) || HasBool(in, bools, true) {
		t.Error("HasBool")
	}
	if !HasText(in, strs, "a") || !HasText(in, strs, "bc") || HasText(in, strs, "") {
		t.Error("HasText")
	}
	if v, f := IntAt(in, numbers, 1); v != math.MinInt64 || f != 0 {
		t.Error("IntAt", v, f)
	}
	if v, f := DoubleAt(in, double, 0); v != 1.5 || f != 0 {
		t.Error("DoubleAt", v, f)
	}
	if v, f := BoolAt(in, stream.List{Off: 5, Len: 1}, 0); !v || f != 0 {
		t.Error("BoolAt", v, f)
	}
	if v, f := TextAt(in, strs, 1); v != "bc" || f != 0 {
		t.Error("TextAt", v, f)
	}
	for _, i := range []int64{-1, 2, 8, math.MaxInt64, math.MinInt64} {
		_, a := IntAt(in, numbers, i)
		_, b := DoubleAt(in, double, i)
		_, c := BoolAt(in, bools, i)
		_, d := TextAt(in, strs, i)
		if a != stream.FaultIndex || b != stream.FaultIndex || c != stream.FaultIndex || d != stream.FaultIndex {
			t.Errorf("[%d]: %v %v %v %v", i, a, b, c, d)
		}
	}
}

// TestInt128Times holds products against package big.
func TestInt128Times(t *testing.T) {
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1))
	least := new(big.Int).Not(most)
	value := func(s Int128) *big.Int {
		v := new(big.Int).Lsh(big.NewInt(s.Hi), 64)
		return v.Add(v, new(big.Int).SetUint64(s.Lo))
	}
	words := []uint64{0, 1, 2, 9, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1, 12345678901234567890}
	for _, hi := range words {
		for _, lo := range words {
			for _, n := range []uint64{1, 10, 1e9, 1e18} {
				s := Int128{Hi: int64(hi), Lo: lo}
				want := value(s)
				want.Mul(want, new(big.Int).SetUint64(n))
				if want.Cmp(most) > 0 {
					want = most
				} else if want.Cmp(least) < 0 {
					want = least
				}
				if got := value(s.Times(n)); got.Cmp(want) != 0 {
					t.Errorf("%v times %d is %v, want %v", value(s), n, got, want)
				}
			}
		}
	}
}

func TestInt128(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		var s Int128
		exact := new(big.Int)
		n := int64(1 + r.IntN(20))
		same := r.IntN(2) == 0 // many of one size reach beyond int64
		x := random(r)
		for range n {
			if !same {
				x = random(r)
			}
			s.Add(x)
			exact.Add(exact, big.NewInt(x))
		}
		v, ok := s.Int64()
		if ok != exact.IsInt64() || ok && v != exact.Int64() {
			t.Fatalf("Int64 of %v = %d, %t", exact, v, ok)
		}
		want, _ := new(big.Rat).SetFrac(exact, big.NewInt(n)).Float64()
		if got := s.Over(n); got != want {
			t.Fatalf("%v / %d = %v, want %v", exact, n, got, want)
		}
	}
	// many additions at once: wide sums with any divisor
	for range 50_000 {
		n := 1 + r.Int64N(1<<53)>>r.IntN(53)
		x := random(r)
		exact := new(big.Int).Mul(big.NewInt(x), big.NewInt(n))
		exact.Sub(exact, big.NewInt(r.Int64N(1+n)))
		if m := new(big.Int).Mul(big.NewInt(math.MinInt64), big.NewInt(n)); exact.Cmp(m) < 0 {
			exact = m
		}
		low := new(big.Int).And(exact, new(big.Int).SetUint64(math.MaxUint64))
		s := Int128{Hi: new(big.Int).Rsh(exact, 64).Int64(), Lo: low.Uint64()}
		want, _ := new(big.Rat).SetFrac(exact, big.NewInt(n)).Float64()
		if got := s.Over(n); got != want {
			t.Fatalf("%v / %d = %v, want %v", exact, n, got, want)
		}
	}
}

func TestNeumaier(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{1, 1e100, 1, -1e100}, 2},
		{[]float64{0.1, 0.2, 0.3}, 0.6},
		{[]float64{1e16, 1, 1, 1, 1, -1e16}, 4},
	} {
		var s Neumaier
		for _, v := range c.values {
			s.Add(v)
		}
		if s.Value() != c.want {
			t.Errorf("sum of %v = %v, want %v", c.values, s.Value(), c.want)
		}
	}
	var s Neumaier
	for range 10 {
		s.Add(math.MaxFloat64)
	}
	if v := s.Value(); v-v == 0 {
		t.Errorf("10 times the largest = %v", v)
	}
}

func TestNoAllocations(t *testing.T) {
	in := &stream.Batch{Data: make([]byte, 0, 1<<16)}
	for _, s := range []string{"12", "x", "", "1.5", "2024-01-02T03:04:05.5+02:00", "2024-01-02T03:04:05", "1h30m", "1d", "true", "99999999999999999999"} {
		n := testing.AllocsPerRun(100, func() {
			in.Data = in.Data[:0]
			i, _ := IntOfText(s)
			v, _ := DoubleOfText(s)
			if truth, _ := BoolOfText(s); truth {
				i++
			}
			d, _ := DurationOfText(s)
			at, _ := TimeOfText(s)
			Concat(in, TextOfInt(in, i), TextOfDouble(in, v))
			Concat(in, TextOfTime(in, at), TextOfDuration(in, d))
		})
		if n != 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}
