package table

import "slices"

// Keys numbers the keys of a stage densely: id -> key, and key -> id by hash. Ids are used again after their key was evicted; commits may name keys
// by them (see Tell). References are counted: one for each (window, key) that is open. A key without references stays until Evict, so that one that
// pauses for a window is neither interned nor sorted again; until then its id stays good, in particular to the end of the batch.
//
// The zero value is ready for Reserve. A Keys belongs to one goroutine. K has no pointers.
type Keys[K comparable] struct {
	Key []K // by id; read only

	index  index
	hash   []uint32 // by id
	refs   []uint32 // by id; references + 1, 0: the id is free
	free   []uint32 // ids
	unused int      // keys without a reference

	order  []uint32 // ids in key order
	rank   []uint32 // by id: place in order; only of those in order
	recent []uint32 // ids that are not in order yet
	bits   []uint64 // scratch of Sort: by rank
	led    []led    // and of the recent keys

	told telling
}

// Reserve makes room for n more keys, so that Add moves no cell.
func (t *Keys[K]) Reserve(n int) { t.index.reserve(n, 1) }

// Hint reads the cell where the search for hash begins; see Seen.Hint.
func (t *Keys[K]) Hint(hash uint32) uint64 {
	return t.index.cells[t.index.home(hash)]
}

// HintHashes reads, for keys with these hashes, the cells where their searches begin and then the keys to which they lead; see Seen.Hint.
func (t *Keys[K]) HintHashes(hashes []uint32) (touched uint64) {
	for _, hash := range hashes {
		touched += t.Hint(hash)
	}
	for _, hash := range hashes {
		if id := uint32(t.Hint(hash)) - 1; int(id) < len(t.Key) {
			touched += t.hint(id)
		}
	}
	return touched
}

// HintIDs reads the keys with these ids.
func (t *Keys[K]) HintIDs(ids []uint32) (touched uint64) {
	for _, id := range ids {
		touched += t.hint(id)
	}
	return touched
}

// hint reads key id and how many references it has.
func (t *Keys[K]) hint(id uint32) uint64 {
	var none K
	if t.Key[id] == none {
		return 1
	}
	return uint64(t.refs[id])
}

// Probe looks for k, whose hash is hash: its id if it is found, else the cell for Add, valid until the next Add, Reserve or Evict.
func (t *Keys[K]) Probe(hash uint32, k K) (idOrCell uint32, found bool) {
	cells := t.index.cells
	for i := t.index.home(hash); ; i++ {
		c := cells[i]
		if c == 0 || uint32(c>>32) > hash {
			return i, false
		}
		if uint32(c>>32) == hash && t.Key[uint32(c)-1] == k {
			return uint32(c) - 1, true
		}
	}
}

// Add enters k at the cell that Probe gave. It has no reference yet.
func (t *Keys[K]) Add(cell, hash uint32, k K) (id uint32) {
	if n := len(t.free); n > 0 {
		id, t.free = t.free[n-1], t.free[:n-1]
		t.Key[id], t.hash[id], t.refs[id] = k, hash, 1
		if int(id) < len(t.told.in) {
			t.told.in[id] = 0
		}
	} else {
		id = uint32(len(t.Key))
		t.Key = push(t.Key, k)
		t.hash = push(t.hash, hash)
		t.refs = push(t.refs, 1)
		t.rank = push(t.rank, 0)
	}
	t.index.put(cell, hash, id)
	t.unused++
	t.recent = push(t.recent, id)
	return id
}

// Ref counts a reference to id.
func (t *Keys[K]) Ref(id uint32) {
	if t.refs[id] == 1 {
		t.unused--
	}
	t.refs[id]++
}

// Unref takes a reference back.
func (t *Keys[K]) Unref(id uint32) {
	t.refs[id]--
	if t.refs[id] == 1 {
		t.unused++
	}
}

// Len is how many keys there are.
func (t *Keys[K]) Len() int { return t.index.used }

// Cap is above every id in use: what Panes.Grow needs.
func (t *Keys[K]) Cap() int { return len(t.Key) }

// Has says whether a key has this id.
func (t *Keys[K]) Has(id uint32) bool { return int(id) < len(t.refs) && t.refs[id] != 0 }

// Evict forgets the keys without a reference when they are more than slack and at least half of all, and says whether it did. Between batches only: ids are
// used again. So there are never more than twice the referenced keys, and slack.
func (t *Keys[K]) Evict(slack int) bool {
	if t.unused <= slack || t.unused*2 < t.index.used {
		return false
	}
	for id := len(t.refs) - 1; id >= 0; id-- { // the lowest ids are used again first, which keeps panes dense
		if t.refs[id] == 1 {
			t.refs[id] = 0
			t.index.remove(t.hash[id], uint32(id))
			t.free = append(t.free, uint32(id))
		}
	}
	t.unused = 0
	gone := func(id uint32) bool { return t.refs[id] == 0 }
	t.order = slices.DeleteFunc(t.order, gone)
	t.recent = slices.DeleteFunc(t.recent, gone)
	for i, id := range t.order {
		t.rank[id] = uint32(i)
	}
	t.index.shrink()
	return true
}

// Reset forgets all keys and keeps the memory.
func (t *Keys[K]) Reset() {
	t.index.reset()
	t.Key, t.hash, t.refs, t.rank = t.Key[:0], t.hash[:0], t.refs[:0], t.rank[:0]
	t.free, t.order, t.recent, t.unused = t.free[:0], t.order[:0], t.recent[:0], 0
	t.told = telling{in: t.told.in[:0], epochs: t.told.epochs[:0], fresh: t.told.fresh[:0]}
}
