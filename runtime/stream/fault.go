package stream

import (
	"cmp"
	"slices"
)

// Fault is what is wrong with a value or a record. 0 is no fault.
type Fault uint8

// The faults. FaultSyntax to FaultReturn are of records that are not one valid JSON object or CSV row, FaultMissing to FaultConstraint of a field's contract, the
// rest of expressions and aggregates.
const (
	FaultNone Fault = iota

	FaultSyntax    // not JSON
	FaultNotObject // valid so far, but not an object
	FaultTrailing  // bytes behind the object
	FaultTruncated // the record ends inside a value
	FaultUTF8      // invalid UTF-8
	FaultSurrogate // half of a surrogate pair
	FaultControl   // control character in a string
	FaultEscape    // unknown escape in a string
	FaultNumber    // not a JSON number
	FaultTwice     // a declared field stands twice
	FaultDepth     // nesting above 512
	FaultBOM       // byte-order mark inside the stream
	FaultTooLarge  // above max_record
	FaultFields    // a CSV row with more or fewer fields than the header
	FaultQuote     // a quote in a CSV field that does not begin with one
	FaultBehind    // text behind the closing quote of a CSV field
	FaultUnclosed  // a CSV field whose quote is never closed
	FaultReturn    // a carriage return alone, outside of quotes
	FaultTimeRange // event time or window bound outside int64 nanoseconds
	FaultFuture    // event time ahead of the clock
	FaultNoID      // id missing, null or empty

	FaultMissing     // required field is not there
	FaultNull        // null where none is allowed
	FaultType        // value of another JSON type
	FaultIntegral    // number with a fraction in an int field
	FaultIntRange    // outside int64
	FaultFloatRange  // outside float64
	FaultTime        // string that is not RFC 3339
	FaultTimeDate    // date that the calendar does not have
	FaultTimeNoClock // date alone
	FaultTimeClock   // hour, minute or second that no day has
	FaultTimeSpace   // space for the T
	FaultTimeComma   // comma before the fraction
	FaultTimeNoZone  // no zone
	FaultTimeZone    // neither Z nor an offset
	FaultTimeLeap    // second 60 at another time than 23:59:60 UTC
	FaultScale       // number with more digits behind the point than the decimal has
	FaultDecimal     // outside int64 units of the decimal's scale
	FaultBase64      // string that is not base64
	FaultNoNumber    // CSV field that is no number as JSON writes it
	FaultZeros       // number of CSV with zeros before it
	FaultPlus        // number of CSV with a plus sign before it
	FaultNaN         // NaN or an infinity in CSV
	FaultNoBool      // CSV field that is neither true nor false
	FaultSpace       // number, true or false of CSV with white space beside it
	FaultConstraint  // bound, enum or pattern

	FaultDivision   // division by zero
	FaultModulus    // modulus by zero
	FaultOverflow   // result outside its type
	FaultNotFinite  // NaN or infinity as a result
	FaultNullUsed   // null into an operator
	FaultIndex      // index outside the list or text
	FaultKey        // key that the map does not have
	FaultConversion // text or number that cannot be converted
	FaultFunction   // a function of the user failed
	FaultFull       // a key is new, and its stage has as many as limits allow
	FaultValues     // a key has more values than max_values allows
)

