package sink

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/internal/simdisk"
)

// commits makes what was put count, and gives the state to go on from.
func commits(t *testing.T, k Kept, end bool) []byte {
	t.Helper()
	s := k.Stage(end, nil)
	if err := errors.Join(s.Sync(), s.Publish()); err != nil {
		t.Fatal(err)
	}
	return s.State
}

func puts(t *testing.T, k Kept, rows ...string) {
	t.Helper()
	for _, r := range rows {
		if err := k.Put([]byte(r)); err != nil {
			t.Fatal(err)
		}
	}
}

// shows fails unless a folder holds these files: "name=content …", with | for newlines.
func shows(t *testing.T, d *simdisk.Disk, want string) {
	t.Helper()
	names, err := d.List("/o")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range names {
		all = append(all, name+"="+strings.ReplaceAll(string(d.Read("/o/"+name)), "\n", "|"))
	}
	if got := strings.Join(all, " "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func folder() *simdisk.Disk {
	d := simdisk.New(1)
	d.MakeDir("/o")
	return d
}

func rolls(t *testing.T, d *simdisk.Disk, roll Roll, state []byte, back bool) Kept {
	t.Helper()
	k, err := KeepRolling(d, "/o/r-{n}.x", roll, state, back)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestRollingByRows(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Rows: 2}, nil, false)
	puts(t, k, "a\nb\nc\nd\n", "e\n")
	shows(t, d, ".r-000001.x.part=a|b| .r-000002.x.part=c|d| .r-000003.x.part=e|")
	state := commits(t, k, false)
	shows(t, d, ".r-000003.x.part=e| r-000001.x=a|b| r-000002.x=c|d|")
	puts(t, k, "f\ng\n") // never committed
	k.Abort()
	k = rolls(t, d, Roll{Rows: 2}, state, false)
	shows(t, d, ".r-000003.x.part=e| r-000001.x=a|b| r-000002.x=c|d|")
	puts(t, k, "f\n")
	state = commits(t, k, false)
	shows(t, d, "r-000001.x=a|b| r-000002.x=c|d| r-000003.x=e|f|")
	k.Abort()
	k = rolls(t, d, Roll{Rows: 3}, state, false) // another limit from now on
	puts(t, k, "g\nh\n")
	commits(t, k, true)
	shows(t, d, "r-000001.x=a|b| r-000002.x=c|d| r-000003.x=e|f| r-000004.x=g|h|")
	commits(t, k, true)
	shows(t, d, "r-000001.x=a|b| r-000002.x=c|d| r-000003.x=e|f| r-000004.x=g|h|")
}

func TestRollingByBytes(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Bytes: 6}, nil, false)
	puts(t, k, "aa\nbb\n", "cccccccccc\n", "d\n", "e\nf\ng\n")
	commits(t, k, true)
	shows(t, d, "r-000001.x=aa|bb| r-000002.x=cccccccccc| r-000003.x=d|e|f| r-000004.x=g|")
}

func TestRollingByWindow(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Window: time.Second}, nil, false)
	reach := func(w int64, crosses bool) {
		t.Helper()
		if k.Crosses(w) != crosses {
			t.Errorf("%d: crosses %v", w, !crosses)
		}
		k.Reach(w)
	}
	reach(math.MinInt64, false)
	puts(t, k, "a\n")
	reach(-1, true) // the first watermark: what is before it belongs to no window
	puts(t, k, "b\n")
	reach(0, true)
	reach(999_999_999, false)
	puts(t, k, "c\n")
	state := commits(t, k, false)
	k.Abort()
	k = rolls(t, d, Roll{Window: time.Second}, state, false)
	reach(999_999_999, false)
	reach(5_000_000_000, true)
	puts(t, k, "d\n")
	reach(math.MaxInt64, true)
	commits(t, k, false)
	shows(t, d, "r-000001.x=a| r-000002.x=b| r-000003.x=c| r-000004.x=d|")
}

// TestRollingOfCSV: each file has its header; a row may have newlines in quotes.
func TestRollingOfCSV(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Rows: 2}, nil, false)
	if missing, err := k.Header([]byte("h\n")); missing || err != nil {
		t.Error(missing, err)
	}
	puts(t, k, "\"a\nb\"\nc\nd\n")
	state := commits(t, k, false)
	shows(t, d, ".r-000002.x.part=h|d| r-000001.x=h|\"a|b\"|c|")
	k.Abort()
	k = rolls(t, d, Roll{Rows: 2}, state, false)
	if _, err := k.Header([]byte("i\n")); err == nil || !strings.Contains(err.Error(), `begins with the line "h"`) {
		t.Error(err)
	}
	if _, err := k.Header([]byte("h\n")); err != nil {
		t.Error(err)
	}
	puts(t, k, "e\n")
	commits(t, k, false)
	shows(t, d, "r-000001.x=h|\"a|b\"|c| r-000002.x=h|d|e|")
}

