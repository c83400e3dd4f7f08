package codec

import "testing"

func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct {
		name, raw string
		call      func(s *Scanner)
	}{
		{"string", `"u012345"`, func(s *Scanner) { s.Str() }},
		{"int", "12345", func(s *Scanner) { s.Int() }},
		{"hundredths", "123.45", func(s *Scanner) { s.Float() }},
		{"digits", "0.30000000000000004", func(s *Scanner) { s.Float() }},
		{"time", `"2024-03-01T06:00:00.123Z"`, func(s *Scanner) { s.Time() }},
		{"skip", `{"a":[1,2,{"b":"c"}],"d":null}`, func(s *Scanner) { s.Skip() }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			at := value(bench.raw)
			for b.Loop() {
				s := at
				bench.call(&s)
			}
		})
	}
}
