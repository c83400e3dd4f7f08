package plan

import "github.com/streamwright/streamwright/spec"

// Select is the plan of a stage that makes another row of each row: select, and set, which keeps the other fields.
type Select struct {
	Row    *Struct
	Values []Value // of the fields of Row
}

// Value is what a field of a row is set to: a field of the row before, or an expression over it.
type Value struct {
	Field *Field
	Keep  *Field     // of the row that enters
	Expr  *spec.Expr // when Keep is nil
}

func (l *Pipeline) planSelect(stage *Stage) {
	s := stage.Spec
	row := &Struct{Spec: s.Out, Type: l.name(exported(s.Name) + "Row")}
	sel := &Select{Row: row}
	stage.Select = sel
	l.Package.structs[s.Out] = row
	l.Package.planFields(row)
	for _, f := range row.Fields {
		v := Value{Field: f}
		for _, c := range s.Select.Columns {
			if c.Name == f.Spec.Name {
				v.Expr = c.Expr
			}
		}
		if v.Expr == nil {
			for _, in := range stage.In.Struct.Fields {
				if in.Spec.Name == f.Spec.Name {
					v.Keep = in
				}
			}
		}
		sel.Values = append(sel.Values, v)
	}
	stage.Out = l.derived(stage, row)
	stage.PassedCount = l.counter(s.Name, "Passed", "passed")
	for _, c := range s.Select.Columns {
		l.faultSites(stage, c.Expr, c.Name, c.Name, false)
	}
}
