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
	index index
	texts []text   // by number
	free  []uint32 // numbers
	blobs Blobs
	kept  int // after the last Sweep
}

type text struct {
	blob   Blob // empty: the number is free
	hash   uint32
	marked bool
}

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
		if n := uint32(x.index.cells[i]) - 1; bytes.Equal(x.blobs.Bytes(x.texts[n].blob), b) {
			return longText(n, b)
		}
	}
	var n uint32
	if last := len(x.free) - 1; last >= 0 {
		n, x.free = x.free[last], x.free[:last]
	} else {
		n = uint32(len(x.texts))
		x.texts = push(x.texts, text{})
	}
	x.texts[n] = text{blob: x.blobs.Set(Blob{}, b), hash: hash}
	x.index.put(i, hash, n)
	return longText(n, b)
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
		return x.blobs.Bytes(x.texts[uint32(t.B>>8)].blob)
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

// Lead gives two words that compare as the strings do as far as they go: bytes 0 to 7, and 8 to 10.
func (t Text) Lead() (a, b uint64) { return t.A, t.B &^ (1<<40 - 1) }

// Len is how many strings above 15 bytes are held.
func (x *Texts) Len() int { return x.index.used }

// Crowded says that a sweep may be worth its work: there are more than twice the strings that the last one kept, and slack.
func (x *Texts) Crowded(slack int) bool { return x.index.used > 2*x.kept+slack }

// Mark keeps t at the next Sweep.
func (x *Texts) Mark(t Text) {
	if t.B&3 == textLong {
		x.texts[uint32(t.B>>8)].marked = true
	}
}

// Sweep forgets the strings that were not marked since the last one. Their Texts are not valid any more.
func (x *Texts) Sweep() {
	for n := range x.texts {
		t := &x.texts[n]
		if t.blob.Len > 0 && !t.marked {
			x.index.remove(t.hash, uint32(n))
			x.blobs.Free(t.blob)
			t.blob = Blob{}
			x.free = append(x.free, uint32(n))
		}
		t.marked = false
	}
	x.kept = x.index.used
	x.index.shrink()
}

// Reset forgets all strings and keeps the memory.
func (x *Texts) Reset() {
	x.index.reset()
	x.texts, x.free, x.kept = x.texts[:0], x.free[:0], 0
	x.blobs.Reset()
}
