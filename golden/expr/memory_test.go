package expr

import (
	"strings"
	"testing"

	"github.com/streamwright/streamwright/golden/expr/cases"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/spec"
)

// TestLoopIsBounded: a loop that makes more than a batch should hold is a fault, after a bounded amount of memory.
func TestLoopIsBounded(t *testing.T) {
	in := &stream.Batch{}
	row := Row{}
	word := in.KeepText(strings.Repeat("a", 1000)).Word()
	row.Tags = stream.List{Len: 50_000}
	for range row.Tags.Len {
		in.Words = append(in.Words, word)
	}
	if got := run(t, "tags.map(x, x + '!')", in, &row); got.fault != stream.FaultOverflow {
		t.Errorf("fault %v", got.fault)
	}
	if len(in.Data) > 2_000_000 {
		t.Errorf("%d bytes were made", len(in.Data))
	}
	row.Tags.Len = 500
	if got := run(t, "tags.map(x, x + '!')", in, &row); got.fault != 0 {
		t.Errorf("what others made counts: %v", got.fault)
	}
}

// TestNoAllocations: no expression costs memory but for the batch's arena.
func TestNoAllocations(t *testing.T) {
	row := Row{V: 7, W: 3, D: 1.5, X: 0.25, T: 5, Z: 3}
	in := &stream.Batch{Data: make([]byte, 0, 4096), Words: make([]uint64, 0, 4096)}
	row.S, row.U = in.KeepText("2024-01-02T03:04:05.5+02:00"), in.KeepText("no number")
	var values int
	for i, text := range cases.Exprs {
		e := compile(t, text)
		boxed := e.Type.Kind != spec.Bool // outcome.value is an any
		base, words := len(in.Data), len(in.Words)
		n := testing.AllocsPerRun(10, func() {
			if functions[i](in, &row).value != nil {
				values++
			}
			in.Data, in.Words = in.Data[:base], in.Words[:words]
		})
		if n > 1 || n > 0 && !boxed {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
	if values == 0 {
		t.Error("no values")
	}
}
