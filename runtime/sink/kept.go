package sink

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"github.com/streamwright/streamwright/runtime/disk"
)

// Kept is a target under commits: what was put since the last one does not count until the next one does, and a later run goes on from the state that the last one kept.
type Kept interface {
	// Put adds whole rows, each ended by its newline. Its error is a *Partly.
	Put(rows []byte) error
	// Header is as that of File.
	Header(line []byte) (missing bool, err error)
	// Crosses says whether a file ends with a watermark, in Unix ns. What was not put yet belongs to it.
	Crosses(watermark int64) bool
	// Reach ends it.
	Reach(watermark int64)
	// Stage takes what was put for a commit. end says that nothing follows. before is what the commit before this one took, if both are made durable together, else nil: then what is
	// returned does the work of both, and before has only its State to say.
	Stage(end bool, before *Staged) *Staged
	// Abort closes. What no commit has stays until the next run cuts it off.
	Abort()
}

// Staged are the rows of one commit. It can be used beside further calls of Put.
type Staged struct {
	State []byte // what Keep and KeepRolling need to go on behind these rows
	disk  disk.Disk
	name  string      // for messages
	dir   string      // that has new names; "": none has
	files []disk.File // to be made durable
	done  []disk.File // to be closed then
	parts []renaming
	shown int    // of parts
	from  uint64 // 'r': the first file that may not have its name yet
}

// join adds the work of before, if there is any.
func (s *Staged) join(before *Staged) {
	if before == nil {
		return
	}
	for _, f := range before.files {
		if !slices.Contains(s.files, f) {
			s.files = append(s.files, f)
		}
	}
	s.done = append(before.done, s.done...)
	s.parts = append(before.parts, s.parts...)
	s.dir = cmp.Or(s.dir, before.dir)
}

type renaming struct{ from, to string }

// Sync makes the rows durable. It is called once: after an error (Lost) they must be written again.
func (s *Staged) Sync() error {
	for _, f := range s.files {
		if err := f.Sync(); err != nil {
			return unsure(explain(s.name, err))
		}
	}
	for _, f := range s.done {
		if err := f.Close(); err != nil {
			return unsure(explain(s.name, err))
		}
	}
	if s.dir == "" {
		return nil
	}
	return unsure(explain(s.name, s.disk.SyncDir(s.dir)))
}

// Publish shows the files that are complete. After an error that is Transient it may be called again, for what is left to do.
func (s *Staged) Publish() error {
	if len(s.parts) == 0 {
		return nil
	}
	for i, r := range s.parts {
		if i < s.shown {
			continue
		}
		if err := publish(s.disk, r); err != nil {
			return err
		}
		s.shown++
	}
	return unsure(explain(s.name, s.disk.SyncDir(filepath.Dir(s.parts[0].to))))
}

// publish gives a complete file its name, unless somebody else has it.
func publish(d disk.Disk, r renaming) error {
	taken, err := disk.Has(d, r.to)
	if there, lost := disk.Has(d, r.from); err == nil && lost == nil && taken && !there {
		return nil // done by a call that said it was not
	}
	if err == nil && taken {
		err = errors.New("another program has made a file with this name, and it is not overwritten; move it away and start again")
	}
	if err == nil {
		err = d.Rename(r.from, r.to)
	}
	return explain(r.to, err)
}

// tailSize is how many bytes before the committed end must be what was written, for the file to be the same one. A copy of it is the same one, too.
const tailSize = 4096

// tail are the last bytes of what was written.
type tail []byte

