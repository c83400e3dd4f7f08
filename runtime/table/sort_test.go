package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortByLeads: many new keys at once, in all ways in which their leads can say little: equal beginnings, long strings, strings of which one begins the other.
func TestSortByLeads(t *testing.T) {
	kinds := map[string]func(rng *rand.Rand) string{
		"digits": func(rng *rand.Rand) string { return fmt.Sprintf("user-%09d", rng.IntN(1e6)) },
		"short":  func(rng *rand.Rand) string { return fmt.Sprint(rng.IntN(1e4)) },
		"zeros":  func(rng *rand.Rand) string { return string(make([]byte, rng.IntN(40))) },
		"long":   func(rng *rand.Rand) string { return fmt.Sprintf("a long beginning %030d", rng.IntN(1e5)) },
		"limit": func(rng *rand.Rand) string {
			return "abcdefghij" + []string{"", "k", "kl", "klmno", "klmnop", "z"}[rng.IntN(6)] + fmt.Sprint(rng.IntN(300))
		},
		"bytes":   func(rng *rand.Rand) string { return string(noise(rng, rng.IntN(20))) },
		"numbers": func(rng *rand.Rand) string { return string(noise(rng, 8)) },
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			seed := NewSeed()
			var texts Texts
			var keys Keys[Text]
			for round := range 4 {
				for range fewLed*(1+rng.IntN(20)) + round/3*2*mostLed { // in the last round some are dealt out first
					k := texts.Intern(seed, []byte(kind(rng)))
					hash := uint32(Hash2(seed, k.A, k.B))
					keys.Reserve(1)
					if id, found := keys.Probe(hash, k); !found {
						keys.Ref(keys.Add(id, hash, k))
					}
				}
				ids := make([]uint32, keys.Len())
				for i, at := range rng.Perm(len(ids)) {
					ids[i] = uint32(at)
				}
				want := slices.Clone(ids)
				slices.SortFunc(want, func(a, b uint32) int {
					var roomA, roomB [16]byte
					return slices.Compare(texts.Bytes(keys.Key[a], &roomA), texts.Bytes(keys.Key[b], &roomB))
				})
				keys.Sort(ids, Text.Lead, texts.Compare)
				if !slices.Equal(ids, want) {
					t.Fatal("not in the order of the keys")
				}
			}
		})
	}
}

func noise(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestOrdered(t *testing.T) {
	floats := []float64{-1e300, -2, -1, -5e-324, 0, 5e-324, 0.5, 1, 1e300}
	for i, f := range floats[1:] {
		if Ordered(floats[i]) >= Ordered(f) {
			t.Errorf("%v is not before %v", floats[i], f)
		}
	}
}
