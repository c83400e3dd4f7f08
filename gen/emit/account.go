package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// accounts are the tables of counters and of sites, and the constants that index them.
func accounts(l *plan.Pipeline) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Counters, by index in %s.counts.\nconst (\n", l.Type)
	for i, c := range l.Counters {
		b.WriteString("\t" + c.Const)
		if i == 0 {
			b.WriteString(" = iota")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\t%s\n)\n\n// What each counts.\nvar %s = [%s]task.Counter{\n", l.CounterCount, l.CounterTable, l.CounterCount)
	for _, c := range l.Counters {
		fmt.Fprintf(&b, "\t%s: {Node: %q, Kind: task.%s, Name: %q},\n", c.Const, c.Node, c.Kind, c.Name)
	}
	decodes := make([]string, len(l.Sources))
	for i, s := range l.Sources {
		decodes[i] = s.Decode + " + n"
	}
	fmt.Fprintf(&b, "}\n\n// Sites where a record or a row can be refused. %s is that of field n of the event.\nconst (\n", strings.Join(decodes, ", and "))
	for i, s := range l.Sites {
		b.WriteString("\t" + s.Const)
		if i == 0 {
			b.WriteString(" uint16 = iota + 1")
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, ")\n\n// What dead letters say of each. Order is the place of the node in the spec; the source has 0.\nvar %s = [...]stream.Site{\n", l.SiteTable)
	for _, s := range l.Sites {
		fmt.Fprintf(&b, "\t%s: {Node: %q, Reason: %q", s.Const, s.Node, s.Reason)
		text := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, ", %s: %q", name, value)
			}
		}
		text("Field", s.Field)
		text("Want", s.Want)
		text("Place", s.Place)
		fmt.Fprintf(&b, ", Counter: %s", s.Counter)
		if s.Order != 0 {
			fmt.Fprintf(&b, ", Order: %d", s.Order)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}")
	return b.String()
}
