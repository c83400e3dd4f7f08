package emit

import (
	"fmt"

	"github.com/streamwright/streamwright/gen/plan"
)

// sessions adds a stage whose windows are sessions to the story: accumulator, state, the loop that folds, the end of sessions, and a function for each aggregate that can fail.
func sessions(f *file, l *plan.Pipeline, s *plan.Stage) error {
	f.text(accumulator(s))
	if args := partial(s.Group); len(args) > 0 {
		f.text(arguments(s, args))
	}
	ends := "step.go"
	if l.ByWindow(s) {
		ends = "next.go"
	}
	parts := []string{"session.go", ends}
	if s.Spec.Updates() {
		parts = append(parts, "revise.go")
	} else {
		parts = append(parts, "settle.go")
	}
	for _, part := range parts {
		text, err := sessionSkeleton(l, s).specialise("session", part)
		if err != nil {
			return err
		}
		f.text(text)
	}
	for _, a := range s.Group.Aggregates {
		if a.Func != "" {
			f.add(fallible(l, s, a))
		}
	}
	return nil
}

func sessionSkeleton(l *plan.Pipeline, s *plan.Stage) skeleton {
	w := s.Window
	names := stageNames(l, s)
	for placeholder, name := range map[string]string{
		"stageState": w.State, "stageKey": w.Key.Type, "stageAccumulator": w.Accumulator, "stageArguments": w.Arguments, "stageRow": w.Row.Type,
		"stageRows": s.Out.Column, "stageEmit": w.Emit, "stageClose": w.Close, "stageCloseNext": w.Close, "stagePiece": s.Piece, "stageGap": w.Gap, "stageMax": w.Max, "stageTimeRange": w.TimeRange,
		"stageFolded": w.Folded, "stageOpened": w.Opened, "stageMerged": w.Merged, "stageCut": w.Cut, "stageMade": w.Made, "stageEmitted": w.Emitted,
		"stageGapText": plan.Span(s.Spec.Window.Gap), "stageMaxText": plan.Span(s.Spec.Window.Max),
		"WindowStart": w.Row.Fields[0].Name, "WindowEnd": w.Row.Fields[1].Name,
	} {
		names[placeholder] = name
	}
	delete(names, "stagePassedCount")
	names["stageMakeRow"], names["stageRevise"], names["stageRetract"] = w.MakeRow, w.Revise, w.Retract
	over := "end"
	if s.Spec.Updates() {
		names["stageLateness"], names["stageFirst"] = w.Allowed, w.First
		names["Revision"], names["Retracted"] = w.Row.Field("revision").Name, w.Row.Field("retracted").Name
		over = fmt.Sprintf("window.Add(end, %s)", w.Allowed)
	}
	args := argumentsOf(l, s)
	key := keyOf(w.Key, "s.texts.Intern(s.seed, %s)")
	fold := folds(l, s)
	label := ""
	if jumps(args) {
		label = "rows:"
	}
	value := ""
	if uses(lines(args, s.In.At, key), "e") {
		value = fmt.Sprintf("e := &p.column.%s[r.Index]", s.In.Column)
	}
	slotKey := "a := &session.Value"
	if len(w.Key.Fields) > 0 {
		slotKey = "a, key := &session.Value, &s.keys.Key[id]"
	}
	takes, record, settled := "session != nil && session.Start <= start && start < session.End && uint64(end-session.Start) <= "+w.Max, "uint32(p.segments.Last)", ""
	if l.Uncut(s) {
		takes, record = takes+" && session.End > w", "p.segments.Crossing(x.End)"
		settled = fmt.Sprintf("if s.sessions.Len() >= %s {\ns.settleAll(w)\n}\n", maxKeys(l))
	}
	state := func(text string) string {
		if uses(text, "s") {
			return "s := &p.state." + s.Method
		}
		return ""
	}
	return skeleton{
		names: names,
		doc:   s.Spec.Doc,
		slots: map[string]string{
			"slotBegin": begin(s, args+"\n"+key+"\n"+fold), "slotLabel": label, "slotValue": value, "slotArguments": args, "slotOrigin": s.In.Origin, "slotAt": s.In.At, "slotKey": key,
			"slotFull":  full(l, s, settled, fmt.Sprintf("r := s.row[i]; s.sessions.Len() >= %s", maxKeys(l)), fmt.Sprintf("p.counts[%s]--\n", w.Folded)),
			"slotTakes": takes, "slotRecord": record,
			"slotFold": fold, "slotMerge": merges(w.Group), "slotSlot": slotKey, "slotColumns": columns(l, s),
			"slotMark": marks(w.Key), "slotFree": frees(w.Group, "session.Value"),
			"slotAppendKey": appendKeyOf(w.Key), "slotRowState": state(slotKey + "\n" + columns(l, s)), "slotKeyState": state(keyColumns(w.Group)), "slotOver": over, "slotEmpty": emptied(l, s), "slotKeyColumns": keyColumns(w.Group), "slotAppend": appends(w.Group), "slotReadKey": readKeys(s), "slotRead": readAll(s),
		},
		flags: map[string]bool{
			"hasTexts": w.Key.Texts(), "hasBlobs": hasBlobs(w.Group), "hasArguments": len(partial(w.Group)) > 0, "canRefuse": w.Row.Bad > 0, "updates": s.Spec.Updates(), "uncut": l.Uncut(s),
		},
	}
}
