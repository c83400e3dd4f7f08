package explain

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

func (e *explainer) stage(s *plan.Stage) {
	e.title("stage %s: %s", s.Spec.Name, kind(s.Spec))
	e.say("%s", strings.Join(s.Spec.Doc, " "))
	defer e.limits(s)
	switch {
	case s.Spec.Filter != nil:
		e.say("Lets the rows through for which %s is true; the rest is counted as filtered. Keeps nothing.", oneLine(s.Spec.Filter.Cond.Text))
		e.failures(s.Spec.Filter.Cond)
	case s.Spec.Select != nil:
		if s.Spec.Select.Set {
			e.say("Each row gets the fields it names, beside those it has. Keeps nothing.")
		} else {
			e.say("Each row becomes one of exactly the fields it names. Keeps nothing.")
		}
		for _, c := range s.Spec.Select.Columns {
			e.quotient(c.Name, c.Expr)
			e.failures(c.Expr)
		}
	case s.Spec.Route != nil:
		for _, b := range s.Spec.Route.Branches {
			e.say("%s.%s gets what no branch before took and for which %s is true.", s.Spec.Name, b.Name, oneLine(b.Cond.Text))
		}
		if s.Spec.Route.Otherwise != "" {
			e.say("%s.%s gets the rest.", s.Spec.Name, s.Spec.Route.Otherwise)
		} else {
			e.say("The rest is counted as unrouted and gone.")
		}
		for _, b := range s.Spec.Route.Branches {
			e.failures(b.Cond)
		}
	case s.Spec.Dedup != nil:
		e.dedup(s)
	case s.Spec.Window != nil && s.Spec.Window.Kind == spec.Session:
		e.session(s)
	case s.Spec.Window != nil:
		e.window(s)
	case s.Spec.Running != nil:
		r := s.Spec.Running
		e.say("Keeps one accumulator for each key over all rows, in the order in which they arrive: nothing is late. A key goes when the watermark is %s past its newest row.", plan.Span(r.Expire))
		if r.Emit == 0 {
			e.say("Each row that counts gives a row with the new totals.")
		} else {
			e.say("The keys that changed give a row each when the watermark crosses a multiple of %s%s.", plan.Span(r.Emit), e.ended())
		}
		e.say("State: about %d bytes for each key.", s.KeyBytes()-s.HeldBytes())
		e.held(s)
		e.aggregates(s)
	case s.Spec.Top != nil:
		e.say("Of each window it lets the %d rows with the highest %s through, when the window closes. Keeps nothing in between.", s.Spec.Top.N, s.Spec.Top.By.Name)
	case s.Spec.Apply != nil:
		e.say("Calls %s for each row. Keeps nothing.", s.Spec.Apply.Func)
	}
}

// sample is a moment to make an example of.
var sample = time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC).UnixNano()

