package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// windowed adds a stage with windows to the story: accumulator, state, the loop that folds, the close, and a function for each aggregate that can fail.
func windowed(f *file, l *plan.Pipeline, s *plan.Stage) error {
	w := s.Window
	f.text(accumulator(s))
	if args := partial(w.Group); len(args) > 0 {
		f.text(arguments(s, args))
	}
	text, err := windowSkeleton(l, s).specialise("window", "window.go")
	if err != nil {
		return err
	}
	f.text(text)
	var more []string
	switch {
	case w.Sliced && s.Spec.Updates():
		more = append(more, "merge.go", "revise.go", "revise_slice.go")
	case w.Sliced:
		more = append(more, "merge.go", "merged.go")
	case w.Growing:
		more = append(more, "merge.go", "merged.go", "growing.go")
	case s.Spec.Updates():
		more = append(more, "revise.go", "revise_pane.go")
	default:
		more = append(more, "emit.go")
	}
	switch {
	case s.Spec.Updates() && l.ByWindow(s):
		more = append(more, "revise_next.go")
	case s.Spec.Updates():
		more = append(more, "revise_step.go")
	case l.ByWindow(s):
		more = append(more, "next.go")
	default:
		more = append(more, "step.go")
	}
	switch {
	case s.Full != "" && overlaps(w):
		more = append(more, "limit.go")
	case s.Full != "" && w.Sliced && s.Spec.Updates():
		more = append(more, "limit_slice.go")
	}
	for _, part := range more {
		text, err := windowSkeleton(l, s).specialise("window", part)
		if err != nil {
			return err
		}
		f.text(text)
	}
	for _, a := range w.Aggregates {
		if a.Func != "" {
			f.add(fallible(l, s, a))
		}
	}
	return nil
}

// unfolded takes back what was counted of row r, which is refused in the end. bounds is the statement that finds its windows, and passed by when those that are over had ended.
func unfolded(s *plan.Stage, bounds, passed string) string {
	w := s.Window
	text := fmt.Sprintf("p.counts[%s]--\n", w.Folded)
	if w.Partial == "" {
		return text
	}
	span := w.Size
	if s.Spec.Window.Kind == spec.Cumulative {
		span = w.Slide
	}
	call := strings.TrimPrefix(bounds, "start, end, ok := ")
	if uses(call, "e") && !uses(s.In.Origin, "e") {
		text += fmt.Sprintf("e := &p.column.%s[r.Index]\n", s.In.Column)
	}
	return text + fmt.Sprintf("first, _, _ := %s\np.counts[%s] -= uint64(window.Missed(%s, first+%s, %s))\n", call, w.Partial, passed, span, w.Slide)
}

// overlaps says whether a row is folded into several windows.
func overlaps(w *plan.Window) bool { return w.Slide != "" && !w.Sliced && !w.Growing }

