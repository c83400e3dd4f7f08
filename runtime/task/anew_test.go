package task_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/task"
)

var remedy = regexp.MustCompile(`mkdir .*`)

// TestBeginAnew: each error that speaks of beginning anew gives a command for it. Whoever types that gets what a first run gives: no row stands there twice, whatever the names of the outputs are.
func TestBeginAnew(t *testing.T) {
	segments := func(p place, change func(name string) error) {
		names, err := filepath.Glob(p.path("state/*.commits"))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			if err := change(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		break_ func(p place, pipeline *task.Pipeline)
		want   string
	}{
		{"the commits are moved away", func(p place, _ *task.Pipeline) {
			if err := os.Rename(p.path("state"), p.path("state.old")); err != nil {
				t.Fatal(err)
			}
		}, "nothing has been committed in "},
		{"another folder", func(p place, pipeline *task.Pipeline) { pipeline.Commit.Dir = p.path("other") }, "nothing has been committed in "},
		{"all is damaged", func(p place, _ *task.Pipeline) {
			segments(p, func(name string) error { return os.Truncate(name, 0) })
		}, "what was committed is damaged"},
		{"all is gone", func(p place, _ *task.Pipeline) { segments(p, os.Remove) }, "all of them are gone"},
		{"another layout", func(_ place, pipeline *task.Pipeline) { pipeline.Commit.Layout = "1.1\tcounts\tother\n" }, "was written by another version of pipeline toy"},
		{"another source", func(_ place, pipeline *task.Pipeline) { pipeline.Sources[0].Name = "other" }, "holds the position of source numbers, and the spec has the source other"},
		{"another input", func(p place, _ *task.Pipeline) { store(p, "2\n12\n23\n24\n") }, "it begins with other bytes. Put back the file that was read\n"},
		{"a shorter input", func(p place, _ *task.Pipeline) { store(p, "1\n12\n") }, "it has 5 bytes now. Put back the file that was read\n"},
		{"another file", func(p place, pipeline *task.Pipeline) {
			if err := os.Rename(p.path("in"), p.path("in2")); err != nil {
				t.Fatal(err)
			}
			pipeline.Sources[0].Path = p.path("in2")
		}, "is not among the files any more"},
		{"more behind the end", func(p place, _ *task.Pipeline) { p.add("34\n") }, "closed all windows, as the end of the input does"},
		{"more behind a drain", func(p place, pipeline *task.Pipeline) { p.add("34\n"); pipeline.Sources[0].Hold = true }, "closed all windows, as -drain tells it to"},
		{"more behind what was followed", func(p place, pipeline *task.Pipeline) { p.add("34\n"); pipeline.Sources[0].Follow = true }, "closed all windows, as -drain tells it to"},
	} {
		for _, folder := range []string{"out", "it's an \"output\" folder"} {
			p := newPlace(t, "1\n12\nx\n23\n")
			dir := filepath.Join(p.dir, folder)
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			begin := func() task.Pipeline {
				pipeline := committing(p.path("in"), dir, 2)
				pipeline.Commit.Dir, pipeline.Commit.Layout = p.path("state"), "1.1\tcounts\tone\n"
				return pipeline
			}
			run := func(pipeline task.Pipeline) error {
				_, err := task.Run(context.Background(), pipeline, task.Options{Drain: true})
				return err
			}
			if err := run(begin()); err != nil {
				t.Fatal(err)
			}
			pipeline := begin()
			tt.break_(p, &pipeline)
			err := run(pipeline)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
				continue
			}
			command := remedy.FindString(err.Error())
			if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v\n%s", tt.name, command, err, out)
				continue
			}
			if err := run(pipeline); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			fresh := newPlace(t, "")
			other := committing(pipeline.Sources[0].Path, fresh.dir, 2)
			if err := run(other); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"seen", "counts-000001", "counts-000002"} {
				got, _ := os.ReadFile(filepath.Join(dir, name))
				want, _ := os.ReadFile(fresh.path(name))
				if string(got) != string(want) {
					t.Errorf("%s: %s has %q, want %q", tt.name, name, got, want)
				}
			}
			if dead, _ := os.ReadFile(filepath.Join(dir, "dead")); strings.Count(string(dead), "\n") > 1 {
				t.Errorf("%s: %s", tt.name, dead)
			}
		}
	}
}

func store(p place, text string) {
	if err := os.WriteFile(p.path("in"), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// TestNoCommitsToGoBackTo: -go-back without commits is a mistake.
func TestNoCommitsToGoBackTo(t *testing.T) {
	p := newPlace(t, "1\n")
	_, err := task.Run(context.Background(), p.pipeline(), task.Options{GoBack: 3})
	fails(t, err, "there is nothing to go back to, since the spec has no commit; start without -go-back 3")
}
