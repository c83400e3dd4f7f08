package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The functions of this file count in code points, in text that is valid UTF-8. They are those of cel-go's string extension.

// MaxMade is the length up to which a single function makes a text, and a loop texts and lists together, in bytes. A short record can ask for much more: each of
// its words once for each of its words.
const MaxMade = 1 << 20

// place is the byte at which code point n of s begins; ok is false when s has fewer. That of the end is len(s).
func place(s string, n int64) (at int, ok bool) {
	if n < 0 || n > int64(len(s)) {
		return 0, false
	}
	for ; n > 0; n-- {
		if at == len(s) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at, true
}

// CharAt is code point i of s, "" at its end; FaultIndex.
func CharAt(s string, i int64) (string, stream.Fault) {
	at, ok := place(s, i)
	if !ok {
		return "", stream.FaultIndex
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return s[at : at+size], 0
}

// Substring is s from code point start on; FaultIndex.
func Substring(s string, start int64) (string, stream.Fault) {
	at, ok := place(s, start)
	if !ok {
		return "", stream.FaultIndex
	}
	return s[at:], 0
}

// SubstringTo is s from code point start up to, and without, end; FaultIndex.
func SubstringTo(s string, start, end int64) (string, stream.Fault) {
	from, ok := place(s, start)
	if !ok || start > end {
		return "", stream.FaultIndex
	}
	to, ok := place(s[from:], end-start)
	if !ok {
		return "", stream.FaultIndex
	}
	return s[from : from+to], 0
}

// IndexOf is where piece stands in s first, -1 when it does not.
func IndexOf(s, piece string) int64 {
	at := strings.Index(s, piece)
	if at < 0 {
		return -1
	}
	return Size(s[:at])
}

// IndexOfFrom is IndexOf from code point start on; FaultIndex when that is negative. The empty piece stands at start, but not behind the end.
func IndexOfFrom(s, piece string, start int64) (int64, stream.Fault) {
	if start < 0 {
		return 0, stream.FaultIndex
	}
	from, ok := place(s, start)
	if piece == "" {
		if !ok {
			return Size(s), 0
		}
		return start, 0
	}
	if !ok {
		return -1, 0
	}
	at := strings.Index(s[from:], piece)
	if at < 0 {
		return -1, 0
	}
	return start + Size(s[from:from+at]), 0
}

// LastIndexOf is where piece stands in s last, -1 when it does not.
func LastIndexOf(s, piece string) int64 {
	at := strings.LastIndex(s, piece)
	if at < 0 {
		return -1
	}
	return Size(s[:at])
}

// LastIndexOfFrom is LastIndexOf among the places up to code point start; FaultIndex when that is negative, and -1 when it is not inside s. The empty piece
// stands at start, but not behind the end.
func LastIndexOfFrom(s, piece string, start int64) (int64, stream.Fault) {
	if start < 0 {
		return 0, stream.FaultIndex
	}
	from, ok := place(s, start)
	if piece == "" {
		if !ok {
			return Size(s), 0
		}
		return start, 0
	}
	if !ok || from == len(s) {
		return -1, 0
	}
	return LastIndexOf(s[:min(from+len(piece), len(s))], piece), 0
}

// Lower is s with the letters A to Z in lower case.
func Lower(in *stream.Batch, s string) string { return shifted(in, s, 'A', 'Z') }

// Upper is s with the letters a to z in upper case.
func Upper(in *stream.Batch, s string) string { return shifted(in, s, 'a', 'z') }

// shifted is s with the case of the letters first to last changed, s itself when it has none of them.
func shifted(in *stream.Batch, s string, first, last byte) string {
	for i := range len(s) {
		if first <= s[i] && s[i] <= last {
			from := len(in.Data)
			in.Data = append(in.Data, s...)
			for j, c := range in.Data[from:] {
				if first <= c && c <= last {
					in.Data[from+j] = c ^ 0x20
				}
			}
			return made(in, from)
		}
	}
	return s
}

// Replace is s with each old replaced, from the left; FaultOverflow when the text is longer than MaxMade. The empty old stands before each code point and at the end.
func Replace(in *stream.Batch, s, old, with string) (string, stream.Fault) {
	return ReplaceN(in, s, old, with, -1)
}

// ReplaceN is Replace of the first n, of all when n is negative.
func ReplaceN(in *stream.Batch, s, old, with string, n int64) (string, stream.Fault) {
	count := int64(strings.Count(s, old))
	if n < 0 || n > count {
		n = count
	}
	if n == 0 || old == with {
		return s, 0
	}
	if grow := int64(len(with) - len(old)); grow > 0 && (int64(len(s)) > MaxMade || n > (MaxMade-int64(len(s)))/grow) {
		return "", stream.FaultOverflow
	}
	from, rest := len(in.Data), s
	for i := range n {
		at := strings.Index(rest, old)
		if old == "" && i > 0 {
			_, at = utf8.DecodeRuneInString(rest)
		}
		in.Data = append(in.Data, rest[:at]...)
		in.Data = append(in.Data, with...)
		rest = rest[at+len(old):]
	}
	in.Data = append(in.Data, rest...)
	return made(in, from), 0
}

// Split is the pieces of s between the separators; by an empty one the code points of s.
func Split(in *stream.Batch, s, separator string) stream.List { return SplitN(in, s, separator, -1) }

// SplitN is Split into at most n pieces, the last of which is the rest; into all when n is negative, and no piece when it is 0.
func SplitN(in *stream.Batch, s, separator string, n int64) stream.List {
	list := stream.List{Off: uint32(len(in.Words))}
	if n == 0 || separator == "" && s == "" {
		return list
	}
	text := in.KeepText(s)
	add := func(size int) {
		in.Words = append(in.Words, stream.Str{Off: text.Off, Len: uint32(size)}.Word())
		list.Len++
	}
	for n < 0 || int64(list.Len) < n-1 {
		at, size := strings.Index(s, separator), len(separator)
		if separator == "" {
			_, at = utf8.DecodeRuneInString(s)
			if at == len(s) {
				break
			}
		}
		if at < 0 {
			break
		}
		add(at)
		s, text.Off = s[at+size:], text.Off+uint32(at+size)
	}
	add(len(s))
	return list
}

// Reverse is s with its code points from the last to the first.
func Reverse(in *stream.Batch, s string) string {
	from := len(in.Data)
	for len(s) > 0 {
		_, size := utf8.DecodeLastRuneInString(s)
		in.Data = append(in.Data, s[len(s)-size:]...)
		s = s[:len(s)-size]
	}
	return made(in, from)
}

// Join is the strings of a list with a separator between them; FaultOverflow when the text is longer than MaxMade.
func Join(in *stream.Batch, list stream.List, separator string) (string, stream.Fault) {
	words := Words(in, list)
	size := int64(len(separator)) * int64(max(len(words)-1, 0))
	for _, w := range words {
		size += int64(stream.WordStr(w).Len)
	}
	if size > MaxMade {
		return "", stream.FaultOverflow
	}
	from := len(in.Data)
	for i, w := range words {
		if i > 0 {
			in.Data = append(in.Data, separator...)
		}
		in.Data = append(in.Data, in.Bytes(stream.WordStr(w))...)
	}
	return made(in, from), 0
}

// TextOfBytes is b as text; FaultConversion when it is not valid UTF-8.
func TextOfBytes(b string) (string, stream.Fault) {
	if !utf8.ValidString(b) {
		return "", stream.FaultConversion
	}
	return b, 0
}
