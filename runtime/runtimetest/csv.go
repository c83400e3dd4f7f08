package runtimetest

import (
	"bytes"
	"iter"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// ext is what the names of files with such records end with.
func ext(csv bool) string {
	if csv {
		return ".csv"
	}
	return ".ndjson"
}

// ofCSV says whether a sink writes CSV.
func ofCSV(p task.Pipeline, s task.Sink) bool {
	return s.Header != "" || s.Raw && p.Sources[0].Columns != nil
}

// outName is the golden of a sink, below the folder of its pipeline.
func outName(p task.Pipeline, s task.Sink) string {
	return "out/" + fileName(s.Name) + ext(ofCSV(p, s))
}

// header is the line above the rows of a sink.
func header(p task.Pipeline, s task.Sink, input []feed) []byte {
	if s.Raw && ofCSV(p, s) && len(input[0].blocks) > 0 {
		return append(bytes.Clone(input[0].blocks[0].header), '\n')
	}
	return []byte(s.Header)
}

// rowsOf goes through the rows that a sink has put out, each with its newline.
func rowsOf(csv bool, out []byte) iter.Seq[[]byte] {
	if !csv {
		return bytes.Lines(out)
	}
	return func(yield func([]byte) bool) {
		var scan stream.RowScan
		for start := 0; ; {
			end := scan.End(out, start)
			if end < 0 || !yield(out[start:end+1]) {
				return
			}
			start = end + 1
		}
	}
}
