package codec

// Learned is what a decoder has learnt about its input, so that it can expect it again: in which order the members of a record stand, and the last date. It makes
// a decoder faster and changes no result. It belongs to one processor. The zero value has learnt nothing.
type Learned struct {
	members [learnedMembers]member
	changes int // of members; once there are many
	pause   int // so many records' changes are passed over

	date uint64 // the bytes of the last date: "2024-01-0",
	rest uint64 // and "1T",
	days int64  // which is so many days after 1970-01-01
}

const (
	learnedMembers = 64 // a power of two
	learnedBytes   = 24 // of a member's text
	lookAhead      = 3  // of the expected members the next ones, when some are missing
)

// member is the text before a value, with the white space that the input has there, as words and their masks: `{"name":` of the first member, `,"name":` of others.
type member struct {
	words, masks [3]uint64
	size, field  int // bytes, 0: nothing is expected here; number of the name
}

// at says whether the member's text stands at pos.
func (m *member) at(data []byte, pos int) bool {
	return word(data, pos)&m.masks[0] == m.words[0] && word(data, pos+8)&m.masks[1] == m.words[1] &&
		word(data, pos+16)&m.masks[2] == m.words[2] && m.size != 0
}

// set makes text, which has 1 to 24 bytes, what is expected.
func (m *member) set(text []byte, field int) {
	var room, mask [learnedBytes]byte
	copy(room[:], text)
	for i := range text {
		mask[i] = 0xff
	}
	*m = member{
		words: [3]uint64{word(room[:], 0), word(room[:], 8), word(room[:], 16)},
		masks: [3]uint64{word(mask[:], 0), word(mask[:], 8), word(mask[:], 16)},
		size:  len(text), field: field,
	}
}

// Member goes to the next member of the record's object, and stands at its value. It gives the number that find has for the member's name, from 1, or 0 when it is not
// declared, and -1 at the end of the object, or when the record is not JSON. It is for the record's own object alone, of a scanner that Start began.
func (s *Scanner) Member(find func(name []byte) int) int {
	start := s.pos // of the text that a member is known by
	if s.first {
		start--
	}
	m := &s.learned.members[s.step%learnedMembers]
	if m.at(s.data, start) {
		s.step++
		s.first = false
		s.pos = start + m.size
		s.blank()
		return m.field
	}
	return s.member(find, start)
}

// member is Member when not the expected one stands next.
func (s *Scanner) member(find func(name []byte) int, start int) int {
	for ahead := 1; ahead < lookAhead && s.data[s.pos] != '}'; ahead++ {
		if s.learned.members[(s.step+ahead)%learnedMembers].at(s.data, start) {
			s.step += ahead
			return s.Member(find)
		}
	}
	if !s.Next() {
		return -1
	}
	field := find(s.Key())
	s.learn(start, field)
	return field
}

// learn makes the member whose text begins at start the one that is expected before those that are now.
func (s *Scanner) learn(start, field int) {
	l := s.learned
	text := s.data[start:s.pos]
	if len(text) > learnedBytes || s.keyEscaped || s.step >= learnedMembers {
		return
	}
	if l.pause > 0 {
		l.pause--
		return
	}
	copy(l.members[s.step+1:], l.members[s.step:])
	l.members[s.step].set(text, field)
	s.step++
	if l.changes++; l.changes > 2*learnedMembers { // the order follows no rule: do not chase it
		l.pause = min(l.changes*l.changes, 1<<20)
	}
}
