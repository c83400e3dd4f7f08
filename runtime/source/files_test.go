package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// record is one as a processor sees it.
type record struct {
	file   string
	offset int64
	text   string
	size   int64 // of one that was cut
}

// drain takes everything, checks what each batch promises, and spoils the memory between batches as processors do with their arena.
func drain(t *testing.T, f *Files, maxRecord int) []record {
	t.Helper()
	var list []record
	var b stream.Batch
	for {
		err := f.Fill(&b)
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Pos >= b.End || len(b.Data) != b.End+stream.Padding || !bytes.Equal(b.Data[b.End:], make([]byte, stream.Padding)) {
			t.Fatalf("batch %d:%d of %d bytes", b.Pos, b.End, len(b.Data))
		}
		for {
			s, ok := b.Next()
			if !ok {
				break
			}
			if int(s.Len) > maxRecord {
				t.Fatalf("record of %d bytes", s.Len)
			}
			list = append(list, record{b.File, b.Base + int64(s.Off), string(b.Bytes(s)), b.Oversize})
		}
		for i := range b.Data {
			b.Data[i] = 0xaa
		}
		b.Keep(make([]byte, rand.IntN(100)))
	}
}

// literal is what drain must give: lines cut one by one.
func literal(file string, data []byte, maxRecord int) []record {
	var list []record
	offset := int64(0)
	if bytes.HasPrefix(data, byteOrderMark) {
		data, offset = data[3:], 3
	}
	for line := range bytes.Lines(data) {
		text := bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case len(text) > maxRecord:
			list = append(list, record{file, offset, string(text[:maxRecord]), int64(len(text))})
		case len(bytes.Trim(text, " \t\r")) > 0:
			list = append(list, record{file, offset, string(text), 0})
		}
		offset += int64(len(line))
	}
	return list
}

func same(t *testing.T, got, want []record) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("record %d: got %.100v, want %.100v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
}

func TestRecords(t *testing.T) {
	for name, data := range map[string]string{
		"empty":              "",
		"mark only":          "\ufeff",
		"mark and newline":   "\ufeff\n",
		"half a mark":        "\xef\xbb",
		"half a mark, line":  "\xef\xbb\na\n",
		"mark":               "\ufeffa\nb\n",
		"mark, long":         "\ufeff0123456789\nb",
		"two marks":          "\ufeff\ufeffa\n",
		"mark inside":        "a\n\ufeffb\n",
		"no last newline":    "a\nb",
		"blank and CRLF":     "\n\r\na\r\n \t\n\nb\r\n\n",
		"at the limit":       "01234567\n01234567\n01234567",
		"above the limit":    "012345678\n012345678",
		"long between short": "a\n0123456789abcdef0123456789\nb\n0123456789\n0123456789\nc",
		"long at the end":    "a\n" + strings.Repeat("x", 100),
		"long and blank":     "a\n           \nb\n         x",
		"NUL":                "a\x00b\nc",
	} {
		t.Run(name, func(t *testing.T) {
			want := literal("f", []byte(data), 8)
			same(t, drain(t, Reader("f", strings.NewReader(data), Options{MaxRecord: 8}), 8), want)
			same(t, drain(t, Reader("f", iotest.OneByteReader(strings.NewReader(data)), Options{MaxRecord: 8}), 8), want)
			same(t, drain(t, Reader("f", iotest.DataErrReader(iotest.HalfReader(strings.NewReader(data))), Options{MaxRecord: 8}), 8), want)
		})
	}
}

// TestRandomRecords: lines of every length around the sizes of reads and limits, read in pieces of every size.
func TestRandomRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 21 {
		maxRecord := []int{1, 100, 5000, readSize - 1, readSize, readSize + 1, 3 * readSize}[round%7]
		var data []byte
		if round%3 == 0 {
			data = append(data, byteOrderMark...)
		}
		for range rng.IntN(12) {
			n := []int{0, 1, 50, maxRecord - 1, maxRecord, maxRecord + 1, 2 * maxRecord, readSize - 2, readSize - 1, readSize, readSize + 1}[rng.IntN(11)]
			data = append(data, bytes.Repeat([]byte("abc \r"), n/5+1)[:n]...)
			if n > 0 {
				data[len(data)-n] = 'x' // not blank
			}
			data = append(data, '\n')
		}
		data = data[:len(data)-min(len(data), rng.IntN(2))]
		want := literal("f", data, maxRecord)
		same(t, drain(t, Reader("f", bytes.NewReader(data), Options{MaxRecord: maxRecord}), maxRecord), want)
		same(t, drain(t, Reader("f", pieces{bytes.NewReader(data), rng}, Options{MaxRecord: maxRecord}), maxRecord), want)
	}
}

