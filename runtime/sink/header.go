package sink

import (
	"bytes"
	"fmt"
	"io"
)

// Header says whether line, which ends with its newline, must be put above the rows, because the file has nothing yet. A file that rows are appended to must begin with
// it. It comes before any Put.
func (f *File) Header(line []byte) (missing bool, err error) {
	f.csv = true
	if f.size == 0 {
		return true, nil
	}
	first := make([]byte, max(len(line), 200))
	n, err := f.file.ReadAt(first, 0)
	if err != nil && err != io.EOF {
		return false, explain(f.name, err)
	}
	if first = first[:n]; bytes.HasPrefix(first, line) {
		return false, nil
	}
	return false, otherHeader(f.name, first, line, "write to another file, or move this one away")
}

// otherHeader is the error of a file that begins with another line than the header. advice says what would be right.
func otherHeader(name string, first, line []byte, advice string) error {
	first, _, _ = bytes.Cut(first, []byte("\n"))
	return fmt.Errorf("%s: begins with the line %q, and the rows to append have the columns %q: they would not fit together; %s",
		name, first, bytes.TrimSuffix(line, []byte("\n")), advice)
}

// whole is the length of the whole rows at the start of what could be written of some.
func (f *File) whole(rows []byte) int {
	end := bytes.LastIndexByte(rows, '\n') + 1
	for f.csv && end > 0 && bytes.Count(rows[:end], []byte(`"`))%2 != 0 { // inside quotes: each field has two, and those in it are doubled
		end = bytes.LastIndexByte(rows[:end-1], '\n') + 1
	}
	return end
}
