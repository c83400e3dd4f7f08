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
