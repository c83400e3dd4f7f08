package check

import (
	"fmt"
	"slices"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// reserved are the names of columns that windows give by themselves.
var reserved = []string{"window_start", "window_end", "partial", "revision"}

// window checks the words of a window that do not depend on its rows.
func (c *checker) window(n *load.Node) *spec.Window {
	w := &spec.Window{Late: c.late(n.Field("late"), true)}
	kind := c.exactlyOne(n, "window", []string{"tumbling", "hopping", "cumulative", "calendar", "session"}, `tumbling: "1m"`, "write two stages")
	switch {
	case kind == nil:
	case kind.Name == "hopping":
		c.hopping(kind, w)
	case kind.Name == "cumulative":
		c.cumulative(kind, w)
	case kind.Name == "calendar":
		c.calendar(kind, w)
	case kind.Name == "session":
		c.session(kind, w)
	default:
		w.Size, _ = c.duration(kind, 1)
	}
	c.offset(n.Field("offset"), w)
	c.firstRevision(n, w)
	if a := n.Field("aggregate"); len(a.Fields) == 0 {
		c.add(diag.NoAggregate, a.NamePos, a.Path, "the window has no aggregate", "write at least one column: aggregate: count: \"count()\"")
	}
	return w
}

// mostOverlaps bounds in how many windows a row can be: each of them is a row that leaves, so one record makes that many. With update a record changes each of them by itself, which
// takes about a microsecond.
func mostOverlaps(w *spec.Window) int64 {
	if w.Late.Policy == spec.LateUpdate {
		return 10_000
	}
	return 100_000
}

// overlapping reports windows of which too many hold a row: every is from one to the next, and next what it has to be.
func (c *checker) overlapping(n *load.Node, w *spec.Window, size, every, next int64) {
	with := ""
	if w.Late.Policy == spec.LateUpdate {
		with = ` with policy: "update"`
	}
	c.add(diag.SlideRange, n.Pos, n.Path, fmt.Sprintf("a row counts in %d windows, each of which gives a row of its own; the most%s is %d", (size-1)/every+1, with, mostOverlaps(w)),
		fmt.Sprintf("a %s of %q or more, or a shorter size", n.Name, span(next)))
}

// hopping checks the words of a window that hops.
func (c *checker) hopping(n *load.Node, w *spec.Window) {
	w.Kind = spec.Hopping
	slide := n.Field("slide")
	size, sized := c.duration(n.Field("size"), 1)
	every, slides := c.duration(slide, 1)
	if sized && slides && every > size {
		c.add(diag.SlideRange, slide.Pos, slide.Path, fmt.Sprintf("the slide %s is above the size %s: events between the windows would be in none", span(every), span(size)),
			fmt.Sprintf("a slide of %s or less; to leave events out write a filter in front", span(size)))
		slides = false
	}
	if least := (size-1)/mostOverlaps(w) + 1; sized && slides && every < least {
		c.overlapping(slide, w, size, every, least)
		slides = false
	}
	if sized && slides {
		w.Size, w.Slide = size, every
	}
}

// cumulative checks the words of a window that grows.
func (c *checker) cumulative(n *load.Node, w *spec.Window) {
	w.Kind = spec.Cumulative
	step := n.Field("step")
	size, sized := c.duration(n.Field("size"), 1)
	every, steps := c.duration(step, 1)
	if sized && steps && size%every != 0 {
		hint := fmt.Sprintf("a step of %s or less that divides it", span(size))
		for steps := size / max(every, size/10_000); steps > 0; steps-- { // from the step that was meant to longer ones
			if size%steps == 0 {
				hint = fmt.Sprintf("%q does", span(size/steps))
				break
			}
		}
		c.add(diag.SlideRange, step.Pos, step.Path, fmt.Sprintf("the step %s does not divide the size %s: the last result would not be that of the whole", span(every), span(size)), hint)
		steps = false
	}
	if sized && steps && size/every > mostOverlaps(w) {
		most := mostOverlaps(w)
		for size%most != 0 {
			most--
		}
		c.overlapping(step, w, size, every, size/most)
		steps = false
	}
	if sized && steps {
		w.Size, w.Slide = size, every
	}
}

// offset checks how far the windows are moved.
func (c *checker) offset(o *load.Node, w *spec.Window) {
	if o == nil {
		return
	}
	if w.Kind == spec.Session {
		c.add(diag.OffsetRange, o.NamePos, o.Path, "sessions have no offset: they begin with their first row", "leave offset out")
		return
	}
	if w.Kind == spec.Calendar {
		c.add(diag.OffsetRange, o.NamePos, o.Path, "calendar windows have no offset: they begin at midnight, and days differ in length", "choose the zone in whose midnight they begin; or leave offset out")
		return
	}
	ns, ok := c.duration(o, 0)
	most, of := w.Size, "window's length"
	if w.Kind == spec.Hopping {
		most, of = w.Slide, "slide"
	}
	if ok && most > 0 && ns >= most {
		c.add(diag.OffsetRange, o.Pos, o.Path, fmt.Sprintf("the offset %s is not below the %s %s", span(ns), of, span(most)), fmt.Sprintf("%q is the same alignment", span(ns%most)))
	}
	w.Offset = ns
}

// columns checks key and aggregates of a windowed stage over its rows, and makes the row that it gives. ok is false when there was a mistake.
func (c *checker) columns(n *load.Node, w *spec.Window, in *spec.Struct, name string) (out *spec.Struct, ok bool) {
	own := ownColumns{"windows keep it for a column of their own", reserved}
	if w.Retracts() {
		own.names = append(slices.Clone(reserved), "retracted")
	}
	w.Key, ok = c.groupKey(n, in, own)
	out = &spec.Struct{Name: name, Pos: n.NamePos, Fields: []*spec.Field{
		timeColumn("window_start", "Start of the window, inclusive.", n.NamePos),
		timeColumn("window_end", "End of the window, exclusive.", n.NamePos),
	}}
	for _, f := range w.Key {
		kept := column(f.Name, f.Doc, f.Pos, f.Type)
		kept.Longest = max(0, f.LongestText())
		out.Fields = append(out.Fields, kept)
	}
	aggregates, good := c.aggregates(n, in, out, own, &w.Calls)
	w.Aggregates = aggregates
	w.MaxValues = c.maxValues(n, w.Calls, good)
	if w.Retracts() {
		for _, f := range out.Fields[2+len(w.Key):] {
			f.Type, f.Null, f.Retractable = f.Type.OrNull(), true, true
		}
	}
	out.Fields = append(out.Fields, revisionColumns(n, w)...)
	return out, ok && good
}

// ownColumns are the names of columns that a stage gives by itself, and who keeps them, for messages.
type ownColumns struct {
	keeper string
	names  []string
}

// groupKey checks the key of a stage that groups its rows.
func (c *checker) groupKey(n *load.Node, in *spec.Struct, own ownColumns) (key []*spec.Field, ok bool) {
	list := n.Field("key")
	if list == nil {
		return nil, true
	}
	key, ok = c.keys(in, list, func(t *spec.Type) bool { return idType(t) || t.Kind == spec.Double }, "a key is of strings, bytes, ints, decimals, numbers, bools and times")
	for _, item := range list.List {
		if slices.Contains(own.names, item.Text) {
			c.reserved(item.Text, item.Pos, item.Path, "key field", own.keeper)
			ok = false
		}
	}
	return key, ok
}

// aggregates checks the aggregates of a stage that groups its rows, and adds them to out, which has the columns that they see outside of calls.
func (c *checker) aggregates(n *load.Node, in, out *spec.Struct, own ownColumns, calls *[]*spec.Call) (all []*spec.Aggregate, ok bool) {
	ok = true
	group := &spec.Struct{Name: out.Name, Pos: n.NamePos, Fields: slices.Clone(out.Fields)}
	for _, a := range n.Field("aggregate").Fields {
		switch {
		case !c.name(a.Name, a.NamePos, a.Path, "column"):
			ok = false
		case slices.Contains(own.names, a.Name):
			c.reserved(a.Name, a.NamePos, a.Path, "column", own.keeper)
			ok = false
		case find(group, a.Name) != nil:
			c.add(diag.ColumnTwice, a.NamePos, a.Path, fmt.Sprintf("the key field %q is a column of the result already", a.Name), "give the aggregate another name")
			ok = false
		}
		if key := n.Field("key"); key != nil && slices.ContainsFunc(key.List, func(item *load.Node) bool { return find(group, item.Text) == nil }) {
			ok = false
			continue // without its whole key the group is not known
		}
		known := len(*calls)
		e, problems := celexpr.Aggregate(a.Text, in, group, c.places(a), calls)
		for i, p := range problems {
			if p.Code == celexpr.CodeName && p.Hint == "" && slices.ContainsFunc(n.Field("aggregate").Fields, func(o *load.Node) bool { return p.Text == fmt.Sprintf("there is no field %q", o.Name) }) {
				problems[i].Hint = "columns do not see each other: repeat the expression, or compute with them in a select or set behind this stage"
			}
		}
		if c.problems(a, problems) {
			ok = false
			continue
		}
		c.never(a, e)
		c.quotients(a, e)
		for _, call := range (*calls)[known:] {
			c.never(a, call.Arg)
			c.never(a, call.Cond)
			c.quotients(a, call.Arg)
			for _, f := range call.Fields {
				c.never(a, f)
			}
		}
		if t := e.Type; t.Kind == spec.Object || t.Kind == spec.Duration || t.Kind == spec.Null || t.Kind == spec.List && t.Elem.Kind == spec.Duration {
			what, hint := kindName(t), "a column is a bool, an int, a double, a string, a timestamp or a list"
			switch t.Kind {
			case spec.Duration:
				hint = "int(…) gives its nanoseconds"
			case spec.List:
				what, hint = "a list of durations", "int(…) of each gives nanoseconds: list.map(x, int(x))"
			}
			c.add(diag.AggregateType, a.Pos, a.Path, "the column would be "+what, hint)
			ok = false
			continue
		}
		all = append(all, &spec.Aggregate{Name: a.Name, Doc: a.Doc, Pos: a.NamePos, Expr: e})
		out.Fields = append(out.Fields, column(a.Name, a.Doc, a.NamePos, e.Type))
	}
	return all, ok
}

// reserved reports a name that a stage keeps for a column of its own.
func (c *checker) reserved(name string, pos diag.Pos, path, what, keeper string) {
	c.add(diag.ReservedName, pos, path, fmt.Sprintf("%s cannot be the name of a %s: %s", name, what, keeper), "give it another name")
}

// column is a field of the row that a window gives.
func column(name string, doc []string, pos diag.Pos, t *spec.Type) *spec.Field {
	f := &spec.Field{Name: name, Doc: doc, Pos: pos, Type: t, Null: t.Nullable}
	if t.Kind == spec.Timestamp {
		f.Time = spec.RFC3339
	}
	return f
}

// timeColumn is a bound of the window as a column.
func timeColumn(name, doc string, pos diag.Pos) *spec.Field {
	return column(name, []string{doc}, pos, &spec.Type{Kind: spec.Timestamp})
}
