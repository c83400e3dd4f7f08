package plan

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// String prints the plan for review: for each pipeline its steps in the order of the arrows with what they keep and for how long, then what can be refused and
// where rows go.
func (p *Package) String() string {
	var b strings.Builder
	for i, l := range p.Pipelines {
		if i > 0 {
			b.WriteString("\n")
		}
		l.print(&b)
	}
	return b.String()
}

func (l *Pipeline) print(b *strings.Builder) {
	fmt.Fprintf(b, "pipeline %s: type %s, files %s_*_gen.go\n", l.Spec.Name, l.Type, l.Stem)
	for _, src := range l.Sources {
		src.print(b, l)
	}
	for _, stage := range l.Stages {
		stage.print(b, l)
	}
	for _, sink := range l.Sinks {
		fmt.Fprintf(b, "\nsink %s: rows of %s to %s\n", sink.Spec.Name, refs(sink.Spec.From), sink.words())
		fmt.Fprintf(b, "  delivery    %s\n", l.Spec.Guarantee(sink.Spec.Target).Delivery)
		printRetry(b, sink.Spec.Retry)
	}
	if d := l.Spec.DeadLetter; d != nil {
		fmt.Fprintf(b, "\ndead letters: to %s; stop when %v %% of the last %d records were refused\n", targetWords(d.Target), 100*d.StopShare, d.StopOf)
		fmt.Fprintf(b, "  delivery    %s\n", l.Spec.Guarantee(d.Target).Delivery)
		printRetry(b, d.Retry)
	} else {
		b.WriteString("\ndead letters: none; the first refusal stops the task\n")
	}
	l.printCommit(b)
	l.printLimits(b)
	b.WriteString("\nrefusals\n")
	node, reason := 0, 0
	for _, site := range l.Sites {
		node, reason = max(node, utf8.RuneCountInString(site.Node)), max(reason, utf8.RuneCountInString(site.Reason))
	}
	for _, site := range l.Sites {
		what := "record"
		if site.Row != nil {
			what = "row of " + site.Row.Spec.Name
		}
		fmt.Fprintf(b, "  %-*s  %-*s  %s", node, site.Node, reason, site.Reason, what)
		if site.Place != "" {
			fmt.Fprintf(b, ", %s", site.Place)
		}
		b.WriteString("\n")
	}
}

