package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// layouts are the constants that say what commits of the processor hold, and which earlier ones it reads.
func layouts(l *plan.Pipeline) string {
	var now, before []*plan.Layout
	for _, s := range l.Stages {
		if s.Layout != nil {
			now = append(now, s.Layout)
		}
	}
	slices.SortFunc(now, func(a, b *plan.Layout) int { return a.Number - b.Number })
	for _, y := range now {
		for i := range y.Was {
			before = append(before, &y.Was[i])
		}
	}
	for i := range l.Gone {
		before = append(before, &l.Gone[i])
		for j := range l.Gone[i].Was {
			before = append(before, &l.Gone[i].Was[j])
		}
	}
	text := "// Layout of commits: for each piece of the state its number and version, its stage, and what it is.\n" + constantLines(l.LayoutText, now)
	if len(before) > 0 {
		text += "\n\n// Earlier versions of pieces, and pieces that are not kept any more, which Restore can meet.\n" + constantLines(l.ReadsText, before)
	}
	return text
}

// constantLines is a constant of some lines.
func constantLines(name string, all []*plan.Layout) string {
	lines := make([]string, len(all))
	for i, y := range all {
		lines[i] = fmt.Sprintf("%q", y.Line()+"\n")
	}
	return fmt.Sprintf("const %s = %s", name, strings.Join(lines, " +\n\t"))
}

// earlier says whether commits can hold what this processor does not write itself.
func earlier(l *plan.Pipeline) bool {
	for _, s := range l.Stages {
		if s.Layout != nil && len(s.Layout.Was) > 0 {
			return true
		}
	}
	return len(l.Gone) > 0
}
