package checkpoint

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	state := func(head string, pieces ...string) []byte {
		var s []byte
		if head != "" {
			s = AppendFrame(s, Frame{Piece: Head, Data: []byte(head)})
		}
		for i, p := range pieces {
			if p != "" {
				s = AppendFrame(s, Frame{Piece: uint32(i) + 1, Data: []byte(p)})
			}
		}
		return s
	}
	for _, c := range []struct {
		name    string
		commits [][]byte
		fails   string // piece whose data f refuses
		want    string
		err     string
	}{
		{"none", nil, "", "", ""},
		{"one", [][]byte{state("h", "a", "b")}, "", "0h 1a 2b ", ""},
		{"the last head first", [][]byte{state("h1", "a1", "b1"), state("h2", "", "b2")}, "", "0h2 1a1 2b1 2b2 ", ""},
		{"what was cleaned", [][]byte{state("", "a1"), state("", "", "b2"), state("h3")}, "", "0h3 1a1 2b2 ", ""},
		{"no head", [][]byte{state("h1"), state("", "a2")}, "", "", "head of the last commit: it does not begin with its head"},
		{"cut", [][]byte{state("h1", "a1")[:30], state("h2")}, "", "0h2 ", "commit 1 of 2, piece 0: the header of a frame"},
		{"refused", [][]byte{state("h1", "a1", "b1"), state("h2")}, "b1", "0h2 1a1 2b1 ", "commit 1 of 2, piece 2: no"},
		{"head refused", [][]byte{state("h1")}, "h1", "0h1 ", "head of the last commit: no"},
	} {
		got := ""
		err := Read(c.commits, func(f Frame) error {
			got += fmt.Sprintf("%d%s ", f.Piece, f.Data)
			if c.fails == string(f.Data) {
				return errors.New("no")
			}
			return nil
		})
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: read %q, want %q; error %v, want %q", c.name, got, c.want, err, c.err)
		}
	}
}
