package checkpoint

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestFrames(t *testing.T) {
	want := []Frame{
		{Piece: Head, Expires: -5, Data: []byte("head")},
		{Piece: 1, Behind: Everything, Expires: math.MaxInt64, Data: nil},
		{Piece: 7, Behind: 3, Expires: math.MinInt64, Data: []byte{0}},
	}
	state := []byte("before")
	for i, f := range want {
		if i == 1 { // in two steps
			at := len(state)
			state = append(Begin(state, f.Piece), f.Data...)
			End(state, at, f.Expires, f.Behind)
		} else {
			state = AppendFrame(state, f)
		}
	}
	rest := state[len("before"):]
	for _, w := range want {
		var f Frame
		var err error
		if f, rest, err = Next(rest); err != nil || f.Piece != w.Piece || f.Behind != w.Behind || f.Expires != w.Expires || !bytes.Equal(f.Data, w.Data) {
			t.Errorf("%v %v, want %v", f, err, w)
		}
		if len(f.Data) != cap(f.Data) {
			t.Error("an append to the data of a frame would overwrite the next one")
		}
	}
	if len(rest) > 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
}

func TestFramesThatAreCut(t *testing.T) {
	state := AppendFrame(nil, Frame{Piece: 1, Data: []byte("data")})
	for n := range len(state) {
		if _, _, err := Next(state[:n]); err == nil {
			t.Errorf("%d of %d bytes are a frame", n, len(state))
		}
	}
	for i := 16; i < 24; i++ { // the length
		damaged := bytes.Clone(state)
		damaged[i] = 0xff
		if _, _, err := Next(damaged); err == nil || !strings.Contains(err.Error(), "are left") {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}

// commit makes the state of a commit at watermark w.
func commitAt(w int64, frames ...Frame) []byte {
	state := AppendFrame(nil, Frame{Piece: Head, Expires: w})
	for _, f := range frames {
		state = AppendFrame(state, f)
	}
	return state
}

// shown is what is left of some commits: data of each frame, a dot for a head.
func shown(t *testing.T, states [][]byte) string {
	t.Helper()
	var all []string
	for _, s := range states {
		text := ""
		for len(s) > 0 {
			f, rest, err := Next(s)
			if err != nil {
				t.Fatal(err)
			}
			if f.Piece == Head {
				text += "."
			}
			text += string(f.Data)
			s = rest
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func TestClean(t *testing.T) {
	frame := func(data string, piece, behind uint32, expires int64) Frame {
		return Frame{Piece: piece, Behind: behind, Expires: expires, Data: []byte(data)}
	}
	for _, tt := range []struct {
		name   string
		states [][]byte
		want   string
	}{
		{"none", nil, ""},
		{"one", [][]byte{commitAt(5, frame("a", 1, 0, 6))}, ".a"},
		{"only the last head", [][]byte{commitAt(5), commitAt(5), commitAt(5)}, "."},
		{"expired when the watermark is there", [][]byte{commitAt(5, frame("a", 1, Everything, 6), frame("b", 2, Everything, 7)), commitAt(6)}, "b ."},
		{"the watermark before any record", [][]byte{commitAt(math.MinInt64, frame("a", 1, Everything, math.MinInt64+1))}, ".a"},
		{"everything at the end", [][]byte{commitAt(5, frame("a", 1, Everything, 6)), commitAt(math.MaxInt64, frame("b", 1, Everything, Never))}, "."},
		{"a whole frame replaces", [][]byte{commitAt(1, frame("a", 1, 0, 9)), commitAt(1, frame("b", 1, 0, 9), frame("x", 2, Everything, 9)), commitAt(1, frame("c", 1, 0, 9))}, "x .c"},
		{"some behind", [][]byte{commitAt(1, frame("a", 1, 0, 9)), commitAt(1, frame("b", 1, 1, 9)), commitAt(1, frame("c", 1, 1, 9))}, "b .c"},
		{"more behind than there are", [][]byte{commitAt(1, frame("a", 1, 1000, 9)), commitAt(1, frame("b", 1, 1001, 9))}, "a .b"},
		{"a commit says nothing about a piece", [][]byte{commitAt(1, frame("a", 1, 0, 9)), commitAt(1, frame("b", 1, 1, 9)), commitAt(1), commitAt(1)}, "a b ."},
		{"what was needless stays so", [][]byte{commitAt(1, frame("a", 1, 0, 9)), commitAt(1, frame("b", 1, 0, 9)), commitAt(1, frame("c", 1, 2, 9))}, "b .c"},
	} {
		kept, err := Clean(tt.states)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := shown(t, kept); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, broken := range [][]byte{{1}, append(commitAt(1), commitAt(1)...), commitAt(1, frame("b", 2, 0, 0), frame("a", 1, 0, 0))} {
		if _, err := Clean([][]byte{broken}); err == nil {
			t.Errorf("%v is no error", broken)
		}
	}
}

// TestVersionsOfAPiece: a frame of a later version makes those of earlier ones needless, as one of the same version does.
func TestVersionsOfAPiece(t *testing.T) {
	var l Living
	for seq, piece := range []uint32{Piece(1, 1), Piece(1, 1), Piece(1, 3)} {
		state := AppendFrame(AppendFrame(nil, Frame{Piece: Head, Expires: 5}), Frame{Piece: piece, Behind: map[uint32]uint32{Piece(1, 1): Everything}[piece], Expires: Never})
		if err := l.Note(uint64(seq)+1, state); err != nil {
			t.Fatal(err)
		}
	}
	if l.Has(2, Frame{Piece: Piece(1, 1), Expires: Never}) || !l.Has(3, Frame{Piece: Piece(1, 3), Expires: Never}) {
		t.Error("a whole frame of version 3 leaves those of version 1 alive")
	}
	if p := Piece(7, 12); Number(p) != 7 || Version(p) != 12 || Piece(7, 1) != 7 {
		t.Error("number and version do not come back")
	}
	if err := l.Note(4, AppendFrame(AppendFrame(AppendFrame(nil, Frame{Piece: Head}), Frame{Piece: Piece(1, 3)}), Frame{Piece: Piece(2, 1)})); err != nil {
		t.Errorf("pieces in the order of their numbers: %v", err)
	}
	if err := l.Note(5, AppendFrame(AppendFrame(AppendFrame(nil, Frame{Piece: Head}), Frame{Piece: Piece(1, 1)}), Frame{Piece: Piece(1, 3)})); err == nil {
		t.Error("a commit with two versions of a piece is none")
	}
}
