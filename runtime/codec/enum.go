package codec

import "github.com/streamwright/streamwright/runtime/stream"

// Enum numbers the texts that a field may have, from 1 in the order of the spec, so that a stage compares numbers. Which text stands in a record is seldom known before: Number finds
// it without a branch on it. It is read only, and good for many goroutines.
type Enum struct {
	texts []string
	odd   [2]uint64 // so that each text has a slot of its own
	shift uint
	slots []enumSlot // none when that cannot be
}

type enumSlot struct {
	words  [2]uint64 // the text
	size   uint64    // of it
	number uint8     // 0: there is none
}

const (
	EnumBytes = 16 // how long the texts of an Enum may be
	enumTries = 1 << 12
)

// NewEnum numbers texts, which are different, at most 255, and no longer than EnumBytes.
func NewEnum(texts ...string) *Enum {
	e := &Enum{texts: texts, shift: 60}
	for 1<<(64-e.shift) < 8*len(texts) {
		e.shift--
	}
	for try := range uint64(enumTries) {
		e.odd = [2]uint64{try*0xd1342543de82ef95<<1 | 1, try*0xaf251af3b0f025b5<<1 | 1} // any sequences would do
		if e.fill() {
			return e
		}
	}
	e.slots = nil
	return e
}

// fill puts each text into its slot, if they all have one.
func (e *Enum) fill() bool {
	if e.slots == nil {
		e.slots = make([]enumSlot, 1<<(64-e.shift))
	}
	clear(e.slots)
	for i, text := range e.texts {
		var room [EnumBytes]byte
		copy(room[:], text)
		a, b := word(room[:], 0), word(room[:], 8)
		s := &e.slots[e.slot(a, b, uint64(len(text)))]
		if s.number != 0 {
			return false
		}
		*s = enumSlot{[2]uint64{a, b}, uint64(len(text)), uint8(i + 1)}
	}
	return true
}

func (e *Enum) slot(a, b, size uint64) uint64 {
	return (a*e.odd[0] ^ (b+size)*e.odd[1]) >> (e.shift & 63)
}

// Number is the number of the text at s, 0 when it is none of them.
func (e *Enum) Number(in *stream.Batch, s stream.Str) uint8 {
	size := uint64(s.Len)
	if size > EnumBytes || int(s.Off)+EnumBytes > len(in.Data) || e.slots == nil {
		return e.compare(in.Text(s))
	}
	a := word(in.Data, int(s.Off)) &^ (^uint64(0) << (8 * size))
	b := word(in.Data, int(s.Off)+8) &^ (^uint64(0) << (8 * (max(size, 8) - 8)))
	if t := &e.slots[e.slot(a, b, size)]; t.words == [2]uint64{a, b} && t.size == size {
		return t.number
	}
	return 0
}

// compare is Number for a text at the very end of a batch, or one that is too long.
func (e *Enum) compare(text string) uint8 {
	for i, t := range e.texts {
		if t == text {
			return uint8(i + 1)
		}
	}
	return 0
}
