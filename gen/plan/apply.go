package plan

// Apply is the plan of a stage that calls a function of the user.
type Apply struct {
	Row           *Struct
	Values        []Applied
	Failed        string // site
	Made, Emitted string // counters
}

// Applied is a field of a row, and the Go field of the user's struct that it comes from.
type Applied struct {
	Field *Field
	From  string
}

func (l *Pipeline) planApply(stage *Stage) {
	s := stage.Spec
	a := &Apply{Row: &Struct{Spec: s.Out, Type: l.name(exported(s.Name) + "Row")}}
	stage.Apply = a
	l.Package.planView(stage.In.Struct)
	l.Package.structs[s.Out] = a.Row
	l.Package.planFields(a.Row)
	for i, f := range a.Row.Fields {
		a.Values = append(a.Values, Applied{f, s.Apply.Fields[i]})
	}
	stage.Out = l.derived(stage, a.Row)
	stage.PassedCount = l.counter(s.Name, "Passed", "called")
	a.Failed = l.site(stage.Order, Site{Node: s.Name, Reason: "apply:" + s.Name, Row: stage.In.Maker}, "apply")
	a.Made = l.counter(s.Name, "Made", "made")
	a.Emitted = l.counter(s.Name, "Out", "out")
}

// planView names the views of a row and of the structs inside it.
func (p *Package) planView(s *Struct) {
	if s.View != "" {
		return
	}
	s.View = p.names.unique(s.Type + "View")
	for _, f := range s.Fields {
		if f.Struct != nil {
			p.planView(f.Struct)
		}
	}
}

// Applies says whether the pipeline calls functions of the user.
func (l *Pipeline) Applies() bool {
	for _, s := range l.Stages {
		if s.Apply != nil {
			return true
		}
	}
	return false
}
