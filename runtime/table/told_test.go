package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTold holds what frames tell against a record of when each key was told last.
func TestTold(t *testing.T) {
	var keys Keys[uint64]
	add := func(k uint64) uint32 {
		keys.Reserve(1)
		cell, found := keys.Probe(uint32(k), k)
		if found {
			t.Fatalf("%d is there", k)
		}
		return keys.Add(cell, uint32(k), k)
	}
	frame := func(expires int64, anew bool, until int64, ids ...uint32) []uint32 {
		keys.Tell(expires, anew)
		dst := keys.AppendIDs(nil, ids, until)
		r := NewReader(dst)
		if n := r.Uint(); int(n) != len(ids) {
			t.Fatalf("%d ids instead of %d", n, len(ids))
		}
		return slices.Clone(keys.Untold())
	}
	a, b := add(1), add(2)
	keys.Ref(b)
	for i, step := range []struct {
		expires int64
		anew    bool
		until   int64
		ids     []uint32
		want    []uint32
	}{
		{100, true, 100, []uint32{a, b}, []uint32{a, b}},
		{100, false, 100, []uint32{a}, nil},
		{50, false, 50, []uint32{a}, nil},
		{150, false, 100, []uint32{a}, nil}, // an old window
		{150, false, 150, []uint32{a}, []uint32{a}},
		{120, false, 110, []uint32{b}, []uint32{b}}, // goes at 120, so it is known until 100
		{150, false, 100, []uint32{b}, nil},
		{150, false, 120, []uint32{b}, []uint32{b}},
		{150, false, 150, []uint32{b, a}, nil},
		{150, true, 120, []uint32{b, a}, []uint32{b, a}},
		{150, false, 150, []uint32{b, a}, nil},
	} {
		if got := frame(step.expires, step.anew, step.until, step.ids...); !slices.Equal(got, step.want) {
			t.Errorf("frame %d tells %d, want %d", i, got, step.want)
		}
		keys.Commit()
	}
	for range 2 { // nobody commits the first
		if got := frame(200, false, 200, a); !slices.Equal(got, []uint32{a}) {
			t.Errorf("%d", got)
		}
	}
	keys.Commit()
	if !keys.Evict(0) || add(3) != a {
		t.Fatal("the id is not used again")
	}
	if got := frame(200, false, 200, a); !slices.Equal(got, []uint32{a}) {
		t.Errorf("another key has the id, and the frame tells %d", got)
	}
	keys.Commit()
	for i := range int64(3 * mostEpochs) {
		frame(300+i, false, 300+i, b)
		keys.Commit()
	}
	if n := len(keys.told.epochs); n > mostEpochs {
		t.Errorf("%d epochs are remembered", n)
	}
	if got := frame(300+3*mostEpochs, false, 310, b); len(got) > 0 {
		t.Errorf("%d", got)
	}
}

// numberedLog is a head and a frame with one window, in which keys have the ids from 0 on, and these keys are told.
func numberedLog(below uint64, ids []uint32, keys ...string) (head, frame []byte) {
	frame = AppendSpan(AppendUint(nil, 1), 10, 20)
	at := len(frame)
	frame = AppendUint(AppendWord(frame, 0), uint64(len(ids)))
	for _, id := range ids {
		frame = AppendUint(frame, uint64(id))
	}
	for range ids {
		frame = AppendInt(frame, 7)
	}
	Enclose(frame, at)
	frame = AppendUint(frame, uint64(len(keys)))
	for i, key := range keys {
		frame = AppendUint(frame, uint64(i))
		at := len(frame)
		frame = Sized(append(frame, key...), at)
	}
	return AppendUint(nil, below), frame
}

// restoreNumbered reads that, at watermark w.
func restoreNumbered(head, frame []byte, w int64) (sum int64, keys *Keys[string], err error) {
	keys = new(Keys[string])
	r := NewReader(head)
	if keys.Numbers(&r); r.Done() != nil {
		return 0, nil, r.Done()
	}
	r = NewReader(frame)
	if keys.Frame(&r, w); r.Done() != nil {
		return 0, nil, r.Done()
	}
	var ids []uint32
	err = keys.Restored(func(r *Reader, start int64, told int) {
		ids = keys.IDs(r, ids[:0])
		for _, id := range ids {
			keys.Ref(id)
			sum += r.Int()
		}
	}, func(key string) uint32 { return uint32(len(key)) }, func(r *Reader) string { return string(r.Rest()) })
	return sum, keys, err
}

// TestRestoredKeys: ids that are named have their keys again, others are free, and what cannot be is an error.
func TestRestoredKeys(t *testing.T) {
	head, frame := numberedLog(9, []uint32{2, 0}, "a", "b", "c")
	sum, keys, err := restoreNumbered(head, frame, 19)
	if err != nil || sum != 14 || keys.Len() != 2 || keys.Key[0] != "a" || keys.Key[2] != "c" || keys.Has(1) {
		t.Fatalf("%v, sum %d, %+v", err, sum, keys)
	}
	for id, key := range map[uint32]string{0: "a", 2: "c"} {
		if got, found := keys.Probe(1, key); !found || got != id {
			t.Errorf("%s has id %d, %v", key, got, found)
		}
	}
	keys.Reserve(1)
	cell, _ := keys.Probe(1, "d")
	if id := keys.Add(cell, 1, "d"); id != 1 {
		t.Errorf("a new key has id %d, and 1 is free", id)
	}
	if sum, keys, err := restoreNumbered(head, frame, 20); err != nil || sum != 0 || keys.Len() != 0 {
		t.Errorf("%v, sum %d of a window that is over", err, sum)
	}
	for want, log := range map[string][2][]byte{
		"no commit tells which key has the id 1":        two(numberedLog(9, []uint32{1}, "a")),
		"ids 0 and 1 have the same key":                 two(numberedLog(9, []uint32{0, 1}, "a", "a")),
		"the id of a key is beyond all that there were": two(numberedLog(2, []uint32{2}, "a")),
		"more keys than there can be":                   two(numberedLog(1<<40, []uint32{0}, "a")),
	} {
		if _, _, err := restoreNumbered(log[0], log[1], 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func two(a, b []byte) [2][]byte { return [2][]byte{a, b} }

// TestDamagedNumbers: a frame that is damaged is an error or another state, never a panic and never more keys than the head, which has a sum of its own in a log, has counted.
func TestDamagedNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	head, good := numberedLog(1000, []uint32{2, 0, 300, 1}, "a", "b", "c", "d")
	for end := range good {
		if _, _, err := restoreNumbered(head, good[:end], 0); err == nil {
			t.Fatalf("%d of %d bytes are no error", end, len(good))
		}
	}
	failures := map[string]int{}
	for range 5000 {
		bad := slices.Clone(good)
		for range rng.IntN(3) + 1 {
			bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		}
		_, keys, err := restoreNumbered(head, bad, 0)
		if failures[fmt.Sprint(err)]++; keys != nil && keys.Cap() > 1000 {
			t.Fatalf("%d keys", keys.Cap())
		}
	}
	if len(failures) < 10 {
		t.Errorf("only %v", failures)
	}
}
