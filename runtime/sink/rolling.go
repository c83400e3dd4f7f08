package sink

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/runtime/disk"
)

// Roll says when a file of a row of files is complete. What is 0 is no limit.
type Roll struct {
	Rows   uint64
	Bytes  int64 // the row that reaches it is the last one
	Window time.Duration
}

// Number stands for the number of a file in the path of a row of files.
const Number = "{n}"

// rolling is a row of files, each of which is complete when it gets its name. Until then it is hidden:
//
//	totals-000001.ndjson   totals-000002.ndjson   .totals-000003.ndjson.part
type rolling struct {
	disk    disk.Disk
	path    string // with Number
	roll    Roll
	header  []byte
	csv     bool
	number  uint64 // of the file that is written
	file    disk.File
	size    int64
	staged  int64 // size at the last Stage
	rows    uint64
	window  int64 // in which the watermark is
	tail    tail
	from    uint64      // the first file that no commit has yet
	done    []disk.File // complete, not committed
	unnamed bool        // there are names that are not durable
}

// KeepRolling writes a row of files under commits. path has {n} in its last element. A new row is numbered behind the files that are there; state is nil, or what the last commit
// kept. back says that commits behind it were lost: files that they have shown go, their rows come again.
func KeepRolling(d disk.Disk, path string, roll Roll, state []byte, back bool) (Kept, error) {
	if base := filepath.Base(path); strings.Count(base, Number) != 1 || strings.Contains(strings.TrimSuffix(path, base), Number) {
		return nil, fmt.Errorf("%s: the name of a file of a row must have %s once, where its number goes: rows-%s.ndjson", path, Number, Number)
	}
	k, err := recoverOther(d, path, 'r', state)
	r := newRolling(d, path, roll)
	switch {
	case err != nil:
	case k != nil:
		err = r.recover(k, back)
	default:
		err = r.begin()
	}
	if err != nil {
		r.Abort()
		return nil, explain(path, err)
	}
	return r, nil
}

func newRolling(d disk.Disk, path string, roll Roll) *rolling {
	return &rolling{disk: d, path: path, roll: roll, number: 1, from: 1, window: math.MinInt64}
}

// name is the name of file n.
func (r *rolling) name(n uint64) string {
	dir, base := filepath.Split(r.path)
	return dir + strings.Replace(base, Number, fmt.Sprintf("%06d", n), 1)
}

// part is its name until it is complete.
func (r *rolling) part(n uint64) string {
	dir, base := filepath.Split(r.name(n))
	return dir + "." + base + ".part"
}

