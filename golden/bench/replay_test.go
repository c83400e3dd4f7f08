package bench_test

import (
	"bytes"

	"github.com/streamwright/streamwright/golden/bench/target"
	"github.com/streamwright/streamwright/golden/bench/w1"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// programs are the processors of workload W1 that are tested and measured. Each equals the literal reference.
var programs = []struct {
	name     string
	pipeline task.Pipeline
}{
	{"target", target.Pipeline},
	{"generated", w1.W1Pipeline},
}

// The sinks of W1, in spec order.
const (
	totals = iota
	byType
	lateEvents
	sinks
)

const blockSize = 256 << 10 // bytes, as sources read

// block copies whole lines of file, from offset from on and at least size bytes if there are as many, into b, as a source does.
func block(b *stream.Batch, file []byte, from, size int) (next int) {
	end := min(from+size, len(file))
	if i := bytes.IndexByte(file[end:], '\n'); i >= 0 {
		end += i + 1
	} else {
		end = len(file)
	}
	b.Data = append(b.Data[:0], file[from:end]...)
	b.Data = append(b.Data, padding...)
	b.Pos, b.End, b.Base = 0, end-from, int64(from)
	return end
}

var padding = make([]byte, stream.Padding) // zeros, as of a source

// take gives a processor the records of a file and throws the outputs away, as a task does that has written them.
func take(p task.Processor, in *stream.Batch, file []byte) {
	for at := 0; at < len(file); {
		at = block(in, file, at, blockSize)
		for in.Pos < in.End {
			p.Process(in)
		}
		empty(p)
	}
}

func empty(p task.Processor) {
	for i := range sinks {
		out := p.Output(i)
		out.Buf = out.Buf[:0]
	}
	letters := p.Letters()
	letters.Buf = letters.Buf[:0]
}
