package stream

import "unsafe"

// Text is the string at s without a copy. It is valid until the batch is filled anew, and must not be kept beyond.
func (b *Batch) Text(s Str) string { return View(b.Bytes(s)) }

// View is b as a string without a copy: it is valid as long as b is, and b must not be written meanwhile.
func View(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// place is where s lies in b.Data, if it does.
func (b *Batch) place(s string) (Str, bool) {
	if len(s) == 0 {
		return Str{}, true
	}
	off := uintptr(unsafe.Pointer(unsafe.StringData(s))) - uintptr(unsafe.Pointer(unsafe.SliceData(b.Data)))
	if off > uintptr(len(b.Data)) || uintptr(len(s)) > uintptr(len(b.Data))-off || off > 1<<32-1 {
		return Str{}, false
	}
	return Str{uint32(off), uint32(len(s))}, true
}
