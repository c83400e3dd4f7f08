package codec

import (
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// order has a field of each kind; its decoder has the form of generated ones.
type order struct {
	ID       stream.Str // string & !=""
	Count    int64      // int & >=0, default 1
	Price    float64    // number, optional
	HasPrice bool
	Paid     bool  // bool, optional or null
	HasPaid  bool  //
	At       int64 // RFC 3339, the event time
	Seen     int64 // Unix milliseconds, optional
	HasSeen  bool
	Tags     stream.List // [...string], default []
	Address  address     // required
	Parcels  stream.List // [...int & >0], default []
}

type address struct {
	City   stream.Str // string, required
	Zip    stream.Str // string, optional
	HasZip bool
}

// The numbers of the fields of order, those of a nested struct behind it. 0 is the record.
const (
	orderID uint16 = iota + 1
	orderCount
	orderPrice
	orderPaid
	orderAt
	orderSeen
	orderTags
	orderAddress
	orderAddressCity
	orderAddressZip
	orderParcels
)

func (o *order) decode(in *stream.Batch, line stream.Str) (field uint16, fault stream.Fault, at uint32) {
	s := Scan(in, line)
	*o = order{Count: 1}
	seen := uint64(0)
	for s.Next() {
		switch string(s.Key()) {
		case "id":
			s.Once(&seen, 1<<0)
			o.ID, fault = s.Str()
			if fault == 0 && o.ID.Len == 0 {
				fault = stream.FaultConstraint
			}
			s.Judge(orderID, fault)
		case "count":
			s.Once(&seen, 1<<1)
			o.Count, fault = s.Int()
			if fault == 0 && !(o.Count >= 0) {
				fault = stream.FaultConstraint
			}
			s.Judge(orderCount, fault)
		case "price":
			s.Once(&seen, 1<<2)
			o.Price, fault = s.Float()
			o.HasPrice = true
			s.Judge(orderPrice, fault)
		case "paid":
			s.Once(&seen, 1<<3)
			if s.Null() {
				break
			}
			o.Paid, fault = s.Bool()
			o.HasPaid = true
			s.Judge(orderPaid, fault)
		case "at":
			s.Once(&seen, 1<<4)
			o.At, fault = s.Time()
			s.JudgeTime(orderAt, fault)
		case "seen":
			s.Once(&seen, 1<<5)
			o.Seen, fault = s.Epoch(Millis)
			o.HasSeen = true
			s.Judge(orderSeen, fault)
		case "tags":
			s.Once(&seen, 1<<6)
			fault = s.Array()
			s.Judge(orderTags, fault)
			if fault != 0 {
				break
			}
			o.Tags.Off = uint32(len(in.Words))
			for s.Element() {
				v, fault := s.Str()
				s.Judge(orderTags, fault)
				in.Words = append(in.Words, v.Word())
			}
			o.Tags.Len = uint32(len(in.Words)) - o.Tags.Off
		case "address":
			s.Once(&seen, 1<<7)
			fault = s.Object()
			s.Judge(orderAddress, fault)
			if fault == 0 {
				o.Address.scan(&s, orderAddress)
			}
		case "parcels":
			s.Once(&seen, 1<<8)
			fault = s.Array()
			s.Judge(orderParcels, fault)
			if fault != 0 {
				break
			}
			o.Parcels.Off = uint32(len(in.Words))
			for s.Element() {
				v, fault := s.Int()
				if fault == 0 && !(v > 0) {
					fault = stream.FaultConstraint
				}
				s.Judge(orderParcels, fault)
				in.Words = append(in.Words, uint64(v))
			}
			o.Parcels.Len = uint32(len(in.Words)) - o.Parcels.Off
		default:
			s.Skip()
		}
	}
	s.Need(orderID, seen, 1<<0)
	s.Need(orderAt, seen, 1<<4)
	s.Need(orderAddress, seen, 1<<7)
	return s.End()
}

// take has the form of the take of generated decoders.
func (o *order) take(in *stream.Batch, learned *Learned) (line stream.Str, ok bool) {
	*o = order{}
	pos := in.Pos
	seen := uint64(0)
	for step := 0; ; step++ {
		member := learned.Expected(in, pos, step)
		if !member.Stands(in, pos) {
			if member, step = learned.Find(in, pos, step, orderMember); member == nil {
				return line, false
			}
		}
		if seen&member.Bit != 0 {
			return line, false
		}
		seen |= member.Bit
		pos += member.Size
		switch member.Field {
		case 1:
			o.ID, pos = Str(in, pos)
			if o.ID.Len == 0 {
				return line, false
			}
		case 2:
			o.Count, pos = Int(in, pos)
			if !(o.Count >= 0) {
				return line, false
			}
		case 3:
			o.Price, pos = Float(in, pos)
			o.HasPrice = true
		case 4:
			if next := Null(in, pos); next != 0 {
				pos = next
				break
			}
			o.Paid, pos = Bool(in, pos)
			o.HasPaid = true
		case 5:
			o.At, pos = learned.Time(in, pos)
		case 6:
			o.Seen, pos = Epoch(in, pos, Millis)
			o.HasSeen = true
		case 7:
			s := Inside(in, pos)
			fault := s.Array()
			s.Judge(orderTags, fault)
			if fault == 0 {
				o.Tags.Off = uint32(len(in.Words))
				for s.Element() {
					v, fault := s.Str()
					s.Judge(orderTags, fault)
					in.Words = append(in.Words, v.Word())
				}
				o.Tags.Len = uint32(len(in.Words)) - o.Tags.Off
			}
			pos = s.Outside()
		case 8:
			s := Inside(in, pos)
			fault := s.Object()
			s.Judge(orderAddress, fault)
			if fault == 0 {
				o.Address.scan(&s, orderAddress)
			}
			pos = s.Outside()
		case 9:
			s := Inside(in, pos)
			fault := s.Array()
			s.Judge(orderParcels, fault)
			if fault == 0 {
				o.Parcels.Off = uint32(len(in.Words))
				for s.Element() {
					v, fault := s.Int()
					if fault == 0 && !(v > 0) {
						fault = stream.FaultConstraint
					}
					s.Judge(orderParcels, fault)
					in.Words = append(in.Words, uint64(v))
				}
				o.Parcels.Len = uint32(len(in.Words)) - o.Parcels.Off
			}
			pos = s.Outside()
		case End:
			if seen&0b10010001 != 0b10010001 {
				return line, false
			}
			if seen&(1<<1) == 0 {
				o.Count = 1
			}
			return in.Take(pos), true
		default:
			pos = Skip(in, pos)
		}
		if pos == 0 {
			return line, false
		}
	}
}

func orderMember(name []byte) int {
	for i, n := range [...]string{"id", "count", "price", "paid", "at", "seen", "tags", "address", "parcels"} {
		if string(name) == n {
			return i + 1
		}
	}
	return 0
}

func (o *address) scan(s *Scanner, at uint16) {
	seen := uint64(0)
	for s.Next() {
		var fault stream.Fault
		switch string(s.Key()) {
		case "city":
			s.Once(&seen, 1<<0)
			o.City, fault = s.Str()
			s.Judge(at+1, fault)
		case "zip":
			s.Once(&seen, 1<<1)
			o.Zip, fault = s.Str()
			o.HasZip = true
			s.Judge(at+2, fault)
		default:
			s.Skip()
		}
	}
	s.Need(at+1, seen, 1<<0)
}

// batchOf is a batch whose only record is line, as it stands in a file: a newline behind it, then padding.
func batchOf(line string) (*stream.Batch, stream.Str) {
	data := append([]byte(line), '\n')
	data = append(data, make([]byte, stream.Padding)...)
	return &stream.Batch{Data: data, End: len(line) + 1}, stream.Str{Len: uint32(len(line))}
}

// decodeOrder decodes line alone.
func decodeOrder(line string) (in *stream.Batch, o order, field uint16, fault stream.Fault) {
	in, at := batchOf(line)
	field, fault, _ = o.decode(in, at)
	return in, o, field, fault
}

const full = `{"id":"o-1","count":3,"price":12.5,"paid":true,"at":"2024-03-01T06:00:00.25Z","seen":1709272800500,` +
	`"tags":["a","\u00e9\n"],"address":{"city":"K\u00f6ln","zip":"50667"},"parcels":[1,2e2]}`

func TestOrder(t *testing.T) {
	in, o, field, fault := decodeOrder(full)
	if field != 0 || fault != 0 {
		t.Fatalf("refused at %d: %v", field, fault)
	}
	tag := func(i int) string { return in.Text(stream.WordStr(in.Word(o.Tags, i))) }
	if in.Text(o.ID) != "o-1" || o.Count != 3 || o.Price != 12.5 || !o.HasPrice || !o.Paid || !o.HasPaid ||
		o.At != 1709272800_250000000 || o.Seen != 1709272800_500000000 || !o.HasSeen ||
		o.Tags.Len != 2 || tag(0) != "a" || tag(1) != "é\n" ||
		in.Text(o.Address.City) != "Köln" || in.Text(o.Address.Zip) != "50667" || !o.Address.HasZip ||
		o.Parcels.Len != 2 || in.Word(o.Parcels, 0) != 1 || in.Word(o.Parcels, 1) != 200 {
		t.Errorf("got %+v", o)
	}
	in, o, field, fault = decodeOrder(` { "address" : { "city" : "" } , "at" : "1970-01-01T00:00:00Z" , "paid" : null , "id" : "x" } `)
	if field != 0 || fault != 0 || in.Text(o.ID) != "x" || o.Count != 1 || o.HasPrice || o.HasPaid || o.HasSeen || o.Tags.Len != 0 || o.Address.HasZip || o.At != 0 {
		t.Errorf("got %+v, refused at %d: %v", o, field, fault)
	}
}

// A record is JSON or not, then the contract is judged, then the range of its time. The first field in the order of the spec is named, wherever it stands in the record.
func TestVerdict(t *testing.T) {
	const address = `"address":{"city":"c"}`
	for _, test := range []struct {
		line  string
		field uint16
		fault stream.Fault
	}{
		{`{}`, orderID, stream.FaultMissing},
		{`{"id":null}`, orderID, stream.FaultNull},
		{`{"id":""}`, orderID, stream.FaultConstraint},
		{`{"id":"x"}`, orderAt, stream.FaultMissing},
		{`{"address":{},"at":"1970-01-01T00:00:00Z","id":"x"}`, orderAddressCity, stream.FaultMissing},
		{`{"address":[],"at":"1970-01-01T00:00:00Z","id":"x"}`, orderAddress, stream.FaultType},
		{`{"address":{"zip":1,"city":"c"},"at":"1970-01-01T00:00:00Z","id":"x"}`, orderAddressZip, stream.FaultType},
		{`{"address":{"zip":null,"city":"c"},"at":"1970-01-01T00:00:00Z","id":"x"}`, orderAddressZip, stream.FaultNull},
		{`{"at":7,"count":"1","id":7,` + address + `}`, orderID, stream.FaultType},
		{`{"at":7,"count":"1","id":"x",` + address + `}`, orderCount, stream.FaultType},
		{`{"at":7,"count":-1,"id":"x",` + address + `}`, orderCount, stream.FaultConstraint},
		{`{"at":7,"count":1.5,"id":"x",` + address + `}`, orderCount, stream.FaultIntegral},
		{`{"at":7,"count":1e19,"id":"x",` + address + `}`, orderCount, stream.FaultIntRange},
		{`{"at":7,"price":1e999,"id":"x",` + address + `}`, orderPrice, stream.FaultFloatRange},
		{`{"at":"7","paid":0,"id":"x",` + address + `}`, orderPaid, stream.FaultType},
		{`{"at":"7","id":"x",` + address + `}`, orderAt, stream.FaultTime},
		{`{"at":"0001-01-01T00:00:00Z","id":"x",` + address + `}`, orderAt, stream.FaultTimeRange},
		{`{"at":"0001-01-01T00:00:00Z","id":"x",` + address + `,"tags":[1]}`, orderTags, stream.FaultType},
		{`{"seen":1e30,"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, orderSeen, stream.FaultTimeRange},
		{`{"tags":["a",null],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, orderTags, stream.FaultNull},
		{`{"tags":{},"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, orderTags, stream.FaultType},
		{`{"parcels":[1,0],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, orderParcels, stream.FaultConstraint},
		{`{"parcels":[[1]],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, orderParcels, stream.FaultType},
		// What is no JSON further on wins over a contract that was violated before, and over a time out of range.
		{`{"id":7,"x":01}`, 0, stream.FaultNumber},
		{`{"id":7,"at":"0001-01-01T00:00:00Z"} x`, 0, stream.FaultTrailing},
		{`{"id":[1,{"a":nul}]}`, 0, stream.FaultSyntax},
		{`{"id":"x","id":"x"}`, 0, stream.FaultTwice},
		{`{"id":"x","\u0069d":"x"}`, 0, stream.FaultTwice},
		{`{"address":{"city":"a","cit\u0079":"b"}}`, 0, stream.FaultTwice},
		{`{"count":1,"count":null}`, 0, stream.FaultTwice},
		{`{"tags":["a" "b"]}`, 0, stream.FaultSyntax},
		{`{"tags":["a",]}`, 0, stream.FaultSyntax},
		{`{"tags":["a"`, 0, stream.FaultTruncated},
		{`{"tags":["a"}`, 0, stream.FaultSyntax},
		{`{"address":{"city":"a"]}`, 0, stream.FaultSyntax},
		{`{"address":{"city":"a"`, 0, stream.FaultTruncated},
		{`{"address":`, 0, stream.FaultTruncated},
		{`{"id"`, 0, stream.FaultTruncated},
		{`{"id`, 0, stream.FaultTruncated},
		{`{`, 0, stream.FaultTruncated},
	} {
		if _, _, field, fault := decodeOrder(test.line); field != test.field || fault != test.fault {
			t.Errorf("%s: field %d, %v; want field %d, %v", test.line, field, fault, test.field, test.fault)
		}
	}
}

// The record ends where line ends, even if what stands behind it would go on.
func TestRecordEndsAtItsLength(t *testing.T) {
	const block = `{"id":"a","at":"1970-01-01T00:00:00Z","address":{"city":"c"}` + "\n" + `}` + "\n" + `{"id":"a"}` + "\n"
	in := &stream.Batch{Data: append([]byte(block), make([]byte, stream.Padding)...), End: len(block)}
	var o order
	for _, want := range []struct {
		field uint16
		fault stream.Fault
	}{{0, stream.FaultTruncated}, {0, stream.FaultSyntax}, {orderAt, stream.FaultMissing}} {
		line, ok := in.Next()
		if field, fault, _ := o.decode(in, line); !ok || field != want.field || fault != want.fault {
			t.Errorf("%q: field %d, %v; want %v", in.Bytes(line), field, fault, want)
		}
	}
}

func TestDecodeDoesNotAllocate(t *testing.T) {
	lines := []string{
		full,
		`{"id":"\u0061","\u0063ount":1.0e0,"price":123456789012345678901234567890,"at":"\u0032024-03-01T06:00:00+01:00","address":{"city":"\n"},"x":[[{"y":[]}]]}`,
		`{"id":1e999999999,"count":"","at":0,"price":1e310,"x":{"y":[1,2,{"z":"\ud83d\ude00"}]}}`,
		`{"id":"a","count":1e999999999}`,
		`{"id":"` + "\xff" + `"}`,
	}
	for _, line := range lines {
		in, at := batchOf(line)
		var o order
		o.decode(in, at) // the arena grows once
		if n := testing.AllocsPerRun(100, func() {
			in.Recycle()
			o.decode(in, at)
		}); n != 0 {
			t.Errorf("%s: %v allocations", line, n)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	in, line := batchOf(full)
	var o order
	b.SetBytes(int64(len(full)))
	for b.Loop() {
		in.Recycle()
		if _, fault, _ := o.decode(in, line); fault != 0 {
			b.Fatal(fault)
		}
	}
}
