package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
)

// runCompetent is W1 as an engineer writes it who knows Go and has a week: an own decoder over bytes that leaves what is unusual to encoding/json, times and numbers by
// hand, users as numbers, a slice of accumulators for each window, rows by append. Ids are keys of a Go map.
func runCompetent(r io.Reader, to []io.Writer, end func()) error {
	c := &competent{
		out:    [3]*bufio.Writer{},
		newest: math.MinInt64, watermark: math.MinInt64, swept: math.MinInt64,
		seen: map[string]int64{}, users: map[string]uint32{},
	}
	for i, w := range to {
		c.out[i] = bufio.NewWriterSize(w, 64<<10)
	}
	lines := bufio.NewReaderSize(r, 256<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 {
			if err := c.record(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	end()
	c.close(math.MaxInt64)
	for _, w := range c.out {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

const (
	disorder = int64(5 * time.Second)
	horizon  = int64(10 * time.Minute)
	size     = int64(time.Minute)
)

type competent struct {
	times     times
	out       [3]*bufio.Writer // totals, by type, late
	newest    int64            // Unix ns
	watermark int64
	swept     int64            // watermark at the last sweep of seen
	seen      map[string]int64 // id -> its event time
	users     map[string]uint32
	names     []string // of users, by number
	panes     []*pane  // open windows, oldest first
	free      []*pane
	line      []byte
}

type pane struct {
	start   int64
	spend   []spending // by user
	touched []uint32
	types   [2]int // clicks, purchases
}

type spending struct {
	events   int
	sum, fix float64
}

// record takes one event. Its byte slices are of the line.
func (c *competent) record(line []byte) error {
	var e plain
	if !e.decode(line, &c.times) {
		if err := e.decodeAny(line); err != nil {
			return err
		}
	}
	if err := c.fold(&e); err != nil {
		return err
	}
	if e.at <= c.newest {
		return nil
	}
	c.newest = e.at
	c.watermark = e.at - disorder
	if c.watermark > c.swept+size {
		c.swept = c.watermark
		for id, at := range c.seen {
			if at+horizon <= c.watermark {
				delete(c.seen, id)
			}
		}
	}
	c.close(c.watermark)
	return nil
}

func (c *competent) fold(e *plain) error {
	kind := 0
	switch string(e.kind) {
	case "click":
	case "purchase":
		kind = 1
	default:
		return nil
	}
	if e.at+horizon <= c.watermark {
		return c.late(e)
	}
	if first, ok := c.seen[string(e.id)]; ok && c.watermark < first+horizon {
		return nil
	}
	c.seen[string(e.id)] = e.at
	start := e.at - e.at%size
	if start+size <= c.watermark {
		return c.late(e)
	}
	user, ok := c.users[string(e.user)]
	if !ok {
		user = uint32(len(c.names))
		name := string(e.user)
		c.users[name] = user
		c.names = append(c.names, name)
	}
	p := c.pane(start)
	if int(user) >= len(p.spend) {
		p.spend = append(p.spend, make([]spending, len(c.names)+len(c.names)/4+64-len(p.spend))...)
	}
	s := &p.spend[user]
	if s.events == 0 {
		p.touched = append(p.touched, user)
	}
	s.events++
	t := s.sum + e.amount
	if math.Abs(s.sum) >= math.Abs(e.amount) {
		s.fix += (s.sum - t) + e.amount
	} else {
		s.fix += (e.amount - t) + s.sum
	}
	s.sum = t
	p.types[kind]++
	return nil
}

// pane is the window that begins at start.
func (c *competent) pane(start int64) *pane {
	for i := len(c.panes) - 1; i >= 0; i-- {
		if c.panes[i].start == start {
			return c.panes[i]
		}
	}
	p := &pane{}
	if n := len(c.free); n > 0 {
		p, c.free = c.free[n-1], c.free[:n-1]
	}
	p.start = start
	c.panes = append(c.panes, p)
	slices.SortFunc(c.panes, func(a, b *pane) int { return cmp.Compare(a.start, b.start) })
	return p
}

// close writes the windows that end up to watermark.
func (c *competent) close(watermark int64) {
	for len(c.panes) > 0 && (watermark == math.MaxInt64 || c.panes[0].start+size <= watermark) {
		p := c.panes[0]
		c.panes = c.panes[1:]
		prefix := append([]byte(nil), `{"window_start":"`...)
		prefix = time.Unix(0, p.start).UTC().AppendFormat(prefix, time.RFC3339Nano)
		prefix = append(prefix, `","window_end":"`...)
		prefix = time.Unix(0, p.start+size).UTC().AppendFormat(prefix, time.RFC3339Nano)
		slices.SortFunc(p.touched, func(a, b uint32) int { return cmp.Compare(c.names[a], c.names[b]) })
		for _, user := range p.touched {
			s := &p.spend[user]
			sum := s.sum + s.fix
			b := append(append(c.line[:0], prefix...), `","user":`...)
			b = appendText(b, c.names[user])
			b = strconv.AppendInt(append(b, `,"events":`...), int64(s.events), 10)
			b = appendFloat(append(b, `,"total":`...), sum)
			b = appendFloat(append(b, `,"mean":`...), sum/float64(s.events))
			c.line = append(b, "}\n"...)
			c.out[0].Write(c.line) // its error comes with Flush
			*s = spending{}
		}
		for i, name := range [...]string{"click", "purchase"} {
			if n := p.types[i]; n > 0 {
				b := append(append(append(c.line[:0], prefix...), `","type":"`...), name...)
				c.line = append(strconv.AppendInt(append(b, `","events":`...), int64(n), 10), "}\n"...)
				c.out[1].Write(c.line)
			}
		}
		p.touched, p.types = p.touched[:0], [2]int{}
		c.free = append(c.free, p)
	}
}

func (c *competent) late(e *plain) error {
	b := appendText(append(c.line[:0], `{"id":`...), string(e.id))
	b = appendText(append(b, `,"user":`...), string(e.user))
	b = appendText(append(b, `,"type":`...), string(e.kind))
	b = appendFloat(append(b, `,"amount":`...), e.amount)
	b = time.Unix(0, e.at).UTC().AppendFormat(append(b, `,"at":"`...), time.RFC3339Nano)
	c.line = append(b, "\"}\n"...)
	_, err := c.out[2].Write(c.line)
	return err
}

func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' || s[i] >= 0x7f {
			var quoted bytes.Buffer
			e := json.NewEncoder(&quoted)
			e.SetEscapeHTML(false)
			_ = e.Encode(s) // strings always encode
			return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendFloat(b []byte, x float64) []byte {
	if abs := math.Abs(x); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, _ := json.Marshal(x)
		return append(b, text...)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// plain is an event of the plain form.
type plain struct {
	id, user, kind []byte
	amount         float64
	at             int64 // Unix ns
}

// decode reads an object of strings without escapes and numbers, without white space. false: it is something else.
func (e *plain) decode(line []byte, t *times) bool {
	if len(line) < 2 || line[0] != '{' {
		return false
	}
	found := 0
	for i := 0; ; {
		i++ // behind '{' or ','
		if i >= len(line) || line[i] != '"' {
			return false
		}
		name, next, ok := str(line, i+1)
		if !ok || next >= len(line)-1 || line[next] != ':' {
			return false
		}
		i = next + 1
		var value []byte
		quoted := line[i] == '"'
		if quoted {
			value, next, ok = str(line, i+1)
		} else {
			value, next, ok = number(line, i)
		}
		if !ok || next >= len(line) {
			return false
		}
		i = next
		switch string(name) {
		case "id":
			e.id, ok = value, quoted
			found |= 1
		case "user":
			e.user, ok = value, quoted
			found |= 2
		case "type":
			e.kind, ok = value, quoted
			found |= 4
		case "amount":
			ok = !quoted
			if ok {
				e.amount, ok = float(value)
			}
			found |= 8
		case "at":
			ok = quoted
			if ok {
				e.at, ok = t.parse(value)
			}
			found |= 16
		}
		if !ok {
			return false
		}
		if line[i] == '}' {
			return found == 31 && i == len(line)-1
		}
		if line[i] != ',' {
			return false
		}
	}
}

// str is the string that begins at i, and the index behind its closing quote.
func str(line []byte, i int) (s []byte, next int, ok bool) {
	for j := i; j < len(line); j++ {
		switch c := line[j]; {
		case c == '"':
			return line[i:j], j + 1, true
		case c < ' ' || c == '\\' || c >= 0x80:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// number is the number that begins at i, without an exponent.
func number(line []byte, i int) (s []byte, next int, ok bool) {
	j := i
	for j < len(line) && (line[j]-'0' <= 9 || line[j] == '.' || line[j] == '-') {
		j++
	}
	s = line[i:j]
	digits := bytes.TrimPrefix(s, []byte("-"))
	whole, fraction, point := bytes.Cut(digits, []byte("."))
	if len(whole) == 0 || len(whole) > 1 && whole[0] == '0' || point && len(fraction) == 0 || bytes.ContainsAny(whole, ".-") || bytes.ContainsAny(fraction, ".-") {
		return nil, 0, false
	}
	return s, j, true
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// float is exact: below 2^53 over a power of ten that is a float is one rounding.
func float(s []byte) (float64, bool) {
	if len(s) > 16 || s[0] == '-' {
		x, err := strconv.ParseFloat(string(s), 64)
		return x, err == nil
	}
	n, places := int64(0), 0
	for i, c := range s {
		if c == '.' {
			places = len(s) - 1 - i
			continue
		}
		n = n*10 + int64(c-'0')
	}
	if n >= 1<<53 || places >= len(powers) {
		x, err := strconv.ParseFloat(string(s), 64)
		return x, err == nil
	}
	return float64(n) / powers[places], true
}

// times reads times; it keeps the day of the last one.
type times struct {
	text [11]byte // 2006-01-02T
	day  int64    // Unix ns
}

func (t *times) parse(s []byte) (ns int64, ok bool) {
	const form = "2006-01-02T15:04:05.000Z"
	if len(s) != len(form) || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return slow(s)
	}
	if string(s[:11]) != string(t.text[:]) {
		day, err := time.Parse(time.DateOnly+"T", string(s[:11]))
		if err != nil {
			return 0, false
		}
		t.day = day.UnixNano()
		copy(t.text[:], s)
	}
	var parts [4]int64
	for i, at := range [...]struct{ from, to int }{{11, 13}, {14, 16}, {17, 19}, {20, 23}} {
		for _, c := range s[at.from:at.to] {
			if c < '0' || c > '9' {
				return 0, false
			}
			parts[i] = parts[i]*10 + int64(c-'0')
		}
	}
	if parts[0] > 23 || parts[1] > 59 || parts[2] > 59 {
		return slow(s)
	}
	return t.day + ((parts[0]*60+parts[1])*60+parts[2])*1e9 + parts[3]*1e6, true
}

func slow(s []byte) (int64, bool) {
	at, err := time.Parse(time.RFC3339Nano, string(s))
	return at.UnixNano(), err == nil
}

// decodeAny reads an event of any form.
func (e *plain) decodeAny(line []byte) error {
	var l struct {
		ID     string    `json:"id"`
		User   string    `json:"user"`
		Type   string    `json:"type"`
		Amount float64   `json:"amount"`
		At     time.Time `json:"at"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	*e = plain{[]byte(l.ID), []byte(l.User), []byte(l.Type), l.Amount, l.At.UnixNano()}
	return nil
}
