package runtimetest

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/streamwright/streamwright/runtime/internal/simdisk"
	"github.com/streamwright/streamwright/runtime/task"
)

// Crashes runs a pipeline with commits again and again, on a simulated disk that has the files of place, and lets the process or the machine die in each operation on the disk, and in others while the next process
// recovers; each operation with so many outcomes. In the end outputs must have what they have when nobody dies. Inputs are read from the working directory, which the sinks' paths are relative to; place has none.
// A commit holds so many records.
func Crashes(t testing.TB, p task.Pipeline, place fs.FS, records, outcomes int) {
	t.Helper()
	commit := *p.Commit
	commit.Records = records
	p.Commit = &commit
	fresh := func(seed uint64) *simdisk.Disk {
		d := simdisk.New(seed)
		d.MakeDir(".")
		err := fs.WalkDir(place, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(place, name)
			d.MakeDir(filepath.Dir(name))
			d.Put(name, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	run := func(d *simdisk.Disk) (err error) {
		defer func() {
			if v := recover(); v != nil {
				if _, crashed := v.(simdisk.Crash); !crashed {
					panic(v)
				}
			}
		}()
		_, err = task.Run(context.Background(), p, task.Options{Batch: 1, Disk: d})
		return err
	}
	outputs := func(d *simdisk.Disk) map[string]string {
		names, err := d.List(".")
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, name := range names {
			all[name] = string(d.Read(name))
		}
		return all
	}
	d := fresh(0)
	if err := run(d); err != nil {
		t.Fatal(err)
	}
	want, ops := outputs(d), d.Ops
	for first := 1; first <= ops; first++ {
		for outcome := range outcomes {
			random := rand.New(rand.NewPCG(uint64(outcome), uint64(first)))
			d := fresh(random.Uint64())
			d.CrashAt = first
			lives := 1
			for ; ; lives++ {
				err := run(d)
				if !d.Dead {
					if err != nil {
						t.Fatalf("crash in operation %d of %d, outcome %d, life %d: %v", first, ops, outcome, lives, err)
					}
					break
				}
				if random.IntN(3) == 0 {
					d.Kill()
				} else {
					d.Restart()
				}
				if lives < 4 {
					d.CrashAt = d.Ops + 1 + random.IntN(1<<random.IntN(7))
				}
			}
			got := outputs(d)
			if len(got) != len(want) {
				t.Errorf("crash in operation %d of %d, outcome %d: there are %d files, want %d", first, ops, outcome, len(got), len(want))
			}
			for name, text := range want {
				if got[name] != text {
					t.Fatalf("crash in operation %d of %d, outcome %d: after %d lives %s has\n%s\nwant\n%s", first, ops, outcome, lives, name, got[name], text)
				}
			}
		}
	}
	t.Logf("%d operations, %d outcomes of a crash in each", ops, outcomes)
}
