package target

import (
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
)

// take takes the next record of in when it is JSON within the contract. Any other stays where it is, and ok is false: decode finds out what is wrong with it.
func (o *Event) take(in *stream.Batch, learned *codec.Learned) (line stream.Str, ok bool) {
	pos := in.Pos
	seen := uint64(0)
	for step := 0; ; step++ {
		member := learned.Expected(in, pos, step)
		if !member.Stands(in, pos) {
			if member, step = learned.Find(in, pos, step, eventMember); member == nil {
				return line, false
			}
		}
		if seen&member.Bit != 0 { // it stands twice
			return line, false
		}
		seen |= member.Bit
		pos += member.Size
		switch member.Field {
		case 1: // id: string & !=""
			o.ID, pos = codec.Str(in, pos)
			if o.ID.Len == 0 {
				return line, false
			}
		case 2: // user: string & !=""
			o.User, pos = codec.Str(in, pos)
			if o.User.Len == 0 {
				return line, false
			}
		case 3: // type: "view" | "click" | "purchase" | "signup"
			o.Type, pos = codec.Str(in, pos)
			if o.typeNumber = eventTypeTexts.Number(in, o.Type); o.typeNumber == 0 {
				return line, false
			}
		case 4: // amount: number & >=0
			o.Amount, pos = codec.Float(in, pos)
			if o.Amount < 0 {
				return line, false
			}
		case 5: // at: RFC 3339 time
			o.At, pos = learned.Time(in, pos)
		case codec.End:
			const required = 0b11111 // bits of the members that may not be missing
			if seen&required != required {
				return line, false
			}
			return in.Take(pos), true
		default:
			pos = codec.Skip(in, pos)
		}
		if pos == 0 {
			return line, false
		}
	}
}

// decode reads an event from line, a record of in that take did not take, and holds it against the contract. A record that is refused has a fault; field is the first that
// violates the contract, by its number in the order of the spec, or 0 when the record is not JSON.
func (o *Event) decode(in *stream.Batch, line stream.Str) (field uint16, fault stream.Fault, at uint32) {
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
			s.Judge(1, fault)
		case "user": // string & !=""
			s.Once(&seen, 1<<1)
			o.User, fault = s.Str()
			if fault == 0 && o.User.Len == 0 {
				fault = stream.FaultConstraint
			}
			s.Judge(2, fault)
		case "type": // "view" | "click" | "purchase" | "signup"
			s.Once(&seen, 1<<2)
			o.Type, fault = s.Str()
			if fault == 0 {
				if o.typeNumber = eventTypeTexts.Number(in, o.Type); o.typeNumber == 0 {
					fault = stream.FaultConstraint
				}
			}
			s.Judge(3, fault)
		case "amount": // number & >=0
			s.Once(&seen, 1<<3)
			o.Amount, fault = s.Float()
			if fault == 0 && o.Amount < 0 {
				fault = stream.FaultConstraint
			}
			s.Judge(4, fault)
		case "at": // RFC 3339 time
			s.Once(&seen, 1<<4)
			o.At, fault = s.Time()
			s.JudgeTime(5, fault)
		default:
			s.Skip()
		}
	}
	s.Need(1, seen, 1<<0)
	s.Need(2, seen, 1<<1)
	s.Need(3, seen, 1<<2)
	s.Need(4, seen, 1<<3)
	s.Need(5, seen, 1<<4)
	return s.End()
}

// eventTypeTexts numbers the texts of Type of Event.
var eventTypeTexts = codec.NewEnum("view", "click", "purchase", "signup")

// eventTypeKeys are the texts of Type of Event as parts of keys, by their numbers.
var eventTypeKeys = [...]table.Text{
	eventTypeView:     table.Inline([]byte("view")),
	eventTypeClick:    table.Inline([]byte("click")),
	eventTypePurchase: table.Inline([]byte("purchase")),
	eventTypeSignup:   table.Inline([]byte("signup")),
}

// eventMember is the number of a member of Event, in the order of the spec from 1; 0 is one that is not declared.
func eventMember(name []byte) int {
	switch string(name) {
	case "id":
		return 1
	case "user":
		return 2
	case "type":
		return 3
	case "amount":
		return 4
	case "at":
		return 5
	}
	return 0
}

// appendEvent appends an event as a JSON object.
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
	return append(dst, '}')
}

// SpendRow is a row of spend.
type SpendRow struct {
	WindowStart int64 // ns since the Unix epoch
	WindowEnd   int64 // ns since the Unix epoch
	User        stream.Str
	Events      int64
	Total       float64
	Mean        float64
	bad         [2]bool // which of those aggregates failed that can
}

// appendSpendRow appends a row of spend to its window, which has begun the JSON object.
func appendSpendRow(dst []byte, in *stream.Batch, o *SpendRow) []byte {
	dst = append(dst, `,"user":`...)
	dst = codec.AppendString(dst, in.Bytes(o.User))
	dst = append(dst, `,"events":`...)
	dst = codec.AppendInt(dst, o.Events)
	dst = append(dst, `,"total":`...)
	dst = codec.AppendFloat(dst, o.Total)
	dst = append(dst, `,"mean":`...)
	dst = codec.AppendFloat(dst, o.Mean)
	return append(dst, '}')
}

// appendSpendRowKey appends the key of a row of spend as members, for dead letters.
func appendSpendRowKey(dst []byte, in *stream.Batch, o *SpendRow) []byte {
	dst = append(dst, `"user":`...)
	return codec.AppendString(dst, in.Bytes(o.User))
}

// appendSpendRowColumns appends those aggregates of a row of spend that did not fail as members, for dead letters.
func appendSpendRowColumns(dst []byte, in *stream.Batch, o *SpendRow) []byte {
	dst = append(dst, `"events":`...)
	dst = codec.AppendInt(dst, o.Events)
	if !o.bad[0] {
		dst = append(dst, `,"total":`...)
		dst = codec.AppendFloat(dst, o.Total)
	}
	if !o.bad[1] {
		dst = append(dst, `,"mean":`...)
		dst = codec.AppendFloat(dst, o.Mean)
	}
	return dst
}

// TypesRow is a row of types.
type TypesRow struct {
	WindowStart int64 // ns since the Unix epoch
	WindowEnd   int64 // ns since the Unix epoch
	Type        stream.Str
	Events      int64
}

// appendTypesRow appends a row of types to its window, which has begun the JSON object.
func appendTypesRow(dst []byte, in *stream.Batch, o *TypesRow) []byte {
	dst = append(dst, `,"type":`...)
	dst = codec.AppendString(dst, in.Bytes(o.Type))
	dst = append(dst, `,"events":`...)
	dst = codec.AppendInt(dst, o.Events)
	return append(dst, '}')
}
