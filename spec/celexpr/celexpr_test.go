package celexpr

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// order is the row of the tests.
func order() *spec.Struct {
	plain := func(k spec.Kind) *spec.Type { return &spec.Type{Kind: k} }
	may := func(k spec.Kind) *spec.Type { return &spec.Type{Kind: k, Nullable: true} }
	address := &spec.Struct{Name: "Order.address", Fields: []*spec.Field{{Name: "city", Type: plain(spec.String)}, {Name: "zip", Type: may(spec.String)}}}
	item := &spec.Struct{Name: "Order.items", Fields: []*spec.Field{{Name: "sku", Type: plain(spec.String)}, {Name: "qty", Type: plain(spec.Int)}, {Name: "hint", Type: may(spec.String)}}}
	return &spec.Struct{Name: "Order", Fields: []*spec.Field{
		{Name: "user", Type: plain(spec.String)},
		{Name: "status", Type: plain(spec.String)},
		{Name: "amount", Type: plain(spec.Int), Checks: []*spec.Check{{Op: spec.CheckGreaterEqual, Value: spec.Value{Kind: spec.Int}}}},
		{Name: "qty", Type: plain(spec.Int)},
		{Name: "price", Type: plain(spec.Double)},
		{Name: "rate", Type: may(spec.Double)},
		{Name: "vip", Type: plain(spec.Bool)},
		{Name: "note", Type: may(spec.String)},
		{Name: "code", Type: may(spec.Int)},
		{Name: "flag", Type: may(spec.Bool)},
		{Name: "at", Type: plain(spec.Timestamp)},
		{Name: "seen", Type: may(spec.Timestamp)},
		{Name: "tags", Type: &spec.Type{Kind: spec.List, Elem: plain(spec.String)}},
		{Name: "more", Type: &spec.Type{Kind: spec.List, Elem: plain(spec.Int), Nullable: true}},
		{Name: "home", Type: &spec.Type{Kind: spec.Object, Struct: address}},
		{Name: "work", Type: &spec.Type{Kind: spec.Object, Struct: address, Nullable: true}},
		{Name: "total", Type: &spec.Type{Kind: spec.Decimal, Scale: 2}},
		{Name: "fee", Type: &spec.Type{Kind: spec.Decimal, Scale: 2, Nullable: true}},
		{Name: "exact", Type: &spec.Type{Kind: spec.Decimal, Scale: 3}},
		{Name: "raw", Type: plain(spec.Bytes)},
		{Name: "items", Type: &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: spec.Object, Struct: item}}},
		{Name: "user-id", Type: plain(spec.String)},
		{Name: "int", Type: plain(spec.Int)},
		{Name: "package", Type: plain(spec.Int)},
	}}
}

func place(offset int) spec.Place {
	return spec.Place{Pos: diag.Pos{File: "t", Line: 1, Col: offset + 1}}
}

// write prints a tree: (op args), with ! behind what can fail, ? behind what may be null.
func write(e *spec.Expr) string {
	mark := ""
	if e.Faults != 0 {
		mark = "!"
	}
	null := ""
	if e.Type.Nullable {
		null = "?"
	}
	switch e.Op {
	case spec.OpConst:
		switch e.Value.Kind {
		case spec.Bool:
			return strconv.FormatBool(e.Value.Bool)
		case spec.String:
			return strconv.Quote(e.Value.String)
		case spec.Double:
			return fmt.Sprintf("%gd", e.Value.Double)
		case spec.Null:
			return "null"
		}
		return strconv.FormatInt(e.Value.Int, 10)
	case spec.OpField:
		var names []string
		for _, f := range e.Path {
			names = append(names, f.Name)
		}
		return strings.Join(names, ".") + null + mark
	case spec.OpCall:
		return "#" + strconv.Itoa(e.Call) + null
	}
	parts := []string{opNames[e.Op] + e.Name + mark}
	for _, a := range e.Args {
		parts = append(parts, write(a))
	}
	return "(" + strings.Join(parts, " ") + ")" + null
}

var opNames = map[spec.Op]string{
	spec.OpList: "list", spec.OpRequire: "require", spec.OpFinite: "finite", spec.OpNot: "not", spec.OpAnd: "and", spec.OpOr: "or", spec.OpCond: "cond", spec.OpEqual: "==",
	spec.OpNotEqual: "!=", spec.OpLess: "<", spec.OpLessEqual: "<=", spec.OpGreater: ">", spec.OpGreaterEqual: ">=", spec.OpAdd: "+", spec.OpSub: "-", spec.OpMul: "*",
	spec.OpDiv: "/", spec.OpMod: "%", spec.OpNeg: "neg", spec.OpIn: "in", spec.OpIndex: "index", spec.OpSize: "size", spec.OpStartsWith: "startsWith",
	spec.OpEndsWith: "endsWith", spec.OpContains: "contains", spec.OpMatches: "matches", spec.OpHas: "has", spec.OpToBool: "bool", spec.OpToInt: "int", spec.OpToDouble: "double",
	spec.OpToString: "string", spec.OpToTimestamp: "timestamp", spec.OpToDuration: "duration",
	spec.OpToBytes: "bytes", spec.OpExists: "exists", spec.OpAll: "all", spec.OpExistsOne: "exists_one", spec.OpFilter: "filter", spec.OpMap: "map", spec.OpLookup: "lookup",
}

