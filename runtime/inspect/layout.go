package inspect

import (
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/checkpoint"
)

// A layout has a line for the head and one for each piece of the state; package task says how it is written.

// piece is a line of a layout.
type piece struct {
	id    uint32 // as checkpoint.Piece
	stage string
	is    []string
	parts []part // of is, what its bytes are; nil: not known
}

// part is a value of the state: of a key, or what is kept for it.
type part struct {
	key  bool
	kind string // "by", "key"; "count", "sum of", …
	of   string // what it is of: a field, or an expression
	typ  string // of that
	null bool
}

// name is what a dump calls the part.
func (p part) name() string {
	if p.key || p.of == "" {
		return p.of + map[bool]string{true: "", false: p.kind}[p.key]
	}
	return p.kind + " " + p.of
}

// kinds are what may stand behind "keep " and can be read by these words alone.
var kinds = []string{"count of", "count if", "sum of", "min of", "max of", "first of", "last of", "squares of", "moments of", "values of", "different values of",
	"registers of", "buckets of", "first rows by"}

// headNames are the names of what a head holds, in its order.
func headNames(layout string) (names []string) {
	for line := range strings.Lines(layout) {
		if id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); strings.HasPrefix(id, "0.") {
			_, is, _ := strings.Cut(rest, "\t")
			names = append(names, clauses(is)...)
		}
	}
	return names
}

// pieces are those of a layout.
func pieces(layout string) (all []piece) {
	for line := range strings.Lines(layout) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		number, version, _ := strings.Cut(id, ".")
		n, err := strconv.Atoi(number)
		v, err2 := strconv.Atoi(version)
		if err != nil || err2 != nil || n == 0 {
			continue
		}
		stage, is, _ := strings.Cut(rest, "\t")
		is, _, _ = strings.Cut(is, "\t") // behind it stands for how long
		p := piece{id: checkpoint.Piece(n, v), stage: unquoted(stage), is: clauses(is)}
		if p.parts = partsOf(p.is); p.parts != nil && len(is) > 0 && p.is[0] == "dedup in each input" {
			p.parts = append([]part{{key: true, kind: "by", of: "input", typ: "int"}}, p.parts...) // its number
		}
		all = append(all, p)
	}
	return all
}

func partsOf(is []string) []part {
	parts := []part{}
	for _, clause := range is[min(2, len(is)):] {
		p := part{}
		word, rest, _ := strings.Cut(clause, " ")
		if word == "keep" && rest == "count" {
			parts = append(parts, part{kind: rest})
			continue
		}
		rest, p.null = strings.CutSuffix(rest, " or null")
		at := strings.LastIndex(rest, ", ")
		if at < 0 {
			return nil
		}
		p.of, p.typ = rest[:at], rest[at+2:]
		switch word {
		case "by", "key":
			p.key, p.kind, p.of = true, word, unquoted(p.of)
		case "keep":
			for _, kind := range kinds {
				if of, ok := strings.CutPrefix(p.of, kind+" "); ok {
					p.kind, p.of = kind, of
					if i := strings.LastIndex(of, " at most "); i >= 0 && kind == "first rows by" {
						p.of = of[:i]
					}
					break
				}
			}
		}
		if p.kind == "" {
			return nil
		}
		parts = append(parts, p)
	}
	return parts
}

// unquoted is a name that may be in quotes.
func unquoted(name string) string {
	if text, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return text
	}
	return name
}

// clauses takes a line apart; what stands in quotes stays whole.
func clauses(is string) (all []string) {
	quotes := false
	from := 0
	for i := 0; i < len(is); i++ {
		switch {
		case is[i] == '\\' && quotes:
			i++
		case is[i] == '"':
			quotes = !quotes
		case !quotes && strings.HasPrefix(is[i:], "; "):
			all = append(all, is[from:i])
			from = i + 2
		}
	}
	if from < len(is) {
		all = append(all, is[from:])
	}
	return all
}
