package table

import (
	"math/bits"
	"slices"
)

// Sort brings ids, which are in use and different, into the order of their keys under compare, which is the same in every call. lead gives two words of a key that compare
// as keys do as far as they go: where the first word of a is below that of b, or the first are equal and the second is below, a is before b.
//
// The order of all keys is kept from call to call and keys added since are merged in; then it takes one bit for each key and a walk over the bits. When ids are few,
// sorting them alone is cheaper.
func (t *Keys[K]) Sort(ids []uint32, lead func(k K) (uint64, uint64), compare func(a, b K) int) {
	few := len(ids)*16 < t.index.used
	if len(t.recent) > 0 {
		if few {
			slices.SortFunc(ids, func(a, b uint32) int { return compare(t.Key[a], t.Key[b]) })
			return
		}
		t.sortRecent(lead, compare)
		t.merge(compare)
	}
	if few {
		slices.SortFunc(ids, func(a, b uint32) int { return int(t.rank[a]) - int(t.rank[b]) })
		return
	}
	words := (len(t.order) + 63) / 64
	t.bits = slices.Grow(t.bits[:0], words)[:words]
	clear(t.bits)
	for _, id := range ids {
		r := t.rank[id]
		t.bits[r/64] |= 1 << (r % 64)
	}
	n := 0
	for i, w := range t.bits {
		for ; w != 0; w &= w - 1 {
			ids[n] = t.order[i*64+bits.TrailingZeros64(w)]
			n++
		}
	}
}

// led is a key on its way into the order: the bytes of its lead in which keys differ, the first eight of them.
type led struct {
	lead uint64
	id   uint32
}

const (
	fewLed  = 128     // keys that comparing sorts as fast
	mostLed = 1 << 18 // memory for more is not kept for the next call
)

// sortRecent sorts the recent keys: by the bytes of their leads, from the last to the first, those in which all are equal left out, and by compare what they leave equal.
func (t *Keys[K]) sortRecent(lead func(k K) (uint64, uint64), compare func(a, b K) int) {
	recent := t.recent
	by := func(a, b uint32) int { return compare(t.Key[a], t.Key[b]) }
	if len(recent) < fewLed {
		slices.SortFunc(recent, by)
		return
	}
	firstA, firstB := lead(t.Key[recent[0]])
	var differA, differB uint64
	for _, id := range recent {
		a, b := lead(t.Key[id])
		differA, differB = differA|a^firstA, differB|b^firstB
	}
	var shift [8]int // of each byte in the two words, the most significant first
	n := 0
	for at := 120; at >= 0 && n < len(shift); at -= 8 {
		if differ := [2]uint64{differB, differA}[at/64]; differ>>(at%64)&0xff != 0 {
			shift[n] = at
			n++
		}
	}
	t.led = slices.Grow(t.led[:0], 2*len(recent))[:2*len(recent)]
	from, to := t.led[:len(recent)], t.led[len(recent):]
	var counts [8][256]uint32
	for i, id := range recent {
		a, b := lead(t.Key[id])
		l := led{id: id}
		for _, at := range shift[:n] {
			l.lead = l.lead<<8 | [2]uint64{b, a}[at/64]>>(at%64)&0xff
		}
		from[i] = l
		for d := range n {
			counts[d][byte(l.lead>>(8*d))]++
		}
	}
	for d := range n {
		sum := uint32(0)
		for i, c := range counts[d] {
			counts[d][i], sum = sum, sum+c
		}
		for _, l := range from {
			at := &counts[d][byte(l.lead>>(8*d))]
			to[*at] = l
			*at++
		}
		from, to = to, from
	}
	begin := 0 // of keys whose leads are equal
	for i, l := range from {
		recent[i] = l.id
		if l.lead != from[begin].lead {
			slices.SortFunc(recent[begin:i], by)
			begin = i
		}
	}
	slices.SortFunc(recent[begin:], by)
	if cap(t.led) > 2*mostLed {
		t.led = nil
	}
}

// merge brings the recent keys, which are sorted, into the order, from the end, in place.
func (t *Keys[K]) merge(compare func(a, b K) int) {
	i, j := len(t.order)-1, len(t.recent)-1
	t.order = append(t.order, t.recent...)
	for k := len(t.order) - 1; k >= 0; k-- {
		if j < 0 || i >= 0 && compare(t.Key[t.order[i]], t.Key[t.recent[j]]) > 0 {
			t.order[k] = t.order[i]
			i--
		} else {
			t.order[k] = t.recent[j]
			j--
		}
		t.rank[t.order[k]] = uint32(k)
	}
	t.recent = t.recent[:0]
}
