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

// Sites of order, in the order of its fields, those of nested structs behind their own.
const (
	siteDecode uint16 = iota + 1
	siteID
	siteCount
	sitePrice
	sitePaid
	siteAt
	siteSeen
	siteTags
	siteAddress
	siteAddressCity
	siteAddressZip
	siteParcels
	siteTimeRange
)

func (o *order) decode(in *stream.Batch, line stream.Str) (site uint16, fault stream.Fault) {
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
			s.Judge(siteID, fault)
		case "count":
			s.Once(&seen, 1<<1)
			o.Count, fault = s.Int()
			if fault == 0 && !(o.Count >= 0) {
				fault = stream.FaultConstraint
			}
			s.Judge(siteCount, fault)
		case "price":
			s.Once(&seen, 1<<2)
			o.Price, fault = s.Float()
			o.HasPrice = true
			s.Judge(sitePrice, fault)
		case "paid":
			s.Once(&seen, 1<<3)
			if s.Null() {
				break
			}
			o.Paid, fault = s.Bool()
			o.HasPaid = true
			s.Judge(sitePaid, fault)
		case "at":
			s.Once(&seen, 1<<4)
			o.At, fault = s.Time()
			if fault == stream.FaultTimeRange {
				s.Judge(siteTimeRange, fault)
				break
			}
			s.Judge(siteAt, fault)
		case "seen":
			s.Once(&seen, 1<<5)
			o.Seen, fault = s.Epoch(Millis)
			o.HasSeen = true
			s.Judge(siteSeen, fault)
		case "tags":
			s.Once(&seen, 1<<6)
			fault = s.Array()
			s.Judge(siteTags, fault)
			if fault != 0 {
				break
			}
			o.Tags.Off = uint32(len(in.Words))
			for s.Element() {
				v, fault := s.Str()
				s.Judge(siteTags, fault)
				in.Words = append(in.Words, v.Word())
			}
			o.Tags.Len = uint32(len(in.Words)) - o.Tags.Off
		case "address":
			s.Once(&seen, 1<<7)
			fault = s.Object()
			s.Judge(siteAddress, fault)
			if fault == 0 {
				o.Address.scan(&s, siteAddress)
			}
		case "parcels":
			s.Once(&seen, 1<<8)
			fault = s.Array()
			s.Judge(siteParcels, fault)
			if fault != 0 {
				break
			}
			o.Parcels.Off = uint32(len(in.Words))
			for s.Element() {
				v, fault := s.Int()
				if fault == 0 && !(v > 0) {
					fault = stream.FaultConstraint
				}
				s.Judge(siteParcels, fault)
				in.Words = append(in.Words, uint64(v))
			}
			o.Parcels.Len = uint32(len(in.Words)) - o.Parcels.Off
		default:
			s.Skip()
		}
	}
	s.Need(siteID, seen, 1<<0)
	s.Need(siteAt, seen, 1<<4)
	s.Need(siteAddress, seen, 1<<7)
	return s.End(siteDecode)
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
func decodeOrder(line string) (in *stream.Batch, o order, site uint16, fault stream.Fault) {
	in, at := batchOf(line)
	site, fault = o.decode(in, at)
	return in, o, site, fault
}

const full = `{"id":"o-1","count":3,"price":12.5,"paid":true,"at":"2024-03-01T06:00:00.25Z","seen":1709272800500,` +
	`"tags":["a","\u00e9\n"],"address":{"city":"K\u00f6ln","zip":"50667"},"parcels":[1,2e2]}`

func TestOrder(t *testing.T) {
	in, o, site, fault := decodeOrder(full)
	if site != 0 || fault != 0 {
		t.Fatalf("refused at %d: %v", site, fault)
	}
	tag := func(i int) string { return in.Text(stream.WordStr(in.Word(o.Tags, i))) }
	if in.Text(o.ID) != "o-1" || o.Count != 3 || o.Price != 12.5 || !o.HasPrice || !o.Paid || !o.HasPaid ||
		o.At != 1709272800_250000000 || o.Seen != 1709272800_500000000 || !o.HasSeen ||
		o.Tags.Len != 2 || tag(0) != "a" || tag(1) != "é\n" ||
		in.Text(o.Address.City) != "Köln" || in.Text(o.Address.Zip) != "50667" || !o.Address.HasZip ||
		o.Parcels.Len != 2 || in.Word(o.Parcels, 0) != 1 || in.Word(o.Parcels, 1) != 200 {
		t.Errorf("got %+v", o)
	}
	in, o, site, fault = decodeOrder(` { "address" : { "city" : "" } , "at" : "1970-01-01T00:00:00Z" , "paid" : null , "id" : "x" } `)
	if site != 0 || fault != 0 || in.Text(o.ID) != "x" || o.Count != 1 || o.HasPrice || o.HasPaid || o.HasSeen || o.Tags.Len != 0 || o.Address.HasZip || o.At != 0 {
		t.Errorf("got %+v, refused at %d: %v", o, site, fault)
	}
}

