package plan

import (
	"fmt"
	"strings"
)

// printCommit says when and where the pipeline keeps how far it has come.
func (l *Pipeline) printCommit(b *strings.Builder) {
	k := l.Spec.Commit
	if k == nil {
		return
	}
	fmt.Fprintf(b, "\ncommit: in %s, %s after the last", k.Dir, Span(k.Every))
	if k.Records > 0 {
		fmt.Fprintf(b, ", or earlier after %d records", k.Records)
	}
	if k.NoSync {
		b.WriteString("; not synced")
	}
	b.WriteString("\n")
}
