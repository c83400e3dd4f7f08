package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// Layout says what a stage keeps between two runs: what its bytes in a commit are, and what they mean.
type Layout struct {
	Stage   string
	Names   []string // that the stage had before, newest first
	Number  int      // of this piece of the state, from 1; in one pipeline it never stands for another piece
	Version int      // of the piece, from 1; each change of Is makes a new one
	By      Change   // the word of the spec that made this version of the one before
	Is      []string // what the state is: kind, time, key, and what is kept for a key, in the order of the bytes
	Now     []string // what may change from one run to the next: it holds for rows from then on
	Was     []Layout // earlier versions that can still be met in commits, newest first; their Was is empty
}

// Change is how a version of a layout comes from the one before it.
type Change string

// The changes, each a word of the language.
const (
	Migrate Change = "migrate" // all that is kept was there before
	Add     Change = "add"     // some of what is kept starts empty
	Reset   Change = "reset"   // all starts empty
)

// inEachInput is the kind of a dedup that looks for copies in the input of a row.
const inEachInput = "dedup in each input"

// InEachInput says whether the numbers of the inputs are part of the state.
func (y *Layout) InEachInput() bool { return y.Is[0] == inEachInput }

// Line is the layout without what may change, on one line, as package task reads it: which version of which piece, the name of the stage, what it is.
func (y *Layout) Line() string {
	return fmt.Sprintf("%d.%d\t%s\t%s", y.Number, y.Version, Quoted(y.Stage), strings.Join(y.Is, "; "))
}

// Current is Line with what may change of how long things are kept: a commit of a processor that keeps them for another time is told whole once, since its frames say when they die.
func (y *Layout) Current() string {
	var spans []string
	for _, now := range y.Now {
		if !strings.HasPrefix(now, "column ") && !strings.HasPrefix(now, "rows of ") {
			spans = append(spans, now)
		}
	}
	if len(spans) == 0 {
		return y.Line()
	}
	return y.Line() + "\t" + strings.Join(spans, "; ")
}

// Reads are the earlier versions whose bytes become state of this one. Those before a reset are known, and skipped.
func (y *Layout) Reads() []Layout {
	by := y.By
	for i, was := range y.Was {
		if by == Reset {
			return y.Was[:i]
		}
		by = was.By
	}
	return y.Was
}

// layouts describes what each stage keeps, in versions and with numbers as if nothing had been there before.
func (l *Pipeline) layouts() {
	n := 0
	for _, s := range l.Stages {
		y := &Layout{Stage: s.Spec.Name, Version: 1}
		of := s.Spec
		span := func(word string, ns int64) { y.Now = append(y.Now, word+" "+Span(ns)) }
		switch {
		case s.Dedup != nil:
			kind := "dedup"
			if s.Dedup.Key.Input {
				kind = inEachInput
			}
			y.is(kind, l, s)
			for _, f := range of.Dedup.By {
				y.Is = append(y.Is, idLine(f))
			}
			span("horizon", of.Dedup.Horizon)
			span("spread", of.Dedup.Spread)
		case s.Window != nil:
			w := of.Window
			y.is(WindowWords(w)+s.Window.kept(), l, s)
			if w.Late.Policy == spec.LateUpdate { // then a window says which row it has given
				y.Is[0] += ", with revisions"
				span("allowed_lateness", w.Late.Allowed)
			}
			if w.Numbered {
				y.Now = append(y.Now, fmt.Sprintf("revision %d", w.Revision))
			}
			y.group(s.Group, w.Key, w.Calls, w.Aggregates)
			y.most(w.MaxValues)
		case s.Running != nil:
			r := of.Running
			y.is("running", l, s)
			y.group(s.Group, r.Key, r.Calls, r.Aggregates)
			y.most(r.MaxValues)
			span("expire", r.Expire)
			if r.Emit > 0 { // then a key says whether it has changed since its row left
				y.Is[0] = "running, rows at intervals"
				span("emit", r.Emit)
			}
		default:
			continue
		}
		for _, r := range of.From {
			y.Now = append(y.Now, "rows of "+l.origin(r))
		}
		n++
		y.Number = n
		s.Layout = y
	}
}

// ByWord begins the line of a part of an id.
const ByWord = "by "

func idLine(f *spec.Field) string {
	return fmt.Sprintf("%s%s, %s", ByWord, Quoted(f.Name), typeName(f.Type))
}

// OrderID puts the parts of a dedup's id into the order of its layout, which may be that of an earlier spec.
func (s *Stage) OrderID() {
	if s.Dedup == nil {
		return
	}
	at := func(f KeyField) int { return slices.Index(s.Layout.Is, idLine(f.Field.Spec)) }
	slices.SortStableFunc(s.Dedup.Key.Fields, func(a, b KeyField) int { return at(a) - at(b) })
}

