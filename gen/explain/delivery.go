package explain

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// delivery derives what reaches each sink when runs are ended at any moment, and says what the spec promises.
func (e *explainer) delivery() {
	p := e.l.Spec
	e.title("What is delivered")
	if k := p.Commit; k != nil {
		often := plan.Span(k.Every) + " after the one before"
		if k.Records > 0 {
			often += fmt.Sprintf(", earlier before it would hold more than %d records", k.Records)
		}
		if k.NoSync {
			often += ", without waiting for the disk"
		}
		e.say("A commit begins %s. It makes rows, dead letters, the position in the source, watermark and state visible together, or not at all; it stands in %s. A run that was ended at any moment goes on from the last one.", often, k.Dir)
	} else {
		e.say("There is no commit: a run that is started again begins at the beginning.")
	}
	var rows [][3]string
	add := func(name string, t spec.Target) {
		g := p.Guarantee(t)
		rows = append(rows, [3]string{name, g.Delivery.String(), g.Why})
	}
	for _, s := range p.Sinks {
		add(s.Name, s.Target)
	}
	if p.DeadLetter != nil {
		add("dead_letter", p.DeadLetter.Target)
	}
	var width [2]int
	for _, r := range rows {
		for i := range width {
			width[i] = max(width[i], len([]rune(r[i])))
		}
	}
	for _, r := range rows {
		fmt.Fprintf(e.b, "  %s%s  %s%s  %s\n", r[0], strings.Repeat(" ", width[0]-len([]rune(r[0]))), r[1], strings.Repeat(" ", width[1]-len([]rune(r[1]))), r[2])
	}
	switch {
	case p.Delivery == spec.EffectivelyOnce:
		e.say("The spec promises effectively_once: beside that, a dedup stands ahead of every stage that groups rows, so that a record which the source repeats counts once.")
	case p.Delivery != spec.NoPromise:
		e.say("The spec promises %s, and every line above is at least that.", p.Delivery)
	}
	if p.Delivery == spec.EffectivelyOnce {
		return
	}
	for _, s := range p.Stages {
		if why := p.Repeats(s); why != "" {
			e.say("A record that the source itself repeats counts twice in %s: %s.", s.Name, why)
		}
	}
}