// pieces reads a random number of bytes at once.
type pieces struct {
	r   io.Reader
	rng *rand.Rand
}

func (p pieces) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.rng.IntN(1<<(1+p.rng.IntN(18))))])
}

func FuzzRecords(f *testing.F) {
	f.Add([]byte("\ufeffa\n\nlonger than eight\r\nb"), uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8) {
		n := int(limit) + 1
		same(t, drain(t, Reader("f", bytes.NewReader(data), Options{MaxRecord: n}), n), literal("f", data, n))
	})
}

// endless gives a line of n bytes and then a short one.
type endless struct{ n int64 }

func (e *endless) Read(b []byte) (int, error) {
	if e.n < 0 {
		return 0, io.EOF
	}
	if e.n == 0 {
		e.n = -1
		return copy(b, "\nshort\n"), nil
	}
	n := min(e.n, int64(len(b)))
	copy(b[:n], bytes.Repeat([]byte("x"), int(n)))
	e.n -= n
	return int(n), nil
}

func TestLongLineTakesNoMemory(t *testing.T) {
	const maxRecord = 1 << 20
	f := Reader("f", &endless{n: 40 << 20}, Options{MaxRecord: maxRecord})
	var b stream.Batch
	if err := f.Fill(&b); err != nil {
		t.Fatal(err)
	}
	if b.Oversize != 40<<20 || b.End != maxRecord {
		t.Errorf("size %d, %d bytes of it", b.Oversize, b.End)
	}
	if n := cap(b.Data) + cap(f.carry); n > maxRecord+readSize+4096 {
		t.Errorf("%d bytes are held", n)
	}
	if err := f.Fill(&b); err != nil || string(b.Data[b.Pos:b.End]) != "short\n" || b.Base != 40<<20+1 || b.Oversize != 0 {
		t.Errorf("after it: %v %q at %d", err, b.Data[b.Pos:b.End], b.Base)
	}
}

func TestNoAllocation(t *testing.T) {
	line := []byte(strings.Repeat("x", 150) + "\n")
	f := Reader("f", &repeat{line: line}, Options{MaxRecord: 1 << 20})
	var b stream.Batch
	fill := func() {
		if err := f.Fill(&b); err != nil {
			t.Fatal(err)
		}
		b.Keep(line)
	}
	fill()
	fill()
	if n := testing.AllocsPerRun(100, fill); n != 0 {
		t.Errorf("%v allocations per batch", n)
	}
}

type repeat struct {
	line []byte
	pos  int
}

func (r *repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.line[r.pos]
		r.pos = (r.pos + 1) % len(r.line)
	}
	return len(b), nil
}

func write(t *testing.T, name, data string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	var want []record
	for i := range 2000 {
		name := filepath.Join(dir, fmt.Sprintf("part-%d.ndjson", i))
		data := fmt.Sprintf("a%d\nb%d", i, i) // without a last newline: must not run into the next file
		if i%3 == 0 {
			data = "\ufeff" + data
		}
		if i%10 == 0 {
			data = ""
		}
		write(t, name, data)
		want = append(want, literal(name, []byte(data), 100)...)
	}
	slices.SortStableFunc(want, func(a, b record) int { return strings.Compare(a.file, b.file) })
	f, err := Open(filepath.Join(dir, "part-*.ndjson"), Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Names()); n != 2000 {
		t.Errorf("%d names", n)
	}
	same(t, drain(t, f, 100), want)
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub.ndjson"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "file"), "x")
	for _, tt := range []struct{ path, want string }{
		{"", "the path is empty"},
		{filepath.Join(dir, "none.ndjson"), "none.ndjson: no such file (check the path)"},
		{"none.ndjson", "none.ndjson: no such file (looked up from the working directory /"},
		{filepath.Join(dir, "n*.ndjson"), "n*.ndjson: no file matches this pattern (check the path)"},
		{filepath.Join(dir, "[a.ndjson"), "[a.ndjson: not a valid pattern"},
		{dir, "is a directory; to read the files in it write a pattern such as " + filepath.Join(dir, "*.ndjson")},
		{filepath.Join(dir, "*.ndjson"), "sub.ndjson: is a directory"},
		{filepath.Join(dir, "file", "x"), "x: cannot be opened: not a directory"},
	} {
		_, err := Open(tt.path, Options{MaxRecord: 100})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.path, err, tt.want)
		}
	}
}

