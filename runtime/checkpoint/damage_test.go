package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/internal/simdisk"
)

// segmentsOf are the segments of a place, oldest first.
func segmentsOf(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	return names
}

func change(t *testing.T, name string, f func(data []byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, f(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestDamage: whatever happens to a file of a place, it is noticed, and told from a commit that was never acknowledged.
func TestDamage(t *testing.T) {
	flip := func(at func(n int) int) func(data []byte) []byte {
		return func(data []byte) []byte { data[at(len(data))] ^= 1; return data }
	}
	ofLast := func(f func(data []byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { all := segmentsOf(t, dir); change(t, all[len(all)-1], f) }
	}
	remove := func(i int) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			all := segmentsOf(t, dir)
			if err := os.Remove(all[(i+len(all))%len(all)]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   string
		back   int // 0: one cannot go back
	}{
		{"the last byte", ofLast(flip(func(n int) int { return n - 1 })), "commit 9 is not whole at byte ", 8},
		{"the last commit is cut", ofLast(func(data []byte) []byte { return data[:len(data)-1] }), "commit 9 is not whole at byte ", 8},
		{"a commit in the middle", ofLast(flip(func(n int) int { return n / 2 })), " is not whole at byte ", 7},
		{"the newest segment is empty", ofLast(func([]byte) []byte { return nil }), "the head of the segment is damaged at byte 0 of 0000000000000007.commits", 6},
		{"the head of the newest segment", ofLast(flip(func(int) int { return 20 })), "the head of the segment is damaged", 6},
		{"the newest segment is half", ofLast(func(data []byte) []byte { return data[:len(data)/2] }), " is not whole at byte ", 7},
		{"the newest segment is gone", remove(-1), "commits up to 9 were acknowledged, and the newest that is there is 6", 6},
		{"a segment between is gone", remove(1), "commits 4 to 6 are missing at byte 0 of 0000000000000007.commits", 3},
		{"the oldest segment is gone", remove(0), "commits from 1 on are needed, and the oldest that is there is 4", 0},
		{"everything is gone", func(t *testing.T, dir string) {
			for _, name := range segmentsOf(t, dir) {
				os.Remove(name)
			}
		}, "9 commits were acknowledged and all of them are gone", 0},
		{"the acknowledgement is gone", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, ackName)) },
			"the file acknowledged is missing, so that nobody knows whether commits behind 9 are gone", 9},
		{"the acknowledgement is empty", func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, ackName), 0) }, "the file acknowledged has 0 bytes and not 12", 9},
		{"the acknowledgement is gone, and the last commit is cut", func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, ackName))
			ofLast(func(data []byte) []byte { return data[:len(data)-1] })(t, dir)
		}, "; the file acknowledged is missing, so that nobody knows whether commits behind 8 are gone", 8},
		{"everything is empty", func(t *testing.T, dir string) {
			for _, name := range segmentsOf(t, dir) {
				os.Truncate(name, 0)
			}
		}, "the head of the segment is damaged", 0},
	} {
		for _, exact := range []bool{true, false} {
			dir := filepath.Join(t.TempDir(), "place")
			for last := 0; last < 9; last += 3 {
				p, _ := claimed(t, disk.OS{}, dir, options)
				numbered(t, p, last+1, last+3)
				p.Close()
			}
			tt.damage(t, dir)
			o := options
			o.Exact = exact
			p := New(disk.OS{}, dir, o)
			r, err := p.Claim()
			if exact || tt.back != 8 || strings.Contains(tt.name, "acknowledgement") { // more than the newest commit is lost, or nobody knows
				var damage *Damage
				if !errors.As(err, &damage) || !strings.Contains(err.Error(), tt.want) || damage.Back != (tt.back > 0) || damage.Back && damage.Last != uint64(tt.back) {
					t.Errorf("%s: %v (%+v)\nwant %s, back to %d", tt.name, err, damage, tt.want, tt.back)
				}
				if tt.back == 0 {
					continue
				}
				o.GoBack = uint64(tt.back) - 1 // not what was asked
				if _, err = New(disk.OS{}, dir, o).Claim(); err == nil {
					t.Errorf("%s: went back without being told so", tt.name)
				}
				o.GoBack = uint64(tt.back)
				p = New(disk.OS{}, dir, o)
				r, err = p.Claim()
			}
			if err != nil {
				t.Errorf("%s, exact %v: %v", tt.name, exact, err)
				continue
			}
			if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], tt.want) || !strings.Contains(r.Notes[0], fmt.Sprintf("went back to commit %d", tt.back)) {
				t.Errorf("%s: %q", tt.name, r.Notes)
			}
			holds(t, r, tt.back)
			numbered(t, p, tt.back+1, tt.back+2)
			p.Close()
			p, r = claimed(t, disk.OS{}, dir, options) // for good
			holds(t, r, tt.back+2)
			p.Close()
			o.GoBack = uint64(tt.back)
			if _, err := New(disk.OS{}, dir, o).Claim(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("nothing is damaged, and the newest commit is %d; start without -go-back %d", tt.back+2, tt.back)) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	}
}

