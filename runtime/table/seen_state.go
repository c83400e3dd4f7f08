package table

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The entries of a Seen in a state:
//
//	count, size of an entry                            as AppendUint
//	a number by which another order of bytes is known  4 bytes
//	entries                                            as they are in memory
//
// They are written and read by the same processor on the same kind of machine, and there are millions of them: nothing is converted.
const byteOrder = 0x01020304

// memory is the bytes of entries.
func memory[K comparable](e []entry[K]) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(e))), len(e)*int(unsafe.Sizeof(entry[K]{})))
}

// AppendState appends the entries: all of them, or those that were put since Commit. newest is the latest time among them, stream.Never if there are none.
func (s *Seen[K]) AppendState(dst []byte, changed bool) (state []byte, newest int64) {
	n := s.Count(changed)
	dst = slices.Grow(dst, n*int(unsafe.Sizeof(entry[K]{}))+64) // they may be many: what is there is moved at most once
	dst = AppendUint(dst, uint64(n))
	dst = AppendUint(dst, uint64(unsafe.Sizeof(entry[K]{})))
	dst = binary.NativeEndian.AppendUint32(dst, byteOrder)
	newest = stream.Never
	s.each(changed, func(entries []entry[K]) {
		for i := range entries {
			newest = max(newest, entries[i].at)
		}
		dst = append(dst, memory(entries)...)
	})
	return dst, newest
}

// each calls f for the entries that were put, in parts of pages: all of them, or those since Commit. The order is no promise; an id that returned may come twice.
func (s *Seen[K]) each(changed bool, f func([]entry[K])) {
	if changed {
		for _, p := range s.dirty {
			if h := s.heads[p]; h.used > h.clean { // else it may have been freed since, and have no memory
				f(s.pages[p][h.clean:h.used])
			}
		}
		return
	}
	for _, v := range s.heap {
		for next := s.intervals[v].last + 1; next != 0; next = s.heads[next-1].next {
			f(s.pages[next-1][:s.heads[next-1].used])
		}
	}
}

// Count is how many entries AppendState gives.
func (s *Seen[K]) Count(changed bool) int {
	n := 0
	s.each(changed, func(entries []entry[K]) { n += len(entries) })
	return n
}

// Expect makes room for what commits tell in so many bytes, so that the index grows once.
func (s *Seen[K]) Expect(bytes int) { s.Reserve(bytes / int(unsafe.Sizeof(entry[K]{}))) }

// Restore enters what AppendState wrote; states may come in any order: of the entries of one id the one with the latest time stays. hash gives the hash of a key.
func (s *Seen[K]) Restore(r *Reader, hash func(k K) uint32) {
	n := r.Count(1)
	size := int(unsafe.Sizeof(entry[K]{}))
	if r.Uint() != uint64(size) || r.native() != byteOrder {
		r.Fail("ids of another kind of machine")
		return
	}
	if n > (len(r.data)-r.pos)/size {
		r.Fail("more ids than bytes for them")
		return
	}
	s.Reserve(n)
	var entries [pageLen]entry[K]
	var hashes [pageLen]uint32
	for n > 0 {
		some := entries[:min(n, pageLen)]
		n -= len(some)
		r.pos += copy(memory(some), r.data[r.pos:])
		touched := uint64(0)
		for i := range some {
			hashes[i] = hash(some[i].key)
		}
		for i := range some { // a loop of its own, so that the cache misses of neighbours overlap
			touched += s.Hint(hashes[i])
		}
		s.touched = touched
		for i := range some {
			e := &some[i]
			cell, old, found := s.Probe(hashes[i], e.key)
			if !found || old < e.at {
				s.Put(cell, hashes[i], e.key, e.at)
			}
		}
	}
}

// native reads a number in the order of bytes of this machine.
func (r *Reader) native() uint32 {
	if len(r.data)-r.pos < 4 {
		r.Fail("the end comes inside a number")
		return 0
	}
	r.pos += 4
	return binary.NativeEndian.Uint32(r.data[r.pos-4:])
}
