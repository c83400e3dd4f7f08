package codec

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

func TestTimes(t *testing.T) {
	const day = 1704067200_000000000 // 2024-01-01T00:00:00Z
	const no = stream.FaultTime
	const out = stream.FaultTimeRange
	for _, test := range []struct {
		text  string
		want  int64
		fault stream.Fault
	}{
		// What RFC 3339 allows.
		{"2024-01-01T00:00:00Z", day, 0},
		{"2024-01-01t00:00:00z", day, 0},
		{"2024-01-01T05:30:00+05:30", day, 0},
		{"2023-12-31T16:00:00-08:00", day, 0},
		{"2024-01-01T00:00:00-00:00", day, 0},
		{"2024-01-01T00:00:00.123456789123Z", day + 123456789, 0},
		{"2024-01-01T00:00:00.9999999999Z", day + 999999999, 0},
		{"2024-01-01T00:00:00." + strings.Repeat("0", 1000) + "9Z", day, 0},
		{"2024-01-01T23:59:00+23:59", day, 0},
		{"2024-02-29T23:59:59.5+00:00", 1709251199_500000000, 0},
		{"2000-02-29T00:00:00Z", 951782400_000000000, 0},
		{"1969-12-31T23:59:59.999999999Z", -1, 0},
		{"1970-01-01T00:00:00.1Z", 100000000, 0},
		// What it does not.
		{"2024-01-01T00:00:00,5Z", 0, no}, {"2024-01-01T0:00:00Z", 0, no}, {"2024-01-01T00:00:00+0530", 0, no}, {"2024-01-01T00:00:00+24:00", 0, no}, {"2024-01-01T00:00:00+05:60", 0, no},
		{"2024-01-01T00:00:00", 0, no}, {"2024-02-30T00:00:00Z", 0, no}, {"2023-02-29T00:00:00Z", 0, no}, {"1900-02-29T00:00:00Z", 0, no}, {"2024-01-01T24:00:00Z", 0, no}, {"2024-01-01T00:00:00.Z", 0, no},
		{"2024-01-01T00:00Z", 0, no}, {"20240101T000000Z", 0, no}, {"2024-01-01 00:00:00Z", 0, no}, {"2024-01-01T00:00:00Z ", 0, no}, {" 2024-01-01T00:00:00Z", 0, no}, {"", 0, no}, {"Z", 0, no},
		{"2024-13-01T00:00:00Z", 0, no}, {"2024-00-01T00:00:00Z", 0, no}, {"2024-01-00T00:00:00Z", 0, no}, {"2024-04-31T00:00:00Z", 0, no}, {"2024-01-32T00:00:00Z", 0, no}, {"2024-01-01T00:60:00Z", 0, no}, {"2024-01-01T00:00:61Z", 0, no},
		{"+2024-01-01T00:00:00Z", 0, no}, {"2024-01-01T00:00:00+05:30Z", 0, no}, {"2024-01-01T00:00:00+5:30", 0, no}, {"2024-01-01T00:00:00+05", 0, no}, {"2024-01-01T00:00:00UTC", 0, no}, {"02024-01-01T00:00:00Z", 0, no},
		{"2024-01-01T00:00:00.5", 0, no}, {"2024-01-01T00:00:00.-5Z", 0, no}, {"2024/01/01T00:00:00Z", 0, no}, {"2024-01-01T00.00.00Z", 0, no}, {"2024-01-01T-1:00:00Z", 0, no}, {"2024-01-01T00:00:00 Z", 0, no}, {"2024-01-01T00:00:00.5x", 0, no},
		{"2024-01-01\x5400:00:00\x1a", 0, no}, {"2024-01-01\x0e00:00:00Z", 0, no}, {"٢024-01-01T00:00:00Z", 0, no}, {"2024-01-01T00:00:00−05:30", 0, no},
		// Leap seconds: at 23:59:60 UTC only.
		{"2016-12-31T23:59:60Z", 1483228799_999999999, 0}, {"2016-12-31T23:59:60.25Z", 1483228799_999999999, 0}, {"2017-01-01T05:29:60+05:30", 1483228799_999999999, 0}, {"2016-12-31T15:59:60-08:00", 1483228799_999999999, 0},
		{"2016-12-31T23:59:60+01:00", 0, no}, {"2016-12-31T23:58:60Z", 0, no}, {"2016-12-31T22:59:60Z", 0, no}, {"2016-12-31T23:59:60-00:01", 0, no}, {"1969-12-31T23:59:60Z", -1, 0}, {"1969-12-31T22:59:60Z", 0, no},
		// The range.
		{"1677-09-21T00:12:43.145224192Z", math.MinInt64, 0}, {"1677-09-21T00:12:43.145224191Z", 0, out}, {"1677-09-21T00:12:42.999999999Z", 0, out}, {"1677-09-21T00:12:44Z", -9223372036000000000, 0},
		{"2262-04-11T23:47:16.854775807Z", math.MaxInt64, 0}, {"2262-04-11T23:47:16.8547758079Z", math.MaxInt64, 0}, {"2262-04-11T23:47:16.854775808Z", 0, out}, {"2262-04-11T23:47:17Z", 0, out}, {"2262-04-12T00:47:16+01:00", 9223372036000000000, 0},
		{"0000-01-01T00:00:00Z", 0, out}, {"0001-01-01T00:00:00Z", 0, out}, {"9999-12-31T23:59:59Z", 0, out}, {"0000-02-29T00:00:00+23:59", 0, out}, {"9999-12-31T23:59:60Z", 0, out},
	} {
		if got, fault := ParseTime([]byte(test.text)); got != test.want || coarse(fault) != test.fault {
			t.Errorf("%q: %d, %v, want %d, %v", test.text, got, fault, test.want, test.fault)
		}
		if got, fault := timeOf(test.text); got != test.want || fault != test.fault {
			t.Errorf("%q: the oracle says %d, %v", test.text, got, fault)
		}
		timePlainly(t, test.text)
	}
}