func problems(all []Problem) string {
	var lines []string
	for _, p := range all {
		line := fmt.Sprintf("%d %s: %s", p.Offset, p.Code, p.Text)
		if p.Hint != "" {
			line += " (" + p.Hint + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestRow(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"status == 'paid' && amount > 0", `(and (== status "paid") (> amount 0))`},
		{"amount / qty > 10 || vip", `(or vip (> (/! amount qty) 10))`},
		{"qty != 0 && amount / qty > 10", `(and (!= qty 0) (> (/ amount qty) 10))`},
		{"amount / qty > 10 && qty > 0", `(and (> qty 0) (> (/ amount qty) 10))`},
		{"amount / qty > 1 && qty / amount > 1 && vip", `(and vip (> (/! amount qty) 1) (> (/! qty amount) 1))`},
		{"note != null && size(note) > 3", `(and (!= note? null) (> (size note) 3))`},
		{"size(note) > 3 && has(event.note)", `(and (has note?) (> (size note) 3))`},
		{"note == null || note.startsWith('x')", `(or (== note? null) (startsWith note "x"))`},
		{"note == null ? 0 : size(note)", `(cond (== note? null) 0 (size note))`},
		{"code == 5 && code + 1 > 2", `(and (== code? 5) (> (+ code 1) 2))`},
		{"flag && amount / qty > 2", `(and (require! flag?) (> (/! amount qty) 2))`},
		{"code > 5", `(> (require! code?) 5)`},
		{"-7 / 2 == qty", `(== -3 qty)`},
		{"price / 3.0", `(finite (/ price 3d))`},
		{"price * 0.5", `(finite (* price 0.5d))`},
		{"price / rate", `(finite! (/ price (require! rate?)))`},
		{"rate", `rate?`},
		{"price", `price`},
		{"amount + 1 > amount", `(> (+! amount 1) amount)`},
		{"amount * 0 + size(user)", `(+ (* amount 0) (size user))`},
		{"work.city == 'x'", `(== work.city! "x")`},
		{"has(event.work) && work.city == 'x'", `(and (has work?) (== work.city "x"))`},
		{"has(work.zip)", `(has work.zip?)`},
		{"has(event.home.zip) ? home.zip : 'none'", `(cond (has home.zip?) home.zip "none")`},
		{"event.`user-id` == 'a' && event.int > 1 && event.package > 0", `(and (== user-id "a") (> int 1) (> package 0))`},
		{"user in ['a', 'b'] && 'x' in tags && 3 in more", `(and (in user (list "a" "b")) (in "x" tags) (in 3 (require! more?)))`},
		{"tags[0] == 'a'", `(== (index! tags 0) "a")`},
		{"at > timestamp('2024-01-01T00:00:00Z')", `(> at 1704067200000000000)`},
		{"at + duration('1h') > at", `(> (+! at 3600000000000) at)`},
		{"int(price) + int('5')", `(+! (int! price) 5)`},
		{"string(at) + user", `(+ (string at) user)`},
		{"seen == null", `(== seen? null)`},
		{"1.0 / 0.0 > price", `(> +Infd price)`},
		{"9223372036854775807 + qty > 0", `(> (+! 9223372036854775807 qty) 0)`},
		{"9223372036854775807 + 1 > 0", `(> (+! 9223372036854775807 1) 0)`},
		{"!(vip == (qty > 3))", `(not (== vip (> qty 3)))`},
		{"user.matches('^a+$')", `(matches user "^a+$")`},
		{"code in [1, 2]", `(in code? (list 1 2))`},
		{"duration('90s') < at - at", `(< 90000000000 (-! at at))`},
	} {
		e, found := Row(c.text, order(), place)
		got := problems(found)
		if e != nil {
			got = write(e)
		}
		if got != c.want {
			t.Errorf("{%q, `%s`},", c.text, got)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"price > 0", `6 expr-type: price is a double and 0 an int: CEL does not mix them (write 0.0)`},
		{"amount > 0.5", `7 expr-type: 0.5 is a double and amount an int: CEL does not mix them (write double(amount))`},
		{"price * amount", `6 expr-type: price is a double and amount an int: CEL does not mix them (write double(amount))`},
		{"status = 'paid'", `7 expr-syntax: = is not an operator of CEL (compare with ==)`},
		{"vip and amount > 0", `4 expr-syntax: and is not an operator of CEL (write &&)`},
		{"vip or vip", `4 expr-syntax: or is not an operator of CEL (write ||)`},
		{"not vip", `0 expr-syntax: not is not an operator of CEL (write !)`},
		{"vip & vip", `4 expr-syntax: & is not an operator of CEL (write && for "and")`},
		{"vip | vip", `4 expr-syntax: | is not an operator of CEL (write || for "or")`},
		{"staus == 'paid'", `0 expr-name: there is no field "staus" (did you mean "status"?)`},
		{"status == paid", `10 expr-name: there is no field "paid" (text needs quotes: 'paid')`},
		{"event.amnt > 1", `6 expr-name: there is no field "amnt"`},
		{"home.ctiy == 'x'", `5 expr-name: there is no field "ctiy" (did you mean "city"?)`},
		{"sum(amount) > 1", `0 expr-aggregate: sum() is an aggregate function: here is only one row (use it in window.aggregate)`},
		{"amount == null", `7 expr-null: amount is never null: the comparison always gives the same (leave it out)`},
		{"at == null", `3 expr-null: at is never null: the comparison always gives the same (leave it out)`},
		{"more == null", `5 expr-null: a list cannot be compared with null (write !has(event.more))`},
		{"status == “paid”", `10 expr-syntax: typographic quotes do not quote (write 'text' or "text")`},
		{"status == 'paid", `10 expr-syntax: a quote is opened and not closed (write 'text' or "text")`},
		{"at > '2024-01-01T00:00:00Z'", `3 expr-type: at is a time and '2024-01-01T00:00:00Z' a string (write timestamp('2024-01-01T00:00:00Z'))`},
		{"at + '1h' > at", `3 expr-type: at is a time and '1h' a string (write duration('1h'))`},
		{"at > 1700000000", `3 expr-type: at is a timestamp and 1700000000 an int (a length of time is a duration, such as duration('90s'), and a time is made by timestamp(), from a string or from whole seconds since 1970)`},
		{"at - at > 5", `8 expr-type: the left side is a duration and 5 an int (a length of time is a duration, such as duration('90s'), and a time is made by timestamp(), from a string or from whole seconds since 1970)`},
		{"size(amount) > 1", `0 expr-type: size() is of a string, bytes or a list, and amount is an int (compare the number itself)`},
		{"user + 1 == 'a'", `5 expr-type: user is a string and 1 an int (write string(1))`},
		{"amount == '5'", `7 expr-type: '5' is a string and amount an int (write 5, without quotes)`},
		{"amount && vip", `0 expr-type: && and || go between bools, and amount is an int (compare it, such as x != 0 or x != '')`},
		{"vip && status", `7 expr-type: && and || go between bools, and status is a string (compare it, such as x != 0 or x != '')`},
		{"!amount", `0 expr-type: ! asks a bool, and amount is an int (compare it, such as x != 0 or x != '')`},
		{"amount ? 1 : 2", `7 expr-type: ?: asks a bool, and amount is an int (compare it, such as x != 0 or x != '')`},
		{"vip ? 1 : 'a'", `4 expr-type: both sides of : must have one type, not int and string (convert one: int(), double(), string())`},
		{"'a' in user", `4 expr-type: in looks for a value in a list of its type, not for a string in a string (for a piece of text write text.contains('piece'))`},
		{"1 in tags", `2 expr-type: in looks for a value in a list of its type, not for an int in a list(string)`},
		{"user in ['a', 1]", `14 expr-type: the elements of a list must have one type, not string and int`},
		{"user.matches('(')", `13 expr-constant: '(' is not a regular expression (the syntax is RE2's)`},
		{"user.matches(status)", `5 expr-unsupported: the pattern of matches() must be a constant (write it as a string literal; for a plain piece of text use contains(), startsWith() or endsWith())`},
		{"timestamp('2016-12-31T23:59:60Z') < at", `10 expr-constant: '2016-12-31T23:59:60Z' is not a time (write RFC 3339 with a zone, such as '2024-05-01T12:00:00Z')`},
		{"timestamp('2300-01-01T00:00:00Z') < at", `0 expr-constant: the time is outside the range of times (between 1677-09-21 and 2262-04-11)`},
		{"duration('5') < at - at", `9 expr-constant: '5' is not a duration (write a number with a unit, such as '90s', '10m' or '1h30m')`},
		{"tags.exists(x, x == 'a')", `(exists tags (== x "a"))`},
		{"1u < 2u", `0 expr-unsupported: uint is not offered: no field has that type (write an int, without the u); 5 expr-unsupported: uint is not offered: no field has that type (write an int, without the u)`},
		{"b'x' == b'y'", `false`},
		{"{'a': 1}.a == 1", `0 expr-unsupported: a map is no value (a map is for looking up: {'a': 1, 'b': 2}[x], or x in {'a': 1})`},
		{"user.name == 'x'", `5 expr-type: user has no fields: no .name`},
		{"type(user) == string", `0 expr-unsupported: type() is not offered: every type is known before the program runs`},
		{"len(user) > 1", `0 expr-name: there is no function len() (use size())`},
		{"siez(user) > 1", `0 expr-name: there is no function siez() (did you mean "size"?)`},
		{"int > 1", `(> int 1)`}, // the field, which goes before the type
		{"double > 1.0", `7 expr-type: double is the name of a type here`},
		{"user-id == 'a'", "0 expr-name: user-id is a difference (the field of that name is event.`user-id`)"},
		{"package > 1", `0 expr-syntax: package is a word that CEL keeps for itself (write event.package)`},
		{"event == event", `0 expr-type: event is the whole row, not a value (name one of its fields)`},
		{"event", `0 expr-type: event is the whole row, not a value (name one of its fields)`},
		{"", `0 expr-syntax: the expression is empty (write one, such as amount > 0)`},
		{"amount >", `8 expr-syntax: the expression ends too early (an operand is missing at its end)`},
		{"(amount > 1", `0 expr-syntax: the ( is never closed (write ) behind what belongs to it)`},
		{"amount > 1)", `10 expr-syntax: the ) closes nothing (leave it out, or open it before)`},
		{"é > 1", `0 expr-syntax: "é" cannot stand in a CEL expression outside of quotes`},
		{"'é' == user && staus == 'x'", `16 expr-name: there is no field "staus" (did you mean "status"?)`},
		{"amount > 0 &&\n  staus == 'x'", `16 expr-name: there is no field "staus" (did you mean "status"?)`},
		{"user - 'a' == 'b'", `5 expr-type: - does not go between a string and a string`},
		{"price % 2.0 > 1.0", `6 expr-type: % does not go between a double and a double (% is for ints)`},
		{"code + null > 1", `5 expr-null: null cannot be used with +`},
		{"at + null > at", `3 expr-null: null cannot be used here: this would always fail`},
		{"tags == ['a']", `(== tags (list "a"))`},
		{"tags + ['a'] == tags", `(== (+ tags (list "a")) tags)`},
		{"home == work", `5 expr-unsupported: a struct cannot be compared (compare its parts)`},
		{"null", `0 expr-null: the value is always null`},
		{"True", `0 expr-name: there is no field "True" (write true)`},
		{"amount.startsWith('a')", `7 expr-type: startsWith() does not take an int and a string (both are strings; convert with string())`},
		{"at.getHours() > 1", `(> (getHours at) 1)`},
		{"user == 'a';", `11 expr-syntax: ; is not an operator of CEL (an expression is one line of thought: leave it out)`},
		{"status === 'x'", `7 expr-syntax: === is not an operator of CEL (write ==)`},
		{"status <> 'x'", `7 expr-syntax: <> is not an operator of CEL (write !=)`},
		{"amnt > 1 && pric > 2.0", `0 expr-name: there is no field "amnt"; 12 expr-name: there is no field "pric" (did you mean "price"?)`},
		{"status != 'a' || status != 'b'", `14 expr-constant: this is always true (it cannot be 'a' and 'b' at once: write && for "and")`},
		{"vip || amount != 1 || (qty == 2 || amount != 2)", `19 expr-constant: this is always true (it cannot be 1 and 2 at once: write && for "and")`},
		{"status == 'a' && vip && status == 'b'", `21 expr-constant: this is never true (it cannot be 'a' and 'b' at once: write || for "or")`},
		{"code == 1 && code == 1", `(== code? 1)`},
		{"user == user", `5 expr-constant: both sides are the same field (compare it with another)`},
		{"amount <= amount", `7 expr-constant: both sides are the same field (compare it with another)`},
		{"user.size(1) > 1", `5 expr-type: size() takes one operand`},
		{"has(amount)", `0 expr-syntax: has() takes a field with what it is a field of (write has(event.field))`},
		{"has(event)", `0 expr-syntax: has() takes a field with what it is a field of (write has(event.field))`},
		{"vip ? code : null", `(cond vip code? null)?`},
		{"vip ? price : null", `4 expr-type: both sides of : must have one type, not double and null (null goes beside a field that may be null)`},
		{"size([1, qty]) > 1", `(> (size (list 1 qty)) 1)`},
		{"price == 'a' ? 1 : 2", `6 expr-type: 'a' is a string and price a double (convert one side with string() or double())`},
		{"amount > 0 ? 'a'", `16 expr-syntax: the expression ends too early (behind ? and a value comes : and another)`},
		{"startsWith(user, 'a')", `0 expr-type: startsWith() stands behind its text (write user.startsWith('a'))`},
		{"'a' + 1.5 == user", `4 expr-type: 'a' is a string and 1.5 a double (write string(1.5))`},
		{"[] == tags", `(== (list) tags)`},
	} {
		e, found := Row(c.text, order(), place)
		got := problems(found)
		if e != nil {
			got = write(e)
		}
		if got != c.want {
			t.Errorf("{%q, `%s`},", c.text, got)
		}
	}
}

func TestAggregate(t *testing.T) {
	group := &spec.Struct{Name: "p.s", Fields: []*spec.Field{
		{Name: "window_start", Type: &spec.Type{Kind: spec.Timestamp}},
		{Name: "window_end", Type: &spec.Type{Kind: spec.Timestamp}},
		{Name: "user", Type: &spec.Type{Kind: spec.String}},
	}}
	for _, c := range []struct{ text, want string }{
		{"count()", `#0; count`},
		{"count(note)", `#0; count note?`},
		{"count_if(vip)", `#0; count_if vip`},
		{"sum(amount)", `#0; sum amount`},
		{"sum(price) / double(count())", `(finite! (/ #0 (double #1))); sum price; count`},
		{"avg(amount)", `#0; avg amount`},
		{"avg(price)", `(finite! #0); avg price`},
		{"max(note)", `#0?; max? note?`},
		{"sum(code) > 1", `(> (require! #0?) 1); sum? code?`},
		{"sum(amount) + sum(amount) + sum(qty)", `(+! (+! #0 #0) #1); sum amount; sum qty`},
		{"count() > 0 ? 100 * count_if(amount / qty > 1) / count() : 0", `(cond (> #0 0) (/ (*! 100 #1) #0) 0); count; count_if (> (/! amount qty) 1)`},
		{"first(user) + user", `(+ #0 user); first user`},
		{"max(at) - window_start", `(-! #0 window_start); max at`},
		{"sum(code) == null ? 0 : sum(code)", `(cond (== #0? null) 0 #0); sum? code?`},
		{"string(window_end)", `(string window_end)`},
		{"event.user", `user`},
		{"amount", `0 expr-outside-group: amount is not a key field: it differs from row to row of the window (put it into an aggregate function, such as last(amount), or into key)`},
		{"sum(amount) / qty", `14 expr-outside-group: qty is not a key field: it differs from row to row of the window (put it into an aggregate function, such as last(qty), or into key)`},
		{"sum(window_start)", `0 expr-type: sum() does not take a timestamp (it adds numbers: int, double or decimal)`},
		{"first(window_start)", `6 expr-outside-group: window_start belongs to the window, not to a row: it cannot stand in an aggregate function`},
		{"max(sum(amount))", `4 expr-aggregate: sum() stands inside another aggregate function (aggregate in one stage, and again in a second one)`},
		{"sum(user)", `0 expr-type: sum() does not take a string (it adds numbers: int, double or decimal)`},
		{"sum(at)", `0 expr-type: sum() does not take a timestamp (it adds numbers: int, double or decimal)`},
		{"sum()", `0 expr-type: sum() of what? (write sum(field))`},
		{"count(amount, qty)", `0 expr-type: count() takes one operand`},
		{"count_if(amount)", `0 expr-type: count_if() does not take an int (it takes a condition, such as count_if(amount > 0))`},
		{"min(tags)", `0 expr-type: min() does not take a list(string) (it takes an int, double, decimal, string, bytes, bool, timestamp or duration)`},
		{"count(home)", `6 expr-type: count() takes a plain value, not a struct`},
		{"sum(amount) == null", `12 expr-null: sum(…) is never null: the comparison always gives the same (leave it out)`},
		{"avg(amonut)", `4 expr-name: there is no field "amonut" (did you mean "amount"?)`},
		{"averge(amount)", `0 expr-name: there is no function averge()`},
		{"tags", `0 expr-outside-group: tags is not a key field: it differs from row to row of the window (put it into an aggregate function, such as last(tags), or into key)`},
		{"sum(price) > 0", `11 expr-type: sum(…) is a double and 0 an int: CEL does not mix them (write 0.0)`},
	} {
		var calls []*spec.Call
		e, found := Aggregate(c.text, order(), group, place, &calls)
		got := problems(found)
		if e != nil {
			got = write(e)
			for _, call := range calls {
				arg := call.Arg
				if call.Cond != nil {
					arg = call.Cond
				}
				got += "; " + call.Func.String()
				if call.Type.Nullable {
					got += "?"
				}
				if arg != nil {
					got += " " + write(arg)
				}
			}
		}
		if got != c.want {
			t.Errorf("{%q, `%s`},", c.text, got)
		}
	}
}

// TestLibrary has the rest of the language: loops, functions, zones, decimals and bytes.
func TestLibrary(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"total > decimal('0.105')", `6 expr-constant: the constant does not fit a decimal of scale 2 (give it at most 2 digits behind the point)`},
		{"total > 0.1", `6 expr-type: total is a decimal and 0.1 a double: they do not mix (write decimal('0.1'))`},
		{"double(total) > 0.1", `(> (double total) 0.1d)`},
		{"total * total > total", `6 expr-type: * does not go between a decimal and a decimal (decimals are added, subtracted and compared; for * convert with double())`},
		{"total + exact > total", `6 expr-type: decimals of scale 2 and 3 do not mix (both sides must have the same @scale)`},
		{"total == decimal('abc')", `9 expr-constant: 'abc' is not a decimal: no number (write digits with a point, such as decimal('1.25'))`},
		{"total == decimal(user)", `9 expr-unsupported: decimal() takes a constant text (write decimal('1.25'); a field becomes a decimal in the contract: spec.#Decimal @scale(2))`},
		{"decimal(1) == total", `0 expr-type: decimal() does not take an int (it is called as decimal('constant') -> decimal)`},
		{"total > decimal('92233720368547758.08')", `8 expr-constant: '92233720368547758.08' is not a decimal: more digits than a decimal holds (write digits with a point, such as decimal('1.25'))`},
		{"total == decimal('1e-1')", `(== total 10)`},
		{"total in [decimal('0.105')]", `6 expr-constant: the constant does not fit a decimal of scale 2 (give it at most 2 digits behind the point)`},
		{"fee == null", `(== fee? null)`},
		{"fee + total", `(+! (require! fee?) total)`},
		{"-total < fee", `(< (neg! total) (require! fee?))`},
		{"decimal('1.5') + decimal('0.25') == total", `(== 175 total)`},
		{"vip ? total : decimal('1')", `(cond vip total 100)`},
		{"[total, exact][0] > total", `0 expr-type: decimals of scale 2 and 3 do not mix (both sides must have the same @scale)`},
		{"total == decimal('1.5') && total == decimal('1.50') && total == decimal('2')", `52 expr-constant: this is never true (it cannot be 1.50 and 2.00 at once: write || for "or")`},
		{"total - total", `(-! total total)`},
		{"int(total) > 1", `0 expr-type: int() does not take a decimal (it is called as int(double) -> int, or int(string) -> int, or int(timestamp) -> int, or int(duration) -> int)`},
		{"user.lowerAscii(1) == 'a'", `5 expr-type: lowerAscii() does not take a string and an int (it is called as string.lowerAscii() -> string)`},
		{"user.lowerascii() == 'a'", `5 expr-name: there is no function lowerascii() (did you mean "lowerAscii"?)`},
		{"user.substring() == 'a'", `5 expr-type: substring() does not take a string (it is called as string.substring(int) -> string, or string.substring(int, int) -> string)`},
		{"amount.trim() == 'a'", `7 expr-type: trim() does not take an int (it is called as string.trim() -> string)`},
		{"user.format([1])", `5 expr-unsupported: format() is not offered (put the parts together with + and string())`},
		{"user[0] == 'a'", `4 expr-type: [] takes a list and an int, and not a string and an int (for one character of a text write text.charAt(i))`},
		{"user.toLowerCase() == 'a'", `5 expr-name: there is no function toLowerCase() (use lowerAscii(): text.lowerAscii())`},
		{"user.replace('a', '') == 'x'", `(== (replace user "a" "") "x")`},
		{"user.replace('a', user) == 'x'", `(== (replace! user "a" user) "x")`},
		{"strings.quote(user)", `0 expr-unsupported: strings.quote() is not offered (put the quotes around it with +)`},
		{"math.abs(user)", `0 expr-type: math.abs() does not take a string (it is called as math.abs(int) -> int, or math.abs(double) -> double)`},
		{"math.abs()", `0 expr-type: math.abs() of what? (it is called as math.abs(int) -> int, or math.abs(double) -> double)`},
		{"abs(amount)", `0 expr-name: there is no function abs() (write math.abs())`},
		{"math.greatest()", `0 expr-type: math.greatest() takes numbers, or one list of numbers (write math.greatest(a, b))`},
		{"math.greatest('a')", `14 expr-type: math.greatest() takes numbers, or one list of numbers (write math.greatest(a, b))`},
		{"math.greatest(amount, price)", `0 expr-type: math.greatest() does not take an int and a double (convert with double() or int())`},
		{"math.greatest(1, 2, price)", `20 expr-type: math.greatest() takes numbers of one type, not an int and a double (convert with double() or int())`},
		{"math.max(1, 2)", `5 expr-name: there is no function math.max() (write math.greatest())`},
		{"math.pow(2, 3)", `5 expr-name: there is no function math.pow()`},
		{"math.abs(amount) + 1", `(+! (math.abs amount) 1)`},
		{"math.abs(qty)", `(math.abs! qty)`},
		{"math.greatest(amount, qty) >= 0", `(>= (math.greatest amount qty) 0)`},
		{"math.sqrt(price)", `(finite! (math.sqrt price))`},
		{"math.greatest(tags)", `0 expr-type: math.greatest() does not take a list(string) (it is called as math.greatest(int, …) -> int, or math.greatest(double, …) -> double, or math.greatest(list) -> int or double)`},
		{"math.greatest(more)", `(math.greatest! (require! more?))`},
		{"math.floor(price)", `(finite (math.floor price))`},
		{"at.getHours('Mars/Phobos')", `12 expr-constant: 'Mars/Phobos' is not a zone (write an IANA name such as 'Europe/Berlin', or an offset such as '+02:00')`},
		{"at.getHours(user)", `12 expr-unsupported: the zone must be a constant (write an IANA name such as 'Europe/Berlin', or an offset such as '+02:00')`},
		{"at.getHours('25:00')", `12 expr-constant: '25:00' is not an offset from UTC (write an IANA name such as 'Europe/Berlin', or an offset such as '+02:00')`},
		{"at.getHours('Local')", `12 expr-constant: 'Local' is not a zone (write an IANA name such as 'Europe/Berlin', or an offset such as '+02:00')`},
		{"at.getHour()", `3 expr-name: there is no function getHour() (did you mean "getHours"?)`},
		{"at.getHours('UTC')", `(getHours at)`},
		{"at.getHours('2:00')", `(getHours at "+02:00")`},
		{"amount / (at.getHours('Asia/Tokyo') + 1)", `(/ amount (+ (getHours at "Asia/Tokyo") 1))`},
		{"amount / at.getDate()", `(/ amount (getDate at))`},
		{"amount / at.getMonth()", `(/! amount (getMonth at))`},
		{"duration('1h').getHours('UTC')", `15 expr-type: getHours() does not take a duration and a string (it is called as timestamp.getHours() -> int, or timestamp.getHours(zone) -> int, or duration.getHours() -> int)`},
		{"now() - at", `0 expr-unsupported: now() is not offered: a result would not be the same when it is made again (use the event time)`},
		{"timestamp('2024-01-01T00:00:00+02:00').getHours()", `(getHours 1704060000000000000)`},
		{"tags.exists(t)", `5 expr-type: exists() is called on a list, with a name for its element and what is asked of it (write list.exists(x, x > 0))`},
		{"tags.exists(t, t)", `15 expr-type: exists() asks a bool of each element, not a string (compare it, such as x > 0)`},
		{"tags.filter(t, t)", `11 expr-type: filter() asks a bool of each element, not a string (compare it, such as x > 0)`},
		{"user.exists(c, c == 'a')", `0 expr-type: user is a string, and a loop goes over a list`},
		{"tags.exists('t', t == 'x')", `12 expr-type: the first operand of a loop is a name for the element (such as x in list.exists(x, x > 0))`},
		{"tags.any(t, t == 'a')", `5 expr-name: there is no function any() (write list.exists(x, x > 0))`},
		{"tags.map(t, null)", `12 expr-null: null cannot be used here: this would always fail`},
		{"more.exists(x, x == null)", `17 expr-null: x is never null: the comparison always gives the same (leave it out)`},
		{"tags.exists(user, user == 'a')", `(exists tags (== user "a"))`},
		{"more.all(x, amount / x > 1)", `(all (require! more?) (> (/! amount x) 1))`},
		{"tags.map(t, t + 'x')", `(map! tags (+ t "x"))`},
		{"more.map(x, x > 0, amount / x)", `(map (require! more?) (/ amount x) (> x 0))`},
		{"more.exists(x, amount / qty > x) && qty != 0", `(and (!= qty 0) (exists (require! more?) (> (/ amount qty) x)))`},
		{"tags.contains('a')", `5 expr-type: contains() does not take a list(string) and a string (write 'a' in tags)`},
		{"tags.exists(int, int == 'a')", `(exists tags (== int "a"))`},
		{"items.exists(i, i.price > 1)", `18 expr-name: there is no field "price"`},
		{"items.exists(i, i.skuu == 'a')", `18 expr-name: there is no field "skuu" (did you mean "sku"?)`},
		{"items[0].qyt > 1", `9 expr-name: there is no field "qyt" (did you mean "qty"?)`},
		{"items.exists(i, i.hint.size() > 1)", `(exists items (> (size (require! i.hint?)) 1))`},
		{"items.all(i, has(i.hint) && i.hint != '')", `(all items (and (has i.hint?) (!= i.hint "")))`},
		{"items.map(i, i)", `13 expr-unsupported: a list of structs cannot be made (take one of its fields: map(x, x.field))`},
		{"items == items", `6 expr-unsupported: a list of structs cannot be compared (compare its parts)`},
		{"items.filter(i, i.qty > 1)", `6 expr-unsupported: a list of structs that filter() makes is no value (write list.exists(x, …), or take a field of them: list.filter(x, …).map(x, x.field))`},
		{"size(items.filter(i, i.qty > 1)) > 1", `(> (size (map items 1 (> i.qty 1))) 1)`},
		{"items.filter(i, i.qty > 1).map(x, x.sku)", `(map items i.sku (> i.qty 1))`},
		{"items.filter(i, i.qty > 1).exists(i, i.qty > 2)", `27 expr-unsupported: exists() cannot go over what filter() makes of structs (put both conditions into one)`},
		{"items[0]", `5 expr-unsupported: the value would be a struct of a list, or a list of them (take one of its fields)`},
		{"items[0].sku == user", `(== sku user)`},
		{"has(items[0].hint) && items[0].hint != ''", `(and (has hint?) (!= hint? ""))`},
		{"items + items == items", `6 expr-unsupported: lists of structs cannot be added`},
		{"raw == 'a'", `4 expr-type: raw is bytes and 'a' a string (write b'a')`},
		{"raw + b'\\xff' == raw", `(== (+ raw 0) raw)`},
		{"string(raw) == user", `(== (string! raw) user)`},
		{"bytes(user) == raw", `(== (bytes user) raw)`},
		{"size(raw) > 1", `(> (size raw) 1)`},
		{"raw.startsWith('a')", `4 expr-type: startsWith() does not take bytes and a string (both are strings; convert with string())`},
		{"{'a': 1}['a'] == 1", `true`},
		{"{'a': 1, 'b': qty}[user]", `(lookup! user "a" 1 "b" qty)`},
		{"{'a': 1, 'b': code}[user]", `(lookup! user "a" 1 "b" code?)?`},
		{"{'a': 1, 'a': 2}[user]", `9 expr-constant: the key 'a' stands twice`},
		{"{user: 1}['a']", `1 expr-unsupported: the keys of a map are constants: strings, ints or bools`},
		{"{1.5: 1}[price]", `1 expr-unsupported: the keys of a map are constants: strings, ints or bools`},
		{"{'a': 1}", `0 expr-unsupported: a map is no value (a map is for looking up: {'a': 1, 'b': 2}[x], or x in {'a': 1})`},
		{"{'a': total, 'b': decimal('0.5')}[user]", `(lookup! user "a" total "b" 50)`},
		{"{'a': total, 'b': exact}[user]", `24 expr-type: decimals of scale 2 and 3 do not mix (both sides must have the same @scale)`},
		{"user in {'a': qty}", `5 expr-unsupported: the values of a map behind in must be constants (write x in [key, …])`},
		{"user in {'a': 1, 'b': 2}", `(in user (list "a" "b"))`},
		{"{'a': 1}.exists(k, k == user)", `0 expr-unsupported: a map is no value (a map is for looking up: {'a': 1, 'b': 2}[x], or x in {'a': 1})`},
		{"size({'a': 1}) == qty", `5 expr-unsupported: a map is no value (a map is for looking up: {'a': 1, 'b': 2}[x], or x in {'a': 1})`},
		{"{}[user] == 1", `2 expr-unsupported: the map is empty`},
		{"{'a': home}[user].city == 'x'", `11 expr-unsupported: a map holds no structs`},
		{"uint(amount)", `0 expr-unsupported: uint is not offered: no field has that type (use int())`},
		{"size([1, null]) > 1", `9 expr-type: the elements of a list must have one type, not int and null`},
		{"[code, 1] == more", `(== (list (require! code?) 1) more?)`},
		{"[amount]", `(list amount)`},
		{"[price / 2.0]", `(finite (list (/ price 2d)))`},
		{"int == 1", `(== int 1)`},
		{"bool == vip", `5 expr-type: bool is the name of a type here`},
	} {
		e, found := Row(c.text, order(), place)
		got := problems(found)
		if e != nil {
			got = write(e)
		}
		if got != c.want {
			t.Errorf("{%q, `%s`},", c.text, got)
		}
	}
}
