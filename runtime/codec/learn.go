package codec

import (
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Learned is what a decoder has learnt about its input, so that it can expect it again: in which order the members of a record stand, and the last date. It makes
// a decoder faster and changes no result. It belongs to one processor. The zero value has learnt nothing.
type Learned struct {
	members [learnedMembers]Member // in their order: [0] begins a record, the others do not; the last is never learnt
	known   [learnedMembers]Member // in any order, each within knownReach behind the place that place gives it
	other   Member                 // the one that Find found, when it is not learnt
	changes int                    // of members. Once there are many, the order follows no rule:
	pause   int                    // so many members, counted down, are not expected but looked up in known
	wait    int                    // how many it was the last time

	date, rest uint64 // the bytes of the last date as they stand in a record: `"2024-01`, `-01T`; rest is 0 before there is one
	day        int64  // its midnight, ns since the Unix epoch
}

const (
	learnedMembers = 64 // a power of two
	learnedBytes   = 24 // of a member's text
	lookAhead      = 3  // of the expected members the next ones, when some are missing
	knownReach     = 4
	leastPause     = 1 << 12
	mostPause      = 1 << 20
)

// End is the field of what stands behind the last member of a record.
const End = -1

// Member is the text before a value, with the white space that the input has there: `{"name":` of the first member of a record, `,"name":` of others. What ends a record,
// `}` and the newline, is one too.
type Member struct {
	Field int    // number of the name, from 1; 0 is one that is not declared; or End
	Bit   uint64 // 1<<(Field-1)%64; 0 when there is no such field
	Size  int    // bytes of the text

	words, masks [3]uint64 // the text's complement under the masks: nothing is as the zero Member says
}

// Expected is the member that stands at this step of a record if it is like those before.
func (l *Learned) Expected(step int) *Member { return &l.members[uint(step)%learnedMembers] }

// Stands says whether the member's text stands at pos.
func (m *Member) Stands(in *stream.Batch, pos int) bool {
	d := in.Data
	return (word(d, pos)&m.masks[0]^m.words[0])&(word(d, pos+8)&m.masks[1]^m.words[1])&(word(d, pos+16)&m.masks[2]^m.words[2]) == 1<<64-1
}

// set makes text, which has 1 to 24 bytes, the member's.
func (m *Member) set(text []byte) {
	var room, mask [learnedBytes]byte
	copy(room[:], text)
	for i := range text {
		mask[i] = 0xff
	}
	for i := range m.words {
		m.words[i], m.masks[i] = ^word(room[:], 8*i), word(mask[:], 8*i)
	}
}

// Find looks for the member that stands at pos in the next record of in, where not the expected one stands. number gives the number of a name. It returns the member, and
// the step that it is; nil is for what is no member or not one of the usual form, such as a name with escapes.
func (l *Learned) Find(in *stream.Batch, pos, step int, number func(name []byte) int) (*Member, int) {
	data := in.Data
	first := pos == in.Pos
	if first != (data[pos] == '{') {
		return nil, step
	}
	if l.pause == 0 && !first {
		for ahead := step + 1; ahead < min(step+lookAhead, learnedMembers); ahead++ {
			if m := &l.members[ahead]; m.Stands(in, pos) {
				return m, ahead
			}
		}
	}
	for i := range knownReach {
		if m := &l.known[(place(word(data, pos))+i)%learnedMembers]; m.Stands(in, pos) {
			if l.pause > 1 {
				l.pause--
				return m, learnedMembers - 2
			}
			return l.learn(data, pos, pos+m.Size, step, m.Field)
		}
	}
	p := pos
	if first {
		p++
	}
	p = gap(data, p)
	if data[p] == '}' {
		switch p = gap(data, p+1); {
		case p == in.End: // without a newline, and so the last
			l.other = Member{Field: End, Size: p - pos}
			return &l.other, step
		case data[p] != '\n':
			return nil, step
		}
		return l.learn(data, pos, p+1, step, End)
	}
	if !first {
		if data[p] != ',' {
			return nil, step
		}
		p = gap(data, p+1)
	}
	if data[p] != '"' {
		return nil, step
	}
	start := p + 1
	end := plain(data, start)
	if data[end] >= utf8.RuneSelf {
		s, escaped := at(in, p), false
		if start, end, escaped = s.text(); s.fault != 0 || escaped {
			return nil, step
		}
	}
	if data[end] != '"' {
		return nil, step
	}
	p = gap(data, end+1)
	if data[p] != ':' {
		return nil, step
	}
	return l.learn(data, pos, gap(data, p+1), step, number(data[start:end]))
}

// place is where in known a member is looked for that begins with the bytes of w. It asks the three behind the first two: they belong to the text of every member whose name is
// not empty.
func place(w uint64) int {
	return int((w >> 16 & 0xffffff) * 0x9e3779b1 >> 20 % learnedMembers)
}

// gap is the first position from pos on that is no white space of a record. A newline is none: it ends the record.
func gap(data []byte, pos int) int {
	for data[pos] == ' ' || data[pos] == '\t' || data[pos] == '\r' {
		pos++
	}
	return pos
}

// learn makes the member in data[from:to] known, and the one that is expected at step, before those that are now. What begins a record is expected at step 0 alone, and
// replaces what was: of the others the first is the one behind the same field.
func (l *Learned) learn(data []byte, from, to, step, field int) (*Member, int) {
	l.other = Member{Field: field, Size: to - from}
	if field > 0 {
		l.other.Bit = 1 << ((field - 1) % 64)
	}
	first := data[from] == '{'
	next := step - 1 // what is expected stays
	if first {
		next = l.of(field)
	}
	if to-from > learnedBytes {
		return &l.other, next
	}
	l.other.set(data[from:to])
	l.know(data, from)
	switch {
	case l.pause > 0:
		if l.pause--; l.pause == 0 { // try anew
			l.members, l.changes = [learnedMembers]Member{}, 0
		}
		return &l.other, learnedMembers - 2
	case step >= learnedMembers-1:
		return &l.other, next
	case !first:
		copy(l.members[step+1:learnedMembers-1], l.members[step:])
	}
	l.members[step] = l.other
	if l.changes++; l.changes > 2*learnedMembers {
		l.wait = min(max(2*l.wait, leastPause), mostPause)
		l.pause = l.wait
	}
	return &l.other, max(step, next)
}

// know makes the other member, which stands at from, known.
func (l *Learned) know(data []byte, from int) {
	at := place(word(data, from))
	for i := range knownReach {
		switch m := &l.known[(at+i)%learnedMembers]; {
		case m.Size == 0:
			*m = l.other
			return
		case *m == l.other:
			return
		}
	}
	l.known[at] = l.other
}

// of is the step at which a declared field is expected, or 0.
func (l *Learned) of(field int) int {
	for step := 1; step < learnedMembers && field > 0; step++ {
		if l.members[step].Field == field {
			return step
		}
	}
	return 0
}
