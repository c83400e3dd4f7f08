package runtimetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/internal/toy"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

func TestPipeline(t *testing.T) { Pipeline(t, toy.Pipeline("in", "seen", "counts", "dead")) }

// input makes lines with gaps, repeats, late and bad ones.
func input(n int) []byte {
	var data []byte
	for i := range n {
		switch i % 11 {
		case 3:
			data = append(data, "not a number\n"...)
		case 7:
			data = append(data, "1234567890123456789012345678901234567890\n\r\n"...)
		case 9:
			data = fmt.Appendf(data, "-%d\r\n", i)
		default:
			data = fmt.Appendf(data, "%d\n", i*i%97+i)
		}
	}
	return data
}

func TestReplayDoesNotDependOnBatches(t *testing.T) {
	p := toy.Pipeline("", "", "", "")
	data := append([]byte("\ufeff"), input(3000)...)
	want, err := Replay(p, 1<<16, data)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Outputs[0]) == 0 || len(want.Outputs[1]) == 0 || len(want.Letters) == 0 {
		t.Fatal("an output is empty")
	}
	for _, batch := range []int{1, 2, 7, 64, 256} {
		got, err := Replay(p, batch, data)
		if err != nil {
			t.Fatal(err)
		}
		if d := want.differs(p, got); d != "" {
			t.Errorf("batches of %d: %s", batch, d)
		}
	}
}

// broken is a processor with a defect.
type broken struct {
	task.Processor
	forgets, leaks, miscout bool
}

var sunk []byte

func (b *broken) Process(in *stream.Batch) {
	if b.leaks {
		sunk = make([]byte, 8)
	}
	b.Processor.Process(in)
}

func (b *broken) Restore(commits ...[]byte) error {
	if b.forgets {
		return nil
	}
	return b.Processor.Restore(commits...)
}

func (b *broken) AppendCounts(dst []uint64) []uint64 {
	dst = b.Processor.AppendCounts(dst)
	if b.miscout {
		dst[1]++
	}
	return dst
}

// TestDefects: a processor that breaks a promise does not pass.
func TestDefects(t *testing.T) {
	data := input(100)
	with := func(defect broken) task.Pipeline {
		p := toy.Pipeline("", "", "", "")
		fresh := p.New
		p.New = func(batch int) task.Processor {
			b := defect
			b.Processor = fresh(batch)
			return &b
		}
		return p
	}
	good, err := Replay(with(broken{}), 256, data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Replay(with(broken{miscout: true}), 256, data); err == nil || !strings.Contains(err.Error(), "rows do not add up at numbers of toy") {
		t.Errorf("miscounting: %v", err)
	}
	p := with(broken{forgets: true})
	cuts, err := feeds(p, [][]byte{data})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []restart{snapshot, delta} {
		got, err := (&replay{pipeline: p, batch: 7, restart: mode}).run(cuts)
		if err == nil && good.differs(p, got) == "" {
			t.Errorf("mode %d: lost state goes unnoticed", mode)
		}
	}
	r := &replay{pipeline: with(broken{leaks: true}), batch: 7}
	if _, err := r.run(cuts); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(2, func() { r.again(); r.run(cuts) }); n == 0 {
		t.Error("an allocation goes unnoticed")
	}
}

func TestCompare(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a", "b.txt")
	if err := compare(name, []byte("x\n"), false); err == nil || !strings.Contains(err.Error(), "go test -update") {
		t.Errorf("missing golden: %v", err)
	}
	if err := compare(name, []byte("x\ny\n"), true); err != nil {
		t.Fatal(err)
	}
	if err := compare(name, []byte("x\ny\n"), false); err != nil {
		t.Error(err)
	}
	if err := compare(name, []byte("x\nz\n"), false); err == nil || !strings.Contains(err.Error(), "line 2:\n  want y\n  got  z") {
		t.Errorf("other golden: %v", err)
	}
	if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, []byte("x\ny\n")) {
		t.Errorf("golden changed without -update: %q %v", b, err)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, tt := range [][3]string{
		{"", "", ""}, {"a\n", "a\n", ""},
		{"a\n", "", "line 1:\n  want a\n  got  (end of file)"},
		{"a\n", "a\nb\n", "line 2:\n  want (end of file)\n  got  b"},
		{"a\nb", "a\nb\n", "line 2:\n  want b\n  got  b"},
	} {
		if got := firstDifference([]byte(tt[0]), []byte(tt[1])); got != tt[2] {
			t.Errorf("%q, %q: %q", tt[0], tt[1], got)
		}
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{"orders_v2.late-1": "orders_v2.late-1", "a/b": "a%2Fb", ".x": "%2Ex", "µ": "%C2%B5", "..": "%2E."} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
