package codec

import (
	"bytes"
	"math"
	"math/bits"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The functions of this file read a value of the record that stands next in a batch, and give the position behind it: fast if it is written as most are, else as Scanner
// does. 0 is the position behind a value that is not JSON or not of the type: then a Scanner must read the record from its start and say what is wrong. No record needs its
// end to be known: a newline and a 0 end every token.

// Str reads a string as Scanner.Str does.
func Str(in *stream.Batch, pos int) (v stream.Str, next int) {
	data := in.Data
	if data[pos] == '"' {
		if end := plain(data, pos+1); byte(word(data, end)) == '"' {
			return stream.Str{Off: uint32(pos + 1), Len: uint32(end - pos - 1)}, end + 1
		}
	}
	return scanStr(in, pos)
}

// Bytes reads a string as Scanner.Bytes does.
func Bytes(in *stream.Batch, pos int) (v stream.Str, next int) {
	s := at(in, pos)
	v, fault := s.Bytes()
	return v, s.behind(fault)
}

// Bool reads true or false.
func Bool(in *stream.Batch, pos int) (v bool, next int) {
	s := at(in, pos)
	v, fault := s.Bool()
	return v, s.behind(fault)
}

// Null reads null, and gives 0 for any other value.
func Null(in *stream.Batch, pos int) (next int) {
	pos = gap(in.Data, pos)
	if uint32(word(in.Data, pos)) == wordNull {
		return pos + 4
	}
	return 0
}

// Int reads an integer as Scanner.Int does.
func Int(in *stream.Batch, pos int) (v int64, next int) {
	data := in.Data
	p := pos
	neg := data[p] == '-'
	if neg {
		p++
	}
	if u, n := digits(data, p); n > 0 && ends(data, p, n) {
		if v = int64(u); neg {
			v = -v
		}
		return v, p + n
	}
	return scanInt(in, pos)
}

// Decimal reads a number as Scanner.Decimal does.
func Decimal(in *stream.Batch, pos, scale int) (units int64, next int) {
	s := at(in, pos)
	units, fault := s.Decimal(scale)
	return units, s.behind(fault)
}

// Epoch reads a number as Scanner.Epoch does.
func Epoch(in *stream.Batch, pos int, unit Unit) (ns int64, next int) {
	scale := uint64(powers[unit])
	if u, n := digits(in.Data, pos); n > 0 && ends(in.Data, pos, n) && u <= math.MaxInt64/scale {
		return int64(u * scale), pos + n
	}
	return scanEpoch(in, pos, unit)
}

// Float reads a number as Scanner.Float does.
func Float(in *stream.Batch, pos int) (v float64, next int) {
	data := in.Data
	p, sign := pos, 1.0
	if data[p] == '-' {
		p, sign = p+1, -1
	}
	// Of up to eight bytes, the point among them, one word holds all digits.
	t := word(data, p) ^ each*'0'
	m := notDigit(t)
	whole := bits.TrailingZeros64(m) >> 3
	if rest := m & (m - 1); rest != 0 && byte(t>>(whole<<3)) == '.'^'0' {
		size := bits.TrailingZeros64(rest) >> 3
		low := uint64(1)<<(whole<<3) - 1
		if fraction := size - whole - 1; fraction > 0 && whole > 0 && ends(data, p, size) && (byte(t) != 0 || whole == 1) {
			return sign*float64(eight((t&low|t>>8&^low)<<(72-size<<3)))/powers[fraction] + 0, p + size // + 0: not -0
		}
	} else if m != 0 && whole > 0 && ends(data, p, whole) && (byte(t) != 0 || whole == 1) {
		return sign*float64(eight(t<<(64-whole<<3))) + 0, p + whole
	}
	return scanFloat(in, pos)
}

// Time reads a time as Scanner.Time does, faster when it is of the date of the one before, in UTC, with a fraction of at most eight digits.
func (l *Learned) Time(in *stream.Batch, pos int) (ns int64, next int) {
	data := in.Data
	if word(data, pos) == l.date && word(data, pos+8)&0xffffffff == l.rest {
		const digits = 0xf0f0fff0f0fff0f0 // of hh:mm:ss what is the same in all digits, and the colons
		clock := word(data, pos+12) ^ 0x30303a30303a3030
		two := clock*10 + clock>>8
		hour, minute, second := two&0xff, two>>24&0xff, two>>48&0xff
		if (clock|(clock+0x060a00060a00060d))&digits == 0 && hour < 24 {
			p := pos + 20
			fraction := uint64(0)
			if data[p] == '.' {
				p++
				t := word(data, p) ^ each*'0'
				n := bits.TrailingZeros64(notDigit(t)) >> 3
				fraction = eight(t<<(64-n<<3)) * fractions[n]
				p += n
			}
			if word(data, p)&0xffff == 'Z'|'"'<<8 && data[p-1] != '.' {
				return l.day + int64((hour*3600+minute*60+second)*nanosPerSecond+fraction), p + 2
			}
		}
	}
	return l.scanTime(in, pos)
}

func (l *Learned) scanTime(in *stream.Batch, pos int) (ns int64, next int) {
	s := at(in, pos)
	start := s.pos
	ns, fault := s.Time()
	if next = s.behind(fault); next != 0 {
		l.dated(in.Data[start:next], ns)
	}
	return ns, next
}

// dated learns the date of text, a time with its quotes. A day that is not whole in int64 is not learnt, nor a leap second's: it is not what it says.
func (l *Learned) dated(text []byte, ns int64) {
	const nanosPerDay = int64(nanosPerSecond * secondsPerDay)
	const days = math.MaxInt64/nanosPerDay - 1
	day := div(ns, nanosPerDay)
	if len(text) < len(`"2006-01-02T15:04:05Z"`) || text[len(text)-2] != 'Z' || text[18] == '6' || bytes.IndexByte(text, '\\') >= 0 || day < -days || day > days {
		return
	}
	l.date, l.rest, l.day = word(text, 0), word(text, 8)&0xffffffff, day*nanosPerDay
}

// fractions are the nanoseconds that the last of so many digits behind the point counts.
var fractions = [...]uint64{0, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1}

// Skip passes over a value of any type, and validates it.
func Skip(in *stream.Batch, pos int) (next int) {
	data := in.Data
	switch c := data[pos]; {
	case c == '"':
		if end := plain(data, pos+1); byte(word(data, end)) == '"' {
			return end + 1
		}
	case c-'0' <= 9:
		if _, n := digits(data, pos); n > 0 && ends(data, pos, n) {
			return pos + n
		}
	}
	return scanAny(in, pos)
}

// The following read a value with a Scanner. They stand apart so that the frames of those above are small.

func scanStr(in *stream.Batch, pos int) (v stream.Str, next int) {
	s := at(in, pos)
	v, fault := s.Str()
	return v, s.behind(fault)
}

func scanInt(in *stream.Batch, pos int) (v int64, next int) {
	s := at(in, pos)
	v, fault := s.Int()
	return v, s.behind(fault)
}

func scanEpoch(in *stream.Batch, pos int, unit Unit) (ns int64, next int) {
	s := at(in, pos)
	ns, fault := s.Epoch(unit)
	return ns, s.behind(fault)
}

func scanFloat(in *stream.Batch, pos int) (v float64, next int) {
	s := at(in, pos)
	v, fault := s.Float()
	return v, s.behind(fault)
}

func scanAny(in *stream.Batch, pos int) (next int) {
	s := Inside(in, pos)
	s.Skip()
	return s.Outside()
}

// Inside begins a Scanner at a value of the record that stands next in in.
func Inside(in *stream.Batch, pos int) Scanner {
	s := at(in, pos)
	if i := bytes.IndexByte(s.data[s.pos:s.end], '\n'); i >= 0 {
		s.end = s.pos + i
	}
	return s
}

// Outside is the position behind the value that the Scanner was begun at, or 0 when something was wrong with it.
func (s *Scanner) Outside() (next int) {
	if s.field != 0 {
		return 0
	}
	return s.behind(stream.FaultNone)
}

// at begins a Scanner at a value that is no object or array. White space, which those may have inside, would take it over the record's end.
func at(in *stream.Batch, pos int) Scanner {
	return Scanner{in: in, data: in.Data, pos: gap(in.Data, pos), end: in.End, depth: 1}
}

// behind is the position behind the value that s has read, or 0 for a fault.
func (s *Scanner) behind(fault stream.Fault) int {
	if fault != 0 || s.fault != 0 {
		return 0
	}
	return s.pos
}

// digits reads an unsigned integer of 1 to 15 digits. n is how many; 0 is none, or one of another length, or with a leading zero.
func digits(data []byte, pos int) (v uint64, n int) {
	t := word(data, pos) ^ each*'0'
	if m := notDigit(t); m != 0 {
		n = bits.TrailingZeros64(m) >> 3
		v = eight(t << (64 - n<<3))
	} else {
		more := word(data, pos+8) ^ each*'0'
		n = bits.TrailingZeros64(notDigit(more)) >> 3
		v = eight(t)*uint64(powers[n]) + eight(more<<(64-n<<3))
		if n += 8; n > 15 {
			return 0, 0
		}
	}
	if byte(t) == 0 && n > 1 {
		return 0, 0
	}
	return v, n
}

// ends says that the number of n bytes at pos does not go on with a fraction or an exponent.
func ends(data []byte, pos, n int) bool {
	c := byte(word(data, pos+n))
	return c != '.' && c|0x20 != 'e'
}

// notDigit sets the high bit of the bytes of t that are none of 0 to 9.
func notDigit(t uint64) uint64 {
	return (t&^high + each*(0x80-10) | t) & high
}

// eight is the number whose eight digits are the bytes of t, the first one lowest: pairs, then fours, then all, as in Lemire, "Quickly parsing eight digits".
func eight(t uint64) uint64 {
	t = t*10 + t>>8
	return ((t&0x000000ff000000ff)*(100+1000000<<32) + (t>>16&0x000000ff000000ff)*(1+10000<<32)) >> 32
}
