package oracle

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// top keeps of each window and group the rows that are first by a field. The rows of a window come in one step.
type top struct{ *spec.Stage }

func (top) step(*run, int64) {}

func (n *top) take(p *run, rows []*row) {
	t := n.Top
	var ranked []*row
	for _, r := range rows {
		p.count(n.Name, "Folded", "folded")
		if r.values[t.By.Name] != nil {
			ranked = append(ranked, r)
		}
	}
	group := func(a, b *row) int {
		return cmp.Or(compare(a.values["window_end"], b.values["window_end"]), compare(a.values["window_start"], b.values["window_start"]),
			compareKeys(key(t.Per, a.values), key(t.Per, b.values)))
	}
	windowKey := p.stage(n.InFrom).Window.Key
	slices.SortStableFunc(ranked, func(a, b *row) int {
		return cmp.Or(group(a, b), compare(b.values[t.By.Name], a.values[t.By.Name]), compareKeys(key(t.Ties, a.values), key(t.Ties, b.values)),
			compareKeys(key(windowKey, a.values), key(windowKey, b.values)))
	})
	rank := int64(0)
	for i, r := range ranked {
		if rank++; i == 0 || group(ranked[i-1], r) != 0 {
			rank = 1
		}
		if rank > t.N {
			continue
		}
		out := &row{maps.Clone(r.values), r.at, r.made}
		out.values["rank"] = big.NewInt(rank)
		p.count(n.Name, "Made", "made")
		p.count(n.Name, "Out", "out")
		p.give(n.Name, "", out)
	}
}
