package sink

import (
	"bytes"
	"fmt"
	"io"
)

// Header makes line, which ends with its newline, the first line of the file: it writes it into one that has nothing yet, and demands that it stands there already in one
// that rows are appended to. It comes before any Put.
func (f *File) Header(line []byte) error {
	if f.size == 0 {
		return f.Put(line)
	}
	first := make([]byte, max(len(line), 200))
	n, err := f.file.ReadAt(first, 0)
	if err != nil && err != io.EOF {
		return explain(f.name, err)
	}
	if first = first[:n]; bytes.HasPrefix(first, line) {
		return nil
	}
	first, _, _ = bytes.Cut(first, []byte("\n"))
	return fmt.Errorf("%s: begins with the line %q, and the rows to append have the columns %q: they would not fit together; write to another file, or move this one away",
		f.name, first, bytes.TrimSuffix(line, []byte("\n")))
}
