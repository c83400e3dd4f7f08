package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Commits name a key by its id, and tell once which key that is: its bytes are written, hashed and looked up once, however many windows have it. What is told stands in a frame, and goes
// with it: when the watermark has reached what the frame expires at, or when later commits have repeated all that was told before. So a key is told again by a frame that names it and
// lives longer than those that told it. Restored keys have the ids that they had.
//
// Frames that tell keys belong to epochs, numbered from 1; those of a later one live longer. An epoch ends when a frame lives longer than all before it, and all do when a round of the
// sweep begins, since what was told before is not needed behind it.
type telling struct {
	in     []uint32 // by id: the epoch whose frames tell the key, 0 for none; none are there before the first commit
	epochs []epoch  // ascending
	last   uint32   // number of the newest
	making uint32   // that of the frame that is being made, 0 for one of which nothing is known later
	fresh  []uint32 // ids that it tells

	numbered bool     // commits that are read name keys by id,
	version  int      // are of this version,
	below    int      // name no id from here on,
	bytes    [][]byte // and by id tell these keys,
	windows  []said   // and of windows this
	touched  uint64   // what hints read; nothing depends on it
}

// said is what a frame says of a window, without its start.
type said struct {
	start int64
	data  []byte
}

type epoch struct {
	number uint32
	until  int64 // of event time: its frames live below it
}

// mostEpochs are remembered; of a key that was told before it is not known any more.
const mostEpochs = 1 << 12

// Tell begins a frame that expires at a watermark. anew says that what was told before is not needed when this commit is read (see Panes.Anew). What the last frame told counts
// if Commit was called since.
func (t *Keys[K]) Tell(expires int64, anew bool) {
	o := &t.told
	for _, id := range o.fresh {
		o.in[id] = 0
	}
	o.fresh = o.fresh[:0]
	if n := len(t.Key) - len(o.in); n > 0 {
		o.in = append(o.in, make([]uint32, n)...)
	}
	if anew {
		o.epochs = o.epochs[:0]
	}
	if n := len(o.epochs); n == 0 || o.epochs[n-1].until < expires {
		if n == mostEpochs {
			o.epochs = append(o.epochs[:0], o.epochs[n/2:]...)
		}
		o.last++
		o.epochs = append(o.epochs, epoch{o.last, expires})
	}
	o.making = 0
	if i := o.from(expires); i < len(o.epochs) && o.epochs[i].until == expires {
		o.making = o.epochs[i].number
	} else if i > 0 { // it lives a little longer than this one
		o.making = o.epochs[i-1].number
	}
}

// from is the place of the first epoch whose frames live until then.
func (o *telling) from(until int64) int {
	i, _ := slices.BinarySearchFunc(o.epochs, until, func(e epoch, until int64) int { return cmp.Compare(e.until, until) })
	return i
}

// AppendIDs appends a count and ids by which the frame names keys, for as long as the watermark is below until, which is not behind what Tell was told. Untold has those that it must tell.
func (t *Keys[K]) AppendIDs(dst []byte, ids []uint32, until int64) []byte {
	o := &t.told
	least := uint32(math.MaxUint32)
	if i := o.from(until); i < len(o.epochs) {
		least = o.epochs[i].number
	}
	dst = AppendUint(dst, uint64(len(ids)))
	for _, id := range ids {
		dst = AppendUint(dst, uint64(id))
		if o.in[id] < least {
			o.in[id] = o.making
			o.fresh = append(o.fresh, id)
		}
	}
	return dst
}

// Untold are the ids that the frame names, and of which no commit that is needed as long as it tells the key. The frame ends with them: their count and, by AppendUint and Sized, each
// with its key. They are valid until Commit.
func (t *Keys[K]) Untold() []uint32 { return t.told.fresh }

// Commit says that the frame is durable.
func (t *Keys[K]) Commit() { t.told.fresh = t.told.fresh[:0] }

// AppendNumbers appends the part of a head which says that frames name keys by id, and that all ids are below Cap.
func AppendNumbers[K comparable](dst []byte, t *Keys[K]) []byte {
	return AppendUint(dst, uint64(t.Cap()))
}

// Numbers reads what AppendNumbers wrote. Keys must be new. Frames are read with Frame, then Restored is called.
func (t *Keys[K]) Numbers(r *Reader) {
	n := r.Uint()
	if n > math.MaxUint32>>1 {
		r.Fail("more keys than there can be")
		return
	}
	t.told.numbered, t.told.below = true, int(n)
}

// Numbered says that commits which are read name keys by id, until Restored; others have keys by value.
func (t *Keys[K]) Numbered() bool { return t.told.numbered }

