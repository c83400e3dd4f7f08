package gzip

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func pack(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMembers: a file of several members, an empty one among them, is one text, in whatever pieces it comes.
func TestMembers(t *testing.T) {
	data := bytes.Join([][]byte{pack(t, "a\nb"), pack(t, ""), pack(t, "c\n"+strings.Repeat("x", 100_000))}, nil)
	for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
		r := Open(in)
		got, err := io.ReadAll(r)
		if err != nil || string(got) != "a\nbc\n"+strings.Repeat("x", 100_000) {
			t.Errorf("%v, %d bytes", err, len(got))
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("behind the end: %d %v", n, err)
		}
		r.Close()
	}
}

// TestDamage: every file that is not whole is one error that says what is wrong and where; what stands before it comes first.
func TestDamage(t *testing.T) {
	whole := pack(t, strings.Repeat("0123456789\n", 1000))
	flip := func(i int) []byte {
		d := bytes.Clone(whole)
		d[(i+len(d))%len(d)] ^= 0x55
		return d
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "the file is empty"},
		{"no gzip", []byte("{\"a\":1}\n"), `does not begin as gzip does, but with "{\"a\""`},
		{"short", []byte("{}"), `does not begin as gzip does, but with "{}"`},
		{"zstd", []byte("\x28\xb5\x2f\xfd0123456789"), `write compression: "zstd"`},
		{"half a header", whole[:7], "breaks off at byte 7"},
		{"no checksum", whole[:len(whole)-8], "breaks off at byte"},
		{"half a checksum", whole[:len(whole)-3], "breaks off at byte"},
		{"wrong checksum", flip(-6), "does not have the checksum"},
		{"wrong length", flip(-2), "does not have the checksum"},
		{"damaged", append(whole[:20:20], bytes.Repeat([]byte{0xff}, 100)...), "damaged near byte"},
		{"garbage behind", append(bytes.Clone(whole), "garbage that is long enough"...), "stands something that is not gzip"},
		{"zeros behind", append(bytes.Clone(whole), make([]byte, 512)...), "stands something that is not gzip"},
		{"cut second member", append(bytes.Clone(whole), whole[:30]...), "breaks off at byte"},
	} {
		for _, in := range []io.Reader{bytes.NewReader(tt.data), iotest.OneByteReader(bytes.NewReader(tt.data))} {
			r := Open(in)
			_, err := io.ReadAll(r)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			if _, again := r.Read(make([]byte, 1)); again == nil || again.Error() != err.Error() {
				t.Errorf("%s: then %v", tt.name, again)
			}
		}
	}
	for n := range whole { // cut anywhere, it is never taken for whole
		if _, err := io.ReadAll(Open(bytes.NewReader(whole[:n]))); err == nil {
			t.Errorf("cut at byte %d: no error", n)
		}
	}
}

// TestReadError: an error of the disk is that error, not one of the data.
func TestReadError(t *testing.T) {
	broken := errors.New("broken disk")
	for _, n := range []int{0, 5, 50} {
		r := Open(io.MultiReader(bytes.NewReader(pack(t, "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")[:n]), iotest.ErrReader(broken)))
		if _, err := io.ReadAll(r); !errors.Is(err, broken) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(pack(f, "a\nb\n"))
	f.Add([]byte("\x1f\x8b\x08\x1c"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := io.ReadAll(io.LimitReader(Open(bytes.NewReader(data)), 1<<20)); err == nil && len(data) == 0 {
			t.Errorf("nothing gave %q", got)
		}
	})
}
