package checkpoint_test

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/internal/simdisk"
	"github.com/streamwright/streamwright/runtime/sink"
)

var outcomes = flag.Int("outcomes", 4, "what a crash leaves is drawn so many times for each operation")

// The program that crashes here reads the numbers 1 to last. It writes each to a file and to a row of files, and every fifth to a third place. Its state has a piece that
// expires, one that each commit has whole, and one of which each commit has some, and one that keeps every tenth number for
// ever.
const (
	last   = 60
	perRow = 3
	memory = 7 // how long a number is remembered
)

const place = "/state/place"

var small = checkpoint.Limits{Segment: 700, Dead: 400, Merged: 2000, Step: 300, Many: 6}

type program struct {
	disk     *simdisk.Disk
	on       disk.Disk // what it is given
	at       uint64    // the last number that is committed
	seq      uint64
	claiming bool
	acked    uint64 // the last number of which it was told that it is committed, in any of its lives
	random   *rand.Rand
}

// state is f(at): the numbers remembered, the sum, and a count for each remainder by 4.
func (p *program) state(seq, from, to uint64) []byte {
	w := int64(to) * 10
	dst := checkpoint.AppendFrame(nil, checkpoint.Frame{Piece: checkpoint.Head, Expires: w, Data: binary.LittleEndian.AppendUint64(nil, to)})
	var ids []byte
	for i := from + 1; i <= to; i++ {
		ids = append(ids, byte(i))
	}
	dst = checkpoint.AppendFrame(dst, checkpoint.Frame{Piece: 1, Behind: checkpoint.Everything, Expires: int64(to+memory) * 10, Data: ids})
	dst = checkpoint.AppendFrame(dst, checkpoint.Frame{Piece: 2, Expires: checkpoint.Never, Data: binary.LittleEndian.AppendUint64(nil, to*(to+1)/2)})
	var counts []byte
	for k := range uint64(4) {
		if changed := count(k, from) != count(k, to); changed || seq%4 == k {
			counts = append(counts, byte(k), byte(count(k, to)))
		}
	}
	dst = checkpoint.AppendFrame(dst, checkpoint.Frame{Piece: 3, Behind: uint32(min(seq-1, 3)), Expires: checkpoint.Never, Data: counts})
	for i := from + 1; i <= to; i++ {
		if i%10 == 0 {
			dst = checkpoint.AppendFrame(dst, checkpoint.Frame{Piece: 4, Behind: checkpoint.Everything, Expires: checkpoint.Never, Data: []byte{byte(i)}})
		}
	}
	return dst
}

func count(k, to uint64) (n uint64) {
	for i := uint64(1); i <= to; i++ {
		if i%4 == k {
			n++
		}
	}
	return n
}

// restore reads a state as a processor does, and holds it against what it must be.
func (p *program) restore(r *checkpoint.Restored) error {
	p.seq, p.at = r.Seq, 0
	if r.Seq == 0 {
		return nil
	}
	p.at = binary.LittleEndian.Uint64(r.Source("numbers"))
	known := map[byte]bool{}
	var sum uint64
	var counts [4]byte
	var tens uint64
	for _, s := range r.States {
		if s.Layout != "layout" {
			return fmt.Errorf("layout %q", s.Layout)
		}
		for state := s.Data; len(state) > 0; {
			f, rest, err := checkpoint.Next(state)
			if err != nil {
				return err
			}
			state = rest
			switch f.Piece {
			case checkpoint.Head:
				if got := binary.LittleEndian.Uint64(f.Data); got != p.at {
					return fmt.Errorf("position %d beside the state of %d", p.at, got)
				}
			case 1:
				for _, id := range f.Data {
					known[id] = true
				}
			case 2:
				sum = binary.LittleEndian.Uint64(f.Data)
			case 3:
				for i := 0; i < len(f.Data); i += 2 {
					counts[f.Data[i]] = f.Data[i+1]
				}
			case 4:
				if tens++; tens*10 != uint64(f.Data[0]) {
					return fmt.Errorf("the ten %d stands for %d", f.Data[0], tens*10)
				}
			}
		}
	}
	for i := uint64(1); i <= last; i++ {
		if want := i <= p.at && i+memory > p.at; want && !known[byte(i)] {
			return fmt.Errorf("%d is forgotten at %d", i, p.at)
		} else if i > p.at && known[byte(i)] {
			return fmt.Errorf("%d is known at %d", i, p.at)
		}
	}
	if sum != p.at*(p.at+1)/2 || tens != p.at/10 {
		return fmt.Errorf("sum %d and %d tens at %d", sum, tens, p.at)
	}
	for k := range counts {
		if uint64(counts[k]) != count(uint64(k), p.at) {
			return fmt.Errorf("count %d of %d at %d", counts[k], k, p.at)
		}
	}
	return nil
}

