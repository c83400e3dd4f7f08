package table

import (
	"math/bits"
	"slices"
)

// Sort brings ids, which are in use and different, into the order of their keys under compare, which is the same in every call. lead gives two words of a key, of what
// stands behind its first at bytes, that compare as keys do which are equal before, as far as they go: where the first word of a is below that of b, or the first are equal and the
// second is below, a is before b. at is 0 or one of those that Texts.Lead takes; where a key has no more to say, lead gives zeros.
//
// The order of all keys is kept from call to call and keys added since are merged in; then it takes one bit for each key and a walk over the bits. When ids are few,
// sorting them alone is cheaper.
func (t *Keys[K]) Sort(ids []uint32, lead func(k K, at int) (uint64, uint64), compare func(a, b K) int) {
	few := len(ids)*16 < t.index.used
	if len(t.recent) > 0 {
		if few {
			slices.SortFunc(ids, func(a, b uint32) int { return compare(t.Key[a], t.Key[b]) })
			return
		}
		t.sortFrom(t.recent, 0, lead, compare)
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

// led is a key on its way into the order, with eight bytes of its lead.
type led struct {
	lead uint64
	id   uint32
}

const (
	fewLed  = 128     // keys that comparing sorts as fast
	mostLed = 1 << 14 // keys that are sorted at once: so the memory for it is bounded, and lies in the cache
)

const deepest = 1 << 10 // so many bytes of a key are looked at without comparing: it bounds how deep sortFrom calls itself

// sortFrom sorts keys that are equal in what leads say of them before at: by the bytes of their leads in which they differ, and what these leave equal by the leads behind, or by
// compare where it is little.
func (t *Keys[K]) sortFrom(ids []uint32, at int, lead func(k K, at int) (uint64, uint64), compare func(a, b K) int) {
	for len(ids) >= fewLed && at < deepest {
		firstA, firstB := lead(t.Key[ids[0]], at)
		var differA, differB uint64
		for _, id := range ids {
			a, b := lead(t.Key[id], at)
			differA, differB = differA|(a^firstA), differB|(b^firstB)
		}
		var shifts [16]int // of each byte in the two words that differs, the most significant first
		n := 0
		for by := 120; by >= 0; by -= 8 {
			if byteAt(differA, differB, by) != 0 {
				shifts[n] = by
				n++
			}
		}
		if n > 0 {
			t.sortLed(ids, at, shifts[:n], lead, compare)
			return
		}
		if firstA|firstB == 0 {
			break
		}
		at = behind(at)
	}
	slices.SortFunc(ids, func(a, b uint32) int { return compare(t.Key[a], t.Key[b]) })
}

// byteAt is the byte of the number a<<64 | b that stands at this bit.
func byteAt(a, b uint64, at int) byte {
	if at >= 64 {
		return byte(a >> (at - 64))
	}
	return byte(b >> at)
}

// sortLed sorts keys that differ in no byte of their leads at at but those at shifts: many are dealt out by the first of these and sorted hand by hand, fewer by all of them at once,
// from the last to the first.
func (t *Keys[K]) sortLed(ids []uint32, at int, shifts []int, lead func(k K, at int) (uint64, uint64), compare func(a, b K) int) {
	switch {
	case len(ids) < fewLed || len(shifts) == 0:
		t.sortFrom(ids, behind(at), lead, compare)
		return
	case len(ids) > mostLed:
		ends := t.deal(ids, at, shifts[0], lead)
		begin := 0
		for _, end := range ends {
			t.sortLed(ids[begin:end], at, shifts[1:], lead, compare)
			begin = end
		}
		return
	}
	rest := shifts[min(8, len(shifts)):]
	shifts = shifts[:min(8, len(shifts))]
	t.led = slices.Grow(t.led[:0], 2*len(ids))[:2*len(ids)]
	from, to := t.led[:len(ids)], t.led[len(ids):]
	var counts [8][256]uint32
	for i, id := range ids {
		a, b := lead(t.Key[id], at)
		l := led{id: id}
		for d, by := range shifts {
			c := byteAt(a, b, by)
			l.lead = l.lead<<8 | uint64(c)
			counts[d][c]++
		}
		from[i] = l
	}
	for d := len(shifts) - 1; d >= 0; d-- {
		place, down := &counts[d], 8*(len(shifts)-1-d)
		sum := uint32(0)
		for c, n := range place {
			place[c], sum = sum, sum+n
		}
		for _, l := range from {
			next := &place[byte(l.lead>>down)]
			to[*next] = l
			*next++
		}
		from, to = to, from
	}
	var equal [mostLed / fewLed][2]int // of keys that are many and equal so far, which are sorted when led is not needed any more
	n, begin := 0, 0
	for i := range len(ids) + 1 {
		if i < len(ids) {
			ids[i] = from[i].id
			if from[i].lead == from[begin].lead {
				continue
			}
		}
		if some := ids[begin:i]; len(some) >= fewLed {
			equal[n] = [2]int{begin, i}
			n++
		} else if len(some) > 1 {
			slices.SortFunc(some, func(a, b uint32) int { return compare(t.Key[a], t.Key[b]) })
		}
		begin = i
	}
	for _, e := range equal[:n] {
		t.sortLed(ids[e[0]:e[1]], at, rest, lead, compare)
	}
}

// deal brings keys together, in place, that are equal in the byte of their leads at at that stands at bit by, in the order of the byte. It returns where those of each value end. (McIlroy, Bostic
// and McIlroy, "Engineering Radix Sort", Computing Systems 6, 1993: American flag sort.)
func (t *Keys[K]) deal(ids []uint32, at, by int, lead func(k K, at int) (uint64, uint64)) (ends [256]int) {
	value := func(id uint32) byte {
		a, b := lead(t.Key[id], at)
		return byteAt(a, b, by)
	}
	var next [256]int // where the next of a value goes
	for _, id := range ids {
		ends[value(id)]++
	}
	sum := 0
	for c, n := range ends {
		next[c], sum = sum, sum+n
		ends[c] = sum
	}
	for c, end := range ends {
		for next[c] < end {
			id := ids[next[c]]
			for to := value(id); int(to) != c; to = value(id) {
				id, ids[next[to]] = ids[next[to]], id
				next[to]++
			}
			ids[next[c]] = id
			next[c]++
		}
	}
	return ends
}

// merge brings the recent keys, which are sorted, into the order, from the end, in place.
func (t *Keys[K]) merge(compare func(a, b K) int) {
	i, j := len(t.order)-1, len(t.recent)-1
	t.order = append(extend(t.order, len(t.recent)), t.recent...)
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
