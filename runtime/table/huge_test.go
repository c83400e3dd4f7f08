package table

import (
	"slices"
	"testing"
)

// TestArrayGrows: like append, whether it is large or not.
func TestArrayGrows(t *testing.T) {
	var a, b []int64
	grown := 0
	for i := range int64(3 * large / 8) {
		before := cap(a)
		a, b = push(a, i), append(b, i)
		if cap(a) != before {
			grown++
		}
	}
	if !slices.Equal(a, b) || grown > 60 || cap(a) > len(a)*3/2 {
		t.Errorf("%d values in room for %d, which was made %d times", len(a), cap(a), grown)
	}
	if a = extend(a, len(a)); cap(a) < 2*len(b) || !slices.Equal(a, b) {
		t.Errorf("%d values in room for %d", len(a), cap(a))
	}
}
