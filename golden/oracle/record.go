package oracle

import (
	"bytes"
	"math/big"

	"github.com/streamwright/streamwright/spec"
)

var bom = []byte("\uFEFF")

// record finds the next record of a file.
func (in *input) record() bool {
	if in.source.Format == "csv" {
		return in.csv()
	}
	return in.json()
}

// read reads the record at hand: the event, or false when it is no record at all.
func (in *input) read(d *decoder) (object, bool) {
	if in.source.Format == "csv" {
		return in.readCSV(d)
	}
	v, ok := parseJSON(string(in.line))
	if !ok || v.kind != '{' {
		return nil, false
	}
	return d.object(in.source.Event, v, ""), !d.twice
}

// json cuts a file into records of JSON: at newlines, whatever is open. Blank lines are no records; CRLF, a missing last newline and a byte-order mark at the very start are fine.
func (in *input) json() bool {
	for len(in.rest) > 0 {
		in.offset = int64(len(in.Data) - len(in.rest))
		in.line, in.rest, _ = bytes.Cut(in.rest, []byte("\n"))
		if len(bytes.Trim(in.line, " \t\r")) > 0 {
			return true
		}
	}
	return false
}

// judge takes the record at hand: read gives the event, or false when it is no record at all.
func (p *run) judge(read func(*decoder) (object, bool)) {
	s := p.source
	p.count(s.Name, "Records", "records")
	if int64(len(p.line)) > s.MaxRecord {
		p.refuseRecord("too_large", "", nil)
		return
	}
	d := newDecoder(s)
	event, ok := read(d)
	switch {
	case !ok:
		p.refuseRecord("decode", "", nil)
		return
	case d.worst != "":
		p.refuseRecord("contract:"+d.worst, d.worst, nil)
		return
	case d.outside:
		p.refuseRecord("time_range", s.Time.Field.Name, nil)
		return
	}
	at := event[s.Time.Field.Name].(*big.Int)
	if s.Time.Field.Type.Kind == spec.Int {
		at = new(big.Int).Mul(at, ten(nanos[s.Time.Unit]))
	}
	if !at.IsInt64() {
		p.refuseRecord("time_range", s.Time.Field.Name, nil)
		return
	}
	if most := s.Time.Future; most != spec.FutureOff && at.Int64() > plus(p.Now, most) {
		ahead := at.Int64()
		p.refuseRecord("future", s.Time.Field.Name, &ahead)
		return
	}
	p.event(&row{values: event, at: at.Int64()})
}
