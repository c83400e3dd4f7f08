package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// sourcePlaces are the sources of a pipeline: what its runner needs to know of the places it reads.
func sourcePlaces(l *plan.Pipeline) string {
	if len(l.Sources) == 1 {
		return fmt.Sprintf("[]task.Source{%s}", sourcePlace(l.Source))
	}
	var b strings.Builder
	b.WriteString("[]task.Source{\n")
	for _, s := range l.Sources {
		fmt.Fprintf(&b, "\t\t%s,\n", sourcePlace(s))
	}
	return b.String() + "\t}"
}

func sourcePlace(src *plan.Source) string {
	var b strings.Builder
	s := src.Spec
	fmt.Fprintf(&b, "{Name: %q, Path: %q, MaxRecord: %s", s.Name, s.Path, src.Max)
	if len(src.Was) > 0 {
		fmt.Fprintf(&b, ", Was: %s", texts(src.Was))
	}
	if s.Packed != "" {
		fmt.Fprintf(&b, ", Unpack: %s.Open", s.Packed)
	}
	if s.Format == "csv" {
		names := make([]string, len(src.Leaves))
		for i, leaf := range src.Leaves {
			names[i] = leaf.Path
		}
		b.WriteString(", Columns: " + texts(names))
	}
	if s.PerFile {
		b.WriteString(", PerFile: true")
	}
	if s.Follow {
		b.WriteString(", Follow: true")
	}
	if s.Rotated != "" {
		fmt.Fprintf(&b, ", Rotated: %q", s.Rotated)
	}
	if r := s.RateLimit; r != nil {
		fmt.Fprintf(&b, ", Rate: &task.Rate{Records: %s, Per: %s, Burst: %s}", number(r.Records), duration(r.Per), number(r.Burst))
	}
	if s.AgeWarn > 0 {
		fmt.Fprintf(&b, ", AgeWarn: %s", src.AgeWarn)
	}
	if d := s.Time.Idle; d != nil {
		fmt.Fprintf(&b, ", Idle: %s, OutOfOrderness: %s", duration(d.After), src.Lag)
		if d.WallClock {
			b.WriteString(", WallClock: true")
		}
	}
	if s.Time.Hold {
		b.WriteString(", Hold: true")
	}
	b.WriteString("}")
	return b.String()
}
