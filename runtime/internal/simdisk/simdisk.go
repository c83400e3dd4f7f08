// Package simdisk is a disk that forgets: at a crash everything that was not synced may be there, or not, or half, in any order, names as well as bytes. Tests run a
// program on it, crash it at any operation, and start it again on what is left.
package simdisk

import (
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/streamwright/streamwright/runtime/disk"
)

// Crash is what an operation panics with when the process dies in it.
type Crash struct{}

// Disk is one disk. The zero value is not usable; New makes one. It belongs to one goroutine.
type Disk struct {
	CrashAt int                         // die in the operation with this number, from 1; 0: never
	Fail    func(op, name string) error // an operation fails with its error instead of being done; may be nil
	Wrong   func(op, name string) bool  // an operation is not done although it says so: a program without it; may be nil
	Dead    bool                        // the process died: each further operation panics, until Kill or Restart
	Ops     int                         // operations that change something, so far
	Log     []string                    // what they were, when not nil

	rand    *rand.Rand
	names   map[string]*inode // as the program sees them
	durable map[string]*inode // what a crash leaves for sure
	changes []change          // of names, that are not durable
	dirs    map[string]bool
	locks   map[string]string
}

type inode struct {
	data    []byte  // as the program sees it
	durable []byte  // what a crash leaves for sure
	writes  []write // that are not durable
}

// write is data at an offset, or a new size.
type write struct {
	at       int64
	data     []byte
	truncate bool
}

// change is of a name: to a file, from another name, or gone.
type change struct {
	dir      string
	from, to string
	node     *inode // of a new file
}

// New makes an empty disk; the seed decides what its crashes leave.
func New(seed uint64) *Disk {
	return &Disk{rand: rand.New(rand.NewPCG(seed, 1)), names: map[string]*inode{}, durable: map[string]*inode{}, dirs: map[string]bool{"/": true}, locks: map[string]string{}}
}

// Kill ends the process alone: the next one finds everything, and nothing more is durable than was.
func (d *Disk) Kill() {
	d.locks = map[string]string{}
	d.CrashAt, d.Dead = 0, false
}

// Restart is the disk as the next process finds it after a loss of power.
func (d *Disk) Restart() {
	d.Kill()
	for _, n := range d.nodes() {
		n.crash(d.rand)
	}
	for _, c := range d.changes {
		if d.rand.IntN(2) == 0 {
			continue
		}
		d.apply(d.durable, c)
	}
	d.changes = nil
	d.names = maps.Clone(d.durable)
}

// nodes are the files that anything knows, in an order that does not depend on maps.
func (d *Disk) nodes() []*inode {
	var list []*inode
	add := func(n *inode) {
		if n != nil && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	for _, m := range []map[string]*inode{d.durable, d.names} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			add(m[name])
		}
	}
	for _, c := range d.changes {
		add(c.node)
	}
	return list
}

// crash keeps some of the writes, some of them torn.
func (n *inode) crash(r *rand.Rand) {
	all := r.IntN(4) // often all, often none
	for _, w := range n.writes {
		switch {
		case all == 0:
			continue
		case all == 1:
		case r.IntN(2) == 0:
			continue
		case !w.truncate && r.IntN(3) > 0: // torn
			data := slices.Clone(w.data)
			i, j := r.IntN(len(data)+1), r.IntN(len(data)+1)
			torn := data[min(i, j):max(i, j)]
			clear(torn) // a block of zeros, which is what a block has whose size came first
			if at := w.at + int64(min(i, j)); at < int64(len(n.durable)) {
				copy(torn, n.durable[at:]) // or what stood there before
			}
			if r.IntN(2) == 0 {
				data = data[:max(i, j)]
			}
			w.data = data
		}
		n.durable = w.apply(n.durable)
	}
	n.writes = nil
	n.data = slices.Clone(n.durable)
}

func (w write) apply(data []byte) []byte {
	end := w.at + int64(len(w.data))
	if int64(len(data)) < end {
		data = append(data, make([]byte, end-int64(len(data)))...)
	}
	if w.truncate {
		return data[:w.at]
	}
	copy(data[w.at:], w.data)
	return data
}

func (d *Disk) apply(names map[string]*inode, c change) {
	node := c.node
	if c.from != "" {
		if node == nil {
			node = names[c.from]
		}
		if node == nil {
			return // the crash kept a change of a name that it did not keep
		}
		delete(names, c.from)
	}
	if c.to != "" {
		names[c.to] = node
	}
}

