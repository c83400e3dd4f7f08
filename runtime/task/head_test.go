package task

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
)

// headState is a state of a head alone: 7 and -3, counts, parts.
func headState(counts []uint64, parts ...string) []byte {
	dst := checkpoint.Begin(nil, checkpoint.Head)
	dst = binary.AppendVarint(binary.AppendVarint(dst, 7), -3)
	for _, n := range counts {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, p := range parts {
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(p))), p...)
	}
	checkpoint.End(dst, 0, -3, 0)
	return dst
}

// TestConvertHead: what a head says goes by names. What is new starts with nothing, what is gone is told of, and a stage has its new name.
func TestConvertHead(t *testing.T) {
	layout := func(line0, rest string) string { return headID + "\thead\t" + line0 + "\n" + rest }
	was := layout(`count source s records; count stage a in; count stage "b; c" in; count stage a dropped x; seed of piece 1; seed of piece 2`, "1.1\ta\tdedup\n")
	is := layout(`count stage aa in; count stage new in; count source s records; count stage "b; c" in; seed of piece 2; seed of piece 3; seed of piece 1`, "1.1\taa\tdedup\n3.1\tx\tdedup\n")
	body := checkpoint.AppendFrame(nil, checkpoint.Frame{Piece: 1, Data: []byte("state")})
	state := append(headState([]uint64{1000, 200, 30, 4}, "one", "two"), body...)
	got, gone, err := convertHead(state, was, is)
	want := append(headState([]uint64{200, 0, 1000, 30}, "two", "", "one"), body...)
	if err != nil || !slices.Equal(got, want) || strings.Join(gone, ", ") != "stage aa dropped x 4" {
		t.Errorf("%q, gone %q, %v; want %q", got, gone, err, want)
	}
	for cut := range len(state) - len(body) {
		if cut < 24 {
			continue
		}
		short := slices.Clone(state[:cut])
		checkpoint.End(short, 0, -3, 0)
		if _, _, err := convertHead(short, was, is); err != errHead {
			t.Errorf("%d bytes of a head: %v", cut, err)
		}
	}
	if _, _, err := convertHead(state, is, was); err != errHead {
		t.Errorf("a head of another layout: %v", err)
	}
}

func TestLayoutHasTheCounters(t *testing.T) {
	seen := map[string]bool{"": true}
	for kind, word := range kindWords {
		if seen[word] {
			t.Errorf("kind %d has the word %q, which is empty or that of another", kind, word)
		}
		seen[word] = true
	}
	p := Pipeline{
		Counters: []Counter{{"s", Records, "records"}, {"s", Out, "out"}, {"s", Refused, "contract:x"}, {"once", In, "in"}, {"once", Dropped, "duplicate"}, {"once", In, "in"}, {"b c", In, "in"}, {"b c", In, "in"}},
		Commit:   &Commit{Layout: "0.2\thead\tseed of piece 1\n1.1\tonce\tdedup\n"},
	}
	want := `0.2	head	count source s records; count source s out; count source s refused "contract:x"; count stage once in; count stage once dropped duplicate; count sink once in; ` +
		"count sink \"b c\" in; count sink \"b c\" in again 2; seed of piece 1\n1.1\tonce\tdedup\n"
	if got := p.layout(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	p.Commit.Layout = "by hand"
	if got := p.layout(); got != "by hand" {
		t.Errorf("a layout that was written by hand became %s", got)
	}
}