// is begins with the kind of a stage, and the time by which its state expires.
func (y *Layout) is(kind string, l *Pipeline, s *Stage) {
	t := l.SourceOf(s.Spec).Spec.Time
	y.Is = append(y.Is, kind, fmt.Sprintf("time %s, %s", Quoted(t.Field.Name), timeNames[t.Unit]))
}

var timeNames = map[spec.TimeFormat]string{spec.RFC3339: "rfc3339", spec.UnixSeconds: "unix_s", spec.UnixMillis: "unix_ms", spec.UnixMicros: "unix_us", spec.UnixNanos: "unix_ns"}

// kept says for what accumulators are kept, where it is not for windows.
func (w *Window) kept() string {
	switch {
	case w.Sliced:
		return ", by the slice"
	case w.Growing:
		return ", by the step"
	}
	return ""
}

// OrNull stands behind a line of a layout about something that may be null.
const OrNull = " or null"

// group adds the key and what is kept for one.
func (y *Layout) group(g *Group, key []*spec.Field, calls []*spec.Call, aggregates []*spec.Aggregate) {
	for _, f := range key {
		line := fmt.Sprintf("key %s, %s", Quoted(f.Name), typeName(f.Type))
		if f.Type.Nullable {
			line += OrNull
		}
		y.Is = append(y.Is, line)
	}
	for _, p := range g.Pieces {
		y.Is = append(y.Is, p.Layout())
	}
	for _, a := range aggregates {
		y.Now = append(y.Now, fmt.Sprintf("column %s: %s", Quoted(a.Name), normalizer{calls: calls}.text(a.Expr)))
	}
}

// most adds how many values a piece may hold.
func (y *Layout) most(values int64) {
	if values > 0 {
		y.Now = append(y.Now, fmt.Sprintf("max_values %d", values))
	}
}

// kept are the pieces of an accumulator as layouts name them.
var kept = map[PieceKind]string{
	CountRows: "count", CountValue: "count of", CountTrue: "count if", SumInt: "sum of", SumDouble: "sum of", Least: "min of", Greatest: "max of", Earliest: "first of", Latest: "last of",
	SquaresInt: "squares of", Moments: "moments of", Values: "values of", Different: "different values of", Ranked: "first rows by",
	Registers: "registers of", Buckets: "buckets of",
}

// Layout is the piece in a layout. Equal texts mean equal bytes and equal values.
func (p *Piece) Layout() string {
	if p.Arg == nil {
		return "keep " + kept[p.Kind]
	}
	of := Normal(p.Arg.Expr)
	if p.Top != nil {
		of += p.Top.layout()
	}
	line := fmt.Sprintf("keep %s %s, %s", kept[p.Kind], of, typeName(p.Arg.Expr.Type))
	if p.Has != "" {
		line += OrNull
	}
	return line
}

// layout is what is kept of each row, and how many.
func (r *Ranks) layout() string {
	text := ""
	if r.Earliest {
		text = " from the earliest"
	}
	for i, f := range r.Fields {
		text += map[bool]string{true: " with ", false: " and "}[i == 0] + Normal(f.Expr) + " " + typeName(f.Expr.Type)
		if f.Has != "" {
			text += OrNull
		}
	}
	return fmt.Sprintf("%s at most %d", text, r.N)
}

// origin says where rows come from: from the nearest node that keeps something, or the source, and what was done to them on the way.
func (l *Pipeline) origin(r spec.Ref) string {
	var s *spec.Stage
	for _, stage := range l.Spec.Stages {
		if stage.Name == r.Node {
			s = stage
		}
	}
	if s == nil || s.Dedup != nil || s.Window != nil || s.Running != nil {
		return Quoted(r.Node) + strings.TrimSuffix("."+r.Output, ".")
	}
	from := make([]string, len(s.From))
	for i, r := range s.From {
		from[i] = l.origin(r)
	}
	rows := strings.Join(from, " and ")
	columns := func(all []*spec.Column) string {
		texts := make([]string, len(all))
		for i, c := range all {
			texts[i] = Quoted(c.Name) + ": " + Normal(c.Expr)
		}
		return strings.Join(texts, ", ")
	}
	switch {
	case s.Filter != nil:
		return rows + " where " + Normal(s.Filter.Cond)
	case s.Select != nil && s.Select.Set:
		return rows + " with " + columns(s.Select.Columns)
	case s.Select != nil:
		return rows + " as " + columns(s.Select.Columns)
	case s.Route != nil:
		var branches []string
		for _, b := range s.Route.Branches {
			branches = append(branches, Quoted(b.Name)+": "+Normal(b.Cond))
		}
		return fmt.Sprintf("%s routed to %s (%s)", rows, Quoted(r.Output), strings.Join(branches, ", "))
	case s.Top != nil:
		return fmt.Sprintf("%s, the first %d by %s", rows, s.Top.N, Quoted(s.Top.By.Name))
	case s.Apply != nil:
		return rows + " through " + s.Apply.Func
	}
	return rows
}

