package codec

import (
	"bytes"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// Row reads one record of CSV (RFC 4180). It lives on the stack of the decoder that drives it, which is written as that of a Scanner is: Next goes to the next field
// that the event declares, and one of the methods that take a value reads it.
//
// What is not CSV ends the row: a quote in a field that does not begin with one, text behind a closing quote, a carriage return outside of quotes, invalid UTF-8, more or
// fewer fields than the header has. What is wrong with a value does not, and of several violations the first in the order of the spec is kept.
//
// A value is written as in JSON, without the quotes of JSON strings: numbers, true and false, RFC 3339 times, base64. Spaces are part of the field. An empty field, quoted
// or not, is null, and as a string the empty one.
type Row struct {
	value  Scanner // what reads numbers, at the field; it also keeps the verdict of the contract
	fault  stream.Fault
	begin  int // of the row
	at     int // where it is not CSV, when it has a fault
	column int // of the file, behind the field
	pos    int // of the next field
	end    int // of the row
	more   bool
	rare   bool // it has quotes, or carriage returns

	start, stop int  // the field's text
	doubled     bool // two quotes in it stand for one
}

// ReadRow starts to read row, a record of in. stream.Padding bytes behind it must be readable.
func ReadRow(in *stream.Batch, row stream.Str) Row {
	r := Row{value: Scanner{in: in, data: in.Data}, begin: int(row.Off), pos: int(row.Off), end: int(row.Off) + int(row.Len), more: true}
	line := in.Bytes(row)
	r.rare = bytes.IndexByte(line, '"') >= 0 || bytes.IndexByte(line, '\r') >= 0
	switch {
	case !utf8.Valid(line):
		r.fail(stream.FaultUTF8, r.pos+validPrefix(line))
	case bytes.HasPrefix(line, bom):
		r.fail(stream.FaultBOM, r.pos)
	}
	return r
}

// Next goes to the next field that the event declares. It returns false at the end of the row, and when the row is not CSV.
func (r *Row) Next() bool {
	columns := r.value.in.Columns
	for r.more {
		r.field()
		if r.column++; r.column > len(columns) {
			r.fail(stream.FaultFields, r.start)
		}
		if r.fault != 0 {
			return false
		}
		if columns[r.column-1] != 0 {
			return true
		}
	}
	if r.column < len(columns) {
		r.fail(stream.FaultFields, r.end)
	}
	return false
}

// Field is the number in the event of the field that Next went to.
func (r *Row) Field() uint16 { return r.value.in.Columns[r.column-1] }

// field goes to the field at pos.
func (r *Row) field() {
	data := r.value.data
	p := r.pos
	r.doubled = false
	switch {
	case !r.rare:
		r.start, r.stop = p, r.end
		if n := bytes.IndexByte(data[p:r.end], ','); n >= 0 {
			r.stop = p + n
		}
	case p < r.end && data[p] == '"':
		r.quoted(p + 1)
		return
	default:
		r.start = p
		for ; p < r.end && data[p] != ','; p++ {
			switch data[p] {
			case '"':
				r.fail(stream.FaultQuote, p)
				return
			case '\r':
				r.fail(stream.FaultReturn, p)
				return
			}
		}
		r.stop = p
	}
	r.more = r.stop < r.end // a comma, so another field
	r.pos = r.stop + 1
}

// quoted goes to the field whose text begins at start, behind its quote.
func (r *Row) quoted(start int) {
	data := r.value.data
	r.start = start
	for p := start; ; {
		n := bytes.IndexByte(data[p:r.end], '"')
		if n < 0 {
			r.fail(stream.FaultUnclosed, start-1)
			return
		}
		r.stop = p + n
		p = r.stop + 1
		if p == r.end || data[p] != '"' {
			break
		}
		r.doubled = true
		p++
	}
	switch behind := r.stop + 1; {
	case behind == r.end:
		r.more = false
	case data[behind] == ',':
		r.pos = behind + 1
	default:
		r.fail(stream.FaultBehind, behind)
	}
}

// fail ends the row, which is no CSV at this place of the block. The first fault counts.
func (r *Row) fail(fault stream.Fault, at int) {
	if r.fault == 0 {
		r.fault, r.at = fault, at
	}
	r.more = false
}

// Null says whether the field is empty.
func (r *Row) Null() bool { return r.start == r.stop }

// Str is the field as a string. Without doubled quotes it stands in the record; else it is put together in the batch's arena.
func (r *Row) Str() (stream.Str, stream.Fault) {
	if !r.doubled {
		return stream.Str{Off: uint32(r.start), Len: uint32(r.stop - r.start)}, stream.FaultNone
	}
	in := r.value.in
	off := len(in.Data)
	for text := r.value.data[r.start:r.stop]; ; {
		n := bytes.IndexByte(text, '"')
		if n < 0 {
			in.Data = append(in.Data, text...)
			break
		}
		in.Data = append(in.Data, text[:n+1]...)
		text = text[n+2:]
	}
	r.value.data = in.Data
	return stream.Str{Off: uint32(off), Len: uint32(len(in.Data) - off)}, stream.FaultNone
}

// Bool is the field as true or false.
func (r *Row) Bool() (bool, stream.Fault) {
	switch string(r.text()) {
	case "true":
		return true, stream.FaultNone
	case "false":
		return false, stream.FaultNone
	case "":
		return false, stream.FaultNull
	}
	if text := r.text(); len(bytes.TrimSpace(text)) < len(text) {
		return false, stream.FaultSpace
	}
	return false, stream.FaultNoBool
}

// Int is the field as Scanner.Int reads a number.
func (r *Row) Int() (int64, stream.Fault) {
	if fault := r.number(); fault != 0 {
		return 0, fault
	}
	v, fault := r.value.Int()
	return v, r.whole(fault)
}

// Float is the field as Scanner.Float reads a number.
func (r *Row) Float() (float64, stream.Fault) {
	if fault := r.number(); fault != 0 {
		return 0, fault
	}
	v, fault := r.value.Float()
	return v, r.whole(fault)
}

// Decimal is the field as Scanner.Decimal reads a number.
func (r *Row) Decimal(scale int) (units int64, fault stream.Fault) {
	if fault := r.number(); fault != 0 {
		return 0, fault
	}
	units, fault = r.value.Decimal(scale)
	return units, r.whole(fault)
}

// Epoch is the field as Scanner.Epoch reads a number.
func (r *Row) Epoch(unit Unit) (ns int64, fault stream.Fault) {
	if fault := r.number(); fault != 0 {
		return 0, fault
	}
	ns, fault = r.value.Epoch(unit)
	return ns, r.whole(fault)
}

// number places the scanner at the field. The comma, quote or line end behind it stops every number.
func (r *Row) number() stream.Fault {
	r.value.pos, r.value.end = r.start, r.stop
	switch {
	case r.Null():
		return stream.FaultNull
	case !r.value.atNumber():
		return numberFault(r.text())
	}
	return stream.FaultNone
}

// whole is what is wrong with a number when the scanner has read it: fault, unless the field is no number or has something behind it.
func (r *Row) whole(fault stream.Fault) stream.Fault {
	if r.value.fault != 0 || r.value.pos != r.stop {
		r.value.fault = 0 // of JSON, which this is not
		return numberFault(r.text())
	}
	return fault
}

// numberFault says why text, a field that is not empty, is no number.
func numberFault(text []byte) stream.Fault {
	digits := text[:len(bytes.TrimLeft(text, "+-"))]
	digits = text[len(text)-len(digits):]
	switch {
	case len(bytes.TrimSpace(text)) < len(text):
		return stream.FaultSpace
	case equalFold(digits, "nan"), equalFold(digits, "inf"), equalFold(digits, "infinity"):
		return stream.FaultNaN
	case len(digits) == 0 || digits[0]-'0' > 9:
		return stream.FaultNoNumber
	case text[0] == '+':
		return stream.FaultPlus
	case len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9:
		return stream.FaultZeros
	}
	return stream.FaultNoNumber
}

// Time is the field as an RFC 3339 time.
func (r *Row) Time() (ns int64, fault stream.Fault) {
	if r.Null() {
		return 0, stream.FaultNull
	}
	return ParseTime(r.text())
}

// Bytes is the field as base64, decoded into the batch's arena as Scanner.Bytes does.
func (r *Row) Bytes() (stream.Str, stream.Fault) {
	if r.Null() {
		return stream.Str{}, stream.FaultNull
	}
	in := r.value.in
	off := len(in.Data)
	data, ok := appendDecoded(in.Data, r.text())
	if !ok {
		return stream.Str{}, stream.FaultBase64
	}
	in.Data, r.value.data = data, data
	return stream.Str{Off: uint32(off), Len: uint32(len(data) - off)}, stream.FaultNone
}

// text is the field's text, with doubled quotes as they are: no value but a string has any.
func (r *Row) text() []byte { return r.value.data[r.start:r.stop] }

// Judge is Scanner.Judge.
func (r *Row) Judge(field uint16, fault stream.Fault) { r.value.Judge(field, fault) }

// JudgeTime is Scanner.JudgeTime.
func (r *Row) JudgeTime(field uint16, fault stream.Fault) { r.value.JudgeTime(field, fault) }

// End ends the record after Next has returned false. One that is not CSV has a fault and field 0, and at is where; else they are as those of Scanner.End.
func (r *Row) End() (field uint16, fault stream.Fault, at uint32) {
	if r.fault != 0 {
		return 0, r.fault, uint32(r.at - r.begin)
	}
	field, fault = r.value.judged()
	return field, fault, 0
}

// Fields are all fields of a row, for a header; in memory of their own.
func Fields(row []byte) ([]string, stream.Fault) {
	in := &stream.Batch{Data: append(bytes.Clone(row), make([]byte, stream.Padding)...)}
	r := ReadRow(in, stream.Str{Len: uint32(len(row))})
	var all []string
	for r.more {
		if r.field(); r.fault == 0 {
			s, _ := r.Str()
			all = append(all, string(in.Bytes(s)))
		}
	}
	return all, r.fault
}