func windowSkeleton(l *plan.Pipeline, s *plan.Stage) skeleton {
	w := s.Window
	names := stageNames(l, s)
	for placeholder, name := range map[string]string{
		"stageState": w.State, "stageKey": w.Key.Type, "stageAccumulator": w.Accumulator, "stageArguments": w.Arguments, "stageRow": w.Row.Type,
		"stageRows": s.Out.Column, "stageEmit": w.Emit, "stageClose": w.Close, "stagePiece": s.Piece, "stageCloseNext": w.Close, "stageTimeRange": w.TimeRange,
		"stageFolded": w.Folded, "stageOpened": w.Opened, "stageMade": w.Made, "stageEmitted": w.Emitted, "stagePartial": w.Partial, "stageSlide": w.Slide, "stageWindows": folded(s.Spec.Window),
		"stageAtOnce": "stream.RowsAtOnce",
		"WindowStart": w.Row.Fields[0].Name, "WindowEnd": w.Row.Fields[1].Name,
	} {
		names[placeholder] = name
	}
	delete(names, "stagePassedCount")
	bounds, start, end, due := aligned(s)
	names["stageSize"], names["stageOffset"], names["stageSpan"] = w.Size, w.Offset, w.Size
	names["stagePanes"], names["stageEmitNext"] = fmt.Sprintf("table.Panes[%s]", w.Accumulator), w.Emit
	free := frees(w.Group, "a") // of a row that has left
	var slice, opens, last, reached string
	switch {
	case w.Sliced:
		names["stagePanes"] = fmt.Sprintf("table.Slices[%s]", w.Accumulator)
		slice = fmt.Sprintf("window.Slice(%s, %s, %s%%%s, %s)", s.In.At, w.Slide, w.Size, w.Slide, w.Offset)
		opens, free = "start := end - "+w.Size, ""
		last = strings.ReplaceAll(end, "pane.Start", "start")
		reached = fmt.Sprintf("window.Start(now, %s, %s)", w.Slide, offsetOf(w.Offset, w.Size, w.Slide))
	case w.Growing:
		opens, free = fmt.Sprintf("start := window.Start(end-1, %s, %s)", w.Size, w.Offset), ""
	}
	passed, over := "p.segments.Watermark[r.Record]", end
	empty := emptied(l, s)
	if s.Spec.Updates() {
		names["stageCloseAll"], names["stageCloseOne"], names["stageEmitOf"], names["stageChanged"], names["stageRevise"] = w.Close, w.Close, w.Emit, w.Changed, w.Revise
		names["stageChangedSlice"], names["stageLateness"], names["opensSlice"] = w.Changed, w.Allowed, "opens"
		names["stageFirst"], names["Revision"] = w.First, w.Row.Field("revision").Name
		passed, over = fmt.Sprintf("window.Behind(p.segments.Watermark[r.Record], %s)", w.Allowed), fmt.Sprintf("window.Add(%s, %s)", end, w.Allowed)
		free = ""
	}
	calendar := ""
	switch of := s.Spec.Window; of.Kind {
	case spec.Cumulative:
		names["stageSpan"] = w.Slide
	case spec.Calendar:
		calendar = fmt.Sprintf("s.calendar = calendar.New(%s, calendar.%s)", w.Zone, exportedUnit(of.Unit))
	}
	appended := appendsSince(w.Group, "s.panes.Commits()", "!changed || pane.Repeats(place)")
	if w.Growing { // an accumulator goes from one pane to another
		appended = appends(w.Group)
	}
	args := argumentsOf(l, s)
	key := keyOf(w.Key, "s.texts.Intern(s.seed, %s)")
	fold := folds(l, s)
	label := ""
	if jumps(args) {
		label = "rows:"
	}
	value := ""
	if uses(lines(args, bounds, key), "e") {
		value = fmt.Sprintf("e := &p.column.%s[r.Index]", s.In.Column)
	}
	crowded := fmt.Sprintf("s.panes.Len() >= %s && !(found && s.panes.Has(s.start[i], id))", maxKeys(l))
	if overlaps(w) {
		crowded = fmt.Sprintf("s.panes.Len()+s.opens(i, id, found) > %s", maxKeys(l))
	}
	if w.Sliced && s.Spec.Updates() {
		crowded = fmt.Sprintf("s.panes.Len()+s.again.Len()+s.opens(s.start[i], p.segments.Watermark[r.Record], id, found) > %s", maxKeys(l))
	}
	of := "pane.Slot(id)"
	switch {
	case w.Sliced:
		of = "s.panes.Sum(id)"
	case w.Growing:
		of = "s.panes.Open[0].Slot(id)"
	}
	slotKey := "a := " + of
	if len(w.Key.Fields) > 0 {
		slotKey = "a, key := " + of + ", &s.keys.Key[id]"
	}
	next := strings.ReplaceAll(end, "pane.", "s.panes.Open[0].")
	if w.Sliced || w.Growing {
		next = "s.next(p.segments.Before())"
	}
	keyOfID := ""
	if len(w.Key.Fields) > 0 {
		keyOfID = "key := &s.keys.Key[id]"
	}
	rowState := ""
	if uses(lines(keyOfID, columns(l, s)), "s") {
		rowState = "s := &p.state." + s.Method
	}
	return skeleton{
		names: names,
		doc:   s.Spec.Doc,
		slots: map[string]string{
			"slotBegin": begin(s, args+"\n"+key+"\n"+fold), "slotLabel": label, "slotValue": value, "slotArguments": args, "slotOrigin": s.In.Origin, "slotKey": key,
			"slotPassed": passed, "slotOver": over, "slotEmpty": empty, "slotRowState": rowState,
			"slotCalendar": calendar, "slotBounds": bounds, "slotStart": start, "slotEnd": end, "slotNext": next, "slotDue": due, "slotSlice": slice, "slotLast": last, "slotReached": reached, "slotKeyOf": keyOfID, "slotOpens": opens, "slotMerge": mergesOf(w),
			"slotFull": full(l, s, "", "r := s.row[i]; "+crowded, unfolded(s, bounds, passed)),
			"slotFold": fold, "slotSlot": slotKey, "slotColumns": lines(columns(l, s), free),
			"slotMark": marks(w.Key), "slotFree": frees(w.Group, "pane.Slot(id)"),
			"slotAppendKey": appendKeyOf(w.Key), "slotAppend": appended, "slotReadKey": readKeys(s), "slotRead": readAll(s),
		},
		flags: map[string]bool{
			"hasTexts": w.Key.Texts(), "hasBlobs": hasBlobs(w.Group), "hasArguments": len(partial(w.Group)) > 0, "canRefuse": w.Row.Bad > 0, "takesRecords": w.Records,
			"overlaps": overlaps(w), "sliced": w.Sliced, "growing": w.Growing, "byCalendar": w.Zone != "", "updates": s.Spec.Updates(),
		},
	}
}

