package events

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// The advertisements of the Yahoo streaming benchmark (Chintapalli and others: Benchmarking streaming computation engines, 2016): a hundred campaigns with ten
// advertisements each. A processor knows which belongs to which; the events name the advertisement only.
const (
	Campaigns = 100
	adsEach   = 10
)

// Campaign is the campaign of each advertisement.
func Campaign() map[string]string {
	of := make(map[string]string, Campaigns*adsEach)
	for i := range uint64(Campaigns * adsEach) {
		of[string(appendUUID(nil, adSpace+i))] = string(appendUUID(nil, campaignSpace+i/adsEach))
	}
	return of
}

// What mix is given for the ids, so that none is another's.
const (
	adSpace       = 1 << 40
	campaignSpace = 2 << 40
	userSpace     = 3 << 40
	pageSpace     = 4 << 40
)

// AppendAds appends n events of that benchmark to dst, one a line: who saw, clicked or bought where, 10,000 a second of event time, each less than a second after it
// happened. A third are views. The same seed gives the same bytes.
func AppendAds(dst []byte, n int, seed uint64) []byte {
	const rate = 10_000 // per second
	var kinds, formats = [3]string{"view", "click", "purchase"}, [5]string{"banner", "modal", "sponsored-search", "mail", "mobile"}
	r := rand.New(&random{seed})
	start := time.Date(2024, 3, 1, 6, 0, 0, 0, time.UTC).UnixMilli()
	for i := range n {
		dst = appendUUID(append(dst, `{"user_id":"`...), userSpace+r.Uint64N(100_000))
		dst = appendUUID(append(dst, `","page_id":"`...), pageSpace+r.Uint64N(100_000))
		dst = appendUUID(append(dst, `","ad_id":"`...), adSpace+r.Uint64N(Campaigns*adsEach))
		dst = append(append(dst, `","ad_type":"`...), formats[r.IntN(len(formats))]...)
		dst = append(append(dst, `","event_type":"`...), kinds[r.IntN(len(kinds))]...)
		dst = strconv.AppendInt(append(dst, `","event_time":`...), start+int64(i)*1000/rate-r.Int64N(1000), 10)
		dst = append(dst, `,"ip_address":"10.`...)
		for n := range 3 {
			if n > 0 {
				dst = append(dst, '.')
			}
			dst = strconv.AppendInt(dst, r.Int64N(256), 10)
		}
		dst = append(dst, "\"}\n"...)
	}
	return dst
}

// appendUUID appends the UUID that stands for n.
func appendUUID(dst []byte, n uint64) []byte {
	a, b := mix(n), mix(^n)
	dst = append(appendHex(dst, a>>32, 8), '-')
	dst = append(appendHex(dst, a>>16, 4), '-', '4')
	dst = append(appendHex(dst, a, 3), '-', 'a')
	dst = append(appendHex(dst, b>>48, 3), '-')
	return appendHex(dst, b, 12)
}
