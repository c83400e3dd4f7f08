package sample

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"
)

// rules are those that texts match all of matches and none of avoids.
func rules(t *testing.T, matches, avoids []string) (list []rule) {
	t.Helper()
	for i, p := range append(slices.Clone(matches), avoids...) {
		m, err := newMatcher(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rule{m, i >= len(matches)})
	}
	return list
}

// oracle is what the automaton must agree with.
func oracle(matches, avoids []string, least, most int) func(text string) bool {
	var patterns []*regexp.Regexp
	for _, p := range append(slices.Clone(matches), avoids...) {
		patterns = append(patterns, regexp.MustCompile(p))
	}
	return func(text string) bool {
		n := utf8.RuneCountInString(text)
		ok := n >= least && n <= most
		for i, p := range patterns {
			ok = ok && p.MatchString(text) == (i < len(matches))
		}
		return ok
	}
}

func TestLanguage(t *testing.T) {
	const any = 1 << 30
	uuid := `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`
	for _, c := range []struct {
		matches, avoids []string
		least, most     int
		texts           int // that there are; 0: more than 1000
		err             error
	}{
		{[]string{`^o-[0-9]+$`}, []string{`^o-0`}, 0, any, 0, nil},
		{[]string{uuid}, nil, 0, any, 0, nil},
		{[]string{uuid}, []string{`a`, `b`, `[0-4]`}, 0, any, 0, nil},
		{[]string{`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`}, nil, 0, any, 0, nil},
		{[]string{`^a`, `z$`, `m`}, nil, 0, any, 0, nil},
		{[]string{`@`}, nil, 300, 310, 0, nil},
		{[]string{`(?i)^straße$`}, nil, 0, any, 2, nil},
		{[]string{`\bcat\b`, `\bdog\b`}, nil, 0, any, 0, nil},
		{[]string{`(?m)^b$`}, []string{`^b`}, 0, any, 0, nil},
		{[]string{`^\p{Greek}+$`}, nil, 3, 5, 0, nil},
		{[]string{`^\PL$`}, nil, 0, any, 10, nil},
		{[]string{`^(open|paid|void)$`}, []string{`^p`}, 0, any, 2, nil},
		{[]string{`^[ab]{2}$`}, []string{`aa`, `bb`}, 0, any, 2, nil},
		{[]string{`^$`}, nil, 0, any, 1, nil},
		{[]string{``}, nil, 0, 0, 1, nil},
		{nil, nil, 2, 2, 0, nil},
		{nil, []string{`^`}, 0, any, 0, errEmpty},
		{[]string{`^a`, `^b`}, nil, 0, any, 0, errEmpty},
		{[]string{`^a{3}$`}, nil, 4, any, 0, errEmpty},
		{[]string{`^a{5,}$`}, nil, 0, 4, 0, errEmpty},
		{[]string{`a\Bb`, `^(ab|ba)$`}, []string{`^a`}, 0, any, 0, errEmpty},
		{[]string{`^(aa)*$`, `^(aaa)*$`}, nil, 1, 5, 0, errEmpty},
		{[]string{`^(aa)*$`, `^(aaa)*$`}, nil, 1, 6, 1, nil},
		{[]string{`^[ab]*a[ab]{30}$`}, nil, 0, any, 0, errLarge},
	} {
		name := fmt.Sprintf("%q without %q, %d to %d characters", c.matches, c.avoids, c.least, c.most)
		l, err := newLanguage(characters, rules(t, c.matches, c.avoids), c.least, c.most)
		if err != c.err {
			t.Errorf("%s: error %v, want %v", name, err, c.err)
			continue
		}
		if err != nil {
			continue
		}
		holds := oracle(c.matches, c.avoids, c.least, c.most)
		seen := map[string]bool{}
		for i := range min(l.count(), 2000) {
			text := string(l.at(nil, i))
			if seen[text] || !holds(text) {
				t.Fatalf("%s: text %d is %q", name, i, text)
			}
			seen[text] = true
		}
		if c.texts > 0 && len(seen) != c.texts || c.texts == 0 && len(seen) < 1000 {
			t.Errorf("%s: %d texts, want %d", name, len(seen), c.texts)
		}
		d := &dice{Rand: newRand(1)}
		for range 500 {
			if text := string(l.draw(nil, d)); !utf8.ValidString(text) || !holds(text) {
				t.Fatalf("%s: drew %q", name, text)
			}
		}
	}
}

// Texts with neighbouring numbers do not look alike.
func TestNumbersAreScattered(t *testing.T) {
	l, err := newLanguage(characters, rules(t, []string{`^[0-9a-f]{32}$`}, nil), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := l.at(nil, 1), l.at(nil, 2); string(a[:4]) == string(b[:4]) || string(a[28:]) == string(b[28:]) {
		t.Errorf("%s and %s", a, b)
	}
}

// FuzzLanguage holds languages of all patterns against package regexp: of an empty one no short text is a member, of others all that are made are.
func FuzzLanguage(f *testing.F) {
	f.Add(`^a|b+?(c)$`, `bb`, 1, 4)
	f.Add(`(?i)\bK\b`, `(?m)$\n^`, 0, 9)
	f.Add(`[^\n]{0,3}x*`, `\A\z`, 0, 2)
	f.Add(`(?s).`, `.`, 0, 2)
	f.Fuzz(func(t *testing.T, match, avoid string, least, most int) {
		if len(match)+len(avoid) > 40 || least < 0 || least > 6 || most > 20 {
			return
		}
		for _, p := range []string{match, avoid} {
			if _, err := regexp.Compile(p); err != nil {
				return
			}
		}
		holds := oracle([]string{match}, []string{avoid}, least, most)
		l, err := newLanguage(characters, rules(t, []string{match}, []string{avoid}), least, most)
		switch err {
		case nil:
			d := &dice{Rand: newRand(uint64(least))}
			for i := range min(l.count(), 20) {
				for _, text := range []string{string(l.at(nil, i)), string(l.draw(nil, d))} {
					if !utf8.ValidString(text) || !holds(text) {
						t.Fatalf("%q matches %q and not %q, of %d to %d characters?", text, match, avoid, least, most)
					}
				}
			}
		case errEmpty:
			for _, text := range short(append([]rune(match+avoid), 'a', '\n', ' ', 'é'), 3) {
				if holds(text) {
					t.Fatalf("%q matches %q and not %q, of %d to %d characters", text, match, avoid, least, most)
				}
			}
		}
	})
}

// short are all texts of at most n of the characters, but no more than some thousands.
func short(of []rune, n int) []string {
	all := []string{""}
	for first := 0; n > 0 && len(all) < 5000; n-- {
		last := len(all)
		for _, text := range all[first:last] {
			for _, r := range of {
				all = append(all, text+string(r))
			}
		}
		first = last
	}
	return all
}
