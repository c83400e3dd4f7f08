// Package naive is workload W1 (golden/bench/w1) as a competent colleague writes it in an afternoon: Scanner, encoding/json, time.Parse, maps and a sort at
// each close. It is the yardstick of the benchmarks. On well-formed events it writes the same bytes as a generated processor; it knows nothing of contracts, dead
// letters and recovery.
package naive

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"slices"
	"time"
)

const (
	outOfOrderness = int64(5 * time.Second)
	horizon        = int64(10 * time.Minute)
	size           = int64(time.Minute)
)

// Stats counts what happened to the records.
type Stats struct {
	Records, Filtered, Duplicates, Late, Rows int
}

type event struct {
	ID     string    `json:"id"`
	User   string    `json:"user"`
	Type   string    `json:"type"`
	Amount float64   `json:"amount"`
	At     time.Time `json:"at"`
}

type line struct {
	ID     string  `json:"id"`
	User   string  `json:"user"`
	Type   string  `json:"type"`
	Amount float64 `json:"amount"`
	At     string  `json:"at"`
}

type total struct {
	WindowStart time.Time `json:"window_start"`
	WindowEnd   time.Time `json:"window_end"`
	User        string    `json:"user"`
	Events      int       `json:"events"`
	Total       float64   `json:"total"`
	Mean        float64   `json:"mean"`
}

type typeCount struct {
	WindowStart time.Time `json:"window_start"`
	WindowEnd   time.Time `json:"window_end"`
	Type        string    `json:"type"`
	Events      int       `json:"events"`
}

type spending struct {
	events   int
	sum, fix float64
}

// add is Neumaier's compensated summation.
func (s *spending) add(x float64) {
	s.events++
	t := s.sum + x
	if math.Abs(s.sum) >= math.Abs(x) {
		s.fix += (s.sum - t) + x
	} else {
		s.fix += (x - t) + s.sum
	}
	s.sum = t
}

type counter struct {
	stats                Stats
	totals, byType, late *json.Encoder
	newest, watermark    int64            // Unix ns
	swept                int64            // watermark at the last sweep of seen
	seen                 map[string]int64 // id -> when its entry dies
	spend                map[int64]map[string]*spending
	types                map[int64]map[string]int
}

// Run counts and sums the events of r.
func Run(r io.Reader, totals, byType, late io.Writer) (Stats, error) {
	c := &counter{
		newest:    math.MinInt64,
		watermark: math.MinInt64,
		swept:     math.MinInt64,
		seen:      map[string]int64{},
		spend:     map[int64]map[string]*spending{},
		types:     map[int64]map[string]int{},
	}
	var writers []*bufio.Writer
	encoder := func(w io.Writer) *json.Encoder {
		buffered := bufio.NewWriter(w)
		writers = append(writers, buffered)
		e := json.NewEncoder(buffered)
		e.SetEscapeHTML(false)
		return e
	}
	c.totals, c.byType, c.late = encoder(totals), encoder(byType), encoder(late)

	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := c.record(lines.Bytes()); err != nil {
			return c.stats, err
		}
	}
	if err := lines.Err(); err != nil {
		return c.stats, err
	}
	if err := c.close(math.MaxInt64); err != nil {
		return c.stats, err
	}
	for _, w := range writers {
		if err := w.Flush(); err != nil {
			return c.stats, err
		}
	}
	return c.stats, nil
}

func (c *counter) record(text []byte) error {
	c.stats.Records++
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339Nano, l.At)
	if err != nil {
		return err
	}
	if err := c.count(&event{l.ID, l.User, l.Type, l.Amount, at}); err != nil {
		return err
	}
	if at.UnixNano() <= c.newest {
		return nil
	}
	c.newest = at.UnixNano()
	c.watermark = c.newest - outOfOrderness
	if c.watermark > c.swept+size {
		c.swept = c.watermark
		for id, dead := range c.seen {
			if dead <= c.watermark {
				delete(c.seen, id)
			}
		}
	}
	return c.close(c.watermark)
}

func (c *counter) count(e *event) error {
	if e.Type != "click" && e.Type != "purchase" {
		c.stats.Filtered++
		return nil
	}
	at := e.At.UnixNano()
	if at+horizon <= c.watermark {
		c.stats.Late++
		return c.late.Encode(e)
	}
	if dead, ok := c.seen[e.ID]; ok && c.watermark < dead {
		c.stats.Duplicates++
		return nil
	}
	c.seen[e.ID] = at + horizon

	start := at - at%size
	if start+size <= c.watermark {
		c.stats.Late++
		return c.late.Encode(e)
	}
	users := c.spend[start]
	if users == nil {
		users = map[string]*spending{}
		c.spend[start] = users
		c.types[start] = map[string]int{}
	}
	s := users[e.User]
	if s == nil {
		s = &spending{}
		users[e.User] = s
	}
	s.add(e.Amount)
	c.types[start][e.Type]++
	return nil
}

// close writes the windows that end up to watermark.
func (c *counter) close(watermark int64) error {
	for _, start := range sorted(c.spend) {
		if start+size > watermark {
			break
		}
		from, to := time.Unix(0, start).UTC(), time.Unix(0, start+size).UTC()
		users := c.spend[start]
		for _, user := range sorted(users) {
			s := users[user]
			sum := s.sum + s.fix
			if err := c.totals.Encode(total{from, to, user, s.events, sum, sum / float64(s.events)}); err != nil {
				return err
			}
		}
		types := c.types[start]
		for _, kind := range sorted(types) {
			if err := c.byType.Encode(typeCount{from, to, kind, types[kind]}); err != nil {
				return err
			}
		}
		c.stats.Rows += len(users) + len(types)
		delete(c.spend, start)
		delete(c.types, start)
	}
	return nil
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
