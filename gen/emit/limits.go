package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// limitWords says what the keys of each stage take.
func limitWords(l *plan.Pipeline) string {
	var parts []string
	for _, s := range l.Stages {
		if s.Layout != nil {
			parts = append(parts, fmt.Sprintf("about %d bytes for one of %s", s.KeyBytes(), printable(s.Spec.Name)))
		}
	}
	return strings.Join(parts, ", ")
}

// full refuses row r when condition holds: its key is one too many. before stands behind r and e, and may change what the condition looks at.
func full(l *plan.Pipeline, s *plan.Stage, before, condition, done string) string {
	if s.Full == "" {
		return ""
	}
	value := ""
	if uses(s.In.Origin, "e") {
		value = fmt.Sprintf("e := &p.column.%s[r.Index]\n", s.In.Column)
	}
	return fmt.Sprintf("%sif %s {\n%sp.refused = append(p.refused, stream.Refused{Row: %s, Site: %s, Fault: stream.FaultFull})\n%scontinue\n}", before, condition, value, s.In.Origin, s.Full, done)
}

// maxKeys is the constant of how many keys a stage keeps; "" without limits.
func maxKeys(l *plan.Pipeline) string {
	if l.Limits == nil {
		return ""
	}
	return l.Limits.Const
}