// aligned is the arithmetic of the windows of a stage: the statement that finds those of row e, the start and the end of the window of pane, and the first end above w.
func aligned(s *plan.Stage) (bounds, start, end, due string) {
	w := s.Window
	call := func(function, at string, more ...string) string {
		return fmt.Sprintf("window.%s(%s)", function, strings.Join(append([]string{at}, more...), ", "))
	}
	switch s.Spec.Window.Kind {
	case spec.Hopping:
		bounds, due = call("Hops", s.In.At, w.Size, w.Slide, w.Offset), call("Due", "w", w.Slide, offsetOf(w.Offset, w.Size, w.Slide))
		if w.Sliced {
			end = call("Start", "pane.Start", w.Slide, w.Offset) + " + " + w.Size
			return "start, end, ok := " + bounds, "", end, due
		}
	case spec.Cumulative:
		bounds, due = call("Steps", s.In.At, w.Size, w.Slide, w.Offset), call("Due", "w", w.Slide, offsetOf(w.Offset, "", w.Slide))
		if w.Growing {
			return "start, end, ok := " + bounds, "", "s.ends(pane.Start)", due
		}
		return "start, end, ok := " + bounds, call("Start", "pane.Start", w.Size, w.Offset), "pane.Start + " + w.Slide, due
	case spec.Calendar:
		return fmt.Sprintf("start, end, ok := s.calendar.Bounds(%s)", s.In.At), "pane.Start", "s.calendar.End(pane.Start)", "s.calendar.Due(w)"
	default:
		bounds, due = call("Bounds", s.In.At, w.Size, w.Offset), call("Due", "w", w.Size, w.Offset)
	}
	return "start, end, ok := " + bounds, "pane.Start", "pane.Start + " + w.Size, due
}

// offsetOf is (offset + size) % slide as a Go expression; a size of "" is none.
func offsetOf(offset, size, slide string) string {
	switch {
	case offset != plan.NoOffset && size != "":
		return fmt.Sprintf("(%s+%s)%%%s", offset, size, slide)
	case offset != plan.NoOffset:
		return offset + "%" + slide
	case size != "":
		return size + "%" + slide
	}
	return offset
}

// exportedUnit is the unit of a calendar as package calendar names it.
func exportedUnit(u spec.CalendarUnit) string { return [...]string{"Day", "Week", "Month"}[u] }

