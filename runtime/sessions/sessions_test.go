package sessions

import (
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestArmedForEver: a key that has something to do at the end of time is told once, however often it was armed.
func TestArmedForEver(t *testing.T) {
	var x Table[struct{}]
	x.Grow(3)
	x.Open(2, 10, 20, nil, nil)
	if got := x.Due(nil, 20); !slices.Equal(got, []uint32{2}) {
		t.Fatalf("due at 20: %v", got)
	}
	for range 3 {
		x.Arm(2, stream.Always)
	}
	if got := x.Due(nil, stream.Always); !slices.Equal(got, []uint32{2}) {
		t.Errorf("due at the end of time: %v", got)
	}
}

// TestArmedForTheEndOfTime: what is to be done at the end of time is not due at the instant before it, which a watermark reaches.
func TestArmedForTheEndOfTime(t *testing.T) {
	var x Table[struct{}]
	x.Grow(3)
	x.Open(2, 10, 20, nil, nil)
	x.Due(nil, 20)
	x.Arm(2, stream.Always)
	if got := x.Due(nil, stream.Always-1); len(got) > 0 {
		t.Errorf("due at the last instant: %v", got)
	}
	if got := x.Due(nil, stream.Always); !slices.Equal(got, []uint32{2}) {
		t.Errorf("due at the end of time: %v", got)
	}
}