// TestRollingAmongOthers: files that are there keep their names, and only what is a part of the row is looked at.
func TestRollingAmongOthers(t *testing.T) {
	d := folder()
	for _, name := range []string{"r-000007.x", ".r-000008.x.part", "r-9.x", "r-x.x", "s-000009.x", ".r-000001.x"} {
		d.Put("/o/"+name, nil)
	}
	k := rolls(t, d, Roll{Rows: 1}, nil, false)
	puts(t, k, "a\n")
	s := k.Stage(false, nil)
	d.Put("/o/r-000008.x", nil) // meanwhile
	if err := errors.Join(s.Sync(), s.Publish()); err == nil || !strings.Contains(err.Error(), "/o/r-000008.x: cannot be written: another program has made a file with this name") {
		t.Error(err)
	}
	shows(t, d, ".r-000001.x= .r-000008.x.part=a| r-000007.x= r-000008.x= r-9.x= r-x.x= s-000009.x=")
	d.Remove("/o/r-000008.x")
	k.Abort()
	rolls(t, d, Roll{Rows: 1}, s.State, false)
	shows(t, d, ".r-000001.x= r-000007.x= r-000008.x=a| r-9.x= r-x.x= s-000009.x=")
	d.Remove("/o/r-000008.x") // fetched: it need not stay
	rolls(t, d, Roll{Rows: 1}, s.State, false)
}

func TestRollingGoesBack(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Rows: 2}, nil, false)
	puts(t, k, "a\nb\nc\n")
	state := commits(t, k, false)
	puts(t, k, "d\ne\nf\ng\n")
	commits(t, k, false)
	shows(t, d, ".r-000004.x.part=g| r-000001.x=a|b| r-000002.x=c|d| r-000003.x=e|f|")
	k.Abort()
	k = rolls(t, d, Roll{Rows: 2}, state, true)
	shows(t, d, ".r-000002.x.part=c| r-000001.x=a|b|")
	puts(t, k, "D\n")
	commits(t, k, false)
	shows(t, d, "r-000001.x=a|b| r-000002.x=c|D|")
}

func TestRollingNames(t *testing.T) {
	for path, ok := range map[string]bool{"/o/{n}": true, "/o/{n}.x": true, "/o/a": false, "/o/{n}{n}": false, "/{n}/a": false, "/{n}/{n}": false} {
		_, err := KeepRolling(folder(), path, Roll{Rows: 1}, nil, false)
		if ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "must have {n} once") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := KeepRolling(simdisk.New(1), "/none/{n}", Roll{Rows: 1}, nil, false); err == nil || !strings.Contains(err.Error(), "the folder /none does not exist") {
		t.Error(err)
	}
}

// TestKeptOnAFullDisk: rows that do not fit are an error, and only whole rows stay.
func TestKeptOnAFullDisk(t *testing.T) {
	d := folder()
	k, err := Keep(d, "/o/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	puts(t, k, "a\n")
	state := commits(t, k, false)
	d.Fail = func(op, name string) error {
		if op == "write" {
			return syscall.ENOSPC
		}
		return nil
	}
	if err := k.Put([]byte("bbbb\ncccc\n")); err == nil || err.Error() != "/o/a: no space left on its device" {
		t.Error(err)
	}
	shows(t, d, "a=a|")
	d.Fail = nil
	k.Abort()
	if k, err = Keep(d, "/o/a", state); err != nil {
		t.Fatal(err)
	}
	puts(t, k, "b\n")
	commits(t, k, false)
	shows(t, d, "a=a|b|")
}

// TestKeptStates: a state that was damaged or is of another kind is never taken for a place in a file.
func TestKeptStates(t *testing.T) {
	d := folder()
	k := rolls(t, d, Roll{Rows: 2}, nil, false)
	puts(t, k, "a\nb\nc\n")
	state := commits(t, k, false)
	k.Abort()
	for n := 1; n < len(state); n++ {
		if _, err := readKept(state[:n]); n < 50 && err == nil {
			t.Errorf("%d bytes are a state", n)
		}
	}
	if _, err := Keep(d, "/o/all", state); err != nil { // the spec says append now
		t.Error(err)
	}
	shows(t, d, ".r-000002.x.part=c| all= r-000001.x=a|b|")
	for _, bad := range []string{"\x02", "\x01b", "\x01r"} {
		if _, err := Keep(d, "/o/all", append([]byte(bad), make([]byte, 60)...)); err == nil && bad != "\x01r" {
			t.Errorf("%q is a state", bad)
		}
	}
}

func TestTail(t *testing.T) {
	var whole []byte
	var last tail
	for i := range 400 {
		row := fmt.Appendf(nil, "%d%s\n", i, strings.Repeat("x", i*37%9000))
		whole = append(whole, row...)
		last = last.add(row)
		if want := whole[max(0, len(whole)-tailSize):]; string(last) != string(want) {
			t.Fatalf("after %d rows: %d bytes, want %d", i, len(last), len(want))
		}
	}
}
