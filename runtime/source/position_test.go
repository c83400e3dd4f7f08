package source

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

const positionMax = 64

// taken reads the records of a source from a position on, and says where it is behind the first n; n < 0: all.
func taken(t *testing.T, pattern string, o Options, from []byte, n int) (records []string, position []byte, err error) {
	t.Helper()
	o.MaxRecord = positionMax
	f, err := Open(pattern, o)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if err := f.Start(from); err != nil {
		return nil, nil, err
	}
	f.first = 48 // several blocks a file
	var b stream.Batch
	position = from
	for n < 0 || len(records) < n {
		if err := f.Fill(&b); err == io.EOF {
			return records, position, nil
		} else if err != nil {
			return records, position, err
		}
		for n < 0 || len(records) < n {
			line, ok := b.Next()
			if !ok {
				break
			}
			records = append(records, string(b.Bytes(line)))
		}
		position = AppendPosition(nil, &b, positionMax)
	}
	return records, position, nil
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func gunzip(in io.Reader) io.ReadCloser {
	r, err := gzip.NewReader(in)
	if err != nil {
		return io.NopCloser(strings.NewReader(""))
	}
	return r
}

// TestPosition stops behind every record, and goes on there: nothing is read twice and nothing is left out, whatever records there are.
func TestPosition(t *testing.T) {
	plain := map[string]string{
		"a.ndjson": "\ufeff{\"n\":1}\r\n\n{\"n\":2}\n",
		"b.ndjson": "",
		"c.ndjson": strings.Repeat("{\"n\":3}\n", 30) + strings.Repeat("x", 200) + "\n{\"n\":4}\n  \n",
		"d.ndjson": "{\"n\":5}\n{\"n\":6}",
		"e.ndjson": strings.Repeat("y", 300),
	}
	for _, kind := range []string{"plain", "gzip", "csv"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			o := Options{}
			for name, text := range plain {
				switch kind {
				case "gzip":
					text = gzipped(text)
					o.Unpack = gunzip
				case "csv":
					text = "n,m\n" + strings.NewReplacer("{\"n\":", "", "}", ",0", "\ufeff", "").Replace(text)
					o.Fields = []string{"n"}
				}
				os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
			}
			pattern := filepath.Join(dir, "*.ndjson")
			all, end, err := taken(t, pattern, o, nil, -1)
			if err != nil || len(all) < 30 {
				t.Fatalf("%d records, %v", len(all), err)
			}
			for n := range len(all) + 1 {
				head, at, err := taken(t, pattern, o, nil, n)
				if err != nil {
					t.Fatal(err)
				}
				rest, last, err := taken(t, pattern, o, at, -1)
				if err != nil {
					t.Fatalf("after %d records: %v", n, err)
				}
				if got := append(head, rest...); fmt.Sprint(got) != fmt.Sprint(all) {
					t.Fatalf("after %d records: %q, want %q", n, got, all)
				}
				if len(rest) > 0 && !bytes.Equal(last, end) {
					t.Errorf("after %d records: the end is at %q, want %q", n, last, end)
				}
			}
		})
	}
}

