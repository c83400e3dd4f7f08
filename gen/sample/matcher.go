package sample

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// matcher is the automaton of the texts that match an RE2 pattern. It is made state by state as it is used, by the subset construction (Rabin and Scott, Finite
// Automata and Their Decision Problems, 1959) from the pattern's program.
type matcher struct {
	prog     *syntax.Prog
	sets     []*syntax.Inst      // the different ones that look at a character
	anchored bool                // the pattern can only match at the beginning
	looks    bool                // it looks at lines or words around a place
	states   []state             // from begin on
	known    map[string]int32    // states by their content
	steps    []map[rune]int32    // by state and first character of a class
	stack    []uint32            // of closure
	seen     map[uint32]struct{} // of closure
}

// state is what a matcher knows after some characters: where in the program it may be, and what kind of character was last.
type state struct {
	pcs  []uint32 // sorted
	last rune     // stands for its kind
}

func newMatcher(pattern string) (*matcher, error) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	m := &matcher{prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0, known: map[string]int32{}, seen: map[uint32]struct{}{}}
	for i := range prog.Inst {
		switch inst := &prog.Inst[i]; inst.Op {
		case syntax.InstEmptyWidth:
			m.looks = m.looks || syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if !slices.ContainsFunc(m.sets, func(s *syntax.Inst) bool { return s.Arg == inst.Arg && slices.Equal(s.Rune, inst.Rune) }) {
				m.sets = append(m.sets, inst)
			}
		}
	}
	m.states = []state{{}, {last: -1}}
	m.steps = []map[rune]int32{nil, {}}
	return m, nil
}

func (m *matcher) step(s int32, r rune) int32 {
	if s == matched || s == lost {
		return s
	}
	to, ok := m.steps[s][r]
	if !ok {
		to = m.follow(s, r)
		m.steps[s][r] = to
	}
	return to
}

func (m *matcher) follow(s int32, r rune) int32 {
	var pcs []uint32
	hit := m.closure(s, r, func(pc uint32) {
		if inst := &m.prog.Inst[pc]; inst.MatchRune(r) {
			pcs = append(pcs, inst.Out)
		}
	})
	if hit {
		return matched
	}
	if len(pcs) == 0 && m.anchored {
		return lost
	}
	slices.Sort(pcs)
	st := state{pcs: slices.Compact(pcs), last: ' '}
	if m.looks {
		st.last = kindOf(r)
	}
	key := []byte{byte(st.last)}
	for _, pc := range st.pcs {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16), byte(pc>>24))
	}
	n, ok := m.known[string(key)]
	if !ok {
		n = int32(len(m.states))
		m.known[string(key)] = n
		m.states = append(m.states, st)
		m.steps = append(m.steps, map[rune]int32{})
	}
	return n
}

func (m *matcher) ends(s int32) bool {
	return s == matched || s != lost && m.closure(s, -1, func(uint32) {})
}

func (m *matcher) cuts(dst []rune) []rune {
	for _, set := range m.sets {
		if len(set.Rune) == 1 {
			for r := set.Rune[0]; ; {
				dst = append(dst, r, r+1)
				if r = unicode.SimpleFold(r); r == set.Rune[0] || syntax.Flags(set.Arg)&syntax.FoldCase == 0 {
					break
				}
			}
			continue
		}
		for i := 0; i+1 < len(set.Rune); i += 2 {
			dst = append(dst, set.Rune[i], set.Rune[i+1]+1)
		}
	}
	if m.looks {
		dst = append(dst, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
	}
	return dst
}

func (m *matcher) tell(key []byte, r rune) []byte {
	for _, set := range m.sets {
		in := byte('-')
		if set.MatchRune(r) {
			in = '+'
		}
		key = append(key, in)
	}
	if m.looks {
		key = append(key, byte(kindOf(r)))
	}
	return key
}

// closure visits the instructions that look at the next character r, -1 for the end, and says whether the pattern has matched before it.
func (m *matcher) closure(s int32, r rune, visit func(pc uint32)) (hit bool) {
	st := &m.states[s]
	given := syntax.EmptyOpContext(st.last, r)
	clear(m.seen)
	m.stack = append(m.stack[:0], st.pcs...)
	if s == begin || !m.anchored {
		m.stack = append(m.stack, uint32(m.prog.Start))
	}
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if _, ok := m.seen[pc]; ok {
			continue
		}
		m.seen[pc] = struct{}{}
		switch inst := &m.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			m.stack = append(m.stack, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^given == 0 {
				m.stack = append(m.stack, inst.Out)
			}
		case syntax.InstMatch:
			hit = true
		case syntax.InstFail:
		default:
			visit(pc)
		}
	}
	return hit
}

// kindOf is a character that is to line ends and words what r is.
func kindOf(r rune) rune {
	switch {
	case r == '\n':
		return '\n'
	case syntax.IsWordChar(r):
		return 'w'
	}
	return ' '
}
