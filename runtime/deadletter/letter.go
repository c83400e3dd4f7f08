// Package deadletter writes what could not be handled as JSON.
package deadletter

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
)

// Letter is a record or a row that a node refused. It is only read while AppendLetter runs.
type Letter struct {
	Pipeline string
	Site     *stream.Site
	Fault    stream.Fault
	Detail   string // more about the fault; may be empty
	At       uint32 // of faults that are placed: where in Value

	// Of records: where the record comes from, and its bytes.
	Source       string
	File         string
	Offset       int64 // of the record in File, bytes
	Value        []byte
	Size         int64 // above 0: Value is only the beginning of a record of so many bytes
	HasEventTime bool
	EventTime    int64 // Unix ns
	Attempt      int   // 0 and 1: the first

	// Of rows that a stage made of others.
	Row                    bool
	WindowStart, WindowEnd int64  // Unix ns; both 0 when the row has no window
	Key                    []byte // the key fields as members of a JSON object, without braces: "user":"u1","n":1
	Columns                []byte // those aggregates that could be computed, likewise

	Watermark int64 // before the record, or before the step that closed the window
}

// AppendLetter appends l as one line:
//
//	{"kind":"record","pipeline":…,"stage":…,"reason":…,"field":…,"message":…,"source":…,"file":…,"offset":…,"event_time":…,"watermark":…,"attempt":…,"value":…}
//	{"kind":"row","pipeline":…,"stage":…,"reason":…,"field":…,"message":…,"window":{"start":…,"end":…},"key":{…},"watermark":…,"row":{…}}
//
// stage is the node that refused: a stage or the source. field is that of the contract, or the column whose expression or aggregate fails. window is left out for rows that have none. field and event_time are left out when there is none; watermark is null as long as no record moved
// it, and when the input has ended. value is the record byte for byte, as value_base64 if it is not valid UTF-8; a record that was cut has "truncated":true and its
// real size behind it.
func AppendLetter(dst []byte, l *Letter) []byte {
	kind := `{"kind":"record","pipeline":`
	if l.Row {
		kind = `{"kind":"row","pipeline":`
	}
	dst = codec.AppendText(append(dst, kind...), l.Pipeline)
	dst = codec.AppendText(append(dst, `,"stage":`...), l.Site.Node)
	dst = codec.AppendText(append(dst, `,"reason":`...), l.Site.Reason)
	if l.Site.Field != "" {
		dst = codec.AppendText(append(dst, `,"field":`...), l.Site.Field)
	}
	dst = appendMessage(append(dst, `,"message":`...), l)
	if l.Row {
		if l.WindowStart < l.WindowEnd {
			dst = codec.AppendTime(append(dst, `,"window":{"start":`...), l.WindowStart)
			dst = append(codec.AppendTime(append(dst, `,"end":`...), l.WindowEnd), '}')
		}
		dst = append(append(dst, `,"key":{`...), l.Key...)
		dst = appendWatermark(append(dst, `},"watermark":`...), l.Watermark)
		dst = append(append(dst, `,"row":{`...), l.Columns...)
		return append(dst, "}}\n"...)
	}
	dst = codec.AppendText(append(dst, `,"source":`...), l.Source)
	dst = codec.AppendText(append(dst, `,"file":`...), l.File)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), l.Offset, 10)
	if l.HasEventTime {
		dst = codec.AppendTime(append(dst, `,"event_time":`...), l.EventTime)
	}
	dst = appendWatermark(append(dst, `,"watermark":`...), l.Watermark)
	dst = strconv.AppendInt(append(dst, `,"attempt":`...), int64(max(1, l.Attempt)), 10)
	dst = appendValue(dst, l.Value, l.Size > 0)
	if l.Size > 0 {
		dst = strconv.AppendInt(append(dst, `,"truncated":true,"size":`...), l.Size, 10)
	}
	return append(dst, "}\n"...)
}

func appendWatermark(dst []byte, w int64) []byte {
	if w == stream.Never || w == stream.Always {
		return append(dst, "null"...)
	}
	return codec.AppendTime(dst, w)
}

func appendValue(dst, value []byte, cut bool) []byte {
	text := value
	if cut {
		text = wholeRunes(value)
	}
	if utf8.Valid(text) {
		return codec.AppendString(append(dst, `,"value":`...), text)
	}
	dst = base64.StdEncoding.AppendEncode(append(dst, `,"value_base64":"`...), value)
	return append(dst, '"')
}

// wholeRunes drops a last rune that a cut went through.
func wholeRunes(b []byte) []byte {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// appendMessage appends what is wrong as a JSON string: "amount: wrong JSON type (want a number)", "division by zero at stage.paid.filter:14",
// "the field stands twice, at byte 7 of the record: id". Of the record it has nothing but the names of fields that the spec declares.
func appendMessage(dst []byte, l *Letter) []byte {
	s := l.Site
	dst = append(dst, `""`...)
	if s.Field != "" && s.Place == "" { // which ends with it
		dst = more(more(dst, s.Field), ": ")
	}
	dst = more(dst, l.Fault.String())
	if l.Fault.Placed() && int(l.At) <= len(l.Value) {
		dst = appendPlace(dst, l)
	}
	if s.Want != "" {
		dst = more(more(more(dst, " (want "), s.Want), ")")
	}
	if s.Place != "" {
		dst = more(more(dst, " at "), s.Place)
	}
	if l.Detail != "" {
		dst = more(more(dst, ": "), l.Detail)
	}
	return dst
}

// appendPlace appends to the message that dst ends with where in the record the fault is, in bytes from 0, and what stands there, as far as codec.Foreign says it.
func appendPlace(dst []byte, l *Letter) []byte {
	at := int(l.At)
	dst = strconv.AppendInt(append(dst[:len(dst)-1], ", at byte "...), int64(at), 10)
	dst = append(dst, ` of the record"`...)
	switch l.Fault {
	case stream.FaultTwice:
		var name [64]byte
		return moreBytes(more(dst, ": "), codec.AppendName(name[:0], l.Value, at))
	case stream.FaultSyntax, stream.FaultNumber:
		if what := codec.Foreign(l.Value, at); what != "" {
			return more(more(dst, ": "), what)
		}
	}
	return dst
}

// more appends s to the JSON string that dst ends with.
func more(dst []byte, s string) []byte {
	n := len(dst) - 1
	dst = codec.AppendText(dst[:n], s)
	copy(dst[n:], dst[n+1:]) // its opening quote
	return dst[:len(dst)-1]
}

// moreBytes is more of bytes.
func moreBytes(dst, s []byte) []byte {
	n := len(dst) - 1
	dst = codec.AppendString(dst[:n], s)
	copy(dst[n:], dst[n+1:])
	return dst[:len(dst)-1]
}
