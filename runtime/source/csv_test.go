package source

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/streamwright/streamwright/runtime/stream"
)

var abc = []string{"a", "b", "c"}

// csvRecord is a row as a processor sees it.
type csvRecord struct {
	record
	columns string
}

// drainCSV takes everything, and spoils the memory between batches.
func drainCSV(f *Files) (list []csvRecord, err error) {
	var b stream.Batch
	for {
		if err := f.Fill(&b); err == io.EOF {
			return list, nil
		} else if err != nil {
			return list, err
		}
		if b.Pos >= b.End || !bytes.Equal(b.Data[b.End:], make([]byte, stream.Padding)) {
			return list, fmt.Errorf("batch %d:%d of %d bytes", b.Pos, b.End, len(b.Data))
		}
		for {
			s, ok := b.NextRow()
			if !ok {
				break
			}
			list = append(list, csvRecord{record{b.File, b.Base + int64(s.Off), string(b.Bytes(s)), b.Oversize}, fmt.Sprint(b.Columns)})
		}
		for i := range b.Data {
			b.Data[i] = 0xaa
		}
	}
}

// literalCSV is what drainCSV must give: rows found byte by byte, those that are too long cut at the first newline behind the limit.
func literalCSV(data []byte, max int) (list []csvRecord) {
	offset := 0
	if bytes.HasPrefix(data, byteOrderMark) {
		offset = 3
	}
	header := true
	for offset < len(data) {
		start, quoted, begins := offset, false, true
		end := start
		for ; end < len(data) && (quoted || data[end] != '\n') && end-start <= max; end++ {
			switch c := data[end]; {
			case c == '"' && quoted:
				if quoted = false; end+1 < len(data) && data[end+1] == '"' {
					quoted = true
					end++
				}
			case c == '"' && begins:
				quoted = true
			}
			begins = !quoted && data[end] == ','
		}
		if end-start > max {
			size := len(data) - start
			if n := bytes.IndexByte(data[start+max:], '\n'); n >= 0 {
				size = max + n
			}
			list = append(list, csvRecord{record{"f", int64(start), string(data[start : start+max]), int64(size)}, "[1 2 3]"})
			offset = start + size + 1
			continue
		}
		offset = end + 1
		row := bytes.TrimSuffix(data[start:end], []byte("\r"))
		switch {
		case len(row) == 0:
		case header:
			header = false
		default:
			list = append(list, csvRecord{record{"f", int64(start), string(row), 0}, "[1 2 3]"})
		}
	}
	return list
}

func TestRowsOfFiles(t *testing.T) {
	const head = "a,b,c\n"
	for name, data := range map[string]string{
		"header alone":       head,
		"header, no newline": "a,b,c",
		"mark":               "\ufeff" + head + "1,2,3\n",
		"blank lines":        "\n\r\n" + head + "\n\r\n1,2,3\r\n\r\n\n4,5,6\n\n",
		"quotes":             head + "\"1\n\n\"\"\",2,\"\r\n\"\r\n4,5\",6\n\"7\"\"\",,\n",
		"no last newline":    head + "1,2,3",
		"open quote":         head + "1,2,3\n4,\"5,6\n7,8,9\n",
		"open quote, long":   head + "1,\"2,3\n4,5,6\n7,8,9\n10,11,12\n13,14,15\n",
		"long":               head + "1,2,3\n1234567890,1234567890,123\n4,5,6\n",
		"long in quotes":     head + "\"1234567890\n1234567890\n123\",2,3\n4,5,6\n",
		"long at the end":    head + "123456789,123456789,123456789",
		"text behind quotes": head + "\"1\"x\",2\n3,4,5\n",
	} {
		t.Run(name, func(t *testing.T) {
			want := literalCSV([]byte(data), 20)
			for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data)), iotest.DataErrReader(iotest.HalfReader(strings.NewReader(data)))} {
				got, err := drainCSV(Reader("f", r, Options{MaxRecord: 20, Fields: abc}))
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%v\n got %v\nwant %v", err, got, want)
				}
			}
		})
	}
}

// TestRandomRows: rows of lengths around the sizes of reads and limits, with quotes everywhere, read in pieces of every size.
func TestRandomRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 10 {
		max := []int{5, 100, 5000, readSize - 1, 2 * readSize}[round%5]
		data := []byte("a,b,c\n")
		for range rng.IntN(30) {
			n := []int{0, 1, 5, 50, max - 1, max, max + 1, 2 * max, min(50*max, readSize)}[rng.IntN(9)]
			for range n {
				data = append(data, "aaaaaa,,\"\n\r"[rng.IntN(11-rng.IntN(2)*rng.IntN(10))])
			}
			data = append(data, '\n')
		}
		if round%2 == 0 {
			data = append(byteOrderMark[:3:3], data...)
		}
		want := literalCSV(data, max)
		for _, r := range []io.Reader{bytes.NewReader(data), pieces{bytes.NewReader(data), rng}} {
			got, err := drainCSV(Reader("f", r, Options{MaxRecord: max, Fields: abc}))
			if err != nil {
				t.Fatal(err)
			}
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("round %d, row %d: got %.100v, want %.100v", round, i, got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Fatalf("round %d: %d rows, want %d", round, len(got), len(want))
			}
		}
	}
}

