package codec

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The oracle of the tests reads an order with encoding/json, math/big and package time.

// plainOrder is an order with its strings and lists, nil where null is.
type plainOrder struct {
	ID      string
	Count   int64
	Price   *float64
	Paid    *bool
	At      int64
	Seen    *int64
	Tags    []string
	City    string
	Zip     *string
	Parcels []int64
}

func plainOf(in *stream.Batch, o *order) plainOrder {
	p := plainOrder{ID: in.Text(o.ID), Count: o.Count, At: o.At, City: in.Text(o.Address.City)}
	if o.HasPrice {
		p.Price = &o.Price
	}
	if o.HasPaid {
		p.Paid = &o.Paid
	}
	if o.HasSeen {
		p.Seen = &o.Seen
	}
	if o.Address.HasZip {
		zip := in.Text(o.Address.Zip)
		p.Zip = &zip
	}
	for i := range int(o.Tags.Len) {
		p.Tags = append(p.Tags, in.Text(stream.WordStr(in.Word(o.Tags, i))))
	}
	for i := range int(o.Parcels.Len) {
		p.Parcels = append(p.Parcels, int64(in.Word(o.Parcels, i)))
	}
	return p
}

// checkOrder holds the decoder of order against the oracle on a line of which it is known whether it is a record.
func checkOrder(t *testing.T, line []byte, record bool) {
	t.Helper()
	in, o, field, fault := decodeOrder(string(line))
	want, wantField, wantFault := oracle(line, record)
	if wantFault == anyFault && fault != 0 {
		wantFault = coarse(fault)
	}
	if field != wantField || coarse(fault) != wantFault {
		t.Fatalf("%q: field %d, %v; want field %d, %v", line, field, fault, wantField, wantFault)
	}
	if got := plainOf(in, &o); fault == 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\n%+v, want\n%+v", line, got, want)
	}
	taken(t, &learnt, line)
	var fresh Learned
	taken(t, &fresh, line)
}

// learnt is what the tests of a run have shown a decoder, one line after the other.
var learnt Learned

// taken holds take against what decode says of a line: it takes exactly the records in which nothing is wrong, and reads the same in them, whatever it has learnt before. Names
// with escapes are left to decode, and so is a line with a newline inside, which is no line of a file.
func taken(t *testing.T, learned *Learned, line []byte) {
	t.Helper()
	if bytes.IndexByte(line, '\n') >= 0 {
		return
	}
	in, want, _, fault := decodeOrder(string(line))
	plain := plainOf(in, &want)
	for _, end := range []string{"\n", "", "\n{}\n", "\n\"}]1\n"} {
		data := append(append([]byte(nil), line...), end...)
		in := &stream.Batch{Data: append(data, make([]byte, stream.Padding)...), End: len(data)}
		var got order
		span, ok := got.take(in, learned)
		switch {
		case ok && fault != 0:
			t.Fatalf("%q is taken, though %v", data, fault)
		case ok && (string(in.Bytes(span)) != string(line) || in.Pos != min(len(line)+1, in.End)):
			t.Fatalf("%q: %q is taken, the next record begins at %d", data, in.Bytes(span), in.Pos)
		case ok && !reflect.DeepEqual(plainOf(in, &got), plain):
			t.Fatalf("%q:\n%+v is taken, want\n%+v", data, plainOf(in, &got), plain)
		case !ok && in.Pos != 0:
			t.Fatalf("%q is not taken, but the next record begins at %d", data, in.Pos)
		case !ok && fault == 0 && line[0] == '{' && bytes.IndexByte(line, '\\') < 0:
			t.Fatalf("%q is not taken", data)
		}
	}
}

// anyFault is what the oracle says of a line that is no record.
const anyFault = stream.FaultSyntax

// judge keeps the first field in the order of the spec.
type judge struct {
	field uint16
	fault stream.Fault
}

func (j *judge) at(field uint16, fault stream.Fault) {
	if fault != 0 && (j.field == 0 || field < j.field) {
		j.field, j.fault = field, fault
	}
}

