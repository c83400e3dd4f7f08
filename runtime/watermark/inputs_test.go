package watermark

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestInputs: runs of records between two calls of Next are what a choice at each record gives, and so is the watermark behind each; inputs end, are idle and come back, and go through a commit.
func TestInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range 2000 {
		n := 1 + r.IntN(4)
		bounds := []int64{0, 3, 7}
		times := make([][]int64, n)
		s := NewInputs(bounds...)
		ranks := r.Perm(n)
		for i := range times {
			s.Add(r.IntN(len(bounds)))
			s.Input[i].Rank = ranks[i]
			at := int64(0)
			for range r.IntN(30) {
				at += int64(r.IntN(3))
				times[i] = append(times[i], at-int64(r.IntN(4)))
			}
		}
		type mark struct{ highest, value int64 }
		naive := make([]mark, n)
		for i := range naive {
			naive[i] = mark{stream.Never, stream.Never}
		}
		next, idle := make([]int, n), make([]bool, n)
		w := stream.Never
		least := func() int64 {
			all, ended, v := true, true, stream.Always
			for i := range naive {
				over := next[i] == len(times[i])
				ended = ended && over
				if !over && !idle[i] {
					all, v = false, min(v, naive[i].value)
				}
			}
			if all && !ended {
				return w
			}
			return max(w, v)
		}
		for {
			for i := range times {
				s.Input[i].Ended = next[i] == len(times[i])
			}
			if r.IntN(5) == 0 {
				i := r.IntN(n)
				s.Input[i].Idle, idle[i] = true, true
			}
			w = least()
			if got := s.Least(); got != w {
				t.Fatalf("seed %d: the inputs allow %d, want %d", seed, got, w)
			}
			s.Value = w
			input, until := s.Next(func(i int) bool { return next[i] < len(times[i]) })
			if input < 0 {
				break
			}
			m := s.Read(input)
			for first := true; next[input] < len(times[input]) && m.Highest <= until; first = false {
				best := -1
				for i := range naive {
					if next[i] < len(times[i]) && (best < 0 || naive[i].highest < naive[best].highest || naive[i].highest == naive[best].highest && ranks[i] < ranks[best]) {
						best = i
					}
				}
				if best != input {
					t.Fatalf("seed %d: a record of input %d (first %v), want one of %d", seed, input, first, best)
				}
				at := times[input][next[input]]
				x := &naive[input]
				x.highest = max(x.highest, at)
				x.value = max(x.value, at-bounds[m.Source])
				idle[input] = false
				w = least() // it may be its last record: that is known behind it
				next[input]++
				if got := s.Observe(m, at); got != w {
					t.Fatalf("seed %d: behind %d of input %d the watermark is %d, want %d", seed, at, input, got, w)
				}
			}
			if next[input] < len(times[input]) {
				if again, _ := s.Next(func(i int) bool { return next[i] < len(times[i]) }); again == input {
					t.Fatalf("seed %d: a run of input %d ended before its time", seed, input)
				}
			}
			if r.IntN(3) == 0 { // a restart
				b := AppendInputs(nil, &s)
				restored := NewInputs(bounds...)
				if !restored.Restore(reader(&b)) || len(b) > 0 {
					t.Fatalf("seed %d: not what was written", seed)
				}
				for i := range restored.Input {
					restored.Input[i].Rank = ranks[i]
					s.Input[i].Moved = false
				}
				if !slices.Equal(restored.Input, s.Input) || restored.Value != s.Value {
					t.Fatalf("seed %d: %+v, want %+v", seed, restored.Input, s.Input)
				}
				s = restored
			}
		}
		if w != stream.Always {
			t.Fatalf("seed %d: %d at the end", seed, w)
		}
	}
}

func reader(b *[]byte) func() int64 {
	return func() int64 {
		v, n := binary.Varint(*b)
		*b = (*b)[max(n, 0):]
		return v
	}
}

// TestInputsDamaged: no state that cannot be makes it loop or panic.
func TestInputsDamaged(t *testing.T) {
	for _, numbers := range [][]int64{{1, 0, 1 << 40}, {1, 0, -1}, {1, 0, 1, 2, 0, 0, 0}, {1, 0, 1, -1}} {
		var b []byte
		for _, n := range numbers {
			b = binary.AppendVarint(b, n)
		}
		s := NewInputs(5, 5)
		if s.Restore(reader(&b)) {
			t.Errorf("%v is accepted", numbers)
		}
	}
}

// TestLastInstant: a watermark at the end of time is not taken for that of inputs that are idle.
func TestLastInstant(t *testing.T) {
	s := NewInputs(0, 0)
	for source := range 2 {
		s.Observe(s.Read(s.Add(source)), int64(100*source))
	}
	s.Observe(s.Read(1), stream.Always)
	if w := s.Least(); w != 0 {
		t.Errorf("with an input at 0 the least watermark is %d", w)
	}
	s.Input[0].Ended = true
	if w := s.Least(); w != stream.Always {
		t.Errorf("without it the least watermark is %d", w)
	}
	s.Input[1].Idle = true
	if w := s.Least(); w != 0 {
		t.Errorf("when the other is idle the least watermark is %d, not where it was", w)
	}
}
