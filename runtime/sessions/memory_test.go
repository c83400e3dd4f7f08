package sessions

import (
	"runtime"
	"testing"
)

// TestBytesPerSession: an open session takes its accumulator, here of 24 bytes, and at most 100 more, its entry in the queue included, when each is the only one of its key; what a key takes once is in
// table's TestKeysBytes. One that is not the only one takes 44 more at most.
func TestBytesPerSession(t *testing.T) {
	const keys = 200_000
	held := func(each int) float64 {
		heap := func() float64 {
			runtime.GC()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return float64(m.HeapAlloc)
		}
		before := heap()
		x := new(Table[[3]int64])
		x.Grow(keys)
		for n := range int64(each) {
			for id := range uint32(keys) {
				at := n*100 + int64(id)%100
				behind, ahead := x.Around(id, at)
				x.Open(id, at, at+30, behind, ahead)
			}
		}
		bytes := heap() - before
		if x.Len() != keys*each {
			t.Fatal("sessions are missing")
		}
		return bytes
	}
	one, four := held(1), held(4)
	t.Logf("%.0f bytes for the only session of a key, %.0f for each of three more", one/keys, (four-one)/keys/3)
	if one/keys > 124 || (four-one)/keys/3 > 68 {
		t.Error("too many")
	}
}
