package sample

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// constraint is what the checks of a string ask for.
type constraint struct {
	checks   []*spec.Check
	patterns []*regexp.Regexp // by check; nil where it is no match
}

func newConstraint(checks []*spec.Check) (constraint, error) {
	c := constraint{checks, make([]*regexp.Regexp, len(checks))}
	for i, check := range checks {
		if check.Op == spec.CheckMatch || check.Op == spec.CheckNotMatch {
			var err error
			if c.patterns[i], err = regexp.Compile(check.Value.String); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// keeps says whether a text is one of the contract's.
func (c constraint) keeps(text []byte) bool {
	for i, check := range c.checks {
		ok := true
		switch check.Op {
		case spec.CheckMatch:
			ok = c.patterns[i].Match(text)
		case spec.CheckNotMatch:
			ok = !c.patterns[i].Match(text)
		case spec.CheckNotEqual:
			ok = string(text) != check.Value.String
		case spec.CheckLess:
			ok = string(text) < check.Value.String
		case spec.CheckLessEqual:
			ok = string(text) <= check.Value.String
		case spec.CheckGreater:
			ok = string(text) > check.Value.String
		case spec.CheckGreaterEqual:
			ok = string(text) >= check.Value.String
		case spec.CheckMinRunes:
			ok = int64(utf8.RuneCount(text)) >= check.Value.Int
		case spec.CheckMaxRunes:
			ok = int64(utf8.RuneCount(text)) <= check.Value.Int
		case spec.CheckOneOf:
			ok = false
			for _, v := range check.Values {
				ok = ok || string(text) == v.String
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// texts are the domain of a string that keeps the checks. name is that of the field, which texts without constraint are made of. The error is errEmpty or errLarge.
func texts(name string, c constraint) (domain, error) {
	var not []string
	for _, check := range c.checks {
		if check.Op != spec.CheckNotEqual {
			return c.domain(characters)
		}
		not = append(not, check.Value.String)
	}
	return newNames(name, not), nil
}

// domain is all the texts of an alphabet that keep the checks. The error is errEmpty or errLarge.
func (c constraint) domain(of alphabet) (domain, error) {
	var rules []rule
	least, most := int64(0), int64(math.MaxInt32)
	for _, check := range c.checks {
		text := check.Value.String
		pattern, avoid := "", false
		switch check.Op {
		case spec.CheckOneOf:
			return c.choices(check)
		case spec.CheckMinRunes:
			least = max(least, check.Value.Int)
			continue
		case spec.CheckMaxRunes:
			most = min(most, check.Value.Int)
			continue
		case spec.CheckLess, spec.CheckLessEqual:
			rules = append(rules, rule{newBound(text, check.Op == spec.CheckLessEqual), false})
			continue
		case spec.CheckGreater, spec.CheckGreaterEqual:
			rules = append(rules, rule{newBound(text, check.Op == spec.CheckGreater), true})
			continue
		case spec.CheckNotEqual:
			pattern, avoid = `\A`+regexp.QuoteMeta(text)+`\z`, true
		case spec.CheckMatch, spec.CheckNotMatch:
			pattern, avoid = text, check.Op == spec.CheckNotMatch
		}
		m, err := newMatcher(pattern)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule{m, avoid})
	}
	if least > most || most < 0 {
		return nil, errEmpty
	}
	if least > mostCount {
		return nil, errLarge
	}
	return newLanguage(of, rules, int(least), int(most))
}

// choices are those of an enum that keep the other checks.
func (c constraint) choices(enum *spec.Check) (domain, error) {
	var list choices
	for _, v := range enum.Values {
		if c.keeps([]byte(v.String)) {
			list = append(list, []byte(v.String))
		}
	}
	if len(list) == 0 {
		return nil, errEmpty
	}
	return list, nil
}

// names are texts that people can read: "user-17", or some words.
type names struct {
	prefix string
	not    []string
}

func newNames(field string, not []string) names {
	prefix := strings.TrimSuffix(strings.TrimSuffix(field, "_id"), "Id")
	if n := utf8.RuneCountInString(prefix); n == 0 || n > 20 || strings.ContainsFunc(prefix, func(r rune) bool { return r < 'A' || r > 'z' }) {
		prefix = "text"
	}
	return names{prefix + "-", not}
}

func (n names) count() uint64 { return enough }

func (n names) at(dst []byte, i uint64) []byte {
	start := len(dst)
	dst = strconv.AppendUint(append(dst, n.prefix...), i+1, 10)
	return n.avoid(dst, start)
}

// avoid makes another text of one that is not allowed. None that is made has a tilde elsewhere.
func (n names) avoid(dst []byte, start int) []byte {
	for again := true; again; {
		again = false
		for _, not := range n.not {
			if string(dst[start:]) == not {
				dst, again = append(dst, '~'), true
			}
		}
	}
	return dst
}

// words are plain, but for the last ones, which try what JSON, CSV and UTF-8 are tried by.
var words = []string{"amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "island", "jasmine", "kernel", "lagoon", "meadow", "north", "ocean",
	"pepper", "quartz", "river", "sierra", "tundra", "umber", "valley", "willow", "yonder", "zenith", "été", "größe", "東京", "😀", `"quoted"`, "a,b", `back\slash`, "new\nline", "\u2028"}

const oddWords = 9

func (n names) draw(dst []byte, d *dice) []byte {
	start := len(dst)
	for i := range 1 + d.IntN(2) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if d.IntN(16) > 0 {
			dst = append(dst, words[d.IntN(len(words)-oddWords)]...)
		} else {
			dst = append(dst, words[len(words)-1-d.IntN(oddWords)]...)
		}
	}
	return n.avoid(dst, start)
}
