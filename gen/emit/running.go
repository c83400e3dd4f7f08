package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// running adds a stage with one accumulator per key to the story.
func running(f *file, l *plan.Pipeline, s *plan.Stage) error {
	f.text(accumulator(s))
	if args := partial(s.Group); len(args) > 0 {
		f.text(arguments(s, args))
	}
	k := runningSkeleton(l, s)
	parts := []string{"running.go"}
	if s.Running.Publish != "" {
		parts = append(parts, "publish.go")
	}
	for _, part := range parts {
		text, err := k.specialise("running", part)
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

func runningSkeleton(l *plan.Pipeline, s *plan.Stage) skeleton {
	r := s.Running
	records := make([]string, len(l.Sources))
	for i, src := range l.Sources {
		records[i] = fmt.Sprintf("p.counts[%s]", src.Records)
	}
	if l.Merges() {
		records = append(records, "uint64(p.inputs.Steps)") // rows that a step makes stand between those of records
	}
	names := map[string]string{
		"Processor": l.Type, "stage": s.Method, "stageName": printable(s.Spec.Name),
		"stageIn": s.In.Rows, "stageOut": s.Out.Rows, "stageColumn": s.In.Column, "stageRows": s.Out.Column,
		"stageState": r.State, "stageKey": r.Key.Type, "stageAccumulator": r.Accumulator, "stageArguments": r.Arguments, "stageRow": r.Row.Type,
		"stageEmit": r.Emit, "stagePiece": s.Piece, "stageExpire": r.Expire, "stageExpireText": plan.Span(s.Spec.Running.Expire),
		"stageInCount": s.InCount, "stageFolded": r.Folded, "stageMade": r.Made, "stageEmitted": r.Emitted,
		"Since": r.Since().Name, "AsOf": r.AsOf().Name, "Revision": r.Revision().Name,
	}
	if r.Publish != "" {
		names["stagePublish"], names["stageEvery"], names["stageEveryText"] = r.Publish, r.Every, plan.Span(s.Spec.Running.Emit)
	}
	args := argumentsOf(l, s)
	key := keyOf(r.Key, "s.texts.Intern(s.seed, %s)")
	fold := folds(l, s)
	label := ""
	if jumps(args) {
		label = "rows:"
	}
	value := ""
	if uses(lines(args, s.In.At, key), "e") {
		value = fmt.Sprintf("e := &p.column.%s[r.Index]", s.In.Column)
	}
	slotKey := "a := s.totals.Slot(id)"
	if len(r.Key.Fields) > 0 {
		slotKey = "a, key := s.totals.Slot(id), &s.keys.Key[id]"
	}
	return skeleton{
		names: names,
		slots: map[string]string{
			"slotRecords": strings.Join(records, " + "), "slotBegin": begin(s, args+"\n"+key+"\n"+fold), "slotLabel": label, "slotValue": value, "slotArguments": args, "slotAt": s.In.At, "slotKey": key,
			"slotFull": full(l, s, fmt.Sprintf("if s.goes.Len() >= %s {\ns.drop(p.segments.Watermark[s.row[i].Record])\n}\n", maxKeys(l)),
				fmt.Sprintf("r := s.row[i]; s.goes.Len() >= %s && !s.totals.Has(id)", maxKeys(l)), fmt.Sprintf("p.counts[%s]--\n", r.Folded)),
			"slotFold": fold, "slotSlot": slotKey, "slotColumns": columns(l, s),
			"slotMark": marks(r.Key), "slotFree": frees(s.Group, "a"),
			"slotAppend": lines(strings.Join(appendKey(r.Key, "key"), "\n"), appends(s.Group)), "slotReadKey": readKeys(s), "slotRead": readAll(s),
		},
		flags: map[string]bool{
			"hasTexts": r.Key.Texts(), "hasBlobs": hasBlobs(s.Group), "hasArguments": len(partial(s.Group)) > 0, "canRefuse": r.Row.Bad > 0, "periodic": r.Publish != "",
		},
	}
}