// step counts an operation. It returns the error that the test wants, and done: nothing is left to do.
func (d *Disk) step(op, name string) (done bool, err error) {
	if d.Dead {
		panic(Crash{})
	}
	d.Ops++
	if d.Log != nil {
		d.Log = append(d.Log, op+" "+name)
	}
	if d.Fail != nil {
		if err := d.Fail(op, name); err != nil {
			return true, &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return d.Wrong != nil && d.Wrong(op, name), nil
}

// die ends the process if it is to die in this operation. Whatever the operation did is then not durable.
func (d *Disk) die() {
	if d.Ops == d.CrashAt {
		d.Dead = true
		panic(Crash{})
	}
}

func (d *Disk) change(c change) {
	d.apply(d.names, c)
	d.changes = append(d.changes, c)
	d.die()
}

type handle struct {
	d    *Disk
	name string
	node *inode
}

// Open implements disk.Disk.
func (d *Disk) Open(name string, flag int) (disk.File, error) {
	name = filepath.Clean(name)
	node := d.names[name]
	switch {
	case node != nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case node != nil && flag&os.O_TRUNC != 0:
		h := handle{d, name, node}
		return h, h.Truncate(0)
	case node != nil:
		return handle{d, name, node}, nil
	case flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case !d.dirs[filepath.Dir(name)]:
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
	}
	if done, err := d.step("create", name); done || err != nil {
		return nil, err
	}
	node = &inode{}
	d.change(change{dir: filepath.Dir(name), to: name, node: node})
	return handle{d, name, node}, nil
}

// Rename implements disk.Disk.
func (d *Disk) Rename(from, to string) error {
	from, to = filepath.Clean(from), filepath.Clean(to)
	if d.names[from] == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	if done, err := d.step("rename", from); done || err != nil {
		return err
	}
	d.change(change{dir: filepath.Dir(to), from: from, to: to, node: d.names[from]})
	return nil
}

// Remove implements disk.Disk.
func (d *Disk) Remove(name string) error {
	name = filepath.Clean(name)
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	if done, err := d.step("remove", name); done || err != nil {
		return err
	}
	d.change(change{dir: filepath.Dir(name), from: name})
	return nil
}

// List implements disk.Disk.
func (d *Disk) List(dir string) ([]string, error) {
	dir = filepath.Clean(dir)
	if !d.dirs[dir] {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	var list []string
	for name := range d.names {
		if filepath.Dir(name) == dir {
			list = append(list, filepath.Base(name))
		}
	}
	slices.Sort(list)
	return list, nil
}

// MakeDir implements disk.Disk. Folders are durable at once: losing one is losing everything in it, which is another test.
func (d *Disk) MakeDir(dir string) error {
	for dir = filepath.Clean(dir); !d.dirs[dir]; dir = filepath.Dir(dir) {
		d.dirs[dir] = true
	}
	return nil
}

// SyncDir implements disk.Disk.
func (d *Disk) SyncDir(dir string) error {
	dir = filepath.Clean(dir)
	done, err := d.step("syncdir", dir)
	d.die()
	if done || err != nil {
		return err
	}
	var rest []change
	for _, c := range d.changes {
		if c.dir == dir {
			d.apply(d.durable, c)
		} else {
			rest = append(rest, c)
		}
	}
	d.changes = rest
	return nil
}

type lock struct {
	d    *Disk
	name string
}

// Lock implements disk.Disk.
func (d *Disk) Lock(name string) (disk.Lock, error) {
	if note, held := d.locks[name]; held {
		return nil, &disk.Held{Name: name, Note: note}
	}
	d.locks[name] = ""
	return lock{d, name}, nil
}

func (l lock) Note(text string) error { l.d.locks[l.name] = text; return nil }

func (l lock) Close() error { delete(l.d.locks, l.name); return nil }

func (h handle) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(h.node.data)) {
		return 0, io.EOF
	}
	n := copy(b, h.node.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (h handle) WriteAt(b []byte, at int64) (int, error) {
	if done, err := h.d.step("write", h.name); done || err != nil {
		if err == nil {
			return len(b), nil
		}
		n := len(b) / 2 // a full disk takes some
		h.node.add(write{at: at, data: slices.Clone(b[:n])})
		return n, err
	}
	h.node.add(write{at: at, data: slices.Clone(b)})
	h.d.die()
	return len(b), nil
}

func (h handle) Truncate(size int64) error {
	if done, err := h.d.step("truncate", h.name); done || err != nil {
		return err
	}
	h.node.add(write{at: size, truncate: true})
	h.d.die()
	return nil
}

func (n *inode) add(w write) {
	n.data = w.apply(n.data)
	n.writes = append(n.writes, w)
}

func (h handle) Size() (int64, error) { return int64(len(h.node.data)), nil }

// Sync implements disk.File. One that fails forgets what it could not write, as real systems do: readers still see it, a later Sync has nothing to do for it, and a crash takes it away.
func (h handle) Sync() error {
	done, err := h.d.step("sync", h.name)
	h.d.die()
	if done && err == nil {
		return nil
	}
	for _, w := range h.node.writes {
		if err == nil || h.d.rand.IntN(2) == 0 {
			h.node.durable = w.apply(h.node.durable)
		}
	}
	h.node.writes = nil
	return err
}

func (h handle) Close() error { return nil }

// Read is the content of a file, for tests; nil if there is none.
func (d *Disk) Read(name string) []byte {
	if n := d.names[filepath.Clean(name)]; n != nil {
		return slices.Clone(n.data)
	}
	return nil
}

// Put makes a durable file, for tests.
func (d *Disk) Put(name string, data []byte) {
	n := &inode{data: slices.Clone(data), durable: slices.Clone(data)}
	d.names[filepath.Clean(name)], d.durable[filepath.Clean(name)] = n, n
}
