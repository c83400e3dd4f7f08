package plan

import "github.com/streamwright/streamwright/spec"

// Dedup is the plan of a dedup stage.
type Dedup struct {
	State                     string // Go type
	Key                       *Key
	Horizon, Spread, Interval string // constants; Spread is "" where it is 0
	IntervalValue             int64  // ns
	Duplicate                 string // counter
	NoID                      string // site; "" when every row has an id
}

// Empty says whether the part can be an empty text.
func (k KeyField) Empty() bool { return k.Text() && !k.Field.Spec.NeverEmpty() }

// Fallible says whether a part of the id can be missing, null or empty.
func (k *Key) Fallible() bool {
	for _, f := range k.Fields {
		if f.Empty() || f.Field.Has != "" {
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
		Horizon: l.name(name + "Horizon"), Interval: l.name(name + "Interval"),
	}
	if s.Dedup.Spread > 0 {
		d.Spread = l.name(name + "Spread")
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

// Trusted is how far behind the watermark a row may be and still be known as new, as a Go expression.
func (d *Dedup) Trusted() string {
	if d.Spread == "" {
		return d.Horizon
	}
	return d.Horizon + "-" + d.Spread
}

// interval is the span of event time whose ids are freed together: a sixteenth of the horizon keeps at most that much more than what is alive.
func interval(d *spec.Dedup) int64 {
	return max(d.Horizon/16, 1)
}
