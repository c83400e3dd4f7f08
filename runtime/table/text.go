package table

import (
	"encoding/binary"
	"fmt"
)

// Text is a string as part of a key: two words that are equal exactly when the strings are (but see ID), without a pointer.
//
//	             A                  B
//	up to 15     bytes 0–7          bytes 8–14 in the high 56 bits    | length<<2 in the low byte
//	longer, in   bytes 0–7          bytes 8–10 | number of the string | 2
//	  Texts                         24 bits      32 bits                8 bits
//	UUID, in ID  its high 64 bits   its low 62 bits (without the variant)  | 1 in the low 2 bits
//	longer, in   128-bit keyed hash, of which 126 bits are kept            | 2 in the low 2 bits
//	  ID
//
// Bytes are big-endian and padded with zeros, so of two strings of up to 15 bytes the one that is first by bytes is first by (A, B). Texts of ID and of a
// Texts do not mix.
type Text struct{ A, B uint64 }

// The low two bits of B.
const (
	textInline = 0
	textUUID   = 1
	textLong   = 2
)

// Inline is the Text of a string of up to 15 bytes.
func Inline(b []byte) Text {
	n := len(b)
	if cap(b) < 16 { // near the end of its memory
		var room [16]byte
		copy(room[:15], b)
		return Text{binary.BigEndian.Uint64(room[:8]), binary.BigEndian.Uint64(room[8:]) | uint64(n)<<2}
	}
	b = b[:16] // what is behind the string is masked out below
	x := Text{binary.BigEndian.Uint64(b[:8]), uint64(n) << 2}
	if n < 8 {
		x.A &= ^uint64(0) << (64 - 8*n)
	} else {
		x.B |= binary.BigEndian.Uint64(b[8:]) & (^uint64(0) << (128 - 8*n))
	}
	return x
}

// ID is the Text of a string that is an id: it is compared with others for equality and never read back. Strings of up to 15 bytes and canonical UUIDs in lower
// case (RFC 9562: 8-4-4-4-12 digits, variant 10) are compared exactly. Anything else, a UUID with upper-case digits included, is compared by 126 bits of
// SipHash-2-4-128 under the seed: two different ones are taken for equal with a probability of 2^-126 per pair, so N lookups among n living ids meet a false
// copy with a probability of about N*n / 2^126; for 10^12 lookups among 10^8 ids that is 10^-18. Ids of different kinds are never equal.
func ID(s Seed, b []byte) Text {
	if len(b) <= 15 {
		return Inline(b)
	}
	if len(b) == 36 {
		if x, ok := uuid(b); ok {
			return x
		}
	}
	h0, h1 := sipHash(s.C, s.D, b)
	return Text{h0, h1&^3 | textLong}
}

// String is an id for people: the string, or of a long one its hash.
func (x Text) String() string {
	switch x.B & 3 {
	case textUUID:
		w := [2]uint64{x.A, x.B>>2 | 2<<62}
		return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", w[0]>>32, w[0]>>16&0xffff, w[0]&0xffff, w[1]>>48, w[1]&(1<<48-1))
	case textLong:
		return fmt.Sprintf("hash %016x%016x", x.A, x.B)
	}
	var room [16]byte
	return string((*Texts)(nil).Bytes(x, &room))
}

// uuid packs a canonical lower-case UUID.
func uuid(b []byte) (x Text, ok bool) {
	_ = b[35]
	if b[8] != '-' || b[13] != '-' || b[18] != '-' || b[23] != '-' {
		return Text{}, false
	}
	four := func(i int) uint64 { return uint64(binary.BigEndian.Uint32(b[i : i+4])) }
	w0, bad0 := hex8(four(0)<<32 | four(4))
	w1, bad1 := hex8(four(9)<<32 | four(14))
	w2, bad2 := hex8(four(19)<<32 | four(24))
	w3, bad3 := hex8(four(28)<<32 | four(32))
	if bad0|bad1|bad2|bad3 != 0 || w2>>30 != 2 {
		return Text{}, false
	}
	return Text{w0<<32 | w1, (w2<<32|w3)<<2 | textUUID}, true
}

// hex8 reads eight lower-case hexadecimal digits, the first in the high byte. bad is not 0 when one is none.
func hex8(c uint64) (value, bad uint64) {
	const ones = 0x0101010101010101
	n := c&(0x0f*ones) + 9*(c>>6&ones)           // bit 6 is set in letters
	letter := (n + 6*ones) >> 4 & ones           // 1 where the digit is above 9
	bad = (n + 0x30*ones + letter*0x27) ^ c      // written back, it must be the same text
	bad |= n & (0xf0 * ones)                     // 'o' would come back as itself
	n = (n | n>>4) & 0x00ff00ff00ff00ff          // pairs of digits
	n = (n | n>>8) & 0x0000ffff0000ffff          // fours
	return (n | n>>16) & 0x00000000ffffffff, bad // eight
}
