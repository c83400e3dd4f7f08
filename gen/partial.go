package gen

import (
	"slices"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// partialColumn is the column of rows that may lack something.
const partialColumn = "partial"

// widen brings what the spec says of rows in line with what earlier versions kept. A stage to which something was added says in its rows whether they lack it. Of such a row counts and sums
// that are new hold what came since; min, max, first, last, avg and the like are null when nothing has come; and a column that needs both something new and something that was there is
// null, since together they would be wrong. It says whether it changed anything.
func (l *Lock) widen(p *plan.Package) (changed bool) {
	for _, of := range p.Pipelines {
		locked := l.pipeline(of.Spec.Name)
		if locked == nil {
			continue
		}
		for _, s := range of.Stages {
			y := locked.live(s.Spec.Name)
			if y == nil || s.Group == nil {
				continue
			}
			for _, i := range valueless(s, y) {
				if call := s.Group.Calls[i].Spec; !call.Type.Nullable {
					nullable(s, i)
					changed = true
				}
			}
			if !y.Partial() || s.Spec.Partial {
				continue
			}
			for _, a := range s.Group.Aggregates {
				if blank(s, y, a.Spec.Expr) {
					a.Spec.Blank, a.Field.Spec.Type = true, a.Field.Spec.Type.OrNull()
				}
			}
			last := s.Group.Aggregates[len(s.Group.Aggregates)-1].Spec.Name
			fields := s.Spec.Out.Fields
			at := slices.IndexFunc(fields, func(f *spec.Field) bool { return f.Name == last }) + 1
			s.Spec.Out.Fields = slices.Insert(slices.Clone(fields), at, &spec.Field{
				Name: partialColumn, Pos: s.Spec.Pos, Type: &spec.Type{Kind: spec.Bool},
				Doc: []string{"Whether the row lacks what came before the pipeline was upgraded, in the columns that are new since."},
			})
			s.Spec.Partial, changed = true, true
		}
	}
	return changed
}

// lacks says whether a version of the state has nothing that piece p can be made of. That it may have no value counts for nothing here.
func lacks(was *plan.Layout, p *plan.Piece) bool {
	part := partOfPiece(p)
	part.Null = true
	parts, _ := was.Parts()
	return !slices.ContainsFunc(parts, part.From)
}

// lacking are the columns of a stage that need something which a version of its state did not keep.
func lacking(s *plan.Stage, y *plan.Layout) (columns []*spec.Field) {
	for _, a := range s.Group.Aggregates {
		for i := range s.Group.Calls {
			if plan.UsesCall(a.Spec.Expr, i) && slices.ContainsFunc(s.Group.Calls[i].Pieces(), func(p *plan.Piece) bool {
				return slices.ContainsFunc(y.Reads(), func(was plan.Layout) bool { return lacks(&was, p) })
			}) {
				columns = append(columns, a.Field.Spec)
				break
			}
		}
	}
	return columns
}

// readerOf is a stage that uses one of some columns of the rows that leave a node by some of its outputs, or carries it on in rows of its own, which do not say whether they are partial; nil
// when none does. Stages that pass rows on as they are do no harm: a row says it itself.
func readerOf(p *spec.Pipeline, node string, outputs func(name string) bool, columns []*spec.Field) (*spec.Stage, string) {
	for _, s := range p.Stages {
		if len(columns) == 0 || !slices.ContainsFunc(s.From, func(from spec.Ref) bool { return from.Node == node && outputs(from.Output) }) {
			continue
		}
		used, passes := usedBy(s, columns)
		if used != nil {
			return s, used.Name
		}
		if reader, column := readerOf(p, s.Name, passes, columns); reader != nil {
			return reader, column
		}
	}
	return nil, ""
}

func own(output string) bool  { return output == "" }
func every(string) bool       { return true }
func late(output string) bool { return output == "late" }

// usedBy is one of some columns that a stage uses, or carries on in another row, nil when it does not. passes says by which outputs rows leave it as they are.
func usedBy(s *spec.Stage, columns []*spec.Field) (used *spec.Field, passes func(output string) bool) {
	passes = late
	fields := func(all ...*spec.Field) {
		for _, f := range all {
			if slices.Contains(columns, f) {
				used = f
			}
		}
	}
	var walk func(e *spec.Expr)
	walk = func(e *spec.Expr) {
		if e == nil {
			return
		}
		if e.Op == spec.OpField && len(e.Path) > 0 {
			fields(e.Path[0])
		}
		for _, a := range e.Args {
			walk(a)
		}
	}
	calls := func(key []*spec.Field, calls []*spec.Call) {
		fields(key...)
		for _, c := range calls {
			walk(c.Arg)
			walk(c.Cond)
			for _, f := range c.Fields {
				walk(f)
			}
		}
	}
	switch {
	case s.Filter != nil:
		walk(s.Filter.Cond)
		passes = every
	case s.Route != nil:
		for _, b := range s.Route.Branches {
			walk(b.Cond)
		}
		passes = every
	case s.Dedup != nil:
		fields(s.Dedup.By...)
		passes = every
	case s.Select != nil && !s.Select.Set:
		for _, c := range s.Select.Columns {
			walk(c.Expr)
		}
	case s.Window != nil:
		calls(s.Window.Key, s.Window.Calls)
	case s.Running != nil:
		calls(s.Running.Key, s.Running.Calls)
	default: // set, top, apply: all columns are carried on
		used = columns[0]
	}
	return used, passes
}

// valueless are the calls of a stage that may have no value though every row brings one, by index: what they are made of was added to state that earlier versions had begun.
func valueless(s *plan.Stage, y *plan.Layout) (calls []int) {
	now, _ := y.Parts()
	for i := range s.Group.Calls {
		c := &s.Group.Calls[i]
		switch c.Spec.Func {
		case spec.Count, spec.CountIf, spec.Sum, spec.Distinct, spec.TopOf, spec.Collect: // 0, or a list of nothing
			continue
		}
		if slices.ContainsFunc(c.Pieces(), func(p *plan.Piece) bool {
			part := partOfPiece(p)
			part.Null = true
			return part.Valueless() && slices.Contains(now, part) || slices.ContainsFunc(y.Reads(), func(was plan.Layout) bool { return lacks(&was, p) })
		}) {
			calls = append(calls, i)
		}
	}
	return calls
}

// blank says whether a column is null in rows that lack something: it needs both what some version kept and what that did not, or computes with what may have no value.
func blank(s *plan.Stage, y *plan.Layout, e *spec.Expr) bool {
	var pieces []*plan.Piece
	for i := range s.Group.Calls {
		if !plan.UsesCall(e, i) {
			continue
		}
		if slices.Contains(valueless(s, y), i) && !plainCall(e, i) {
			return true
		}
		pieces = append(pieces, s.Group.Calls[i].Pieces()...)
	}
	return slices.ContainsFunc(y.Reads(), func(was plan.Layout) bool {
		some := func(p *plan.Piece) bool { return lacks(&was, p) }
		return slices.ContainsFunc(pieces, some) && !all(pieces, some)
	})
}

func all[E any](of []E, f func(E) bool) bool {
	return !slices.ContainsFunc(of, func(e E) bool { return !f(e) })
}

// partOfPiece is the line of a piece in a layout, taken apart.
func partOfPiece(p *plan.Piece) plan.Part {
	y := plan.Layout{Is: []string{"", "time ", p.Layout()}}
	parts, _ := y.Parts()
	return parts[0]
}

// plainCall says whether an expression is a call and nothing else.
func plainCall(e *spec.Expr, call int) bool {
	for e.Op == spec.OpFinite {
		e = e.Args[0]
	}
	return e.Op == spec.OpCall && e.Call == call
}

// nullable makes call i of a stage, and the columns that are it, such that they may be null.
func nullable(s *plan.Stage, i int) {
	s.Group.Calls[i].Spec.Type = s.Group.Calls[i].Spec.Type.OrNull()
	for _, a := range s.Group.Aggregates {
		if !plainCall(a.Spec.Expr, i) {
			continue
		}
		for e := a.Spec.Expr; ; e = e.Args[0] {
			if e.Type = e.Type.OrNull(); e.Op != spec.OpFinite {
				break
			}
		}
		a.Field.Spec.Type = a.Field.Spec.Type.OrNull()
	}
}
