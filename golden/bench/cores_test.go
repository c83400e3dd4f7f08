package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/runtime/task"
)

// TestCores: whether records are decoded between the stages or beside them, every file is the same, and so are the counts. The input is several files, of many blocks, of
// records that are refused and texts that take room behind the block; batches are small and large.
func TestCores(t *testing.T) {
	in := t.TempDir()
	lines := bytes.SplitAfter(events.Bytes(events.Default(6000)), []byte("\n"))
	for i, line := range lines {
		switch i % 40 {
		case 3:
			lines[i] = append(line[:len(line)/2:len(line)/2], '\n')
		case 5:
			lines[i] = bytes.Replace(line, []byte(`"user":"u`), []byte(`"user":"\u0075`), 1) // goes into the arena
		case 7:
			lines[i] = bytes.Replace(line, []byte(`"id":"`), []byte(`"id":"\u00e9`), 1)
		case 9:
			lines[i] = []byte(" \n")
		}
	}
	files := [][]byte{events.Bytes(events.Default(6000)), events.Adversarial(1), nil, bytes.Join(lines, nil), events.Adversarial(2)}
	for i, file := range files {
		if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("%d.ndjson", i)), file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range programs {
		var want [][]byte
		var counts []uint64
		for _, o := range []task.Options{{Cores: 1}, {Cores: 2}, {Cores: 2, Batch: 7}, {Cores: 2, Batch: 5000}, {Cores: 1, Batch: 7}} {
			out := t.TempDir()
			p := program.pipeline
			p.Sources = slices.Clone(p.Sources)
			p.Sources[0].Path = filepath.Join(in, "*.ndjson")
			p.Sinks = slices.Clone(p.Sinks)
			names := []string{"dead"}
			for i := range p.Sinks {
				names = append(names, p.Sinks[i].Name)
				p.Sinks[i].Target.Path = filepath.Join(out, p.Sinks[i].Name)
			}
			p.DeadLetter = &task.DeadLetter{Target: task.Target{Path: filepath.Join(out, "dead")}, StopShare: 1, StopOf: 1 << 20}
			s, err := task.Run(t.Context(), p, o)
			if err != nil {
				t.Fatalf("%s, %d cores: %v", program.name, o.Cores, err)
			}
			var got [][]byte
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(out, name))
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, data)
			}
			if want == nil {
				want, counts = got, s.Counts
			}
			for i, name := range names {
				if len(want[i]) == 0 || !bytes.Equal(got[i], want[i]) {
					t.Errorf("%s, %d cores, batches of %d: %s has %d bytes that are not the %d of one core", program.name, o.Cores, o.Batch, name, len(got[i]), len(want[i]))
				}
			}
			if !slices.Equal(s.Counts, counts) {
				t.Errorf("%s, %d cores, batches of %d: %v, want %v", program.name, o.Cores, o.Batch, s.Counts, counts)
			}
		}
	}
}
