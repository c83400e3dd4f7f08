package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/internal/simdisk"
)

// claimed opens a place that must be fine.
func claimed(t *testing.T, d disk.Disk, dir string, o Options) (*Place, *Restored) {
	t.Helper()
	p := New(d, dir, o)
	r, err := p.Claim()
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// TestTogether: of commits that are made durable together a crash leaves the first few, whichever of them it damaged, and an output is synced once for all of them.
func TestTogether(t *testing.T) {
	numberedAt := func(i int) *Commit {
		text := fmt.Appendf(nil, "%d", i)
		return &Commit{Time: int64(i) * 1e9, Sources: []Part{{"in", text}}, State: commitAt(int64(i),
			Frame{Piece: 1, Behind: Everything, Expires: Never, Data: append(text, ' ')}, Frame{Piece: 2, Expires: Never, Data: text})}
	}
	for _, acknowledged := range []bool{false, true} {
		for damaged := 2; damaged <= 4; damaged++ {
			dir := t.TempDir()
			p, _ := claimed(t, disk.OS{}, dir, options)
			numbered(t, p, 1, 1)
			at := []int64{p.open.size}
			for i := 2; i <= 4; i++ { // to know where the records are
				at = append(at, at[i-2]+int64(len(appendRecord(nil, &record{Sources: numberedAt(i).Sources, State: numberedAt(i).State}))))
			}
			rows := &countedRows{}
			newest := numberedAt(4)
			newest.Outputs = []Output{{Name: "out", State: []byte("state"), Rows: rows}}
			at[3] += int64(len("out") + len("state") + 2)
			if err := p.Commit(numberedAt(2), numberedAt(3), newest); err != nil {
				t.Fatal(err)
			}
			if *rows != (countedRows{1, 1}) || p.open.size != at[3] {
				t.Errorf("synced and published: %d; %d bytes, want %d", *rows, p.open.size, at[3])
			}
			p.Close()
			change(t, segmentsOf(t, dir)[0], func(data []byte) []byte { data[at[damaged-1]-1] ^= 1; return data })
			if !acknowledged {
				if err := os.WriteFile(filepath.Join(dir, ackName), ackOf(1), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			r, err := New(disk.OS{}, dir, options).Claim()
			if acknowledged {
				if damage, ok := errors.AsType[*Damage](err); !ok || damage.Last != uint64(damaged-1) || !damage.Back {
					t.Errorf("commit %d of those is damaged: %v", damaged, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("commit %d of those was not whole: %v", damaged, err)
			}
			holds(t, r, damaged-1)
		}
	}
}

type countedRows struct{ synced, published int }

func (c *countedRows) Sync() error    { c.synced++; return nil }
func (c *countedRows) Publish() error { c.published++; return nil }

// numbered makes commits with the numbers from to to; the position of each is its number, its state has a frame that lives for ever and one that the next replaces.
func numbered(t *testing.T, p *Place, from, to int) {
	t.Helper()
	for i := from; i <= to; i++ {
		text := fmt.Appendf(nil, "%d", i)
		state := commitAt(int64(i), Frame{Piece: 1, Behind: Everything, Expires: Never, Data: append(text, ' ')}, Frame{Piece: 2, Expires: Never, Data: text},
			Frame{Piece: 3, Behind: Everything, Expires: int64(i) + 2, Data: make([]byte, 100)})
		if err := p.Commit(&Commit{Time: int64(i) * 1e9, Sources: []Part{{"in", text}}, State: state}); err != nil {
			t.Fatal(err)
		}
	}
}

// holds is what a place gives back of what numbered made.
func holds(t *testing.T, r *Restored, last int) {
	t.Helper()
	all, newest := "", ""
	for _, s := range r.States {
		for rest := s.Data; len(rest) > 0; {
			f, next, err := Next(rest)
			if err != nil {
				t.Fatal(err)
			}
			rest = next
			switch f.Piece {
			case 1:
				all += string(f.Data)
			case 2:
				newest += string(f.Data)
			}
		}
	}
	want := ""
	for i := 1; i <= last; i++ {
		want += fmt.Sprint(i, " ")
	}
	if all != want || newest != fmt.Sprint(last) || r.Seq != uint64(last) || string(r.Source("in")) != fmt.Sprint(last) || r.Source("other") != nil || r.Time != int64(last)*1e9 {
		t.Errorf("commit %d at %q holds %q and %q, want %q", r.Seq, r.Source("in"), all, newest, want)
	}
}

var options = Options{Pipeline: "p", Layout: "a: x\nb: y\n", Exact: true}

func TestPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "place")
	for last := 0; last < 9; last += 3 { // a process each
		p, r := claimed(t, disk.OS{}, dir, options)
		if last > 0 {
			holds(t, r, last)
		} else if r.Seq != 0 || r.States != nil || r.Final {
			t.Error(r)
		}
		numbered(t, p, last+1, last+3)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	p, _ := claimed(t, disk.OS{}, dir, options)
	if err := p.Commit(&Commit{Final: true, State: commitAt(1)}); err != nil {
		t.Fatal(err)
	}
	p.Close()
	if p, r := claimed(t, disk.OS{}, dir, options); !r.Final || r.Seq != 10 {
		t.Error(r)
	} else {
		p.Close()
	}
}

func TestTwoProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	p, _ := claimed(t, disk.OS{}, dir, options)
	_, err := New(disk.OS{}, dir, options).Claim()
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s: another process commits here: process %d on ", dir, os.Getpid())) || !strings.Contains(err.Error(), ", pipeline p, since 20") {
		t.Error(err)
	}
	numbered(t, p, 1, 1)
	p.Close()
	p, r := claimed(t, disk.OS{}, dir, options)
	holds(t, r, 1)
	p.Close()
}

func TestOfAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	p, _ := claimed(t, disk.OS{}, dir, options)
	numbered(t, p, 1, 2)
	p.Close()
	refuses := func(o Options, want ...string) {
		t.Helper()
		_, err := New(disk.OS{}, dir, o).Claim()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%v\nwant %s", err, w)
			}
		}
	}
	o := options
	o.Pipeline = "q"
	refuses(o, dir+": holds the commits of pipeline p, and this is q")
	o = options
	o.Layout = "a: x\nb: z\n"
	refuses(o, "another version of pipeline p", "\twas:  b: y\n\tis:   b: z\n", "mv "+dir+" "+dir+".old")
	o.Reads = func(layout string) error {
		if layout != options.Layout {
			t.Errorf("asked for %q", layout)
		}
		return errors.New("b was y")
	}
	refuses(o, "which this one cannot go on from: b was y\n")
	o.Reads = func(string) error { return nil }
	p, r := claimed(t, disk.OS{}, dir, o)
	holds(t, r, 2)
	if r.States[0].Layout != options.Layout {
		t.Errorf("%q", r.States[0].Layout)
	}
	numbered(t, p, 3, 3)
	p.Close()
	p, r = claimed(t, disk.OS{}, dir, o)
	holds(t, r, 3)
	if n := len(r.States); r.States[n-1].Layout != o.Layout {
		t.Errorf("%q", r.States[n-1].Layout)
	}
	p.Close()
	renamed := o
	renamed.Pipeline, renamed.Was = "q", []string{"r", "p"}
	p, r = claimed(t, disk.OS{}, dir, renamed)
	holds(t, r, 3)
	numbered(t, p, 4, 4)
	p.Close()
	p, r = claimed(t, disk.OS{}, dir, renamed)
	holds(t, r, 4)
	p.Close()
	refuses(o, dir+": holds the commits of pipeline q, and this is p", `write was: "q" in it`)
	o = renamed
	change(t, segmentsOf(t, dir)[1], func(data []byte) []byte { data[8]++; return data })
	refuses(o, "was written in version 4 of the format, and this program knows version 3")
}

func TestNoPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refuses := func(dir string, want string) {
		t.Helper()
		_, err := New(disk.OS{}, dir, options).Claim()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	refuses(dir, dir+": is not empty and holds no commits: file; commit.dir names a folder of its own")
	refuses(file, file+": is not a folder")
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		refuses(locked, "no permission to write it")
		refuses(filepath.Join(locked, "in"), "no permission to write it")
	}
}

// TestDisksThatFail: an error of any operation stops the place, and the next start goes on with what was acknowledged.
func TestDisksThatFail(t *testing.T) {
	for _, errno := range []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS} {
		for op := 1; ; op++ {
			d := simdisk.New(1)
			fail := op
			d.Fail = func(string, string) error {
				if d.Ops == fail {
					return errno
				}
				return nil
			}
			done := 0
			o := options
			o.Limits = Limits{Segment: 300, Dead: 100, Step: 100, Merged: 500, Many: 4}
			p := New(d, "/p", o)
			_, err := p.Claim()
			for i := 1; i <= 12 && err == nil; i++ {
				text := fmt.Appendf(nil, "%d", i)
				state := commitAt(int64(i), Frame{Piece: 1, Behind: Everything, Expires: Never, Data: append(text, ' ')}, Frame{Piece: 2, Expires: Never, Data: text},
					Frame{Piece: 3, Behind: Everything, Expires: int64(i) + 2, Data: make([]byte, 100)})
				if err = p.Commit(&Commit{Time: int64(i) * 1e9, Sources: []Part{{"in", text}}, State: state}); err == nil {
					done = i
				}
			}
			if err == nil {
				if op < 30 {
					t.Errorf("only %d operations", op)
				}
				break
			}
			if want := map[error]string{syscall.ENOSPC: "no space left on its device", syscall.EROFS: "read-only", syscall.EIO: syscall.EIO.Error()}[errno]; !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "/p") {
				t.Errorf("operation %d: %v", op, err)
			}
			if done > 0 {
				if again := p.Commit(&Commit{State: commitAt(99)}); again == nil {
					t.Errorf("operation %d: a commit after an error", op)
				}
			}
			p.Close()
			d.Fail = nil
			_, r := claimed(t, d, "/p", options)
			if r.Seq < uint64(done) || r.Seq > uint64(done)+1 {
				t.Errorf("operation %d: %d commits were acknowledged, and %d are there", op, done, r.Seq)
			}
			if r.Seq > 0 {
				holds(t, r, int(r.Seq))
			}
		}
	}
}

