package source

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// unpack is a Unpack for tests of this package: gzip as it is.
func unpack(in io.Reader) io.ReadCloser {
	r, err := gzip.NewReader(in)
	if err != nil {
		return io.NopCloser(iotest.ErrReader(err))
	}
	return r
}

func pack(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// drainAhead takes everything and spoils each block before it gives it back.
func drainAhead(t *testing.T, a *Ahead) ([]record, error) {
	t.Helper()
	var list []record
	for {
		b, err := a.Next(nil)
		if err != nil {
			a.Close()
			if err == io.EOF {
				err = nil
			}
			return list, err
		}
		for {
			s, ok := b.Next()
			if !ok {
				break
			}
			list = append(list, record{b.File, b.Base + int64(s.Off), string(b.Bytes(s)), b.Oversize})
		}
		for i := range b.Data {
			b.Data[i] = 0xaa
		}
	}
}

// TestAhead: what is read ahead is what is read: the same records of the same files, packed or not, and the same error where there is one.
func TestAhead(t *testing.T) {
	dir := t.TempDir()
	var want []record
	for i := range 9 {
		var data []byte
		for j := range 3000 * i {
			data = fmt.Appendf(data, "{\"file\":%d,\"record\":%d,\"pad\":\"%s\"}\n", i, j, strings.Repeat("x", j%97))
		}
		write(t, filepath.Join(dir, fmt.Sprintf("%d.ndjson", i)), string(data))
		packed := filepath.Join(dir, fmt.Sprintf("%d.gz", i))
		write(t, packed, string(pack(t, data)))
		want = append(want, literal(packed, data, 100)...)
	}
	for _, ending := range []string{"ndjson", "gz"} {
		o := Options{MaxRecord: 100}
		if ending == "gz" {
			o.Unpack = unpack
		}
		for i := range want {
			want[i].file = strings.TrimSuffix(want[i].file, filepath.Ext(want[i].file)) + "." + ending
		}
		for cores := 1; cores <= 2; cores++ {
			f, err := Open(filepath.Join(dir, "*."+ending), o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := drainAhead(t, NewAhead(f, cores, nil))
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, want)
		}
	}
}

// TestAheadError: an error comes behind the records before it, again when asked again, and the goroutine has left.
func TestAheadError(t *testing.T) {
	broken := errors.New("broken disk")
	for cores := 1; cores <= 2; cores++ {
		f := Reader("f", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), Options{MaxRecord: 100})
		got, err := drainAhead(t, NewAhead(f, cores, nil))
		same(t, got, []record{{"f", 0, "a", 0}})
		if !errors.Is(err, broken) {
			t.Error(err)
		}
		f = Reader("f", panics{}, Options{MaxRecord: 100})
		if _, err := drainAhead(t, NewAhead(f, cores, nil)); err == nil || !strings.Contains(err.Error(), "panic while reading, this is a bug in streamwright: no more") {
			t.Error(err)
		}
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("no more") }

// TestAheadLeaves: a run that stops in the middle leaves no goroutine and no open file, and a wait for a pipe is left for a tick.
func TestAheadLeaves(t *testing.T) {
	before := runtime.NumGoroutine()
	name := write(t, filepath.Join(t.TempDir(), "in"), strings.Repeat("0123456789\n", 200_000))
	f, err := Open(name, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAhead(f, 2, nil)
	if _, err := a.Next(nil); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if f.file != nil {
		t.Error("the file is open")
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	if f, err = Open("-", Options{MaxRecord: 100, Stdin: r, Stop: stop}); err != nil {
		t.Fatal(err)
	}
	a = NewAhead(f, 1, nil)
	tick := make(chan time.Time, 1)
	tick <- time.Time{}
	if b, err := a.Next(tick); b != nil || err != nil {
		t.Errorf("tick: %v %v", b, err)
	}
	if _, err := w.WriteString("x\n"); err != nil {
		t.Fatal(err)
	}
	if b, err := a.Next(tick); err != nil || string(b.Data[:b.End]) != "x\n" || !b.Live || b.Now == 0 {
		t.Errorf("%v %v", b, err)
	}
	close(stop)
	if _, err := a.Next(nil); err == nil || err == io.EOF {
		t.Errorf("stopped: %v", err)
	}
	a.Close()
	w.Close()
	r.Close()
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i > 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
		time.Sleep(time.Millisecond)
	}
}

// TestPacked: a file that is not packed as declared stops the start, and a pipe its first read, with the word that would be right.
func TestPacked(t *testing.T) {
	dir := t.TempDir()
	lines := []byte("{\"a\":1}\n")
	for _, tt := range []struct {
		name, data, want string
		unpack           Unpack
	}{
		{"gzip", string(pack(t, lines)), `begins as gzip does, and the spec does not say that it is compressed; write compression: "gzip"`, nil},
		{"zstd", "\x28\xb5\x2f\xfd\x04\x00", `begins as zstd does, and the spec does not say that it is compressed; write compression: "zstd"`, nil},
		{"twice", string(pack(t, pack(t, lines))), "what is unpacked begins as gzip does: the file was compressed twice", unpack},
		{"plain", string(lines), "reading failed at byte 0 of what is unpacked: ", unpack},
		{"empty", "", "reading failed at byte 0 of what is unpacked: ", unpack},
	} {
		for _, fields := range [][]string{nil, {"a"}} {
			o := Options{MaxRecord: 100, Unpack: tt.unpack, Fields: fields}
			if tt.name == "empty" {
				o.Unpack = func(io.Reader) io.ReadCloser { return io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF)) }
			}
			_, err := Open(write(t, filepath.Join(dir, tt.name), tt.data), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			o.Stdin = iotest.OneByteReader(strings.NewReader(tt.data))
			f, err := Open("-", o)
			if err == nil {
				_, err = drainAhead(t, NewAhead(f, 1, nil))
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s from a pipe: %v, want %s", tt.name, err, tt.want)
			}
		}
	}
}

// TestBrokenOff: of a packed file that breaks off come the records before, then an error with both places.
func TestBrokenOff(t *testing.T) {
	var data []byte
	for i := range 100_000 {
		data = fmt.Appendf(data, "%x\n", i*i)
	}
	packed := pack(t, data)
	name := write(t, filepath.Join(t.TempDir(), "in"), string(packed[:len(packed)/2]))
	f, err := Open(name, Options{MaxRecord: 100, Unpack: unpack})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drainAhead(t, NewAhead(f, 2, nil))
	if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "in: reading failed at byte ") {
		t.Error(err)
	}
	if want := literal(name, data, 100); len(got) < 10_000 || len(got) >= len(want) {
		t.Errorf("%d of %d records", len(got), len(want))
	} else {
		same(t, got, want[:len(got)])
	}
}

