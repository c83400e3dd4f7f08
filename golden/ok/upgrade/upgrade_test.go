package upgrade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/runtime/task"
)

// TestUpgrade goes on from what the first version committed when its last record was the sixth: the folder testdata/place has the bytes as they were, its input has grown. What comes out is in
// testdata/after, and what the processor says in notes.txt. Then nothing is left of the first version: the second start has nothing to say.
func TestUpgrade(t *testing.T) { upgrade(t, "notes.txt", 12) }

// TestUpgradeInTwoRuns stops once while windows are open that began before the upgrade.
func TestUpgradeInTwoRuns(t *testing.T) { upgrade(t, "notes_two.txt", 8) }

// upgrade runs the processor until the input has some records, and then over all of it.
func upgrade(t *testing.T, said string, records int) {
	place := t.TempDir()
	if err := os.CopyFS(place, os.DirFS("testdata/place")); err != nil {
		t.Fatal(err)
	}
	after, err := filepath.Abs("testdata/after")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(place)
	var notes strings.Builder
	run := func() {
		t.Helper()
		s, err := task.Run(context.Background(), ShopPipeline, task.Options{Note: func(text string) { notes.WriteString(text + "\n") }})
		if err != nil {
			t.Fatal(err)
		}
		notes.WriteString(s.String()[strings.Index(s.String(), "\n")+1:])
	}
	input, err := os.ReadFile("orders.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("orders.ndjson", []byte(strings.Join(strings.SplitAfter(string(input), "\n")[:records], "")), 0o666); err != nil {
		t.Fatal(err)
	}
	run()
	if err := os.WriteFile("orders.ndjson", input, 0o666); err != nil {
		t.Fatal(err)
	}
	notes.WriteString("and again:\n")
	run()
	compare(t, after, ".", map[string]string{said: notes.String()})
}

// compare compares what was said, and the outputs in dir, with testdata/after, or writes that.
func compare(t *testing.T, after, dir string, got map[string]string) {
	t.Helper()
	for _, name := range []string{"spend.ndjson", "so_far.csv", "taxed.csv", "visits.ndjson", "shops.ndjson", "hours.ndjson"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got[name] = string(text)
	}
	for name, text := range got {
		golden := filepath.Join(after, name)
		if runtimetest.Update() {
			if err := os.MkdirAll(after, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != text {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, text, want)
		}
	}
}

// TestMain is a processor in the folder that the environment names, with a commit for each record; or the tests.
func TestMain(m *testing.M) {
	place := os.Getenv("UPGRADE_PLACE")
	if place == "" {
		os.Exit(m.Run())
	}
	p := ShopPipeline
	commit := *p.Commit
	commit.Records = 1
	p.Commit = &commit
	err := os.Chdir(place)
	if err == nil {
		_, err = task.Run(context.Background(), p, task.Options{Batch: 1})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestUpgradeCrashes lets the processor or the machine die in each operation on the disk of its runs over what the first version committed: what is there then is of the one version or of the other, never of both.
func TestUpgradeCrashes(t *testing.T) {
	root, err := os.OpenRoot("testdata/place")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	input, err := root.ReadFile("orders.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("orders.ndjson", input, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, records := range []int{1, 100} { // in its first commit are all others, too, or not
		runtimetest.Crashes(t, ShopPipeline, root.FS(), records, 3)
	}
}

// TestUpgradeKilled kills the processor at any instant of its first runs over what the first version committed.
func TestUpgradeKilled(t *testing.T) {
	if runtimetest.Update() {
		t.Skip("the others write what this one compares with")
	}
	after, err := filepath.Abs("testdata/after")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for range 5 {
		place := t.TempDir()
		if err := os.CopyFS(place, os.DirFS("testdata/place")); err != nil {
			t.Fatal(err)
		}
		for span := 20 * time.Millisecond; ; span += time.Millisecond {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "UPGRADE_PLACE="+place)
			var log strings.Builder
			cmd.Stderr = &log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(span))), func() { cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			if cmd.ProcessState.ExitCode() != -1 { // not by a signal
				t.Fatalf("after %d kills: %v\n%s", kills, err, log.String())
			}
			kills++
		}
		compare(t, after, place, map[string]string{})
	}
	t.Logf("%d kills", kills)
}
