package codec

import (
	"math/bits"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Str takes a string. Without escapes it stands in the record; else it is unescaped into the batch's arena.
func (s *Scanner) Str() (stream.Str, stream.Fault) {
	if s.data[s.pos] != '"' {
		return stream.Str{}, s.other()
	}
	start, end, escaped := s.text()
	if escaped {
		return s.keep(start, end), stream.FaultNone
	}
	return stream.Str{Off: uint32(start), Len: uint32(end - start)}, stream.FaultNone
}

// keep unescapes data[start:end], which text has validated, into the arena.
func (s *Scanner) keep(start, end int) stream.Str {
	off := len(s.in.Data)
	s.in.Data = unescape(s.in.Data, s.data[start:end])
	s.data = s.in.Data
	return stream.Str{Off: uint32(off), Len: uint32(len(s.data) - off)}
}

// text validates the string at pos and passes over it. data[start:end] is what stands between its quotes.
func (s *Scanner) text() (start, end int, escaped bool) {
	data := s.data
	start = s.pos + 1
	p := plain(data, start)
	for data[p] != '"' {
		switch c := data[p]; {
		case c == '\\':
			escaped = true
			size, fault := escape(data[p:s.end])
			if fault != 0 {
				s.pos = p
				s.fail(fault)
				return start, start, false
			}
			p += size
		case c >= utf8.RuneSelf:
			for data[p] >= utf8.RuneSelf && p < s.end {
				r, size := utf8.DecodeRune(data[p:s.end])
				if r == utf8.RuneError && size == 1 {
					s.pos = p
					s.fail(stream.FaultUTF8)
					return start, start, false
				}
				p += size
			}
		case p < s.end:
			s.pos = p
			s.fail(stream.FaultControl)
			return start, start, false
		}
		if p >= s.end {
			s.fail(stream.FaultTruncated)
			return start, start, false
		}
		p = plain(data, p)
	}
	if p >= s.end { // cannot be when the byte behind the record is what it must be
		s.fail(stream.FaultTruncated)
		return start, start, false
	}
	s.pos = p + 1
	return start, p, escaped
}

// plain is the first position from pos on whose byte is a quote, a backslash, a control character or not ASCII.
func plain(data []byte, pos int) int {
	for {
		if m := special(word(data, pos)); m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
		pos += 8
	}
}

const (
	each = 0x0101010101010101 // times a byte: that byte eight times
	high = 0x8080808080808080
)

// special sets the high bit of the bytes of w that are a quote, a backslash, a control character or not ASCII. Only the lowest bit set is exact: the
// subtractions borrow, from bytes that are special into those above. The tests for a byte that is zero and one below a bound are Mycroft's, as in
// Anderson, "Bit Twiddling Hacks", "Determine if a word has a zero byte" and "… has a byte less than n".
func special(w uint64) uint64 {
	quote := w ^ each*'"'
	slash := w ^ each*'\\'
	return (w | (w - each*' ') | (quote-each)&^quote | (slash-each)&^slash) & high
}

// escape is the length of the escape sequence, a surrogate pair being one, that b begins with.
func escape(b []byte) (size int, fault stream.Fault) {
	if len(b) < 2 {
		return 0, stream.FaultTruncated
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, stream.FaultNone
	case 'u':
	default:
		return 0, stream.FaultEscape
	}
	r, n := hex(b)
	switch {
	case n == 6 && (r < 0xd800 || r > 0xdfff):
		return 6, stream.FaultNone
	case n == len(b):
		return 0, stream.FaultTruncated
	case n < 6:
		return 0, stream.FaultEscape
	}
	low, n := hex(b[6:])
	if r < 0xdc00 && n == 6 && low >= 0xdc00 && low <= 0xdfff {
		return 12, stream.FaultNone
	}
	return 0, stream.FaultSurrogate
}

// hex is the number in the \uXXXX that b begins with. n is how much of it is there: 6 is all.
func hex(b []byte) (r rune, n int) {
	if len(b) < 2 || b[0] != '\\' || b[1] != 'u' {
		return 0, 0
	}
	for n = 2; n < min(6, len(b)); n++ {
		c := b[n]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return r, n
		}
		r = r<<4 | rune(c)
	}
	return r, n
}

// unescape appends the text that the valid string literal raw, without its quotes, stands for.
func unescape(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		switch c = raw[i+1]; c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex(raw[i:])
			i += 6
			if r >= 0xd800 && r <= 0xdfff {
				low, _ := hex(raw[i:])
				i += 6
				r = (r-0xd800)<<10 | (low - 0xdc00) + 0x10000
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
		i += 2
	}
	return dst
}
