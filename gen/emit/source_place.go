package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// sourcePlace is the task.Source of a pipeline: what its runner needs to know of the place it reads.
func sourcePlace(l *plan.Pipeline) string {
	var b strings.Builder
	s := l.Source.Spec
	fmt.Fprintf(&b, "{Name: %q, Path: %q, MaxRecord: %s", s.Name, s.Path, l.Source.Max)
	if s.Packed != "" {
		fmt.Fprintf(&b, ", Unpack: %s.Open", s.Packed)
	}
	if s.Format == "csv" {
		names := make([]string, len(l.Source.Leaves))
		for i, leaf := range l.Source.Leaves {
			names[i] = fmt.Sprintf("%q", leaf.Path)
		}
		fmt.Fprintf(&b, ", Columns: []string{%s}", join(names))
	}
	if s.Follow {
		b.WriteString(", Follow: true")
	}
	if s.Rotated != "" {
		fmt.Fprintf(&b, ", Rotated: %q", s.Rotated)
	}
	if s.Time.Hold {
		b.WriteString(", Hold: true")
	}
	b.WriteString("}")
	return b.String()
}
