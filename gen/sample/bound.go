package sample

import (
	"encoding/binary"
	"slices"
)

// bound is the automaton of the texts that stand before one, or are it, in the order of strings by bytes. In UTF-8 that is the order by characters. Those behind it
// are the texts that are not of the set. State begin+i is that of a text which has begun as the bound does for i characters and has no more.
type bound struct {
	text   []rune
	within bool   // the text itself is of the set
	sorted []rune // the different characters of text
}

// newBound makes the automaton of texts below a valid UTF-8 text.
func newBound(text string, within bool) *bound {
	b := &bound{text: []rune(text), within: within}
	b.sorted = slices.Clone(b.text)
	slices.Sort(b.sorted)
	b.sorted = slices.Compact(b.sorted)
	return b
}

func (b *bound) step(s int32, r rune) int32 {
	if s == matched || s == lost {
		return s
	}
	i := int(s - begin)
	switch {
	case i == len(b.text) || r > b.text[i]:
		return lost
	case r < b.text[i]:
		return matched
	}
	return s + 1
}

func (b *bound) ends(s int32) bool {
	return s == matched || s != lost && (b.within || int(s-begin) < len(b.text))
}

func (b *bound) cuts(dst []rune) []rune {
	for _, r := range b.sorted {
		dst = append(dst, r, r+1)
	}
	return dst
}

// tell appends the place of r among the bound's characters: at one, or between two.
func (b *bound) tell(key []byte, r rune) []byte {
	i, at := slices.BinarySearch(b.sorted, r)
	place := 2 * uint32(i)
	if at {
		place++
	}
	return binary.LittleEndian.AppendUint32(key, place)
}