// rows are what the numbers up to one give.
func rows(to, every uint64) string {
	var text strings.Builder
	for i := every; i <= to; i += every {
		fmt.Fprintf(&text, "%d\n", i)
	}
	return text.String()
}

// broken is a violation of what a commit promises; any other error is the program's.
type broken struct{ error }

// live runs from the start of a process to its end. A crash is a panic.
func (p *program) live() error {
	p.claiming = true
	authority := checkpoint.New(p.on, place, checkpoint.Options{Pipeline: "p", Layout: "layout", Exact: true, Limits: small})
	restored, err := authority.Claim()
	if err != nil {
		return broken{err}
	}
	defer authority.Close()
	if err := p.restore(restored); err != nil {
		return broken{err}
	}
	if p.at < p.acked {
		return broken{fmt.Errorf("%d was acknowledged, and %d is there", p.acked, p.at)}
	}
	var targets [3]sink.Kept
	for i, open := range []func(state []byte) (sink.Kept, error){
		func(state []byte) (sink.Kept, error) { return sink.Keep(p.on, "/out/all", state) },
		func(state []byte) (sink.Kept, error) {
			return sink.KeepRolling(p.on, "/out/rows-{n}", sink.Roll{Rows: perRow}, state, false)
		},
		func(state []byte) (sink.Kept, error) { return sink.Keep(p.on, "/out/fives", state) },
	} {
		if targets[i], err = open(restored.Output(fmt.Sprint(i))); err != nil {
			return broken{err}
		}
	}
	p.claiming = false
	if err := p.visible(); err != nil {
		return broken{err}
	}
	var together []*checkpoint.Commit // are made durable together
	var staged [3]*sink.Staged
	commit := func(to uint64) error {
		c := &checkpoint.Commit{Final: to == last, Sources: []checkpoint.Part{{Name: "numbers", Data: binary.LittleEndian.AppendUint64(nil, to)}}, State: p.state(p.seq+1, p.at, to)}
		for i, target := range targets {
			staged[i] = target.Stage(to == last, staged[i])
			c.Outputs = append(c.Outputs, checkpoint.Output{Name: fmt.Sprint(i), State: staged[i].State})
		}
		together = append(together, c)
		p.at, p.seq = to, p.seq+1
		if to > 0 && to < last && p.random.IntN(3) == 0 {
			return nil
		}
		for i := range c.Outputs {
			c.Outputs[i].Rows = staged[i]
		}
		if err := authority.Commit(together...); err != nil {
			return err
		}
		together, staged, p.acked = nil, [3]*sink.Staged{}, to
		return nil
	}
	if restored.Seq == 0 { // so that rows of this process are known from those that were there
		if err := commit(0); err != nil {
			return err
		}
	}
	for !restored.Final && p.at < last {
		to := min(last, p.at+1+p.random.Uint64N(3))
		for i := p.at + 1; i <= to; i++ {
			row := fmt.Appendf(nil, "%d\n", i)
			err = errors.Join(err, targets[0].Put(row), targets[1].Put(row))
			if i%5 == 0 {
				err = errors.Join(err, targets[2].Put(row))
			}
		}
		if err != nil {
			return err
		}
		if err := commit(to); err != nil {
			return err
		}
	}
	return nil
}

// visible holds what readers see after recovery against what is committed.
func (p *program) visible() error {
	for name, want := range map[string]string{"/out/all": rows(p.at, 1), "/out/fives": rows(p.at, 5)} {
		if got := string(p.disk.Read(name)); got != want {
			return fmt.Errorf("%s at %d: %q, want %q", name, p.at, got, want)
		}
	}
	all, err := p.rolled()
	if err != nil {
		return err
	}
	if rest := string(p.disk.Read(fmt.Sprintf("/out/.rows-%06d.part", strings.Count(all, "\n")/perRow+1))); all+rest != rows(p.at, 1) {
		return fmt.Errorf("rows at %d: %q and %q", p.at, all, rest)
	}
	return nil
}

