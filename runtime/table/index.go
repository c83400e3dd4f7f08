package table

// index finds slots by hash: open addressing with linear probing. A cell is hash<<32 | slot+1, 0 is empty; only cells ever move, never what is in the slots.
// At most three quarters of the cells are used. Deleting shifts the cells behind back (Knuth, The Art of Computer Programming 3, 6.4, Algorithm R), so
// there are no tombstones and a search ends at the first empty cell.
type index struct {
	cells []uint64 // a power of two, or none before the first reserve
	used  int
}

const (
	minCells    = 64
	shrinkCells = 1 << 12 // an index of so many cells or less never shrinks
)

// reserve makes room for n more entries, so that put moves no cell.
func (x *index) reserve(n int) {
	if need := x.used + n; need*4 > len(x.cells)*3 {
		x.grow(need)
	}
}

func (x *index) grow(need int) {
	size := max(minCells, 2*len(x.cells))
	for need*4 > size*3 {
		size *= 2
	}
	x.resize(size)
}

// shrink gives memory back when less than 1/16 of a large index is used; then it is left between 1/8 and 1/4 full. Growing back takes as many new entries as
// the work costs, so this never dominates.
func (x *index) shrink() {
	if len(x.cells) <= shrinkCells || x.used*16 >= len(x.cells) {
		return
	}
	size := shrinkCells
	for size < x.used*4 {
		size *= 2
	}
	x.resize(size)
}

func (x *index) resize(size int) {
	old := x.cells
	x.cells = make([]uint64, size)
	mask := uint32(size - 1)
	for _, c := range old {
		if c == 0 {
			continue
		}
		i := uint32(c>>32) & mask
		for x.cells[i] != 0 {
			i = (i + 1) & mask
		}
		x.cells[i] = c
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
	mask := uint32(len(cells) - 1)
	want := uint64(hash)<<32 | uint64(slot+1)
	i := hash & mask
	for cells[i] != want {
		if cells[i] == 0 {
			return
		}
		i = (i + 1) & mask
	}
	for j := (i + 1) & mask; cells[j] != 0; j = (j + 1) & mask {
		home := uint32(cells[j]>>32) & mask
		if (j-home)&mask >= (j-i)&mask { // i lies on the way from home to j
			cells[i] = cells[j]
			i = j
		}
	}
	cells[i] = 0
	x.used--
}

func (x *index) reset() {
	clear(x.cells)
	x.used = 0
}
