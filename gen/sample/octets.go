package sample

import (
	"encoding/base64"
	"math"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// octets are bytes of some lengths, but for a few, written in base64.
type octets struct {
	least, most int64    // bytes
	not         []string // sorted
}

// newOctets are the bytes that keep the checks. The error is errEmpty or errLarge.
func newOctets(checks []*spec.Check) (domain, error) {
	o := octets{most: math.MaxInt32}
	for _, c := range checks {
		switch c.Op {
		case spec.CheckNotEqual:
			o.not = append(o.not, c.Value.String)
		case spec.CheckMinRunes:
			o.least = max(o.least, c.Value.Int)
		case spec.CheckMaxRunes:
			o.most = min(o.most, c.Value.Int)
		default:
			return newOrderedOctets(checks)
		}
	}
	slices.Sort(o.not)
	o.not = slices.Compact(o.not)
	if o.least > o.most || o.count() == 0 {
		return nil, errEmpty
	}
	return o, nil
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

// orderedOctets are the bytes that characters of the same numbers stand for, written in base64: they are in the order of those.
type orderedOctets struct{ domain }

// newOrderedOctets are the bytes that keep checks of any kind. The error is errEmpty or errLarge.
func newOrderedOctets(checks []*spec.Check) (domain, error) {
	var list []*spec.Check
	for _, check := range checks {
		of := *check
		of.Value.String = charactersOf(check.Value.String)
		of.Values = slices.Clone(check.Values)
		for i := range of.Values {
			of.Values[i].String = charactersOf(of.Values[i].String)
		}
		list = append(list, &of)
	}
	c, err := newConstraint(list)
	if err != nil {
		return nil, err
	}
	d, err := c.domain(octetCharacters)
	return orderedOctets{d}, err
}

// charactersOf is a text of one character for each byte.
func charactersOf(octets string) string {
	text := make([]rune, len(octets))
	for i := range len(octets) {
		text[i] = rune(octets[i])
	}
	return string(text)
}

func (o orderedOctets) at(dst []byte, i uint64) []byte { return appendOctets(dst, o.domain.at(nil, i)) }

func (o orderedOctets) draw(dst []byte, d *dice) []byte {
	return appendOctets(dst, o.domain.draw(nil, d))
}

// appendOctets appends the bytes that a text stands for.
func appendOctets(dst, text []byte) []byte {
	octets := make([]byte, 0, len(text))
	for _, r := range string(text) {
		octets = append(octets, byte(r))
	}
	return base64.StdEncoding.AppendEncode(dst, octets)
}
