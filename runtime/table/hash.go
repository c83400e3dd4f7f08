package table

import (
	"crypto/rand"
	"encoding/binary"
	"math"
	"math/bits"
)

// Seed makes the hashes of one state unpredictable to whoever chooses its keys. It is random, made with the state and saved with it: ids that are kept as
// a hash are comparable only under one seed.
type Seed struct {
	A, B uint64 // of the hashes that place keys in tables
	C, D uint64 // key of the 128-bit hash that stands for a long id
}

// NewSeed is a random seed.
func NewSeed() Seed {
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return Seed{
		binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]),
		binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:]),
	}
}

// The odd multipliers of wyhash (Wang Yi, public domain, https://github.com/wangyi-fudan/wyhash).
const (
	odd1 = 0xa0761d6478bd642f
	odd2 = 0xe7037ed1a0b428db
)

// Hash1 is the hash of one word. Tables take its low 32 bits.
//
// Two folds of a 64 x 64 multiplication, as in wyhash: after a single one, sequential keys still fall into a pattern that costs cache misses.
func Hash1(s Seed, a uint64) uint64 {
	hi, lo := bits.Mul64(a^s.A, s.B|1)
	hi, lo = bits.Mul64(hi^lo^s.B, odd1)
	return hi ^ lo
}

// Hash2 is the hash of two words, in order. The first may be a hash itself: that is how keys of more words are hashed.
func Hash2(s Seed, a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^s.A, b^s.B)
	hi, lo = bits.Mul64(hi^lo^s.B, odd1)
	return hi ^ lo
}

// HashBytes is the hash of a string of bytes.
func HashBytes(s Seed, b []byte) uint64 {
	h := uint64(len(b)) ^ odd2
	for ; len(b) >= 8; b = b[8:] {
		h = Hash2(s, h, binary.LittleEndian.Uint64(b))
	}
	var last uint64
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	return Hash2(s, h, last)
}

// Word is a bool as a word to hash or compare: false before true.
func Word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Ordered is a float that is no NaN as a word: words compare as floats do.
func Ordered(f float64) uint64 {
	b := math.Float64bits(f)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// OrderedInt is an int, time or decimal as a word: words compare as the ints do.
func OrderedInt(v int64) uint64 { return uint64(v) ^ 1<<63 }

// OfOrderedInt is the int that OrderedInt made a word of.
func OfOrderedInt(w uint64) int64 { return int64(w ^ 1<<63) }

// OfOrdered is the float that Ordered made a word of.
func OfOrdered(w uint64) float64 {
	return math.Float64frombits(w ^ (uint64(int64(^w)>>63) | 1<<63))
}
