package target

import (
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
)

// Where a record of events can be refused: what is no JSON object, then the contract of Event in the order of the spec, then its time.
const (
	siteDecode uint16 = iota + 1
	siteEventID
	siteEventUser
	siteEventType
	siteEventAmount
	siteEventAt
	siteEventTimeRange
)

// decode reads an event from line, a record of in, and holds it against the contract. When the record is refused it says at which site and why.
func (o *Event) decode(in *stream.Batch, line stream.Str) (site uint16, fault stream.Fault) {
	s := codec.Scan(in, line)
	seen := uint64(0)
	for s.Next() {
		switch string(s.Key()) {
		case "id": // string & !=""
			s.Once(&seen, 1<<0)
			o.ID, fault = s.Str()
			if fault == 0 && o.ID.Len == 0 {
				fault = stream.FaultConstraint
			}
			s.Judge(siteEventID, fault)
		case "user": // string & !=""
			s.Once(&seen, 1<<1)
			o.User, fault = s.Str()
			if fault == 0 && o.User.Len == 0 {
				fault = stream.FaultConstraint
			}
			s.Judge(siteEventUser, fault)
		case "type": // "view" | "click" | "purchase" | "signup"
			s.Once(&seen, 1<<2)
			o.Type, fault = s.Str()
			if fault == 0 {
				switch in.Text(o.Type) {
				case "view", "click", "purchase", "signup":
				default:
					fault = stream.FaultConstraint
				}
			}
			s.Judge(siteEventType, fault)
		case "amount": // number & >=0
			s.Once(&seen, 1<<3)
			o.Amount, fault = s.Float()
			if fault == 0 && !(o.Amount >= 0) {
				fault = stream.FaultConstraint
			}
			s.Judge(siteEventAmount, fault)
		case "at": // spec.#Timestamp
			s.Once(&seen, 1<<4)
			o.At, fault = s.Time()
			if fault == stream.FaultTimeRange {
				s.Judge(siteEventTimeRange, fault)
				break
			}
			s.Judge(siteEventAt, fault)
		default:
			s.Skip()
		}
	}
	s.Need(siteEventID, seen, 1<<0)
	s.Need(siteEventUser, seen, 1<<1)
	s.Need(siteEventType, seen, 1<<2)
	s.Need(siteEventAmount, seen, 1<<3)
	s.Need(siteEventAt, seen, 1<<4)
	return s.End(siteDecode)
}

// appendEvent appends an event as one line.
func appendEvent(dst []byte, in *stream.Batch, o *Event) []byte {
	dst = append(dst, `{"id":`...)
	dst = codec.AppendString(dst, in.Bytes(o.ID))
	dst = append(dst, `,"user":`...)
	dst = codec.AppendString(dst, in.Bytes(o.User))
	dst = append(dst, `,"type":`...)
	dst = codec.AppendString(dst, in.Bytes(o.Type))
	dst = append(dst, `,"amount":`...)
	dst = codec.AppendFloat(dst, o.Amount)
	dst = append(dst, `,"at":`...)
	dst = codec.AppendTime(dst, o.At)
	return append(dst, "}\n"...)
}

// SpendRow is a row of spend: what a user clicked and bought in one minute.
type SpendRow struct {
	WindowStart int64 // ns since the Unix epoch
	WindowEnd   int64
	User        stream.Str
	Events      int64
	Total       float64
	HasTotal    bool // Total is not null
	Mean        float64
	HasMean     bool
}

// appendSpendRow appends a row of spend as one line.
func appendSpendRow(dst []byte, in *stream.Batch, o *SpendRow) []byte {
	dst = append(dst, `{"window_start":`...)
	dst = codec.AppendTime(dst, o.WindowStart)
	dst = append(dst, `,"window_end":`...)
	dst = codec.AppendTime(dst, o.WindowEnd)
	dst = append(dst, `,"user":`...)
	dst = codec.AppendString(dst, in.Bytes(o.User))
	dst = append(dst, `,"events":`...)
	dst = codec.AppendInt(dst, o.Events)
	dst = append(dst, `,"total":`...)
	if o.HasTotal {
		dst = codec.AppendFloat(dst, o.Total)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"mean":`...)
	if o.HasMean {
		dst = codec.AppendFloat(dst, o.Mean)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, "}\n"...)
}

// TypesRow is a row of types: how many events of a type there were in one minute.
type TypesRow struct {
	WindowStart int64 // ns since the Unix epoch
	WindowEnd   int64
	Type        stream.Str
	Events      int64
}

// appendTypesRow appends a row of types as one line.
func appendTypesRow(dst []byte, in *stream.Batch, o *TypesRow) []byte {
	dst = append(dst, `{"window_start":`...)
	dst = codec.AppendTime(dst, o.WindowStart)
	dst = append(dst, `,"window_end":`...)
	dst = codec.AppendTime(dst, o.WindowEnd)
	dst = append(dst, `,"type":`...)
	dst = codec.AppendString(dst, in.Bytes(o.Type))
	dst = append(dst, `,"events":`...)
	dst = codec.AppendInt(dst, o.Events)
	return append(dst, "}\n"...)
}
