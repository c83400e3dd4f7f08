package codec

import (
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Learned is what a decoder has learnt about its input, so that it can expect it again: in which order the members of a record stand, and the last date. It makes
// a decoder faster and changes no result. It belongs to one processor. The zero value has learnt nothing.
type Learned struct {
	members [learnedMembers]Member // in their order: [0] begins a record, the others do not; the last is never learnt
	known   [learnedMembers]Member // in any order, those that do not begin a record: each where place says, or less than knownReach behind it
	firsts  [learnedMembers]Member // the same of those that do
	odd     uint64                 // for place in known: by it each has a place of its own, if one was found among mostTries
	tries   int
	other   Member // the one that Find found, when it is not learnt
	changes int    // of members. Once there are many, the order follows no rule:
	pause   int    // of so many records, counted down, the members are not expected but looked up in known and firsts
	wait    int    // how many it was the last time

	date, rest uint64 // the bytes of the last date as they stand in a record: `"2024-01`, `-01T`; rest is 0 before there is one
	day        int64  // its midnight, ns since the Unix epoch
}

const (
	learnedMembers = 64 // a power of two
	learnedBytes   = 24 // of a member's text
	lookAhead      = 3  // of the expected members the next ones, when some are missing
	knownReach     = 4
	mostTries      = 1 << 10
	leastPause     = 1 << 9
	mostPause      = 1 << 17
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

// Expected is the member that stands at pos, this step of the record that stands next in in, if the record is like those before. Where orders follow no rule Find
// gives steps from learnedMembers on, for which it is the one that is known to begin as what stands there.
func (l *Learned) Expected(in *stream.Batch, pos, step int) *Member {
	if uint(step) < learnedMembers {
		return &l.members[step]
	}
	return &l.known[place(word(in.Data, pos), l.odd)]
}

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
	known, from := &l.firsts, firstPlace(word(data, pos))
	switch {
	case !first:
		known, from = &l.known, place(word(data, pos), l.odd)
		for ahead := step + 1; l.pause == 0 && ahead < min(step+lookAhead, learnedMembers); ahead++ {
			if m := &l.members[ahead]; m.Stands(in, pos) {
				return m, ahead
			}
		}
	case l.pause > 0:
		l.stay()
	}
	for i := range uint(knownReach) {
		if m := &known[(from+i)%learnedMembers]; m.Stands(in, pos) {
			if l.pause > 0 {
				return m, learnedMembers
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

// place is where in known a member is looked for that begins with the bytes of w. It asks the three behind the first two, which belong to the text of every member whose name is
// not empty; but what begins with } may end there.
func place(w, odd uint64) uint {
	more := w>>6&1 - 1 // all bits; none for }, which has this one
	return uint((w>>16&0xffffff&more)*odd>>24) % learnedMembers
}

// firstPlace is the same in firsts.
func firstPlace(w uint64) uint { return place(w&^0xff, 0x9e3779b97f4a7c15) }

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
	switch {
	case l.pause > 0:
		next = learnedMembers
	case first:
		next = l.of(field)
	}
	if to-from > learnedBytes {
		return &l.other, next
	}
	l.other.set(data[from:to])
	l.know(first)
	switch {
	case l.pause > 0 || step >= learnedMembers-1:
		return &l.other, next
	case !first:
		copy(l.members[step+1:learnedMembers-1], l.members[step:])
	}
	l.members[step] = l.other
	if l.changes++; l.changes > 2*learnedMembers {
		l.wait = min(max(2*l.wait, leastPause), mostPause)
		l.pause = l.wait
		l.members[0] = Member{} // so that every record begins with Find
		return &l.other, learnedMembers
	}
	return &l.other, max(step, next)
}

// stay counts a record that begins in a pause. Behind the last one what is expected is learnt anew.
func (l *Learned) stay() {
	if l.pause--; l.pause == 0 {
		l.members, l.changes = [learnedMembers]Member{}, 0
	}
}

// know makes the other member known, which begins a record or does not.
func (l *Learned) know(first bool) {
	text := ^l.other.words[0]
	known, at := &l.known, place(text, l.odd)
	if first {
		known, at = &l.firsts, firstPlace(text)
	}
	for i := range uint(knownReach) {
		switch m := &known[(at+i)%learnedMembers]; {
		case *m == l.other:
			return
		case m.Size == 0:
			if i == 0 || first || !l.spread() {
				*m = l.other
			}
			return
		}
	}
	if first || !l.spread() {
		known[at] = l.other
	}
}

// spread looks for a number by which what is known and the other member have a place each.
func (l *Learned) spread() bool {
tries:
	for ; l.tries < mostTries; l.tries++ {
		odd := uint64(l.tries)*0xd1342543de82ef95 | 1 // any sequence would do
		var known [learnedMembers]Member
		known[place(^l.other.words[0], odd)] = l.other
		for _, m := range l.known {
			if m.Size == 0 {
				continue
			}
			at := &known[place(^m.words[0], odd)]
			if at.Size != 0 {
				continue tries
			}
			*at = m
		}
		l.known, l.odd = known, odd
		return true
	}
	return false
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