// rolled are the rows of the files that a reader sees, whenever one looks: complete ones. A crash may show one and not yet the one before.
func (p *program) rolled() (string, error) {
	names, err := p.disk.List("/out")
	if err != nil {
		return "", err
	}
	all := ""
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, "rows-"); ok {
			text, want := string(p.disk.Read("/out/"+name)), ""
			n, err := strconv.ParseUint(digits, 10, 64)
			for i := (n-1)*perRow + 1; i <= min(n*perRow, last); i++ {
				want += fmt.Sprintf("%d\n", i)
			}
			if err != nil || text != want {
				return "", fmt.Errorf("%s is visible with %q", name, text)
			}
			all += text
		}
	}
	return all, nil
}

// wrong is how a program is made that does not do what it should.
type wrong struct {
	name string
	skip func(p *program, op, name string) bool
	on   func(d *simdisk.Disk) disk.Disk
}

// crashes runs the program, lets it die in operation first, and in others after that, until it comes to its end. It says what was violated.
func crashes(first int, seed uint64, w *wrong) (ops int, violation error) {
	random := rand.New(rand.NewPCG(seed, uint64(first)))
	d := simdisk.New(random.Uint64())
	p := &program{disk: d, on: d, random: random}
	if w != nil && w.skip != nil {
		d.Log = []string{}
		d.Wrong = func(op, name string) bool { return w.skip(p, op, name) }
	}
	if w != nil && w.on != nil {
		p.on = w.on(d)
	}
	d.MakeDir("/out")
	d.CrashAt = first
	for more := 3; ; {
		crashed, err := p.life()
		if !crashed {
			if b, ok := errors.AsType[broken](err); ok {
				return d.Ops, b
			}
			if err != nil {
				return d.Ops, fmt.Errorf("the program fails: %w", err)
			}
			return d.Ops, p.end()
		}
		if random.IntN(3) == 0 {
			d.Kill()
		} else {
			d.Restart()
		}
		if _, err := p.rolled(); err != nil {
			return d.Ops, err
		}
		if more > 0 && random.IntN(3) > 0 { // mostly while it recovers
			d.CrashAt = d.Ops + 1 + random.IntN(1<<random.IntN(7))
			more--
		}
	}
}

func (p *program) life() (crashed bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			if _, crashed = v.(simdisk.Crash); !crashed {
				panic(v)
			}
		}
	}()
	return false, p.live()
}

func (p *program) end() error {
	if p.at != last {
		return fmt.Errorf("ended at %d", p.at)
	}
	names, _ := p.disk.List("/out")
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, ".") }); i >= 0 {
		return fmt.Errorf("%s is left", names[i])
	}
	return p.visible()
}

// TestCrashes: a crash in any operation, any outcome of it, and crashes while the next process recovers lose nothing and count nothing twice.
func TestCrashes(t *testing.T) {
	ops, _ := crashes(0, 0, nil)
	runs := 0
	for first := 1; first <= ops; first++ {
		for seed := range uint64(*outcomes) {
			runs++
			if _, err := crashes(first, seed, nil); err != nil {
				t.Fatalf("crash in operation %d of %d, outcome %d: %v", first, ops, seed, err)
			}
		}
	}
	t.Logf("%d operations, %d runs", ops, runs)
}