// TestTornTail: what was never acknowledged is cut off, wherever it ends.
func TestTornTail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	p, _ := claimed(t, disk.OS{}, dir, options)
	numbered(t, p, 1, 2)
	p.Close()
	p, _ = claimed(t, disk.OS{}, dir, options) // a new segment
	numbered(t, p, 3, 3)
	three, err := os.ReadFile(segmentsOf(t, dir)[1])
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	for _, tail := range []int{0, 1, 15, 16, 17, len(three) / 2, len(three) - 1} {
		os.Remove(segmentsOf(t, dir)[1])
		if err := os.WriteFile(filepath.Join(dir, segmentName(3, 0)), three[:tail], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ackName), ackOf(2), 0o666); err != nil {
			t.Fatal(err)
		}
		p, r := claimed(t, disk.OS{}, dir, options)
		holds(t, r, 2)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "cut off commit 3, which was being written") {
			t.Errorf("%d bytes: %q", tail, r.Notes)
		}
		numbered(t, p, 3, 3)
		p.Close()
	}
	for _, garbage := range []string{"0000000000000001-0000000000000003.commits.tmp", "acknowledged.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, garbage), three, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, r := claimed(t, disk.OS{}, dir, options)
	holds(t, r, 3)
	p.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestNothingToGoBackFrom: whoever asks to go back where nothing is damaged has made a mistake.
func TestNothingToGoBackFrom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "place")
	o := options
	o.GoBack = 1
	for _, want := range []string{"nothing has been committed", "the newest commit is 2"} {
		if _, err := New(disk.OS{}, dir, o).Claim(); err == nil || !strings.Contains(err.Error(), dir+": nothing is damaged, and "+want+"; start without -go-back 1") {
			t.Errorf("%v\nwant %s", err, want)
		}
		p, r := claimed(t, disk.OS{}, dir, options)
		numbered(t, p, int(r.Seq)+1, int(r.Seq)+2)
		p.Close()
	}
}

// TestBackByOne: whatever has been cleaned away, one can go back by one commit.
func TestBackByOne(t *testing.T) {
	for last := 2; last < 60; last++ {
		d := simdisk.New(1)
		o := options
		o.Limits = Limits{Segment: 500, Dead: 300, Merged: 1 << 20, Step: 2000, Many: 1000}
		p, _ := claimed(t, d, "/p", o)
		numbered(t, p, 1, last)
		name := "/p/" + p.open.name
		p.Close()
		data := d.Read(name)
		data[len(data)-1] ^= 1
		d.Put(name, data)
		o.Exact = false
		p, r := claimed(t, d, "/p", o)
		holds(t, r, last-1)
		if !r.Back {
			t.Error("went back without saying so")
		}
		p.Close()
	}
}
