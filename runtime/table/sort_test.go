package table

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
		"deep": func(rng *rand.Rand) string { return strings.Repeat("a", rng.IntN(3)*16+27) + fmt.Sprint(rng.IntN(1e4)) },
		"deeper": func(rng *rand.Rand) string {
			return strings.Repeat("a", deepest+rng.IntN(40)) + fmt.Sprint(rng.IntN(1e4))
		},
		"branches": func(rng *rand.Rand) string { // many equal ones at each end of a lead, of which some end there
			s := make([]byte, 0, 80)
			for _, n := range []int{11, 16, 16, 16} {
				for range n - 1 {
					s = append(s, 'a')
				}
				if s = append(s, byte('a'+rng.IntN(2))); rng.IntN(6) == 0 {
					return string(s[:len(s)-rng.IntN(2)])
				}
			}
			return string(s) + fmt.Sprint(rng.IntN(500))
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
				keys.Sort(ids, texts.Lead, texts.Compare)
				if !slices.Equal(ids, want) {
					t.Fatal("not in the order of the keys")
				}
			}
		})
	}
}

// TestSortNumbers: leads of numbers differ in any of their bytes, in few keys or in many.
func TestSortNumbers(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		hashes := NewSeed()
		var ns Keys[uint64]
		var bytes [3]int
		for i := range bytes {
			bytes[i] = rng.IntN(8)
		}
		first := rng.Uint64()
		for range 2*fewLed + rng.IntN(2*fewLed) {
			n := first
			for _, at := range bytes[:1+rng.IntN(len(bytes))] {
				n = n&^(0xff<<(8*at)) | uint64(rng.IntN(256)&rng.IntN(256))<<(8*at)
			}
			ns.Reserve(1)
			hash := uint32(Hash2(hashes, n, 0))
			if id, found := ns.Probe(hash, n); !found {
				ns.Ref(ns.Add(id, hash, n))
			}
		}
		ids := make([]uint32, ns.Len())
		for i, at := range rng.Perm(len(ids)) {
			ids[i] = uint32(at)
		}
		ns.Sort(ids, func(n uint64, at int) (uint64, uint64) {
			if at > 0 {
				return 0, 0
			}
			return n, 0
		}, cmp.Compare[uint64])
		if !slices.IsSortedFunc(ids, func(a, b uint32) int { return cmp.Compare(ns.Key[a], ns.Key[b]) }) {
			t.Fatalf("seed %d: not in the order of the keys", seed)
		}
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
