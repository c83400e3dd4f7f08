package source

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

const (
	identifying = 4 << 10 // so many bytes at its beginning tell a file from others
	tailBytes   = 256     // and so many before an offset tell whether it was only appended to
)

// head reads a file and remembers how it begins, as far as that was read.
type head struct {
	file  *os.File
	begin []byte // at most identifying bytes; what is there stays as it is
	size  int64  // bytes that were read, from the beginning
}

func (h *head) Read(dst []byte) (int, error) {
	n, err := h.file.Read(dst)
	h.size += int64(n)
	if len(h.begin) < identifying && n > 0 {
		if h.begin == nil {
			h.begin = make([]byte, 0, identifying)
		}
		h.begin = append(h.begin, dst[:min(n, identifying-len(h.begin))]...)
	}
	return n, err
}

// still says whether the file begins as it did.
func (h *head) still() (bool, error) {
	b := make([]byte, len(h.begin))
	n, err := h.file.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return n == len(b) && bytes.Equal(b, h.begin), err
}

// hashed is the hash of nothing.
const hashed = 14695981039346656037

// hash goes on with a 64-bit FNV-1a hash, eight bytes at a time as long as there are so many.
func hash(sum uint64, b []byte) uint64 {
	for ; len(b) >= 8; b = b[8:] {
		sum = (sum ^ binary.LittleEndian.Uint64(b)) * 1099511628211
		sum ^= sum >> 32 // the highest bytes of a word reach the low bits
	}
	for _, c := range b {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return sum
}
