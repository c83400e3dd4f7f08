package reference

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// decode reads a record. reason is empty, or why it is refused; field is the one that broke its contract.
func decode(line string) (e *event, reason, field string) {
	record, err := parse(line)
	if err != nil || record.kind != '{' {
		return nil, "decode", ""
	}
	// A declared field twice is no record; undeclared ones may be doubled. Names match byte for byte, once unescaped.
	fields := map[string]value{}
	for _, m := range record.members {
		if _, twice := fields[m.name]; twice && slices.Contains([]string{"id", "user", "type", "amount", "at"}, m.name) {
			return nil, "decode", ""
		}
		fields[m.name] = m.value
	}

	// The contract, in spec order. A field that is missing has kind 0: not a string, not a number.
	e = &event{}
	if id := fields["id"]; id.kind == '"' && id.text != "" {
		e.id = id.text
	} else {
		return nil, "contract:id", "id"
	}
	if user := fields["user"]; user.kind == '"' && user.text != "" {
		e.user = user.text
	} else {
		return nil, "contract:user", "user"
	}
	if kind := fields["type"]; kind.kind == '"' && slices.Contains([]string{"view", "click", "purchase", "signup"}, kind.text) {
		e.kind = kind.text
	} else {
		return nil, "contract:type", "type"
	}
	amount, err := strconv.ParseFloat(fields["amount"].text, 64)
	if fields["amount"].kind == '0' && err == nil && amount >= 0 {
		e.amount = math.Abs(amount) // -0 becomes 0, and so does what is too small for a float64
	} else {
		return nil, "contract:amount", "amount" // one beyond float64 included: ParseFloat's error
	}
	at, err := parseTime(fields["at"].text)
	if fields["at"].kind != '"' || err != nil {
		return nil, "contract:at", "at"
	}
	if !at.IsInt64() {
		return nil, "time_range", ""
	}
	e.at = at.Int64()
	return e, "", ""
}

var (
	errTime = errors.New("not an RFC 3339 time")
	rfc3339 = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$`)
)

// parseTime reads RFC 3339 as nanoseconds since the epoch. Fraction digits behind the ninth are cut. A leap second stands at 23:59:60 UTC only and
// becomes 23:59:59.999999999.
func parseTime(text string) (*big.Int, error) {
	m := rfc3339.FindStringSubmatch(text)
	if m == nil {
		return nil, errTime
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(m[i]) // digits; "" is 0
		return n
	}
	year, month, day := number(1), number(2), number(3)
	hour, minute, sec := number(4), number(5), number(6)
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || sec > 60 || number(9) > 23 || number(10) > 59 {
		return nil, errTime
	}
	nanos, _ := strconv.ParseInt((m[7] + "000000000")[:9], 10, 64)
	leap := sec == 60
	if leap {
		sec, nanos = 59, 999_999_999
	}
	offset := number(9)*60 + number(10)
	if m[8] == "-" {
		offset = -offset
	}
	utc := time.Date(year, time.Month(month), day, hour, minute-offset, sec, 0, time.UTC)
	if leap && (utc.Hour() != 23 || utc.Minute() != 59) {
		return nil, errTime
	}
	at := new(big.Int).Mul(big.NewInt(utc.Unix()), big.NewInt(second))
	return at.Add(at, big.NewInt(nanos)), nil
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
