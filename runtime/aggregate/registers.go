package aggregate

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/streamwright/streamwright/runtime/table"
)

// Registers are a sketch of how many different values there are: 4096 registers, each of which has the longest run of zeros that the hashes of its values begin with (P. Flajolet, É. Fusy,
// O. Gandouet, F. Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm", AofA 2007). The standard error is 1.04/√4096 = 1.6 %. The hash is the same in
// every process, so equal values give equal registers, in any order and put together from any parts.
//
// They stand in table.Blobs, which are the same in every call; the zero value is of no values. Up to 512 values are kept finer (S. Heule, M. Nunkesser, A. Hall, "HyperLogLog in Practice:
// Algorithmic Engineering of a State of The Art Cardinality Estimation Algorithm", EDBT 2013): by 25 bits of their hashes, which are the same for two of 512 with a probability of 0.4 %, so that
// their number is nearly always right.
//
//	few    4 bytes for each, ascending: 25 bits of the hash, then 6 bits for the run behind them
//	many   a byte for each of the 4096 registers, whose number is in the first 12 bits
type Registers struct{ place table.Blob }

const (
	registerBits = 12
	registers    = 1 << registerBits
	longestRun   = 64 - registerBits + 1

	fineBits    = 25
	fewValues   = 512
	runBits     = 6
	longestFine = 64 - fineBits + 1
)

// Add adds a value that is a word.
func (t *Registers) Add(x *table.Blobs, word uint64) { t.add(x, mix(word)) }

// AddText adds a text.
func (t *Registers) AddText(x *table.Blobs, text string) {
	b := table.View(text)
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
	}
	var last uint64
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	t.add(x, mix(mix(h)^last))
}

// mix is a hash of a word: the finalizer of SplitMix64 with the constants of variant 13 (David Stafford, "Better Bit Mixing", 2011), moved so that 0 is not 0.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (t *Registers) add(x *table.Blobs, hash uint64) {
	b := x.Bytes(t.place)
	if len(b) == registers {
		raise(b, uint32(hash>>(64-registerBits)), run(hash, registerBits))
		return
	}
	t.addFine(x, uint32(hash>>(64-fineBits))<<runBits|run(hash, fineBits))
}

// run is the place of the first bit of a hash behind its first n bits, from 1.
func run(hash uint64, n int) uint32 { return uint32(bits.LeadingZeros64(hash<<n|1<<(n-1))) + 1 }

// raise sets a register to a run when it is lower.
func raise(many []byte, i, run uint32) { many[i] = max(many[i], uint8(run)) }

// raiseFine sets the register of a fine entry.
func raiseFine(many []byte, e uint32) {
	const between = fineBits - registerBits
	first := e >> runBits
	rest := first << (32 - between) // the bits of the hash behind the number of the register, then zeros
	if rest != 0 {
		raise(many, first>>between, uint32(bits.LeadingZeros32(rest))+1)
	} else {
		raise(many, first>>between, between+e&(1<<runBits-1))
	}
}

// addFine adds a fine entry to few, or what is left of it to many.
func (t *Registers) addFine(x *table.Blobs, e uint32) {
	b := x.Bytes(t.place)
	if len(b) == registers {
		raiseFine(b, e)
		return
	}
	low, high := 0, len(b)/4 // entries before low are of lower bits, those from high on are not
	for low < high {
		mid := (low + high) / 2
		if entry(b, mid)>>runBits < e>>runBits {
			low = mid + 1
		} else {
			high = mid
		}
	}
	switch {
	case low < len(b)/4 && entry(b, low)>>runBits == e>>runBits:
		setEntry(b, low, max(entry(b, low), e))
	case len(b)/4 == fewValues:
		t.spread(x)
		raiseFine(x.Bytes(t.place), e)
	default:
		n := len(b)
		t.place = x.Extend(t.place, n+4)
		b = x.Bytes(t.place)
		copy(b[4*low+4:], b[4*low:n])
		setEntry(b, low, e)
	}
}

func entry(b []byte, i int) uint32       { return binary.LittleEndian.Uint32(b[4*i:]) }
func setEntry(b []byte, i int, e uint32) { binary.LittleEndian.PutUint32(b[4*i:], e) }

// spread makes many registers of few values.
func (t *Registers) spread(x *table.Blobs) {
	place := x.Extend(table.Blob{}, registers)
	many := x.Bytes(place)
	clear(many)
	few := x.Bytes(t.place)
	for i := range len(few) / 4 {
		raiseFine(many, entry(few, i))
	}
	x.Free(t.place)
	t.place = place
}

// Estimate is about how many different values there are. (Otmar Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", arXiv:1702.01284, 2017, algorithm 6: without
// tables of measured corrections.)
func (t *Registers) Estimate(x *table.Blobs) int64 {
	b := x.Bytes(t.place)
	if len(b) != registers {
		return int64(len(b) / 4)
	}
	var counts [longestRun + 1]int // of registers by their runs
	for _, run := range b {
		counts[run]++
	}
	const m = float64(registers)
	z := m * tau(1-float64(counts[longestRun])/m)
	for _, n := range slices.Backward(counts[1:longestRun]) {
		z = 0.5 * (z + float64(n))
	}
	z += float64(m * sigma(float64(counts[0])/m))
	return int64(math.Round(m * m / (2 * math.Ln2) / z))
}

// sigma is x + Σ x^(2^k)·2^(k-1) for x below 1. The conversions here and in tau keep products from being fused with sums.
func sigma(x float64) float64 {
	y, z := 1.0, x
	for before := -1.0; z != before; {
		before = z
		x *= x
		z += float64(x * y)
		y += y
	}
	return z
}

// tau is (1 - x - Σ (1 - x^(2^-k))²·2^-k) / 3.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for before := -1.0; z != before; {
		before = z
		x = math.Sqrt(x)
		y *= 0.5
		d := 1 - x
		z -= float64(float64(d*d) * y)
	}
	return z / 3
}

// Free gives the memory back.
func (t *Registers) Free(x *table.Blobs) { x.Free(t.place) }

// Merge adds the values of o, which keeps its own.
func (t *Registers) Merge(x *table.Blobs, o *Registers) {
	b := x.Bytes(o.place)
	if len(b) != registers {
		for i := range len(b) / 4 {
			t.addFine(x, entry(b, i))
		}
		return
	}
	if int(t.place.Len) != registers {
		t.spread(x)
	}
	many := x.Bytes(t.place)
	for i, run := range b {
		many[i] = max(many[i], run)
	}
}

// Append appends the registers to a state, the same bytes for the same values.
func (t *Registers) Append(dst []byte, x *table.Blobs) []byte {
	return table.AppendBytes(dst, x.Bytes(t.place))
}

// Read reads what Append wrote over what t holds.
func (t *Registers) Read(r *table.Reader, x *table.Blobs) {
	b := r.Bytes()
	if !sound(b) {
		r.Fail("no registers")
		b = nil
	}
	t.place = x.Set(t.place, b)
}

// sound says whether b are registers.
func sound(b []byte) bool {
	if len(b) == registers {
		return slices.Max(b) <= longestRun
	}
	for i := range len(b) / 4 {
		e := entry(b, i)
		if r := e & (1<<runBits - 1); r == 0 || r > longestFine || e>>(runBits+fineBits) != 0 || i > 0 && e>>runBits <= entry(b, i-1)>>runBits {
			return false
		}
	}
	return len(b)%4 == 0 && len(b) <= 4*fewValues
}