func oracle(line []byte, record bool) (o plainOrder, field uint16, fault stream.Fault) {
	if !record {
		return o, 0, anyFault
	}
	fields, ok := members(line, "id", "count", "price", "paid", "at", "seen", "tags", "address", "parcels")
	if !ok {
		return o, 0, anyFault
	}
	var j judge
	o.Count = 1
	if o.ID, fault = stringOf(fields["id"]); fault == 0 && o.ID == "" {
		fault = stream.FaultConstraint
	}
	j.at(orderID, fault)
	if raw := fields["count"]; raw != nil {
		if o.Count, fault = intOf(raw); fault == 0 && o.Count < 0 {
			fault = stream.FaultConstraint
		}
		j.at(orderCount, fault)
	}
	if raw := fields["price"]; raw != nil {
		f, fault := floatOf(raw)
		o.Price = &f
		j.at(orderPrice, fault)
	}
	switch raw := fields["paid"]; string(raw) {
	case "", "null":
	case "true", "false":
		b := string(raw) == "true"
		o.Paid = &b
	default:
		j.at(orderPaid, stream.FaultType)
	}
	text, fault := stringOf(fields["at"])
	if fault == 0 {
		o.At, fault = timeOf(text)
	}
	timeRange := fault == stream.FaultTimeRange
	if !timeRange {
		j.at(orderAt, fault)
	}
	if raw := fields["seen"]; raw != nil {
		ms, fault := epochOf(raw, 6)
		o.Seen = &ms
		j.at(orderSeen, fault)
	}
	for _, raw := range elements(fields["tags"], orderTags, &j) {
		s, fault := stringOf(raw)
		o.Tags = append(o.Tags, s)
		j.at(orderTags, fault)
	}
	for _, raw := range elements(fields["parcels"], orderParcels, &j) {
		v, fault := intOf(raw)
		if fault == 0 && v <= 0 {
			fault = stream.FaultConstraint
		}
		o.Parcels = append(o.Parcels, v)
		j.at(orderParcels, fault)
	}
	switch raw := fields["address"]; {
	case raw == nil || raw[0] != '{':
		j.at(orderAddress, wrong(raw))
	default:
		fields, ok := members(raw, "city", "zip")
		if !ok {
			return o, 0, anyFault
		}
		o.City, fault = stringOf(fields["city"])
		j.at(orderAddressCity, fault)
		if raw := fields["zip"]; raw != nil {
			s, fault := stringOf(raw)
			o.Zip = &s
			j.at(orderAddressZip, fault)
		}
	}
	if j.fault == 0 && timeRange {
		return o, orderAt, stream.FaultTimeRange
	}
	return o, j.field, j.fault
}

// members are the values of an object by name. ok is false when a declared one stands twice.
func members(object []byte, declared ...string) (fields map[string]json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token()
	fields = map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			panic(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic(err)
		}
		for _, field := range declared {
			if field != name {
				continue
			}
			if fields[field] != nil {
				return nil, false
			}
			fields[field] = value
		}
	}
	return fields, true
}

func elements(raw json.RawMessage, field uint16, j *judge) (list []json.RawMessage) {
	if raw == nil {
		return nil
	}
	if raw[0] != '[' {
		j.at(field, wrong(raw))
		return nil
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		panic(err)
	}
	return list
}

// wrong is the fault of a value that has not the right type.
func wrong(raw json.RawMessage) stream.Fault {
	switch string(raw) {
	case "":
		return stream.FaultMissing
	case "null":
		return stream.FaultNull
	}
	return stream.FaultType
}

func stringOf(raw json.RawMessage) (s string, fault stream.Fault) {
	if raw == nil || raw[0] != '"' {
		return "", wrong(raw)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(err)
	}
	return s, 0
}

// decimalOf is a number of moderate exponent exactly; of others ok is false.
func decimalOf(raw json.RawMessage) (value *big.Rat, fault stream.Fault, ok bool) {
	if raw == nil || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return nil, wrong(raw), true
	}
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		if exp, err := strconv.ParseInt(string(raw[i+1:]), 10, 64); err != nil || exp > 5000 || exp < -5000 {
			return nil, 0, false
		}
	}
	value, ok = new(big.Rat).SetString(string(raw))
	return value, 0, ok
}

