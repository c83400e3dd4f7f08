package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// layouts is the constant that says what commits of the processor hold. Restore reads no others: the head has counters and seeds by their place, so they are part of it.
func layouts(l *plan.Pipeline) string {
	var now []*plan.Layout
	for _, s := range pieces(l) {
		now = append(now, s.Layout)
	}
	var head []string
	for _, c := range l.Counters {
		head = append(head, fmt.Sprintf("counts %s %s %s", plan.Quoted(c.Node), c.Kind, plan.Quoted(c.Name)))
	}
	for _, s := range l.Stages {
		if s.Layout != nil {
			head = append(head, fmt.Sprintf("seed of piece %d", s.Layout.Number))
		}
		if s.Dedup != nil && s.Full != "" {
			head = append(head, fmt.Sprintf("census of piece %d", s.Layout.Number))
		}
	}
	lines := []string{fmt.Sprintf("%q", "0.1\thead\t"+strings.Join(head, "; ")+"\n")}
	for _, y := range now {
		lines = append(lines, fmt.Sprintf("%q", y.Line()+"\n"))
	}
	return "// Layout of commits: for the head and each piece of the state its number and version, its stage, and what it is.\nconst " + l.LayoutText + " = " + strings.Join(lines, " +\n\t")
}
