// Package events makes the input of the workloads: what users of a web shop did, as NDJSON that arrives a little out of order, with re-deliveries and late events
// (workload W1 and its variants), and which advertisements they saw (ads.go). The same Config gives the same bytes.
package events

import (
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// Config says what a workload looks like. Default is W1.
type Config struct {
	Events   int
	Seed     uint64
	Rate     int       // events per second of event time
	Users    int       // Zipf (s 1.05, v 20); 0: each event has a user of its own
	Long     bool      // UUIDs instead of ids of 14 bytes, and users of 23 bytes instead of 7
	Odd      bool      // with Long: ids as long as UUIDs that are none, and users of 46 bytes
	Bare     bool      // without the two undeclared fields
	Epoch    bool      // the time is a number of ms since the Unix epoch
	Mixed    bool      // each event has its members in an order of its own
	Reversed bool      // every event has its members in the opposite of the usual order
	Punctual bool      // no event is late
	Copies   float64   // share of events that are an exact copy of one that arrived up to 50 seconds before
	Start    time.Time // of the first event; whole seconds
}

// Default is W1 with n events: about 155 bytes each, 4000 per second of event time, 100,000 users, 65 % clicks and purchases.
func Default(n int) Config {
	return Config{Events: n, Seed: 1, Rate: 4000, Users: 100_000, Copies: 0.01, Start: time.Date(2024, 3, 1, 6, 0, 0, 0, time.UTC)}
}

const (
	disorder    = 5000            // ms, exclusive: an event arrives less than this after it happened …
	lateShare   = 0.001           // … except for this share,
	lateFrom    = 10_000          // ms, which arrives this late
	lateTo      = 130_000         // ms, or up to this late
	copyReach   = 50              // seconds between a copy and its original, at most
	usersFactor = 48_271          // prime: spreads the frequent users over the names
	dayMillis   = 24 * 60 * 60000 // ms
)

// Write writes the whole workload to w, one event a line.
func Write(w io.Writer, c Config) error {
	g := NewGenerator(c)
	buf := make([]byte, 0, 1<<18)
	for i := range c.Events {
		buf = g.Append(buf, i)
		if len(buf) > cap(buf)-1024 || i == c.Events-1 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}

// Bytes is the whole workload in memory.
func Bytes(c Config) []byte {
	g := NewGenerator(c)
	buf := make([]byte, 0, c.Events*170)
	for i := range c.Events {
		buf = g.Append(buf, i)
	}
	return buf
}

// Generator makes single events of a workload, in any order: event i depends on the Config and i only.
type Generator struct {
	config Config
	random random
	rand   *rand.Rand
	zipf   *rand.Zipf
	start  int64 // Unix ms
	day    int64 // Unix ms, of date
	date   []byte
	member [8]int // where each member of the event begins, and one behind the last
	line   []byte // the event in the usual order
}

// NewGenerator prepares a workload.
func NewGenerator(c Config) *Generator {
	g := &Generator{config: c, start: c.Start.UnixMilli(), day: -1}
	g.rand = rand.New(&g.random)
	if c.Users > 0 {
		g.zipf = rand.NewZipf(g.rand, 1.05, 20, uint64(c.Users-1))
	}
	return g
}

// Append appends event i and a newline.
func (g *Generator) Append(dst []byte, i int) []byte {
	if j, ok := g.original(i); ok {
		i = j
	}
	g.seed(i)
	g.rand.Uint64() // what original drew

	delay := g.rand.Int64N(disorder)
	if g.rand.Float64() < lateShare && !g.config.Punctual {
		delay = lateFrom + g.rand.Int64N(lateTo-lateFrom)
	}
	at := g.start + int64(i)*1000/int64(g.config.Rate) - delay
	user := uint64(i)
	if g.zipf != nil {
		user = g.zipf.Uint64() * usersFactor % uint64(g.config.Users)
	}
	kind := "view"
	switch k := g.rand.IntN(100); {
	case k < 40:
		kind = "click"
	case k < 65:
		kind = "purchase"
	case k < 70:
		kind = "signup"
	}
	cents := 1 + g.rand.Int64N(1+g.rand.Int64N(50_000))

	from := len(dst)
	members := 0
	begin := func(name string) {
		if members > 0 {
			dst = append(dst, ',')
		} else {
			dst = append(dst, '{')
		}
		g.member[members] = len(dst) - from
		members++
		dst = append(append(append(dst, '"'), name...), `":`...)
	}
	begin("id")
	dst = append(dst, '"')
	dst = append(g.appendID(dst, uint64(i)), '"')
	begin("at")
	if g.config.Epoch {
		dst = strconv.AppendInt(dst, at, 10)
	} else {
		dst = append(dst, '"')
		dst = append(g.appendTime(dst, at), '"')
	}
	begin("user")
	dst = append(dst, '"')
	if g.config.Odd {
		dst = append(dst, "customer-account-of-the-northern-region"...)
	} else if g.config.Long {
		dst = append(dst, "customer-account"...)
	}
	dst = append(dst, 'u')
	dst = append(appendDigits(dst, int64(user), 6), '"')
	begin("type")
	dst = append(append(append(dst, '"'), kind...), '"')
	if !g.config.Bare {
		begin("page")
		dst = append(dst, `"/shop/item/`...)
		dst = append(appendDigits(dst, g.rand.Int64N(50_000), 5), '"')
		begin("session")
		dst = append(dst, '"')
		dst = append(appendHex(dst, mix(user<<20^uint64(at/1_800_000)), 16), '"')
	}
	begin("amount")
	dst = strconv.AppendInt(dst, cents/100, 10)
	dst = append(dst, '.')
	dst = appendDigits(dst, cents%100, 2)
	g.member[members] = len(dst) - from + 1
	if g.config.Mixed || g.config.Reversed {
		order := g.rand.Perm(members)
		if g.config.Reversed {
			slices.SortFunc(order, func(a, b int) int { return b - a })
		}
		g.line = append(g.line[:0], dst[from:]...)
		dst = dst[:from+1]
		for n, m := range order {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, g.line[g.member[m]:g.member[m+1]-1]...)
		}
	}
	return append(dst, "}\n"...)
}

// original says whether event i is a copy, and of which event.
func (g *Generator) original(i int) (int, bool) {
	if !g.isCopy(i) {
		return i, false
	}
	from := max(0, i-copyReach*g.config.Rate)
	for {
		j := from + g.rand.IntN(i-from)
		state := g.random
		if !g.isCopy(j) {
			return j, true
		}
		g.random = state
	}
}

func (g *Generator) isCopy(i int) bool {
	g.seed(i)
	return float64(g.rand.Uint64()>>11)/(1<<53) < g.config.Copies && i > 0
}

func (g *Generator) seed(i int) { g.random.state = mix(g.config.Seed<<32 ^ uint64(i)) }

// appendID appends the id of event i. Ids do not repeat below 2^48 events and are not in order.
func (g *Generator) appendID(dst []byte, i uint64) []byte {
	if !g.config.Long {
		return appendHex(append(dst, "ev"...), i*0x9e3779b97f4b^g.config.Seed, 12)
	}
	a, b := mix(i), i*0x9e3779b97f4b^g.config.Seed
	dst = append(appendHex(dst, a, 8), '-')
	dst = append(appendHex(dst, a>>32, 4), '-', '4')
	dst = append(appendHex(dst, a>>48, 3), '-', 'a')
	dst = append(appendHex(dst, a>>53, 3), '-')
	dst = appendHex(dst, b, 12)
	if g.config.Odd { // a letter that no UUID has; the last 12 digits tell the ids apart
		dst[len(dst)-36] = 'x'
	}
	return dst
}

// appendTime appends ms since the epoch, not before it, as RFC 3339 with milliseconds.
func (g *Generator) appendTime(dst []byte, ms int64) []byte {
	if day := ms / dayMillis * dayMillis; day != g.day {
		g.day = day
		g.date = time.UnixMilli(day).UTC().AppendFormat(g.date[:0], "2006-01-02T")
	}
	ms -= g.day
	dst = append(dst, g.date...)
	dst = append(appendDigits(dst, ms/3_600_000, 2), ':')
	dst = append(appendDigits(dst, ms/60_000%60, 2), ':')
	dst = append(appendDigits(dst, ms/1000%60, 2), '.')
	return append(appendDigits(dst, ms%1000, 3), 'Z')
}

// appendDigits appends n with at least width digits.
func appendDigits(dst []byte, n int64, width int) []byte {
	for p := int64(10); width > 1; width-- {
		if n < p {
			for range width - 1 {
				dst = append(dst, '0')
			}
			break
		}
		p *= 10
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendHex appends the low digits of n.
func appendHex(dst []byte, n uint64, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[n>>shift&15])
	}
	return dst
}

// random is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): one word of state, so that each event has a sequence of its own.
type random struct{ state uint64 }

// Uint64 is the next number of the sequence.
func (r *random) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