// TestPositionChanged changes the files between two runs: what could lose a record or count one twice is an error that says what to do.
func TestPositionChanged(t *testing.T) {
	lines := func(word string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{\"%s\":%d}\n", word, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name   string
		change func(dir string)
		want   string // "": it goes on
		more   int    // records
	}{
		{"nothing", func(dir string) {}, "", 0},
		{"appended", func(dir string) { add(dir, "b", lines("b", 3)) }, "", 3},
		{"a file behind", func(dir string) { store(dir, "c", lines("c", 2)) }, "", 2},
		{"a copy of it", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "b"))
			os.Remove(filepath.Join(dir, "b"))
			store(dir, "b", string(text))
		}, "", 0},
		{"shorter", func(dir string) { os.Truncate(filepath.Join(dir, "b"), 5000) }, "has changed since: it has 5000 bytes now", 0},
		{"empty", func(dir string) { os.Truncate(filepath.Join(dir, "b"), 0) }, "has changed since: it has 0 bytes now", 0},
		{"replaced by a longer one", func(dir string) { store(dir, "b", lines("z", 2000)) }, "has changed since: it begins with other bytes", 0},
		{"the same beginning, another end", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(dir, "b"))
			store(dir, "b", string(text[:4500])+lines("other", 2000))
		}, "bytes before that are others", 0},
		{"gone", func(dir string) { os.Remove(filepath.Join(dir, "b")); store(dir, "c", "") }, "is not among the files any more", 0},
		{"one before is gone", func(dir string) { os.Remove(filepath.Join(dir, "a")) }, "the 0 files that sort before it are not the 1 that were read: what sorts before", 0},
		{"one before is new", func(dir string) { store(dir, "a2", lines("n", 1)) }, "/a2 was not there: what sorts before ", 0},
		{"one before has grown", func(dir string) { add(dir, "a", lines("a", 1)) }, "/a had 80 bytes and has 88 now: what sorts before ", 0},
		{"one before has another name", func(dir string) { os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "a1")) }, "the 1 files that sort before it are not the 1 that were read: ", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			store(dir, "a", lines("a", 10))
			store(dir, "b", lines("b", 1000))
			_, at, err := taken(t, filepath.Join(dir, "*"), Options{}, nil, 1010)
			if err != nil {
				t.Fatal(err)
			}
			c.change(dir)
			records, _, err := taken(t, filepath.Join(dir, "*"), Options{}, at, -1)
			switch {
			case c.want == "" && (err != nil || len(records) != c.more):
				t.Errorf("%d records and %v, want %d", len(records), err, c.more)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
	t.Run("the last line grew", func(t *testing.T) {
		dir := t.TempDir()
		store(dir, "a", "{}\n{\"n\":1")
		_, at, err := taken(t, filepath.Join(dir, "a"), Options{}, nil, -1)
		if err != nil {
			t.Fatal(err)
		}
		add(dir, "a", "2}\n")
		if _, _, err = taken(t, filepath.Join(dir, "a"), Options{}, at, -1); err == nil || !strings.Contains(err.Error(), "had no newline") {
			t.Error(err)
		}
	})
}

func store(dir, name, text string) { os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666) }

func add(dir, name, text string) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		f.WriteString(text)
		f.Close()
	}
}

// FuzzPosition reads positions that no program wrote.
func FuzzPosition(f *testing.F) {
	var b stream.Batch
	b.File, b.Data, b.Pos, b.End = "a.ndjson", []byte("{}\n{}\n"), 3, 6
	good := AppendPosition(nil, &b, positionMax)
	f.Add(good)
	f.Add(good[:20])
	f.Add([]byte{2})
	dir := f.TempDir()
	store(dir, "a.ndjson", "{}\n{}\n")
	f.Chdir(dir)
	f.Fuzz(func(t *testing.T, position []byte) {
		if _, err := parsePosition(position); err != nil && err != errPosition {
			t.Fatal(err)
		}
		files, err := Open("a.ndjson", Options{MaxRecord: positionMax})
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		if files.Start(position) == nil {
			files.Fill(new(stream.Batch))
		}
	})
}

// TestDifference: of the files before a position the one that is new, or has another length, is named, wherever it stands.
func TestDifference(t *testing.T) {
	if factor := uint64(1099511628211); factor*inverse != 1 {
		t.Error("the factor of hashes and its inverse do not fit together")
	}
	const n = 50
	names, sizes := make([]string, n), make([]int64, n)
	var was stream.Origin
	for i := range n {
		names[i], sizes[i] = fmt.Sprintf("in/%02d.ndjson", i), int64(i*i*1000)
		was.Follow(named(names[i], sizes[i]))
	}
	for i := range n {
		for _, size := range []int64{0, 1, 1 << 39} {
			if size == sizes[i] {
				continue
			}
			now := slices.Clone(sizes)
			now[i] = size
			if got, want := difference(names, now, was), fmt.Sprintf("%s had %d bytes and has %d now", names[i], sizes[i], size); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		more := slices.Insert(slices.Clone(names), i, "in/new")
		if got := difference(more, slices.Insert(slices.Clone(sizes), i, 17), was); got != "in/new was not there" {
			t.Errorf("%d: %s", i, got)
		}
		if got := difference(slices.Delete(slices.Clone(names), i, i+1), slices.Delete(slices.Clone(sizes), i, i+1), was); got != "the 49 files that sort before it are not the 50 that were read" {
			t.Errorf("%d: %s", i, got)
		}
		two := slices.Clone(sizes)
		two[i]++
		two[(i+7)%n]++
		if got := difference(names, two, was); got != "the 50 files that sort before it are not the 50 that were read" {
			t.Errorf("%d: %s", i, got)
		}
	}
}
