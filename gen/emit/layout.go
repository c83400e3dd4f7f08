package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// layouts is the constant that says what commits of the processor hold: the parts of the head, then each piece of the state. Package task adds the counters to the head.
func layouts(l *plan.Pipeline) string {
	var head []string
	for _, part := range headParts(l) {
		head = append(head, part.name)
	}
	lines := []string{fmt.Sprintf("%q", headVersion+"\thead\t"+strings.Join(head, "; ")+"\n")}
	for _, s := range pieces(l) {
		lines = append(lines, fmt.Sprintf("%q", s.Layout.Current()+"\n"))
	}
	return "// Layout of commits: the parts of the head, and for each piece of the state its number and version, its stage, and what it is.\nconst " +
		l.LayoutText + " = " + strings.Join(lines, " +\n\t")
}

// headVersion is piece and version of the head: how its bytes are to be read. Package task knows it, too.
const headVersion = "0.2"