func (src *Source) print(b *strings.Builder, l *Pipeline) {
	s := src.Spec
	packed := ""
	if s.Packed != "" {
		packed = " unpacked by " + s.Packed
	}
	fmt.Fprintf(b, "\nsource %s: %s %s%s, records of at most %d bytes\n", s.Name, s.Format, s.Path, packed, s.MaxRecord)
	if s.PerFile {
		b.WriteString("  inputs      each file one, with its own watermark\n")
	}
	if s.Follow {
		b.WriteString("  at the end  waits for more")
		if s.Rotated != "" {
			fmt.Fprintf(b, "; renamed files are those of %s", s.Rotated)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "  event time  %s; watermark %s behind the highest\n", s.Time.Field.Name, Span(s.Time.OutOfOrderness))
	if s.Time.Hold {
		b.WriteString("  at the end  windows stay open\n")
	}
	if s.Time.Future != spec.FutureOff {
		fmt.Fprintf(b, "  future      refused from %s ahead of the clock\n", Span(s.Time.Future))
	}
	if d := s.Time.Idle; d != nil {
		fmt.Fprintf(b, "  idle        left out of the watermark after %s without a record", Span(d.After))
		if d.WallClock {
			b.WriteString("; when all are, it follows the clock")
		}
		b.WriteString("\n")
	}
	if r := s.RateLimit; r != nil {
		fmt.Fprintf(b, "  rate limit  %d records in %s, at most %d at once\n", r.Records, Span(r.Per), r.Burst)
	}
	if s.AgeWarn > 0 {
		fmt.Fprintf(b, "  age         counted from %s on\n", Span(s.AgeWarn))
	}
	fmt.Fprintf(b, "  event       %s in column %s\n", src.Out.Struct.Type, src.Out.Column)
	width := 0
	for _, leaf := range src.Leaves {
		width = max(width, utf8.RuneCountInString(leaf.Path))
	}
	for _, leaf := range src.Leaves {
		fmt.Fprintf(b, "    %-*s  %s; missing: %s\n", width, leaf.Path, Want(leaf.Field.Spec), [...]string{"refused", "null", "default"}[leaf.Field.Spec.Missing])
	}
}

func (s *Stage) print(b *strings.Builder, l *Pipeline) {
	by := "records"
	if s.In.Maker != nil {
		by = "watermark steps of " + s.In.Maker.Spec.Name
	}
	fmt.Fprintf(b, "\nstage %s: from %s, fed by %s\n", s.Spec.Name, refs(s.Spec.From), by)
	switch {
	case s.Spec.Filter != nil:
		total := "cannot fail"
		if !s.Spec.Filter.Cond.Total() {
			total = "can fail"
		}
		fmt.Fprintf(b, "  filter      %s; %s\n  state       none\n", strings.Join(strings.Fields(s.Spec.Filter.Cond.Text), " "), total)
	case s.Dedup != nil:
		d := s.Spec.Dedup
		own := ""
		if s.Dedup.Key.Input {
			own = ", in each input by itself"
		}
		fmt.Fprintf(b, "  dedup       %s%s\n", s.Dedup.Key, own)
		fmt.Fprintf(b, "  late        %s, from %s behind the watermark\n", lateWords(d.Late), Span(d.Horizon-d.Spread))
		fmt.Fprintf(b, "  state       one entry for each id, until the watermark is %s past its first copy; freed by %s\n", Span(d.Horizon), Span(s.Dedup.IntervalValue))
	case s.Window != nil:
		w := s.Spec.Window
		fmt.Fprintf(b, "  window      %s\n", WindowWords(w))
		if w.Overlaps() > 1 {
			fmt.Fprintf(b, "  overlaps    %s\n", s.Window.Overlaps(w))
		}
		if l.Uncut(s) {
			fmt.Fprintf(b, "  ends        behind the last record of a batch, since only sinks read the rows\n")
		}
		from, until := "the window's end", "its end"
		if w.Late.Policy == spec.LateUpdate {
			from = Span(w.Late.Allowed) + " behind " + from
			until = Span(w.Late.Allowed) + " behind its end"
		}
		s.Group.print(b, lateWords(w.Late)+", from "+from)
		if w.Late.Policy == spec.LateUpdate {
			fmt.Fprintf(b, "  revisions   from %d, one for each row that comes later than the window's end\n", w.Revision)
		} else if w.Numbered {
			fmt.Fprintf(b, "  revision    %d\n", w.Revision)
		}
		switch {
		case w.Kind == spec.Session:
			fmt.Fprintf(b, "  state       one accumulator for each session, until the watermark reaches %s\n", until)
		case s.Window.Sliced && w.Late.Policy == spec.LateUpdate:
			fmt.Fprintf(b, "  state       one accumulator for each key and slice, until the watermark is %s behind the end of the last window with it; sums beside them; a number for each key and window that has given "+
				"more than one row\n", Span(w.Late.Allowed))
		case s.Window.Sliced:
			fmt.Fprintf(b, "  state       one accumulator for each key and slice, until the watermark reaches the end of the last window with it; sums beside them\n")
		case s.Window.Growing:
			fmt.Fprintf(b, "  state       one accumulator for each key and step that is open, and one for all before, until the watermark reaches the end of the size\n")
		default:
			fmt.Fprintf(b, "  state       one accumulator for each key and open window, until the watermark reaches %s\n", until)
		}
	case s.Running != nil:
		r := s.Spec.Running
		fmt.Fprintf(b, "  running     %s\n", runningWords(r))
		s.Group.print(b, "never")
		fmt.Fprintf(b, "  state       one accumulator for each key, until the watermark is %s past its newest event\n", Span(r.Expire))
	case s.Apply != nil:
		fmt.Fprintf(b, "  apply       %s(%s) ([]%s, error); can fail\n  state       none\n", s.Spec.Apply.Func, s.In.Struct.View, s.Spec.Apply.Result)
	case s.Top != nil:
		t := s.Spec.Top
		fmt.Fprintf(b, "  top         %d rows with the highest %s", t.N, t.By.Name)
		if len(t.Per) > 0 {
			fmt.Fprintf(b, " of each %s", strings.Join(fieldNames(t.Per), ", "))
		}
		b.WriteString(" in a window")
		if s.Top.By.Has != "" {
			b.WriteString("; null is left out")
		}
		fmt.Fprintf(b, "\n  ties        %s\n  state       none: the rows of a window come in one step\n", strings.Join(append(fieldNames(t.Ties), "the window's key"), ", "))
	}
}

// print says what the stage keeps of a group and makes of it.
func (g *Group) print(b *strings.Builder, late string) {
	fmt.Fprintf(b, "  key         %s\n  late        %s\n", g.Key, late)
	for _, p := range g.Pieces {
		fmt.Fprintf(b, "  keeps       %s\n", p)
	}
	for _, p := range g.Pieces {
		if p.Most > 0 {
			fmt.Fprintf(b, "  at most     %d values where all are kept; one more refuses the row\n", p.Most)
			break
		}
	}
	for _, a := range g.Aggregates {
		fails := ""
		if a.Func != "" {
			fails = "; can fail"
		}
		fmt.Fprintf(b, "  column      %s: %s%s\n", a.Spec.Name, strings.Join(strings.Fields(a.Spec.Expr.Text), " "), fails)
	}
}

func runningWords(r *spec.Running) string {
	if r.Emit == 0 {
		return "a row for each row that came in"
	}
	return fmt.Sprintf("keys that have changed, whenever the watermark crosses a multiple of %s, and when such a key goes", Span(r.Emit))
}

func fieldNames(fields []*spec.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func lateWords(l spec.Late) string {
	if l.Side() {
		return "to the side output"
	}
	return "dropped and counted"
}

func refs(from []spec.Ref) string {
	names := make([]string, len(from))
	for i, r := range from {
		names[i] = r.String()
	}
	return strings.Join(names, ", ")
}

// String says what the key is made of and how.
func (k *Key) String() string {
	if len(k.Fields) == 0 {
		return "none: one group"
	}
	parts := make([]string, len(k.Fields))
	for i, f := range k.Fields {
		how := "by value"
		switch {
		case f.Text() && k.ID:
			how = "up to 15 bytes and UUIDs exactly, longer by 126 bits of hash"
		case f.Text():
			how = "up to 15 bytes inside, longer interned"
		}
		parts[i] = fmt.Sprintf("%s (%s)", f.Field.Spec.Name, how)
	}
	return strings.Join(parts, ", ")
}

// String says what the piece is.
func (p *Piece) String() string {
	words := [...]string{
		"number of rows", "number of values", "number of true values", "exact 128-bit sum", "compensated sum", "least value", "greatest value",
		"value of the earliest row", "value of the latest row", "exact 192-bit sum of squares", "number, mean and squared distances from it",
		"all values", "all different values", "first rows",
		"sketch of the number of different values", "sketch of the distribution of values",
	}
	if p.Arg == nil {
		return fmt.Sprintf("%s: %s", p.Name, words[p.Kind])
	}
	text := p.Arg.Expr.Text
	if text == "" {
		text = "its argument"
	}
	if p.Top != nil {
		return fmt.Sprintf("%s: %s", p.Name, p.Top.words(text))
	}
	return fmt.Sprintf("%s: %s of %s", p.Name, words[p.Kind], strings.Join(strings.Fields(text), " "))
}

// words says which rows are kept.
func (r *Ranks) words(by string) string {
	rows := fmt.Sprintf("%d rows", r.N)
	if r.N == 1 {
		rows = "row"
	}
	if r.Earliest {
		return fmt.Sprintf("%s, of the earliest %s", by, rows)
	}
	text := fmt.Sprintf("the %s with the highest %s", rows, by)
	for i, f := range r.Fields {
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + f.Expr.Text
	}
	return text
}

// Span is ns as a spec writes it: 1h30m, not 1h30m0s.
func Span(ns int64) string {
	text := time.Duration(ns).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// printRetry says how what fails is tried again.
func printRetry(b *strings.Builder, r *spec.Retry) {
	if r != nil {
		fmt.Fprintf(b, "  retry       %d tries, waits up to %s and doubling to %s\n", r.Tries, Span(r.Base), Span(r.Max))
	}
}
