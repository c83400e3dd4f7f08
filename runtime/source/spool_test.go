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
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestSpool: a process that dies has lost nothing of what was read from standard input. Each life reads some records of what there is, commits or does not, and dies; new input stands behind the old.
func TestSpool(t *testing.T) {
	t.Run("json", func(t *testing.T) { spooled(t, nil, "", "%d,%s", 100) })
	t.Run("csv", func(t *testing.T) { spooled(t, []string{"n", "x"}, "\xef\xbb\xbf\r\n\"x\",n\r\n", "\"a\n%d\",%s", 300) })
}

// spooled tests a spool of records of a form, with what stands before them in each life.
func spooled(t *testing.T, fields []string, header, form string, part int64) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	var want, got []string
	var committed []byte
	n := 0
	for life := range 12 {
		var in strings.Builder
		in.WriteString(header)
		for range life % 5 * 7 {
			want = append(want, fmt.Sprintf(form, n, strings.Repeat("x", n%23)))
			in.WriteString(want[len(want)-1] + "\n")
			n++
		}
		stop := make(chan struct{})
		spool, err := newSpool(dir, committed, Options{MaxRecord: positionMax, Fields: fields, Stdin: strings.NewReader(in.String()), Stop: stop}, part)
		if err != nil {
			t.Fatal(err)
		}
		files, err := spool.Open(Options{MaxRecord: positionMax, Fields: fields, Stop: stop})
		if err != nil {
			t.Fatal(err)
		}
		if err := files.Start(committed); err != nil {
			t.Fatal(err)
		}
		files.first = 40
		var records []string
		var b stream.Batch
		for life == 11 || len(records) < 10+life { // the last one reads to the end
			if err := files.Fill(&b); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			next := b.Next
			if fields != nil {
				next = b.NextRow
			}
			for {
				line, ok := next()
				if !ok {
					break
				}
				records = append(records, string(b.Bytes(line)))
			}
		}
		if life%3 != 1 && len(records) > 0 {
			if err := spool.Forget(committed); err != nil {
				t.Fatal(err)
			}
			got = append(got, records...)
			committed = AppendPosition(committed[:0], &b, positionMax)
			if err := spool.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		close(stop)
		files.Close()
		for more := true; more; more, err = spool.grows() { // it has read its input
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 8 {
		t.Errorf("%d parts are left (%v)", len(left), err)
	}
}

// spoolCSV keeps an input in parts of so many bytes, and gives the spool when it has read it.
func spoolCSV(t *testing.T, dir string, committed []byte, in io.Reader, part int64) (*Spool, error) {
	t.Helper()
	spool, err := newSpool(dir, committed, Options{MaxRecord: 64, Fields: abc, Stdin: in, Stop: t.Context().Done()}, part)
	for more := true; err == nil && more; more, err = spool.grows() {
		time.Sleep(100 * time.Microsecond)
	}
	return spool, err
}

// TestSpoolOfCSV: what is read from the parts is what is read from the input itself, whatever stands in it and however it comes: quotes that are open, long rows, no last newline.
func TestSpoolOfCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\"", "\"\"", ",", "\n", "\r\n", "a", "1,2,3\n", "\"x\ny\",,\n", strings.Repeat("z", 30)}
	for range 500 {
		text := "b,a,c\n"
		for range r.IntN(60) {
			text += pieces[r.IntN(len(pieces))]
		}
		o := Options{MaxRecord: 64, Fields: abc}
		want, err := drainCSV(Reader("x", strings.NewReader(text), o))
		if err != nil {
			t.Fatal(err)
		}
		spool, err := spoolCSV(t, t.TempDir(), nil, iotest.OneByteReader(strings.NewReader(text)), int64(len(text)/(1+r.IntN(8))+20))
		if r.IntN(2) == 0 {
			spool, err = spoolCSV(t, t.TempDir(), nil, strings.NewReader(text), int64(len(text)/(1+r.IntN(8))+20))
		}
		if err != nil {
			t.Fatal(err)
		}
		files, err := spool.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := drainCSV(files)
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b csvRecord) bool { return a.text == b.text && a.size == b.size && a.columns == b.columns }
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("%q:\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

// TestSpoolTorn: of a row of CSV that had not come whole when its process ended nothing is taken, and it is said.
func TestSpoolTorn(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		torn int64
	}{
		{"a,b,c\n1,2,3\n4,5,6", []string{"1,2,3"}, 5}, // or 4,5,66
		{"a,b,c\n1,2,3\n4,5,\"6\n", []string{"1,2,3"}, 7},
		{"a,b,c\n1,2,3\n", []string{"1,2,3"}, 0},
		{"a,b", nil, 0},
	} {
		dir := t.TempDir()
		r, w := io.Pipe()
		first, err := newSpool(dir, nil, Options{MaxRecord: 64, Fields: abc, Stdin: r, Stop: t.Context().Done()}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, c.text)
		io.WriteString(w, "") // until it asks for more
		if err := first.Sync(); err != nil {
			t.Fatal(err)
		}
		second, err := spoolCSV(t, dir, nil, strings.NewReader("c,b,a\n9,8,7"), 1000)
		if err != nil {
			t.Fatal(err)
		}
		files, err := second.Open(Options{MaxRecord: 64, Fields: abc})
		if err != nil {
			t.Fatal(err)
		}
		list, err := drainCSV(files)
		var got []string
		for _, l := range list {
			got = append(got, l.text)
		}
		if want := append(c.want, "9,8,7"); err != nil || !slices.Equal(got, want) || second.Torn != c.torn {
			t.Errorf("%q: %q, want %q; %d bytes torn (%v)", c.text, got, want, second.Torn, err)
		}
		w.Close()
	}
	// The last row of an input that has ended is as it is, also when its quote is open: it was committed so.
	dir := t.TempDir()
	spool, err := spoolCSV(t, dir, nil, strings.NewReader("a,b,c\n1,2,\"3"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	files, err := spool.Open(Options{MaxRecord: 64, Fields: abc})
	if err != nil {
		t.Fatal(err)
	}
	var b stream.Batch
	if err := files.Fill(&b); err != nil {
		t.Fatal(err)
	}
	for ok := true; ok; _, ok = b.NextRow() {
	}
	position := AppendPosition(nil, &b, 64)
	if spool, err = spoolCSV(t, dir, position, strings.NewReader("a,b,c\n4,5,6\n"), 1000); err != nil || spool.Torn != 0 {
		t.Fatal(err)
	}
	if files, err = spool.Open(Options{MaxRecord: 64, Fields: abc}); err == nil {
		err = files.Start(position)
	}
	if err != nil {
		t.Fatal(err)
	}
	if list, err := drainCSV(files); err != nil || len(list) != 1 || list[0].text != "4,5,6" {
		t.Errorf("%v %v", list, err)
	}
}

// TestSpoolWithoutHeader: an input of CSV whose header is not there, or not what it must be, is refused before anything of it is kept, so that the next run is not in its way.
func TestSpoolWithoutHeader(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "standard input: the file is empty; the first line of a CSV file names each field",
		"\r\n\n":                          "standard input: the file is empty",
		"a,b\n1,2\n":                      `standard input: the header has no column "c"`,
		"a,b,c,a\n":                       `the column "a" twice`,
		"a,b,\"c\n":                       "the header is not CSV",
		strings.Repeat("a,", 100) + "b,c": "the header, its first line, is longer than max_record (64 bytes)",
	} {
		dir := t.TempDir()
		if _, err := spoolCSV(t, dir, nil, iotest.OneByteReader(strings.NewReader(text)), 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%q: %v is kept", text, left)
		}
	}
	spool, err := spoolCSV(t, t.TempDir(), nil, strings.NewReader("c,b,a"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	files, err := spool.Open(Options{MaxRecord: 64, Fields: abc})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := drainCSV(files); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

// TestSpoolFails: what cannot be kept stops the source.
func TestSpoolFails(t *testing.T) {
	if _, err := NewSpool(filepath.Join(t.TempDir(), "a/b\x00"), nil, Options{Stdin: new(bytes.Reader)}); err == nil || !strings.Contains(err.Error(), "what comes on standard input cannot be kept here") {
		t.Error(err)
	}
	spool, err := NewSpool(t.TempDir(), nil, Options{MaxRecord: positionMax, Stdin: io.MultiReader(strings.NewReader("1\n"), broken{})})
	if err != nil {
		t.Fatal(err)
	}
	files, err := spool.Open(Options{MaxRecord: positionMax})
	if err != nil {
		t.Fatal(err)
	}
	var b stream.Batch
	for err == nil {
		err = files.Fill(&b)
	}
	if err == io.EOF || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }
