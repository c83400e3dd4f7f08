package plan

// planFilter plans a filter: its output is a selection of its input.
func (l *Pipeline) planFilter(stage *Stage) {
	s := stage.Spec
	stage.Out = l.pass(stage, "")
	stage.PassedCount = l.counter(s.Name, "Passed", "passed")
	stage.LateCount = l.counter(s.Name, "Dropped", "filtered")
	l.faultSites(stage, s.Filter.Cond, "filter", "", false)
}
