package table

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Blob is the place of a string of bytes in Blobs. The zero value is the empty string and takes no memory.
type Blob struct {
	Off uint32 // in units of 16 bytes; the chunk in the high 20 bits
	Len uint32 // bytes
}

// Blobs holds the strings in accumulators (min, max, first, last), and what others keep there (package aggregate), each with one owner. Memory comes in chunks of 64 KiB (a larger string has a chunk of its own)
// and in size classes, two for each power of two from 16 bytes on, so at most a third of a string's memory is unused (half of it up to 32 bytes). Freed memory is used again for the same
// class and not returned before the Blobs itself is dropped. At most 2^20 chunks, which is 64 GiB of strings.
//
// The zero value is ready. A Blobs belongs to one goroutine.
type Blobs struct {
	chunks [][]byte
	free   [64]uint32 // by class: Off + 1 of a free place, whose first four bytes are the next one; 0: none
	chunk  uint32     // the one that is being filled,
	room   int        // and how many bytes of it are left
}

const (
	unit       = 16
	chunkSize  = 1 << 16
	chunkUnits = chunkSize / unit
)

// class is the smallest size class that holds n > 0 bytes: the sizes are 16, 32, 48, 64, 96, 128, …
func class(n int) int {
	if n <= unit {
		return 0
	}
	power := bits.Len(uint(n - 1)) // 2^(power-1) < n <= 2^power
	c := 2 * (power - 4)
	if power > 5 && n <= 3<<(power-2) {
		c--
	}
	return c
}

// size is how many bytes a class has; a multiple of 16. Class 1 is not used.
func size(class int) int {
	if class%2 == 1 {
		return 3 << (class/2 + 3)
	}
	return unit << (class / 2)
}

// Set makes b the content of a string whose place was old, which is no longer valid, and returns its new place. b may be a part of the old content. Memory is
// allocated only when no string of the size was freed before.
func (x *Blobs) Set(old Blob, b []byte) Blob {
	if len(b) == 0 {
		x.Free(old)
		return Blob{}
	}
	c := class(len(b))
	if old.Len == 0 || class(int(old.Len)) != c {
		place := x.take(c)
		copy(x.at(place, len(b)), b)
		x.Free(old)
		return Blob{place, uint32(len(b))}
	}
	copy(x.at(old.Off, len(b)), b)
	return Blob{old.Off, uint32(len(b))}
}

// Extend is a place with room for n bytes that begins with the content of old, as far as there is room; what is behind that is not cleared. old is no longer valid.
func (x *Blobs) Extend(old Blob, n int) Blob {
	c := class(n)
	if old.Len > 0 && class(int(old.Len)) == c {
		return Blob{old.Off, uint32(n)}
	}
	place := Blob{x.take(c), uint32(n)}
	copy(x.Bytes(place), x.Bytes(old))
	x.Free(old)
	return place
}

// Words is the content as words in the order of the machine, which must not leave its memory. Places begin at multiples of 16 in chunks that the allocator has aligned.
func (x *Blobs) Words(s Blob) []uint64 {
	if s.Len < 8 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&x.Bytes(s)[0])), s.Len/8)
}

// SetText is Set for a string.
func (x *Blobs) SetText(old Blob, s string) Blob {
	return x.Set(old, View(s))
}

// View is the bytes of a string, which nobody may change.
func View(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Bytes is the content. It is valid until Set or Free of this string.
func (x *Blobs) Bytes(s Blob) []byte {
	if s.Len == 0 {
		return nil
	}
	return x.at(s.Off, int(s.Len))
}

// Free gives the memory of s back.
func (x *Blobs) Free(s Blob) {
	if s.Len > 0 {
		x.give(s.Off, class(int(s.Len)))
	}
}

// Reset forgets all strings and keeps the chunks of the usual size.
func (x *Blobs) Reset() {
	clear(x.free[:])
	kept := x.chunks[:0]
	for _, c := range x.chunks {
		if len(c) == chunkSize {
			kept = append(kept, c)
		}
	}
	clear(x.chunks[len(kept):])
	x.chunks = kept
	x.room = 0
	for i := range kept {
		x.give(uint32(i*chunkUnits), class(chunkSize))
	}
}

func (x *Blobs) at(off uint32, n int) []byte {
	from := int(off%chunkUnits) * unit
	return x.chunks[off/chunkUnits][from : from+n]
}

// from is the memory of the chunk from off on.
func (x *Blobs) from(off uint32) []byte { return x.chunks[off/chunkUnits][int(off%chunkUnits)*unit:] }

func (x *Blobs) give(off uint32, class int) {
	binary.LittleEndian.PutUint32(x.at(off, 4), x.free[class])
	x.free[class] = off + 1
}

// take is a free place of a class.
func (x *Blobs) take(c int) uint32 {
	if off := x.free[c]; off != 0 {
		off--
		x.free[c] = binary.LittleEndian.Uint32(x.at(off, 4))
		return off
	}
	n := size(c)
	if n > chunkSize {
		return x.add(n)
	}
	if n > x.room {
		x.cut()
		if whole := class(chunkSize); c == whole || x.free[whole] == 0 {
			x.chunk = x.add(chunkSize) / chunkUnits
		} else { // left by Reset, or freed
			x.chunk = x.take(whole) / chunkUnits
		}
		x.room = chunkSize
	}
	off := x.next()
	x.room -= n
	return off
}

// next is the place of the next free bytes of the chunk that is being filled.
func (x *Blobs) next() uint32 { return x.chunk*chunkUnits + uint32(chunkSize-x.room)/unit }

// cut divides what is left of the chunk that is being filled into places of smaller classes.
func (x *Blobs) cut() {
	for x.room > 0 {
		c := class(x.room)
		for c == 1 || size(c) > x.room {
			c--
		}
		x.give(x.next(), c)
		x.room -= size(c)
	}
}

// add is a new chunk of n bytes.
func (x *Blobs) add(n int) uint32 {
	if len(x.chunks) == 1<<32/chunkUnits {
		panic("table: more than 64 GiB of strings in one state")
	}
	x.chunks = append(x.chunks, make([]byte, n))
	return uint32(len(x.chunks)-1) * chunkUnits
}
