package inspect

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// entry is something that a stage keeps: an id, or what there is for a key, or for a key in a window.
type entry struct {
	start int64 // of the window
	key   string
	at    int64  // event time: of an id its first, of a window its start, of a running total its newest
	dies  int64  // the watermark at which it goes; stream.Always: not known
	kept  string // members of a JSON object
}

// stage collects what one stage keeps from its frames.
type stage struct {
	piece
	entries map[string]*entry  // the newest of each start and key
	starts  map[string][]int64 // of the sessions of a key
	keys    map[uint32]string  // by the ids that windows name them by; nil: they have keys by value
	bytes   int64
	frames  int
	broken  error
}

func (s *stage) put(e entry) {
	name := nameOf(e.start, e.key)
	if old := s.entries[name]; old != nil && s.kind() == "dedup" && old.at >= e.at {
		return
	}
	s.entries[name] = &e
}

func nameOf(start int64, key string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(start))) + key
}

// kind is the first word of what the stage is.
func (s *stage) kind() string {
	if len(s.is) == 0 {
		return ""
	}
	word, _, _ := strings.Cut(s.is[0], " ")
	return strings.TrimSuffix(word, ",")
}

// revised says whether rows of the stage can be replaced by later ones, for a time behind the end of their window that is in no commit.
func (s *stage) revised() bool { return strings.HasSuffix(s.is[0], ", with revisions") }

// known says whether entries can be told of the stage.
func (s *stage) known() bool {
	return s.parts != nil && slices.Contains([]string{"dedup", "tumbling", "hopping", "cumulative", "calendar", "session", "running"}, s.kind())
}

// read takes a frame.
func (s *stage) read(f checkpoint.Frame) {
	s.bytes += int64(len(f.Data))
	s.frames++
	if !s.known() || s.broken != nil {
		return
	}
	r := table.NewReader(f.Data)
	switch s.kind() {
	case "dedup":
		s.ids(&r, f)
	case "tumbling", "hopping", "cumulative", "calendar":
		s.windows(&r, f)
	case "session":
		s.sessions(&r, f)
	case "running":
		s.totals(&r, f)
	}
	if s.broken == nil {
		s.broken = r.Done()
	}
}

// windows reads the frame of a stage with windows: a count of windows, or of their slices or steps; for each its start and until when it is kept, and enclosed a count of keys, their ids, and what is
// kept for each; then a count of keys, and for each its id and the key. In front of slices stands up to where they are added up, and where rows can be replaced how many rows windows have given: a
// count of windows, for each its start, until when it is kept, and a count of ids, each with such a number.
func (s *stage) windows(r *table.Reader, f checkpoint.Frame) {
	sliced := strings.Contains(s.is[0], ", by the slice")
	if sliced {
		r.Int()
	}
	if sliced && s.revised() {
		for range r.Count(3) {
			r.Span()
			for range r.Count(2) {
				r.Uint()
				r.Int()
			}
		}
	}
	if s.keys == nil {
		s.windowsByValue(r, f)
		return
	}
	var all []entry
	var ids []uint32 // beside all
	for range r.Count(10) {
		start, over := r.Span()
		in := table.NewReader(r.Enclosed())
		n := in.Count(1)
		for range n {
			ids = append(ids, uint32(in.Uint()))
		}
		for range n {
			all = append(all, entry{start: start, at: start, dies: over, kept: `"keeps":{` + s.values(&in, false) + "}"})
			if s.revised() && !sliced { // the revision of its next row
				in.Int()
			}
		}
		if err := in.Done(); err != nil {
			s.broken = err
			return
		}
	}
	for range r.Count(2) {
		id := uint32(r.Uint())
		key := table.NewReader(r.Bytes())
		s.keys[id] = s.values(&key, true)
		if err := key.Done(); err != nil {
			s.broken = err
			return
		}
	}
	for i, e := range all {
		if key, ok := s.keys[ids[i]]; ok { // else its window is gone, and with it what told the key
			e.key = key
			s.put(e)
		}
	}
}

// windowsByValue reads what windows wrote at first: for each its start, a count of keys, the keys, and what is kept for each.
func (s *stage) windowsByValue(r *table.Reader, f checkpoint.Frame) {
	newest := stream.Never
	var all []entry
	for range r.Count(2) {
		e := entry{start: r.Int()}
		n := r.Uint()
		if n > uint64(len(f.Data)) { // without a key there is one
			r.Fail("a count beyond the end")
			return
		}
		keys := make([]string, n)
		for i := range keys {
			keys[i] = s.values(r, true)
		}
		for _, key := range keys {
			newest = e.start
			all = append(all, entry{start: e.start, at: e.start, key: key, kept: `"keeps":{` + s.values(r, false) + "}"})
			if s.revised() { // the revision of its next row
				r.Int()
			}
		}
	}
	size := f.Expires - newest // frames die with the newest window in them
	for _, e := range all {
		if e.dies = e.start + size; s.kind() == "calendar" { // they are not of one length
			e.dies = stream.Always
		}
		s.put(e)
	}
}

