package task

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A line of a layout has three parts, with tabs between them: number and version of a piece of the state, the name of its stage, and what it is, in clauses with "; " between them; perhaps
// a fourth: for how long things are kept. Names and that may change. The first line is that of the head, "0.2": its clauses name what is in it, in the order of the bytes. First come the counters:
//
//	count stage once dropped duplicate
//	seed of piece 1

// headID is number and version of the head.
const headID = "0.2"

// countWords begins a clause that is a counter.
const countWords = "count "

// kindWords are the kinds of counters in a layout: they stay as they are, whatever becomes of the constants.
var kindWords = [counterKinds]string{Records: "records", In: "in", Out: "out", Passed: "passed", Folded: "folded", Side: "side", Dropped: "dropped", Refused: "refused", Skipped: "skipped",
	Made: "made", RowRefused: "row refused", Opened: "opened", Merged: "merged", Closed: "closed", Held: "held", Note: "note"}

// layout is what a commit of the pipeline holds: that of the generated code, with the counters in its head.
func (p Pipeline) layout() string {
	head, rest, _ := strings.Cut(p.Commit.Layout, "\n")
	id, stage, parts := layoutLine(head)
	if id != headID { // of a processor that was written by hand
		return p.Commit.Layout
	}
	var clauses []string
	for i, c := range p.Counters {
		node := "stage"
		if c.Kind == Records || i > 0 && clauses[i-1] != "" && !c.begins() && strings.HasPrefix(clauses[i-1], countWords+"source ") {
			node = "source"
		} else if c.Kind == In && (i+1 == len(p.Counters) || p.Counters[i+1].begins()) {
			node = "sink"
		}
		words := countWords + node + " " + quoted(c.Node) + " " + kindWords[c.Kind]
		if c.Name != kindWords[c.Kind] {
			words += " " + quoted(c.Name)
		}
		for n := 2; slices.Contains(clauses, words); n++ { // no two names are equal, so that none is taken for another
			words = fmt.Sprintf("%s again %d", words, n)
		}
		clauses = append(clauses, words)
	}
	if parts != "" {
		clauses = append(clauses, parts)
	}
	return id + "\t" + stage + "\t" + strings.Join(clauses, "; ") + "\n" + rest
}

// quoted is a name in a layout, as the generator writes names of stages.
func quoted(name string) string {
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// Reads says whether a processor of this layout can read the state of a commit of another one. The error names what has changed.
func (c *Commit) Reads(layout string) error {
	known := map[string]string{}
	newest := map[string]string{} // version of a piece in Layout, by its number
	for line := range strings.Lines(c.Layout + c.Earlier) {
		id, _, is := layoutLine(line)
		known[id] = is
		if number, version, _ := strings.Cut(id, "."); newest[number] == "" {
			newest[number] = version
		}
	}
	var all []error
	for line := range strings.Lines(layout) {
		id, stage, was := layoutLine(line)
		is, ok := known[id]
		number, version, _ := strings.Cut(id, ".")
		switch {
		case ok && (is == was || number == "0"): // what is in a head is found by its names
		case number == "0":
			all = append(all, fmt.Errorf("the commit is of another version of streamwright: its head has the form %s, and this processor reads the form %s", version, newest[number]))
		case ok:
			all = append(all, fmt.Errorf("stage %s: %s; it was generated without the state.lock that belongs to the commit", stage, changed(was, is)))
		case newest[number] == "":
			all = append(all, fmt.Errorf("stage %s: this processor knows nothing of it; the commit has %s", stage, was))
		default:
			all = append(all, fmt.Errorf("stage %s: the commit has version %s of its state (%s), and this processor, of version %s, was not generated to read it: state.lock has no such block",
				stage, version, was, newest[number]))
		}
	}
	return errors.Join(all...)
}

// otherPieces says whether commits of two layouts have pieces of other versions, or of stages that only one has, or that are kept for another time.
func otherPieces(was, is string) bool {
	ids := func(layout string) (all []string) {
		for line := range strings.Lines(layout) {
			parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			all = append(all, parts[0]+" "+strings.Join(parts[min(3, len(parts)):], " "))
		}
		slices.Sort(all)
		return all
	}
	return !slices.Equal(ids(was), ids(is))
}

func layoutLine(line string) (id, stage, is string) {
	id, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
	stage, is, _ = strings.Cut(rest, "\t")
	is, _, _ = strings.Cut(is, "\t")
	return id, stage, is
}

// becomes says what this processor makes of the pieces of a commit of another layout, for people. Lines of Earlier have a fourth part for that: "migrate", "add", "reset", or "gone".
func (c *Commit) becomes(layout string) (notes []string) {
	now := map[string]string{} // names of stages, by the number of their piece
	for line := range strings.Lines(c.Layout) {
		id, stage, _ := layoutLine(line)
		number, _, _ := strings.Cut(id, ".")
		now[number] = stage
	}
	words := map[string]string{}
	for line := range strings.Lines(c.Earlier) {
		id, _, _ := layoutLine(line)
		words[id] = line[strings.LastIndex(line, "\t")+1 : len(line)-1]
	}
	for line := range strings.Lines(layout) {
		id, stage, _ := layoutLine(line)
		number, _, _ := strings.Cut(id, ".")
		if is := now[number]; is != "" {
			stage = is
		}
		if word, ok := words[id]; ok {
			notes = append(notes, fmt.Sprintf("stage %s: %s", stage, map[string]string{
				"migrate": "what was committed is converted",
				"add":     "what is new in it starts empty, and rows that lack what came before say partial: true",
				"reset":   "it starts empty, and what it kept is dropped",
				"gone":    "it is not in the spec any more, and what it kept is dropped",
			}[word]))
		}
	}
	return notes
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

// changed names the clauses of which only one of two descriptions has some.
func changed(was, is string) string {
	only := func(a, b string) string {
		var some []string
		for _, clause := range clauses(a) {
			if !slices.Contains(clauses(b), clause) {
				some = append(some, clause)
			}
		}
		if len(some) == 0 {
			return "nothing that the other has not"
		}
		return strings.Join(some, "; ")
	}
	return fmt.Sprintf("the commit has %s; this processor has %s", only(was, is), only(is, was))
}
