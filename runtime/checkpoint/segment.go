package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/disk"
)

const (
	magic   = "SWCOMMIT"
	version = 3
)

// header is what a segment says about all its commits.
type header struct {
	First    uint64 // its first commit
	Last     uint64 // its last one, if it was put together of others; 0: as they were committed, one after the other
	Cleaned  uint64 // it has what the commits from this one on need
	Size     uint64 // in bytes, if it was put together of others
	Pipeline string
	Layout   string
	version  uint32 // as it was read
}

const headerFixed = 48

func appendHeader(dst []byte, h *header) []byte {
	at := len(dst)
	dst = append(dst, magic...)
	dst = little.AppendUint32(dst, version)
	dst = little.AppendUint32(dst, uint32(headerFixed+4+len(h.Pipeline)+4+len(h.Layout)+4))
	dst = little.AppendUint64(dst, h.First)
	dst = little.AppendUint64(dst, h.Last)
	dst = little.AppendUint64(dst, h.Cleaned)
	dst = little.AppendUint64(dst, h.Size)
	for _, text := range []string{h.Pipeline, h.Layout} {
		dst = append(little.AppendUint32(dst, uint32(len(text))), text...)
	}
	return little.AppendUint32(dst, checksum(dst[at:]))
}

var errNoHeader = errors.New("the header of the segment is damaged")

// newer is the error of a segment that a later version of streamwright wrote.
type newer struct{ version uint32 }

func (n newer) Error() string {
	return fmt.Sprintf("was written in version %d of the format, and this program knows version %d: run the program that wrote it, or build this one with a newer streamwright", n.version, version)
}

func readHeader(data []byte) (h header, size int, err error) {
	if len(data) < headerFixed || string(data[:8]) != magic {
		return h, 0, errNoHeader
	}
	if v := little.Uint32(data[8:]); v > version { // also if the rest looks different there
		return h, 0, newer{v}
	}
	n := little.Uint32(data[12:])
	if n < headerFixed+4 || uint64(n) > uint64(len(data)) || checksum(data[:n-4]) != little.Uint32(data[n-4:]) {
		return h, 0, errNoHeader
	}
	h.version = little.Uint32(data[8:])
	d := decoder{data: data[16 : n-4]}
	h.First, h.Last, h.Cleaned, h.Size = d.word(), d.word(), d.word(), d.word()
	for _, text := range []*string{&h.Pipeline, &h.Layout} {
		if b := d.take(4); b != nil {
			*text = string(d.take(uint64(little.Uint32(b))))
		}
	}
	if d.failed || h.First == 0 {
		return h, 0, errNoHeader
	}
	return h, int(n), nil
}

// segment is a file of commits.
type segment struct {
	header
	name  string // base name
	size  int64
	start int64  // of its first commit
	last  uint64 // its last commit
	marks []mark // frames that were alive when they were looked at last
	dead  int64  // bytes of the rest
}

// mark is a frame without its data.
type mark struct {
	seq     uint64
	expires int64
	size    int64
	piece   uint32
}

const suffix = ".commits"

// segmentName is the name of a segment: the number of its first commit, and of its last one if it was put together of others, so that the order of names is that of
// commits.
func segmentName(first, last uint64) string {
	if last == 0 {
		return fmt.Sprintf("%016d%s", first, suffix)
	}
	return fmt.Sprintf("%016d-%016d%s", first, last, suffix)
}

// segmentRange reads a segment's name.
func segmentRange(name string) (first, last uint64, ok bool) {
	text, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return 0, 0, false
	}
	a, b, merged := strings.Cut(text, "-")
	first, err := strconv.ParseUint(a, 10, 64)
	if err == nil && merged {
		last, err = strconv.ParseUint(b, 10, 64)
	}
	return first, last, err == nil && first > 0 && name == segmentName(first, last)
}

// weigh counts what has died in s since it was looked at last.
func (s *segment) weigh(l *Living) {
	kept, alive := s.marks[:0], int64(0)
	for _, m := range s.marks {
		if l.has(m.seq, m.piece, m.expires) {
			kept = append(kept, m)
			alive += m.size + recordHeader + recordFixed
		}
	}
	s.marks, s.dead = kept, max(0, s.size-alive)
}

// marksOf appends a mark for each frame of a state that was read before.
func marksOf(dst []mark, seq uint64, state []byte) ([]mark, error) {
	for len(state) > 0 {
		f, rest, err := Next(state)
		if err != nil {
			return dst, err
		}
		dst, state = append(dst, mark{seq, f.Expires, f.size(), f.Piece}), rest
	}
	return dst, nil
}

// load reads a segment whole.
func load(d disk.Disk, dir, name string) ([]byte, error) {
	f, err := d.Open(filepath.Join(dir, name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return disk.ReadAll(f)
}