// A record is JSON or not, then its time and the contract are judged; the least site is named, wherever it stands in the record.
func TestVerdict(t *testing.T) {
	const address = `"address":{"city":"c"}`
	for _, test := range []struct {
		line  string
		site  uint16
		fault stream.Fault
	}{
		{`{}`, siteID, stream.FaultMissing},
		{`{"id":null}`, siteID, stream.FaultNull},
		{`{"id":""}`, siteID, stream.FaultConstraint},
		{`{"id":"x"}`, siteAt, stream.FaultMissing},
		{`{"address":{},"at":"1970-01-01T00:00:00Z","id":"x"}`, siteAddressCity, stream.FaultMissing},
		{`{"address":[],"at":"1970-01-01T00:00:00Z","id":"x"}`, siteAddress, stream.FaultType},
		{`{"address":{"zip":1,"city":"c"},"at":"1970-01-01T00:00:00Z","id":"x"}`, siteAddressZip, stream.FaultType},
		{`{"address":{"zip":null,"city":"c"},"at":"1970-01-01T00:00:00Z","id":"x"}`, siteAddressZip, stream.FaultNull},
		{`{"at":7,"count":"1","id":7,` + address + `}`, siteID, stream.FaultType},
		{`{"at":7,"count":"1","id":"x",` + address + `}`, siteCount, stream.FaultType},
		{`{"at":7,"count":-1,"id":"x",` + address + `}`, siteCount, stream.FaultConstraint},
		{`{"at":7,"count":1.5,"id":"x",` + address + `}`, siteCount, stream.FaultIntegral},
		{`{"at":7,"count":1e19,"id":"x",` + address + `}`, siteCount, stream.FaultIntRange},
		{`{"at":7,"price":1e999,"id":"x",` + address + `}`, sitePrice, stream.FaultFloatRange},
		{`{"at":"7","paid":0,"id":"x",` + address + `}`, sitePaid, stream.FaultType},
		{`{"at":"7","id":"x",` + address + `}`, siteAt, stream.FaultTime},
		{`{"at":"0001-01-01T00:00:00Z","id":"x",` + address + `}`, siteTimeRange, stream.FaultTimeRange},
		{`{"at":"0001-01-01T00:00:00Z","id":"x",` + address + `,"tags":[1]}`, siteTags, stream.FaultType},
		{`{"seen":1e30,"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, siteSeen, stream.FaultTimeRange},
		{`{"tags":["a",null],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, siteTags, stream.FaultNull},
		{`{"tags":{},"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, siteTags, stream.FaultType},
		{`{"parcels":[1,0],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, siteParcels, stream.FaultConstraint},
		{`{"parcels":[[1]],"at":"1970-01-01T00:00:00Z","id":"x",` + address + `}`, siteParcels, stream.FaultType},
		// What is no JSON further on wins over a contract that was violated before, and over a time out of range.
		{`{"id":7,"x":01}`, siteDecode, stream.FaultNumber},
		{`{"id":7,"at":"0001-01-01T00:00:00Z"} x`, siteDecode, stream.FaultTrailing},
		{`{"id":[1,{"a":nul}]}`, siteDecode, stream.FaultSyntax},
		{`{"id":"x","id":"x"}`, siteDecode, stream.FaultTwice},
		{`{"id":"x","\u0069d":"x"}`, siteDecode, stream.FaultTwice},
		{`{"address":{"city":"a","cit\u0079":"b"}}`, siteDecode, stream.FaultTwice},
		{`{"count":1,"count":null}`, siteDecode, stream.FaultTwice},
		{`{"tags":["a" "b"]}`, siteDecode, stream.FaultSyntax},
		{`{"tags":["a",]}`, siteDecode, stream.FaultSyntax},
		{`{"tags":["a"`, siteDecode, stream.FaultTruncated},
		{`{"tags":["a"}`, siteDecode, stream.FaultSyntax},
		{`{"address":{"city":"a"]}`, siteDecode, stream.FaultSyntax},
		{`{"address":{"city":"a"`, siteDecode, stream.FaultTruncated},
		{`{"address":`, siteDecode, stream.FaultTruncated},
		{`{"id"`, siteDecode, stream.FaultTruncated},
		{`{"id`, siteDecode, stream.FaultTruncated},
		{`{`, siteDecode, stream.FaultTruncated},
	} {
		if _, _, site, fault := decodeOrder(test.line); site != test.site || fault != test.fault {
			t.Errorf("%s: site %d, %v; want site %d, %v", test.line, site, fault, test.site, test.fault)
		}
	}
}

// The record ends where line ends, even if what stands behind it would go on.
func TestRecordEndsAtItsLength(t *testing.T) {
	const block = `{"id":"a","at":"1970-01-01T00:00:00Z","address":{"city":"c"}` + "\n" + `}` + "\n" + `{"id":"a"}` + "\n"
	in := &stream.Batch{Data: append([]byte(block), make([]byte, stream.Padding)...), End: len(block)}
	var o order
	for _, want := range []struct {
		site  uint16
		fault stream.Fault
	}{{siteDecode, stream.FaultTruncated}, {siteDecode, stream.FaultSyntax}, {siteAt, stream.FaultMissing}} {
		line, ok := in.Next()
		if site, fault := o.decode(in, line); !ok || site != want.site || fault != want.fault {
			t.Errorf("%q: site %d, %v; want %v", in.Bytes(line), site, fault, want)
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
		if _, fault := o.decode(in, line); fault != 0 {
			b.Fatal(fault)
		}
	}
}
