package runtimetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/task"
)

// A decoder reads most records in one pass that expects members as they have stood before, and the others by a second function, each with the contract in it. Other spellings of one record
// go through other parts of both: its members in another order and with white space between them are still what the first finds, names with escapes are for the second alone.
var spellings = [...]struct {
	name    string
	escapes bool
}{{"members in another order, white space between them", false}, {"members in another order, names and texts with escapes", true}}

// respelled replays the records in every other spelling: rows, counters and faults are the same. What shows the bytes of a record may differ: raw rows, and of dead letters the
// original and where in it a fault is.
func respelled(p task.Pipeline, input []feed, all int, want Result) (wrong []error) {
	want = want.clone()
	for _, s := range spellings {
		others := make([]feed, len(input))
		same := true
		for i, f := range input {
			others[i] = f
			if p.Sources[f.source].Columns != nil {
				continue
			}
			other, err := feedOf(p, f.source, respell(f.data, s.escapes, p.Sources[f.source].MaxRecord))
			if err != nil {
				return append(wrong, err)
			}
			other.name = f.name
			for j := range other.blocks {
				other.blocks[j].file = f.blocks[0].file
			}
			others[i], same = other, same && bytes.Equal(f.data, other.data)
		}
		if same {
			continue
		}
		got, err := (&replay{pipeline: p, batch: all}).run(others)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		for i, sink := range p.Sinks {
			if sink.Raw {
				got.Outputs[i] = want.Outputs[i]
			}
		}
		asWanted := want
		asWanted.Letters, got.Letters = withoutBytes(want.Letters), withoutBytes(got.Letters)
		if d := asWanted.differs(p, got); d != "" {
			wrong = append(wrong, fmt.Errorf("%s: something else than as they stand: %s", s.name, d))
		}
	}
	return wrong
}

var placeInRecord = regexp.MustCompile(`, at byte [0-9]+ of the record`)

// withoutBytes are dead letters without what tells of the bytes of their records.
func withoutBytes(letters []byte) (out []byte) {
	for line := range bytes.Lines(letters) {
		var l map[string]any
		if err := json.Unmarshal(line, &l); err != nil {
			return letters // differs says where
		}
		for _, of := range []string{"offset", "value", "value_base64", "truncated", "size"} {
			delete(l, of)
		}
		l["message"] = placeInRecord.ReplaceAllString(fmt.Sprint(l["message"]), "")
		line, _ = json.Marshal(l)
		out = append(append(out, line...), '\n')
	}
	return out
}

// respell spells the records of data in another way, equal ones alike. Those that are not JSON stay as they are, those with surrogates, of which one may be alone, and
// those that are or would become longer than most bytes.
func respell(data []byte, escapes bool, most int) (out []byte) {
	for line := range bytes.Lines(data) {
		record := bytes.TrimRight(line, "\r\n")
		end := line[len(record):]
		mark := []byte("\ufeff")
		if len(out) > 0 || !bytes.HasPrefix(record, mark) {
			mark = nil
		}
		object := bytes.TrimSpace(record[len(mark):])
		if len(object) > 0 && object[0] == '{' && utf8.Valid(object) && json.Valid(object) && !surrogate.Match(object) {
			sum := fnv.New64a()
			sum.Write(object)
			s := speller{random: rand.New(rand.NewPCG(sum.Sum64(), 0)), escapes: escapes}
			if other := s.value(nil, object); max(len(record), len(other)) <= most {
				record = append(bytes.Clone(mark), other...)
			}
		}
		out = append(append(out, record...), end...)
	}
	return out
}

var surrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

// speller writes valid JSON in another way.
type speller struct {
	random  *rand.Rand
	escapes bool
}

// value appends the value in text. Numbers and literals stay as they are.
func (s *speller) value(dst, text []byte) []byte {
	switch text[0] {
	case '"':
		return s.text(dst, text)
	case '{', '[':
		return s.members(dst, text)
	}
	return append(dst, text...)
}

// members appends the object or list in text. The members of an object change places, unless two have one name.
func (s *speller) members(dst, text []byte) []byte {
	object := text[0] == '{'
	var all [][]byte
	names := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(text))
	next := func() (value json.RawMessage) {
		if err := d.Decode(&value); err != nil {
			panic(err) // it is valid
		}
		return value
	}
	d.Token()
	for d.More() {
		var one []byte
		if object {
			before := d.InputOffset()
			name, _ := d.Token()
			names[name.(string)] = true
			one = s.text(one, bytes.TrimLeft(text[before:d.InputOffset()], ", \t\r"))
			one = s.space(append(s.space(one), ':'))
		}
		all = append(all, s.value(one, next()))
	}
	if object && len(names) == len(all) {
		s.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	dst = s.space(append(dst, text[0]))
	for i, one := range all {
		if i > 0 {
			dst = s.space(append(dst, ','))
		}
		dst = s.space(append(dst, one...))
	}
	return append(dst, text[len(text)-1])
}

// space appends up to two characters that say nothing.
func (s *speller) space(dst []byte) []byte {
	return append(dst, []string{"", "", "", " ", "\t", "  ", "\r"}[s.random.IntN(7)]...)
}

// text appends the string in text, with escapes for its first character and some others.
func (s *speller) text(dst, text []byte) []byte {
	if !s.escapes {
		return append(dst, text...)
	}
	var plain string
	if err := json.Unmarshal(text, &plain); err != nil {
		panic(err) // it is valid
	}
	dst = append(dst, '"')
	for i, r := range plain {
		switch {
		case i > 0 && s.random.IntN(4) > 0 && r >= ' ' && r != '"' && r != '\\':
			dst = utf8.AppendRune(dst, r)
		case r > 0xffff:
			dst = fmt.Appendf(dst, "\\u%04x\\u%04x", 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			dst = fmt.Appendf(dst, []string{"\\u%04x", "\\u%04X"}[s.random.IntN(2)], r)
		}
	}
	return append(dst, '"')
}