func intOf(raw json.RawMessage) (int64, stream.Fault) {
	value, fault, ok := decimalOf(raw)
	switch {
	case fault != 0:
		return 0, fault
	case !ok:
		return hugeOf(raw, 0, stream.FaultIntegral, stream.FaultIntRange)
	case new(big.Rat).Abs(value).Cmp(tenTo19) >= 0: // not an integer perhaps, but out of range comes first there
		return 0, stream.FaultIntRange
	case !value.IsInt():
		return 0, stream.FaultIntegral
	case !value.Num().IsInt64():
		return 0, stream.FaultIntRange
	}
	return value.Num().Int64(), 0
}

var tenTo19 = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(19), nil))

// hugeOf judges a number with an exponent beyond all records of the tests: 0, tiny or beyond the range.
func hugeOf(raw json.RawMessage, zero int64, tiny, beyond stream.Fault) (int64, stream.Fault) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(raw)), "e")
	switch {
	case strings.Trim(mantissa, "-0.") == "":
		return 0, 0
	case exponent[0] == '-':
		return zero, tiny
	}
	return 0, beyond
}

// unitsOf is a number as a count of 10^-scale.
func unitsOf(raw json.RawMessage, scale int64) (int64, stream.Fault) {
	value, fault, ok := decimalOf(raw)
	if fault != 0 {
		return 0, fault
	}
	if !ok {
		return hugeOf(raw, 0, stream.FaultScale, stream.FaultDecimal)
	}
	value.Mul(value, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(scale), nil)))
	switch {
	case new(big.Rat).Abs(value).Cmp(tenTo19) >= 0:
		return 0, stream.FaultDecimal
	case !value.IsInt():
		return 0, stream.FaultScale
	case !value.Num().IsInt64():
		return 0, stream.FaultDecimal
	}
	return value.Num().Int64(), 0
}

func floatOf(raw json.RawMessage) (float64, stream.Fault) {
	if _, fault, _ := decimalOf(raw); fault != 0 {
		return 0, fault
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0, stream.FaultFloatRange
	}
	return f + 0, 0 // -0 + 0 is 0
}

func epochOf(raw json.RawMessage, unit int64) (int64, stream.Fault) {
	value, fault, ok := decimalOf(raw)
	if fault != 0 {
		return 0, fault
	}
	if !ok {
		floor := int64(0)
		if raw[0] == '-' {
			floor = -1
		}
		return hugeOf(raw, floor, 0, stream.FaultTimeRange)
	}
	value.Mul(value, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(unit), nil)))
	floor := new(big.Int)
	floor.Div(value.Num(), value.Denom()) // Euclidean, and the denominator is above 0
	if !floor.IsInt64() {
		return 0, stream.FaultTimeRange
	}
	return floor.Int64(), 0
}

// coarse is a fault as the oracles know it: what is said more exactly of a time or of a number of CSV is one fault to them.
func coarse(f stream.Fault) stream.Fault {
	switch {
	case f >= stream.FaultTime && f <= stream.FaultTimeLeap:
		return stream.FaultTime
	case f >= stream.FaultNoNumber && f <= stream.FaultNaN, f == stream.FaultSpace:
		return stream.FaultNoNumber
	}
	return f
}

var rfc3339 = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:)(\d\d)(?:\.(\d+))?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func timeOf(text string) (int64, stream.Fault) {
	m := rfc3339.FindStringSubmatch(text)
	if m == nil {
		return 0, stream.FaultTime
	}
	second, nanos := m[3], (m[4] + "000000000")[:9]
	leap := second == "60"
	if leap {
		second, nanos = "59", "999999999"
	}
	at, err := time.Parse(time.RFC3339Nano, m[1]+"T"+m[2]+second+"."+nanos+strings.ToUpper(m[5]))
	if err != nil || leap && at.UTC().Format("15:04:05") != "23:59:59" {
		return 0, stream.FaultTime
	}
	ns := new(big.Int).Add(new(big.Int).Mul(big.NewInt(at.Unix()), big.NewInt(1e9)), big.NewInt(int64(at.Nanosecond())))
	if !ns.IsInt64() {
		return 0, stream.FaultTimeRange
	}
	return ns.Int64(), 0
}

func TestOracleTime(t *testing.T) {
	if ns, fault := timeOf("2262-04-11T23:47:16.854775807Z"); ns != math.MaxInt64 || fault != 0 {
		t.Errorf("%d, %v", ns, fault)
	}
}
