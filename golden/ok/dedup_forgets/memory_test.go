package dedupforgets

import (
	"fmt"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestIdsAreForgotten takes a million ids through the processor, a millisecond of event time apart: with a horizon of 10s and a bound of 1s at most 11,001 are needed at a time.
// So many are held and are in a commit, with those that wait to be freed together: a quarter more at most.
func TestIdsAreForgotten(t *testing.T) {
	const ids, needed = 1_000_000, 11_001
	p := NewIds(256)
	q := NewIds(256)
	var in stream.Batch
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	most := 0
	for i := 0; i < ids; {
		in.Data = in.Data[:0]
		for range 200 {
			in.Data = fmt.Appendf(in.Data, "{\"id\":\"%07d\",\"t\":%q}\n", i, start.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano))
			i++
		}
		in.Pos, in.End = 0, len(in.Data)
		in.Data = append(in.Data, make([]byte, stream.Padding)...)
		for in.Pos < in.End {
			p.Process(&in)
			most = max(most, p.state.once.seen.Len())
		}
		p.Output(0).Buf = p.Output(0).Buf[:0]
	}
	if rows := p.Output(0).Rows; rows != ids || p.counts[countOnceDuplicate] != 0 {
		t.Errorf("%d rows and %d duplicates of %d ids", rows, p.counts[countOnceDuplicate], ids)
	}
	if most > needed*5/4 {
		t.Errorf("%d ids were held at once, of which %d are needed", most, needed)
	}
	if err := q.Restore(p.AppendState(nil, false)); err != nil {
		t.Fatal(err)
	}
	if n := q.state.once.seen.Len(); n < needed-1 || n > needed*5/4 {
		t.Errorf("the commit has %d ids, of which %d are needed", n, needed)
	}
	p.End()
	p.recycle()
	if n := p.state.once.seen.Len(); n != 0 {
		t.Errorf("%d ids are held behind the end of time", n)
	}
}