// sessions reads the frame of a stage with sessions: a count of keys; for each the key, a count of its sessions, and for each its start, how long it is, and what is kept for it. That takes
// the place of what was known of the key.
func (s *stage) sessions(r *table.Reader, f checkpoint.Frame) {
	for range r.Count(3) {
		key := s.values(r, true)
		for _, start := range s.starts[key] {
			delete(s.entries, nameOf(start, key))
		}
		s.starts[key] = s.starts[key][:0]
		for range r.Count(3) {
			e := entry{key: key, start: r.Int()}
			e.at, e.dies = e.start, e.start+int64(r.Uint())
			e.kept = `"keeps":{` + s.values(r, false) + "}"
			if s.revised() { // the revision of its next row, and whether one stands
				e.dies = f.Expires
				r.Int()
				r.Bool()
			}
			s.starts[key] = append(s.starts[key], e.start)
			s.put(e)
		}
	}
}

// totals reads the frame of running totals.
func (s *stage) totals(r *table.Reader, f checkpoint.Frame) {
	newest := stream.Never
	var all []entry
	periodic := strings.Contains(s.is[0], "intervals")
	for range r.Count(3) {
		e := entry{key: s.values(r, true), kept: s.values(r, false)}
		since, asOf, revision := r.Int(), r.Int(), r.Int()
		if periodic {
			r.Bool()
		}
		e.at = asOf
		newest = max(newest, asOf)
		e.kept = fmt.Sprintf(`"since":%s,"as_of":%s,"revision":%d,"keeps":{%s}`, instant(since), instant(asOf), revision, e.kept)
		all = append(all, e)
	}
	for _, e := range all {
		e.dies = e.at + f.Expires - newest
		s.put(e)
	}
}

// values reads the parts of a key, or those that are kept for it, as members of a JSON object.
func (s *stage) values(r *table.Reader, key bool) string {
	var dst []byte
	for _, p := range s.parts {
		if p.key != key {
			continue
		}
		if len(dst) > 0 {
			dst = append(dst, ',')
		}
		dst = append(codec.AppendText(dst, p.name()), ':')
		dst = p.read(r, dst)
	}
	return string(dst)
}

// read appends the value of the part as JSON.
func (p part) read(r *table.Reader, dst []byte) []byte {
	switch {
	case p.key: // whether there is one stands before it
		if p.null && !r.Bool() {
			bare(r, nil, p.typ)
			return append(dst, "null"...)
		}
		return bare(r, dst, p.typ)
	case strings.HasPrefix(p.kind, "count"):
		return codec.AppendInt(dst, r.Int())
	case p.kind == "sum of" && p.typ == "double":
		sum, lost := r.Float(), r.Float()
		return codec.AppendFloat(dst, sum+lost)
	case p.kind == "sum of":
		high, low := r.Int(), r.Word()
		sum := new(big.Int).Lsh(big.NewInt(high), 64)
		return append(dst, decimal(sum.Add(sum, new(big.Int).SetUint64(low)), p.typ)...)
	}
	switch p.kind {
	case "squares of":
		sum := new(big.Int)
		for _, word := range []uint64{r.Uint(), r.Uint(), r.Word()} {
			sum.Add(sum.Lsh(sum, 64), new(big.Int).SetUint64(word))
		}
		return append(dst, sum.String()...)
	case "moments of":
		dst = append(codec.AppendInt(append(dst, `{"n":`...), r.Int()), `,"mean":`...)
		dst = append(codec.AppendFloat(dst, r.Float()), `,"squares":`...)
		return append(codec.AppendFloat(dst, r.Float()), '}')
	case "values of": // how many
		r.Bool()
		before := r.Uint() // in commits before
		n := r.Count(8)
		for range n {
			r.Word()
		}
		return codec.AppendInt(dst, int64(before)+int64(n))
	case "registers of": // how many bytes
		return codec.AppendInt(dst, int64(len(r.Bytes())))
	case "buckets of": // how many values
		r.Uint()
		r.Float()
		r.Float()
		values := uint64(0)
		for range r.Count(2) {
			r.Uint()
			values += r.Uint()
		}
		return codec.AppendInt(dst, int64(values))
	case "first rows by": // how many
		words := p.words()
		n := r.Count(2)
		for range n {
			if p.text() {
				r.Bytes()
			} else {
				r.Word()
			}
			r.Int()
			for _, text := range words {
				if text {
					r.Bytes()
				} else {
					r.Word()
				}
			}
		}
		return codec.AppendInt(dst, int64(n))
	case "different values of": // how many
		const more = 2 // than commits before have
		some := r.Uint()
		zero, text := r.Bool(), p.typ == "string" || p.typ == "bytes"
		before := uint64(0)
		if some == more {
			before = r.Uint()
		} else if some > more {
			r.Fail("no set")
		}
		n := r.Count(2)
		for range n {
			if text {
				r.Bytes()
			} else {
				r.Word()
			}
		}
		if zero {
			n++
		}
		return codec.AppendInt(dst, int64(before)+int64(n))
	}
	value := bare(r, nil, p.typ) // whether there is one stands behind it
	if p.null && !r.Bool() {
		value = []byte("null")
	}
	if p.kind == "first of" || p.kind == "last of" {
		r.Int()
	}
	return append(dst, value...)
}

