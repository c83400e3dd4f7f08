package bench_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/held"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
)

// TestPeakAtTheEnd: the step at the end of the input closes 60 windows of 5,000 users each, whose rows take 37 MB as they are written, and more as they are made; no more of them
// than those of a window and 256 KiB of output are in memory at once.
func TestPeakAtTheEnd(t *testing.T) {
	const windows, users = 60, 5000
	p := held.NewHeld(256)
	var in stream.Batch
	var file []byte
	for w := range windows {
		file = file[:0]
		for u := range users {
			file = fmt.Appendf(file, `{"user":"user-%06d","amount":%d.25,"at":`, u*7919%users, u)
			file = append(codec.AppendTime(file, int64(w)*int64(time.Minute)+int64(u)), "}\n"...)
		}
		for at := 0; at < len(file); {
			at = block(&in, file, at, blockSize)
			for in.Pos < in.End {
				p.Process(&in)
			}
		}
	}
	out := p.Output(0)
	if len(out.Buf) > 0 || len(p.Letters().Buf) > 0 {
		t.Fatalf("%d bytes of rows before the end; dead letters: %s", len(out.Buf), p.Letters().Buf)
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, most, written, last := heap(), int64(0), 0, ""
	out.Full = func() {
		most = max(most, heap())
		written += len(out.Buf)
		last = string(out.Buf[:len(`{"window_start":"1970-01-01T00:00:00Z"`)])
		out.Buf = out.Buf[:0]
	}
	p.End()
	if written += len(out.Buf); out.Rows != windows*users || written < 25e6 || last != `{"window_start":"1970-01-01T00:59:00Z"` {
		t.Fatalf("%d rows in %d bytes, the last of %s", out.Rows, written, last)
	}
	t.Logf("%.1f MB of state; at most %.1f MB more while %.1f MB of rows are written", float64(before)/1e6, float64(most-before)/1e6, float64(written)/1e6)
	if most-before > 3e6 { // rows, their texts and the output of a window are 1.5 MB, and slices grow by a quarter
		t.Errorf("%.1f MB more than the state while the windows close, want at most 3", float64(most-before)/1e6)
	}
}
