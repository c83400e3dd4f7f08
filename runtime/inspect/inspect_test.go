package inspect

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/table"
)

const layout = `0.2	head	count source s records; count stage "a; b" in; seed of piece 1
1.1	once	dedup; time at, rfc3339; by id, string; by sure, bool; by n, int	horizon 10m
2.3	"a; b"	tumbling 1m, offset 0s; time at, rfc3339; key user, string or null; key cost, decimal(2); keep count; keep sum of x, int; keep sum of (y + 1.0), double; keep last of note, string or null
3.1	visits	session gap 30s, max 10m; time at, rfc3339; key user, string; keep min of z, double
4.1	ever	running, rows at intervals; time at, rfc3339; keep count of z, double; keep moments of x, double; keep values of x, int; keep different values of s, string
5.1	other	something; time at, rfc3339
6.1	strange	tumbling 1m, offset 0s; time at, rfc3339; keep the spirit of x, int
7.1	sketches	running; time at, rfc3339; keep first rows by x with id string and "a with b" int or null and n double at most 3, int or null; keep first rows by note from the earliest at most 2, string; keep first rows by s at most 1, string; keep registers of id, string; keep buckets of x, double; keep values of x, int
8.1	again	hopping 1m every 5s, offset 0s, by the slice, with revisions; time at, rfc3339; key user, string; keep count
`

func stages(t *testing.T) map[string]*stage {
	t.Helper()
	all := map[string]*stage{}
	for _, p := range pieces(layout) {
		all[p.stage] = &stage{piece: p, entries: map[string]*entry{}, starts: map[string][]int64{}}
	}
	return all
}

