package codec

import "testing"

func TestAppendDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 4096)
	text := []byte("a \"quoted\" text of some length\n\x01 é")
	if n := testing.AllocsPerRun(100, func() {
		dst = AppendString(dst[:0], text)
		dst = AppendText(dst, "text")
		dst = AppendInt(dst, -1<<63)
		dst = AppendBool(dst, true)
		dst = AppendFloat(dst, 12.34)
		dst = AppendFloat(dst, 1.0/3)
		dst = AppendFloat(dst, 1e300)
		dst = AppendTime(dst, -1)
		dst = AppendDecimal(dst, -1<<63, 2)
		dst = AppendBytes(dst, text[:2])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	want := `"a \"quoted\" text of some length\n\u0001 é""text"-9223372036854775808true12.340.33333333333333331e+300"1969-12-31T23:59:59.999999999Z"-92233720368547758.08"YSA="`
	if string(dst) != want {
		t.Errorf("%s, want\n%s", dst, want)
	}
}

func BenchmarkAppend(b *testing.B) {
	dst := make([]byte, 0, 4096)
	text := []byte("u012345")
	for _, bench := range []struct {
		name string
		call func()
	}{
		{"string", func() { dst = AppendString(dst[:0], text) }},
		{"int", func() { dst = AppendInt(dst[:0], 12345) }},
		{"hundredths", func() { dst = AppendFloat(dst[:0], 12345.67) }},
		{"third", func() { dst = AppendFloat(dst[:0], 1234.0/3) }},
		{"time", func() { dst = AppendTime(dst[:0], 1709272800_000000000) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				bench.call()
			}
		})
	}
}

func TestAppendComma(t *testing.T) {
	if got := string(AppendComma([]byte("{"), 1)); got != "{" {
		t.Error(got)
	}
	if got := string(AppendComma([]byte(`{"a":1`), 1)); got != `{"a":1,` {
		t.Error(got)
	}
}