// text says whether a value of the part is a text.
func (p part) text() bool {
	return !strings.HasSuffix(p.of, " from the earliest") && (p.typ == "string" || p.typ == "bytes")
}

// words says of each word that is kept of a row beside what it is ranked by, and its time, whether it is a text.
func (p part) words() (texts []bool) {
	if strings.HasSuffix(p.of, " from the earliest") {
		return []bool{p.typ == "string" || p.typ == "bytes"}
	}
	null := false
	for i, field := range outside(p.of, " with ") {
		if i == 0 {
			continue
		}
		for _, f := range outside(field, " and ") {
			f, nullable := strings.CutSuffix(f, " or null")
			null = null || nullable
			texts = append(texts, strings.HasSuffix(f, " string") || strings.HasSuffix(f, " bytes"))
		}
	}
	if null { // which of the fields are
		texts = append([]bool{false}, texts...)
	}
	return texts
}

// outside cuts a text at each place of a separator that does not stand in quotes.
func outside(text, separator string) (all []string) {
	quotes, from := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quotes:
			i++
		case text[i] == '"':
			quotes = !quotes
		case !quotes && strings.HasPrefix(text[i:], separator):
			all = append(all, text[from:i])
			from = i + len(separator)
		}
	}
	return append(all, text[from:])
}

// bare appends a value of a type as JSON.
func bare(r *table.Reader, dst []byte, typ string) []byte {
	switch typ {
	case "string":
		return codec.AppendString(dst, r.Bytes())
	case "bytes":
		return codec.AppendBytes(dst, r.Bytes())
	case "bool":
		return codec.AppendBool(dst, r.Bool())
	case "double":
		return codec.AppendFloat(dst, r.Float())
	case "time":
		return append(dst, instant(r.Int())...)
	}
	return append(dst, decimal(big.NewInt(r.Int()), typ)...)
}

// decimal is n, of a decimal in units of its scale.
func decimal(n *big.Int, typ string) string {
	text := n.String()
	var scale int
	if _, err := fmt.Sscanf(typ, "decimal(%d)", &scale); err != nil || scale == 0 {
		return text
	}
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	for len(text) <= scale {
		text = "0" + text
	}
	return sign + text[:len(text)-scale] + "." + text[len(text)-scale:]
}

// ids reads the frame of a dedup: entries as they were in memory, each a struct of the parts of the id and the event time of the first copy.
func (s *stage) ids(r *table.Reader, f checkpoint.Frame) {
	n, size := r.Uint(), r.Uint()
	data := r.Rest()
	at, want := uint64(0), uint64(4) // offsets behind the number by which the order of bytes is known
	align := func(to uint64) { at = (at + to - 1) / to * to }
	type field struct {
		part
		at uint64
	}
	var fields []field
	for _, p := range s.parts {
		width := uint64(8)
		switch p.typ {
		case "string", "bytes":
			align(8)
			width = 16
		case "bool":
			width = 1
		default:
			align(8)
		}
		fields = append(fields, field{p, at})
		at += width
	}
	align(8)
	if at+8 != size || uint64(len(data)) != want+n*size || binary.NativeEndian.Uint32(data) != 0x01020304 {
		s.broken = fmt.Errorf("its ids were written on another kind of machine")
		return
	}
	newest := stream.Never
	var all []entry
	for data = data[want:]; len(data) > 0; data = data[size:] {
		var key []byte
		for i, p := range fields {
			if i > 0 {
				key = append(key, ',')
			}
			key = append(codec.AppendText(key, p.name()), ':')
			word := binary.NativeEndian.Uint64
			switch p.typ {
			case "string", "bytes":
				key = codec.AppendText(key, table.Text{A: word(data[p.at:]), B: word(data[p.at+8:])}.String())
			case "bool":
				key = codec.AppendBool(key, data[p.at] != 0)
			case "time":
				key = append(key, instant(int64(word(data[p.at:])))...)
			default:
				key = append(key, decimal(big.NewInt(int64(word(data[p.at:]))), p.typ)...)
			}
		}
		e := entry{key: string(key), at: int64(binary.NativeEndian.Uint64(data[size-8:]))}
		newest = max(newest, e.at)
		all = append(all, e)
	}
	for _, e := range all {
		e.dies = e.at + f.Expires - newest
		s.put(e)
	}
}

// instant is a time as JSON.
func instant(ns int64) string { return string(codec.AppendTime(nil, ns)) }
