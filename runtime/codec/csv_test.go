package codec

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// csvBatch is a batch of these rows of CSV, with all columns declared.
func csvBatch(data []byte, columns int) *stream.Batch {
	b := &stream.Batch{Data: append(bytes.Clone(data), make([]byte, stream.Padding)...), End: len(data)}
	for i := range columns {
		b.Columns = append(b.Columns, uint16(i+1))
	}
	return b
}

// rowsOf reads all rows of a batch: their fields, or what is wrong with them.
func rowsOf(b *stream.Batch) (rows [][]string, faults []stream.Fault) {
	for {
		line, ok := b.NextRow()
		if !ok {
			return rows, faults
		}
		r := ReadRow(b, line)
		fields := []string{}
		for r.Next() {
			s, _ := r.Str()
			fields = append(fields, string(b.Bytes(s)))
		}
		_, fault, _ := r.End()
		rows, faults = append(rows, fields), append(faults, fault)
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		data  string
		want  []string
		fault stream.Fault
	}{
		{"a,b,c", []string{"a", "b", "c"}, 0},
		{",,", []string{"", "", ""}, 0},
		{`"","",""`, []string{"", "", ""}, 0},
		{`"a,b"," ""x"" ","""`, nil, stream.FaultUnclosed},
		{`"a,b"," ""x"" ",""""`, []string{"a,b", ` "x" `, `"`}, 0},
		{"\"1\r\n2\n\n3\",\"\r\",x", []string{"1\r\n2\n\n3", "\r", "x"}, 0},
		{" a , \"b\",c", nil, stream.FaultQuote},
		{`a,"b" ,c`, nil, stream.FaultBehind},
		{`a,"b"c"d",e`, nil, stream.FaultBehind},
		{`a,b"",c`, nil, stream.FaultQuote},
		{"a,b", nil, stream.FaultFields},
		{"a,b,c,", nil, stream.FaultFields},
		{"a,b,c,\"", nil, stream.FaultUnclosed},
		{`a,b,"c""`, nil, stream.FaultUnclosed},
		{"a,b\r,c", nil, stream.FaultReturn},
		{"a,b,c\r\r\n", nil, stream.FaultReturn},
		{"a,b,\xff", nil, stream.FaultUTF8},
		{"\ufeffa,b,c", nil, stream.FaultBOM},
		{"a,\ufeffb,\x00", []string{"a", "\ufeffb", "\x00"}, 0},
	} {
		for _, end := range []string{"", "\n", "\r\n"} {
			rows, faults := rowsOf(csvBatch([]byte(tt.data+end), 3))
			if len(rows) != 1 || faults[0] != tt.fault || tt.fault == 0 && !slices.Equal(rows[0], tt.want) {
				t.Errorf("%q: %q %v, want %q %v", tt.data+end, rows, faults, tt.want, tt.fault)
			}
		}
	}
}

// TestIgnoredColumns: only the grammar is looked at where the event declares no field.
func TestIgnoredColumns(t *testing.T) {
	b := csvBatch([]byte("x,\"y\n\"\"\",1\n"), 3)
	b.Columns = []uint16{0, 0, 4}
	line, _ := b.NextRow()
	r := ReadRow(b, line)
	if !r.Next() || r.Field() != 4 {
		t.Fatal("no field 4")
	}
	if v, fault := r.Int(); v != 1 || fault != 0 || r.Next() {
		t.Error(v, fault)
	}
	if field, fault, _ := r.End(); field != 0 || fault != 0 {
		t.Error(field, fault)
	}
}

