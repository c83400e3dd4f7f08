package plan

// Top is the plan of a stage that ranks the rows of windows.
type Top struct {
	N              string // constant
	Group, Compare string // methods
	Ranked         string // field of p.rows: the rows that are ranked
	Row            *Struct
	Kept           []Value // fields of Row, but for the rank
	Rank           *Field
	Start, End     *Field // of the row that enters: the window's bounds
	By             *Field
	Per, Ties      []*Field
	Folded         string // counters
	Made, Emitted  string
}

func (l *Pipeline) planTop(stage *Stage) {
	s := stage.Spec
	name := unexported(s.Name)
	row := &Struct{Spec: s.Out, Type: l.name(exported(s.Name) + "Row")}
	t := &Top{
		N: l.name(name + "N"), Row: row, Group: l.members.unique("group" + exported(s.Name)), Compare: l.members.unique("compare" + exported(s.Name)), Ranked: l.nodes.unique("ranked" + exported(s.Name)),
		Start: stage.In.Struct.Fields[0], End: stage.In.Struct.Fields[1], By: l.Package.fields[s.Top.By],
	}
	stage.Top = t
	for _, f := range s.Top.Per {
		t.Per = append(t.Per, l.Package.fields[f])
	}
	for _, f := range s.Top.Ties {
		t.Ties = append(t.Ties, l.Package.fields[f])
	}
	l.Package.structs[s.Out] = row
	l.Package.planFields(row)
	last := len(row.Fields) - 1
	t.Rank = row.Fields[last]
	for i, f := range row.Fields[:last] {
		t.Kept = append(t.Kept, Value{Field: f, Keep: stage.In.Struct.Fields[i]})
	}
	stage.Out = l.derived(stage, row)
	t.Folded = l.counter(s.Name, "Folded", "folded")
	t.Made = l.counter(s.Name, "Made", "made")
	t.Emitted = l.counter(s.Name, "Out", "out")
}
