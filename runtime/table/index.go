package table

// index finds slots by hash: open addressing with linear probing. A cell is hash<<32 | slot+1, 0 is empty; only cells ever move, never what is in the slots.
//
// The search for a hash begins at hash * homes / 2^32, and cells stand in the order of their hashes (Amble and Knuth, "Ordered Hash Tables", The Computer Journal 17,
// 1974): a search ends at the first cell that is empty or has a greater hash, which is soon where the hash is new, and a resize reads and writes memory in order, without a
// search. The number of homes need not be a power of two; at most three quarters as many cells are used. Behind the last home is a tail, of which the last cell is always
// empty: no search runs over the end. Deleting shifts cells back, so there are no tombstones.
type index struct {
	cells []uint64 // the homes and the tail; none before the first reserve
	homes uint64
	used  int
}

const (
	minHomes    = 64
	indexTail   = 32      // what lies behind the last home at first
	shrinkHomes = 1 << 12 // an index of so many homes or less never shrinks
)

// home is where the search for hash begins.
func (x *index) home(hash uint32) uint32 { return uint32(uint64(hash) * x.homes >> 32) }

// reserve makes room for n more entries, so that put moves no cell to a new home. An index that is too small grows by one part of so many: 1 doubles it, which makes
// searches short; 4 leaves it at least six tenths full.
func (x *index) reserve(n, part int) {
	if !x.room(n) {
		homes := int(x.homes)
		x.resize(max(minHomes, homes+homes/part, (x.used+n)*4/3+1))
	}
}

// room says whether there is room for n more entries.
func (x *index) room(n int) bool { return (x.used+n)*4 <= int(x.homes)*3 }

// shrink gives memory back when less than 1/16 of a large index is used; then a quarter is. Growing back takes as many new entries as the work costs, so this
// never dominates.
func (x *index) shrink() {
	if homes := int(x.homes); homes > shrinkHomes && x.used*16 < homes {
		x.resize(max(shrinkHomes, x.used*4))
	}
}

func (x *index) resize(homes int) {
	old := x.cells
	x.homes = uint64(homes)
	cells := array[uint64](homes + max(indexTail, x.used/1024))
	free := 0 // behind the last cell that is used
	for _, c := range old {
		at := max(int(c>>32*x.homes>>32), free)
		if at >= len(cells)-1 {
			cells = append(cells, make([]uint64, len(old)+indexTail)...)
		}
		cells[at] = c // an empty one writes an empty one: there is no branch that depends on which are, which cannot be foretold
		free = at + int((c|-c)>>63)
	}
	x.cells = cells
}

// seek is the first cell for hash or behind it: where put enters it when it is new.
func (x *index) seek(hash uint32) (cell uint32) {
	cell = x.home(hash)
	for c := x.cells[cell]; c != 0 && uint32(c>>32) < hash; c = x.cells[cell] {
		cell++
	}
	return cell
}

// put lets cell, as a search gave it, lead to slot. If there the search found hash, that is forgotten.
func (x *index) put(cell, hash, slot uint32) {
	c := uint64(hash)<<32 | uint64(slot+1)
	cells := x.cells[cell:]
	if cells[0] != 0 && uint32(cells[0]>>32) == hash {
		cells[0] = c
		return
	}
	x.used++
	for i, next := range cells {
		cells[i] = c
		if next == 0 {
			if i == len(cells)-1 { // it was the last one
				x.cells = append(x.cells, make([]uint64, len(x.cells)-int(x.homes))...)
			}
			return
		}
		c = next
	}
}

// remove deletes the cell that leads to slot, if there is one: a cell that was pointed at another slot since stays.
func (x *index) remove(hash, slot uint32) {
	cells := x.cells
	want := uint64(hash)<<32 | uint64(slot+1)
	i := int(x.home(hash))
	for cells[i] != want {
		if cells[i] == 0 || uint32(cells[i]>>32) > hash {
			return
		}
		i++
	}
	for ; cells[i+1] != 0 && int(x.home(uint32(cells[i+1]>>32))) <= i; i++ {
		cells[i] = cells[i+1]
	}
	cells[i] = 0
	x.used--
}

func (x *index) reset() {
	clear(x.cells)
	x.used = 0
}
