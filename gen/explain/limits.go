package explain

import "github.com/streamwright/streamwright/gen/plan"

// limits says how much a stage may keep.
func (e *explainer) limits(s *plan.Stage) {
	m := e.l.Limits
	if m == nil || s.Layout == nil {
		return
	}
	what := map[bool]string{true: "ids that are not forgotten yet", false: "keys that have not gone"}[s.Dedup != nil]
	if s.Window != nil {
		what = "keys in open windows"
	}
	then := "is refused (state_bound)"
	if e.l.Spec.Limits.Fail {
		then = "stops the run"
	}
	texts := ""
	if s.LongTexts() {
		texts = ", without its texts, whose length no contract bounds"
	}
	e.say("Limit: at most %d %s; a row with one more %s. That is about %s%s.", m.Keys, what, then, rough(float64(m.Keys*s.KeyBytes())), texts)
}
