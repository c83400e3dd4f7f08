package events

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Adversarial makes a small file (50 to 2,000 lines) of the events of W1 that goes for the edges: of the dedup horizon and of windows (exactly, and one nanosecond to
// both sides), of the range of times, of JSON, of the contract, of numbers, times and long keys. Each seed has a mood of its own, so that a few hundred seeds
// meet every edge beside every other.
func Adversarial(seed int64) []byte {
	r := rand.New(rand.NewPCG(uint64(seed), 0x5eed))
	a := &adversary{Rand: r, newest: math.MinInt64}
	a.now = a.pick64(
		time.Date(2024, 2, 28, 23, 58, 0, 0, time.UTC).UnixNano(),
		time.Date(2024, 2, 28, 23, 58, 0, 0, time.UTC).UnixNano(),
		-int64(3*time.Minute),
		time.Date(1931, 5, 1, 0, 0, 0, 0, time.UTC).UnixNano(),
		math.MinInt64+a.Int64N(int64(3*time.Minute)),
		math.MaxInt64-a.Int64N(int64(30*time.Minute)),
	)
	a.names()
	a.bad = []float64{0, 0.02, 0.02, 0.3}[a.IntN(4)]
	a.jumps = []float64{0, 0.002, 0.02, 0.9}[a.IntN(4)]
	a.huge = []float64{0, 0, 0.3}[a.IntN(3)]
	a.fancy = []float64{0, 0.1, 1}[a.IntN(3)]
	a.repeats = []float64{0.01, 0.2}[a.IntN(2)]
	a.unit = a.pick64(1, int64(time.Millisecond), int64(time.Second))

	lines := 50 + a.IntN(150)
	if a.IntN(8) == 0 {
		lines = 2000
	}
	for a.lines < lines {
		a.act()
	}
	file := a.file
	if a.IntN(3) == 0 {
		file = file[:len(file)-1] // the last newline
	}
	return file
}

// Nanoseconds: what the edges of W1 are made of.
const (
	bound   = int64(5 * time.Second)
	horizon = int64(10 * time.Minute)
	window  = int64(time.Minute)
)

// adversary is a random stream in the making.
type adversary struct {
	*rand.Rand
	file   []byte
	lines  int
	now    int64 // about the newest event time
	newest int64 // highest event time of a good line
	serial int
	sent   []draft // good events

	ids, users                       []string
	bad, jumps, huge, fancy, repeats float64 // shares
	unit                             int64   // ns, resolution of times
}

// draft is an event before it is written.
type draft struct {
	id, user, kind string
	amount         string // JSON
	at             int64
}

// act adds what comes next.
func (a *adversary) act() {
	x := a.Float64()
	switch {
	case x < a.bad:
		a.line(a.rubbish())
	case x < a.bad+0.03:
		a.horizonEdge()
	case x < a.bad+0.06:
		a.windowEdge()
	case x < a.bad+0.06+a.repeats && len(a.sent) > 0:
		d := a.sent[max(0, len(a.sent)-1-a.IntN(40))]
		if a.IntN(4) == 0 {
			d = a.sent[a.IntN(len(a.sent))]
		}
		if a.IntN(3) == 0 {
			d.at = a.near() // another time than the first copy's
		}
		a.send(d)
	case x < a.bad+0.10+a.repeats:
		d := a.draft()
		d.at = saturate(a.newest, -a.Int64N(20*window))
		a.send(d)
	default:
		a.advance()
		a.send(a.draft())
	}
}

// advance moves the clock, mostly by little.
func (a *adversary) advance() {
	step := a.Int64N(2 * int64(time.Second))
	switch {
	case a.Float64() < a.jumps:
		step = a.pick64(window, window+int64(time.Second), horizon, horizon+bound, a.Int64N(int64(50*time.Hour)))
	case a.IntN(20) == 0:
		step = a.Int64N(2 * window)
	}
	a.now = saturate(a.now, step/a.unit*a.unit)
}

// near is a time that is not late.
func (a *adversary) near() int64 {
	return saturate(a.now, -a.pick64(0, a.Int64N(bound)/a.unit*a.unit, a.Int64N(bound)/a.unit*a.unit, bound))
}

func (a *adversary) draft() draft {
	d := draft{
		id:     a.ids[a.IntN(len(a.ids))],
		user:   a.users[a.IntN(len(a.users))],
		kind:   a.pick("click", "click", "purchase", "purchase", "view", "signup"),
		amount: a.amount(),
		at:     a.near(),
	}
	if a.IntN(4) > 0 {
		a.serial++
		d.id = a.fresh(d.id)
	}
	return d
}

// fresh makes an id that was not there before from one that was: of the same length for UUIDs, else longer.
func (a *adversary) fresh(id string) string {
	if len(id) == 36 && strings.Count(id, "-") == 4 {
		return id[:28] + fmt.Sprintf("%08x", a.serial)
	}
	return id + strconv.Itoa(a.serial)
}

// mover sends an event that brings the watermark to w, if it is not there yet.
func (a *adversary) mover(w int64) {
	if at := saturate(w, bound); at > a.newest {
		a.now = max(a.now, at)
		a.serial++
		a.send(draft{a.fresh("mover"), a.users[0], a.pick("click", "view"), "1", at})
	}
}

// horizonEdge brings the watermark to where an entry of the dedup dies, or one nanosecond to either side, and sends the id again: once unchanged, once with a new time.
func (a *adversary) horizonEdge() {
	if len(a.sent) == 0 {
		return
	}
	first := a.sent[max(0, len(a.sent)-1-a.IntN(60))]
	a.mover(saturate(saturate(first.at, horizon), a.Int64N(3)-1))
	again := first
	again.at = a.near()
	if a.IntN(2) == 0 {
		a.send(first)
		a.send(again)
	} else {
		a.send(again)
		a.send(first)
	}
	a.send(again)
}

// windowEdge brings the watermark to the end of a window, or one nanosecond to either side, and sends events at its edges.
func (a *adversary) windowEdge() {
	start := floor(a.now, window)
	end := saturate(start, window)
	a.mover(saturate(end, a.Int64N(3)-1))
	for _, at := range []int64{saturate(end, -1), end, start, saturate(start, -1)} {
		d := a.draft()
		d.at = at
		a.send(d)
	}
}

// send writes a good event.
func (a *adversary) send(d draft) {
	a.newest = max(a.newest, d.at)
	a.now = max(a.now, d.at)
	if len(a.sent) < 5000 {
		a.sent = append(a.sent, d)
	}
	a.line(a.object(d.fields(a)))
}

// field is a member of an object, in JSON.
type field struct{ name, value string }

func (d draft) fields(a *adversary) []field {
	return []field{
		{`"id"`, a.quote(d.id)}, {`"user"`, a.quote(d.user)}, {`"type"`, a.quote(d.kind)}, {`"amount"`, d.amount}, {`"at"`, a.quote(a.time(d.at))},
	}
}

// object writes fields, sometimes in another order, between others, with space and escaped names.
func (a *adversary) object(fields []field) string {
	space := func() string { return "" }
	if a.Float64() < a.fancy {
		if a.IntN(2) == 0 {
			space = func() string { return a.pick("", "", " ", "\t", "\r", "  \t ") }
		}
		for range a.IntN(4) {
			fields = slices.Insert(fields, a.IntN(len(fields)+1), a.undeclared())
		}
		if a.IntN(2) == 0 {
			a.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		}
		if a.IntN(4) == 0 {
			i := a.IntN(len(fields))
			fields[i].name = strings.NewReplacer("i", `\u0069`, "a", `\u0061`, "u", `\u0075`, "t", `\u0074`).Replace(fields[i].name)
		}
	}
	var b strings.Builder
	b.WriteString(space() + "{" + space())
	for i, f := range fields {
		if i > 0 {
			b.WriteString("," + space())
		}
		b.WriteString(f.name + space() + ":" + space() + f.value + space())
	}
	return b.String() + "}" + space()
}

func (a *adversary) undeclared() field {
	return field{
		a.pick(`"page"`, `"page"`, `""`, `"ID"`, `"Id"`, `"id "`, `"\u0000"`, `"amount\u0000"`, `"ät"`, `"idid"`, `"i"`),
		a.pick(`null`, `true`, `[]`, `{}`, `-0.0e-0`, `1e999999999`, `"\ud83d\ude00\/\b\f"`, `[1,[2,{"id":[3],"id":4}],"x"]`, `{"id":"inner","at":{"at":[]}}`, `"`+strings.Repeat("x", a.IntN(300))+`"`,
			`123456789012345678901234567890.5E+3`, `"\"id\":\"no\""`, strings.Repeat("[", 511)+strings.Repeat("]", 511)),
	}
}

// rubbish is a line that is no event: no JSON, or against the contract.
func (a *adversary) rubbish() string {
	d := a.draft()
	if a.IntN(3) > 0 {
		d.at = saturate(a.newest, a.Int64N(int64(time.Hour))) // must not move the watermark
	}
	fields := d.fields(a)
	i := a.IntN(len(fields))
	switch a.IntN(9) {
	case 0: // a field is missing
		return a.object(slices.Delete(fields, i, i+1))
	case 1: // or of a wrong type, and perhaps a second one
		for range 1 + a.IntN(2) {
			fields[a.IntN(len(fields))].value = a.pick(`null`, `true`, `false`, `[]`, `{}`, `[1]`, `{"a":null}`, `""`)
		}
		if a.IntN(2) == 0 {
			fields[i].value = a.pick(`12`, `"12"`, `-1`, `-0.01`, `1e309`, `-1e309`, `-1e-400`, `"click "`, `"Click"`, `"clicks"`, `"clic"`)
		}
		return a.object(fields)
	case 2: // or of a wrong value
		switch i {
		case 0, 1:
			fields[i].value = `""`
		case 2:
			fields[i].value = a.pick(`"buy"`, `""`, `"viewview"`, `"purchasf"`, `"VIEW"`, `"view\u0000"`)
		case 3:
			fields[i].value = a.pick(`-1`, `-5e-324`, `-0.5`, `1e400`, `1.8e308`, `-1e400`, `1e999999999999999999999`)
		default:
			fields[i].value = a.pick(badTimes...)
		}
		return a.object(fields)
	case 3: // a field twice
		twice := fields[i]
		if a.IntN(2) == 0 {
			twice.name = strings.NewReplacer("d", `\u0064`, "e", `\u0065`, "t", `\u0074`).Replace(twice.name)
		}
		return a.object(append(fields, twice))
	case 4: // cut
		text := a.object(fields)
		return text[:1+a.IntN(len(text)-1)]
	case 5: // a byte changed
		text := []byte(a.object(fields))
		text[a.IntN(len(text))] = a.pick("\x00", "\x01", "\x1f", `"`, `\`, "{", "}", ",", ":", "\xff", "\xc3", "\xed", "0", "e", "-", "\x7f")[0]
		return string(text)
	case 6: // something bad inside
		fields[i].value = a.pick(
			`"\ud800"`, `"\udc00"`, `"\ud800\u0041"`, `"\ud800x"`, `"\udbff\ud800"`, "\"\xed\xa0\x80\"", "\"\xc0\xaf\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\"a\tb\"", `"\x41"`, `"\u12"`, `"\u00g0"`,
			`01`, `1.`, `.5`, `+1`, `1e`, `1e+`, `-`, `NaN`, `Infinity`, `0x10`, `1_0`, `--1`, `nul`, `True`, `[1,]`, `{"a":1,}`, `{"a"}`, `{1:2}`, `[1 2]`, `'x'`, ``, `"`,
			strings.Repeat("[", 512)+strings.Repeat("]", 512), strings.Repeat(`{"a":`, 600)+"1"+strings.Repeat("}", 600),
		)
		if a.IntN(2) == 0 {
			fields[i].name = `"other"`
		}
		return a.object(fields)
	case 7: // a time beyond int64
		fields[4].value = a.pick(outside...)
		return a.object(fields)
	}
	return a.pick(`[]`, `null`, `1`, `"{}"`, `{}`, `{`, `}`, `not json`, `{"id":"x"`, `{"id":"x"}}`, `{} {}`, `{}x`, "\uFEFF{}", "\uFEFF", "\u00a0", "\v", `{,}`, `{"":}`,
		a.object(fields)+a.object(fields), a.object(fields)+" x", "\uFEFF"+a.object(fields), a.object(fields)+"\uFEFF", a.object(fields)+"\x00", "{\n}", "{\"id\":\"a\n\"}")
}

var badTimes = []string{
	`""`, `"2024-01-01"`, `"2024-01-01T00:00:00"`, `"2024-01-01 00:00:00Z"`, `"2024-01-01T00:00:00,5Z"`, `"2024-01-01T0:00:00Z"`, `"2024-01-01T00:00:00.Z"`, `"2024-01-01T00:00:00+24:00"`,
	`"2024-01-01T00:00:00+00:60"`, `"2024-01-01T00:00:00+0000"`, `"2024-01-01T00:00:00+00"`, `"2024-01-01T24:00:00Z"`, `"2024-01-01T00:60:00Z"`, `"2024-01-01T00:00:61Z"`, `"2024-13-01T00:00:00Z"`,
	`"2024-00-01T00:00:00Z"`, `"2024-01-00T00:00:00Z"`, `"2023-02-29T00:00:00Z"`, `"1900-02-29T00:00:00Z"`, `"2024-04-31T00:00:00Z"`, `"2024-01-01T22:59:60Z"`, `"2024-01-01T23:59:60+01:00"`,
	`"2024-01-01T23:58:60Z"`, `"2024-01-01T00:00:00Z "`, `" 2024-01-01T00:00:00Z"`, `"02024-01-01T00:00:00Z"`, `"-024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00z0"`, `"20240101T000000Z"`,
	`"2024-01-01T00:00:0٣Z"`, `"2024-01-01T00:00:00.1234567890123x"`, `"2024-1-01T00:00:00Z"`, `1704067200`,
}

// outside are times beyond int64 nanoseconds.
var outside = []string{
	`"0000-01-01T00:00:00Z"`, `"9999-12-31T23:59:59Z"`, `"1677-09-21T00:12:43.145224191Z"`, `"2262-04-11T23:47:16.854775808Z"`, `"2262-04-11T23:47:16-00:01"`, `"1677-09-21T00:12:44+00:01"`,
}

// time writes t as RFC 3339: with more digits than needed, in another zone, in lower case, cut behind the ninth digit.
func (a *adversary) time(t int64) string {
	at := time.Unix(0, t).UTC()
	if a.Float64() >= a.fancy {
		return at.Format("2006-01-02T15:04:05.999999999Z07:00")
	}
	if minutes := a.IntN(24*60) - 12*60; a.IntN(3) == 0 {
		at = at.In(time.FixedZone("", minutes*60))
	}
	text := at.Format("2006-01-02T15:04:05.999999999Z07:00")
	switch a.IntN(6) {
	case 0:
		text = at.Format("2006-01-02T15:04:05.000000000Z07:00")
	case 1:
		text = at.Format("2006-01-02T15:04:05.000000000") + a.pick("9", "99999", "0000000000000000000000") + at.Format("Z07:00")
	case 2:
		text = strings.ToLower(text)
	case 3:
		text = strings.Replace(text, "Z", a.pick("-00:00", "+00:00"), 1)
	case 4:
		if u := at.UTC(); u.Hour() == 23 && u.Minute() == 59 && u.Second() == 59 && u.Nanosecond() == 999_999_999 {
			text = at.Format("2006-01-02T15:04:") + "60" + a.pick("", ".5", ".000") + at.Format("Z07:00")
		}
	}
	return text
}

// amount is a number of at least 0.
func (a *adversary) amount() string {
	if a.Float64() < a.huge {
		return a.pick("1e308", "1.7976931348623157e308", "9e307", "8.98846567431158e307")
	}
	if a.Float64() < a.fancy {
		return a.pick("0", "-0", "-0.0", "0.10", "1e-1", "1E+2", "1e3", "5e-324", "1e-400", "-1e-400", "2.2250738585072014e-308", "2.2250738585072011e-308", "9007199254740993", "0.1", "0.2", "0.3",
			"1e16", "1", "1e21", "999999999999999999999", "1e-6", "9.9e-7", "1e-7", "123456789.123456789", "0.1000000000000000055511151231257827021181583404541015625", "1e0000000000000000000001",
			"0."+strings.Repeat("0", 300)+"1", "1"+strings.Repeat("0", 300), "3.0000000000000000000000000000000000001")
	}
	return fmt.Sprintf("%d.%02d", a.IntN(1000), a.IntN(100))
}

// quote writes a JSON string, sometimes with escapes where none is needed.
func (a *adversary) quote(s string) string {
	escape := a.Float64() < a.fancy/4
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || escape && r < 0x10000 && a.IntN(3) == 0:
			fmt.Fprintf(&b, a.pick(`\u%04x`, `\u%04X`), r)
		case escape && r >= 0x10000:
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// names chooses the ids and users of the stream: short and long ones that share their first 8, 11 and 15 bytes, UUIDs in both cases, escapes, non-ASCII.
func (a *adversary) names() {
	long := []string{"a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijk", "abcdefghijkl", "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnoq", "abcdefghijklmnopq"}
	for _, n := range []int{8, 11, 15, 16, 100, 199} {
		long = append(long, strings.Repeat("k", n), strings.Repeat("k", n)+"a", strings.Repeat("k", n)+"b")
	}
	strange := []string{"é", "e\u0301", "日本語", "😀", "\u2028", "\u0000", "a\u0000", "\x7f", `"`, `\`, "<&>", "\n\r\t\b\f\v", "\uFEFF", "\uFFFD", "\uFFFF", "\U0010FFFF", "kkkkkkkkkkkkkk😀", "kkkkkkkk\u0000", "\u00ff\u00ff\u00ff\u00ff"}
	uuids := []string{
		"f81d4fae-7dec-41d0-a765-00a0c91e6bf6", "f81d4fae-7dec-41d0-b765-00a0c91e6bf6", "F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6", "f81d4fae-7dec-41d0-c765-00a0c91e6bf6", "f81d4fae-7dec-41d0-0765-00a0c91e6bf6",
		"f81d4fae-7dec-41d0-A765-00a0c91e6bf6", "f81d4fae07dec041d00a765000a0c91e6bf6", "00000000-0000-0000-8000-000000000000", "ffffffff-ffff-ffff-bfff-ffffffffffff",
	}
	few := []string{"u1", "u2", "u3"}
	all := slices.Concat(long, strange, uuids, few)
	sets := [][]string{few, few, long, uuids, strange, all}
	a.ids = sets[a.IntN(len(sets))]
	a.users = sets[a.IntN(len(sets))]
	if a.IntN(4) == 0 {
		a.users = nil
		for i := range 200 {
			a.users = append(a.users, "user-"+strconv.Itoa(i*i))
		}
	}
}

// line ends a line, sometimes with CRLF, sometimes with blank ones behind it.
func (a *adversary) line(text string) {
	a.file = append(a.file, text...)
	if a.IntN(30) == 0 {
		a.file = append(a.file, '\r')
	}
	a.file = append(a.file, '\n')
	if a.IntN(60) == 0 {
		a.file = append(a.file, a.pick("\n", "\r\n", " \t\n", "\n\n\r\r\n")...)
	}
	a.lines++
}

func (a *adversary) pick(from ...string) string { return from[a.IntN(len(from))] }

func (a *adversary) pick64(from ...int64) int64 { return from[a.IntN(len(from))] }

// saturate is t + d, within int64.
func saturate(t, d int64) int64 {
	switch s := t + d; {
	case d > 0 && s < t:
		return math.MaxInt64
	case d < 0 && s > t:
		return math.MinInt64
	default:
		return s
	}
}

// floor is the largest multiple of d up to t, or the least int64.
func floor(t, d int64) int64 { return saturate(t, -((t%d + d) % d)) }