// TestHeaders: each file has its own.
func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	pattern := filepath.Join(dir, "*.csv")
	one := write(t, filepath.Join(dir, "1.csv"), "a,b,c\n1,2,3\n")
	two := write(t, filepath.Join(dir, "2.csv"), "\ufeff\"c\",more,\"b\",more,a\r\n3,,2,,1")
	write(t, filepath.Join(dir, "3.csv"), "c,a,b\n")
	f, err := Open(pattern, Options{MaxRecord: 100, Fields: abc})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drainCSV(f)
	want := []csvRecord{{record{one, 6, "1,2,3", 0}, "[1 2 3]"}, {record{two, 24, "3,,2,,1", 0}, "[3 0 2 0 1]"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n got %v\nwant %v", err, got, want)
	}
	for _, name := range []string{"1.csv", "2.csv", "3.csv"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if f, err = Open(pattern, Options{MaxRecord: 100, Fields: abc}); err != nil { // no file, no row
		t.Fatal(err)
	}
	if got, err := drainCSV(f); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
}

// TestHeaderErrors: a header that does not fit stops the start; that of a pipe stops when it comes.
func TestHeaderErrors(t *testing.T) {
	for _, tt := range []struct{ data, want string }{
		{"", "the file is empty; the first line of a CSV file names each field of the event once: a,b,c"},
		{"\ufeff\r\n\n", "the file is empty"},
		{"1,2,3\n", `the header has no column "a", "b", "c"; the first line of a CSV file names each field of the event once. It has "1", "2", "3"`},
		{"a,B,c\n", `no column "b"; the first line of a CSV file names each field of the event once. It has "a", "B", "c". "B" is not "b": capitals and spaces count`},
		{"a, b,c\n", `" b" is not "b"`},
		{"a;b;c\n1;2;3\n", `Are the columns separated by ";"? They must be separated by commas`},
		{"a\tb\tc\n", `Are the columns separated by "\t"?`},
		{"a,b,c,b,x,x\n", `the header has the column "b" twice`},
		{"a,\"b\"b,c\n", "the header is not CSV: text behind the closing quote of a field"},
		{"a,b,c\r1,2,3\r", "the header is not CSV: a carriage return outside of quotes; lines end with a newline, or a carriage return and a newline"},
		{"\xff\xfea\x00,\x00b\x00,\x00c\x00\n\x00", "the header is not CSV: invalid UTF-8; is the file in another encoding, such as UTF-16? CSV is read as UTF-8"},
		{"\x1f\x8b\b\x00\x00\n", "begins as gzip does, and the spec does not say that it is compressed; write compression: \"gzip\" beside its path"},
		{"a,b,c" + strings.Repeat(",x", 50) + "\n", "the header, its first line, is longer than max_record (100 bytes); is it CSV?"},
		{strings.Repeat("x,", 30) + "\n", `"x", 11 more`},
	} {
		name := write(t, filepath.Join(t.TempDir(), "f.csv"), tt.data)
		_, err := Open(name, Options{MaxRecord: 100, Fields: abc})
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
		f, err := Open("-", Options{MaxRecord: 100, Fields: abc, Stdin: strings.NewReader(tt.data)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drainCSV(f); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "standard input: ") {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
		f.Close()
	}
}

// TestOpenQuoteTakesNoMemory: a quote that is never closed costs max_record, and what is left of its line.
func TestOpenQuoteTakesNoMemory(t *testing.T) {
	const max = 1 << 20
	head := "a,b,c\n1,\"2,3\n"
	line := []byte("4,5,6\n")
	f := Reader("f", io.MultiReader(strings.NewReader(head), io.LimitReader(&repeat{line: line}, 30<<20)), Options{MaxRecord: max, Fields: abc})
	var b stream.Batch
	rows := 0
	for {
		err := f.Fill(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := cap(b.Data) + cap(f.carry); n > max+3*readSize {
			t.Fatalf("%d bytes are held", n)
		}
		if b.Oversize > 0 && (rows > 0 || b.Oversize > max+int64(len(line))) {
			t.Errorf("%d bytes are cut behind row %d", b.Oversize, rows)
		}
		for _, ok := b.NextRow(); ok; _, ok = b.NextRow() {
			rows++
		}
	}
	if least := (30<<20 - max) / len(line); rows < least {
		t.Errorf("%d rows, want %d", rows, least)
	}
}

func TestNoAllocationOfCSV(t *testing.T) {
	f := Reader("f", io.MultiReader(strings.NewReader("a,b,c\n"), &repeat{line: []byte("1,\"2\n2\",3\n")}), Options{MaxRecord: 1 << 20, Fields: abc})
	var b stream.Batch
	fill := func() {
		if err := f.Fill(&b); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	fill()
	if n := testing.AllocsPerRun(100, fill); n != 0 {
		t.Errorf("%v allocations per batch", n)
	}
}

// FuzzRows: whatever the bytes and the limit, the same rows come out however they are read.
func FuzzRows(f *testing.F) {
	f.Add([]byte("1,\"2\n\",3\n\n4,\"5\",6\n"), uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8) {
		data = append([]byte("a,b,c\n"), data...)
		max := int(limit) + 5
		want := literalCSV(data, max)
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
			if got, err := drainCSV(Reader("f", r, Options{MaxRecord: max, Fields: abc})); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%q, at most %d: %v\n got %v\nwant %v", data, max, err, got, want)
			}
		}
	})
}