// TestTheCrashesAreFelt: a program that leaves out one thing that it must do is caught.
func TestTheCrashesAreFelt(t *testing.T) {
	inPlace := func(name string) bool { return strings.HasPrefix(name, place) }
	for _, w := range []wrong{
		{name: "rows are not synced", skip: func(_ *program, op, name string) bool { return op == "sync" && !inPlace(name) }},
		{name: "commits are not synced", skip: func(_ *program, op, name string) bool { return op == "sync" && strings.HasSuffix(name, ".commits") }},
		{name: "the folder of commits is not synced", skip: func(_ *program, op, name string) bool { return op == "syncdir" && inPlace(name) }},
		{name: "the folder of rows is not synced", skip: func(_ *program, op, name string) bool { return op == "syncdir" && !inPlace(name) }},
		{name: "what was found is acted on before it is durable", skip: func(p *program, op, name string) bool {
			return p.claiming && op == "sync" && strings.HasSuffix(name, ".commits")
		}},
		{name: "rows are not cut back", skip: func(_ *program, op, name string) bool { return op == "truncate" && !inPlace(name) }},
		{name: "a torn commit is not cut off", skip: func(_ *program, op, name string) bool { return op == "truncate" && strings.HasSuffix(name, ".commits") }},
		{name: "a merged segment is not synced", skip: func(_ *program, op, name string) bool { return op == "sync" && strings.HasSuffix(name, ".commits.tmp") }},
		{name: "segments are removed before what replaces them has its name", skip: func(p *program, op, name string) bool {
			n := len(p.disk.Log)
			return op == "syncdir" && n > 1 && strings.HasPrefix(p.disk.Log[n-2], "rename ") && strings.HasSuffix(p.disk.Log[n-2], ".commits.tmp")
		}},
		{name: "complete files are not renamed", skip: func(_ *program, op, name string) bool { return op == "rename" && strings.HasSuffix(name, ".part") }},
		{name: "commits are acknowledged before they are synced", on: func(d *simdisk.Disk) disk.Disk { return late{d} }},
	} {
		caught, runs := 0, 0
		ops, _ := crashes(0, 0, nil)
		for i := 0; i < 4*ops*max(8, *outcomes) && caught == 0; i++ {
			runs++
			if _, err := crashes(1+i*7919%ops, uint64(i), &w); err != nil { // anywhere
				caught++
			}
		}
		if caught == 0 {
			t.Errorf("%s: not noticed in %d runs", w.name, runs)
		}
	}
}

// late is a disk on which commits become durable after they were said to be.
type late struct{ *simdisk.Disk }

type lateFile struct {
	disk.File
	due bool
}

func (l late) Open(name string, flag int) (disk.File, error) {
	f, err := l.Disk.Open(name, flag)
	if err != nil || !strings.HasSuffix(name, ".commits") {
		return f, err
	}
	return &lateFile{File: f}, nil
}

func (f *lateFile) Sync() error { f.due = true; return nil }

func (f *lateFile) WriteAt(b []byte, at int64) (int, error) {
	if f.due {
		if err := f.File.Sync(); err != nil {
			return 0, err
		}
	}
	return f.File.WriteAt(b, at)
}

// TestTheLogIsBounded: what is dead goes, whatever lives long beside it.
func TestTheLogIsBounded(t *testing.T) {
	d := simdisk.New(1)
	a := checkpoint.New(d, place, checkpoint.Options{Pipeline: "p", Limits: checkpoint.Limits{Segment: 4096, Dead: 8192, Merged: 8192, Step: 2048, Many: 16}})
	if _, err := a.Claim(); err != nil {
		t.Fatal(err)
	}
	most, files := 0, 0
	for i := range int64(3000) {
		state := checkpoint.AppendFrame(nil, checkpoint.Frame{Piece: checkpoint.Head, Expires: i})
		state = checkpoint.AppendFrame(state, checkpoint.Frame{Piece: 1, Behind: checkpoint.Everything, Expires: i + 20, Data: make([]byte, 200)})
		if i%300 == 0 { // lives to the end, and would hold the log open
			state = checkpoint.AppendFrame(state, checkpoint.Frame{Piece: 2, Behind: checkpoint.Everything, Expires: math.MaxInt64, Data: []byte{byte(i / 300)}})
		}
		if err := a.Commit(&checkpoint.Commit{State: state}); err != nil {
			t.Fatal(err)
		}
		size := 0
		names, _ := d.List(place)
		for _, name := range names {
			size += len(d.Read(filepath.Join(place, name)))
		}
		most, files = max(most, size), max(files, len(names))
	}
	a.Close()
	if most > 60_000 || files > 24 {
		t.Errorf("the log took up to %d bytes in %d files; 20 commits of 250 bytes are alive at a time", most, files)
	}
	r, err := checkpoint.New(d, place, checkpoint.Options{Pipeline: "p"}).Claim()
	if err != nil {
		t.Fatal(err)
	}
	long := ""
	for _, s := range r.States {
		for state := s.Data; len(state) > 0; {
			f, rest, err := checkpoint.Next(state)
			if err != nil {
				t.Fatal(err)
			}
			if f.Piece == 2 {
				long += fmt.Sprint(f.Data[0])
			}
			state = rest
		}
	}
	if r.Seq != 3000 || long != "0123456789" {
		t.Errorf("commit %d, %q", r.Seq, long)
	}
}
