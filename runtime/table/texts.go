package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// Texts holds the strings above 15 bytes of the keys of a stage, each once: equal strings have equal Texts. What no key refers to any more is found by mark and
// sweep, between batches, after Keys.Evict:
//
//	if p.texts.Crowded(1024) {
//		for id := range p.keys.Key { if p.keys.Has(uint32(id)) { p.texts.Mark(p.keys.Key[id].User) } }
//		p.texts.Sweep()
//	}
//
// The zero value is ready. A Texts belongs to one goroutine.
type Texts struct {
	index index // of the strings by their hashes; a slot is the number of a string, which is its place in blobs
	blobs Blobs
	kept  int // after the last Sweep
}

// A string lies in its blob behind a head, so that one look gives both:
//
//	length | marked<<31    4 bytes
//	hash                   4 bytes
//	the string
const (
	textHead   = 8
	textMarked = 1 << 31
)

// Intern is the Text of b, which is copied when it is above 15 bytes and new.
func (x *Texts) Intern(s Seed, b []byte) Text {
	if len(b) <= 15 {
		return Inline(b)
	}
	return x.long(uint32(HashBytes(s, b)), b)
}

func (x *Texts) long(hash uint32, b []byte) Text {
	x.index.reserve(1, 1)
	i := x.index.seek(hash)
	for ; x.index.cells[i] != 0 && uint32(x.index.cells[i]>>32) == hash; i++ {
		if n := uint32(x.index.cells[i]) - 1; string(x.text(n)) == string(b) {
			return longText(n, b)
		}
	}
	n := x.blobs.take(class(textHead + len(b)))
	place := x.blobs.at(n, textHead+len(b))
	binary.LittleEndian.PutUint32(place, uint32(len(b)))
	binary.LittleEndian.PutUint32(place[4:], hash)
	copy(place[textHead:], b)
	x.index.put(i, hash, n)
	return longText(n, b)
}

// text is the string with number n.
func (x *Texts) text(n uint32) []byte {
	place := x.blobs.from(n)
	return place[textHead:][:binary.LittleEndian.Uint32(place)&^textMarked]
}

// longText is the Text of a string above 15 bytes with number n.
func longText(n uint32, b []byte) Text {
	_ = b[15]
	return Text{
		binary.BigEndian.Uint64(b),
		binary.BigEndian.Uint64(b[8:])&^(1<<40-1) | uint64(n)<<8 | textLong,
	}
}

// Bytes is the string of t. It lies in room when it is short, else in the Texts, where it is valid until Sweep.
func (x *Texts) Bytes(t Text, room *[16]byte) []byte {
	if t.B&3 == textLong {
		return x.text(uint32(t.B >> 8))
	}
	binary.BigEndian.PutUint64(room[:8], t.A)
	binary.BigEndian.PutUint64(room[8:], t.B)
	return room[:t.B>>2&15]
}

// Compare orders a and b by their bytes: -1, 0 or 1.
func (x *Texts) Compare(a, b Text) int {
	if a.A != b.A {
		return cmp.Compare(a.A, b.A)
	}
	if (a.B|b.B)&3 == textInline || a.B>>40 != b.B>>40 {
		return cmp.Compare(a.B, b.B)
	}
	var roomA, roomB [16]byte
	return bytes.Compare(x.Bytes(a, &roomA), x.Bytes(b, &roomB))
}

const textLead = 11 // so many bytes at the beginning of any string stand in its Text

// behind is where the next lead begins, behind that at at.
func behind(at int) int {
	if at == 0 {
		return textLead
	}
	return at + 16
}

// Lead gives two words that compare as strings do that are equal in their first at bytes, as far as the words go. at is 0, then they are of bytes 0 to 10, or 11, 27, 43 and so on, then
// of the 16 bytes from there on. Behind the end are zeros.
func (x *Texts) Lead(t Text, at int) (a, b uint64) {
	switch {
	case at == 0:
		return t.A, t.B &^ (1<<40 - 1)
	case t.B&3 != textLong:
		if at == textLead {
			a = t.B &^ 0xff << 24
		}
		return a, 0
	}
	s := x.text(uint32(t.B >> 8))
	s = s[min(at, len(s)):]
	if len(s) < 16 {
		var room [16]byte
		copy(room[:], s)
		return binary.BigEndian.Uint64(room[:8]), binary.BigEndian.Uint64(room[8:])
	}
	return binary.BigEndian.Uint64(s), binary.BigEndian.Uint64(s[8:])
}

// Len is how many strings above 15 bytes are held.
func (x *Texts) Len() int { return x.index.used }

// Crowded says that a sweep may be worth its work: there are more than twice the strings that the last one kept, and slack.
func (x *Texts) Crowded(slack int) bool { return x.index.used > 2*x.kept+slack }

// Mark keeps t at the next Sweep.
func (x *Texts) Mark(t Text) {
	if t.B&3 == textLong {
		place := x.blobs.from(uint32(t.B >> 8))
		binary.LittleEndian.PutUint32(place, binary.LittleEndian.Uint32(place)|textMarked)
	}
}

// Sweep forgets the strings that were not marked since the last one. Their Texts are not valid any more.
func (x *Texts) Sweep() {
	for i := 0; i < len(x.index.cells); {
		c := x.index.cells[i]
		if c == 0 {
			i++
			continue
		}
		n := uint32(c) - 1
		place := x.blobs.from(n)
		if length := binary.LittleEndian.Uint32(place); length&textMarked != 0 {
			binary.LittleEndian.PutUint32(place, length&^textMarked)
			i++
		} else {
			x.index.remove(uint32(c>>32), n) // what is behind the cell moves into it
			x.blobs.give(n, class(textHead+int(length)))
		}
	}
	x.kept = x.index.used
	x.index.shrink()
}

// Reset forgets all strings and keeps the memory.
func (x *Texts) Reset() {
	x.index.reset()
	x.kept = 0
	x.blobs.Reset()
}
