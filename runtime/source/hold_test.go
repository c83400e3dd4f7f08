package source

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestHold: the last line of an input that a later run goes on with is a record when it has its newline, at whatever byte the file ended when a run came by.
func TestHold(t *testing.T) {
	for _, c := range []struct {
		name, text string
		from       int // the shortest that can be opened
		o          Options
	}{
		{"json", "\ufeff{\"n\":1}\r\n\n{\"n\":22}\n" + strings.Repeat("y", 300) + "\n{\"n\":3}\n", 0, Options{}},
		{"csv", "n,m\n1,a\n22,\"b\nc\"\n" + strings.Repeat("y", 300) + "\n3,d\n", len("n,m"), Options{Fields: []string{"n"}}},
	} {
		for cut := c.from; cut <= len(c.text); cut++ {
			dir := t.TempDir()
			pattern := filepath.Join(dir, "*")
			store(dir, "a", c.text[:len(c.text)-1]) // it is not the last, so it has ended
			store(dir, "b", c.text)
			want, _, err := taken(t, pattern, c.o, nil, -1)
			if err != nil {
				t.Fatal(err)
			}
			held := c.o
			held.Hold, held.Again = true, true
			store(dir, "b", c.text[:cut])
			got, at, err := taken(t, pattern, held, nil, -1)
			if err == nil {
				add(dir, "b", c.text[cut:])
				var rest []string
				rest, _, err = taken(t, pattern, held, at, -1)
				got = append(got, rest...)
			}
			if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Errorf("%s, cut at %d: %v\n%q\nwant\n%q", c.name, cut, err, got, want)
			}
		}
	}
}

// TestLeft: how much was left alone is told.
func TestLeft(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "1\n": 0, "1\n2": 1, "12": 2, "1\n" + strings.Repeat("2", 1000): 1000} {
		dir := t.TempDir()
		store(dir, "a", "12")
		store(dir, "b", text)
		files, err := Open(filepath.Join(dir, "*"), Options{MaxRecord: 100, Hold: true})
		var b stream.Batch
		for err == nil {
			err = files.Fill(&b)
		}
		if name, left := files.Left(); err != io.EOF || left != want || name != filepath.Join(dir, "b") {
			t.Errorf("%.10q: %d bytes of %s are left, %v", text, left, name, err)
		}
	}
}
