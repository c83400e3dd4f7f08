package table

// index finds slots by hash: open addressing with linear probing. A cell is hash<<32 | slot+1, 0 is empty; only cells ever move, never what is in the slots.
// The search for a hash begins at hash * cells / 2^32, so that the number of cells need not be a power of two and cells stand in the order of their hashes but for
// a few places: a resize reads and writes memory in order. At most three quarters of the cells are used.
// Deleting shifts the cells behind back (Knuth, The Art of Computer Programming 3, 6.4, Algorithm R), so there are no tombstones and a search ends at the first empty cell.
type index struct {
	cells []uint64 // none before the first reserve
	used  int
}

const (
	minCells    = 64
	shrinkCells = 1 << 12 // an index of so many cells or less never shrinks
)

// home is where the search for hash begins.
func (x *index) home(hash uint32) uint32 { return uint32(uint64(hash) * uint64(len(x.cells)) >> 32) }

// after is the cell behind i.
func (x *index) after(i uint32) uint32 {
	if i++; i == uint32(len(x.cells)) {
		return 0
	}
	return i
}

// reserve makes room for n more entries, so that put moves no cell. An index that is too small grows by one part of so many: 1 doubles it, which makes searches
// short; 4 leaves it at least six tenths full.
func (x *index) reserve(n, part int) {
	if !x.room(n) {
		x.resize(max(minCells, len(x.cells)+len(x.cells)/part, (x.used+n)*4/3+1))
	}
}

// room says whether there is room for n more entries.
func (x *index) room(n int) bool { return (x.used+n)*4 <= len(x.cells)*3 }

// shrink gives memory back when less than 1/16 of a large index is used; then a quarter is. Growing back takes as many new entries as the work costs, so this
// never dominates.
func (x *index) shrink() {
	if len(x.cells) > shrinkCells && x.used*16 < len(x.cells) {
		x.resize(max(shrinkCells, x.used*4))
	}
}

func (x *index) resize(size int) {
	old := x.cells
	x.cells = make([]uint64, size)
	var some [64]uint64
	for len(old) > 0 {
		part := old[:min(len(old), len(some))]
		old = old[len(part):]
		n := 0
		for _, c := range part { // without a branch that depends on which cells are empty, which cannot be foretold
			some[n&63] = c
			n += int((c | -c) >> 63)
		}
		for _, c := range some[:n] {
			i := x.home(uint32(c >> 32))
			for x.cells[i] != 0 {
				i = x.after(i)
			}
			x.cells[i] = c
		}
	}
}

// put lets cell, as a search gave it, lead to slot.
func (x *index) put(cell, hash, slot uint32) {
	if x.cells[cell] == 0 {
		x.used++
	}
	x.cells[cell] = uint64(hash)<<32 | uint64(slot+1)
}

// remove deletes the cell that leads to slot, if there is one: a cell that was pointed at another slot since stays.
func (x *index) remove(hash, slot uint32) {
	cells := x.cells
	want := uint64(hash)<<32 | uint64(slot+1)
	i := x.home(hash)
	for cells[i] != want {
		if cells[i] == 0 {
			return
		}
		i = x.after(i)
	}
	for j := x.after(i); cells[j] != 0; j = x.after(j) {
		if home := x.home(uint32(cells[j] >> 32)); x.distance(home, j) >= x.distance(i, j) { // i lies on the way from home to j
			cells[i] = cells[j]
			i = j
		}
	}
	cells[i] = 0
	x.used--
}

// distance is how many steps it is from cell i to cell j.
func (x *index) distance(i, j uint32) uint32 {
	if j < i {
		j += uint32(len(x.cells))
	}
	return j - i
}

func (x *index) reset() {
	clear(x.cells)
	x.used = 0
}