// folded says where a row goes, for the comment of the loop.
func folded(w *spec.Window) string {
	switch w.Kind {
	case spec.Hopping:
		return fmt.Sprintf("the windows of %s that hold it, one of which begins every %s", plan.Span(w.Size), plan.Span(w.Slide))
	case spec.Cumulative:
		return fmt.Sprintf("the windows of its %s that end behind it, one of which does every %s", plan.Span(w.Size), plan.Span(w.Slide))
	case spec.Calendar:
		return fmt.Sprintf("its %s in %s", w.Unit, printable(w.Zone))
	}
	return "its window of " + plan.Span(w.Size)
}

// groupScope is the scope of aggregates: a is the accumulator, row the row in the making, s the stage's state.
func groupScope(l *plan.Pipeline, s *plan.Stage, call func(i int) (value, has jen.Code)) *exprScope {
	return &exprScope{
		Field:  func(path []*spec.Field) (value, has jen.Code) { return fieldOf(l.Package, "row", path) },
		Item:   func(row string, path []*spec.Field) (value, has jen.Code) { return fieldOf(l.Package, row, path) },
		Struct: func(of *spec.Struct) string { return l.Package.Struct(of).Type },
		Call:   call,
		Fault: func(at *spec.Expr, fault jen.Code) jen.Code {
			return jen.Return(jen.Id(s.FaultSite(at)), fault)
		},
		Regexp: l.Package.Regexp,
		Zone:   l.Package.Zone,
	}
}

// callValue is the value of an aggregate call that cannot fail.
func callValue(w *plan.Group, i int) (value, has jen.Code) {
	c := w.Calls[i]
	switch c.Spec.Func {
	case spec.Variance, spec.Stddev:
		return spreadValue(c)
	case spec.Distinct:
		return jen.Id("a").Dot(c.Value.Name).Dot("Len").Call(), nil
	case spec.Percentile:
		return percentileValue(c)
	case spec.ApproxDistinct:
		return jen.Id("a").Dot(c.Value.Name).Dot("Estimate").Call(jen.Op("&s.blobs")), nil
	case spec.ApproxPercentile:
		if c.Spec.Type.Nullable {
			has = jen.Parens(jen.Op("a." + c.Value.Name + ".Len(&s.blobs) > 0"))
		}
		return jen.Op(fmt.Sprintf("a.%s.Rank(&s.blobs, %d, %d)", c.Value.Name, c.Spec.Part, c.Spec.Of)), has
	case spec.TopOf, spec.Collect:
		return rankedValue(c)
	}
	if c.Sum != nil {
		if c.Count != nil && c.Spec.Type.Nullable {
			has = jen.Parens(jen.Id("a").Dot(c.Count.Name).Op(">").Lit(0))
		}
		var count *jen.Statement
		if c.Count != nil {
			count = jen.Id("a").Dot(c.Count.Name)
			if has != nil { // nothing is divided by nothing where the value is null
				count = jen.Max(count, jen.Lit(1))
			}
		}
		switch {
		case c.Spec.Func == spec.Sum && c.Sum.Kind == plan.SumDouble:
			return jen.Id("a").Dot(c.Sum.Name).Dot("Value").Call(), has
		case c.Spec.Func == spec.Sum:
			return jen.Id("int64").Call(jen.Id("a").Dot(c.Sum.Name).Dot("Lo")), has
		case c.Spec.Arg.Type.Kind == spec.Decimal:
			return jen.Id("a").Dot(c.Sum.Name).Dot("OverUnits").Call(count, jen.Lit(c.Spec.Arg.Type.Scale)), has
		case c.Sum.Kind == plan.SumInt:
			return jen.Id("a").Dot(c.Sum.Name).Dot("Over").Call(count), has
		}
		return jen.Id("a").Dot(c.Sum.Name).Dot("Value").Call().Op("/").Float64().Call(count), has
	}
	v := jen.Id("a").Dot(c.Value.Name)
	if c.Value.Has != "" {
		has = jen.Id("a").Dot(c.Value.Has)
	}
	if c.Value.Blob {
		return jen.Op("stream.View").Call(jen.Id("s").Dot("blobs").Dot("Bytes").Call(v)), has
	}
	return v, has
}