func (t tail) add(rows []byte) tail {
	if len(rows) >= tailSize {
		return append(t[:0], rows[len(rows)-tailSize:]...)
	}
	if over := len(t) + len(rows) - tailSize; over > 0 {
		t = t[:copy(t, t[over:])]
	}
	return append(t, rows...)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (t tail) sum() uint32 { return crc32.Checksum(t, castagnoli) }

// tailOf reads the tail of the first size bytes of a file.
func tailOf(f disk.File, size int64) (tail, error) {
	t := make(tail, min(size, tailSize), tailSize)
	if len(t) == 0 {
		return t, nil
	}
	_, err := f.ReadAt(t, size-int64(len(t)))
	return t, err
}

// place of a kept target: what its state says about a file.
type kept struct {
	kind   byte // 'a': rows are appended, 'r': a row of files
	path   string
	from   uint64 // 'r': the first file that may not have its name yet
	number uint64 // 'r': of the file that is written
	size   int64
	rows   uint64
	window int64
	sum    uint32 // of the tail
}

const keptVersion = 1

func (k *kept) append(dst []byte) []byte {
	dst = append(dst, keptVersion, k.kind)
	for _, n := range []uint64{k.from, k.number, uint64(k.size), k.rows, uint64(k.window), uint64(k.sum)} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	return append(dst, k.path...)
}

var errState = errors.New("what the last commit says about it cannot be read; it was written by another version of the program")

func readKept(state []byte) (k kept, err error) {
	if len(state) < 50 || state[0] != keptVersion {
		return k, errState
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(state[2+8*i:]) }
	k = kept{kind: state[1], from: word(0), number: word(1), size: int64(word(2)), rows: word(3), window: int64(word(4)), sum: uint32(word(5)), path: string(state[50:])}
	if k.size < 0 || k.from > k.number || k.kind != 'a' && k.kind != 'r' {
		return k, errState
	}
	return k, nil
}

// cutBack opens a file and takes off what was written behind its committed end.
func cutBack(d disk.Disk, path string, k *kept) (disk.File, tail, error) {
	f, err := d.Open(path, os.O_RDWR)
	if errors.Is(err, os.ErrNotExist) {
		err = errGone(k.size)
	}
	if err != nil {
		return nil, nil, explain(path, err)
	}
	size, err := f.Size()
	var t tail
	if err == nil && size < k.size {
		err = errShorter(size, k.size)
	}
	if err == nil {
		t, err = tailOf(f, k.size)
	}
	if err == nil && t.sum() != k.sum {
		err = errAnother(k.size)
	}
	if err == nil && size > k.size {
		err = f.Truncate(k.size)
	}
	if err != nil {
		f.Close()
		return nil, nil, explain(path, err)
	}
	return f, t, nil
}

// Rows says whether a file has rows: anything but a header.
func Rows(d disk.Disk, path string, header []byte) (bool, error) {
	f, err := d.Open(path, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, explain(path, err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil || size != int64(len(header)) {
		return size > 0, explain(path, err)
	}
	first := make([]byte, size)
	if _, err := f.ReadAt(first, 0); err != nil && size > 0 {
		return false, explain(path, err)
	}
	return !bytes.Equal(first, header), nil
}

// beginsWith looks whether a file begins with the header line. committed says that some of it was committed.
func beginsWith(name string, f disk.File, size int64, line []byte, committed bool) (missing bool, err error) {
	if size == 0 {
		return true, nil
	}
	first := make([]byte, min(size, int64(max(len(line), 200))))
	if _, err := f.ReadAt(first, 0); err != nil {
		return false, explain(name, err)
	}
	if bytes.HasPrefix(first, line) {
		return false, nil
	}
	advice := "write to another file, or move this one away"
	if committed {
		advice = "write to another path: what is committed must stay in this file"
	}
	return false, otherHeader(name, first, line, advice)
}

// Of says whether a state is of the target at path, so that what stood there before the first row is known. One that cannot take rows back is of any.
func Of(state []byte, path string) bool {
	k, err := readKept(state)
	return len(state) == 0 || err == nil && k.path == path
}

// Where says what a state is, for people: a file, and how many of its bytes are committed. "" is a target that cannot take rows back.
func Where(state []byte) (path string, size int64, err error) {
	if len(state) == 0 {
		return "", 0, nil
	}
	k, err := readKept(state)
	if k.kind == 'r' {
		r := rolling{path: k.path}
		k.path = r.part(k.number)
	}
	return k.path, k.size, err
}