// moment is a time as examples show it.
func moment(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.999999999Z") }

func (e *explainer) dedup(s *plan.Stage) {
	d := s.Spec.Dedup
	names := make([]string, len(d.By))
	for i, f := range d.By {
		names[i] = f.Name
	}
	lag := e.l.Lag(s.Spec)
	e.say("Lets the first row of each %s through. A copy is recognised while the watermark is less than %s past the time of the first: for an id of %s, until a record of %s or later has been read.",
		strings.Join(names, " and "), plan.Span(d.Horizon), moment(sample), moment(sample+d.Horizon+lag))
	too := d.Horizon - d.Spread
	e.say("A row that comes when the watermark is %s or more past its own time cannot be known to be new: it is late, and %s.", plan.Span(too), fate(d.Late, s.Spec.Name))
	if s.Dedup.NoID != "" {
		e.say("A row without an id (missing, null or empty) is refused: no_id.")
	} else if d.PassNoID {
		e.say("A row without an id passes, and copies of it pass too.")
	}
	span := d.Horizon + lag + s.Dedup.IntervalValue
	per := s.KeyBytes()
	e.say("State: about %d bytes for each id of the last %s of event time (the horizon, the disorder, and %s by which memory is freed). At 1,000 new ids a second that is about %s.",
		per, plan.Span(span), plan.Span(s.Dedup.IntervalValue), rough(float64(span)/1e9*1000*float64(per)))
}

func (e *explainer) window(s *plan.Stage) {
	w := s.Spec.Window
	lag := e.l.Lag(s.Spec)
	start, end := around(w)
	by := groups(w.Key)
	every := w.Size // from one end to the next
	switch w.Kind {
	case spec.Hopping:
		every = w.Slide
		e.say("Groups rows by %s and window of %s, from the start to just before the end; one begins every %s, so a row counts in up to %d windows.", by, plan.Span(w.Size), plan.Span(every), w.Overlaps())
	case spec.Cumulative:
		every = w.Slide
		e.say("Groups rows by %s and %s, with a result every %s over all since the start of the %s: a row counts in up to %d windows, and a key has one for every %s from its first row on.",
			by, plan.Span(w.Size), plan.Span(every), plan.Span(w.Size), w.Overlaps(), plan.Span(every))
	case spec.Calendar:
		e.say("Groups rows by %s and %s in %s, from its first midnight to just before the next one's. The longest is of %s.", by, w.Unit, w.Zone, plan.Span(w.Size))
	default:
		e.say("Groups rows by %s and window of %s, from the start to just before the end.", by, plan.Span(w.Size))
	}
	e.say("When a row appears: that of [%s, %s) leaves when the watermark reaches its end, with the first record of %s or later%s. A window without a row gives none.",
		moment(start), moment(end), moment(end+lag), e.ended())
	rest := ""
	if w.Overlaps() > 1 {
		rest = ", unless it counts in another (late_partial)"
	}
	if s.In.Maker != nil {
		e.say("Its rows are those of %s: each has the last instant of its window as its time, so it counts in the window of %s that holds that instant.", s.In.Maker.Spec.Name, s.Spec.Name)
	} else if s.Spec.Updates() {
		e.say("What comes later: the window stays for %s after its end. A record that belongs to it then counts, and its row leaves again at once, whole, with a higher revision%s. That ends when the watermark reaches %s, "+
			"with the first record of %s or later: after it, it is late%s, and %s.", plan.Span(w.Late.Allowed), stays(s), moment(end+w.Late.Allowed), moment(end+w.Late.Allowed+lag), rest, fate(w.Late, s.Spec.Name))
	} else {
		e.say("Until when a late record counts: one of [%s, %s) counts until then, however old it is beside others. After it, it is late%s, and %s.", moment(start), moment(end), rest, fate(w.Late, s.Spec.Name))
	}
	open := 1 + w.Overlaps() + (lag+w.Late.Allowed+every-1)/every
	switch {
	case s.Window.Sliced:
		slices := open
		if w.Size%w.Slide != 0 {
			slices *= 2
		}
		of := "disorder"
		if s.Spec.Updates() {
			of += " and allowed lateness"
		}
		e.say("State: about %d bytes for each key and slice in which it has rows. A slice is between two instants at which windows begin or end; there are about %d (%s and %s of %s), unless records run ahead of the others. "+
			"Late rows change slices; a window that closes is put together from its slices, which costs the same for each key whatever their number.", s.KeyBytes()-s.HeldBytes(), slices, plan.Span(w.Size), plan.Span(lag+w.Late.Allowed), of)
		if s.Spec.Updates() {
			e.say("Of each key and window that has given more than one row, how many are known besides.")
		}
	case s.Window.Growing:
		e.say("State: about %d bytes for each key and %s, and as much for each step of %s that is open and in which it has rows: about %d (%s of disorder), unless records run ahead of the others.",
			s.KeyBytes()-s.HeldBytes(), plan.Span(w.Size), plan.Span(every), 1+(lag+every-1)/every, plan.Span(lag))
	default:
		e.windowState(s, open, lag)
	}
	e.held(s)
	e.aggregates(s)
}

// stays says what holds when a row that leaves again is refused, if it can be.
func stays(s *plan.Stage) string {
	if s.Window.Row.Bad == 0 {
		return ""
	}
	return "; if that row is refused, the one before it stays, and the dead letter has key, window and revision"
}

// windowState says what a stage takes that keeps something for each open window.
func (e *explainer) windowState(s *plan.Stage, open, lag int64) {
	w := s.Spec.Window
	disorder := "disorder"
	if s.Spec.Updates() {
		disorder = "disorder and allowed lateness"
	}
	e.say("State: about %d bytes for each key and open window; a key is open in about %d windows at most (%s of %s over windows of %s), unless records run ahead of the others.",
		s.KeyBytes()-s.HeldBytes(), open, plan.Span(lag+w.Late.Allowed), disorder, plan.Span(w.Size))
}

// groups says what a key makes of rows.
func groups(key []*spec.Field) string {
	if len(key) == 0 {
		return "all rows together"
	}
	names := make([]string, len(key))
	for i, f := range key {
		names[i] = f.Name
	}
	return "each " + strings.Join(names, ", ")
}

// aggregates says when the columns of a group are null, when they refuse its row, and where their arguments fail.
func (e *explainer) aggregates(s *plan.Stage) {
	for _, a := range s.Group.Aggregates {
		e.aggregate(s, a.Spec)
	}
	for _, c := range s.Group.Calls {
		for _, x := range append([]*spec.Expr{c.Spec.Arg, c.Spec.Cond}, c.Spec.Fields...) {
			if x != nil {
				e.failures(x)
			}
		}
	}
}

// held says what aggregates take that hold values.
func (e *explainer) held(s *plan.Stage) {
	n := s.HeldBytes()
	if n == 0 {
		return
	}
	texts := ""
	if s.LongTexts() {
		texts = ", and texts whose length no contract bounds"
	}
	e.say("Beside that the values that its aggregates hold: as many as there are, up to about %s for a key%s.", rough(float64(n)), texts)
	var bound []string
	most := int64(0)
	for _, a := range s.Group.Aggregates {
		if a.Bound != "" {
			bound = append(bound, a.Spec.Name)
		}
	}
	for _, p := range s.Group.Pieces {
		most = max(most, p.Most)
	}
	if len(bound) > 0 {
		e.say("With more than %d values for a key its row is refused (state_bound): of %s.", most, strings.Join(bound, ", "))
	}
}

// around is a window that holds the moment of examples.
func around(w *spec.Window) (start, end int64) {
	switch w.Kind {
	case spec.Hopping:
		start = sample - (sample-w.Offset)%w.Slide
	case spec.Cumulative:
		start = sample - (sample-w.Offset)%w.Size
		return start, sample - (sample-w.Offset)%w.Slide + w.Slide
	case spec.Calendar:
		zone, err := time.LoadLocation(w.Zone)
		if err != nil {
			panic(err) // it was looked up before
		}
		year, month, day := time.Unix(0, sample).In(zone).Date()
		of := func(more int) int64 {
			switch w.Unit {
			case spec.Week:
				monday := day - int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Weekday()+6)%7
				return time.Date(year, month, monday+7*more, 0, 0, 0, 0, zone).UnixNano()
			case spec.Month:
				return time.Date(year, month+time.Month(more), 1, 0, 0, 0, 0, zone).UnixNano()
			}
			return time.Date(year, month, day+more, 0, 0, 0, 0, zone).UnixNano()
		}
		return of(0), of(1)
	default:
		start = sample - (sample-w.Offset)%w.Size
	}
	return start, start + w.Size
}

