package oracle

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/streamwright/streamwright/spec"
)

// hash is the hash that approx_distinct goes by.
func hash(v value) uint64 {
	mix := func(z uint64) uint64 {
		z += 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	switch v := v.(type) {
	case bool:
		if v {
			return mix(1)
		}
		return mix(0)
	case *big.Int:
		return mix(uint64(v.Int64()))
	case float64:
		return mix(math.Float64bits(v))
	}
	text := v.(string)
	h := uint64(len(text))
	for len(text) >= 8 {
		h = mix(h ^ little(text[:8]))
		text = text[8:]
	}
	return mix(mix(h) ^ little(text))
}

// little is a text of up to 8 bytes as a number whose first byte is the lowest.
func little(text string) (n uint64) {
	for i := range len(text) {
		n += uint64(text[i]) << (8 * i)
	}
	return n
}

// approxDistinct: how many different first 25 bits hashes have, if those are at most 512; else what 4096 registers of the longest runs of zeros give.
func approxDistinct(samples []sample) *big.Int {
	fine := map[uint64]bool{}
	longest := map[uint64]int{} // run by number of the register, from 1
	for _, s := range samples {
		h := hash(s.value)
		fine[h>>39] = true
		longest[h>>52] = max(longest[h>>52], min(bits.LeadingZeros64(h<<12), 52)+1)
	}
	if len(fine) <= 512 {
		return number(len(fine))
	}
	const m = 4096.0
	counts := [54]float64{0: m - float64(len(longest))}
	for _, run := range longest {
		counts[run]++
	}
	z := 0.0
	for run := 1; run <= 52; run++ {
		z += counts[run] * math.Pow(2, -float64(run))
	}
	sum, x := counts[0]/m, counts[0]/m // x + Σ x^(2^k)·2^(k-1)
	for k := 1; k < 60; k++ {
		sum += math.Pow(x, math.Pow(2, float64(k))) * math.Pow(2, float64(k-1))
	}
	z += m * sum
	if counts[53] > 0 {
		panic("the oracle has no hash with 52 zeros")
	}
	return big.NewInt(int64(math.Round(m * m / (2 * math.Ln2) / z)))
}

// approxPercentile is the middle of the bucket of the value of the nearest rank. Buckets are the floats that begin with the same 18 bits, or with so many fewer that at most 1024 have a value.
func approxPercentile(c *spec.Call, samples []sample) float64 {
	var values []uint64 // ordered as the floats are
	for _, s := range samples {
		x, ok := s.value.(float64)
		if !ok {
			units, _ := new(big.Float).SetInt(s.value.(*big.Int)).Float64()
			one, _ := new(big.Float).SetInt(ten(c.Arg.Type.Scale)).Float64()
			x = units / one
		}
		b := math.Float64bits(x)
		if b>>63 != 0 {
			b = ^b
		} else {
			b |= 1 << 63
		}
		values = append(values, b)
	}
	slices.Sort(values)
	shift := 46
	for ; ; shift++ {
		buckets := map[uint64]bool{}
		for _, b := range values {
			buckets[b>>shift] = true
		}
		if len(buckets) <= 1024 {
			break
		}
	}
	float := func(b uint64) float64 {
		if b>>63 == 0 {
			return math.Float64frombits(^b)
		}
		return math.Float64frombits(b &^ (1 << 63))
	}
	rank := nearestRank(c, len(values))
	x := float(values[rank])
	if rank == 0 || rank == len(values)-1 {
		return x
	}
	middle := math.Float64frombits(math.Float64bits(math.Abs(x))>>shift<<shift | 1<<(shift-1))
	switch {
	case math.Float64bits(math.Abs(x))>>shift == 0 && x >= 0:
		middle = 0
	case x < 0:
		middle = -middle
	}
	return max(float(values[0]), min(float(values[len(values)-1]), middle))
}

// nearestRank is the index of the nearest rank of percentile among n values in order: the least that at least this share of all does not exceed.
func nearestRank(c *spec.Call, n int) int {
	share := new(big.Rat).Mul(big.NewRat(-c.Part, c.Of), big.NewRat(int64(n), 1))
	return int(max(-floor(share).Int64(), 1)) - 1
}
