package table

import (
	"fmt"
	"runtime"
	"testing"
)

// heap is how many bytes are reachable.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// seenBytes is what the heap holds for each of live ids that a steady stream keeps alive, intervals being a sixteenth of the horizon as the planner makes them.
func seenBytes[K comparable](live int64, key func(n uint64) K, hash func(k K) uint32) float64 {
	before := heap()
	s := &Seen[K]{Interval: (live + 15) / 16}
	for now := int64(0); now < 3*live; {
		s.Reserve(256)
		for range 256 {
			k := key(uint64(now))
			cell, _, _ := s.Probe(hash(k), k)
			s.Put(cell, hash(k), k, now)
			now++
		}
		s.Expire(now-live, hash)
		s.Commit()
	}
	after := heap()
	runtime.KeepAlive(s)
	return float64(after-before) / float64(live)
}

// TestSeenBytesPerID: the index grows by a quarter, so that its part of an id depends on how many there are; the bound holds for all.
func TestSeenBytesPerID(t *testing.T) {
	seed := NewSeed()
	for live := int64(100_000); live < 220_000; live += 12_500 {
		ids := seenBytes(live, func(n uint64) Text { return Inline(fmt.Appendf(make([]byte, 0, 16), "%015d", n)) }, func(k Text) uint32 { return uint32(Hash2(seed, k.A, k.B)) })
		ints := seenBytes(live, func(n uint64) int64 { return int64(n) }, func(k int64) uint32 { return uint32(Hash1(seed, uint64(k))) })
		t.Logf("%d living ids: %.1f bytes for each of 15 characters, %.1f for each int", live, ids, ints)
		if ids > 40 || ints > 32 {
			t.Errorf("%d living ids: %.1f bytes for each of 15 characters, want at most 40; %.1f for each int, want at most 32", live, ids, ints)
		}
	}
}

// paneBytes is what the heap holds for each open (key, window) beside what it holds for each key: windows of which each has every stride-th of so many keys.
func paneBytes(keys, windows, stride int) float64 {
	before := heap()
	panes := new(Panes[[3]int64])
	open := 0
	for w := range windows {
		p := panes.At(int64(w))
		for id := w % stride; id < keys; id += stride {
			a, _ := p.Touch(uint32(id))
			a[0]++
			open++
		}
	}
	panes.Select(true)
	panes.Commit()
	after := heap()
	runtime.KeepAlive(panes)
	return float64(after-before) / float64(open)
}

// TestPaneBytesPerKey: an open (key, window) takes its accumulator, here of 24 bytes, and at most 24 more, whether a window has all keys or few of them. What a key takes
// once, however many windows have it, is in TestKeysBytes. Very small windows take pages of 64 accumulators each.
func TestPaneBytesPerKey(t *testing.T) {
	for _, c := range []struct{ keys, windows, stride int }{{100_000, 3, 1}, {130_000, 3, 1}, {160_000, 3, 1}, {200_000, 5, 2}, {200_000, 5, 3}, {200_000, 8, 4}, {200_000, 8, 5}, {200_000, 20, 10}, {1_000_000, 60, 100}, {3_000_000, 60, 1000}} {
		per := paneBytes(c.keys, c.windows, c.stride)
		t.Logf("%d windows of one in %d of %d keys: 24 + %.1f bytes for each open (key, window)", c.windows, c.stride, c.keys, per-24)
		if per > 24+24 {
			t.Errorf("%d windows of one in %d of %d keys: %.1f bytes for each open (key, window), want at most 48", c.windows, c.stride, c.keys, per)
		}
	}
}

// TestKeysBytes: what a key of 16 bytes takes once.
func TestKeysBytes(t *testing.T) {
	const n = 200_000
	before := heap()
	seed := NewSeed()
	keys := new(Keys[Text])
	var ids []uint32
	for i := range uint64(n) {
		k := Inline(fmt.Appendf(make([]byte, 0, 16), "%012d", i))
		keys.Reserve(1)
		h := uint32(Hash2(seed, k.A, k.B))
		cell, _ := keys.Probe(h, k)
		ids = append(ids, keys.Add(cell, h, k))
	}
	keys.Sort(ids, new(Texts).Lead, new(Texts).Compare)
	after := heap() - 4*int64(cap(ids))
	runtime.KeepAlive(keys)
	per := float64(after-before) / n
	t.Logf("%.1f bytes for each of %d keys", per, n)
	if per > 80 {
		t.Errorf("%.1f bytes for each of %d keys, want at most 80", per, n)
	}
}
