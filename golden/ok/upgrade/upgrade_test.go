package upgrade

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	got := map[string]string{said: notes.String()}
	for _, name := range []string{"spend.ndjson", "so_far.csv", "taxed.csv", "visits.ndjson", "shops.ndjson", "hours.ndjson"} {
		text, err := os.ReadFile(name)
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
