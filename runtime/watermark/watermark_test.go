package watermark

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

func TestTrailsTheHighestTimeAndNeverGoesBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		bound := int64(rng.Uint64N(1000))
		in := New(bound)
		if in.Value != stream.Never {
			t.Fatal("the watermark before the first record is not minus infinity")
		}
		highest, want := stream.Never, stream.Never
		for range 100 {
			at := rng.Int64N(5000) - 2500
			if before := in.Observe(at); before != want {
				t.Fatalf("before %d: %d, want %d", at, before, want)
			}
			highest = max(highest, at)
			want = highest - bound
			if in.Value != want || in.Highest != highest {
				t.Fatalf("after %d: %d of %d, want %d of %d", at, in.Value, in.Highest, want, highest)
			}
		}
		in.End()
		if in.Observe(math.MaxInt64); in.Value != stream.Always {
			t.Fatal("an ended input went back")
		}
		if in.Reset(); in != New(bound) {
			t.Fatal("Reset left something")
		}
	}
}

func TestIsHeldAtTheLowestTime(t *testing.T) {
	in := New(10)
	for _, c := range []struct{ at, want int64 }{
		{math.MinInt64, stream.Never}, {math.MinInt64 + 9, stream.Never}, {math.MinInt64 + 11, math.MinInt64 + 1}, {math.MinInt64 + 3, math.MinInt64 + 1},
		{math.MaxInt64, math.MaxInt64 - 10},
	} {
		if in.Observe(c.at); in.Value != c.want {
			t.Fatalf("after %d: %d, want %d", c.at, in.Value, c.want)
		}
	}
}
