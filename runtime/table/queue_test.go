package table

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestQueue holds Queue against a sorted list: times near and far, before the one that was reached, at both ends of time, the same ones twice.
func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	times := func(all []Due) []int64 {
		var of []int64
		for _, d := range all {
			of = append(of, d.At)
		}
		slices.Sort(of)
		return of
	}
	for range 300 {
		var q Queue
		var want []int64
		reached := stream.Never
		for id := range uint32(300) {
			switch r.IntN(6) {
			case 0, 1, 2:
				at := []int64{stream.Never, stream.Always, r.Int64N(1000) - 500, r.Int64N(1000) - 500, int64(r.Uint64()), max(reached, -1<<40) + r.Int64N(1<<r.IntN(40))}[r.IntN(6)]
				q.Push(at, id)
				want = append(want, at)
				slices.Sort(want)
			case 3, 4:
				reached = max(reached, []int64{r.Int64N(1000) - 500, max(reached, -1000) + r.Int64N(100), q.Next(), stream.Always - 1 - r.Int64N(1<<62)}[r.IntN(8)%4*r.IntN(2)])
				n, _ := slices.BinarySearch(want, reached+1)
				if reached == stream.Always {
					n = len(want)
				}
				if got := times(q.Due(nil, reached)); !slices.Equal(got, want[:n]) {
					t.Fatalf("due at %d: %d, want %d", reached, got, want[:n])
				}
				want = want[n:]
			case 5:
				if r.IntN(20) > 0 {
					break
				}
				if got := times(q.Take(nil)); !slices.Equal(got, want) {
					t.Fatalf("took %d, want %d", got, want)
				}
				want = nil
			}
			next := stream.Always
			if len(want) > 0 {
				next = max(want[0], reached) // one that was reached is due at once
			}
			if got := q.Next(); q.Len() != len(want) || got != next && (len(want) == 0 || want[0] > reached || got > reached) {
				t.Fatalf("next %d of %d, want %d of %d", got, q.Len(), next, len(want))
			}
		}
		q.Reset()
		if q.Len() != 0 || q.Next() != stream.Always || len(q.Due(nil, stream.Always)) != 0 {
			t.Fatal("a reset leaves entries")
		}
	}
}

// TestQueueAllocations: entries that come and go take no new memory.
func TestQueueAllocations(t *testing.T) {
	var q Queue
	var due []Due
	now := int64(0)
	round := func() {
		for id := range uint32(5000) {
			q.Push(now+int64(id)*17%30_000, id)
			if id%100 == 0 {
				now += 1000
				for _, d := range q.Due(due[:0], now) {
					if d.At%3 == 0 {
						q.Push(now+20_000, d.ID)
					}
				}
			}
		}
		now += 100_000
		due = q.Due(due[:0], now)
	}
	round()
	round()
	if n := testing.AllocsPerRun(5, round); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkQueue prints what it takes to enter a key and to get it again three times, of 26,000 whose times are up to half a minute away, when time goes on by 64 ms at a time.
func BenchmarkQueue(b *testing.B) {
	const keys, span, step = 26_000, int64(30e9), int64(64e6)
	r := rand.New(rand.NewPCG(1, 2))
	var q Queue
	var due []Due
	now := int64(1_700_000_000_000_000_000)
	for id := range uint32(keys) {
		q.Push(now+r.Int64N(span), id)
	}
	for n := 0; n < b.N; {
		now += step
		due = q.Due(due[:0], now)
		for _, d := range due {
			q.Push(now+span/2+int64(d.ID)*7919%(span/2), d.ID)
		}
		n += len(due)
	}
}