func TestVanishes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "1\n")
	b := write(t, filepath.Join(dir, "b"), "2\n")
	pattern := filepath.Join(dir, "*")
	f, err := Open(pattern, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	var batch stream.Batch
	if err := f.Fill(&batch); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Fill(&batch); err == nil || !strings.Contains(err.Error(), b+": matched "+pattern+" and is gone now") {
		t.Error(err)
	}
}

func TestShrinks(t *testing.T) {
	name := write(t, filepath.Join(t.TempDir(), "a"), strings.Repeat("0123456789\n", 100_000))
	f, err := Open(name, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b stream.Batch
	if err := f.Fill(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 20); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		err = f.Fill(&b)
	}
	if !strings.Contains(err.Error(), "became shorter while it was read (1100000 bytes, now 20)") {
		t.Error(err)
	}
}

func TestReadFails(t *testing.T) {
	broken := errors.New("broken disk")
	f := Reader("f", io.MultiReader(strings.NewReader("a\nbc"), iotest.ErrReader(broken)), Options{MaxRecord: 100})
	var b stream.Batch
	if err := f.Fill(&b); err != nil || string(b.Data[:b.End]) != "a\n" {
		t.Fatalf("%v %q", err, b.Data)
	}
	if err := f.Fill(&b); !errors.Is(err, broken) || !strings.Contains(err.Error(), "f: reading failed at byte 4") {
		t.Error(err)
	}
	f = Reader("f", io.MultiReader(strings.NewReader("abcdef"), iotest.ErrReader(broken)), Options{MaxRecord: 3})
	if err := f.Fill(&b); !errors.Is(err, broken) || !strings.Contains(err.Error(), "f: reading failed at byte 6") {
		t.Error(err)
	}
}

// TestStandardInput: what is there is delivered without waiting for more, and a wait can be ended.
func TestStandardInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	f, err := Open("-", Options{MaxRecord: 100, Stdin: r, Stop: ctx.Done()})
	if err != nil {
		t.Fatal(err)
	}
	var b stream.Batch
	for _, part := range [][2]string{{"a\nb", "a\n"}, {"c\n", "bc\n"}} {
		if _, err := w.WriteString(part[0]); err != nil {
			t.Fatal(err)
		}
		if err := f.Fill(&b); err != nil || string(b.Data[:b.End]) != part[1] || b.File != "-" {
			t.Fatalf("%v %q of %s", err, b.Data[:b.End], b.File)
		}
	}
	if !f.Live() {
		t.Error("a pipe is live")
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := f.Fill(&b); err == nil || err == io.EOF {
		t.Errorf("stopped: %v", err)
	}
	w.Close()
	f.Close()
}

func TestStandardInputIsADirectory(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	f, err := Open("-", Options{MaxRecord: 100, Stdin: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Fill(new(stream.Batch)); err == nil || !strings.HasPrefix(err.Error(), "standard input is a directory; redirect a file into it") {
		t.Error(err)
	}
}

func TestStandardInputEnds(t *testing.T) {
	f, err := Open("-", Options{MaxRecord: 8, Stdin: strings.NewReader("\ufeffa\n0123456789abc\nlast")})
	if err != nil {
		t.Fatal(err)
	}
	same(t, drain(t, f, 8), []record{{"-", 3, "a", 0}, {"-", 5, "01234567", 13}, {"-", 19, "last", 0}})
	name := write(t, filepath.Join(t.TempDir(), "in"), "1\n2\n")
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if f, err = Open("-", Options{MaxRecord: 8, Stdin: file}); err != nil {
		t.Fatal(err)
	}
	same(t, drain(t, f, 8), []record{{"-", 0, "1", 0}, {"-", 2, "2", 0}})
}