// TestWindows: what a stage with windows has in two commits, the second of which has a key anew.
func TestWindows(t *testing.T) {
	s := stages(t)["a; b"]
	if s == nil {
		t.Fatal("no such stage")
	}
	s.keys = map[uint32]string{}
	frame := func(n int64, keys ...string) checkpoint.Frame {
		dst := table.AppendSpan(table.AppendUint(nil, 1), 60e9, 125e9)
		at := len(dst)
		dst = table.AppendWord(dst, 0)
		for _, id := range []uint64{2, 7, 3} { // how many; the ids
			dst = table.AppendUint(dst, id)
		}
		for range 2 {
			dst = table.AppendWord(table.AppendInt(table.AppendInt(dst, n), -1), 1<<64-7)
			dst = table.AppendFloat(table.AppendFloat(dst, 1.5), 0.25)
			dst = table.AppendInt(table.AppendBool(table.AppendBytes(dst, []byte("x")), n > 1), 7)
		}
		table.Enclose(dst, at)
		dst = table.AppendUint(dst, uint64(len(keys)))
		for i, key := range keys {
			dst = table.AppendUint(dst, []uint64{7, 3}[i])
			at := len(dst)
			dst = table.AppendInt(table.AppendBytes(table.AppendBool(dst, true), []byte(key)), -5)
			dst = table.Sized(dst, at)
		}
		return checkpoint.Frame{Data: dst, Expires: 120e9}
	}
	s.read(frame(1, "a", "b"))
	s.read(frame(2))
	if s.broken != nil || len(s.entries) != 2 {
		t.Fatalf("%v, %d entries", s.broken, len(s.entries))
	}
	var b bytes.Buffer
	if err := (&Place{stages: []*stage{s}}).Keys(&b, ""); err != nil {
		t.Fatal(err)
	}
	const keeps = `,"keeps":{"count":2,"sum of x":-7,"sum of (y + 1.0)":1.75,"last of note":"x"},"until":"1970-01-01T00:02:05Z"}` + "\n"
	want := `{"stage":"a; b","window_start":"1970-01-01T00:01:00Z","key":{"user":"a","cost":-0.05}` + keeps + `{"stage":"a; b","window_start":"1970-01-01T00:01:00Z","key":{"user":"b","cost":-0.05}` + keeps
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestWindowsByValue is TestWindows with the keys themselves in place of their ids, as windows had them at first.
func TestWindowsByValue(t *testing.T) {
	s := stages(t)["a; b"]
	if s == nil || !s.known() || s.id != checkpoint.Piece(2, 3) {
		t.Fatalf("%+v", s)
	}
	frame := func(n int64) checkpoint.Frame {
		dst := table.AppendUint(nil, 1)
		dst = table.AppendUint(table.AppendInt(dst, 60e9), 2) // two keys of the window that begins with the second minute
		dst = table.AppendInt(table.AppendBytes(table.AppendBool(dst, true), []byte(`a "b"`)), -5)
		dst = table.AppendInt(table.AppendBytes(table.AppendBool(dst, false), nil), 1234)
		for range 2 {
			dst = table.AppendWord(table.AppendInt(table.AppendInt(dst, n), -1), 1<<64-7)
			dst = table.AppendFloat(table.AppendFloat(dst, 1.5), 0.25)
			dst = table.AppendInt(table.AppendBool(table.AppendBytes(dst, []byte("x")), n > 1), 7)
		}
		return checkpoint.Frame{Data: dst, Expires: 120e9}
	}
	s.read(frame(1))
	s.read(frame(2))
	if s.broken != nil || len(s.entries) != 2 {
		t.Fatalf("%v, %d entries", s.broken, len(s.entries))
	}
	var b bytes.Buffer
	p := &Place{stages: []*stage{s}}
	if err := p.Keys(&b, ""); err != nil {
		t.Fatal(err)
	}
	const keeps = `,"keeps":{"count":2,"sum of x":-7,"sum of (y + 1.0)":1.75,"last of note":"x"},"until":"1970-01-01T00:02:00Z"}` + "\n"
	want := `{"stage":"a; b","window_start":"1970-01-01T00:01:00Z","key":{"user":"a \"b\"","cost":-0.05}` + keeps + `{"stage":"a; b","window_start":"1970-01-01T00:01:00Z","key":{"user":null,"cost":12.34}` + keeps
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestSlicesWithRevisions: in front of slices stands how many rows their windows have given, which are no entries.
func TestSlicesWithRevisions(t *testing.T) {
	s := stages(t)["again"]
	s.keys = map[uint32]string{}
	dst := table.AppendUint(table.AppendInt(nil, 0), 2) // up to where slices are added up; two windows
	for start := range int64(2) {
		dst = table.AppendUint(table.AppendSpan(dst, start*5e9, 95e9+start*5e9), 1)
		dst = table.AppendInt(table.AppendUint(dst, 7), 1+start)
	}
	dst = table.AppendSpan(table.AppendUint(dst, 1), 60e9, 150e9) // one slice
	at := len(dst)
	dst = table.AppendUint(table.AppendUint(table.AppendWord(dst, 0), 1), 7)
	dst = table.AppendInt(dst, 3)
	table.Enclose(dst, at)
	dst = table.AppendUint(table.AppendUint(dst, 1), 7) // one key
	at = len(dst)
	dst = table.Sized(table.AppendBytes(dst, []byte("a")), at)
	s.read(checkpoint.Frame{Data: dst, Expires: 150e9})
	if e := s.entries[nameOf(60e9, `"user":"a"`)]; s.broken != nil || len(s.entries) != 1 || e == nil || e.kept != `"keeps":{"count":3}` {
		t.Errorf("%v, entries %v", s.broken, s.entries)
	}
}

// TestWhatCannotBeShown: a kind of stage, or a value, of which the words do not say how it is to be read.
func TestWhatCannotBeShown(t *testing.T) {
	for _, name := range []string{"other", "strange"} {
		if s := stages(t)[name]; s == nil || s.known() {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestSketches: what is kept of many values is told by how many there are.
func TestSketches(t *testing.T) {
	s := stages(t)["sketches"]
	if s == nil || !s.known() {
		t.Fatalf("%+v", s)
	}
	dst := table.AppendUint(nil, 1)
	dst = table.AppendUint(dst, 2) // first rows by x: what they are ranked by, time, flags, three fields
	for range 2 {
		dst = table.AppendWord(table.AppendInt(table.AppendWord(dst, 9), 1), 1)
		dst = table.AppendWord(table.AppendWord(table.AppendBytes(dst, []byte("id")), 2), 3)
	}
	dst = table.AppendBytes(table.AppendInt(table.AppendWord(table.AppendUint(dst, 1), 0), 1), []byte("note"))
	dst = table.AppendInt(table.AppendBytes(table.AppendUint(dst, 1), []byte("s")), 1)
	dst = table.AppendBytes(dst, make([]byte, 8))
	dst = table.AppendFloat(table.AppendFloat(table.AppendUint(dst, 0), 1), 2)
	dst = table.AppendUint(table.AppendUint(table.AppendUint(table.AppendUint(table.AppendUint(dst, 2), 5), 7), 1), 4)
	dst = table.AppendWord(table.AppendUint(table.AppendUint(table.AppendBool(dst, false), 5), 1), 8)
	dst = table.AppendInt(table.AppendInt(table.AppendInt(dst, 1), 2), 3)
	s.read(checkpoint.Frame{Data: dst})
	if s.broken != nil || len(s.entries) != 1 {
		t.Fatalf("%v, %d entries", s.broken, len(s.entries))
	}
	const want = `"since":"1970-01-01T00:00:00.000000001Z","as_of":"1970-01-01T00:00:00.000000002Z","revision":3,"keeps":{"first rows by x with id string and \"a with b\" int or null and n double":2,` +
		`"first rows by note from the earliest":1,"first rows by s":1,"registers of id":8,"buckets of x":11,"values of x":6}`
	for _, e := range s.entries {
		if e.kept != want {
			t.Errorf("%s\nwant\n%s", e.kept, want)
		}
	}
}

// TestGarbage: bytes that are no state end in an error.
func TestGarbage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	broken := 0
	for range 20_000 {
		data := make([]byte, random.IntN(60))
		for i := range data {
			if data[i] = byte(random.IntN(4)); random.IntN(4) == 0 {
				data[i] = byte(random.Uint32())
			}
		}
		for _, s := range stages(t) {
			if random.IntN(2) == 0 {
				s.keys = map[uint32]string{}
			}
			if s.read(checkpoint.Frame{Data: data}); s.broken != nil {
				broken++
			}
		}
	}
	if broken < 50_000 {
		t.Errorf("only %d were found to be broken", broken)
	}
}
