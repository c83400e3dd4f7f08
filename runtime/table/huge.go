package table

import (
	"slices"
	"unsafe"
)

// Large tables lie on huge pages. A system that takes memory in pages of 4 KiB interrupts the program at the first touch of each, for a microsecond and more in a virtual machine, and
// a read at a random place of a table of many MB misses the processor's table of pages as well as its cache. Linux has huge pages of 2 MiB ("Transparent Hugepage Support", in its
// documentation), but in the setting that most distributions come with, madvise, only where a program asks for them.
//
// So whatever makes a large part of a table asks before it is touched (huge). The memory stays that of Go's heap, made by make and new and given back by the collector: only what
// the system puts under the addresses differs, and nothing depends on it. The request goes for all huge pages that the part touches, whoever has the rest of the first and the last,
// since the parts of a table mostly lie side by side. What is small never asks: a huge page is taken whole.
const (
	hugePage = 2 << 20
	large    = 256 << 10 // bytes from which on a table is worth it
)

// array is n zeros.
func array[T any](n int) []T {
	s := make([]T, n)
	if size := uintptr(n) * unsafe.Sizeof(*new(T)); size >= large {
		huge(unsafe.Pointer(unsafe.SliceData(s)), size)
	}
	return s
}

// push is append for one value of a slice that may become large.
func push[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = extend(s, 1)
	}
	return append(s, v)
}

// extend makes room for n more behind s, as append does it.
func extend[T any](s []T, n int) []T {
	if most := len(s) + max(n, len(s)/4); uintptr(most)*unsafe.Sizeof(*new(T)) >= large && len(s)+n > cap(s) {
		return append(array[T](most)[:0], s...)
	}
	return slices.Grow(s, n)
}

// pieces makes the parts of a table that has many of the same type.
type pieces[T any] struct {
	made  int     // so far
	asked uintptr // the huge page that the last one which asked begins in
}

// one is a zero T.
func (x *pieces[T]) one() *T {
	v := new(T)
	x.made++
	if uintptr(x.made)*unsafe.Sizeof(*v) >= large {
		if in := uintptr(unsafe.Pointer(v)) / hugePage; in != x.asked {
			x.asked = in
			huge(unsafe.Pointer(v), unsafe.Sizeof(*v))
		}
	}
	return v
}
