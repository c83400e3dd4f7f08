package stream

import "unsafe"

// Text is the string at s without a copy. It is valid until the batch is filled anew, and must not be kept beyond.
func (b *Batch) Text(s Str) string { return View(b.Bytes(s)) }

// View is b as a string without a copy: it is valid as long as b is, and b must not be written meanwhile.
func View(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
