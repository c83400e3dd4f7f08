package sample

import (
	"encoding/base64"
	"math"
	"regexp"
	"slices"
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
	var matches, avoids, not []string
	least, most := int64(0), int64(math.MaxInt32)
	plain := true
	for _, check := range c.checks {
		switch check.Op {
		case spec.CheckOneOf:
			var list choices
			for _, v := range check.Values {
				if c.keeps([]byte(v.String)) {
					list = append(list, []byte(v.String))
				}
			}
			if len(list) == 0 {
				return nil, errEmpty
			}
			return list, nil
		case spec.CheckMatch:
			matches = append(matches, check.Value.String)
		case spec.CheckNotMatch:
			avoids = append(avoids, check.Value.String)
		case spec.CheckNotEqual:
			not = append(not, check.Value.String)
			avoids = append(avoids, `\A`+regexp.QuoteMeta(check.Value.String)+`\z`)
		case spec.CheckMinRunes:
			least = max(least, check.Value.Int)
		case spec.CheckMaxRunes:
			most = min(most, check.Value.Int)
		}
		plain = plain && check.Op == spec.CheckNotEqual
	}
	if plain {
		return newNames(name, not), nil
	}
	if least > most || most < 0 {
		return nil, errEmpty
	}
	if least > mostCount {
		return nil, errLarge
	}
	return newLanguage(matches, avoids, int(least), int(most))
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

// octets are bytes, written in base64.
type octets struct {
	least, most int64    // bytes
	not         []string // sorted
}

// newOctets are the bytes that keep the checks; nil when none does.
func newOctets(checks []*spec.Check) domain {
	o := octets{most: math.MaxInt32}
	var list choices
	for _, c := range checks {
		switch c.Op {
		case spec.CheckOneOf:
			for _, v := range c.Values {
				list = append(list, []byte(v.String))
			}
		case spec.CheckNotEqual:
			o.not = append(o.not, c.Value.String)
		case spec.CheckMinRunes:
			o.least = max(o.least, c.Value.Int)
		case spec.CheckMaxRunes:
			o.most = min(o.most, c.Value.Int)
		}
	}
	if list != nil {
		list = slices.DeleteFunc(list, func(b []byte) bool { return slices.Contains(o.not, string(b)) })
		for i, b := range list {
			list[i] = base64.StdEncoding.AppendEncode(nil, b)
		}
		return list
	}
	slices.Sort(o.not)
	o.not = slices.Compact(o.not)
	if o.least > o.most || o.count() == 0 {
		return nil
	}
	return o
}

// length is how many bytes numbered values have.
func (o octets) length() int64 { return min(max(o.least, 8), o.most) }

func (o octets) count() uint64 {
	all := uint64(enough)
	if n := o.length(); n < 5 {
		all = 1 << (8 * n)
	}
	for _, not := range o.not {
		if int64(len(not)) == o.length() && all < enough {
			all--
		}
	}
	return all
}

func (o octets) at(dst []byte, i uint64) []byte {
	b := make([]byte, o.length())
	put := func() {
		for n, v := len(b)-1, i; n >= 0; n-- {
			b[n] = byte(v)
			v >>= 8
		}
	}
	put()
	for _, not := range o.not {
		if len(not) == len(b) && not <= string(b) {
			i++
			put()
		}
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}

func (o octets) draw(dst []byte, d *dice) []byte {
	b := make([]byte, o.least+d.Int64N(min(o.most-o.least, 24)+1))
	for i := range b {
		b[i] = byte(d.Uint32())
	}
	if slices.Contains(o.not, string(b)) {
		return o.at(dst, d.Uint64N(o.count()))
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}
