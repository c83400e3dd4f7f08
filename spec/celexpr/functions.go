package celexpr

import "strings"

// Function is a function, operator or macro that expressions have, as the reference shows it.
type Function struct {
	Group   string
	Name    string   // as it is written: "lowerAscii", "math.abs", "+"
	Usage   []string // each way of calling it, with the types of what it takes and gives
	Meaning string
	Example string // a CEL expression
	Result  string // what it gives, in CEL; "" when it gives Fault
	Fault   string // in the words of dead letters
}

// The groups of functions.
const (
	GroupOperators  = "operators"
	GroupText       = "text"
	GroupNumbers    = "numbers"
	GroupTime       = "time"
	GroupLists      = "lists"
	GroupDecimals   = "decimals"
	GroupConversion = "conversion"
)

// Functions are all that an expression over a row can call, by group. Every example is held against its result by a test.
var Functions = []Function{
	{GroupOperators, "&&", []string{"bool && bool -> bool"}, "both are true; when one side is false the other may fail", "false && 1 / 0 > 1", "false", ""},
	{GroupOperators, "||", []string{"bool || bool -> bool"}, "one is true; when one side is true the other may fail", "1 / 0 > 1 || true", "true", ""},
	{GroupOperators, "!", []string{"!bool -> bool"}, "not", "!(1 > 2)", "true", ""},
	{GroupOperators, "?:", []string{"bool ? A : A -> A"}, "the first when the condition is true, else the second; the other one is not evaluated", "2 > 1 ? 'yes' : 'no'", "'yes'", ""},
	{GroupOperators, "==", []string{"A == A -> bool"}, "equal; null equals null alone, lists are equal when all elements are", "[1, 2] == [1, 2]", "true", ""},
	{GroupOperators, "!=", []string{"A != A -> bool"}, "not equal", "'a' != 'A'", "true", ""},
	{GroupOperators, "<, <=, >, >=", []string{"A < A -> bool"}, "order: numbers, text and bytes byte by byte, times, durations, false before true; null fails", "'Z' < 'a'", "true", ""},
	{GroupOperators, "+", []string{"int + int -> int", "double + double -> double", "decimal + decimal -> decimal", "string + string -> string", "bytes + bytes -> bytes", "list + list -> list", "timestamp + duration -> timestamp", "duration + duration -> duration"}, "sum, or one behind the other", "'a' + 'b'", "'ab'", ""},
	{GroupOperators, "-", []string{"int - int -> int", "double - double -> double", "decimal - decimal -> decimal", "timestamp - timestamp -> duration", "timestamp - duration -> timestamp", "duration - duration -> duration", "-int -> int", "-double -> double", "-decimal -> decimal"}, "difference, or the negative", "3 - 5", "-2", ""},
	{GroupOperators, "*", []string{"int * int -> int", "double * double -> double"}, "product; an int outside 64 bits fails", "9223372036854775807 * 2", "", "result outside the range of its type"},
	{GroupOperators, "/", []string{"int / int -> int", "double / double -> double"}, "quotient, of ints towards zero", "-7 / 2", "-3", ""},
	{GroupOperators, "%", []string{"int % int -> int"}, "remainder, with the sign of the first", "-7 % 2", "-1", ""},
	{GroupOperators, "has", []string{"has(event.field) -> bool"}, "the field is not null; through the variable event, or the struct that has it", "has(event.note)", "false", ""},

	{GroupText, "size", []string{"size(string) -> int", "size(bytes) -> int", "size(list) -> int"}, "code points of text, bytes, or elements", "size('é😀')", "2", ""},
	{GroupText, "startsWith", []string{"string.startsWith(string) -> bool"}, "begins with", "'order-7'.startsWith('order-')", "true", ""},
	{GroupText, "endsWith", []string{"string.endsWith(string) -> bool"}, "ends with", "'photo.jpg'.endsWith('.jpg')", "true", ""},
	{GroupText, "contains", []string{"string.contains(string) -> bool"}, "has the piece somewhere", "'checkout'.contains('eck')", "true", ""},
	{GroupText, "matches", []string{"string.matches(pattern) -> bool"}, "a constant regular expression (RE2) matches a part of the text; anchor it with ^ and $", "'A-17'.matches('^[A-Z]-[0-9]+$')", "true", ""},
	{GroupText, "charAt", []string{"string.charAt(int) -> string"}, "the code point at that place, from 0; '' at the end, behind it a fault", "'café'.charAt(3)", "'é'", ""},
	{GroupText, "indexOf", []string{"string.indexOf(string) -> int", "string.indexOf(string, int) -> int"}, "where the piece stands first, from the given place on; -1 when it does not", "'banana'.indexOf('an', 2)", "3", ""},
	{GroupText, "lastIndexOf", []string{"string.lastIndexOf(string) -> int", "string.lastIndexOf(string, int) -> int"}, "where the piece stands last, not behind the given place; -1 when it does not", "'banana'.lastIndexOf('an')", "3", ""},
	{GroupText, "substring", []string{"string.substring(int) -> string", "string.substring(int, int) -> string"}, "from the first place up to, and without, the second; outside of the text a fault", "'2024-05-01'.substring(0, 4)", "'2024'", ""},
	{GroupText, "replace", []string{"string.replace(string, string) -> string", "string.replace(string, string, int) -> string"}, "each of the first piece, or as many as given, by the second", "'a-b-c'.replace('-', '+', 1)", "'a+b-c'", ""},
	{GroupText, "lowerAscii", []string{"string.lowerAscii() -> string"}, "A to Z in lower case; other letters stay", "'ÉTÉ Paid'.lowerAscii()", "'ÉtÉ paid'", ""},
	{GroupText, "upperAscii", []string{"string.upperAscii() -> string"}, "a to z in upper case; other letters stay", "'eur'.upperAscii()", "'EUR'", ""},
	{GroupText, "trim", []string{"string.trim() -> string"}, "without white space at both ends", "'  a b '.trim()", "'a b'", ""},
	{GroupText, "reverse", []string{"string.reverse() -> string"}, "code points from the last to the first", "'abc'.reverse()", "'cba'", ""},
	{GroupText, "split", []string{"string.split(string) -> list(string)", "string.split(string, int) -> list(string)"}, "the pieces between the separators, at most as many as given", "'a,b,c'.split(',', 2)", "['a', 'b,c']", ""},
	{GroupText, "join", []string{"list(string).join() -> string", "list(string).join(string) -> string"}, "one behind the other, with the separator between", "['a', 'b'].join('+')", "'a+b'", ""},

	{GroupNumbers, "math.greatest", []string{"math.greatest(int, …) -> int", "math.greatest(double, …) -> double", "math.greatest(list) -> int or double"}, "the greatest; of an empty list a fault", "math.greatest(1, 7, 3)", "7", ""},
	{GroupNumbers, "math.least", []string{"math.least(int, …) -> int", "math.least(double, …) -> double", "math.least(list) -> int or double"}, "the least; of an empty list a fault", "math.least([2.5, 0.5])", "0.5", ""},
	{GroupNumbers, "math.abs", []string{"math.abs(int) -> int", "math.abs(double) -> double"}, "magnitude", "math.abs(-7)", "7", ""},
	{GroupNumbers, "math.sign", []string{"math.sign(int) -> int", "math.sign(double) -> double"}, "-1, 0 or 1", "math.sign(-2.5)", "-1.0", ""},
	{GroupNumbers, "math.ceil", []string{"math.ceil(double) -> double"}, "the whole number above", "math.ceil(1.2)", "2.0", ""},
	{GroupNumbers, "math.floor", []string{"math.floor(double) -> double"}, "the whole number below", "math.floor(-1.2)", "-2.0", ""},
	{GroupNumbers, "math.round", []string{"math.round(double) -> double"}, "the nearest whole number, halves away from zero", "math.round(-1.5)", "-2.0", ""},
	{GroupNumbers, "math.trunc", []string{"math.trunc(double) -> double"}, "the whole number towards zero", "math.trunc(-1.9)", "-1.0", ""},
	{GroupNumbers, "math.sqrt", []string{"math.sqrt(double) -> double", "math.sqrt(int) -> double"}, "square root; of a negative number it is not finite", "math.sqrt(9)", "3.0", ""},
	{GroupNumbers, "math.isNaN", []string{"math.isNaN(double) -> bool"}, "is no number, as 0.0 / 0.0", "math.isNaN(0.0 / 0.0)", "true", ""},
	{GroupNumbers, "math.isInf", []string{"math.isInf(double) -> bool"}, "is infinite, as 1.0 / 0.0", "math.isInf(-1.0 / 0.0)", "true", ""},
	{GroupNumbers, "math.isFinite", []string{"math.isFinite(double) -> bool"}, "is neither of these", "math.isFinite(1.5)", "true", ""},
	{GroupNumbers, "math.bitAnd", []string{"math.bitAnd(int, int) -> int"}, "bits that both have", "math.bitAnd(12, 10)", "8", ""},
	{GroupNumbers, "math.bitOr", []string{"math.bitOr(int, int) -> int"}, "bits that one has", "math.bitOr(12, 10)", "14", ""},
	{GroupNumbers, "math.bitXor", []string{"math.bitXor(int, int) -> int"}, "bits that only one has", "math.bitXor(12, 10)", "6", ""},
	{GroupNumbers, "math.bitNot", []string{"math.bitNot(int) -> int"}, "all bits the other way", "math.bitNot(0)", "-1", ""},
	{GroupNumbers, "math.bitShiftLeft", []string{"math.bitShiftLeft(int, int) -> int"}, "bits moved up; by a negative number a fault", "math.bitShiftLeft(1, 4)", "16", ""},
	{GroupNumbers, "math.bitShiftRight", []string{"math.bitShiftRight(int, int) -> int"}, "bits moved down, zeros from above; by a negative number a fault", "math.bitShiftRight(-1, 60)", "15", ""},

	{GroupTime, "getFullYear", []string{"timestamp.getFullYear() -> int", "timestamp.getFullYear(zone) -> int"}, "year, in UTC or in a constant zone: an IANA name or an offset", "timestamp('2024-01-01T03:00:00Z').getFullYear('America/New_York')", "2023", ""},
	{GroupTime, "getMonth", []string{"timestamp.getMonth() -> int", "timestamp.getMonth(zone) -> int"}, "month, 0 for January", "timestamp('2024-05-01T00:00:00Z').getMonth()", "4", ""},
	{GroupTime, "getDate", []string{"timestamp.getDate() -> int", "timestamp.getDate(zone) -> int"}, "day of the month, from 1", "timestamp('2024-05-01T23:30:00Z').getDate('+02:00')", "2", ""},
	{GroupTime, "getDayOfMonth", []string{"timestamp.getDayOfMonth() -> int", "timestamp.getDayOfMonth(zone) -> int"}, "day of the month, from 0", "timestamp('2024-05-01T00:00:00Z').getDayOfMonth()", "0", ""},
	{GroupTime, "getDayOfYear", []string{"timestamp.getDayOfYear() -> int", "timestamp.getDayOfYear(zone) -> int"}, "day of the year, from 0", "timestamp('2024-12-31T00:00:00Z').getDayOfYear()", "365", ""},
	{GroupTime, "getDayOfWeek", []string{"timestamp.getDayOfWeek() -> int", "timestamp.getDayOfWeek(zone) -> int"}, "day of the week, 0 for Sunday", "timestamp('2024-05-01T00:00:00Z').getDayOfWeek()", "3", ""},
	{GroupTime, "getHours", []string{"timestamp.getHours() -> int", "timestamp.getHours(zone) -> int", "duration.getHours() -> int"}, "hour of the day; of a duration all whole hours", "timestamp('2024-11-03T09:30:00Z').getHours('America/Los_Angeles')", "1", ""},
	{GroupTime, "getMinutes", []string{"timestamp.getMinutes() -> int", "timestamp.getMinutes(zone) -> int", "duration.getMinutes() -> int"}, "minute of the hour; of a duration all whole minutes", "duration('1h30m').getMinutes()", "90", ""},
	{GroupTime, "getSeconds", []string{"timestamp.getSeconds() -> int", "timestamp.getSeconds(zone) -> int", "duration.getSeconds() -> int"}, "second of the minute; of a duration all whole seconds", "timestamp('2024-05-01T12:00:07.5Z').getSeconds()", "7", ""},
	{GroupTime, "getMilliseconds", []string{"timestamp.getMilliseconds() -> int", "timestamp.getMilliseconds(zone) -> int", "duration.getMilliseconds() -> int"}, "millisecond of the second; of a duration all whole milliseconds", "timestamp('2024-05-01T12:00:07.5Z').getMilliseconds()", "500", ""},

	{GroupLists, "in", []string{"A in list(A) -> bool"}, "the list has the value", "'eur' in ['eur', 'usd']", "true", ""},
	{GroupLists, "{}", []string{"{key: A, …}[key] -> A", "key in {key: A, …} -> bool"}, "the value that belongs to a key; the keys are constants, and another key is a fault", "{'EUR': 1.0, 'USD': 0.92}['USD']", "0.92", ""},
	{GroupLists, "[]", []string{"list(A)[int] -> A"}, "the element at that place, from 0; outside a fault", "['a', 'b'][2]", "", "index outside the list or text"},
	{GroupLists, "exists", []string{"list.exists(x, condition) -> bool"}, "true of one element; when it is, it may fail for others", "[1, 2, 3].exists(x, x > 2)", "true", ""},
	{GroupLists, "all", []string{"list.all(x, condition) -> bool"}, "true of every element; when it is false for one, it may fail for others", "[1, 2, 3].all(x, x > 2)", "false", ""},
	{GroupLists, "exists_one", []string{"list.exists_one(x, condition) -> bool"}, "true of exactly one element", "[1, 2, 3].exists_one(x, x > 2)", "true", ""},
	{GroupLists, "filter", []string{"list.filter(x, condition) -> list"}, "the elements of which it is true", "[1, 2, 3].filter(x, x > 1)", "[2, 3]", ""},
	{GroupLists, "map", []string{"list.map(x, value) -> list", "list.map(x, condition, value) -> list"}, "the value made of each element, or of each of which the condition is true", "[1, 2, 3].map(x, x > 1, x * 10)", "[20, 30]", ""},

	{GroupDecimals, "decimal", []string{"decimal('constant') -> decimal"}, "a constant; it takes the scale of what it stands beside", "decimal('1.25') + decimal('0.5') == decimal('1.75')", "true", ""},

	{GroupConversion, "int", []string{"int(double) -> int", "int(string) -> int", "int(timestamp) -> int", "int(duration) -> int"}, "of a double towards zero, of a timestamp whole seconds since 1970, of a duration nanoseconds", "int(-1.9)", "-1", ""},
	{GroupConversion, "double", []string{"double(int) -> double", "double(string) -> double", "double(decimal) -> double"}, "the nearest double", "double(decimal('0.10'))", "0.1", ""},
	{GroupConversion, "string", []string{"string(int) -> string", "string(double) -> string", "string(bool) -> string", "string(bytes) -> string", "string(timestamp) -> string", "string(duration) -> string", "string(decimal) -> string"}, "the text; of bytes that are not UTF-8 a fault", "string(1.0)", "'1'", ""},
	{GroupConversion, "bytes", []string{"bytes(string) -> bytes"}, "the text in UTF-8", "size(bytes('é'))", "2", ""},
	{GroupConversion, "bool", []string{"bool(string) -> bool"}, "of true, t, 1, false, f, 0 in the spellings of Go; else a fault", "bool('true')", "true", ""},
	{GroupConversion, "timestamp", []string{"timestamp(string) -> timestamp", "timestamp(int) -> timestamp"}, "of RFC 3339, or of seconds since 1970", "timestamp(1714521600) == timestamp('2024-05-01T00:00:00Z')", "true", ""},
	{GroupConversion, "duration", []string{"duration(string) -> duration"}, "of a number with a unit, such as 90s, 10m or 1h30m", "duration('90s') == duration('1m30s')", "true", ""},
}

// functions are those of Functions that become OpFunction; the others have operations of their own.
var functions = func() map[string]bool {
	names := map[string]bool{}
	for _, f := range Functions {
		_, own := ops[f.Name]
		if (f.Group == GroupText || f.Group == GroupNumbers || f.Group == GroupTime) && !own {
			names[f.Name] = true
		}
	}
	return names
}()

// usages are the ways of calling a function, for messages.
var usages = func() map[string]string {
	all := map[string]string{}
	for _, f := range Functions {
		if f.Name[0] >= 'a' && f.Name[0] <= 'z' {
			all[f.Name] = strings.Join(f.Usage, ", or ")
		}
	}
	return all
}()
