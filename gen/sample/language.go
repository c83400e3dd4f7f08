package sample

import (
	"errors"
	"math/bits"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// language is a set of texts: those that match all of some RE2 patterns and none of others, of a length within bounds. It is a deterministic automaton over
// classes of characters, made by the subset construction (Rabin and Scott, Finite Automata and Their Decision Problems, 1959) from the programs of
// regexp/syntax, one for each pattern, and their product. So every combination of patterns is exact: each text can be made, and whether there is any is known.
type language struct {
	classes  []class
	next     [][]int32  // by state and class; none where no text goes on
	counts   [][]uint64 // by length and state: the texts from there to an end, of the classes' faces; saturated at many
	shortest int        // characters; the longest that is made has len(counts)-1
	ids      uint64     // of the shortest texts: so many are given numbers by at
	scramble uint64     // relatively prime to ids
}

// class is a set of characters that no pattern tells apart.
type class struct {
	ranges []rune // pairs, first and last
	faces  []rune // those that texts are made of: letters and digits where the class has some
}

const (
	none      = -1
	many      = 1 << 62
	enough    = 1 << 40 // ids
	mostState = 5000    // states; above, a language is refused
	mostCount = 1 << 23 // counts; above, a language is refused
	variety   = 16      // characters that a text may be longer than the shortest one
)

var (
	errEmpty = errors.New("no text does")
	errLarge = errors.New("they need too large an automaton: use simpler patterns")
)

// newLanguage makes the language of the texts of least to most characters that match all of matches and none of avoids. The error is errEmpty or errLarge.
func newLanguage(matches, avoids []string, least, most int) (*language, error) {
	var parts []*matcher
	for i, pattern := range append(slices.Clone(matches), avoids...) {
		m, err := newMatcher(pattern)
		if err != nil {
			return nil, err
		}
		m.avoid = i >= len(matches)
		parts = append(parts, m)
	}
	l := &language{classes: partition(parts)}
	ends, err := l.multiply(parts)
	if err != nil {
		return nil, err
	}
	l.trim(ends)
	return l, l.measure(ends, least, most)
}

// multiply explores the product of the parts, and says in which states texts may end.
func (l *language) multiply(parts []*matcher) (ends []bool, err error) {
	known := map[string]int32{}
	var states [][]int32
	add := func(state []int32) int32 {
		key := make([]byte, 0, 4*len(state))
		for _, s := range state {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		n, ok := known[string(key)]
		if !ok {
			n = int32(len(states))
			known[string(key)] = n
			states = append(states, state)
		}
		return n
	}
	start := make([]int32, len(parts))
	for i := range parts {
		start[i] = begin
	}
	add(start)
	for s := 0; s < len(states); s++ {
		if len(states) > mostState {
			return nil, errLarge
		}
		row := make([]int32, len(l.classes))
	classes:
		for c, class := range l.classes {
			row[c] = none
			to := make([]int32, len(parts))
			for i, m := range parts {
				to[i] = m.step(states[s][i], class.ranges[0])
				if to[i] == lost && !m.avoid || to[i] == matched && m.avoid {
					continue classes
				}
			}
			row[c] = add(to)
		}
		l.next = append(l.next, row)
		end := true
		for i, m := range parts {
			end = end && m.ends(states[s][i]) != m.avoid
		}
		ends = append(ends, end)
	}
	return ends, nil
}

// trim takes out the ways from which no end is reached.
func (l *language) trim(ends []bool) {
	before := make([][]int32, len(l.next))
	var reach []int32
	live := slices.Clone(ends)
	for s, row := range l.next {
		for _, to := range row {
			if to != none {
				before[to] = append(before[to], int32(s))
			}
		}
		if live[s] {
			reach = append(reach, int32(s))
		}
	}
	for len(reach) > 0 {
		s := reach[len(reach)-1]
		reach = reach[:len(reach)-1]
		for _, b := range before[s] {
			if !live[b] {
				live[b] = true
				reach = append(reach, b)
			}
		}
	}
	for _, row := range l.next {
		for c, to := range row {
			if to != none && !live[to] {
				row[c] = none
			}
		}
	}
}

// measure counts the texts of each length. A language that has a text of at least that many characters has one that is at most as many longer as there are
// states: what lies between two visits of one state can be left out.
func (l *language) measure(ends []bool, least, most int) error {
	l.shortest = -1
	for k := 0; k <= most; k++ {
		switch {
		case l.shortest >= 0 && k > l.shortest+variety:
			return l.number()
		case l.shortest < 0 && k > least+len(l.next):
			return errEmpty
		case (k+1)*len(l.next) > mostCount:
			if l.shortest >= 0 {
				return l.number()
			}
			return errLarge
		}
		row := make([]uint64, len(l.next))
		alive := false
		for s := range row {
			if k == 0 {
				if ends[s] {
					row[s] = 1
				}
			} else {
				for c, to := range l.next[s] {
					if to != none {
						row[s] = plus(row[s], times(uint64(len(l.classes[c].faces)), l.counts[k-1][to]))
					}
				}
			}
			alive = alive || row[s] > 0
		}
		l.counts = append(l.counts, row)
		if l.shortest < 0 && k >= least && row[0] > 0 {
			l.shortest = k
		}
		if !alive {
			break
		}
	}
	if l.shortest < 0 {
		return errEmpty
	}
	return l.number()
}

// number settles how many texts have a number.
func (l *language) number() error {
	for k := l.shortest; k < len(l.counts) && l.ids < enough; k++ {
		l.ids = plus(l.ids, l.counts[k][0])
	}
	l.scramble = uint64(float64(l.ids) * 0.6180339887) // the golden section spreads neighbours
	for gcd(l.scramble, l.ids) != 1 {
		l.scramble++
	}
	return nil
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func plus(a, b uint64) uint64 { return min(a+b, many) }

func times(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return min(low, many)
	}
	return many
}

func (l *language) count() uint64 { return l.ids }

// at appends text i of count, each a different one.
func (l *language) at(dst []byte, i uint64) []byte {
	high, low := bits.Mul64(i, l.scramble)
	_, i = bits.Div64(high, low, l.ids) // i < ids, so high < ids
	k := l.shortest
	for i >= l.counts[k][0] {
		i -= l.counts[k][0]
		k++
	}
	s := 0
	for number := i; k > 0; k-- {
		c, face := l.turn(s, k, &number)
		dst = utf8.AppendRune(dst, l.classes[c].faces[face])
		s = int(l.next[s][c])
	}
	return dst
}

// turn is the next character of the text with a number among those from state s with k characters; the number becomes that of its rest. Where the rest can
// carry the whole number, any way will do, and a scattered one looks better than the first.
func (l *language) turn(s, k int, number *uint64) (c int, face uint64) {
	wide := uint64(0)
	for c, to := range l.next[s] {
		if to != none && l.counts[k-1][to] == many {
			wide += uint64(len(l.classes[c].faces))
		}
	}
	if wide > 0 {
		at := scatter(*number+uint64(k)) % wide
		for c, to := range l.next[s] {
			if to != none && l.counts[k-1][to] == many {
				if n := uint64(len(l.classes[c].faces)); at >= n {
					at -= n
				} else {
					return c, at
				}
			}
		}
	}
	for c, to := range l.next[s] {
		if to == none || l.counts[k-1][to] == 0 {
			continue
		}
		rest, faces := l.counts[k-1][to], uint64(len(l.classes[c].faces))
		if *number/rest < faces {
			face = *number / rest
			*number %= rest
			return c, face
		}
		*number -= rest * faces
	}
	panic("sample: a text has no such number")
}

// scatter is the last step of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
func scatter(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// draw appends any text. One in sixteen has characters that are rare.
func (l *language) draw(dst []byte, d *dice) []byte {
	k := l.shortest
	for n, seen := l.shortest, 0; n < len(l.counts); n++ { // each length that there is equally often
		if l.counts[n][0] > 0 {
			if seen++; d.IntN(seen) == 0 {
				k = n
			}
		}
	}
	wild := d.IntN(16) == 0
	for s := 0; k > 0; k-- {
		chosen, weight := none, 0
		for c, to := range l.next[s] {
			if to != none && l.counts[k-1][to] > 0 {
				n := len(l.classes[c].faces)
				if weight += n; d.IntN(weight) < n {
					chosen = c
				}
			}
		}
		class := &l.classes[chosen]
		r := class.faces[d.IntN(len(class.faces))]
		if wild && d.IntN(3) == 0 {
			i := 2 * d.IntN(len(class.ranges)/2)
			r = class.ranges[i] + d.Int32N(class.ranges[i+1]-class.ranges[i]+1)
		}
		dst = utf8.AppendRune(dst, r)
		s = int(l.next[s][chosen])
	}
	return dst
}

// partition divides all characters into classes.
func partition(parts []*matcher) []class {
	cuts := []rune{0, 0xd800, 0xe000} // halves of surrogate pairs are no characters
	var sets []*syntax.Inst
	looks := false
	for _, m := range parts {
		looks = looks || m.looks
		for i := range m.prog.Inst {
			inst := &m.prog.Inst[i]
			switch inst.Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			default:
				continue
			}
			if slices.ContainsFunc(sets, func(s *syntax.Inst) bool { return s.Arg == inst.Arg && slices.Equal(s.Rune, inst.Rune) }) {
				continue
			}
			sets = append(sets, inst)
			if len(inst.Rune) == 1 {
				for r := inst.Rune[0]; ; {
					cuts = append(cuts, r, r+1)
					if r = unicode.SimpleFold(r); r == inst.Rune[0] || syntax.Flags(inst.Arg)&syntax.FoldCase == 0 {
						break
					}
				}
				continue
			}
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				cuts = append(cuts, inst.Rune[i], inst.Rune[i+1]+1)
			}
		}
	}
	if looks {
		cuts = append(cuts, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
	}
	slices.Sort(cuts)
	cuts = append(slices.Compact(cuts), unicode.MaxRune+1)
	var classes []class
	known := map[string]int{}
	for i, first := range cuts {
		if 0xd800 <= first && first < 0xe000 || first > unicode.MaxRune {
			continue
		}
		key := make([]byte, 0, len(sets)+1)
		for _, set := range sets {
			in := byte('-')
			if set.MatchRune(first) {
				in = '+'
			}
			key = append(key, in)
		}
		if looks {
			key = append(key, byte(kindOf(first)))
		}
		n, ok := known[string(key)]
		if !ok {
			n = len(classes)
			known[string(key)] = n
			classes = append(classes, class{})
		}
		classes[n].ranges = append(classes[n].ranges, first, cuts[i+1]-1)
	}
	for i := range classes {
		classes[i].show()
	}
	return classes
}

// show chooses the faces of a class.
func (c *class) show() {
	pick := func(allowed func(rune) bool) bool {
		for i := 0; i < len(c.ranges); i += 2 {
			for r := c.ranges[i]; r <= c.ranges[i+1] && len(c.faces) < 96; r++ {
				if allowed(r) {
					c.faces = append(c.faces, r)
				}
			}
		}
		return len(c.faces) > 0
	}
	_ = pick(func(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' }) ||
		pick(func(r rune) bool { return ' ' <= r && r <= '~' }) || pick(unicode.IsPrint) || pick(func(rune) bool { return true })
}

// matcher is the automaton of one pattern, made state by state as it is used.
type matcher struct {
	prog     *syntax.Prog
	avoid    bool
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

// The numbers of states.
const (
	matched int32 = 0    // whatever follows, the text matches
	begin   int32 = 1    // before the first character
	lost    int32 = none // whatever follows, it does not
)

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
	for _, inst := range prog.Inst {
		m.looks = m.looks || inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0
	}
	m.states = []state{{}, {last: -1}}
	m.steps = []map[rune]int32{nil, {}}
	return m, nil
}

// step is the state after the character r in state s.
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

// ends says whether a text that stops in state s matches.
func (m *matcher) ends(s int32) bool {
	return s == matched || s != lost && m.closure(s, -1, func(uint32) {})
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