// TestLongLinePacked: a line of 100 MB, which gzip makes small, takes no more memory than max_record.
func TestLongLinePacked(t *testing.T) {
	const size, maxRecord = 100 << 20, 1 << 20
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = io.Copy(w, &endless{n: size})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	name := write(t, filepath.Join(t.TempDir(), "in"), b.String())
	b = bytes.Buffer{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := Open(name, Options{MaxRecord: maxRecord, Unpack: unpack})
	if err != nil {
		t.Fatal(err)
	}
	got, err := drainAhead(t, NewAhead(f, 2, nil))
	if err != nil || len(got) != 2 || got[0].size != size || got[1].text != "short" || got[1].offset != size+1 {
		t.Errorf("%v, %d records", err, len(got))
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 16*maxRecord {
		t.Errorf("%d bytes were allocated", n)
	}
}

// TestRewritten: a file that is written anew in its place while it is read, and becomes as long as it was, is no longer the file that was begun.
func TestRewritten(t *testing.T) {
	name := write(t, filepath.Join(t.TempDir(), "in"), strings.Repeat("0123456789\n", 100_000))
	f, err := Open(name, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAhead(f, 1, nil)
	if _, err := a.Next(nil); err != nil {
		t.Fatal(err)
	}
	write(t, name, strings.Repeat("9876543210\n", 100_001))
	if _, err := drainAhead(t, a); err == nil || !strings.Contains(err.Error(), "was written anew while it was read") {
		t.Error(err)
	}
}

// TestReplaced: a file that is replaced by another of its name while it is read is read as it was.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	data := strings.Repeat("0123456789\n", 100_000)
	name := write(t, filepath.Join(dir, "in"), data)
	f, err := Open(name, Options{MaxRecord: 100})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAhead(f, 1, nil)
	b, err := a.Next(nil)
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(b.Data[:b.End], []byte("\n"))
	if err := os.Rename(write(t, filepath.Join(dir, "new"), "x\n"), name); err != nil {
		t.Skip("a file that is open cannot be replaced here: ", err)
	}
	got, err := drainAhead(t, a)
	if err != nil || n+len(got) != 100_000 {
		t.Errorf("%v, %d records", err, n+len(got))
	}
}