// What is wrong with a time is said as exactly as a reader of it would.
func TestWhatIsWrongWithATime(t *testing.T) {
	for want, texts := range map[stream.Fault][]string{
		stream.FaultTime:        {"", "Z", "x", "20240101T000000Z", "2024/01/01T00:00:00Z", "2024-01-01T00:00Z", "2024-01-01T0:00:00Z", "2024-1-1T00:00:00Z", "01.02.2024", " 2024-01-01T00:00:00Z", "2024-01-01_00:00:00Z"},
		stream.FaultTimeDate:    {"2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29 00:00:00", "2024-13-01T00:00:00Z", "2024-00-01", "2024-01-00T00:00:00Z", "2024-31-01T00:00:00Z"},
		stream.FaultTimeNoClock: {"2024-01-01", "2024-02-29"},
		stream.FaultTimeClock:   {"2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01 25:00:00"},
		stream.FaultTimeSpace:   {"2024-01-01 00:00:00Z", "2024-01-01 00:00:00", "2024-01-01 00:00:00.5+01:00"},
		stream.FaultTimeComma:   {"2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00,123"},
		stream.FaultTimeNoZone:  {"2024-01-01T00:00:00", "2024-01-01T00:00:00.5", "2016-12-31T23:59:60"},
		stream.FaultTimeZone:    {"2024-01-01T00:00:00+0530", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+05:60", "2024-01-01T00:00:00+5:30", "2024-01-01T00:00:00 Z", "2024-01-01T00:00:00Z ", "2024-01-01T00:00:00UTC", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+05:30Z", "2024-01-01T00:00:00.5x"},
		stream.FaultTimeLeap:    {"2016-12-31T23:59:60+01:00", "2016-12-31T23:58:60Z", "2016-12-31T22:59:60.5Z"},
	} {
		for _, text := range texts {
			if _, fault := ParseTime([]byte(text)); fault != want {
				t.Errorf("%q: %v, want %v", text, fault, want)
			}
		}
	}
}

