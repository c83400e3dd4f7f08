package table

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

type pair struct{ a, b int64 }

func comparePairs(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) }

func (p pair) lead(at int) (a, b uint64) {
	if at > 0 {
		return 0, 0
	}
	return uint64(p.a) ^ 1<<63, uint64(p.b) ^ 1<<63
}

func TestKeysAgainstAMap(t *testing.T) {
	for name, hash := range hashes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			seed := NewSeed()
			var keys Keys[pair]
			model := map[pair]uint32{}
			refs := map[uint32]int{}
			evicted, few, reused := 0, 0, 0
			for step := range 3000 {
				n := rng.IntN(20)
				keys.Reserve(n)
				for range n {
					k := pair{int64(rng.IntN(20)) - 10, int64(step/10 + rng.IntN(20))}
					h := hash(Hash2(seed, uint64(k.a), uint64(k.b)))
					_ = keys.Hint(h)
					id, found := keys.Probe(h, k)
					if want, ok := model[k]; ok != found || ok && id != want {
						t.Fatalf("%v: id %d, found %v, want %d, %v", k, id, found, want, ok)
					}
					if !found {
						most := keys.Cap()
						id = keys.Add(id, h, k)
						if int(id) < most {
							reused++
						}
						for other, old := range model {
							if old == id {
								t.Fatalf("%v and %v have id %d", other, k, id)
							}
						}
						model[k] = id
					}
					if keys.Key[id] != k || !keys.Has(id) || int(id) >= keys.Cap() {
						t.Fatalf("id %d is not of %v", id, k)
					}
					if rng.IntN(3) > 0 {
						keys.Ref(id)
						refs[id]++
					}
				}
				for id := range refs {
					if refs[id] > 0 && rng.IntN(3) == 0 {
						keys.Unref(id)
						refs[id]--
					}
				}
				if rng.IntN(3) == 0 {
					var ids []uint32
					n := rng.IntN(len(model)/8 + 1)
					if rng.IntN(2) == 0 {
						n = rng.IntN(len(model) + 1)
					}
					for _, id := range model {
						if len(ids) < n {
							ids = append(ids, id)
						}
					}
					if len(ids)*16 < len(model) {
						few++
					}
					want := slices.Clone(ids)
					slices.SortFunc(want, func(a, b uint32) int { return comparePairs(keys.Key[a], keys.Key[b]) })
					keys.Sort(ids, pair.lead, comparePairs)
					if !slices.Equal(ids, want) {
						t.Fatalf("step %d: not in key order: %v, want %v", step, ids, want)
					}
				}
				if rng.IntN(4) == 0 {
					slack := rng.IntN(50)
					unused := 0
					for _, id := range model {
						if refs[id] == 0 {
							unused++
						}
					}
					due := unused > slack && unused*2 >= len(model)
					if keys.Evict(slack) != due {
						t.Fatalf("step %d: %d of %d keys unreferenced, slack %d: evicted %v", step, unused, len(model), slack, !due)
					}
					if due {
						evicted++
						for k, id := range model {
							if refs[id] == 0 {
								delete(model, k)
								if keys.Has(id) {
									t.Fatalf("id %d survived", id)
								}
							}
						}
					}
				}
				if keys.Len() != len(model) {
					t.Fatalf("step %d: %d keys, want %d", step, keys.Len(), len(model))
				}
				if step == 2000 {
					keys.Reset()
					clear(model)
					clear(refs)
				}
			}
			if evicted < 3 || few < 3 || reused < 3 {
				t.Fatalf("%d evictions, %d small sorts, %d ids used again", evicted, few, reused)
			}
		})
	}
}

func TestKeysWithoutFields(t *testing.T) {
	var keys Keys[struct{}]
	keys.Reserve(1)
	cell, found := keys.Probe(0, struct{}{})
	if found {
		t.Fatal("found in an empty table")
	}
	id := keys.Add(cell, 0, struct{}{})
	if again, found := keys.Probe(0, struct{}{}); !found || again != id {
		t.Fatal("the only key is not found")
	}
	ids := []uint32{id}
	if keys.Sort(ids, func(struct{}, int) (a, b uint64) { return 0, 0 }, func(a, b struct{}) int { return 0 }); ids[0] != id {
		t.Fatal("sorted into another key")
	}
}

// Keys that never repeat: each closes after a while; memory stays flat and nothing is allocated.
func TestKeysOfASoak(t *testing.T) {
	var keys Keys[pair]
	var panes Panes[pair]
	var ids []uint32
	compare := comparePairs // a method value, as generated code passes it, must not allocate either
	next := int64(0)
	window := func() {
		keys.Reserve(500)
		pane := panes.At(next)
		for range 500 {
			next++
			k := pair{next % 7, next}
			h := uint32(Hash1(Seed{1, 2, 3, 4}, uint64(next)))
			id, found := keys.Probe(h, k)
			if !found {
				id = keys.Add(id, h, k)
			}
			a, fresh := pane.Touch(id)
			if !fresh || *a != (pair{}) {
				t.Fatal("a new key has an old accumulator")
			}
			keys.Ref(id)
			a.a = next
		}
		if len(panes.Open) > 3 {
			oldest := panes.Open[0]
			ids = oldest.IDs(ids[:0])
			keys.Sort(ids, pair.lead, compare)
			for i, id := range ids {
				keys.Unref(id)
				if i > 0 && comparePairs(keys.Key[ids[i-1]], keys.Key[id]) >= 0 {
					t.Fatal("not in key order")
				}
			}
			panes.Drop()
		}
		keys.Evict(256)
	}
	for range 200 {
		window()
	}
	if n := testing.AllocsPerRun(200, window); n != 0 {
		t.Errorf("%v allocations in a window", n)
	}
	if keys.Cap() > 2*2000+256+500 {
		t.Errorf("%d ids for at most 2000 referenced keys", keys.Cap())
	}
}

func BenchmarkKeys(b *testing.B) {
	const users = 100_000
	seed := NewSeed()
	var keys Keys[Text]
	key := func(i int) (Text, uint32) {
		k := Inline([]byte(fmt.Sprintf("user-%06d", i)))
		return k, uint32(Hash2(seed, k.A, k.B))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var texts [1 << 16]Text
	var hash [1 << 16]uint32
	for i := range texts {
		texts[i], hash[i] = key(rng.IntN(users))
	}
	var panes Panes[struct {
		n   int64
		sum float64
	}]
	for i := range users {
		k, h := key(i)
		keys.Reserve(1)
		cell, _ := keys.Probe(h, k)
		keys.Ref(keys.Add(cell, h, k))
	}
	b.Run("probe", func(b *testing.B) {
		sum := uint32(0)
		for i := range b.N {
			id, _ := keys.Probe(hash[i&0xffff], texts[i&0xffff])
			sum += id
		}
	})
	b.Run("touch", func(b *testing.B) {
		p := panes.At(0)
		for i := range b.N {
			a, _ := p.Touch(hash[i&0xffff] % users)
			a.n++
			a.sum += 1.5
		}
	})
	b.Run("sort", func(b *testing.B) { // per row
		p := panes.At(60)
		for i := range texts {
			p.Touch(hash[i] % users)
		}
		var texts Texts
		var ids []uint32
		for i := 0; i < b.N; i += len(ids) {
			ids = p.IDs(ids[:0])
			keys.Sort(ids, texts.Lead, texts.Compare)
		}
	})
}
