package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestSpool: a process that dies has lost nothing of what was read from standard input. Each life reads some records of what there is, commits or does not, and dies; new input stands behind the old.
func TestSpool(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	var want, got []string
	var committed []byte
	n := 0
	for life := range 12 {
		var in strings.Builder
		for range life % 5 * 7 {
			want = append(want, fmt.Sprintf("%d,%s", n, strings.Repeat("x", n%23)))
			in.WriteString(want[len(want)-1] + "\n")
			n++
		}
		stop := make(chan struct{})
		spool, err := newSpool(dir, strings.NewReader(in.String()), stop, 100)
		if err != nil {
			t.Fatal(err)
		}
		files, err := spool.Open(Options{MaxRecord: positionMax, Stop: stop})
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
			for {
				line, ok := b.Next()
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
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 8 {
		t.Errorf("%d parts are left (%v)", len(left), err)
	}
}

// TestSpoolFails: what cannot be kept stops the source.
func TestSpoolFails(t *testing.T) {
	if _, err := NewSpool(filepath.Join(t.TempDir(), "a/b\x00"), new(bytes.Reader), nil); err == nil || !strings.Contains(err.Error(), "what comes on standard input cannot be kept here") {
		t.Error(err)
	}
	spool, err := NewSpool(t.TempDir(), io.MultiReader(strings.NewReader("1\n"), broken{}), nil)
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
