package codec

import (
	"bytes"
	"unicode/utf8"
)

// Foreign says what stands in a record at the byte at, where it is not JSON, when that is one of the things that other languages write. It is a text of this
// function, never one of the record, which may be secret; "" is for all else.
func Foreign(record []byte, at int) string {
	rest := record[at:]
	if len(rest) == 0 {
		return ""
	}
	before := byte(0) // the last byte before at that is not white space
	if b := bytes.TrimRight(record[:at], " \t\r\n"); len(b) > 0 {
		before = b[len(b)-1]
	}
	for _, word := range [...]string{"NaN", "nan", "Infinity", "-Infinity", "Inf", "-Inf", "inf", "-inf", "undefined", "None", "True", "TRUE", "False", "FALSE", "Null", "NULL"} {
		if len(rest) >= len(word) && string(rest[:len(word)]) == word && (len(rest) == len(word) || !inWord(rest[len(word)])) {
			return word
		}
	}
	switch c := rest[0]; {
	case c == '\'':
		return "a single quote; texts and names stand between double ones"
	case c == '/' || c == '#':
		return "a comment"
	case c == '}' || c == ']':
		if before == ',' {
			return "a comma with nothing behind it"
		}
	case c == ',' && (before == '{' || before == '[' || before == ',' || before == ':'):
		return "a comma with nothing before it"
	case c == ',':
	case c == '"':
		return "a comma or a colon is missing before it"
	case c == '+':
		return "a plus sign"
	case c == '.', c == '-' && len(rest) > 1 && rest[1] == '.':
		return "no digit before the point"
	case c == '-' || c-'0' <= 9:
		digits := bytes.TrimLeft(rest, "-")
		if len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9 {
			return "zeros before the number"
		}
		if behind := bytes.TrimLeft(digits, "0123456789"); len(behind) > 0 && behind[0] == '.' && (len(behind) == 1 || behind[1]-'0' > 9) {
			return "no digit behind the point"
		}
	case inWord(c) && (before == '{' || before == ','):
		return "a name or a text without quotes"
	}
	return ""
}

// inWord says whether c may stand in a word.
func inWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c-'0' <= 9 || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// equalFold says whether text is word, whatever its case. word has letters of ASCII.
func equalFold(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i, c := range []byte(word) {
		if text[i] != c && (text[i]|0x20 != c|0x20 || c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// AppendName appends the name of a member of a record, unescaped. It begins at the byte at, behind its quote, and is valid.
func AppendName(dst, record []byte, at int) []byte {
	end := at
	for ; end < len(record) && record[end] != '"'; end++ {
		if record[end] == '\\' {
			end++
		}
	}
	return unescape(dst, record[at:min(end, len(record))])
}

// validPrefix is how many bytes of text, which is not valid UTF-8, are valid.
func validPrefix(text []byte) int {
	for n := 0; n < len(text); {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
	return len(text)
}
