package explain

import "github.com/streamwright/streamwright/gen/plan"

// session explains a window that is a session.
func (e *explainer) session(s *plan.Stage) {
	w := s.Spec.Window
	lag := e.l.Source.Spec.Time.OutOfOrderness
	e.say("Groups rows by %s and session: rows less than %s apart are of one, rows exactly so far apart are not.", groups(w.Key), plan.Span(w.Gap))
	e.say("When a row appears: that of a session whose last row is of %s leaves when the watermark reaches %s, with the first record of %s or later%s.",
		moment(sample), moment(sample+w.Gap), moment(sample+w.Gap+lag), e.ended())
	e.say("A row between two open sessions, less than %s from both, makes them one. A session lasts %s at most: a row that would make it longer begins another, and is counted as session_cut; then the order of rows matters.",
		plan.Span(w.Gap), plan.Span(w.Max))
	if s.In.Maker != nil {
		e.say("Its rows are those of %s: each has the last instant of its window as its time.", s.In.Maker.Spec.Name)
	} else if s.Spec.Updates() {
		e.say("What comes later: a session stays for %s after its end, until the watermark reaches %s in the example. A row that joins it then changes it, and its row leaves again at once, whole, with a higher revision%s. "+
			"If it spans something else then, as when two have become one, the row of what it was is taken back: retracted is true, and the aggregates are null. A row that belongs to none of these is late when the watermark "+
			"is %s or more past its time, and %s.", plan.Span(w.Late.Allowed), moment(sample+w.Gap+w.Late.Allowed), stays(s), plan.Span(w.Gap+w.Late.Allowed), fate(w.Late, s.Spec.Name))
	} else {
		e.say("Until when a late record counts: one of %s until a record of %s or later has been read, or as long as there is an open session that it belongs to. After it, it is late, and %s.",
			moment(sample), moment(sample+w.Gap+lag), fate(w.Late, s.Spec.Name))
	}
	e.say("State: about %d bytes for each session that is kept. A key has one that grows, and at most one for each %s of disorder and allowed lateness beside it (%s), unless records run ahead of the others.",
		s.KeyBytes()-s.HeldBytes(), plan.Span(w.Gap), plan.Span(lag+w.Late.Allowed))
	e.held(s)
	e.aggregates(s)
}
