package codec

import (
	"encoding/base64"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Bytes takes a string that is base64 in the standard alphabet with padding (RFC 4648, section 4), and decodes it into the batch's arena. It is strict: FaultBase64
// is a string with any other character, line breaks too, with missing or misplaced padding, or with bits behind the last byte that are not 0. So two texts never
// stand for the same bytes.
func (s *Scanner) Bytes() (stream.Str, stream.Fault) {
	if s.data[s.pos] != '"' {
		return stream.Str{}, s.other()
	}
	start, end, escaped := s.text()
	text := s.data[start:end]
	if escaped {
		text = s.in.Bytes(s.keep(start, end))
	}
	off := len(s.in.Data)
	data, ok := appendDecoded(s.in.Data, text)
	if !ok {
		return stream.Str{}, stream.FaultBase64
	}
	s.in.Data, s.data = data, data
	return stream.Str{Off: uint32(off), Len: uint32(len(data) - off)}, stream.FaultNone
}

// appendDecoded appends the bytes that the base64 text stands for. It is not the decoder of encoding/base64, which passes over line breaks and allocates an
// error.
func appendDecoded(dst, text []byte) (_ []byte, ok bool) {
	if len(text)%4 != 0 {
		return dst, false
	}
	for ; len(text) > 4; text = text[4:] {
		bits := quad(text)
		if bits >= 1<<24 {
			return dst, false
		}
		dst = append(dst, byte(bits>>16), byte(bits>>8), byte(bits))
	}
	if len(text) == 0 {
		return dst, true
	}
	last := [4]byte(text)
	padding := 0
	for n := 3; n >= 2 && last[n] == '='; n-- {
		last[n] = 'A' // six bits of 0
		padding++
	}
	bits := quad(last[:])
	switch {
	case bits >= 1<<24, bits&(1<<(8*padding)-1) != 0:
		return dst, false
	case padding == 2:
		return append(dst, byte(bits>>16)), true
	case padding == 1:
		return append(dst, byte(bits>>16), byte(bits>>8)), true
	}
	return append(dst, byte(bits>>16), byte(bits>>8), byte(bits)), true
}

// quad is the 24 bits that four characters stand for, or more than that when one of them is not of the alphabet.
func quad(text []byte) uint32 {
	_ = text[3]
	return sextets[text[0]]<<18 | sextets[text[1]]<<12 | sextets[text[2]]<<6 | sextets[text[3]]
}

// sextets are the six bits of each character of the alphabet; of other bytes noSextet.
var sextets = func() (of [256]uint32) {
	for i := range of {
		of[i] = noSextet
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		of[c] = uint32(i)
	}
	return of
}()

// noSextet has all bits above the six: wherever it is shifted to, one is above the 24.
const noSextet = ^uint32(63)

// AppendBytes appends b as a string of base64.
func AppendBytes(dst, b []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, '"')
}