// As a value of a record: other types are refused, and escapes do not matter.
func TestTimeValues(t *testing.T) {
	for _, test := range []struct {
		raw   string
		want  int64
		fault stream.Fault
	}{
		{`"1970-01-01T00:00:01Z"`, 1e9, 0},
		{`"\u0031970-01-01\u005400:00:01Z"`, 1e9, 0},
		{`"1970-01-01T00:00:01\n"`, 0, stream.FaultTimeZone},
		{`"` + strings.Repeat("x", 1000) + `"`, 0, stream.FaultTime},
		{`1`, 0, stream.FaultType}, {`null`, 0, stream.FaultNull}, {`["1970-01-01T00:00:01Z"]`, 0, stream.FaultType},
	} {
		s := value(test.raw)
		if got, fault := s.Time(); got != test.want || fault != test.fault {
			t.Errorf("%s: %d, %v, want %d, %v", test.raw, got, fault, test.want, test.fault)
		}
	}
}

func TestEveryDay(t *testing.T) {
	at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for day := at.Unix() / secondsPerDay; at.Year() < 10000; day++ {
		year, month, dayOfMonth := at.Date()
		if got := days(int64(year), int64(month), int64(dayOfMonth)); got != day {
			t.Fatalf("%v is day %d, want %d", at, got, day)
		}
		if y, m, d := date(day); int(y) != year || time.Month(m) != month || int(d) != dayOfMonth {
			t.Fatalf("day %d is %d-%d-%d, want %v", day, y, m, d, at)
		}
		at = at.AddDate(0, 0, 1)
	}
}

func TestTimesThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	check := func(ns int64) {
		t.Helper()
		want := time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
		got := AppendTime([]byte("x"), ns)
		if string(got) != `x"`+want+`"` {
			t.Fatalf("%d is written as %s, want %s", ns, got, want)
		}
		if back, fault := ParseTime(got[2 : len(got)-1]); back != ns || fault != 0 {
			t.Fatalf("%s is %d, %v, want %d", got, back, fault, ns)
		}
		zone := time.FixedZone("", (r.IntN(2*23*60)-23*60)*60)
		text := time.Unix(0, ns).In(zone).Format(time.RFC3339Nano)
		if back, fault := ParseTime([]byte(text)); back != ns || fault != 0 {
			t.Fatalf("%s is %d, %v, want %d", text, back, fault, ns)
		}
	}
	for _, ns := range []int64{0, 1, -1, 1e9, -1e9, math.MinInt64, math.MaxInt64, math.MinInt64 + 1, 86400e9, -86400e9, 1709164800e9} {
		check(ns)
	}
	for range 50_000 {
		ns := int64(r.Uint64())
		check(ns)
		check(ns / 1e6 * 1e6)
		check(ns / 1e9 * 1e9)
		check(ns >> r.IntN(60))
	}
}

// timePlainly holds Learned.Time against ParseTime, when its date is known and when it is not.
func timePlainly(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) || !utf8.ValidString(text) {
		return
	}
	want, fault := ParseTime([]byte(text))
	var learned Learned
	if len(text) >= 11 {
		in, _ := batchOf(`{"a":"` + text[:11] + `12:00:00Z"}`)
		learned.Time(in, 5)
	}
	for range 2 {
		raw := `"` + text + `"`
		plainly(t, raw, want, fault, learned.Time, intBits)
	}
}

func FuzzTime(f *testing.F) {
	for _, seed := range []string{"2024-01-01T00:00:00Z", "2016-12-31T23:59:60.5+05:30", "1677-09-21T00:12:43.145224191Z", "0000-00-00t00:00:00,0-24:60", "2024-02-29T23:59:59.123456789123-00:00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, fault := ParseTime([]byte(text))
		if want, wantFault := timeOf(text); got != want || coarse(fault) != wantFault {
			t.Fatalf("%q: %d, %v, want %d, %v", text, got, fault, want, wantFault)
		}
		timePlainly(t, text)
	})
}
