package sourcecompression

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/task"
)

// TestPackedFiles: the packed records, of two files and of standard input, give what the replays of the plain ones give. Of one that breaks off nothing comes.
func TestPackedFiles(t *testing.T) {
	for _, p := range []task.Pipeline{ByGzipPipeline, ByZstdPipeline} {
		stdin, err := os.Open("testdata/readings.csv.zst")
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		p.Sources = slices.Clone(p.Sources)
		p.Sources[0].Path = strings.Replace(p.Sources[0].Path, "readings", "testdata/readings", 1)
		dir := t.TempDir()
		rows := filepath.Join(dir, "rows")
		p.Sinks = []task.Sink{{Name: "rows", Target: task.Target{Path: rows}}}
		p.DeadLetter = &task.DeadLetter{Target: task.Target{Path: filepath.Join(dir, "dead")}, StopShare: 1, StopOf: 100}
		if _, err := task.Run(context.Background(), p, task.Options{Stdin: stdin}); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile("testdata/" + p.Name + "/out/rows.ndjson")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(rows); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v\n%s", p.Name, err, got)
		}

		packed, err := os.ReadFile("testdata/" + map[string]string{"by_gzip": "readings-1.ndjson.gz", "by_zstd": "readings.csv.zst"}[p.Name])
		if err != nil {
			t.Fatal(err)
		}
		p.Sources[0].Path = filepath.Join(dir, "broken")
		if err := os.WriteFile(p.Sources[0].Path, packed[:len(packed)-5], 0o666); err != nil {
			t.Fatal(err)
		}
		p.Sinks[0].Target.Path = filepath.Join(dir, "never")
		if _, err := task.Run(context.Background(), p, task.Options{}); err == nil || !strings.Contains(err.Error(), "broken: reading failed at byte ") || !strings.Contains(err.Error(), "data breaks off at byte") {
			t.Errorf("%s: %v", p.Name, err)
		}
		if _, err := os.Stat(p.Sinks[0].Target.Path); err == nil {
			t.Errorf("%s: a file of half a result", p.Name)
		}
	}
}
