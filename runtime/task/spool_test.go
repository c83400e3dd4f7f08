package task_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/task"
)

// TestStdinUnderCommits: what comes on standard input is kept until it is committed, so that a later run goes on behind it.
func TestStdinUnderCommits(t *testing.T) {
	p := newPlace(t, "")
	pipeline := p.committing(1)
	pipeline.Sources[0].Path = "-"
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.WriteString("1\n12\n2"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if rows, _ := os.ReadFile(p.path("seen")); strings.Count(string(rows), "\n") == 2 {
				break
			}
		}
		cancel()
	}()
	_, err = task.Run(ctx, pipeline, task.Options{Stdin: r})
	if i, ok := errors.AsType[*task.Interrupted](err); !ok || !i.Committed || i.Records != 2 {
		t.Fatal(err)
	}
	s, err := task.Run(context.Background(), pipeline, task.Options{Stdin: strings.NewReader("23\n4\n")})
	if err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n12\n2\n23\n4\n")
	if s.Before != 2 {
		t.Errorf("went on from %d records", s.Before)
	}
	parts, err := filepath.Glob(pipeline.Commit.Dir + ".stdin/*")
	if err != nil || len(parts) == 0 || len(parts) > 2 {
		t.Errorf("%q are left (%v)", parts, err)
	}
	_, err = task.Run(context.Background(), pipeline, task.Options{Stdin: strings.NewReader("5\n")})
	fails(t, err, "there is more to read", "hold")
}
