package task

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/watermark"
)

// TestFormerly: sources of a commit get the names that they have now, those of files and those in its layout, too; what is gone is dropped, and what nobody knows stays as it is.
func TestFormerly(t *testing.T) {
	p := &Pipeline{Sources: []Source{{Name: "a b", Was: []string{"a", "first"}, PerFile: true}, {Name: "c"}, {Name: "e", Was: []string{"c/d"}}}, Commit: &Commit{Gone: []string{"old"}}}
	r := &checkpoint.Restored{
		Layout:  headID + "\thead\tcount source a records; count source \"c/d\" records; count stage a in; inputs of a, c, old, \"c/d\"; seed of piece 1\n1.1\ta\tdedup\n",
		Sources: []checkpoint.Part{{Name: "a/x.ndjson"}, {Name: "c"}, {Name: "c/d"}, {Name: "old/y"}, {Name: "old"}, {Name: "first/z"}, {Name: "a b/w"}, {Name: "who"}},
	}
	p.formerly(r)
	var names []string
	for _, part := range r.Sources {
		names = append(names, part.Name)
	}
	if got := strings.Join(names, ", "); got != "a b/x.ndjson, c, e, a b/z, a b/w, who" {
		t.Error(got)
	}
	if want := headID + "\thead\tcount source \"a b\" records; count source e records; count stage a in; inputs of \"a b\", c, old, e; seed of piece 1\n1.1\ta\tdedup\n"; r.Layout != want {
		t.Errorf("%q", r.Layout)
	}
}

// TestConvertInputs: where the sources are others, the highest event times of those that are still there stay, in a part of the head or as its first number, and the watermark does.
func TestConvertInputs(t *testing.T) {
	inputs := func(bounds int, value int64, members ...[3]int64) *watermark.Inputs { // source, highest, watermark
		s := watermark.NewInputs(make([]int64, bounds)...)
		s.Value, s.Steps = value, 2
		for _, m := range members {
			in := &s.Input[s.Add(int(m[0]))]
			in.Highest, in.Value = m[1], m[2]
		}
		return &s
	}
	head := func(highest, value int64, count uint64, of *watermark.Inputs) []byte {
		dst := checkpoint.Begin(nil, checkpoint.Head)
		dst = binary.AppendUvarint(binary.AppendVarint(binary.AppendVarint(dst, highest), value), count)
		if of != nil {
			part := watermark.AppendInputs(nil, of)
			dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(part))), part...)
		}
		checkpoint.End(dst, 0, value, 0)
		return dst
	}
	layout := func(parts string) string { return headID + "\thead\tcount source a records" + parts }
	three := inputs(3, 5, [3]int64{2, 30, 29}, [3]int64{0, 10, 9}, [3]int64{1, 20, 19}, [3]int64{0, 11, 10})
	two := inputs(2, 5, [3]int64{0, 30, 29}, [3]int64{1, 10, 9}, [3]int64{1, 11, 10})
	single := inputs(1, 5, [3]int64{0, 7, 5})
	single.Steps = 0
	for _, c := range []struct {
		was, is     string
		state, want []byte
	}{
		{"; inputs of a, b, c", "; inputs of c, a", head(stream.Never, 5, 3, three), head(stream.Never, 5, 3, two)},
		{"; inputs of a, b, c", "", head(stream.Never, 5, 3, inputs(3, 5, [3]int64{1, 20, 19}, [3]int64{0, 10, 9})), head(10, 5, 3, nil)},
		{"", "; inputs of a, b", head(7, 5, 3, nil), head(stream.Never, 5, 3, single)},
	} {
		got, _, err := convertHead(c.state, layout(c.was), layout(c.is))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q -> %q: %v\n%v\nwant\n%v", c.was, c.is, err, got, c.want)
		}
	}
	damaged := head(stream.Never, 5, 3, inputs(9, 5, [3]int64{8, 1, 1}))
	if _, _, err := convertHead(damaged, layout("; inputs of a, b"), layout("; inputs of a")); err != errHead {
		t.Errorf("a source that is not there: %v", err)
	}
}
