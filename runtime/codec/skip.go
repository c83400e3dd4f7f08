package codec

import (
	"encoding/binary"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Skip passes over a value of any type, and validates it.
func (s *Scanner) Skip() {
	switch s.data[s.pos] {
	case '"':
		s.text()
	case '{', '[':
		s.skipNested()
	default:
		s.skipScalar()
	}
}

// other passes over a value that has the wrong type.
func (s *Scanner) other() stream.Fault {
	if s.Null() {
		return stream.FaultNull
	}
	s.Skip()
	return stream.FaultType
}

// skipNested passes over an object or array, without recursion: a record cannot grow the stack.
func (s *Scanner) skipNested() {
	var object [maxDepth + 2]bool // by depth: what is open is an object
	base := s.depth
	object[base+1] = s.data[s.pos] == '{'
	s.enter()
	for s.depth > base && s.fault == 0 {
		more := false
		if object[s.depth] {
			more = s.Next()
		} else {
			more = s.Element()
		}
		if !more {
			continue
		}
		switch c := s.data[s.pos]; c {
		case '"':
			s.text()
		case '{', '[':
			object[s.depth+1] = c == '{'
			s.enter()
		default:
			s.skipScalar()
		}
	}
}

// skipScalar passes over a number, true, false or null.
func (s *Scanner) skipScalar() {
	switch s.data[s.pos] {
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '.':
		s.number()
	case 'n':
		if !s.Null() {
			s.syntax()
		}
	default:
		if _, ok := s.bool(); !ok {
			s.syntax()
		}
	}
}

// The literals as the words that they are read as.
const (
	wordTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordFals = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24
	wordNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
)

// Bool takes true or false.
func (s *Scanner) Bool() (bool, stream.Fault) {
	if b, ok := s.bool(); ok {
		return b, stream.FaultNone
	}
	return false, s.other()
}

func (s *Scanner) bool() (b, ok bool) {
	switch binary.LittleEndian.Uint32(s.data[s.pos:]) {
	case wordTrue:
		s.pos += 4
		return true, true
	case wordFals:
		if s.data[s.pos+4] == 'e' {
			s.pos += 5
			return false, true
		}
	}
	return false, false
}

// Null takes null, and returns false, at the same place, when the value is another.
func (s *Scanner) Null() bool {
	if binary.LittleEndian.Uint32(s.data[s.pos:]) != wordNull {
		return false
	}
	s.pos += 4
	return true
}
