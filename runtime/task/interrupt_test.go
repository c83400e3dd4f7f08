package task_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

func TestInterrupt(t *testing.T) {
	p := newPlace(t, strings.Repeat("1\n", 10_000))
	ctx, cancel := context.WithCancelCause(context.Background())
	batches := 0
	pipeline := wrap(p.pipeline(), wrapped{process: func(*stream.Batch) {
		if batches++; batches == 3 {
			cancel(errors.New("terminated"))
		}
	}})
	s, err := task.Run(ctx, pipeline, task.Options{Batch: 10})
	fails(t, err, "interrupted after 30 records (terminated): no open window was published, whole files were not written, appended files end with a whole row")
	p.has("seen", strings.Repeat("1\n", 30))
	p.has("counts", "")
	p.has("dead", "")
	if s.Counts[0] != 30 {
		t.Error(s)
	}
	agrees(p, s)
}

func TestInterruptWhileWaiting(t *testing.T) {
	p := newPlace(t, "")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.WriteString("1\n2\n3"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	pipeline := p.pipeline()
	pipeline.Sources[0].Path = "-"
	pipeline.Sinks[0].Target = task.Target{Stdout: true}
	_, err = task.Run(ctx, pipeline, task.Options{Stdin: r, Stdout: stopAt{cancel}})
	fails(t, err, "interrupted after 2 records")
	p.has("counts", "")
}

// stopAt cancels at the first row: rows of a live input are written at once.
type stopAt struct{ cancel func() }

func (s stopAt) Write(b []byte) (int, error) { s.cancel(); return len(b), nil }
