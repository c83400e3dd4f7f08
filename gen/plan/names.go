package plan

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// All Go identifiers of generated code are made in this file. Spec text is arbitrary, so the way to a name is a mangling that always gives an identifier,
// and a scope that tells two equal results apart: who comes first in the spec keeps the plain name, the next gets _2, _3, …

// scope hands out each name once.
type scope struct{ taken map[string]bool }

// newScope is a scope in which the given names are already taken, and everything that a Go file must not redeclare.
func newScope(taken ...string) *scope {
	s := &scope{taken: map[string]bool{}}
	for _, name := range types.Universe.Names() {
		s.taken[name] = true
	}
	s.take(taken...)
	return s
}

// take reserves names.
func (s *scope) take(names ...string) {
	for _, name := range names {
		s.taken[name] = true
	}
}

// unique takes name, or the first of name_2, name_3, … that is free.
func (s *scope) unique(name string) string {
	free := name
	if token.IsKeyword(name) {
		free = name + "_"
	}
	for i := 2; s.taken[free]; i++ {
		free = fmt.Sprintf("%s_%d", name, i)
	}
	s.taken[free] = true
	return free
}

// first takes the first of names that is free, else the last one made unique.
func (s *scope) first(names ...string) string {
	for _, name := range names {
		if !s.taken[name] {
			return s.unique(name)
		}
	}
	return s.unique(names[len(names)-1])
}

// exported mangles text to an exported Go identifier: user_id becomes UserID, 1st X1st, 名前 X名前, +1 X1.
func exported(text string) string {
	var b strings.Builder
	for _, word := range words(text) {
		if initialisms[strings.ToUpper(word)] && strings.ToLower(word) == word {
			b.WriteString(strings.ToUpper(word))
			continue
		}
		r, n := utf8.DecodeRuneInString(word)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(word[n:])
	}
	name := b.String()
	if name == "" {
		for _, r := range text {
			fmt.Fprintf(&b, "%X", r)
		}
		return "X" + b.String()
	}
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		return "X" + name
	}
	return name
}

// unexported mangles text to a Go identifier that begins in lower case: late_orders becomes lateOrders, ID id, 1st x1st.
func unexported(text string) string {
	name := exported(text)
	upper := 0
	for _, r := range name {
		if !unicode.IsUpper(r) {
			break
		}
		upper++
	}
	runes := []rune(name)
	if upper > 1 && upper < len(runes) && unicode.IsLower(runes[upper]) {
		upper-- // the last capital begins the next word: IDOrder is idOrder
	}
	for i := range upper {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// words splits text at everything that no identifier can hold.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]bool{"ID": true, "URL": true, "URI": true, "IP": true, "HTTP": true, "API": true, "UUID": true, "JSON": true, "SQL": true, "TTL": true}
