package task

import (
	"errors"
	"fmt"
	"strings"
)

// A line of a layout has three parts, with tabs between them: number and version of a piece of the state, the name of its stage, and what it is. Names may change.

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
		case ok && is == was:
		case ok:
			all = append(all, fmt.Errorf("stage %s: %s", stage, changed(was, is)))
		case newest[number] == "":
			all = append(all, fmt.Errorf("stage %s: this processor knows nothing of it; the commit has %s", stage, was))
		default:
			all = append(all, fmt.Errorf("stage %s: the commit has version %s of its state (%s), and this processor, of version %s, was not generated to read it: state.lock has no such block",
				stage, version, was, newest[number]))
		}
	}
	return errors.Join(all...)
}

func layoutLine(line string) (id, stage, is string) {
	id, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
	stage, is, _ = strings.Cut(rest, "\t")
	return id, stage, is
}

// changed names the clauses of which only one of two descriptions has some.
func changed(was, is string) string {
	only := func(a, b string) string {
		var some []string
		for _, clause := range strings.Split(a, "; ") {
			if !strings.Contains("; "+b+"; ", "; "+clause+"; ") {
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
