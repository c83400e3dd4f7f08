package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// merges adds what the accumulator b holds to a. Both have folded a row; of equal times those of b count as the later ones. b stays as it is: what it owns in
// the blobs of the stage remains its own.
func merges(w *plan.Group) string {
	var out []string
	for _, p := range w.Pieces {
		out = append(out, mergePiece(w, p))
	}
	return lines(out...)
}

// sharedMerges is merges where a may share the texts of b.
func sharedMerges(w *plan.Group) string {
	var out []string
	for _, p := range w.Pieces {
		text := mergePiece(w, p)
		if p.Blob {
			text = strings.ReplaceAll(text, fmt.Sprintf("s.blobs.Set(a.%s, s.blobs.Bytes(b.%s))", p.Name, p.Name), "b."+p.Name)
		}
		out = append(out, text)
	}
	return lines(out...)
}

// mergesOf is what puts accumulators of a window together.
func mergesOf(w *plan.Window) string {
	switch {
	case w.Sliced:
		return sharedMerges(w.Group)
	case w.Growing:
		return merges(w.Group)
	}
	return ""
}

// mergePiece adds what b holds of a piece to a.
func mergePiece(w *plan.Group, p *plan.Piece) string {
	a, b := "a."+p.Name, "b."+p.Name
	switch p.Kind {
	case plan.Values:
		return fmt.Sprintf("%s.Merge(&s.blobs, &%s, %s)", a, b, w.MaxValues)
	case plan.Ranked:
		return fmt.Sprintf("%s.Merge(&s.blobs, &%s, &%s)", a, p.Top.Var, b)
	case plan.Registers, plan.Buckets:
		return fmt.Sprintf("%s.Merge(&s.blobs, &%s)", a, b)
	case plan.Different:
		return fmt.Sprintf("%s.Merge%s(&s.blobs, s.seed, &%s, %s)", a, textsOf(p), b, w.MaxValues)
	case plan.CountRows, plan.CountValue, plan.CountTrue:
		return fmt.Sprintf("%s += %s", a, b)
	case plan.SumInt, plan.SumDouble, plan.SquaresInt, plan.Moments:
		return fmt.Sprintf("%s.Merge(%s)", a, b)
	}
	better, set := betterPiece(p, b, "b."+p.At), fmt.Sprintf("%s = %s", a, b)
	if p.Blob {
		better = betterPiece(p, fmt.Sprintf("string(s.blobs.Bytes(%s))", b), "b."+p.At)
		set = fmt.Sprintf("%s = s.blobs.Set(%s, s.blobs.Bytes(%s))", a, a, b)
	}
	if p.At != "" {
		set += fmt.Sprintf("\na.%s = b.%s", p.At, p.At)
	}
	if p.Has == "" {
		return fmt.Sprintf("if %s {\n%s\n}", better, set)
	}
	return fmt.Sprintf("if b.%[1]s && (!a.%[1]s || %[2]s) {\n%[3]s\na.%[1]s = true\n}", p.Has, better, set)
}
