package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// dedup lets the first copy of each id through.
func dedup(f *file, l *plan.Pipeline, s *plan.Stage) error {
	k := dedupSkeleton(l, s)
	text, err := k.specialise("dedup", "dedup.go")
	if err != nil {
		return err
	}
	f.text(text)
	return nil
}

func dedupSkeleton(l *plan.Pipeline, s *plan.Stage) skeleton {
	d := s.Dedup
	names := stageNames(l, s)
	for placeholder, name := range map[string]string{
		"stageState": d.State, "stageKey": d.Key.Type, "stageHorizon": d.Horizon, "stageTrusted": d.Trusted(), "stageInterval": d.Interval, "stagePiece": s.Piece,
		"stageDuplicate": d.Duplicate, "stageHorizonText": plan.Span(s.Spec.Dedup.Horizon),
	} {
		names[placeholder] = name
	}
	var known []string
	for _, f := range d.Key.Fields {
		if f.Field.Has != "" {
			known = append(known, "e."+f.Field.Has)
		}
		if f.Empty() {
			known = append(known, fmt.Sprintf("e.%s.Len > 0", f.Field.Name))
		}
	}
	passNoID := s.Spec.Dedup.PassNoID && len(known) > 0
	refuse := ""
	if d.NoID != "" {
		refuse = fmt.Sprintf("if %s {\n\tp.refused = append(p.refused, stream.Refused{Row: %s, Site: %s, Fault: stream.FaultNoID})\n\tcontinue\n}", negation(known), s.In.Origin, d.NoID)
	}
	key := keyOf(d.Key, "table.ID(s.seed, %s)")
	names["stageMaxKeys"] = maxKeys(l)
	value := ""
	if uses(s.In.Origin, "e") {
		value = fmt.Sprintf("e := &p.column.%s[r.Index]\n", s.In.Column)
	}
	return skeleton{
		names: names,
		doc:   s.Spec.Doc,
		slots: map[string]string{
			"slotBegin": begin(s, key), "slotRefuse": refuse, "slotKey": key, "slotKnown": strings.Join(known, " && "), "slotAt": s.In.At,
			"slotFull": fmt.Sprintf("%sp.refused = append(p.refused, stream.Refused{Row: %s, Site: %s, Fault: stream.FaultFull})", value, s.In.Origin, s.Full),
		},
		flags: map[string]bool{"passNoID": passNoID, "limited": s.Full != ""},
	}
}

// negation of a conjunction of "e.HasX" and "e.X.Len > 0".
func negation(terms []string) string {
	not := make([]string, len(terms))
	for i, t := range terms {
		if field, ok := strings.CutSuffix(t, " > 0"); ok {
			not[i] = field + " == 0"
		} else {
			not[i] = "!" + t
		}
	}
	return strings.Join(not, " || ")
}
