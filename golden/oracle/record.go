package oracle

import (
	"bytes"
	"math/big"

	"github.com/streamwright/streamwright/spec"
)

var bom = []byte("\uFEFF")

// lines cuts a file into records of JSON: at newlines, whatever is open. Blank lines are no records; CRLF, a missing last newline and a byte-order mark at the very start are fine.
func (p *run) lines() {
	rest := bytes.TrimPrefix(p.in.Data, bom)
	for len(rest) > 0 {
		p.offset = int64(len(p.in.Data) - len(rest))
		p.line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(bytes.Trim(p.line, " \t\r")) > 0 {
			p.judge(func(d *decoder) (object, bool) {
				v, ok := parseJSON(string(p.line))
				if !ok || v.kind != '{' {
					return nil, false
				}
				return d.object(p.source.Event, v, ""), !d.twice
			})
		}
	}
}

// judge takes the record at hand: read gives the event, or false when it is no record at all.
func (p *run) judge(read func(*decoder) (object, bool)) {
	p.number++
	s := p.source
	p.count(s.Name, "Records", "records")
	if int64(len(p.line)) > s.MaxRecord {
		p.refuseRecord("too_large", "")
		return
	}
	d := newDecoder(s)
	event, ok := read(d)
	switch {
	case !ok:
		p.refuseRecord("decode", "")
		return
	case d.worst != "":
		p.refuseRecord("contract:"+d.worst, d.worst)
		return
	case d.outside:
		p.refuseRecord("time_range", s.Time.Field.Name)
		return
	}
	at := event[s.Time.Field.Name].(*big.Int)
	if s.Time.Field.Type.Kind == spec.Int {
		at = new(big.Int).Mul(at, ten(nanos[s.Time.Unit]))
	}
	if !at.IsInt64() {
		p.refuseRecord("time_range", s.Time.Field.Name)
		return
	}
	if ahead := s.Time.Future; ahead != spec.FutureOff && at.Int64() > plus(p.in.Now, ahead) {
		p.refuseRecord("future", s.Time.Field.Name)
		return
	}
	p.event(&row{values: event, at: at.Int64()})
}
