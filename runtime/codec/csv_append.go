package codec

import (
	"bytes"
	"encoding/base64"
)

// A field of CSV is written as it is, or in quotes with the quotes in it doubled when it has a comma, a quote or a line break in it (RFC 4180, section 2), and when it is
// empty: nothing at all stands for null. Numbers and bools are those of JSON and need no quotes, nor do times (AppendInstant).

// AppendField appends a string as a field.
func AppendField(dst, s []byte) []byte {
	if len(s) > 0 && plainField(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for {
		n := bytes.IndexByte(s, '"')
		if n < 0 {
			return append(append(dst, s...), '"')
		}
		dst = append(append(dst, s[:n+1]...), '"')
		s = s[n+1:]
	}
}

func plainField(s []byte) bool {
	for _, c := range s {
		switch c {
		case ',', '"', '\n', '\r':
			return false
		}
	}
	return true
}

// AppendBytesField appends b as base64; in quotes when it is empty.
func AppendBytesField(dst, b []byte) []byte {
	if len(b) == 0 {
		return append(dst, `""`...)
	}
	return base64.StdEncoding.AppendEncode(dst, b)
}
