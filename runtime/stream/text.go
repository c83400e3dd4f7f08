package stream

import "unsafe"

// Text is the string at s without a copy. It is valid until the batch is filled anew, and must not be kept beyond.
func (b *Batch) Text(s Str) string {
	if s.Len == 0 {
		return ""
	}
	return unsafe.String(&b.Data[s.Off : s.Off+s.Len][0], int(s.Len))
}
