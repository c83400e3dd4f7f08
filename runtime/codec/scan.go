// Package codec reads JSON records and writes JSON rows without allocation. Generated decoders drive a Scanner over the bytes of a batch; generated
// encoders append to a buffer.
//
// A record is first JSON or not, and only then judged against the contract. So a Scanner keeps two verdicts: the first thing that is wrong with the
// record as JSON ends the scan; what is wrong with a value (a text where the contract has a number) does not, the rest of the record is still read,
// and of several violations that of the first field in the order of the spec is kept.
//
// What is JSON is RFC 8259 with the choices of RFC 7493 (I-JSON) on strings: valid UTF-8, no half of a surrogate pair.
package codec

import (
	"bytes"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// maxDepth is how deep arrays and objects may be nested, the record itself counted.
const maxDepth = 512

// Scanner reads one record. It lives on the stack of the decoder that drives it.
//
// It stands either at a value, which exactly one of Str, Int, Float, Bool, Time, Epoch, Null, Object, Array and Skip must take, or behind one, where Next or
// Element goes on. The methods that take a value return what is wrong with it: FaultNull, FaultType or, for the right type, a fault of its kind.
// A value that is refused has been passed over, validated, as Skip does it.
type Scanner struct {
	in   *stream.Batch
	data []byte // in.Data as it was when the arena last grew; the record in it does not change
	pos  int    // next byte to be read
	end  int    // of the record. data[end] is a newline or 0, so that no token runs over it unseen

	keyStart, keyEnd int  // the member's name between its quotes
	keyEscaped       bool // it has escapes
	first            bool // an object or array was entered, and nothing in it was read

	begin     int          // of the record
	at        int          // where the record is not JSON, when it has a fault
	fault     stream.Fault // of the record as JSON
	violation stream.Fault // of the contract, by field
	field     uint16       // least number of a field that violates it; 0 is none
	time      uint16       // number of the event time when it is outside int64; else 0
	depth     int          // open objects and arrays
}

// Scan starts to read line, a record of in, and enters its object. The byte behind the record must be a newline or 0, and stream.Padding bytes there
// must be readable.
func Scan(in *stream.Batch, line stream.Str) (s Scanner) {
	s.in, s.data = in, in.Data
	s.begin = int(line.Off)
	s.pos = s.begin
	s.end = s.pos + int(line.Len)
	s.blank()
	if s.data[s.pos] == '{' {
		s.enter()
		return s
	}
	if s.Skip(); s.fault == stream.FaultTruncated { // no object is cut here
		s.fault = stream.FaultNone
	}
	s.fail(stream.FaultNotObject)
	return s
}

// Next goes to the next member of the innermost object, and stands at its value; Key is its name. At the end of the object it leaves it and returns false,
// as it does when the record is not JSON.
func (s *Scanner) Next() bool {
	s.blank()
	c := s.data[s.pos]
	if c == '}' && s.fault == 0 {
		s.leave()
		return false
	}
	if !s.first {
		if c != ',' {
			s.syntax()
			return false
		}
		s.pos++
		s.blank()
		c = s.data[s.pos]
	}
	s.first = false
	if c != '"' {
		s.syntax()
		return false
	}
	s.keyStart, s.keyEnd, s.keyEscaped = s.text()
	s.blank()
	if s.data[s.pos] != ':' {
		s.syntax()
		return false
	}
	s.pos++
	s.blank()
	return true
}

// Key is the name of the member that Next went to, unescaped. It is valid until the next call of a method.
func (s *Scanner) Key() []byte {
	if s.keyEscaped {
		return s.in.Bytes(s.keep(s.keyStart, s.keyEnd))
	}
	return s.data[s.keyStart:s.keyEnd]
}

// Element goes to the next element of the innermost array. At its end it leaves the array and returns false, as it does when the record is not JSON.
func (s *Scanner) Element() bool {
	s.blank()
	c := s.data[s.pos]
	if s.first {
		s.first = false
		if c == ']' {
			s.leave()
			return false
		}
		return s.fault == 0
	}
	switch {
	case c == ',' && s.fault == 0:
		s.pos++
		s.blank()
		return true
	case c == ']' && s.fault == 0:
		s.leave()
		return false
	}
	s.syntax()
	return false
}

// Object enters an object; Next goes through its members.
func (s *Scanner) Object() stream.Fault {
	if s.data[s.pos] != '{' {
		return s.other()
	}
	s.enter()
	return stream.FaultNone
}

// Array enters an array; Element goes through its elements.
func (s *Scanner) Array() stream.Fault {
	if s.data[s.pos] != '[' {
		return s.other()
	}
	s.enter()
	return stream.FaultNone
}

// Once notes in seen that the member with this bit stands in the record. A second one makes the record invalid.
func (s *Scanner) Once(seen *uint64, bit uint64) {
	if *seen&bit != 0 {
		s.pos = s.keyStart // AppendName reads it there
		s.fail(stream.FaultTwice)
	}
	*seen |= bit
}

// Judge notes that a field violates the contract, if fault is one. Fields are numbered from 1 in the order of the spec, those of a nested struct behind it.
func (s *Scanner) Judge(field uint16, fault stream.Fault) {
	if fault != 0 && (s.field == 0 || field < s.field) {
		s.field, s.violation = field, fault
	}
}

// JudgeTime is Judge for the event time, whose range is judged after the whole contract.
func (s *Scanner) JudgeTime(field uint16, fault stream.Fault) {
	if fault == stream.FaultTimeRange {
		s.time = field
		return
	}
	s.Judge(field, fault)
}

// Need notes a violation when a required member, the one with this bit, was not seen.
func (s *Scanner) Need(field uint16, seen, bit uint64) {
	if seen&bit == 0 {
		s.Judge(field, stream.FaultMissing)
	}
}

// End ends the record after Next has left its object. A record that is not JSON has a fault and field 0; else field is the first that violates the contract, else
// the event time when it is outside int64. at is where a record is not JSON, in bytes from its beginning; else 0.
func (s *Scanner) End() (field uint16, fault stream.Fault, at uint32) {
	s.trailing()
	if s.fault != 0 {
		return 0, s.fault, uint32(s.at - s.begin)
	}
	field, fault = s.judged()
	return field, fault, 0
}

// judged is what the contract says: the first field that violates it, else the event time when it is outside int64, else nothing.
func (s *Scanner) judged() (field uint16, fault stream.Fault) {
	if s.field == 0 && s.time != 0 {
		return s.time, stream.FaultTimeRange
	}
	return s.field, s.violation
}

// enter passes over the bracket that opens an object or array.
func (s *Scanner) enter() {
	if s.depth == maxDepth {
		s.fail(stream.FaultDepth)
		return
	}
	s.depth++
	s.pos++
	s.first = true
}

// leave passes over the bracket that closes the innermost object or array.
func (s *Scanner) leave() {
	s.depth--
	s.pos++
	s.first = false
}

// blank passes over white space.
func (s *Scanner) blank() {
	if s.data[s.pos] <= ' ' {
		s.blanks()
	}
}

func (s *Scanner) blanks() {
	for s.pos < s.end {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// trailing refuses what stands behind the record's value.
func (s *Scanner) trailing() {
	if s.blank(); s.pos < s.end {
		s.fail(stream.FaultTrailing)
	}
}

// fail ends the scan: the record is not JSON from pos on. The first fault counts. The scanner stands at the end then, where no token is.
func (s *Scanner) fail(fault stream.Fault) {
	if s.fault == 0 {
		s.fault, s.at = fault, s.pos
	}
	s.pos = s.end
}

var bom = []byte("\ufeff")

// syntax ends the scan at a byte that cannot stand where it does.
func (s *Scanner) syntax() {
	rest := s.data[s.pos:s.end]
	switch {
	case beginsLiteral(rest):
		s.fail(stream.FaultTruncated)
	case bytes.HasPrefix(rest, bom):
		s.fail(stream.FaultBOM)
	case rest[0] >= utf8.RuneSelf && !validRune(rest):
		s.fail(stream.FaultUTF8)
	default:
		s.fail(stream.FaultSyntax)
	}
}

// beginsLiteral says whether rest is empty or could go on to be a literal.
func beginsLiteral(rest []byte) bool {
	for _, literal := range [...]string{"true", "false", "null"} {
		if len(rest) < len(literal) && literal[:len(rest)] == string(rest) {
			return true
		}
	}
	return false
}

func validRune(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r != utf8.RuneError || size > 1
}
