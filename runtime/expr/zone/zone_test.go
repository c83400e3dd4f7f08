package zone

import (
	"testing"
	"time"
)

func TestLoad(t *testing.T) {
	in := Load("America/Los_Angeles")
	for at, want := range map[int64]int{1730622600: 1, 1730626200: 1, 1730629800: 2} { // the hour that comes twice, and the one behind it
		if got := time.Unix(at, 0).In(in).Hour(); got != want {
			t.Errorf("hour at %d is %d, want %d", at, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a zone that does not exist was loaded")
		}
	}()
	Load("Nowhere/Atlantis")
}
