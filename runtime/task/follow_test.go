package task_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamwright/streamwright/runtime/task"
)

// TestRate is FLOW-01: 30 s in which nothing comes, then 100 records at once. Nothing is lost, and a stop is not held back.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlace(t, "")
		pipeline := p.committing(1000)
		pipeline.Sources[0].Follow = true
		pipeline.Sources[0].Rate = &task.Rate{Records: 10, Per: time.Second, Burst: 5}
		pipeline.Commit.Every = 10 * time.Millisecond
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := task.Run(ctx, pipeline, task.Options{})
			done <- err
		}()
		time.Sleep(30 * time.Second)
		if err := os.WriteFile(p.path("in"), []byte(strings.Repeat("10\n", 100)), 0o666); err != nil {
			t.Fatal(err)
		}
		came := func() int {
			synctest.Wait()
			rows, err := os.ReadFile(p.path("seen"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.Count(string(rows), "\n")
		}
		for came() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		if n := came(); n != 5 {
			t.Errorf("%d at once", n)
		}
		time.Sleep(970 * time.Millisecond)
		if n := came(); n < 14 || n > 15 {
			t.Errorf("%d within a second", n)
		}
		time.Sleep(time.Second)
		if n := came(); n < 24 || n > 25 {
			t.Errorf("%d within two", n)
		}
		time.Sleep(7400 * time.Millisecond)
		if n := came(); n >= 100 {
			t.Errorf("all of %d within 9.4 s", n)
		}
		time.Sleep(time.Second)
		if n := came(); n != 100 {
			t.Errorf("%d of 100", n)
		}
		appendTo(t, p.path("in"), strings.Repeat("10\n", 100))
		time.Sleep(time.Second)
		stopped := time.Now()
		cancel()
		var i *task.Interrupted
		if err := <-done; !errors.As(err, &i) || !i.Committed {
			t.Error(err)
		}
		if held := time.Since(stopped); held > 0 {
			t.Errorf("the limit held a stop back for %v", held)
		}
	})
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
