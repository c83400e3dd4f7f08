package watermark

import (
	"encoding/binary"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Inputs is the watermark of a task with several inputs: the least of those of the inputs that are active, made monotone. An input is a source, or a file of one that has a partition for
// each file. Inputs are known by number; which input a number is, is part of a commit, so that state may name it.
type Inputs struct {
	Input []Member
	More  bool  // there may be others later: it has not ended when those that are there have; no part of the state
	Value int64 // the watermark of the task
	Steps int64 // that it has made without a record: they stand between records, and what they make has an order among what records make

	bounds []int64 // of the sources
	others int64   // the least watermark of the active inputs but the one that is read
}

// Member is one input. Source, Highest, Value, Idle and Ended are its state.
type Member struct {
	Input
	Source int  // place in the spec, from 0
	Rank   int  // place among all inputs, for ties: by source, then by name
	Idle   bool // nothing has come for a while: the others go on without it
	Ended  bool // nothing will come
	Moved  bool // a record has moved it since the caller has last looked; no part of the state
}

// NewInputs is the watermark of a task whose sources have these bounds; it has no input yet.
func NewInputs(bounds ...int64) Inputs { return Inputs{Value: stream.Never, bounds: bounds} }

// Add adds an input of a source, that has had no record, and gives its number.
func (s *Inputs) Add(source int) int {
	s.Input = append(s.Input, Member{Input: New(s.bounds[source]), Source: source, Rank: len(s.Input)})
	return len(s.Input) - 1
}

// Read is the input whose records are read next.
func (s *Inputs) Read(input int) *Member {
	s.others = s.least(input)
	return &s.Input[input]
}

// Observe takes the event time of a record of the input that is read, and returns the watermark behind it.
func (s *Inputs) Observe(m *Member, t int64) int64 {
	m.Observe(t)
	m.Idle, m.Moved = false, true
	s.Value = max(s.Value, min(s.others, m.Value))
	return s.Value
}

// Least is the watermark that the active inputs allow, never below Value. When all are idle it stays; when all have ended it is stream.Always.
func (s *Inputs) Least() int64 {
	active, ended := false, !s.More
	for i := range s.Input {
		m := &s.Input[i]
		active, ended = active || !m.Idle && !m.Ended, ended && m.Ended
	}
	switch {
	case active: // perhaps at stream.Always, when a record was of the last instant that there is
		return max(s.Value, s.least(-1))
	case ended:
		return stream.Always
	}
	return s.Value
}

// AllIdle says whether nobody is active, and somebody may be again.
func (s *Inputs) AllIdle() bool {
	idle := false
	for i := range s.Input {
		m := &s.Input[i]
		if !m.Idle && !m.Ended {
			return false
		}
		idle = idle || !m.Ended
	}
	return idle
}

// least is the least watermark of the active inputs but one; stream.Always if there is none.
func (s *Inputs) least(but int) int64 {
	w := stream.Always
	for i := range s.Input {
		if m := &s.Input[i]; i != but && !m.Idle && !m.Ended {
			w = min(w, m.Value)
		}
	}
	return w
}

// Next is the input to take the next record from, of those that have one: the one that is furthest behind by the highest event time it has seen, of equal ones the first in rank. Records
// are taken from it as long as that is not above until. input is -1 if none has a record.
func (s *Inputs) Next(has func(input int) bool) (input int, until int64) {
	input, second := -1, -1
	before := func(a, b int) bool {
		x, y := &s.Input[a], &s.Input[b]
		return x.Highest < y.Highest || x.Highest == y.Highest && x.Rank < y.Rank
	}
	for i := range s.Input {
		switch {
		case s.Input[i].Ended || !has(i):
		case input < 0 || before(i, input):
			input, second = i, input
		case second < 0 || before(i, second):
			second = i
		}
	}
	if second < 0 {
		return input, stream.Always
	}
	until = s.Input[second].Highest
	if s.Input[second].Rank < s.Input[input].Rank { // it comes first when they are equal
		until--
	}
	return input, until
}

// Reset forgets what was observed; the inputs stay.
func (s *Inputs) Reset() {
	s.Value, s.Steps = stream.Never, 0
	for i := range s.Input {
		m := &s.Input[i]
		m.Input.Reset()
		m.Idle, m.Ended, m.Moved = false, false, false
	}
}

// States of an input in a commit.
const (
	idle  = 1
	ended = 2
)

// AppendInputs appends the state: Value, Steps, and for each input source, highest event time, watermark, and whether it is idle (1) or has ended (2), all as signed numbers in base 128.
func AppendInputs(dst []byte, s *Inputs) []byte {
	dst = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(dst, s.Value), s.Steps), int64(len(s.Input)))
	for i := range s.Input {
		m := &s.Input[i]
		state := int64(0)
		if m.Idle {
			state |= idle
		}
		if m.Ended {
			state |= ended
		}
		for _, n := range [...]int64{int64(m.Source), m.Highest, m.Input.Value, state} {
			dst = binary.AppendVarint(dst, n)
		}
	}
	return dst
}

// Restore reads what AppendInputs wrote, number by number, and says whether that can be it.
func (s *Inputs) Restore(number func() int64) (ok bool) {
	s.Value, s.Steps, s.Input = number(), number(), s.Input[:0]
	n := number()
	if n < 0 || n > most {
		return false
	}
	for range n {
		source := number()
		if source < 0 || source >= int64(len(s.bounds)) {
			return false
		}
		m := &s.Input[s.Add(int(source))]
		m.Highest, m.Input.Value = number(), number()
		state := number()
		m.Idle, m.Ended = state&idle != 0, state&ended != 0
	}
	return true
}

// most is more inputs than any task has.
const most = 1 << 20
