package sample

import (
	"errors"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// language is a set of texts: those that keep some rules, of a length within bounds. It is a deterministic automaton over classes of characters: the product of
// the rules' automata (Rabin and Scott, Finite Automata and Their Decision Problems, 1959). So every combination of rules is exact: each text can be made, and
// whether there is any is known.
type language struct {
	classes  []class
	next     [][]int32  // by state and class; none where no text goes on
	counts   [][]uint64 // by length and state: the texts from there to an end, of the classes' faces; saturated at many
	shortest int        // characters; the longest that is made has len(counts)-1
	ids      uint64     // of the shortest texts: so many are given numbers by at
	scramble uint64     // relatively prime to ids
}

// class is a set of characters that no rule tells apart.
type class struct {
	ranges []rune // pairs, first and last
	faces  []rune // those that texts are made of, at most mostFaces
}

// rule says that texts are of the set of an automaton, or that they are not.
type rule struct {
	automaton
	avoid bool
}

// automaton is a set of texts. Its states have numbers; some of them have names.
type automaton interface {
	// step is the state after the character r in state s.
	step(s int32, r rune) int32
	// ends says whether a text that stops in state s is of the set.
	ends(s int32) bool
	// cuts appends the characters from which on others may mean something else.
	cuts(dst []rune) []rune
	// tell appends to a key all that the automaton can tell of r: characters of one key are one to it.
	tell(key []byte, r rune) []byte
}

// The numbers of states.
const (
	matched int32 = 0    // whatever follows, the text is of the set
	begin   int32 = 1    // before the first character
	lost    int32 = none // whatever follows, it is not
)

// alphabet is the characters that texts may have, 0 to last, and what they are made of: the first of the choices that a class has any of.
type alphabet struct {
	last    rune
	choices []func(rune) bool
}

var (
	// characters are those of strings: letters and digits where there is a choice.
	characters = alphabet{unicode.MaxRune, []func(rune) bool{
		func(r rune) bool { return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' },
		func(r rune) bool { return ' ' <= r && r <= '~' },
		unicode.IsPrint,
		func(rune) bool { return true },
	}}
	// octetCharacters stand for bytes: each for that of its number.
	octetCharacters = alphabet{0xff, []func(rune) bool{func(rune) bool { return true }}}
)

const (
	none      = -1
	many      = 1 << 62
	enough    = 1 << 40 // ids
	mostState = 5000    // states; above, a language is refused
	mostCount = 1 << 23 // counts; above, a language is refused
	mostFaces = 256     // of a class: all bytes
	variety   = 16      // characters that a text may be longer than the shortest one
)

var (
	errEmpty = errors.New("no text does")
	errLarge = errors.New("they need too large an automaton: use simpler patterns")
)

// newLanguage makes the language of the texts of least to most characters that keep the rules. The error is errEmpty or errLarge.
func newLanguage(of alphabet, rules []rule, least, most int) (*language, error) {
	l := &language{classes: partition(of, rules)}
	ends, err := l.multiply(rules)
	if err != nil {
		return nil, err
	}
	l.trim(ends)
	return l, l.measure(ends, least, most)
}

// multiply explores the product of the rules, and says in which states texts may end.
func (l *language) multiply(rules []rule) (ends []bool, err error) {
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
	start := make([]int32, len(rules))
	for i := range rules {
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
			to := make([]int32, len(rules))
			for i, m := range rules {
				to[i] = m.step(states[s][i], class.ranges[0])
				if to[i] == lost && !m.avoid || to[i] == matched && m.avoid {
					continue classes
				}
			}
			row[c] = add(to)
		}
		l.next = append(l.next, row)
		end := true
		for i, m := range rules {
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

// partition divides the characters into classes.
func partition(of alphabet, rules []rule) []class {
	cuts := []rune{0, 0xd800, 0xe000} // halves of surrogate pairs are no characters
	for _, r := range rules {
		cuts = r.cuts(cuts)
	}
	slices.Sort(cuts)
	cuts = slices.DeleteFunc(slices.Compact(cuts), func(r rune) bool { return r > of.last })
	cuts = append(cuts, of.last+1)
	var classes []class
	known := map[string]int{}
	var key []byte
	for i, first := range cuts[:len(cuts)-1] {
		if 0xd800 <= first && first < 0xe000 {
			continue
		}
		key = key[:0]
		for _, r := range rules {
			key = r.tell(key, first)
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
		classes[i].show(of)
	}
	return classes
}

// show chooses the faces of a class.
func (c *class) show(of alphabet) {
	for _, choice := range of.choices {
		for i := 0; i < len(c.ranges); i += 2 {
			for r := c.ranges[i]; r <= c.ranges[i+1] && len(c.faces) < mostFaces; r++ {
				if choice(r) {
					c.faces = append(c.faces, r)
				}
			}
		}
		if len(c.faces) > 0 {
			return
		}
	}
}
