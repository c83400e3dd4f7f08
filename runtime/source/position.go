package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/streamwright/streamwright/runtime/stream"
)

// A position is where the next record begins, and by what one knows that the files are still those that were read: a name says little about what is in a file.
//
//	1 byte    version, 1
//	8 bytes   offset in the file, unpacked
//	8 bytes   length and hash of the beginning of the file as it lies on disk: nothing behind the offset, so that a record may be mended that stopped a run
//	8 bytes
//	8 bytes   how many files come before it, and a hash of their names and lengths: one that grows after it was read has records that nobody would read
//	8 bytes
//	2 bytes   length and hash of what stands before the offset (unpacked)
//	8 bytes
//	the rest  name of the file
//
// Numbers are little-endian. Hashes are made from FNV-1a of 64 bits (Fowler, Noll, Vo): they tell files apart, and are no guard against somebody who wants to be taken for another.
const (
	positionVersion = 1
	positionHead    = 1 + 5*8 + 2 + 8
)

// AppendPosition appends the position behind the records of b that were taken.
func AppendPosition(dst []byte, b *stream.Batch, maxRecord int) []byte {
	next := b.Base + int64(b.Pos)
	tail := b.Data[max(0, b.Pos-tailBytes):b.Pos]
	if b.Oversize > 0 && b.Pos == b.End { // its rest was never held
		next = b.Base + int64(b.End-maxRecord) + b.Oversize + 1
		tail = nil
	}
	o := &b.Origin
	begin := o.Begin
	if !o.Packed {
		begin = begin[:min(int64(len(begin)), next)]
	}
	dst = append(dst, positionVersion)
	for _, n := range [...]uint64{uint64(next), uint64(len(begin)), hash(hashed, begin), uint64(o.Before), o.BeforeHash} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(tail)))
	dst = binary.LittleEndian.AppendUint64(dst, hash(hashed, tail))
	return append(dst, b.File...)
}

// place is a position, read.
type place struct {
	offset    int64
	begin     int // bytes of the file's beginning
	beginHash uint64
	before    stream.Origin
	tail      int // bytes before offset
	tailHash  uint64
	name      string
}

var errPosition = errors.New("the position that was committed cannot be read: it is damaged, or of another version of streamwright")

func parsePosition(b []byte) (p place, err error) {
	if len(b) < positionHead || b[0] != positionVersion {
		return p, errPosition
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[1+8*i:]) }
	p = place{
		offset: int64(word(0)), begin: int(word(1)), beginHash: word(2), before: stream.Origin{Before: int(word(3)), BeforeHash: word(4)},
		tail: int(binary.LittleEndian.Uint16(b[41:])), tailHash: binary.LittleEndian.Uint64(b[43:]), name: string(b[positionHead:]),
	}
	if p.offset < 0 || p.begin < 0 || p.begin > identifying || p.before.Before < 0 || p.tail > tailBytes || int64(p.tail) > p.offset {
		return p, errPosition
	}
	return p, nil
}

// Start goes on at a position, which is empty for the beginning. It comes before the first Fill. That the files are those that were read is looked at here as far as
// names tell it, and when the file of the position is opened.
func (f *Files) Start(position []byte) error {
	if len(position) == 0 {
		return nil
	}
	p, err := parsePosition(position)
	if err != nil {
		return err
	}
	if f.Follow && f.Rotated != "" {
		names, err := f.whereabouts(&p)
		if err != nil {
			return err
		}
		f.names, f.before, f.start = names[:1], p.before, &p
		return nil
	}
	i := slices.Index(f.names, p.name)
	if i < 0 {
		return changed("%s was read up to byte %d, and is not among the files any more (%s): put it back, so that nothing behind that byte is lost", p.name, p.offset, f.among())
	}
	sizes := make([]int64, i)
	var before stream.Origin
	for i, name := range f.names[:i] {
		info, err := os.Stat(name)
		if err != nil {
			return f.explain(name, err)
		}
		if info.Mode().IsRegular() {
			sizes[i] = info.Size()
		}
		before.Follow(named(name, sizes[i]))
	}
	removed := f.Follow && before.Before < p.before.Before // of files that are followed, old ones may be removed when they have been read
	if !removed && (before.Before != p.before.Before || before.BeforeHash != p.before.BeforeHash) {
		return changed("%s: what sorts before %s, which was read up to byte %d, is never read again. Give new files names that sort behind it, and put those before it back as they were",
			difference(f.names[:i], sizes, p.before), p.name, p.offset)
	}
	f.names, f.before, f.start = f.names[i:], before, &p
	if f.Follow {
		f.names, f.before.Before = f.names[:1], p.before.Before
	}
	return nil
}

// Changed is the error of files that are not those of the position any more.
type Changed struct{ text string }

func (c *Changed) Error() string { return c.text }

func changed(format string, args ...any) error { return &Changed{fmt.Sprintf(format, args...)} }

