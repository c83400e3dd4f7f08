package plan

import (
	"fmt"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// Group is the plan of what a stage that groups its rows keeps for each group, and of the row that it makes of it.
type Group struct {
	State, Accumulator, Arguments string // Go types
	Key                           *Key
	Row                           *Struct
	Args                          []*Argument
	Pieces                        []*Piece
	Calls                         []Call // by index in the spec's calls
	Aggregates                    []*Aggregate
	Folded, Made, Emitted         string    // counters
	MaxValues                     string    // constant: how many values a piece holds; "" when none holds any
	Elements                      []*Struct // of lists of structs in the row
	Partial                       *Field    // of the row: it lacks what an earlier version did not keep; nil: no row can
}

// Window is the plan of a windowed stage.
type Window struct {
	*Group
	Close        string // method that emits the windows that have closed, or the next of them
	Emit         string // method that makes the rows of one window
	Size, Offset string // constants, of aligned windows
	Slide        string // constant, of windows that overlap
	Zone         string // Go variable, of calendar windows
	Partial      string // counter of windows that were closed for rows which counted in others; "" where a row has one window
	Sliced       bool   // rows are kept by the slice, from which hopping windows are put together
	Growing      bool   // rows are kept by the step, which is added to those before it when it closes
	Gap, Max     string // constants, of sessions
	Merged, Cut  string // counters, of sessions
	Allowed      string // constant: for how long a window that has ended can change; "" when it cannot
	First        string // constant: the revision of a window's first row; "" when rows have none

	MakeRow, Changed, Revise, Retract string // methods: the row of a session; the row of a window that may have changed; the rows of one that has; a row that takes another back
	Records                           bool   // records reach the stage without passing another window
	Opened                            string // counter
	TimeRange                         string // site
}

// WindowWords says which windows there are.
func WindowWords(w *spec.Window) string {
	switch w.Kind {
	case spec.Session:
		return fmt.Sprintf("session gap %s, max %s", Span(w.Gap), Span(w.Max))
	case spec.Hopping:
		return fmt.Sprintf("hopping %s every %s, offset %s", Span(w.Size), Span(w.Slide), Span(w.Offset))
	case spec.Cumulative:
		return fmt.Sprintf("cumulative %s by %s, offset %s", Span(w.Size), Span(w.Slide), Span(w.Offset))
	case spec.Calendar:
		return fmt.Sprintf("calendar %s in %s", w.Unit, w.Zone)
	}
	return fmt.Sprintf("tumbling %s, offset %s", Span(w.Size), Span(w.Offset))
}

// Call is how the value of an aggregate call is read from the accumulator.
type Call struct {
	Spec       *spec.Call
	Sum, Count *Piece // of sum and avg; of ints and decimals also of variance and stddev
	Value      *Piece // of the others
}

// Pieces are those that the call reads.
func (c *Call) Pieces() []*Piece {
	return slices.DeleteFunc([]*Piece{c.Sum, c.Count, c.Value}, func(p *Piece) bool { return p == nil })
}

// Aggregate is the plan of one column that a window gives.
type Aggregate struct {
	Spec     *spec.Aggregate
	Field    *Field // of the row
	Bad      int    // index in the row's bad when it can fail
	Func     string // method that evaluates it when it can fail, else ""
	Overflow string // site of an int sum that does not fit, "" when there is none
	Bound    string // site of more values than a call may hold, "" when none holds any
}

func (l *Pipeline) planWindow(stage *Stage) {
	s := stage.Spec
	name := unexported(s.Name)
	g := l.planGroup(stage, s.Window.Key, s.Window.Calls, s.Window.Aggregates)
	w := &Window{
		Group: g,
		Close: l.members.unique("close" + exported(s.Name)), Emit: l.members.unique("emit" + exported(s.Name)),
		Records: stage.In.Maker == nil,
	}
	switch s.Window.Kind {
	case spec.Session:
		w.MakeRow = l.members.unique("make" + exported(s.Name) + "Row")
		if s.Updates() {
			w.Revise, w.Retract = l.members.unique("revise"+exported(s.Name)), l.members.unique("retract"+exported(s.Name))
		}
		w.Gap, w.Max = l.name(name+"Gap"), l.name(name+"Max")
	case spec.Calendar:
		w.Zone = l.Package.Zone(s.Window.Zone)
	case spec.Hopping:
		w.Size, w.Offset, w.Slide = l.name(name+"Size"), l.offset(s), l.name(name+"Slide")
	case spec.Cumulative:
		w.Size, w.Offset, w.Slide = l.name(name+"Size"), l.offset(s), l.name(name+"Step")
	default:
		w.Size, w.Offset = l.name(name+"Size"), l.offset(s)
	}
	if s.Updates() && s.Window.Kind != spec.Session {
		w.Changed, w.Revise = l.members.unique("changed"+exported(s.Name)), l.members.unique("revise"+exported(s.Name))
	}
	if s.Updates() {
		w.Allowed = l.name(name + "AllowedLateness")
	}
	if s.Window.HasRevision() {
		w.First = l.name(name + "FirstRevision")
	}
	stage.Window = w
	stage.Piece = l.name("piece" + exported(s.Name))
	for i := range w.Key.Fields {
		w.Key.Fields[i].Out = w.Row.Fields[2+i] // behind window_start and window_end
	}
	stage.Out = l.flow(s.Name, w.Row, stage, fmt.Sprintf("e.%s - 1", w.Row.Fields[1].Name), "r") // window_end: its last instant
	w.Folded = l.counter(s.Name, "Folded", "folded")
	stage.Out.Revised = s.Updates() && w.Records
	l.late(stage, s.Window.Late)
	w.TimeRange = l.site(stage.Order, Site{Node: s.Name, Reason: "time_range", Row: stage.In.Maker}, "time_range")
	if w.Slide != "" {
		w.Partial = l.counter(s.Name, "Note", "late_partial")
	}
	w.Opened = l.counter(s.Name, "Opened", "opened")
	if s.Window.Kind == spec.Session {
		w.Merged = l.counter(s.Name, "Merged", "merged")
		w.Cut = l.counter(s.Name, "Note", "session_cut")
	}
	l.planMade(stage, s.Window.Calls, s.Window.Aggregates, w.Row.Fields[2+len(w.Key.Fields):], s.Window.MaxValues)
	if s.Window.Overlaps() > fewWindows {
		w.Sliced = s.Window.Kind == spec.Hopping && g.shares()
		w.Growing = s.Window.Kind == spec.Cumulative && !s.Updates() // steps that were added up cannot be changed
	}
}

// fewWindows is in how many windows a row is folded one by one. In more it is folded once, and each key costs a window that closes about three merges, however many there are.
const fewWindows = 8

// shares says whether sums of accumulators can share what these hold in the blobs of the stage: a text, but not what is changed in its place.
func (g *Group) shares() bool {
	for _, p := range g.Pieces {
		if p.Blobs() && !p.Blob {
			return false
		}
	}
	return true
}

// Overlaps says what becomes of a row that is in several windows.
func (w *Window) Overlaps(of *spec.Window) string {
	switch {
	case w.Sliced && of.Late.Policy == spec.LateUpdate:
		return fmt.Sprintf("%d: a row is kept in its slice, and a window put together from its slices when it closes, and for each key that changes later", of.Overlaps())
	case w.Sliced:
		return fmt.Sprintf("%d: a row is kept in its slice, and a window put together from its slices when it closes", of.Overlaps())
	case w.Growing:
		return fmt.Sprintf("%d: a row is kept in its step, which is added to those before it when it closes", of.Overlaps())
	case of.Late.Policy == spec.LateUpdate:
		return fmt.Sprintf("%d: a row is folded into all that are open or can still change", of.Overlaps())
	case of.Overlaps() > fewWindows:
		return fmt.Sprintf("%d: a row is folded into all that are open, since what its aggregates hold cannot be put together from slices at a fixed price", of.Overlaps())
	}
	return fmt.Sprintf("%d: a row is folded into all that are open", of.Overlaps())
}

// planGroup names what belongs to a stage that groups its rows.
func (l *Pipeline) planGroup(stage *Stage, key []*spec.Field, calls []*spec.Call, aggregates []*spec.Aggregate) *Group {
	s := stage.Spec
	name := unexported(s.Name)
	g := &Group{
		State: l.name(name + "State"), Accumulator: l.name(name + "Accumulator"), Arguments: l.name(name + "Arguments"),
		Key: l.planKey(stage, key, false),
		Row: &Struct{Spec: s.Out, Type: l.name(exported(s.Name) + "Row")},
	}
	stage.Group = g
	for i, call := range calls { // before the row that has lists of them
		if call.Func == spec.TopOf && len(call.Fields) > 0 {
			row := &Struct{Spec: call.Type.Elem.Struct, Type: l.name(exported(s.Name) + exported(nameOfCall(aggregates, i)))}
			l.Package.structs[call.Type.Elem.Struct] = row
			l.Package.planFields(row)
			g.Elements = append(g.Elements, row)
		}
	}
	l.Package.structs[s.Out] = g.Row
	l.Package.planFields(g.Row)
	return g
}

// planMade plans the accumulator, and the columns that are made of it.
func (l *Pipeline) planMade(stage *Stage, calls []*spec.Call, aggregates []*spec.Aggregate, columns []*Field, most int64) {
	g := stage.Group
	if most > 0 {
		g.MaxValues = l.name(unexported(stage.Spec.Name) + "MaxValues")
	}
	g.Made = l.counter(stage.Spec.Name, "Made", "made")
	g.Emitted = l.counter(stage.Spec.Name, "Out", "out")
	l.planCalls(stage, calls, aggregates, most)
	for i, a := range aggregates {
		l.planAggregate(stage, a, columns[i])
	}
	if stage.Spec.Partial {
		g.Partial = columns[len(aggregates)]
	}
}

// planCalls breaks the aggregate calls down into pieces, each different one once: avg(x) is made of the sum of x and the count of x.
func (l *Pipeline) planCalls(stage *Stage, calls []*spec.Call, aggregates []*spec.Aggregate, most int64) {
	g := stage.Group
	names := newScope("a", "e", "r", "p", "s", "args", "fresh", "at", "i", "id", "key", "found")
	if stage.Spec.Running != nil {
		names.take("since", "asOf", "revision", "changed")
	}
	if stage.Spec.Updates() {
		names.take("revision", "published")
	}
	if stage.Window != nil && stage.Window.Gap != "" {
		names.take("session", "next", "start", "end", "cut", "b", "was", "gone")
	}
	for i, call := range calls {
		column := nameOfCall(aggregates, i)
		name := unexported(column)
		argument := func(name string, e *spec.Expr) *Argument { return l.argument(stage, names, name, column, e) }
		c := Call{Spec: call}
		switch call.Func {
		case spec.Count:
			c.Value = g.count(names, name, argument(name, call.Arg))
		case spec.CountIf:
			c.Value = g.piece(names, name, CountTrue, argument(name, call.Cond))
		case spec.Sum, spec.Avg:
			kind := SumInt
			if call.Arg.Type.Kind == spec.Double {
				kind = SumDouble
			}
			arg := argument(name, call.Arg)
			c.Sum = g.piece(names, name, kind, arg)
			if call.Func == spec.Avg || arg.Has != "" {
				c.Count = g.count(names, name+"Count", arg)
			}
		case spec.Variance, spec.Stddev:
			arg := argument(name, call.Arg)
			if call.Arg.Type.Kind == spec.Double {
				c.Value = g.piece(names, name, Moments, arg)
				break
			}
			c.Sum = g.piece(names, name+"Sum", SumInt, arg)
			c.Count = g.count(names, name+"Count", arg)
			c.Value = g.piece(names, name+"Squares", SquaresInt, arg)
		case spec.Distinct, spec.Percentile:
			kind := map[spec.AggregateFunc]PieceKind{spec.Distinct: Different, spec.Percentile: Values}[call.Func]
			c.Value = g.piece(names, name, kind, argument(name, call.Arg))
			c.Value.Most = most
		case spec.ApproxDistinct, spec.ApproxPercentile:
			kind := map[spec.AggregateFunc]PieceKind{spec.ApproxDistinct: Registers, spec.ApproxPercentile: Buckets}[call.Func]
			c.Value = g.piece(names, name, kind, argument(name, call.Arg))
		case spec.TopOf, spec.Collect:
			c.Value = &Piece{Kind: Ranked, Name: names.unique(name), Arg: argument(name, call.Arg)}
			c.Value.Arg.Uses++
			c.Value.Top = &Ranks{Var: l.name(unexported(stage.Spec.Name) + exported(name) + "Ranks"), N: call.N, Earliest: call.Func == spec.Collect, Row: l.Package.structs[call.Type.Elem.Struct]}
			for _, f := range call.Fields {
				c.Value.Top.Fields = append(c.Value.Top.Fields, argument(name+exported(f.Path[len(f.Path)-1].Name), f))
			}
			g.Pieces = append(g.Pieces, c.Value)
		default:
			kinds := map[spec.AggregateFunc]PieceKind{spec.Min: Least, spec.Max: Greatest, spec.First: Earliest, spec.Last: Latest}
			c.Value = g.piece(names, name, kinds[call.Func], argument(name, call.Arg))
			if call.Type.Nullable && c.Value.Has == "" { // state of an earlier version lacks it
				c.Value.Has = names.unique("has" + exported(name))
			}
		}
		g.Calls = append(g.Calls, c)
	}
}

// nameOfCall is the aggregate that uses call i first.
func nameOfCall(aggregates []*spec.Aggregate, i int) string {
	for _, a := range aggregates {
		if UsesCall(a.Expr, i) {
			return a.Name
		}
	}
	return fmt.Sprintf("call%d", i)
}

// UsesCall says whether e has the value of call i.
func UsesCall(e *spec.Expr, i int) bool {
	if e.Op == spec.OpCall && e.Call == i {
		return true
	}
	for _, a := range e.Args {
		if UsesCall(a, i) {
			return true
		}
	}
	return false
}

// NoOffset is Window.Offset of windows without one: no constant has a name for it.
const NoOffset = "0"

// offset is the constant for the offset of a stage's windows.
func (l *Pipeline) offset(s *spec.Stage) string {
	if s.Window.Offset == 0 {
		return NoOffset
	}
	return l.name(unexported(s.Name) + "Offset")
}

// argument is the plan of an argument of a call in column, the same for equal ones; nil for none.
func (l *Pipeline) argument(stage *Stage, names *scope, name, column string, e *spec.Expr) *Argument {
	if e == nil {
		return nil
	}
	g := stage.Group
	for _, a := range g.Args {
		if spec.Same(a.Expr, e) {
			return a
		}
	}
	a := &Argument{Expr: e, Name: names.unique(name + "Of"), Partial: !e.Total()}
	if e.Type.Nullable {
		a.Has = names.unique("has" + exported(name) + "Of")
	}
	g.Args = append(g.Args, a)
	l.faultSites(stage, e, name, column, false)
	return a
}

// count is the piece that counts the rows with a value in arg.
func (g *Group) count(names *scope, name string, arg *Argument) *Piece {
	if arg == nil || arg.Has == "" {
		return g.piece(names, name, CountRows, nil)
	}
	return g.piece(names, name, CountValue, arg)
}

// piece is the piece of that kind over arg, a new one when there is none yet.
func (g *Group) piece(names *scope, name string, kind PieceKind, arg *Argument) *Piece {
	for _, p := range g.Pieces {
		if p.Kind == kind && p.Arg == arg {
			return p
		}
	}
	p := &Piece{Kind: kind, Arg: arg, Name: names.unique(name)}
	if arg != nil {
		arg.Uses++
	}
	if kind >= Least && kind <= Latest {
		p.Blob = arg.Expr.Type.Kind.Text()
		if arg.Has != "" {
			p.Has = names.unique("has" + exported(name))
		}
		if kind >= Earliest {
			p.At = names.unique(name + "At")
		}
	}
	g.Pieces = append(g.Pieces, p)
	return p
}

// planAggregate finds how the column can fail.
func (l *Pipeline) planAggregate(stage *Stage, a *spec.Aggregate, column *Field) {
	g := stage.Group
	agg := &Aggregate{Spec: a, Field: column}
	g.Aggregates = append(g.Aggregates, agg)
	for c, call := range g.Calls {
		if !UsesCall(a.Expr, c) {
			continue
		}
		if call.Spec.Holds() && agg.Bound == "" {
			agg.Bound = l.site(stage.Order, Site{Node: stage.Spec.Name, Reason: "state_bound", Field: a.Name, Row: stage, Made: true}, "bound_"+a.Name)
		}
		if call.Spec.Func == spec.Sum && call.Sum.Kind == SumInt && agg.Overflow == "" {
			agg.Overflow = l.site(stage.Order, Site{Node: stage.Spec.Name, Reason: "overflow:" + a.Name, Field: a.Name, Row: stage, Made: true}, "overflow_"+a.Name)
		}
	}
	l.faultSites(stage, a.Expr, a.Name, a.Name, true)
	if agg.Overflow != "" || agg.Bound != "" || !a.Expr.Total() {
		agg.Func = l.members.unique(unexported(stage.Spec.Name) + exported(a.Name))
		agg.Bad = g.Row.Bad
		g.Row.Bad++
		g.Row.BadColumns = append(g.Row.BadColumns, a.Name)
	}
}
