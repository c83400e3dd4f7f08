package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/streamwright/streamwright/runtime/stream"
)

// A position is where the next record begins: the offset in a file, and its name. Files that sort before it were read.

// AppendPosition appends the position behind the records of b that were taken.
func (f *Files) AppendPosition(dst []byte, b *stream.Batch) []byte {
	next := b.Base + int64(b.Pos)
	if b.Oversize > 0 && b.Pos == b.End { // its rest was never held
		next = b.Base + int64(b.End-f.max) + b.Oversize + 1
	}
	return append(binary.LittleEndian.AppendUint64(append(dst, 1), uint64(next)), b.File...)
}

var errPosition = errors.New("the position that was committed cannot be read; another version of the program wrote it")

// Start goes on at a position, which is empty for the beginning. It comes before the first Fill.
func (f *Files) Start(position []byte) error {
	if len(position) == 0 {
		return nil
	}
	if len(position) < 9 || position[0] != 1 {
		return errPosition
	}
	name, offset := string(position[9:]), int64(binary.LittleEndian.Uint64(position[1:]))
	i := slices.Index(f.names, name)
	if i < 0 {
		return fmt.Errorf("%s was read up to byte %d, and is not among the files any more; put it back", name, offset)
	}
	f.names, f.offset = f.names[i:], offset
	return nil
}

// seek goes to the position in the file that was just opened.
func (f *Files) seek() error {
	if f.offset == 0 {
		return nil
	}
	offset := f.offset
	f.offset = 0
	if f.file == nil {
		return fmt.Errorf("%s: cannot go on at byte %d: it is no file", f.title(), offset)
	}
	if f.size < offset-1 {
		return fmt.Errorf("%s: was read up to byte %d, and has %d now", f.name, offset, f.size)
	}
	if f.fields != nil {
		probe := Files{names: []string{f.name}, pattern: f.pattern, max: f.max, first: headSize, fields: f.fields}
		defer probe.Close()
		if err := probe.Fill(new(stream.Batch)); err != nil && err != io.EOF {
			return err
		}
		f.header, f.columns = probe.header, probe.columns
	}
	f.base = offset
	_, err := f.file.Seek(offset, io.SeekStart)
	return err
}
