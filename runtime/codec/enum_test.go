package codec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// TestEnum: a text has its number and no other text has one, wherever it stands in the batch.
func TestEnum(t *testing.T) {
	var many []string
	for i := range 255 {
		many = append(many, fmt.Sprintf("%d of so many", i))
	}
	lists := [][]string{
		{"view", "click", "purchase", "signup"},
		{"", "a", "a\x00", "ab", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "Abcdefgh", "abcdefgi"},
		{"x"},
		many,
		{"aaaaaaaah\x00", "aaaaaaaai"}, // of which no slots can be told apart
	}
	var all []string
	for _, list := range lists {
		all = append(all, list...)
	}
	all = append(all, "abcdefghijklmnopq", strings.Repeat("view", 9), "\x00", "vieW", "view ")
	for _, list := range lists {
		e := NewEnum(list...)
		for _, text := range all {
			want := uint8(0)
			for i, s := range list {
				if s == text {
					want = uint8(i + 1)
				}
			}
			for _, around := range []string{"", "!", "more than a word behind it"} {
				in := &stream.Batch{Data: []byte(around + text + around)}
				if got := e.Number(in, stream.Str{Off: uint32(len(around)), Len: uint32(len(text))}); got != want {
					t.Errorf("%q between %q is number %d, want %d", text, around, got, want)
				}
			}
		}
	}
}
