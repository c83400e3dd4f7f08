// Package naive has the workloads as a competent colleague writes them in an afternoon: Scanner, encoding/json, time.Parse, maps and a sort at each close. It is the
// yardstick of the benchmarks. On well-formed events it writes the same bytes as a generated processor; it knows nothing of contracts, dead letters and recovery.
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

// JSON is the library that reads events and writes rows.
type JSON struct {
	Decode  func(line []byte, l *Line) error
	Encoder func(w io.Writer) Encoder
}

// Encoder writes a value and a newline.
type Encoder interface{ Encode(v any) error }

// Standard is encoding/json.
var Standard = JSON{
	Decode:  func(line []byte, l *Line) error { return json.Unmarshal(line, l) },
	Encoder: NewEncoder,
}

// NewEncoder is encoding/json's, which writes texts as they are.
func NewEncoder(w io.Writer) Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Line is an event as it is read.
type Line struct {
	ID     string  `json:"id"`
	User   string  `json:"user"`
	Type   string  `json:"type"`
	Amount float64 `json:"amount"`
	At     string  `json:"at"` // RFC 3339
}

type epochLine struct {
	ID     string  `json:"id"`
	User   string  `json:"user"`
	Type   string  `json:"type"`
	Amount float64 `json:"amount"`
	At     int64   `json:"at"` // Unix ms
}

type event struct {
	ID     string    `json:"id"`
	User   string    `json:"user"`
	Type   string    `json:"type"`
	Amount float64   `json:"amount"`
	At     time.Time `json:"at"`
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
	decode               func(text []byte) (event, error)
	stats                Stats
	totals, byType, late Encoder
	newest, watermark    int64            // Unix ns
	swept                int64            // watermark at the last sweep of seen
	seen                 map[string]int64 // id -> when its entry dies
	spend                map[int64]map[string]*spending
	types                map[int64]map[string]int
}

// Run is workload W1: counts and sums of the events of r.
func Run(r io.Reader, totals, byType, late io.Writer) (Stats, error) {
	return RunWith(Standard, r, totals, byType, late)
}

// RunWith is Run with another library.
func RunWith(j JSON, r io.Reader, totals, byType, late io.Writer) (Stats, error) {
	return run(func(text []byte) (event, error) {
		var l Line
		if err := j.Decode(text, &l); err != nil {
			return event{}, err
		}
		at, err := time.Parse(time.RFC3339Nano, l.At)
		return event{l.ID, l.User, l.Type, l.Amount, at}, err
	}, j.Encoder, r, totals, byType, late)
}

// Epoch is Run for events whose time is a number of milliseconds.
func Epoch(r io.Reader, totals, byType, late io.Writer) (Stats, error) {
	return run(func(text []byte) (event, error) {
		var l epochLine
		err := json.Unmarshal(text, &l)
		return event{l.ID, l.User, l.Type, l.Amount, time.UnixMilli(l.At).UTC()}, err
	}, NewEncoder, r, totals, byType, late)
}

func run(decode func([]byte) (event, error), encoder func(io.Writer) Encoder, r io.Reader, totals, byType, late io.Writer) (Stats, error) {
	c := &counter{
		decode:    decode,
		newest:    math.MinInt64,
		watermark: math.MinInt64,
		swept:     math.MinInt64,
		seen:      map[string]int64{},
		spend:     map[int64]map[string]*spending{},
		types:     map[int64]map[string]int{},
	}
	var writers []*bufio.Writer
	for _, to := range []struct {
		encoder *Encoder
		w       io.Writer
	}{{&c.totals, totals}, {&c.byType, byType}, {&c.late, late}} {
		w := bufio.NewWriter(to.w)
		writers = append(writers, w)
		*to.encoder = encoder(w)
	}

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
	e, err := c.decode(text)
	if err != nil {
		return err
	}
	if err := c.count(&e); err != nil {
		return err
	}
	at := e.At.UnixNano()
	if at <= c.newest {
		return nil
	}
	c.newest = at
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
