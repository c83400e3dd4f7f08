package codec

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// value stands at the only value of a record.
func value(raw string) Scanner {
	in, at := batchOf(`{"a":` + raw + `}`)
	s := Scan(in, at)
	s.Next()
	return s
}

func TestInts(t *testing.T) {
	for _, test := range []struct {
		raw   string
		want  int64
		fault stream.Fault
	}{
		{"0", 0, 0}, {"-0", 0, 0}, {"-0.0e5", 0, 0}, {"0e999999999999999999999", 0, 0}, {"0.000e-999999999999", 0, 0},
		{"1e999999999999999999999", 0, stream.FaultIntRange}, {"1e-999999999999999999999", 0, stream.FaultIntegral},
		{"0.0000000000000000001e19", 1, 0}, {"0.00000000000000000001e19", 0, stream.FaultIntegral},
		{"9223372036854775807", math.MaxInt64, 0}, {"9223372036854775807.000", math.MaxInt64, 0}, {"922337203685477580.7e1", math.MaxInt64, 0}, {"9223372036854775808", 0, stream.FaultIntRange},
		{"-9223372036854775808", math.MinInt64, 0}, {"-9223372036854775809", 0, stream.FaultIntRange}, {"-92233720368547758.08e2", math.MinInt64, 0},
		{"18446744073709551615", 0, stream.FaultIntRange}, {"18446744073709551616", 0, stream.FaultIntRange}, {"9999999999999999999", 0, stream.FaultIntRange}, {"10000000000000000000", 0, stream.FaultIntRange},
		{"9223372036854775807.5", 0, stream.FaultIntegral}, {"99999999999999999999.5", 0, stream.FaultIntRange},
		{"100000000000000000000e-18", 100, 0}, {"100000000000000000001e-18", 0, stream.FaultIntegral}, {"123456789012345678", 123456789012345678, 0}, {"-123456789012345678", -123456789012345678, 0}, {"1234567890123456789", 1234567890123456789, 0},
		{"1" + strings.Repeat("0", 100) + "e-100", 1, 0}, {"0." + strings.Repeat("0", 99) + "1e100", 1, 0}, {"1." + strings.Repeat("0", 1000), 1, 0}, {"1." + strings.Repeat("0", 1000) + "1", 0, stream.FaultIntegral},
		{`"1"`, 0, stream.FaultType}, {"true", 0, stream.FaultType}, {"{}", 0, stream.FaultType}, {"null", 0, stream.FaultNull},
	} {
		s := value(test.raw)
		if got, fault := s.Int(); got != test.want || fault != test.fault {
			t.Errorf("%s: %d, %v, want %d, %v", test.raw, got, fault, test.want, test.fault)
		}
		if more := s.Next(); more || s.pos != s.end {
			t.Errorf("%s: the scanner did not stand behind the value", test.raw)
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, test := range []struct {
		raw   string
		scale int
		want  int64
		fault stream.Fault
	}{
		{"0.1", 2, 10, 0}, {"0.10", 2, 10, 0}, {"1e-1", 2, 10, 0}, {"10e-2", 2, 10, 0}, {"1e0", 2, 100, 0}, {"0.1000000000000000000000000000", 2, 10, 0}, {"-0.00", 2, 0, 0},
		{"0.105", 2, 0, stream.FaultScale}, {"0.1050000", 2, 0, stream.FaultScale}, {"1e-3", 2, 0, stream.FaultScale}, {"1e-999999999999999999999", 18, 0, stream.FaultScale}, {"0e-999999999999", 2, 0, 0},
		{"92233720368547758.07", 2, math.MaxInt64, 0}, {"-92233720368547758.08", 2, math.MinInt64, 0}, {"92233720368547758.08", 2, 0, stream.FaultDecimal}, {"1e17", 2, 0, stream.FaultDecimal},
		{"9.223372036854775807", 18, math.MaxInt64, 0}, {"10", 18, 0, stream.FaultDecimal}, {"1e99999999999999999999", 0, 0, stream.FaultDecimal}, {"7.0", 0, 7, 0}, {"7.5", 0, 0, stream.FaultScale},
		{`"0.10"`, 2, 0, stream.FaultType}, {"null", 2, 0, stream.FaultNull}, {"[]", 2, 0, stream.FaultType},
	} {
		s := value(test.raw)
		if got, fault := s.Decimal(test.scale); got != test.want || fault != test.fault {
			t.Errorf("%s, scale %d: %d, %v, want %d, %v", test.raw, test.scale, got, fault, test.want, test.fault)
		}
		if more := s.Next(); more || s.pos != s.end {
			t.Errorf("%s: the scanner did not stand behind the value", test.raw)
		}
	}
}

func TestAppendDecimal(t *testing.T) {
	for _, test := range []struct {
		units int64
		scale int
		want  string
	}{
		{40, 2, "0.40"}, {100, 2, "1.00"}, {0, 2, "0.00"}, {-5, 2, "-0.05"}, {7, 0, "7"}, {-7, 0, "-7"}, {1, 18, "0.000000000000000001"},
		{math.MaxInt64, 2, "92233720368547758.07"}, {math.MinInt64, 2, "-92233720368547758.08"}, {math.MinInt64, 18, "-9.223372036854775808"}, {math.MinInt64, 0, "-9223372036854775808"},
	} {
		text := AppendDecimal(nil, test.units, test.scale)
		if string(text) != test.want {
			t.Errorf("%d, scale %d: %s, want %s", test.units, test.scale, text, test.want)
		}
		s := value(string(text))
		if got, fault := s.Decimal(test.scale); got != test.units || fault != 0 {
			t.Errorf("%s reads as %d, %v", text, got, fault)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, test := range []struct {
		raw   string
		want  float64
		fault stream.Fault
	}{
		{"0", 0, 0}, {"-0", 0, 0}, {"-0.0", 0, 0}, {"-0e9", 0, 0}, {"-1e-999", 0, 0}, {"-1e-400", 0, 0}, {"1e-324", 0, 0}, {"-2.4703282292062327e-324", 0, 0}, {"1e-99999999999999999999", 0, 0},
		{"2.4703282292062328e-324", 5e-324, 0}, {"5e-324", 5e-324, 0}, {"2.2250738585072011e-308", 2.2250738585072011e-308, 0},
		{"1.7976931348623157e308", math.MaxFloat64, 0}, {"1.7976931348623158e308", math.MaxFloat64, 0}, {"1.7976931348623159e308", 0, stream.FaultFloatRange}, {"-1.7976931348623159e308", 0, stream.FaultFloatRange},
		{"1.797693134862315807e308", math.MaxFloat64, 0}, {"1.7976931348623158079372e308", math.MaxFloat64, 0}, {"1.7976931348623158079373e308", 0, stream.FaultFloatRange}, {"1.797693134862315808e308", 0, stream.FaultFloatRange},
		{"18e307", 0, stream.FaultFloatRange}, {"17e307", 1.7e308, 0}, {"2e308", 0, stream.FaultFloatRange}, {"0.000000000000000000000000001e335", 1e308, 0}, {"0.000000000000000000000000001e336", 0, stream.FaultFloatRange},
		{"17976931348623157" + strings.Repeat("0", 292), math.MaxFloat64, 0}, {"1" + strings.Repeat("0", 308), 1e308, 0}, {"1" + strings.Repeat("0", 309), 0, stream.FaultFloatRange},
		{"1e309", 0, stream.FaultFloatRange}, {"1e400", 0, stream.FaultFloatRange}, {"1e99999999999999999999", 0, stream.FaultFloatRange}, {"0e99999999999999999999", 0, 0},
		{"0." + strings.Repeat("0", 400) + "1e401", 1, 0}, {"1" + strings.Repeat("0", 400) + "e-400", 1, 0},
		{"9007199254740993", 9007199254740992, 0}, {"9007199254740993.00000000000000000000000001", 9007199254740994, 0}, {"9007199254740991", 9007199254740991, 0}, {"1e22", 1e22, 0}, {"1e23", 1e23, 0}, {"0.1", 0.1, 0}, {"12.34", 12.34, 0}, {"-12.34", -12.34, 0},
		{`"1"`, 0, stream.FaultType}, {"[1]", 0, stream.FaultType}, {"null", 0, stream.FaultNull},
	} {
		s := value(test.raw)
		if got, fault := s.Float(); got != test.want || math.Signbit(got) != math.Signbit(test.want) || fault != test.fault {
			t.Errorf("%s: %v, %v, want %v, %v", test.raw, got, fault, test.want, test.fault)
		}
	}
}

func TestEpochs(t *testing.T) {
	for _, test := range []struct {
		raw   string
		unit  Unit
		want  int64
		fault stream.Fault
	}{
		{"9223372036.854775807", Seconds, math.MaxInt64, 0}, {"9223372036.8547758079999", Seconds, math.MaxInt64, 0}, {"9223372036.854775808", Seconds, 0, stream.FaultTimeRange},
		{"-9223372036.854775808", Seconds, math.MinInt64, 0}, {"-9223372036.8547758080001", Seconds, 0, stream.FaultTimeRange}, {"-9223372036.8547758071", Seconds, math.MinInt64, 0},
		{"9223372036854775807", Nanos, math.MaxInt64, 0}, {"9223372036854775808", Nanos, 0, stream.FaultTimeRange}, {"-9223372036854775808", Nanos, math.MinInt64, 0}, {"-9223372036854775808.1", Nanos, 0, stream.FaultTimeRange},
		{"1.9", Nanos, 1, 0}, {"-1.9", Nanos, -2, 0}, {"-0.1", Nanos, -1, 0}, {"-0.0", Nanos, 0, 0}, {"-1e-999999999999", Seconds, -1, 0}, {"1e-999999999999", Seconds, 0, 0}, {"1e999999999999", Nanos, 0, stream.FaultTimeRange}, {"0e999999999999", Seconds, 0, 0},
		{"1709272800123", Millis, 1709272800123000000, 0}, {"1709272800123456", Micros, 1709272800123456000, 0}, {"1.7092728e9", Seconds, 1709272800000000000, 0}, {"-1", Seconds, -1000000000, 0}, {"-1.0000000001", Seconds, -1000000001, 0},
		{`"1"`, Seconds, 0, stream.FaultType}, {"null", Seconds, 0, stream.FaultNull}, {"false", Seconds, 0, stream.FaultType},
	} {
		s := value(test.raw)
		if got, fault := s.Epoch(test.unit); got != test.want || fault != test.fault {
			t.Errorf("%s at %d: %d, %v, want %d, %v", test.raw, test.unit, got, fault, test.want, test.fault)
		}
	}
}

// plainly holds what a function of take reads of raw against what a Scanner says of it.
func plainly[V any](t *testing.T, raw string, want V, fault stream.Fault, read func(in *stream.Batch, pos int) (V, int), bits func(V) uint64) {
	t.Helper()
	in, _ := batchOf(`{"a":` + raw + `}`)
	got, next := read(in, 5)
	if fault != 0 && next != 0 || fault == 0 && (next != 5+len(raw) || bits(got) != bits(want)) {
		t.Fatalf("%s in take: %v, ends at %d; want %v, %v", raw, got, next-5, want, fault)
	}
}

func intBits(v int64) uint64 { return uint64(v) }

// checkNumber holds the readings of a number against math/big and strconv.
func checkNumber(t *testing.T, raw string) {
	t.Helper()
	s := value(raw)
	got, fault := s.Int()
	if want, wantFault := intOf([]byte(raw)); got != want || fault != wantFault {
		t.Fatalf("Int of %s: %d, %v, want %d, %v", raw, got, fault, want, wantFault)
	}
	plainly(t, raw, got, fault, Int, intBits)
	s = value(raw)
	f, fault := s.Float()
	if want, wantFault := floatOf([]byte(raw)); math.Float64bits(f) != math.Float64bits(want) || fault != wantFault {
		t.Fatalf("Float of %s: %v, %v, want %v, %v", raw, f, fault, want, wantFault)
	}
	plainly(t, raw, f, fault, Float, math.Float64bits)
	for _, scale := range []int{0, 1, 2, 9, 18} {
		s = value(raw)
		units, fault := s.Decimal(scale)
		if want, wantFault := unitsOf([]byte(raw), int64(scale)); units != want || fault != wantFault {
			t.Fatalf("Decimal of %s, scale %d: %d, %v, want %d, %v", raw, scale, units, fault, want, wantFault)
		}
		plainly(t, raw, units, fault, func(in *stream.Batch, pos int) (int64, int) { return Decimal(in, pos, scale) }, intBits)
	}
	for _, unit := range []Unit{Seconds, Millis, Micros, Nanos} {
		s = value(raw)
		ns, fault := s.Epoch(unit)
		if want, wantFault := epochOf([]byte(raw), int64(unit)); ns != want || fault != wantFault {
			t.Fatalf("Epoch of %s at %d: %d, %v, want %d, %v", raw, unit, ns, fault, want, wantFault)
		}
		plainly(t, raw, ns, fault, func(in *stream.Batch, pos int) (int64, int) { return Epoch(in, pos, unit) }, intBits)
	}
}

func TestRandomNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	digits := func(n int) string {
		b := make([]byte, n)
		zeros := r.IntN(3) == 0
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
			if zeros && r.IntN(8) != 0 {
				b[i] = '0'
			}
		}
		return string(b)
	}
	borders := []string{"9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615", "9007199254740993", "1", "5", "99999999999999999999"}
	for range 40_000 {
		whole := strings.TrimLeft(digits(1+r.IntN(25)), "0")
		if r.IntN(4) == 0 {
			whole = borders[r.IntN(len(borders))]
		}
		if whole == "" {
			whole = "0"
		}
		// The point may stand anywhere, the exponent puts it back or not.
		exponent := r.IntN(45) - 22
		if at := r.IntN(len(whole) + 1); at > 0 && at < len(whole) && r.IntN(2) == 0 {
			exponent += (len(whole) - at) * r.IntN(2)
			whole = whole[:at] + "." + whole[at:]
		} else if r.IntN(2) == 0 {
			whole += "." + digits(1+r.IntN(25))
		}
		switch r.IntN(6) {
		case 0:
			exponent = r.IntN(700) - 350
		case 1:
			exponent = 0
		}
		if exponent != 0 {
			whole += fmt.Sprintf("%c%+d", "eE"[r.IntN(2)], exponent)
		}
		if r.IntN(3) == 0 {
			whole = "-" + whole
		}
		checkNumber(t, whole)
	}
	for range 20_000 { // short ones, as most are
		whole := strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		if whole = whole[r.IntN(len(whole)):]; whole[0] == '0' {
			whole = "0"
		}
		if n := r.IntN(10); n > 0 {
			whole += "." + digits(n)
		}
		checkNumber(t, [...]string{"", "-"}[r.IntN(2)]+whole)
	}
	for range 10_000 { // floats as they are written
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		checkNumber(t, strconv.FormatFloat(f, "eg"[r.IntN(2)], -1, 64))
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-0.0", "1e3", "1.0", "9223372036854775808", "1e999999999", "-1e-999999999", "123456789012345678901234567890", "0.1", "5e-324", "1.7976931348623159e308", "-9223372036.8547758081"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && json.Valid([]byte(raw)) && strings.TrimSpace(raw) == raw && len(raw) < 2000 {
			checkNumber(t, raw)
		}
	})
}

func TestFloatsThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	check := func(f float64) {
		t.Helper()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		got := AppendFloat(nil, f)
		if string(got) != string(want) {
			t.Fatalf("%v is written as %s, want %s", f, got, want)
		}
		s := value(string(got))
		if back, fault := s.Float(); back != f || fault != 0 {
			t.Fatalf("%s is %v, %v, want %v", got, back, fault, f)
		}
	}
	for _, f := range []float64{0, 1, -1, 5, 0.5, 0.25, 0.01, -0.01, 0.1, 100, 99.99, 1e15, 1e15 - 0.01, 9999999999999.99, 1e-6, 9.9e-7, 1e-7, 1e-10, 1e20, 1e21, 1.5e21, 123456789e20, 3.0744573456182584e18,
		math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2, 4503599627370496.5, 0.005, 1.005, 2.675, 1e-9, 1.23e-9} {
		check(f)
		check(-f + 0)
	}
	for range 60_000 {
		check(math.Float64frombits(r.Uint64()))
		check(float64(r.Int64N(1e15)-5e14) / 100)
		check(float64(r.Int64N(1e12)) / 1000)
		check(math.Float64frombits(math.Float64bits(float64(r.Int64N(1e17))/100) + r.Uint64N(3) - 1)) // next to hundredths
		check(r.NormFloat64() * 1000)
	}
}