// Frame reads what a frame says of windows, up to its end, and keeps it, as parts of the reader's memory, for Restored. Windows that are over at watermark w are gone: their keys may have the ids of
// others.
func (t *Keys[K]) Frame(r *Reader, w int64) {
	o := &t.told
	o.version = r.Version
	for range r.Count(10) {
		start, over := r.Span()
		data := r.Enclosed()
		if over > w && len(data) > 0 {
			o.windows = push(o.windows, said{start, data})
		}
	}
	for range r.Count(2) {
		id, key := r.small(), r.Bytes()
		if !t.reach(id) {
			r.Fail("the id of a key is beyond all that there were")
			return
		}
		o.bytes[id] = key
	}
}

// IDs reads what AppendIDs wrote behind dst.
func (t *Keys[K]) IDs(r *Reader, dst []uint32) []uint32 {
	n, before := r.Count(1), len(dst)
	dst = slices.Grow(dst, n)[:before+n]
	top := uint32(0)
	for i := range dst[before:] {
		id := r.small()
		dst[before+i] = id
		top = max(top, id)
	}
	if n > 0 && !t.reach(top) {
		r.Fail("the id of a key is beyond all that there were")
	}
	if r.Err() != nil {
		return dst[:before]
	}
	return dst
}

// reach makes room for id, which is in use then; it says whether there may be one.
func (t *Keys[K]) reach(id uint32) bool {
	n := int(id) + 1
	if n <= len(t.Key) {
		return true
	}
	if n > t.told.below {
		return false
	}
	more := min(max(n, 2*len(t.Key)), t.told.below) - len(t.Key)
	t.Key = append(t.Key, make([]K, more)...)
	t.hash = append(t.hash, make([]uint32, more)...)
	t.rank = append(t.rank, make([]uint32, more)...)
	t.told.bytes = append(t.told.bytes, make([][]byte, more)...)
	t.refs = slices.Grow(t.refs, more)
	for range more {
		t.refs = append(t.refs, 1)
	}
	t.unused += more
	return true
}

// Restored says that all commits have been read. window gets what they say of windows, window by window, each in the order of the commits, with how many accumulators they tell of it in all;
// it reads the keys with IDs, then what is kept for each, and counts references. Then of the ids that have some the keys are made, which read takes from what was told of them, and the others are given
// back. It is an error when anything is missing or damaged.
func (t *Keys[K]) Restored(window func(r *Reader, start int64, told int), hash func(K) uint32, read func(*Reader) K) error {
	if !t.told.numbered {
		return nil
	}
	slices.SortStableFunc(t.told.windows, func(a, b said) int { return cmp.Compare(a.start, b.start) })
	for rest := t.told.windows; len(rest) > 0; {
		n, told := 0, 0
		for ; n < len(rest) && rest[n].start == rest[0].start; n++ {
			r := NewReader(rest[n].data)
			told += r.Count(1)
		}
		for _, b := range rest[:n] {
			r := Reader{Version: t.told.version, data: b.data}
			window(&r, b.start, told)
			if err := r.Done(); err != nil {
				return fmt.Errorf("a window: %w", err)
			}
		}
		rest = rest[n:]
	}
	t.Reserve(len(t.Key) - t.unused)
	for from := 0; from < len(t.Key); from += 256 {
		some := t.refs[from:min(from+256, len(t.Key))]
		for i, refs := range some {
			if id := from + i; refs > 1 {
				told := t.told.bytes[id]
				if told == nil {
					return fmt.Errorf("state is damaged: no commit tells which key has the id %d", id)
				}
				r := Reader{Version: t.told.version, data: told}
				t.Key[id] = read(&r)
				if err := r.Done(); err != nil {
					return fmt.Errorf("the key with the id %d: %w", id, err)
				}
				t.hash[id] = hash(t.Key[id])
			}
		}
		touched := uint64(0)
		for i, refs := range some {
			if refs > 1 {
				touched += t.Hint(t.hash[from+i])
			}
		}
		t.told.touched = touched
		for i, refs := range some {
			if id := uint32(from + i); refs > 1 {
				cell, found := t.Probe(t.hash[id], t.Key[id])
				if found {
					return fmt.Errorf("state is damaged: ids %d and %d have the same key", cell, id)
				}
				t.index.put(cell, t.hash[id], id)
			}
		}
	}
	t.recent = slices.Grow(t.recent[:0], len(t.Key)-t.unused)
	for id := len(t.refs) - 1; id >= 0; id-- { // the lowest ids are used first
		if t.refs[id] > 1 {
			t.recent = append(t.recent, uint32(id))
		} else {
			t.refs[id] = 0
			t.free = append(t.free, uint32(id))
		}
	}
	t.unused, t.told = 0, telling{}
	return nil
}
