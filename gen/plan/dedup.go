package plan

import "github.com/streamwright/streamwright/spec"

// Dedup is the plan of a dedup stage.
type Dedup struct {
	State                     string // Go type
	Key                       *Key
	Horizon, Spread, Interval string // constants
	IntervalValue             int64  // ns
	Duplicate                 string // counter
	NoID                      string // site; "" when every row has an id
}

// Fallible says whether a part of the id can be missing, null or empty.
func (k *Key) Fallible() bool {
	for _, f := range k.Fields {
		if f.Text() || f.Field.Has != "" {
			return true
		}
	}
	return false
}

func (l *Pipeline) planDedup(stage *Stage) {
	s := stage.Spec
	name := unexported(s.Name)
	d := &Dedup{
		State:   l.name(name + "State"),
		Key:     l.planKey(stage, s.Dedup.By, true),
		Horizon: l.name(name + "Horizon"), Spread: l.name(name + "Spread"), Interval: l.name(name + "Interval"),
	}
	stage.Dedup = d
	stage.Piece = l.name("piece" + exported(s.Name))
	d.IntervalValue = interval(s.Dedup)
	stage.Out = l.pass(stage, "")
	l.late(stage, s.Dedup.Late)
	stage.PassedCount = l.counter(s.Name, "Passed", "passed")
	d.Duplicate = l.counter(s.Name, "Dropped", "duplicate")
	if !s.Dedup.PassNoID && d.Key.Fallible() {
		d.NoID = l.site(stage.Order, Site{Node: s.Name, Reason: "no_id", Row: stage.In.Maker}, "no_id")
	}
}

// interval is the span of event time whose ids are freed together: a sixteenth of the horizon keeps at most that much more than what is alive.
func interval(d *spec.Dedup) int64 {
	return max(d.Horizon/16, 1)
}