// difference says what is different with the files before that of a position: one that is new or has another length is found, because the hash of all can be undone but for that one.
func difference(names []string, sizes []int64, was stream.Origin) string {
	n := len(names)
	front, back := make([]uint64, n+1), make([]uint64, n+1) // the hash before file i, of what is there; and as it would have to be for those from i on to give the one that was
	var o stream.Origin
	for i, name := range names {
		front[i] = o.BeforeHash
		o.Follow(named(name, sizes[i]))
	}
	front[n], back[n] = o.BeforeHash, was.BeforeHash
	for i := n - 1; i >= 0; i-- {
		back[i] = back[i+1]*inverse ^ named(names[i], sizes[i])
	}
	for i, name := range names {
		switch {
		case n == was.Before+1 && front[i] == back[i+1]:
			return fmt.Sprintf("%s was not there", name)
		case n == was.Before:
			sum := back[i+1]*inverse ^ front[i] // named(name, its length then)
			sum ^= sum >> 32
			if size := sum*inverse ^ hash(hashed, []byte(name)); size < 1<<40 { // of another file it would be any number
				return fmt.Sprintf("%s had %d bytes and has %d now", name, size, sizes[i])
			}
		}
	}
	return fmt.Sprintf("the %d files that sort before it are not the %d that were read", n, was.Before)
}

// inverse undoes a multiplication in hashes: the product with their factor is 1.
const inverse = 0xce965057aff6957b

// named is the hash of the name and the length of a file on disk.
func named(name string, size int64) uint64 {
	return hash(hash(hashed, []byte(name)), binary.LittleEndian.AppendUint64(nil, uint64(size)))
}

// among says which files there are.
func (f *Files) among() string {
	if f.pattern != "" {
		return fmt.Sprintf("%d match %s", len(f.names), f.pattern)
	}
	return "the source reads " + title(f.names[0])
}

// seek goes to the position in the file that was just opened, if there is one.
func (f *Files) seek() error {
	p := f.start
	if p == nil {
		return nil
	}
	f.start = nil
	if f.file == nil || f.pump != nil {
		return fmt.Errorf("%s: cannot go on at byte %d: what was read of it is gone, since it is no regular file", f.title(), p.offset)
	}
	changed := func(how string) error {
		return changed("%s: was read up to byte %d and has changed since: %s. Put back the file that was read", f.name, p.offset, how)
	}
	begin := make([]byte, p.begin)
	n, err := io.ReadFull(io.NewSectionReader(f.file, 0, int64(len(begin))), begin)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return changed(fmt.Sprintf("it has %d bytes now", f.size))
	case err != nil:
		return f.failed(err, n)
	case hash(hashed, begin) != p.beginHash:
		return changed("it begins with other bytes")
	}
	tail := make([]byte, p.tail)
	if f.Unpack == nil {
		if f.size < p.offset && f.size != p.offset-1 { // a record that was too long may have had no newline
			return changed(fmt.Sprintf("it has %d bytes now", f.size))
		}
		if _, err = f.file.ReadAt(tail, p.offset-int64(p.tail)); err == nil {
			_, err = f.file.Seek(p.offset, io.SeekStart)
		}
		f.raw.size = p.offset
		f.raw.begin = begin // what is read next follows it, or it is complete
	} else {
		var n int64
		if n, err = io.CopyN(io.Discard, f.in, p.offset-int64(p.tail)); err == nil {
			_, err = io.ReadFull(f.in, tail)
		}
		if err == io.EOF && p.tail == 0 && n == p.offset-1 { // a record that was too long may have had no newline
			err = nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return changed("unpacked, it has fewer bytes now")
		}
	}
	switch {
	case err != nil:
		return f.failed(err, 0)
	case hash(hashed, tail) != p.tailHash:
		return changed(fmt.Sprintf("the %d bytes before that are others", p.tail))
	case p.tail > 0 && tail[p.tail-1] != '\n' && !f.lineEnds(p.offset):
		return changed("its last line had no newline when it was taken as a record, and has grown: end each record with a newline before the program reads it")
	}
	if f.Fields != nil {
		probe := Files{Options: f.Options, names: []string{f.name}, pattern: f.pattern, first: headSize}
		probe.Follow = false
		defer probe.Close()
		if err := probe.Fill(new(stream.Batch)); err != nil && err != io.EOF {
			return err
		}
		f.header, f.columns = probe.header, probe.columns
	}
	f.base = p.offset
	return nil
}

// lineEnds says whether a line ends at offset of the open file, if there is more in the file at all.
func (f *Files) lineEnds(offset int64) bool {
	if f.Unpack != nil {
		return true // a compressed file does not grow
	}
	var next [2]byte
	n, _ := f.file.ReadAt(next[:], offset)
	return n == 0 || next[0] == '\n' || string(next[:n]) == "\r\n"
}

// Where says what a position is, for people: a file, and the byte behind the last record that was taken.
func Where(position []byte) (file string, offset int64, err error) {
	p, err := parsePosition(position)
	return p.name, p.offset, err
}
