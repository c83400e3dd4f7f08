package task

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/stream"
)

var errFull = errors.New("no space left")

// narrow takes so many bytes.
type narrow struct{ room int }

func (n *narrow) Write(b []byte) (int, error) {
	if len(b) > n.room {
		return 0, errFull
	}
	n.room -= len(b)
	return len(b), nil
}

// TestSpill: rows are written in the middle of a batch when they are many, and an error of that is told by the next write, and by each after it.
func TestSpill(t *testing.T) {
	e, err := openExit(Sink{Name: "sink a", Target: Target{Stdout: true}}, nil, disk.OS{}, io.Discard, new(attempts))
	if err != nil {
		t.Fatal(err)
	}
	var out stream.Output
	e.rows = &out
	out.Full = e.spill
	out.Buf = append(out.Buf, "few\n"...)
	if out.Spill(); len(out.Buf) != 4 {
		t.Fatal("a few rows are written at once")
	}
	out.Buf = append(out.Buf, bytes.Repeat([]byte("row\n"), 1<<16)...)
	if out.Spill(); len(out.Buf) != 0 {
		t.Fatal("many rows stay in memory")
	}
	if err := e.write(); err != nil {
		t.Fatal(err)
	}

	if e, err = openExit(Sink{Name: "sink b", Target: Target{Stdout: true}}, nil, disk.OS{}, &narrow{300_000}, new(attempts)); err != nil {
		t.Fatal(err)
	}
	e.rows = &out
	for range 3 {
		out.Buf = append(out.Buf[:0], bytes.Repeat([]byte("row\n"), 1<<16)...)
		out.Spill()
	}
	for range 2 {
		if err := e.write(); !errors.Is(err, errFull) || !e.failed || len(out.Buf) != 0 {
			t.Fatalf("error %v, failed %t, %d bytes wait", err, e.failed, len(out.Buf))
		}
	}
}
