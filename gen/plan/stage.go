package plan

import (
	"sort"

	"github.com/streamwright/streamwright/spec"
)

// Stage is the plan of one stage.
type Stage struct {
	Spec   *spec.Stage
	Method string
	From   []*Flow // one, or those that In merges
	In     *Flow
	Out    *Flow
	Late   *Flow   // of a dedup or a window
	Order  int     // in the spec, from 1
	Layout *Layout // what it keeps; nil: nothing
	Piece  string  // constant: the number of its state in a commit; "" when it has none

	Full string // site of a key that is one too many; "" without limits

	InCount, PassedCount, LateCount string // counters
	AfterIdle, AfterIdleCount       string // method and counter of rows that are late only because their input was idle; "" where none can be

	Select  *Select
	Route   *Route
	Dedup   *Dedup
	Group   *Group // of a window or running
	Window  *Window
	Running *Running
	Top     *Top
	Apply   *Apply

	faults map[*spec.Expr]string // sites of the sub-expressions that can fault
}

// Flow is the output of a node: rows of one shape in one column.
type Flow struct {
	Rows    string // field of p.rows: the selection
	Column  string // field of p.column: the values
	Struct  *Struct
	Maker   *Stage // stage that makes rows in steps of the watermark, when they are of such; nil: records bring them
	Revised bool   // records bring rows of Maker, too: those of windows that have ended
	At      string // Go expression of the event time of the row e, which is r
	Origin  string // Go expression of the row that is refused for r: of the source, or of Maker
}

// flow adds an output with a column of its own, for rows that the node makes.
func (l *Pipeline) flow(node string, s *Struct, maker *Stage, at, origin string) *Flow {
	rows := l.nodes.unique(unexported(node))
	f := &Flow{Rows: rows, Column: rows, Struct: s, Maker: maker, At: at, Origin: origin}
	l.flows[node] = f
	return f
}

// derived adds the output of a stage that makes another row of each row.
func (l *Pipeline) derived(stage *Stage, s *Struct) *Flow {
	s.Derived = true
	origin := "r" // a record is known by its number
	if stage.In.Maker != nil {
		s.Origin = true
		origin = "stream.Row{Record: r.Record, Index: e.origin}"
	}
	f := l.flow(stage.Spec.Name, s, stage.In.Maker, "e.at", origin)
	f.Revised = stage.In.Revised
	return f
}

// pass adds an output that carries rows of the stage's input as they are.
func (l *Pipeline) pass(stage *Stage, output string) *Flow {
	f := *stage.In
	f.Rows = l.nodes.unique(unexported(stage.Spec.Name) + exportedOutput(output))
	l.flows[spec.Ref{Node: stage.Spec.Name, Output: output}.String()] = &f
	return &f
}

func exportedOutput(output string) string {
	if output == "" {
		return ""
	}
	return exported(output)
}

// order sorts the stages so that each stands behind all it reads, as the spec's Order says.
func (l *Pipeline) order() {
	place := map[*spec.Stage]int{}
	for i, s := range l.Spec.Order {
		place[s] = i
	}
	sort.SliceStable(l.Stages, func(i, j int) bool { return place[l.Stages[i].Spec] < place[l.Stages[j].Spec] })
}

// planStage names the stage, in the order of the spec.
func (l *Pipeline) planStage(s *spec.Stage, order int) {
	stage := &Stage{Spec: s, Order: order, Method: l.members.unique(unexported(s.Name)), faults: map[*spec.Expr]string{}}
	l.Stages = append(l.Stages, stage)
}

// connect gives the stage its input, its outputs and what it keeps, in the order of the arrows.
func (l *Pipeline) connect(stage *Stage) {
	s := stage.Spec
	stage.From, stage.In = l.input(s.Name, s.From)
	stage.InCount = l.counter(s.Name, "In", "in")
	switch {
	case s.Filter != nil:
		l.planFilter(stage)
	case s.Select != nil:
		l.planSelect(stage)
	case s.Route != nil:
		l.planRoute(stage)
	case s.Dedup != nil:
		l.planDedup(stage)
	case s.Window != nil:
		l.planWindow(stage)
	case s.Running != nil:
		l.planRunning(stage)
	case s.Top != nil:
		l.planTop(stage)
	case s.Apply != nil:
		l.planApply(stage)
	}
	if s.Dedup != nil || s.Window != nil || s.Running != nil {
		l.full(stage)
	}
}

// input is the flow that a node reads: that of its only input, or a merge of several under the node's own name.
func (l *Pipeline) input(node string, from []spec.Ref) (flows []*Flow, in *Flow) {
	for _, ref := range from {
		flows = append(flows, l.flows[ref.String()])
	}
	if len(flows) == 1 {
		return flows, flows[0]
	}
	merged := *flows[0]
	merged.Rows = l.nodes.unique(unexported(node) + "In")
	return flows, &merged
}

// late plans the output of rows that come too late. It is there under policy drop, too, where nothing reads it but the counter.
func (l *Pipeline) late(stage *Stage, policy spec.Late) {
	kind := "Dropped"
	if policy.Side() {
		kind = "Side"
	}
	stage.Late = l.pass(stage, "late")
	stage.LateCount = l.counter(stage.Spec.Name, kind, "late")
	if l.Idles() && stage.In.Maker == nil {
		stage.AfterIdle = l.members.unique(stage.Method + "AfterIdle")
		stage.AfterIdleCount = l.counter(stage.Spec.Name, kind, "late_after_idle")
	}
}

// faultSites gives each place in e that reports faults a site. name is what the stage calls e, column the column that e is of, if it is of one.
// made says that e is an aggregate, evaluated when a window closes.
func (l *Pipeline) faultSites(stage *Stage, e *spec.Expr, name, column string, made bool) {
	for _, f := range e.Sites() {
		if stage.faults[f.Expr] != "" {
			continue
		}
		site := Site{Node: stage.Spec.Name, Reason: "expr:" + stage.Spec.Name, Field: column, Place: f.Expr.At.Word, Row: stage.In.Maker, Made: made}
		if made {
			site.Row = stage
		}
		if f.Faults == spec.FaultNotFinite {
			site.Reason = "not_finite"
		}
		stage.faults[f.Expr] = l.site(stage.Order, site, name)
	}
}

// FaultSite is the site of an operation that can fault.
func (s *Stage) FaultSite(e *spec.Expr) string { return s.faults[e] }
