package plan

import "math"

// Running is the plan of a stage that keeps one accumulator per key.
type Running struct {
	*Group
	Emit    string // method that makes the row of a key
	Publish string // method that emits the keys that have changed, in steps of the watermark; "" when each record makes a row
	Expire  string // constant
	Every   string // constant: between two rows of a key; "" with Publish
	Soon    bool   // records reach the stage, which Publish has to know of at once
}

func (l *Pipeline) planRunning(stage *Stage) {
	s := stage.Spec
	name := unexported(s.Name)
	g := l.planGroup(stage, s.Running.Key, s.Running.Calls, s.Running.Aggregates)
	r := &Running{Group: g, Emit: l.members.unique("emit" + exported(s.Name)), Expire: l.name(name + "Expire")}
	stage.Running = r
	stage.Piece = l.name("piece" + exported(s.Name))
	for i := range g.Key.Fields {
		g.Key.Fields[i].Out = g.Row.Fields[i]
	}
	var maker *Stage
	if s.Running.Emit > 0 {
		r.Publish, r.Every = l.members.unique("publish"+exported(s.Name)), l.name(name+"Every")
		r.Soon = stage.In.Maker == nil
		maker = stage
	}
	stage.Out = l.flow(s.Name, g.Row, maker, "e."+r.AsOf().Name, "r")
	g.Folded = l.counter(s.Name, "Folded", "folded")
	l.planMade(stage, s.Running.Calls, s.Running.Aggregates, g.Row.Fields[len(g.Key.Fields)+2:], s.Running.MaxValues)
}

// Since is the column of the oldest event time.
func (r *Running) Since() *Field { return r.Row.Fields[len(r.Key.Fields)] }

// AsOf is the column of the newest event time.
func (r *Running) AsOf() *Field { return r.Row.Fields[len(r.Key.Fields)+1] }

// Revision is the column of the number of the record.
func (r *Running) Revision() *Field { return r.Row.Fields[len(r.Row.Fields)-1] }

// Steps says whether the stage makes rows in steps of the watermark.
func (s *Stage) Steps() bool { return s.Window != nil || s.Running != nil && s.Running.Publish != "" }

// Soon is the shortest time after an event at which it can make a running emit or a session end, as a constant of the stage; "" when there is none.
func (l *Pipeline) Soon() string {
	first, name := int64(math.MaxInt64), ""
	sooner := func(ns int64, constant string) {
		if name == "" || ns < first {
			first, name = ns, constant
		}
	}
	for _, s := range l.Stages {
		switch {
		case s.Running != nil && s.Running.Soon:
			sooner(s.Spec.Running.Expire, s.Running.Expire)
		case s.Window != nil && s.Window.Gap != "" && s.Window.Records && !l.Uncut(s):
			sooner(s.Spec.Window.Gap, s.Window.Gap)
		}
	}
	return name
}