// Part is one value of a layout: a part of the key, or what is kept for a key.
type Part struct {
	Kind string // "by", "key", or of what is kept a value of kept: "sum of"
	Of   string // name of the field, or the normal form of an expression; "" of a count of rows
	Type string // of Of
	Null bool   // it may be null: of what is kept, it may have no value yet
}

// From says whether p can be made of a value that an earlier version kept: it is the same, or one of a type that all its values fit in, or it may be missing now.
func (p Part) From(old Part) bool {
	if p.Kind != old.Kind || p.Of != old.Of || old.Null && !p.Null {
		return false
	}
	switch p.Kind {
	case kept[CountRows], kept[CountValue], kept[CountTrue]: // whatever is counted
		return true
	case kept[SumInt], kept[Least], kept[Greatest], kept[Earliest], kept[Latest]:
		return p.Type == old.Type || old.Type == "int" && p.Type == "double" || p.Factor(old) > 0
	}
	return p.Type == old.Type
}

// Factor is by what an int or decimal of an earlier version is multiplied to be one of the scale of now; 0 when it cannot become one.
func (p Part) Factor(old Part) int64 {
	scale := func(typ string) int {
		n := -1
		if typ == "int" {
			n = 0
		}
		fmt.Sscanf(typ, "decimal(%d)", &n)
		return n
	}
	from, to := scale(old.Type), scale(p.Type)
	if from < 0 || to < from || p.Type == "int" && old.Type != "int" {
		return 0
	}
	factor := int64(1)
	for range to - from {
		factor *= 10
	}
	return factor
}

// Valueless says whether p may have no value though every row brings one: it was added, and an earlier version did not keep it.
func (p Part) Valueless() bool { return p.Bare() && p.Kind != "key" }

// Plain says whether the bytes of p are known from its words alone, so that they can be read though it is not kept any more.
func (p Part) Plain() bool {
	return p.Kind == kept[CountRows] || p.Kind == kept[CountValue] || p.Kind == kept[CountTrue] || p.Kind == kept[SumInt] || p.Bare()
}

// Bare says whether p is a value as it came: a part of a key, a minimum, a last one.
func (p Part) Bare() bool {
	return p.Kind == "key" || p.Kind == kept[Least] || p.Kind == kept[Greatest] || p.Timed()
}

// Timed says whether the event time of the value stands behind it.
func (p Part) Timed() bool { return p.Kind == kept[Earliest] || p.Kind == kept[Latest] }

// Sums says whether p is a sum.
func (p Part) Sums() bool { return p.Kind == kept[SumInt] }

// Key says whether p is a part of what the state goes by.
func (p Part) Key() bool { return p.Kind == "key" || p.Kind == "by" }

// Adds says whether state that is read from a version of that number lacks something of what is kept now: between them something was added.
func (y *Layout) Adds(version int) bool {
	by := y.By
	for _, was := range y.Was {
		if by == Add {
			return true
		}
		if was.Version == version {
			break
		}
		by = was.By
	}
	return false
}

// Partial says whether state of some version that is read lacks something of what is kept now.
func (y *Layout) Partial() bool {
	for _, was := range y.Reads() {
		if y.Adds(was.Version) {
			return true
		}
	}
	return false
}

// Parts are the values of a layout, in the order of the bytes. ok is false when a line is none that layouts have.
func (y *Layout) Parts() (parts []Part, ok bool) {
	if len(y.Is) < 2 || !strings.HasPrefix(y.Is[1], "time ") {
		return nil, false
	}
	for _, line := range y.Is[2:] {
		p, ok := partOf(line)
		if !ok {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, true
}

func partOf(line string) (p Part, ok bool) {
	word, rest, _ := strings.Cut(line, " ")
	if word == "keep" && rest == kept[CountRows] {
		return Part{Kind: rest}, true
	}
	rest, p.Null = strings.CutSuffix(rest, OrNull)
	at := strings.LastIndex(rest, ", ")
	if at < 0 {
		return p, false
	}
	p.Of, p.Type = rest[:at], rest[at+2:]
	switch word {
	case "by", "key":
		p.Kind = word
		return p, true
	case "keep":
		for _, kind := range kept {
			if of, found := strings.CutPrefix(p.Of, kind+" "); found && kind != kept[CountRows] {
				p.Kind, p.Of = kind, of
				return p, true
			}
		}
	}
	return p, false
}

// Lacks says what a layout that was read from a file lacks to be one, else "".
func (y *Layout) Lacks() string {
	if _, ok := y.Parts(); !ok {
		return "does not say what it is"
	}
	return ""
}
