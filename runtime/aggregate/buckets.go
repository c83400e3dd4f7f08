package aggregate

import (
	"math"
	"slices"

	"github.com/streamwright/streamwright/runtime/table"
)

// Buckets are a sketch of how values are distributed: how many fall into each of a growing series of buckets (C. Masson, J. E. Rim, H. K. Lee, "DDSketch: A Fast and Fully-Mergeable Quantile
// Sketch with Relative-Error Guarantees", PVLDB 12, 2019). A bucket is a run of bits at the beginning of a float: sign, exponent and the first 6 bits of the mantissa, so that its
// bounds need no logarithm and are the same on every machine. Any value of a bucket is within 1/128 of its middle, in relation to the value.
//
// At most 1024 buckets are kept. When one more is needed all are joined in pairs, as often as it takes (I. Epicoco, C. Melle, M. Cafaro, M. Pulimeno, G. Morleo, "UDDSketch", IEEE Access 8,
// 2020), and each time the error doubles: values of one sign that span a factor of 2^16 never need it. How often depends on the values alone, not on their order nor on the parts that
// they come in.
//
// They stand in table.Blobs, which are the same in every call; the zero value is of no values.
//
//	bucket   the first bits of its values, ordered as they are | 44 bits: how many there are
type Buckets struct {
	place     table.Blob // 8 bytes for each, ascending
	low, high float64    // the least and the greatest value
	joined    uint8      // how often buckets were joined
}

const (
	bucketShift = 52 - 6 // bits of a float that do not tell buckets apart
	bucketCount = 44     // bits
	mostBuckets = 1024
	mostJoined  = 10 // then a bucket has 16 doublings and there are only 257
	countOf     = 1<<bucketCount - 1
)

// Add adds a value that is finite.
func (t *Buckets) Add(x *table.Blobs, v float64) {
	t.reach(v, v)
	t.add(x, table.Ordered(v)>>(bucketShift+t.joined), 1)
}

// reach makes room for values from low to high.
func (t *Buckets) reach(low, high float64) {
	if t.place.Len == 0 {
		t.low, t.high = low, high
	} else {
		t.low, t.high = min(t.low, low), max(t.high, high)
	}
}

// add adds n values to a bucket.
func (t *Buckets) add(x *table.Blobs, bucket, n uint64) {
	all := x.Words(t.place)
	i, _ := slices.BinarySearch(all, bucket<<bucketCount)
	if i < len(all) && all[i]>>bucketCount == bucket {
		all[i] += n
		return
	}
	if len(all) == mostBuckets {
		joined := t.joined
		t.join(x)
		t.add(x, bucket>>(t.joined-joined), n)
		return
	}
	size := len(all)
	t.place = x.Extend(t.place, 8*size+8)
	all = x.Words(t.place)
	copy(all[i+1:], all[i:size])
	all[i] = bucket<<bucketCount | n
}

// join joins the buckets in pairs.
func (t *Buckets) join(x *table.Blobs) {
	t.joined++
	all := x.Words(t.place)
	kept := 0
	for _, b := range all {
		joined := b >> bucketCount >> 1 << bucketCount
		if kept > 0 && all[kept-1]&^countOf == joined {
			all[kept-1] += b & countOf
		} else {
			all[kept] = joined | b&countOf
			kept++
		}
	}
	t.place = x.Extend(t.place, 8*kept)
}

// Len is how many values there are.
func (t *Buckets) Len(x *table.Blobs) int64 {
	n := uint64(0)
	for _, b := range x.Words(t.place) {
		n += b & countOf
	}
	return int64(n)
}

// Rank is about the nearest rank of the share part/of (see Values.Rank): the middle of the bucket that has it, but not beyond the
// least and the greatest value, which are exact. Without values it is 0.
func (t *Buckets) Rank(x *table.Blobs, part, of uint64) float64 {
	n := t.Len(x)
	if n == 0 {
		return 0
	}
	k := rank(uint64(n), part, of)
	switch k {
	case 1:
		return t.low
	case uint64(n):
		return t.high
	}
	for _, b := range x.Words(t.place) {
		if b&countOf >= k {
			return max(t.low, min(t.high, t.middle(b>>bucketCount)))
		}
		k -= b & countOf
	}
	return 0
}

// middle is the middle of a bucket; of that which has 0 it is 0. Buckets of negative values mirror those of positive ones. That of a bucket that reaches beyond the floats may be infinite.
func (t *Buckets) middle(bucket uint64) float64 {
	shift := bucketShift + t.joined
	zero := uint64(1) << (63 - shift)
	switch {
	case bucket == zero:
		return 0
	case bucket < zero:
		return -t.middle(2*zero - 1 - bucket)
	}
	return min(math.MaxFloat64, math.Float64frombits((bucket-zero)<<shift|1<<(shift-1)))
}

// Free gives the memory back.
func (t *Buckets) Free(x *table.Blobs) { x.Free(t.place) }

// Merge adds the values of o, which keeps its own.
func (t *Buckets) Merge(x *table.Blobs, o *Buckets) {
	if o.place.Len == 0 {
		return
	}
	t.reach(o.low, o.high)
	for t.joined < o.joined {
		t.join(x)
	}
	for _, b := range x.Words(o.place) {
		t.add(x, b>>bucketCount>>(t.joined-o.joined), b&countOf)
	}
}

// Append appends the buckets to a state, the same bytes for the same values.
func (t *Buckets) Append(dst []byte, x *table.Blobs) []byte {
	all := x.Words(t.place)
	dst = append(dst, t.joined)
	dst = table.AppendFloat(table.AppendFloat(dst, t.low), t.high)
	dst = table.AppendUint(dst, uint64(len(all)))
	before := uint64(0)
	for _, b := range all {
		dst = table.AppendUint(table.AppendUint(dst, b>>bucketCount-before), b&countOf)
		before = b >> bucketCount
	}
	return dst
}

// Read reads what Append wrote over what t holds.
func (t *Buckets) Read(r *table.Reader, x *table.Blobs) {
	x.Free(t.place)
	*t = Buckets{joined: uint8(min(r.Uint(), mostJoined)), low: r.Float(), high: r.Float()}
	n := r.Count(2)
	bucket := uint64(0)
	for i := range n {
		step, count := r.Uint(), r.Uint()
		bucket += step
		if n > mostBuckets || i > 0 && step == 0 || bucket >= 1<<(64-bucketShift-t.joined) || count == 0 || count > countOf {
			r.Fail("no buckets")
			return
		}
		t.place = x.Extend(t.place, 8*i+8)
		x.Words(t.place)[i] = bucket<<bucketCount | count
	}
}