// TestFieldsAsNumbers: whatever JSON reads as a number, a field reads as the same one, and nothing else.
func TestFieldsAsNumbers(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "12", "1.0", "1e3", "1E+3", "1.5", "-1.5e-3", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "1e-400",
		"0.1", "123456789012345678901234567890", "1e19", "0.30000000000000004", "1704067200.25",
		"", "+1", "01", "-", ".5", "5.", "1e", "1e+", "0x1", "1_0", "NaN", "inf", " 1", "1 ", "1a", "--1", "1.2.3", "true", "null",
	} {
		for _, form := range []string{"%s", "%s,x", "\"%s\"", "\"%s\",x", "%s\r\n", "x,%s\n"} {
			data := fmt.Sprintf(form, text)
			at := 0
			columns := 1 + strings.Count(data, ",")
			if strings.HasPrefix(data, "x,") {
				at = 1
			}
			value := func(read func(r *Row) (any, stream.Fault)) (any, stream.Fault) {
				b := csvBatch([]byte(data), columns)
				line, _ := b.NextRow()
				r := ReadRow(b, line)
				for range at + 1 {
					r.Next()
				}
				return read(&r)
			}
			for name, read := range map[string][2]func(s *Scanner, r *Row) (any, stream.Fault){
				"int":     {func(s *Scanner, _ *Row) (any, stream.Fault) { v, f := s.Int(); return v, f }, func(_ *Scanner, r *Row) (any, stream.Fault) { v, f := r.Int(); return v, f }},
				"float":   {func(s *Scanner, _ *Row) (any, stream.Fault) { v, f := s.Float(); return v, f }, func(_ *Scanner, r *Row) (any, stream.Fault) { v, f := r.Float(); return v, f }},
				"decimal": {func(s *Scanner, _ *Row) (any, stream.Fault) { v, f := s.Decimal(2); return v, f }, func(_ *Scanner, r *Row) (any, stream.Fault) { v, f := r.Decimal(2); return v, f }},
				"epoch":   {func(s *Scanner, _ *Row) (any, stream.Fault) { v, f := s.Epoch(Seconds); return v, f }, func(_ *Scanner, r *Row) (any, stream.Fault) { v, f := r.Epoch(Seconds); return v, f }},
			} {
				json := csvBatch([]byte(`{"v":`+text+"}"), 0)
				s := Scan(json, stream.Str{Len: uint32(json.End)})
				s.Next()
				want, fault := read[0](&s, nil)
				for s.Next() {
					s.Skip()
				}
				if _, bad, _ := s.End(); bad != 0 || fault == stream.FaultType || fault == stream.FaultNull || strings.TrimSpace(text) != text {
					want, fault = zeroOf(want), stream.FaultNoNumber
				}
				if text == "" {
					fault = stream.FaultNull
				}
				got, f := value(func(r *Row) (any, stream.Fault) { return read[1](nil, r) })
				if coarse(f) != fault || fault == 0 && got != want {
					t.Errorf("%q as %s: %v %v, want %v %v", data, name, got, f, want, fault)
				}
			}
		}
	}
}

func zeroOf(v any) any {
	if _, ok := v.(float64); ok {
		return 0.0
	}
	return int64(0)
}

func TestWhatIsWrongWithANumber(t *testing.T) {
	for text, want := range map[string]stream.Fault{
		" 1": stream.FaultSpace, "1 ": stream.FaultSpace, "\t1": stream.FaultSpace, " ": stream.FaultSpace, " x": stream.FaultSpace,
		"01": stream.FaultZeros, "-01": stream.FaultZeros, "00.5": stream.FaultZeros, "007": stream.FaultZeros,
		"+1": stream.FaultPlus, "+01": stream.FaultPlus,
		"NaN": stream.FaultNaN, "nan": stream.FaultNaN, "inf": stream.FaultNaN, "-Infinity": stream.FaultNaN, "+Inf": stream.FaultNaN,
		"1_000": stream.FaultNoNumber, "1.": stream.FaultNoNumber, ".5": stream.FaultNoNumber, "0x10": stream.FaultNoNumber, "-": stream.FaultNoNumber, "+": stream.FaultNoNumber,
		"€5": stream.FaultNoNumber, "1e": stream.FaultNoNumber, "true": stream.FaultNoNumber, "1;2": stream.FaultNoNumber, "info": stream.FaultNoNumber,
	} {
		b := csvBatch([]byte(text), 1)
		line, _ := b.NextRow()
		for name, read := range map[string]func(r *Row) stream.Fault{
			"int": func(r *Row) stream.Fault { _, f := r.Int(); return f }, "float": func(r *Row) stream.Fault { _, f := r.Float(); return f },
			"decimal": func(r *Row) stream.Fault { _, f := r.Decimal(2); return f }, "epoch": func(r *Row) stream.Fault { _, f := r.Epoch(Seconds); return f },
		} {
			r := ReadRow(b, line)
			r.Next()
			if got := read(&r); got != want {
				t.Errorf("%q as %s: %v, want %v", text, name, got, want)
			}
		}
	}
}

func TestFieldsAsOthers(t *testing.T) {
	read := func(data string) (*stream.Batch, *Row) {
		b := csvBatch([]byte(data), 1)
		line, _ := b.NextRow()
		r := ReadRow(b, line)
		r.Next()
		return b, &r
	}
	for text, want := range map[string]stream.Fault{"true": 0, `"false"`: 0, "": stream.FaultNull, `""`: stream.FaultNull, "TRUE": stream.FaultNoBool, "1": stream.FaultNoBool, " true": stream.FaultSpace} {
		if _, r := read(text); true {
			v, fault := r.Bool()
			if fault != want || fault == 0 && v != (text == "true") {
				t.Errorf("%s as bool: %v %v", text, v, fault)
			}
		}
	}
	for text, want := range map[string]stream.Fault{"2024-01-01T00:00:00Z": 0, `"2024-01-01T00:00:00Z"`: 0, "": stream.FaultNull, "2024-01-01": stream.FaultTimeNoClock, `"2024-01-01T00:00:00""Z"`: stream.FaultTimeZone,
		"2300-01-01T00:00:00Z": stream.FaultTimeRange} {
		if _, r := read(text); true {
			v, fault := r.Time()
			if fault != want || fault == 0 && v != 1704067200e9 {
				t.Errorf("%s as time: %v %v", text, v, fault)
			}
		}
	}
	for text, want := range map[string]stream.Fault{"AAEC": 0, `"AAEC"`: 0, "": stream.FaultNull, "AAE": stream.FaultBase64, `"AA""C"`: stream.FaultBase64} {
		b, r := read(text)
		v, fault := r.Bytes()
		if fault != want || fault == 0 && string(b.Bytes(v)) != "\x00\x01\x02" {
			t.Errorf("%s as bytes: %v", text, fault)
		}
	}
}

