package stream

import (
	"bytes"
	"math"
)

// Padding is how many bytes behind its last record a batch may be read (never written) by a decoder.
const Padding = 64

// Batch is a block of whole records of one file as a source fills it, and the arena of what stages make from them. A processor takes records from it in
// as many calls of Process as it needs. Everything in it is valid until the source fills it again.
type Batch struct {
	Data     []byte   // Data[Pos:End] are records that were not taken yet, each ended by a newline (the last of a file perhaps not); then Padding bytes; then the arena
	Words    []uint64 // elements of the lists of the batch's rows: an int, a time, a decimal, the bits of a float, a bool as 0 or 1, a Str or List as Off<<32 | Len; of a struct several
	Stack    []uint64 // elements of lists of structs that are being read: those of inner lists come before them in Words
	Pos, End int
	File     string   // where the records come from, for messages and dead letters
	Base     int64    // offset of Data[0] in File
	Now      int64    // wall clock when the block arrived, Unix ns
	Columns  []uint16 // of CSV: for each column of File the number of its field in the event, from 1; 0 for one that is no field
	Block    int      // above 0: the records were decoded ahead, as this block of the processor's; 0: Process decodes them
	Origin   Origin   // what File is known by
	Source   int      // place in the spec of the source that it comes from, from 0
	Input    int      // number of the input, where a processor has several
	Until    int64    // then: records are taken as long as the highest event time of the input is not above this
	Oversize int64    // above 0: Data[Pos:End] is only the beginning of a single record that is so many bytes long, more than max_record

	held, heldWords int // so much of Data and of Words was made by decoding ahead, and is kept by Recycle
}

// Origin is what a source knows of the file of a batch besides its name, so that a later run can tell whether it is still the same.
type Origin struct {
	Begin      []byte // of the file as it lies on disk, as far as it was read: at most 4096 bytes, which nobody changes
	Packed     bool   // the records are not the bytes that lie on disk
	Before     int    // files that were read before it
	BeforeHash uint64 // of their names and lengths
}

// Follow notes one more file that was read before, by the hash of its name and length.
func (o *Origin) Follow(name uint64) {
	o.Before++
	o.BeforeHash = (o.BeforeHash ^ name) * 1099511628211
}

// Next takes the next record: the bytes up to the newline, without it. Blank lines are no records. ok is false at the end of the block.
func (b *Batch) Next() (line Str, ok bool) {
	for b.Pos < b.End {
		start := b.Pos
		end := b.End
		if i := bytes.IndexByte(b.Data[start:end], '\n'); i >= 0 {
			end = start + i
			b.Pos = end + 1
		} else {
			b.Pos = end
		}
		for i := start; i < end; i++ {
			if c := b.Data[i]; c != ' ' && c != '\t' && c != '\r' {
				return Str{uint32(start), uint32(end - start)}, true
			}
		}
		if b.Oversize > 0 { // blank as far as it goes; nobody has seen the rest
			return Str{uint32(start), uint32(end - start)}, true
		}
	}
	return Str{}, false
}

// More says whether there is another record, and takes blank lines before it, which are none.
func (b *Batch) More() bool {
	for b.Pos < b.End && b.Oversize == 0 {
		end := b.End
		if i := bytes.IndexByte(b.Data[b.Pos:b.End], '\n'); i >= 0 {
			end = b.Pos + i
		}
		for _, c := range b.Data[b.Pos:end] {
			if c != '\r' && (b.Columns != nil || c != ' ' && c != '\t') {
				return true
			}
		}
		if len(b.Columns) == 1 { // of CSV with one column, a blank line is a record
			return true
		}
		b.Pos = min(end+1, b.End)
	}
	return b.Pos < b.End
}

// Take takes the next record, of which a decoder knows that the one behind it begins at next.
func (b *Batch) Take(next int) (line Str) {
	end := next
	if b.Data[end-1] == '\n' {
		end--
	}
	line = Str{uint32(b.Pos), uint32(end - b.Pos)}
	b.Pos = next
	return line
}

// Bytes is the string at s. The batch owns the memory.
func (b *Batch) Bytes(s Str) []byte { return b.Data[s.Off : s.Off+s.Len] }

// Keep copies s into the batch's arena.
func (b *Batch) Keep(s []byte) Str {
	off := b.room(len(s))
	b.Data = append(b.Data, s...)
	return Str{off, uint32(len(s))}
}

// KeepText is Keep for a string; one that lies in the batch already stays where it is.
func (b *Batch) KeepText(s string) Str {
	if at, ok := b.place(s); ok {
		return at
	}
	off := b.room(len(s))
	b.Data = append(b.Data, s...)
	return Str{off, uint32(len(s))}
}

// room is where n more bytes of the arena begin. Places are 32 bits wide: it panics rather than let one wrap.
func (b *Batch) room(n int) uint32 {
	off := uint64(len(b.Data))
	if off+uint64(n) > math.MaxUint32 {
		panic("stream: the texts of one batch take more than 4 GiB")
	}
	return uint32(off)
}

// Word is element i of the list l.
func (b *Batch) Word(l List, i int) uint64 { return b.Words[l.Off : l.Off+l.Len][i] }

// Word is s as the element of a list.
func (s Str) Word() uint64 { return uint64(s.Off)<<32 | uint64(s.Len) }

// WordStr is the string that Str.Word gave.
func WordStr(w uint64) Str { return Str{uint32(w >> 32), uint32(w)} }

// Pop makes a list of the elements, each of so many words, that stand in Stack from base on.
func (b *Batch) Pop(base, words int) List {
	l := List{uint32(len(b.Words)), uint32((len(b.Stack) - base) / words)}
	b.Words = append(b.Words, b.Stack[base:]...)
	b.Stack = b.Stack[:base]
	return l
}

// Mark is where the arena and the lists of a batch ended at some time.
type Mark struct{ data, words int }

// Mark is the end of the arena and of the lists, for Release.
func (b *Batch) Mark() Mark { return Mark{len(b.Data), len(b.Words)} }

// Release gives back what was kept in the arena, and the lists that were made, since Mark gave mark.
func (b *Batch) Release(mark Mark) { b.Data, b.Words = b.Data[:mark.data], b.Words[:mark.words] }

// Recycle empties the arena and the lists; records stay, and what was decoded ahead.
func (b *Batch) Recycle() {
	b.Words = b.Words[:b.heldWords]
	if n := max(b.held, b.End+Padding); n < len(b.Data) {
		b.Data = b.Data[:n]
	}
}

// Cut is the record at s for a dead letter: its bytes, but at most max of them. size is above 0 when it was cut: how long the record really is.
func (b *Batch) Cut(s Str, max uint32) (value []byte, size int64) {
	value = b.Bytes(s)
	switch {
	case b.Oversize > 0:
		size = b.Oversize
	case s.Len > max:
		size = int64(s.Len)
	}
	return value[:min(s.Len, max)], size
}
