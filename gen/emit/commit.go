package emit

import (
	"fmt"
	"strconv"
	"time"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// commit is where a run keeps how far it has come, as the runtime takes it.
func commit(l *plan.Pipeline) string {
	p := l.Spec
	k := p.Commit
	how := ""
	if k.Records > 0 {
		how += ", Records: " + number(k.Records)
	}
	if k.NoSync {
		how += ", NoSync: true"
	}
	if p.Delivery == spec.ExactlyOnce {
		how += ", Exact: true"
	}
	if len(l.Was) > 0 {
		how += ", Was: " + texts(l.Was)
	}
	if len(l.GoneSources) > 0 {
		how += ", Gone: " + texts(l.GoneSources)
	}
	if l.LayoutText != "" {
		how += ", Layout: " + l.LayoutText
		if earlierLayouts(l) != "" {
			how += ", Earlier: " + l.EarlierText
		}
	}
	return fmt.Sprintf("&task.Commit{Dir: %q, Every: %s%s}", k.Dir, duration(k.Every), how)
}

// texts is a list of strings as Go has it.
func texts(all []string) string {
	quoted := make([]string, len(all))
	for i, text := range all {
		quoted[i] = strconv.Quote(text)
	}
	return "[]string{" + join(quoted) + "}"
}

// duration is a span of time as Go has it: 5 * time.Second.
func duration(ns int64) string {
	for _, unit := range []struct {
		ns   time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}} {
		switch n := ns / int64(unit.ns); {
		case ns%int64(unit.ns) != 0:
		case n == 1:
			return "time." + unit.name
		default:
			return number(n) + " * time." + unit.name
		}
	}
	return number(ns) + " * time.Nanosecond"
}