// aggregate says when a column is null and when it refuses its row.
func (e *explainer) aggregate(s *plan.Stage, a *spec.Aggregate) {
	switch x := a.Expr; {
	case x.Op == spec.OpFinite && (x.Args[0].Func == spec.Variance || x.Args[0].Func == spec.Stddev):
		e.say("%s is null when fewer than two of its rows have a value for it.", a.Name)
	case x.Type.Nullable:
		e.say("%s is null when none of its rows has a value for it.", a.Name)
	}
	for _, agg := range s.Group.Aggregates {
		if agg.Spec == a && agg.Overflow != "" {
			e.say("%s refuses its row (overflow:%s) when a sum in it leaves its type.", a.Name, a.Name)
		}
	}
	e.quotient(a.Name, a.Expr)
	e.failures(a.Expr)
}

// quotient says that a column divides ints, which is seldom meant where a share or an average is.
func (e *explainer) quotient(column string, x *spec.Expr) {
	if len(x.Quotients()) > 0 {
		e.say("%s divides ints, so the fraction is cut: 7 / 2 is 3. To keep it write double(a) / double(b); int(a / b) says that it is meant.", column)
	}
}

// failures says where an expression can send a row to the dead letters.
func (e *explainer) failures(x *spec.Expr) {
	for _, site := range x.Sites() {
		pos := site.Expr.At.Pos
		pos.File = filepath.Base(pos.File)
		e.say("Can fail at %s (%s): %s.", site.Expr.At.Word, pos, faultWords(site.Faults))
	}
}

func faultWords(f spec.Faults) string {
	var words []string
	for _, w := range []struct {
		fault spec.Faults
		words string
	}{
		{spec.FaultDivision, "division by zero"}, {spec.FaultModulus, "modulus by zero"}, {spec.FaultOverflow, "a result outside its type"},
		{spec.FaultTimeRange, "a time outside 1677 to 2262"}, {spec.FaultNotFinite, "a result that is not a finite number"}, {spec.FaultNull, "null into an operator"},
		{spec.FaultIndex, "an index outside the list"}, {spec.FaultConversion, "a text that cannot be converted"},
	} {
		if f&w.fault != 0 {
			words = append(words, w.words)
		}
	}
	if len(words) == 0 {
		return "the operation fails"
	}
	return strings.Join(words, ", ")
}

// fate is what happens to late rows.
func fate(l spec.Late, stage string) string {
	if l.Side() {
		return "goes, as it entered the stage, to " + stage + ".late"
	}
	return "is counted and dropped"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// rough is a number of bytes with its first two digits.
func rough(n float64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB"}
	i := 0
	for n >= 1000 && i < len(units)-1 {
		n /= 1000
		i++
	}
	if n < 10 && i > 0 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}