// percentileValue is the value of percentile.
func percentileValue(c plan.Call) (value, has jen.Code) {
	of := "table.OfOrderedInt"
	if c.Spec.Type.Kind == spec.Double {
		of = "table.OfOrdered"
	}
	if c.Spec.Type.Nullable {
		has = jen.Parens(jen.Op("a." + c.Value.Name + ".Len() > 0"))
	}
	return jen.Op(fmt.Sprintf("%s(a.%s.Rank(&s.blobs, %d, %d))", of, c.Value.Name, c.Spec.Part, c.Spec.Of)), has
}

// spreadValue is the value of variance and stddev.
func spreadValue(c plan.Call) (value, has jen.Code) {
	of := "a." + c.Value.Name
	n, v := of+".N", of+".Variance()"
	if c.Value.Kind == plan.SquaresInt {
		n = "a." + c.Count.Name
		v = fmt.Sprintf("%s.Variance(a.%s, %s, %d)", of, c.Sum.Name, n, c.Spec.Arg.Type.Scale)
	}
	if c.Spec.Func == spec.Stddev {
		v = "math.Sqrt(" + v + ")"
	}
	return jen.Op(v), jen.Parens(jen.Op(n + " > 1"))
}

// columns sets the columns of row from the key and the accumulator.
func columns(l *plan.Pipeline, s *plan.Stage) string {
	w := s.Group
	var out []string
	if w.Row.Bad > 0 {
		out = append(out, "refusal := stream.Refused{Row: r}")
	}
	out = append(out, keyFields(w)...)
	if s.Window != nil && s.Window.First != "" && !s.Spec.Updates() {
		out = append(out, fmt.Sprintf("row.%s = %s", w.Row.Field("revision").Name, s.Window.First))
	}
	if w.Partial != nil {
		start := w.Row.Fields[0]
		if s.Running != nil {
			start = s.Running.Since()
		}
		out = append(out, fmt.Sprintf("row.%s = row.%s <= p.partial.%s", w.Partial.Name, start.Name, s.Method))
	}
	scope := groupScope(l, s, func(i int) (jen.Code, jen.Code) { return callValue(w, i) })
	first := true
	for _, a := range w.Aggregates {
		text := ""
		if a.Func == "" {
			before, value, has := scope.value(a.Spec.Expr)
			text = lines(block(before), setColumn(a.Field, a.Spec.Expr, value, has))
		} else {
			refuse := "refusal.Site, refusal.Fault = site, fault\n"
			if !first { // the first one that fails is the reason
				refuse = "if refusal.Site == 0 {\n" + refuse + "}\n"
			}
			first = false
			text = fmt.Sprintf("if site, fault := p.%s(a, &row); fault != 0 {\nrow.bad[%d] = true\n%s}", a.Func, a.Bad, refuse)
		}
		if a.Spec.Blank {
			text = fmt.Sprintf("if !row.%s { // else it would be made of what came before and what did not\n%s\n}", w.Partial.Name, text)
		}
		out = append(out, text)
	}
	text := lines(out...)
	if uses(text, "in") {
		text = "in := p.in\n" + text
	}
	return text
}

// keyFields are the statements that set the columns of row from the key.
func keyFields(w *plan.Group) []string {
	var out []string
	for _, k := range w.Key.Fields {
		value := "key." + k.Name
		if k.Text() {
			value = fmt.Sprintf("p.in.Keep(s.texts.Bytes(key.%s, new([16]byte)))", k.Name)
		}
		if k.Has == "" {
			out = append(out, fmt.Sprintf("row.%s = %s", k.Out.Name, value))
		} else {
			out = append(out, fmt.Sprintf("if key.%s {\nrow.%s, row.%s = %s, true\n}", k.Has, k.Out.Name, k.Out.Has, value))
		}
	}
	return out
}

// keyColumns sets the columns of the key of id in row.
func keyColumns(w *plan.Group) string {
	if len(w.Key.Fields) == 0 {
		return ""
	}
	return lines(append([]string{"key := &s.keys.Key[id]"}, keyFields(w)...)...)
}