func TestMerge(t *testing.T) {
	d := simdisk.New(1)
	o := options
	o.Limits = Limits{Segment: 600, Dead: 300, Merged: 1 << 20, Step: 220, Many: 1000}
	p, _ := claimed(t, d, "/p", o)
	numbered(t, p, 1, 200)
	p.Close()
	names, _ := d.List("/p")
	if all := strings.Join(names, " "); !strings.Contains(all, "0000000000000001-") || len(names) > 40 {
		t.Errorf("nothing was put together: %s", all)
	}
	p, r := claimed(t, d, "/p", o)
	holds(t, r, 200)
	p.Close()

	// One that replaces another is as good as it; of one that is damaged nothing before it can be used.
	i := 0
	for ; !strings.Contains(names[i], "-"); i++ {
	}
	data := d.Read("/p/" + names[i])
	d.Put("/p/"+names[i], data[:len(data)-1])
	_, err := New(d, "/p", o).Claim()
	var damage *Damage
	if !errors.As(err, &damage) || damage.Back {
		t.Errorf("%v", err)
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name        string
		first, last uint64
		ok          bool
	}{
		{segmentName(1, 0), 1, 0, true}, {segmentName(12, 99999999999999999), 12, 99999999999999999, true}, {"0000000000000000.commits", 0, 0, false},
		{"1.commits", 0, 0, false}, {"0000000000000001-.commits", 0, 0, false}, {"0000000000000001.commits.tmp", 0, 0, false}, {"x.commits", 0, 0, false}, {"", 0, 0, false},
	} {
		first, last, ok := segmentRange(tt.name)
		if ok != tt.ok || ok && (first != tt.first || last != tt.last) {
			t.Errorf("%s: %d %d %v", tt.name, first, last, ok)
		}
	}
}

// FuzzRecords: whatever stands in a segment, reading it ends, and what it takes for a commit is one that somebody wrote.
func FuzzRecords(f *testing.F) {
	r := record{Seq: 3, Epoch: 1, Since: 1, Time: 5, Final: true, Sources: []Part{{"in", []byte("position")}}, Outputs: []Part{{"a", nil}, {"b", []byte{1}}}, State: commitAt(7)}
	whole := appendRecord(nil, &r)
	head := appendHeader(nil, &header{First: 3, Pipeline: "p", Layout: "x\n"})
	f.Add(whole)
	f.Add(head)
	f.Add(append(bytes.Clone(head), whole...))
	f.Add(whole[:20])
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		damaged := append(bytes.Clone(head), whole...)
		damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, n, err := readRecord(data, version); err == nil {
			again := appendRecord(nil, &r)
			if r2, _, err := readRecord(again, version); err != nil || r2.Seq != r.Seq || !bytes.Equal(r2.State, r.State) || n > len(data) {
				t.Errorf("%v", err)
			}
		}
		if h, n, err := readHeader(data); err == nil && !bytes.Equal(appendHeader(nil, &h), data[:n]) {
			t.Error("a head that nobody wrote")
		}
		newestBehind(data, version, 1)
		var l Living
		if l.Note(1, data) == nil {
			if _, err := l.AppendLiving(nil, 1, data); err != nil {
				t.Error(err)
			}
		}
		// As a segment, too: behind a head that is sound.
		d := simdisk.New(1)
		d.MakeDir("/p")
		d.Put("/p/"+segmentName(3, 0), append(bytes.Clone(head), data...))
		if _, err := New(d, "/p", Options{Pipeline: "p", Layout: "x\n"}).Claim(); err == nil && !bytes.HasPrefix(data, whole[:8]) {
			if _, _, err := readRecord(data, version); err != nil {
				t.Error("claimed")
			}
		}
	})
}