var faultTexts = [...]string{
	FaultNone:        "no fault",
	FaultSyntax:      "not valid JSON",
	FaultNotObject:   "not a JSON object; each line must be a whole one",
	FaultTrailing:    "data after the JSON object",
	FaultTruncated:   "the record ends inside the JSON object; each line must be a whole one",
	FaultUTF8:        "invalid UTF-8",
	FaultSurrogate:   "half of a surrogate pair in a string",
	FaultControl:     "control character in a string",
	FaultEscape:      "unknown escape in a string",
	FaultNumber:      "not a valid JSON number",
	FaultTwice:       "the field stands twice",
	FaultDepth:       "nested deeper than 512",
	FaultBOM:         "byte-order mark inside the file",
	FaultTooLarge:    "larger than max_record",
	FaultFields:      "more or fewer fields than the header has",
	FaultQuote:       "a quote in a field that does not begin with one",
	FaultBehind:      "text behind the closing quote of a field",
	FaultUnclosed:    "a quote that is never closed",
	FaultReturn:      "a carriage return outside of quotes",
	FaultTimeRange:   "outside the range of times (1677-09-21 to 2262-04-11)",
	FaultFuture:      "event time is ahead of the clock",
	FaultNoID:        "no usable id: missing, null or empty",
	FaultMissing:     "required field is missing",
	FaultNull:        "null is not allowed",
	FaultType:        "wrong JSON type",
	FaultIntegral:    "not an integer",
	FaultIntRange:    "outside the range of int64",
	FaultFloatRange:  "outside the range of float64",
	FaultTime:        "not of the form 2006-01-02T15:04:05Z",
	FaultTimeDate:    "a date that the calendar does not have",
	FaultTimeNoClock: "a date without a time of day",
	FaultTimeClock:   "a time of day that does not exist",
	FaultTimeSpace:   "a space between date and time of day, where T must stand",
	FaultTimeComma:   "a comma before the fraction of a second, where a point must stand",
	FaultTimeNoZone:  "no zone: Z or an offset such as +01:00 must end the time",
	FaultTimeZone:    "the end is neither Z nor an offset from -23:59 to +23:59 such as +01:00",
	FaultTimeLeap:    "second 60, which only 23:59:60 UTC may have",
	FaultScale:       "more digits behind the point than the decimal has",
	FaultDecimal:     "outside the range of the decimal",
	FaultBase64:      "not base64",
	FaultNoNumber:    "not a number as JSON writes it",
	FaultZeros:       "zeros before the number",
	FaultPlus:        "a plus sign before the number",
	FaultNaN:         "NaN or an infinity",
	FaultNoBool:      "neither true nor false, in small letters",
	FaultSpace:       "white space beside the value",
	FaultConstraint:  "constraint violated",
	FaultDivision:    "division by zero",
	FaultModulus:     "modulus by zero",
	FaultOverflow:    "result outside the range of its type",
	FaultNotFinite:   "result is not a finite number",
	FaultNullUsed:    "null into an operator",
	FaultIndex:       "index outside the list or text",
	FaultKey:         "the map does not have the key",
	FaultConversion:  "cannot be converted",
	FaultFunction:    "the function failed",
	FaultFull:        "one more than the stage may keep",
	FaultValues:      "more values than max_values allows",
}

// Placed says whether f is of a record that cannot be decoded from one of its bytes on.
func (f Fault) Placed() bool {
	switch f {
	case FaultSyntax, FaultTrailing, FaultUTF8, FaultSurrogate, FaultControl, FaultEscape, FaultNumber, FaultTwice, FaultDepth, FaultBOM, FaultQuote, FaultBehind, FaultUnclosed, FaultReturn:
		return true
	}
	return false
}

// String says in a few words what is wrong.
func (f Fault) String() string {
	if int(f) < len(faultTexts) {
		return faultTexts[f]
	}
	return "unknown fault"
}

// Site is one place in a pipeline where a record or row can be refused. Each processor has a table of them; site 0 is no site.
type Site struct {
	Node    string // source or stage
	Reason  string // "decode", "contract:amount", "expr:paid", …
	Field   string // of contracts the field, of expressions and aggregates the column; "" of filters and routes
	Want    string // what would be right, in the spec's words: ">=0", "a string"; may be empty
	Place   string // of expressions: where in the pipeline, and at which character of the text: "stage.paid.filter:14"
	Counter int    // index of the counter of this node and reason
	Order   int    // place of the node in the spec: 0 for the source, stages from 1
}

// SortRefused orders refusals as their dead letters are: by record, of one record by node in the order of the spec, then as they stand.
func SortRefused(refused []Refused, sites []Site) {
	slices.SortStableFunc(refused, func(a, b Refused) int {
		if c := cmp.Compare(a.Record, b.Record); c != 0 {
			return c
		}
		return cmp.Compare(sites[a.Site].Order, sites[b.Site].Order)
	})
}

// MergeRefused is SortRefused where the first own refusals are those that records caused themselves, and the others those that their steps of the watermark did: of one record, these come behind.
func MergeRefused(refused []Refused, own int, sites []Site) {
	SortRefused(refused[:own], sites)
	SortRefused(refused[own:], sites)
	slices.SortStableFunc(refused, func(a, b Refused) int { return cmp.Compare(a.Record, b.Record) })
}

// Refused is a row that a node refused, and why.
type Refused struct {
	Row
	Site   uint16
	Fault  Fault
	At     uint32 // of a record that cannot be decoded: where, in bytes from its beginning
	Detail uint32 // above 0: number of the processor's text that says more
}