// numberOf reads the number in the base name of a file of the row.
func (r *rolling) numberOf(base string) (n uint64, part, ok bool) {
	if inner, hidden := strings.CutPrefix(base, "."); hidden {
		if base, part = strings.CutSuffix(inner, ".part"); !part {
			return 0, false, false
		}
	}
	before, after, _ := strings.Cut(filepath.Base(r.path), Number)
	digits, ok := strings.CutPrefix(base, before)
	if ok {
		digits, ok = strings.CutSuffix(digits, after)
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, part, ok && err == nil && filepath.Base(r.name(n)) == base
}

// Row are the files of the row at path that are complete, in order.
func Row(d disk.Disk, path string) (names []string, err error) {
	r := newRolling(d, path, Roll{})
	dir := filepath.Dir(path)
	all, err := d.List(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, base := range all {
		if _, part, ok := r.numberOf(base); ok && !part {
			names = append(names, filepath.Join(dir, base))
		}
	}
	return names, explain(path, err)
}

// begin begins a new row behind the files that are there. Hidden ones of an earlier row were never complete.
func (r *rolling) begin() error {
	return r.sweep(func(n uint64, part bool) bool {
		if !part {
			r.number = max(r.number, n+1)
		}
		r.from = r.number
		return part
	})
}

func (r *rolling) sweep(gone func(n uint64, part bool) bool) error {
	dir := filepath.Dir(r.path)
	names, err := r.disk.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if n, part, ok := r.numberOf(name); ok && gone(n, part) {
			if err := r.disk.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// recover does again what a crash may have left undone behind a commit, and takes away what none has.
func (r *rolling) recover(k *kept, back bool) error {
	for n := k.from; n < k.number; n++ {
		there, err := disk.Has(r.disk, r.part(n))
		if err == nil && there { // otherwise it has its name, or had it and was fetched
			err = publish(r.disk, renaming{r.part(n), r.name(n)})
		}
		if err != nil {
			return err
		}
	}
	if k.from < k.number { // also when all have their names: a process that was killed may not have made that durable, and the next commit no longer tells of them
		if err := r.disk.SyncDir(filepath.Dir(r.path)); err != nil {
			return unsure(err)
		}
	}
	r.number, r.from, r.size, r.staged, r.rows, r.window = k.number, k.number, k.size, k.size, k.rows, k.window
	if back && k.size > 0 { // the file that was being written may have been completed since
		shown, err := disk.Has(r.disk, r.name(k.number))
		if err == nil && shown {
			err = r.disk.Rename(r.name(k.number), r.part(k.number))
		}
		if err != nil {
			return err
		}
	}
	if err := r.sweep(func(n uint64, part bool) bool {
		return part && (n > k.number || n == k.number && k.size == 0) || back && !part && n >= k.number
	}); err != nil {
		return err
	}
	if k.size == 0 {
		return nil
	}
	var err error
	r.file, r.tail, err = cutBack(r.disk, r.part(k.number), k)
	return err
}

// Put implements Kept.
func (r *rolling) Put(rows []byte) error {
	for all := len(rows); len(rows) > 0; {
		if r.file == nil {
			if err := r.open(); err != nil {
				return partly(all-len(rows), explain(r.path, err))
			}
		}
		n, count, full := r.fits(rows)
		if _, err := r.file.WriteAt(rows[:n], r.size); err != nil {
			return partly(all-len(rows), explain(r.part(r.number), err))
		}
		r.size += int64(n)
		r.rows += count
		r.tail = r.tail.add(rows[:n])
		rows = rows[n:]
		if full {
			r.complete()
		}
	}
	return nil
}

func (r *rolling) open() (err error) {
	if r.file, err = r.disk.Open(r.part(r.number), os.O_RDWR|os.O_CREATE|os.O_TRUNC); err != nil {
		return err
	}
	r.unnamed, r.staged = true, 0
	r.size, r.rows, r.tail = int64(len(r.header)), 0, r.tail[:0].add(r.header)
	if len(r.header) > 0 {
		if _, err = r.file.WriteAt(r.header, 0); err != nil {
			r.file.Close() // it is begun anew when somebody tries again
			r.file = nil
		}
	}
	return err
}

// fits is how many bytes of rows, and how many rows, belong to the file; full says that it is complete with them.
func (r *rolling) fits(rows []byte) (n int, count uint64, full bool) {
	if r.roll.Rows == 0 && r.roll.Bytes == 0 {
		return len(rows), 0, false
	}
	for n < len(rows) {
		n += r.row(rows[n:])
		count++
		if r.roll.Rows > 0 && r.rows+count >= r.roll.Rows || r.roll.Bytes > 0 && r.size+int64(n) >= r.roll.Bytes {
			return n, count, true
		}
	}
	return n, count, false
}

// row is the length of the first row.
func (r *rolling) row(rows []byte) int {
	end := 0
	for {
		i := bytes.IndexByte(rows[end:], '\n')
		if i < 0 {
			return len(rows)
		}
		end += i + 1
		if !r.csv || bytes.Count(rows[:end], []byte(`"`))%2 == 0 {
			return end
		}
	}
}

// complete ends the file.
func (r *rolling) complete() {
	r.done = append(r.done, r.file)
	r.file, r.size, r.rows = nil, 0, 0
	r.number++
}

// Header implements Kept: each file begins with it.
func (r *rolling) Header(line []byte) (missing bool, err error) {
	r.csv = true
	r.header = append([]byte(nil), line...)
	if r.file != nil {
		_, err = beginsWith(r.part(r.number), r.file, r.size, line, true)
	}
	return false, err
}

// Crosses implements Kept.
func (r *rolling) Crosses(watermark int64) bool {
	return r.roll.Window > 0 && watermark != math.MinInt64 && r.spanOf(watermark) != r.window
}

func (r *rolling) spanOf(watermark int64) int64 {
	size := int64(r.roll.Window)
	span := watermark / size
	if watermark%size < 0 {
		span--
	}
	return span
}

// Reach implements Kept.
func (r *rolling) Reach(watermark int64) {
	if r.Crosses(watermark) {
		if r.file != nil {
			r.complete()
		}
		r.window = r.spanOf(watermark)
	}
}

// Stage implements Kept.
func (r *rolling) Stage(end bool, before *Staged) *Staged {
	if end && r.file != nil {
		r.complete()
	}
	k := kept{kind: 'r', path: r.path, from: r.from, number: r.number, size: r.size, rows: r.rows, window: r.window}
	if before != nil { // its files do not have their names before this commit counts
		k.from = before.from
	}
	s := &Staged{disk: r.disk, name: r.path, files: r.done, done: r.done, from: k.from}
	if r.file != nil {
		k.sum = r.tail.sum()
		if r.size != r.staged {
			s.files, r.staged = append(r.done[:len(r.done):len(r.done)], r.file), r.size
		}
	}
	if r.unnamed {
		s.dir, r.unnamed = filepath.Dir(r.path), false
	}
	for n := r.from; n < r.number; n++ {
		s.parts = append(s.parts, renaming{r.part(n), r.name(n)})
	}
	s.State = k.append(nil)
	s.join(before)
	r.from, r.done = r.number, nil
	return s
}

// Abort implements Kept.
func (r *rolling) Abort() {
	for _, f := range append(r.done, r.file) {
		if f != nil {
			f.Close()
		}
	}
}
