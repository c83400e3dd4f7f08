package sample

import (
	"testing"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// ordered makes the check of a comparison with a text.
func ordered(op string, v string) *spec.Check {
	c := text(map[string]spec.CheckOp{"<": spec.CheckLess, "<=": spec.CheckLessEqual, ">": spec.CheckGreater, ">=": spec.CheckGreaterEqual, "!=": spec.CheckNotEqual,
		"=~": spec.CheckMatch, "!~": spec.CheckNotMatch}[op], v)
	c.Text = op + v
	return c
}

// FuzzBounds holds the language between two bounds against Go's order of strings: every short text is accepted or not as that says, and all texts that are made are
// within.
func FuzzBounds(f *testing.F) {
	f.Add("b", "d", false, false)
	f.Add("", "", true, true)
	f.Add("ab", "ab\x00", true, false)
	f.Add("aé", "東京", false, true)
	f.Add("\ud7ff", "\ue000\U0010ffff", false, true)
	f.Add("d", "b", true, true)
	f.Fuzz(func(t *testing.T, low, high string, above, within bool) {
		if len(low)+len(high) > 16 || !utf8.ValidString(low) || !utf8.ValidString(high) { // CUE has no other texts
			return
		}
		holds := func(text string) bool {
			return (text > low || !above && text == low) && (text < high || within && text == high)
		}
		l, err := newLanguage(characters, []rule{{newBound(low, above), true}, {newBound(high, within), false}}, 0, 12)
		near := short(append([]rune(low+high), 'a', 0, '\U0010ffff'), 3)
		if err != nil {
			for _, text := range append(near, low, high, low+"\x00") {
				if err != errEmpty || holds(text) {
					t.Fatalf("%v: %q is between %q and %q", err, text, low, high)
				}
			}
			return
		}
		d := &dice{Rand: newRand(1)}
		for i := range min(l.count(), 20) {
			for _, text := range []string{string(l.at(nil, i)), string(l.draw(nil, d))} {
				if !utf8.ValidString(text) || !holds(text) {
					t.Fatalf("%q is between %q and %q?", text, low, high)
				}
			}
		}
		for _, text := range near {
			if got := l.has(text); got != holds(text) {
				t.Fatalf("%q between %q and %q: %v", text, low, high, got)
			}
		}
	})
}

// has says whether a text is of the language, but for its least length.
func (l *language) has(text string) bool {
	s := 0
	for _, r := range text {
		to := int32(none)
		for c, class := range l.classes {
			for i := 0; i < len(class.ranges); i += 2 {
				if class.ranges[i] <= r && r <= class.ranges[i+1] {
					to = l.next[s][c]
				}
			}
		}
		if to == none {
			return false
		}
		s = int(to)
	}
	return l.counts[0][s] > 0
}
