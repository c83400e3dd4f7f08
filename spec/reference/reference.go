// Package reference is the reference of the language as data: every word of the schema, the types and constraints of events, the functions of expressions, the
// reasons and counters of a run. spec/REFERENCE.md and `streamwright help WORD` print it. All its examples are executed by a test (golden/reference_test.go).
package reference

import (
	"slices"
	"strconv"
	"strings"
)

// Section is a group of entries that belong together, such as the words of dedup.
type Section struct {
	Title    string   // "dedup"
	About    string   // what they are, in CommonMark
	Where    []string // places in a spec: "pipeline.NAME.stage.NAME.dedup"; of words only
	Examples []string
	Entries  []Entry
}

// Entry is one word, type, constraint, function, aggregate, column, reason or counter.
type Entry struct {
	Name     string // as it is looked up: "horizon", "count_if", "no_id"
	Kind     Kind
	Where    []string // of a word: its places in a spec
	Usage    []string // of a word: type; of a function: the ways of calling it, with types
	Note     string   // of a word: "required" or "optional"; of a reason: where it occurs
	Meaning  string
	Examples []string
	Result   string // of the example of a function: its value, or its fault
	Instead  string // of a refused type: what to write, in CUE; "" where only words help
}

// Kind says what an Entry is.
type Kind string

// The kinds.
const (
	Word       Kind = "word"
	Value      Kind = "type of values"
	FieldType  Kind = "type of fields"
	Constraint Kind = "constraint"
	Refused    Kind = "refused constraint"
	Function   Kind = "function"
	Aggregate  Kind = "aggregate"
	Column     Kind = "column"
	Reason     Kind = "reason"
	Counter    Kind = "counter"
)

// Sections are the whole reference, in the order in which it is read.
func Sections() []Section {
	all := slices.DeleteFunc(words(), func(s Section) bool { return len(s.Entries) == 0 })
	all = append(all, fieldTypes(), constraints(), refused())
	all = append(all, functions()...)
	return append(all, aggregates(), columns(), reasons(), counters())
}

// Find gives the entries that a name or the end of a path stands for: "horizon", "dedup.horizon", "#Dedup", "count_if", "contract:amount".
func Find(sections []Section, name string) []Entry {
	var found []Entry
	stem, _, hasField := strings.Cut(name, ":")
	for _, s := range sections {
		for _, e := range s.Entries {
			entryStem, _, parted := strings.Cut(e.Name, ":")
			switch {
			case e.Name == name, slices.Contains(spellings(e), name), e.Kind == Reason && parted && stem == entryStem && (hasField || stem == name):
				found = append(found, e)
			case slices.ContainsFunc(e.Where, func(path string) bool { return strings.HasSuffix("."+short(path), "."+name) }):
				found = append(found, e)
			}
		}
	}
	return found
}

// OfValue gives the words that take the text value: "update" is one of policy.
func OfValue(sections []Section, value string) []Entry {
	var found []Entry
	for _, s := range sections {
		for _, e := range s.Entries {
			if e.Kind == Word && slices.ContainsFunc(e.Usage, func(u string) bool { return strings.Contains(u, strconv.Quote(value)) }) {
				found = append(found, e)
			}
		}
	}
	return found
}

// Of is the section whose words a word's value has, or nil.
func Of(sections []Section, e Entry) *Section {
	for i, s := range sections {
		if len(s.Where) > 0 && slices.ContainsFunc(e.Usage, func(u string) bool { return strings.Contains(u, s.Title) }) {
			return &sections[i]
		}
	}
	return nil
}

// Names are all names that Find knows, without doubles, in the order of the reference.
func Names(sections []Section) []string {
	var names []string
	for _, s := range sections {
		for _, e := range s.Entries {
			for _, n := range append([]string{e.Name}, spellings(e)...) {
				if e.Kind != Refused && !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
	}
	return names
}

// spellings are other names of an entry: each of "<, <=", a definition without its #, a function without its package, an aggregate with a condition.
func spellings(e Entry) []string {
	var all []string
	if e.Kind == Aggregate {
		for _, usage := range e.Usage {
			if name, _, _ := strings.Cut(usage, "("); name != e.Name && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	if strings.Contains(e.Name, ", ") {
		all = strings.Split(e.Name, ", ")
	}
	for _, prefix := range []string{"spec.#", "spec.", "#", "math."} {
		if rest, ok := strings.CutPrefix(e.Name, prefix); ok && rest != "" {
			all = append(all, rest)
		}
	}
	return all
}

// short is a path without the names that the user gives.
func short(path string) string { return strings.ReplaceAll(path, ".NAME", "") }
