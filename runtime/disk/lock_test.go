//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err := OS{}.Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range []string{"a long note of the first", "the first"} {
		if err := first.Note(note); err != nil {
			t.Fatal(err)
		}
		_, err := OS{}.Lock(name)
		if held, ok := errors.AsType[*Held](err); !ok || held.Note != note {
			t.Errorf("%v", err)
		}
	}
	first.Close()
	second, err := OS{}.Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}