func TestFields(t *testing.T) {
	if names, fault := Fields([]byte(`id,"a ""b""","c,d",`)); fault != 0 || !slices.Equal(names, []string{"id", `a "b"`, "c,d", ""}) {
		t.Error(names, fault)
	}
	if _, fault := Fields([]byte(`id,"a`)); fault != stream.FaultUnclosed {
		t.Error(fault)
	}
}

// FuzzRows holds Row and NextRow against encoding/csv where both can read the data: encoding/csv makes \r\n inside quotes \n, takes a carriage return alone as data,
// and reads invalid UTF-8.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "\"a\r\nb\",\"\"\"\"\n\n,\n", "a,\"b\n", "a\"b,\"c\"d\ne,f", "\"\"\"\n\",x\n", "1,2\r\n3,4\r"} {
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		columns := int(n)%4 + 1
		rows, faults := rowsOf(csvBatch(data, columns))
		if bytes.Count(data, []byte("\r")) > bytes.Count(data, []byte("\r\n")) || !utf8.Valid(data) || bytes.Contains(data, bom) || columns == 1 {
			return
		}
		r := csv.NewReader(bytes.NewReader(data))
		r.FieldsPerRecord = columns
		for i := 0; ; i++ {
			want, err := r.Read()
			if err == io.EOF {
				if i < len(rows) {
					t.Fatalf("%q: %d rows, encoding/csv has %d", data, len(rows), i)
				}
				return
			}
			if i >= len(rows) {
				t.Fatalf("%q: %d rows, encoding/csv has more: %q %v", data, len(rows), want, err)
			}
			if (err != nil) != (faults[i] != 0) {
				t.Fatalf("%q: row %d: %v, encoding/csv has %q %v", data, i, faults[i], want, err)
			}
			if err != nil {
				if !errors.Is(err, csv.ErrFieldCount) {
					return // it goes on behind the quote, not behind the row
				}
				continue
			}
			for j := range rows[i] {
				rows[i][j] = strings.ReplaceAll(rows[i][j], "\r\n", "\n")
			}
			if !slices.Equal(rows[i], want) {
				t.Fatalf("%q: row %d: %q, encoding/csv has %q", data, i, rows[i], want)
			}
		}
	})
}

// FuzzAppendField: what is written is read back, by Row and by encoding/csv.
func FuzzAppendField(f *testing.F) {
	for _, seed := range []string{"", "a", "a,b", "\"", "\r\n", " a "} {
		f.Add([]byte(seed), []byte("x"))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if !utf8.Valid(a) || !utf8.Valid(b) || bytes.HasPrefix(a, bom) {
			return
		}
		row := append(AppendField(append(AppendField(nil, a), ','), b), '\n')
		rows, faults := rowsOf(csvBatch(row, 2))
		if len(rows) != 1 || faults[0] != 0 || rows[0][0] != string(a) || rows[0][1] != string(b) {
			t.Fatalf("%q %q: %q reads as %q %v", a, b, row, rows, faults)
		}
		want, err := csv.NewReader(bytes.NewReader(row)).Read()
		same := func(x string, y []byte) bool { return x == strings.ReplaceAll(string(y), "\r\n", "\n") }
		if err != nil || !same(want[0], a) || !same(want[1], b) {
			t.Fatalf("%q: encoding/csv reads %q %v", row, want, err)
		}
	})
}

func TestRowAllocatesNothing(t *testing.T) {
	data := bytes.Repeat([]byte("1,\"two \"\"2\"\"\",3.25,2024-01-01T00:00:00Z\n"), 100)
	b := csvBatch(data, 4)
	sum := 0.0
	read := func() {
		b.Pos = 0
		for {
			line, ok := b.NextRow()
			if !ok {
				b.Recycle()
				return
			}
			r := ReadRow(b, line)
			for r.Next() {
				switch r.Field() {
				case 1:
					v, _ := r.Int()
					sum += float64(v)
				case 2:
					r.Str()
				case 3:
					v, _ := r.Float()
					sum += v
				case 4:
					r.Time()
				}
			}
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 || math.Mod(sum, 425) != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %v", n, sum)
	}
}

func BenchmarkRow(b *testing.B) {
	data := bytes.Repeat([]byte("o-0000000001,u-000123,paid,129900,2024-01-01T00:00:00.250Z,some words of a note\n"), 3000)
	in := csvBatch(data, 6)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		in.Pos = 0
		for {
			line, ok := in.NextRow()
			if !ok {
				break
			}
			r := ReadRow(in, line)
			for r.Next() {
				switch r.Field() {
				case 4:
					r.Int()
				case 5:
					r.Time()
				default:
					r.Str()
				}
			}
		}
	}
}
