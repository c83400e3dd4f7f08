package source

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
)

// headSize is how much of a file is read at first to see its header.
const headSize = 4 << 10

// rows cuts what has been read of a file of CSV behind its last whole row. It goes over each byte once, however small the pieces are in which they come.
type rows struct {
	scan stream.RowScan
	done int // scanned
	end  int // of whole rows
}

// whole is the length of the whole rows at the start of data of at most max bytes each; long says that a longer one follows. data is what it was at the last call, and
// what was read since.
func (r *rows) whole(data []byte, max int) (end int, long bool) {
	for {
		n := r.scan.End(data, r.done)
		if n < 0 {
			r.done = len(data)
			return r.end, len(data)-r.end > max
		}
		if n-r.end > max {
			return r.end, true
		}
		r.done, r.end = n+1, n+1
	}
}

// Header is the header line of the file that is open, or was open last; nil when it has not been read.
func (f *Files) Header() []byte { return f.header }

// head takes the header off the first rows of a file, of which there may be only blank ones. n is how many bytes it takes.
func (f *Files) head(data []byte) (n int, err error) {
	var scan stream.RowScan
	for n < len(data) {
		start, end := n, len(data)
		n = end
		if i := scan.End(data, start); i >= 0 {
			end, n = i, i+1
		}
		if row := bytes.TrimSuffix(data[start:end], []byte("\r")); len(row) > 0 {
			f.header = bytes.Clone(row)
			f.columns, err = f.resolve(row)
			return n, err
		}
	}
	return n, nil
}

// resolve finds the fields of the event among the names of a header.
func (f *Files) resolve(header []byte) ([]uint16, error) {
	names, fault := codec.Fields(header)
	if fault != 0 {
		return nil, f.malformed(header, fault)
	}
	columns := make([]uint16, len(names))
	var missing, twice []string
	for i, field := range f.Fields {
		at := slices.Index(names, field)
		if at < 0 {
			missing = append(missing, strconv.Quote(field))
			continue
		}
		columns[at] = uint16(i + 1)
		if slices.Contains(names[at+1:], field) {
			twice = append(twice, strconv.Quote(field))
		}
	}
	const rule = "the first line of a CSV file names each field of the event once"
	switch {
	case len(missing) > 0:
		return nil, fmt.Errorf("%s: the header has no column %s; %s. It has %s%s", f.title(), strings.Join(missing, ", "), rule, shown(names), f.guess(names))
	case len(twice) > 0:
		return nil, fmt.Errorf("%s: the header has the column %s twice; %s. It has %s", f.title(), strings.Join(twice, ", "), rule, shown(names))
	}
	return columns, nil
}

// shown are the names of a header for a message.
func shown(names []string) string {
	const most = 20
	var all []string
	for _, name := range names[:min(len(names), most)] {
		all = append(all, strconv.Quote(name))
	}
	if len(names) > most {
		all = append(all, fmt.Sprintf("%d more", len(names)-most))
	}
	return strings.Join(all, ", ")
}

// guess says why a header may not have the fields it should have.
func (f *Files) guess(names []string) string {
	if len(names) == 1 {
		for _, separator := range []string{";", "\t", "|"} {
			if strings.Contains(names[0], separator) {
				return fmt.Sprintf(". Are the columns separated by %q? They must be separated by commas", separator)
			}
		}
	}
	for _, name := range names {
		for _, field := range f.Fields {
			if name != field && strings.EqualFold(strings.TrimSpace(name), field) {
				return fmt.Sprintf(". %q is not %q: capitals and spaces count", name, field)
			}
		}
	}
	return ""
}

// malformed says what is wrong with a header that is not CSV.
func (f *Files) malformed(header []byte, fault stream.Fault) error {
	hint := ""
	switch {
	case fault == stream.FaultUTF8:
		hint = "; is the file in another encoding, such as UTF-16? CSV is read as UTF-8"
	case fault == stream.FaultReturn:
		hint = "; lines end with a newline, or a carriage return and a newline"
	}
	return fmt.Errorf("%s: the header is not CSV: %v%s", f.title(), fault, hint)
}

func (f *Files) headless() error {
	return fmt.Errorf("%s: the file is empty; the first line of a CSV file names each field of the event once: %s", f.title(), strings.Join(f.Fields, ","))
}

func (f *Files) longHeader() error {
	return fmt.Errorf("%s: the header, its first line, is longer than max_record (%d bytes); is it CSV?", f.title(), f.MaxRecord)
}