// setColumn sets a column of row to the value of an expression.
func setColumn(f *plan.Field, e *spec.Expr, value, has jen.Code) string {
	v := render(value)
	if e.Type.Kind.Text() {
		v = fmt.Sprintf("p.in.KeepText(%s)", v)
	}
	switch {
	case f.Has == "":
		return fmt.Sprintf("row.%s = %s", f.Name, v)
	case has == nil:
		return fmt.Sprintf("row.%s, row.%s = %s, true", f.Name, f.Has, v)
	}
	return fmt.Sprintf("if %s {\nrow.%s, row.%s = %s, true\n}", render(has), f.Name, f.Has, v)
}

// fallible is the function of an aggregate that can fail: it sets the column, or says where it failed and why.
func fallible(l *plan.Pipeline, s *plan.Stage, a *plan.Aggregate) jen.Code {
	w := s.Group
	var body []jen.Code
	checked := map[int]string{} // int sums that this aggregate uses
	bound := map[*plan.Piece]bool{}
	for i, c := range w.Calls {
		if c.Spec.Holds() && plan.UsesCall(a.Spec.Expr, i) && !bound[c.Value] {
			bound[c.Value] = true
			body = append(body, jen.If(jen.Op("a."+c.Value.Name+".Over")).Block(jen.Return(jen.Id(a.Bound), jen.Op("stream.FaultValues"))))
		}
		if c.Spec.Func != spec.Sum || c.Sum.Kind != plan.SumInt || !plan.UsesCall(a.Spec.Expr, i) {
			continue
		}
		name := fmt.Sprintf("sum%d", len(checked)+1)
		if len(checked) == 0 {
			name = "sum"
		}
		checked[i] = name
		body = append(body,
			jen.List(jen.Id(name), jen.Id("ok")).Op(":=").Id("a").Dot(c.Sum.Name).Dot("Int64").Call(),
			jen.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id(a.Overflow), jen.Op("stream.FaultOverflow"))),
		)
	}
	scope := groupScope(l, s, func(i int) (value, has jen.Code) {
		value, has = callValue(w, i)
		if name := checked[i]; name != "" {
			value = jen.Id(name)
		}
		return value, has
	})
	scope.Taken = append(slices.Collect(maps.Values(checked)), "ok")
	before, value, has := scope.value(a.Spec.Expr)
	body = append(body, before...)
	body = append(body, jen.Op(setColumn(a.Field, a.Spec.Expr, value, has)), jen.Return(jen.Lit(0), jen.Lit(0)))
	text := block(body)
	if uses(text, "in") {
		body = append([]jen.Code{jen.Id("in").Op(":=").Add(member("in"))}, body...)
	}
	if uses(text, "s") {
		body = append([]jen.Code{jen.Id("s").Op(":=").Op("&").Add(member("state", s.Method))}, body...)
	}
	return comment(fmt.Sprintf("%s sets %s: %s.", a.Func, a.Spec.Name, oneLine(a.Spec.Expr.Text))).
		Func().Params(receiver(l)).Id(a.Func).Params(jen.Id("a").Op("*").Id(w.Accumulator), jen.Id("row").Op("*").Id(w.Row.Type)).
		Params(jen.Id("site").Uint16(), jen.Id("fault").Op("stream.Fault")).Block(body...)
}

// emptied removes the rows of the step before, where the stage's records have not left some in this one.
func emptied(l *plan.Pipeline, s *plan.Stage) string {
	switch {
	case s.Spec.Updates() && !s.Window.Records:
		return ""
	case s.Spec.Updates() && l.Uncuts():
		return fmt.Sprintf("p.rows.%s = p.rows.%[1]s[:0]\nif len(p.refused) == 0 { // else dead letters are made of rows that records have left\n\tp.column.%[2]s = p.column.%[2]s[:0]\n}", s.Out.Rows, s.Out.Column)
	}
	return fmt.Sprintf("p.column.%[1]s, p.rows.%[2]s = p.column.%[1]s[:0], p.rows.%[2]s[:0]", s.Out.Column, s.Out.Rows)
}
