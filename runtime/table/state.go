package table

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendWord appends a number in eight bytes, little-endian: hashes, times.
func AppendWord(dst []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(dst, v) }

// AppendFloat appends the bits of a float.
func AppendFloat(dst []byte, v float64) []byte { return AppendWord(dst, math.Float64bits(v)) }

// AppendUint appends a number that is mostly small, in base 128: lengths, counts.
func AppendUint(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// AppendInt appends a number that is mostly near 0, in base 128 after zigzag.
func AppendInt(dst []byte, v int64) []byte { return binary.AppendVarint(dst, v) }

// AppendSpan appends a time and, as what lies between, one that is not before it.
func AppendSpan(dst []byte, from, to int64) []byte {
	return AppendUint(AppendInt(dst, from), uint64(to-from))
}

// AppendBool appends one byte, 0 or 1.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// AppendBytes appends the length of b and b.
func AppendBytes(dst, b []byte) []byte { return append(AppendUint(dst, uint64(len(b))), b...) }

// AppendPart appends a part that a state of another version of the pipeline may lack: its length in four bytes, and what write appends of v, which is something. Part begins to
// read it.
func AppendPart[V any](dst []byte, write func(dst []byte, v V) []byte, v V) []byte {
	at := len(dst)
	dst = write(binary.LittleEndian.AppendUint32(dst, 0), v)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// Sized puts the length of dst[at:] in front of it, as AppendBytes does: for what was appended there.
func Sized(dst []byte, at int) []byte {
	var room [binary.MaxVarintLen64]byte
	length := room[:binary.PutUvarint(room[:], uint64(len(dst)-at))]
	dst = append(dst, length...)
	copy(dst[at+len(length):], dst[at:])
	copy(dst[at:], length)
	return dst
}

// Enclose writes into the word at dst[at:], which is there, how many bytes follow it.
func Enclose(dst []byte, at int) {
	binary.LittleEndian.PutUint64(dst[at:], uint64(len(dst)-at-8))
}

// AppendSeed appends a seed in 32 bytes.
func AppendSeed(dst []byte, s Seed) []byte {
	return AppendWord(AppendWord(AppendWord(AppendWord(dst, s.A), s.B), s.C), s.D)
}

// Reader reads state that may be damaged. The first thing that does not fit becomes the error; from then on everything reads as zero, so that only loops need to look
// at it (and Count makes them end). Nothing is allocated on the word of a length.
type Reader struct {
	Version int // of what is read, where it is not the one of now: whoever has several puts it here

	data []byte
	pos  int
	err  error
}

// NewReader reads data, which stays the caller's and must not change while it is read.
func NewReader(data []byte) Reader { return Reader{data: data} }

// Err is what is wrong, with the place.
func (r *Reader) Err() error { return r.err }

// More says whether there is anything left to read.
func (r *Reader) More() bool { return r.err == nil && r.pos < len(r.data) }

// Done is Err, or the error that something is left.
func (r *Reader) Done() error {
	if r.More() {
		r.Fail("more bytes than expected")
	}
	return r.err
}

// Fail makes a value that was read, and cannot be, the error.
func (r *Reader) Fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("state is damaged at byte %d of %d: %s", r.pos, len(r.data), what)
	}
	r.pos = len(r.data)
}

// Word reads what AppendWord wrote.
func (r *Reader) Word() uint64 {
	if len(r.data)-r.pos < 8 {
		r.Fail("the end comes inside a number")
		return 0
	}
	v := binary.LittleEndian.Uint64(r.data[r.pos:])
	r.pos += 8
	return v
}

// Float reads what AppendFloat wrote.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Word()) }

// Uint reads what AppendUint wrote.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.data[r.pos:])
	if n <= 0 {
		r.Fail("not a number")
		return 0
	}
	r.pos += n
	return v
}

// Int reads what AppendInt wrote.
func (r *Reader) Int() int64 {
	v, n := binary.Varint(r.data[r.pos:])
	if n <= 0 {
		r.Fail("not a number")
		return 0
	}
	r.pos += n
	return v
}

// small reads a number that fits into 32 bits.
func (r *Reader) small() uint32 {
	v := r.Uint()
	if v > math.MaxUint32 {
		r.Fail("a number beyond 32 bits")
	}
	return uint32(v)
}

// Times reads what AppendInt wrote, times n > 0: a decimal of a smaller scale.
func (r *Reader) Times(n int64) int64 {
	v := r.Int()
	if v > math.MaxInt64/n || v < math.MinInt64/n {
		r.Fail("a value that its new type cannot hold")
		return 0
	}
	return v * n
}

// Span reads what AppendSpan wrote.
func (r *Reader) Span() (from, to int64) {
	from = r.Int()
	return from, from + int64(r.Uint())
}

// Bool reads what AppendBool wrote.
func (r *Reader) Bool() bool {
	if r.pos >= len(r.data) || r.data[r.pos] > 1 {
		r.Fail("neither true nor false")
		return false
	}
	r.pos++
	return r.data[r.pos-1] == 1
}

// Bytes reads what AppendBytes wrote; the bytes are part of the reader's data.
func (r *Reader) Bytes() []byte {
	n := r.Count(1)
	r.pos += n
	return r.data[r.pos-n : r.pos : r.pos]
}

// Count reads with AppendUint how many things follow, each of at least size > 0 bytes: never more than fit into what is left.
func (r *Reader) Count(size int) int {
	n := r.Uint()
	if n > uint64(len(r.data)-r.pos)/uint64(size) {
		r.Fail("a length or count beyond the end")
		return 0
	}
	return int(n)
}

// Part begins to read what AppendPart wrote, and says whether it is there: then it comes next.
func (r *Reader) Part() bool {
	if len(r.data)-r.pos < 4 {
		r.Fail("the end comes inside a length")
		return false
	}
	n := binary.LittleEndian.Uint32(r.data[r.pos:])
	r.pos += 4
	if uint64(n) > uint64(len(r.data)-r.pos) {
		r.Fail("a part beyond the end")
		return false
	}
	return n > 0
}

// Enclosed reads the word of Enclose, and gives what it encloses; the bytes are part of the reader's data.
func (r *Reader) Enclosed() []byte {
	n := r.Word()
	if n > uint64(len(r.data)-r.pos) {
		r.Fail("a part beyond the end")
		return nil
	}
	r.pos += int(n)
	return r.data[r.pos-int(n) : r.pos : r.pos]
}

// Rest is what has not been read yet; it counts as read then.
func (r *Reader) Rest() []byte {
	rest := r.data[r.pos:]
	r.pos = len(r.data)
	return rest
}

// Seed reads what AppendSeed wrote.
func (r *Reader) Seed() Seed { return Seed{r.Word(), r.Word(), r.Word(), r.Word()} }
