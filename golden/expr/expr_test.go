package expr

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/streamwright/streamwright/golden/expr/cases"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
)

// rows is how many random rows each expression sees.
const rows = 1000

// TestAgainstCEL holds the Go code of every expression against cel-go: equal values, and a fault exactly where cel-go has an error.
//
// Four rules of ours are not cel-go's: a time outside int64 nanoseconds is a fault, so are a value that is not finite and null in a list, and -0 becomes 0.
func TestAgainstCEL(t *testing.T) {
	oracle, err := oracle()
	if err != nil {
		t.Fatal(err)
	}
	programs := make([]cel.Program, len(cases.Exprs))
	kinds := make([]*spec.Type, len(cases.Exprs))
	own := make([]spec.Faults, len(cases.Exprs))
	for i, text := range cases.Exprs {
		e := compile(t, text)
		kinds[i], own[i] = e.Type, ownFaults(e)
		ast, issues := oracle.Compile(text)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", text, issues.Err())
		}
		if programs[i], err = oracle.Program(ast); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	r := rand.New(rand.NewPCG(40, 2))
	faults, failed := make([]int, len(programs)), make([]bool, len(programs))
	for range rows {
		row := randomRow(r)
		for i, program := range programs {
			if failed[i] {
				continue
			}
			got := functions[i](row.in, &row.Row)
			got.value = shown(row.in, got.value, kinds[i])
			want, _, err := program.Eval(row.values)
			if got.fault != 0 {
				faults[i]++
			}
			if problem := differ(got, want, err); problem != "" && !(cases.Random && got.fault != 0 && own[i] != 0) {
				failed[i] = true
				t.Errorf("%s: got %v, fault %v; want %v, %v: %s\nfor %v", cases.Exprs[i], got.value, got.fault, want, err, problem, row.values)
			}
		}
	}
	total, both := 0, 0
	for _, n := range faults {
		total += n
		if n > 0 && n < rows {
			both++
		}
	}
	if !cases.Random && (total < rows*len(programs)/20 || both < len(programs)/4) {
		t.Errorf("%d faults, in %d expressions now and then: the rows do not try enough", total, both)
	}
}

// ownFaults are the faults that are ours alone, wherever they are in e: another one may hide them.
func ownFaults(e *spec.Expr) spec.Faults {
	var own spec.Faults
	for _, a := range e.Args {
		own |= ownFaults(a)
	}
	own |= e.Faults & spec.FaultTimeRange
	if e.Op >= spec.OpLess && e.Op <= spec.OpGreaterEqual && e.Args[0].Type.Kind == spec.Double { // of NaN and null
		for _, a := range e.Args {
			own |= a.Faults & spec.FaultNull
		}
	}
	if e.Op == spec.OpList || e.Op == spec.OpMap { // null in a list
		for _, a := range e.Args {
			own |= a.Faults & spec.FaultNull
		}
	}
	return own
}

// differ says how an outcome is not what cel-go gives; "" when it is.
func differ(got outcome, want ref.Val, err error) string {
	if got.fault == stream.FaultTimeRange {
		return "" // cel-go has an error, or a time that we have not
	}
	if err != nil {
		if got.fault == 0 {
			return "no fault"
		}
		return ""
	}
	value, outside := native(want)
	if list, ok := value.([]any); ok {
		return differList(got, list, outside)
	}
	number, isNumber := value.(float64)
	switch {
	case outside:
		return "a time that should be a fault"
	case isNumber && number-number != 0:
		if got.fault != stream.FaultNotFinite {
			return "not finite, and no fault"
		}
		return ""
	case got.fault != 0:
		return "a fault"
	case isNumber:
		g, ok := got.value.(float64)
		if !ok || math.Float64bits(g) != math.Float64bits(number+0) {
			return "another number"
		}
		return ""
	}
	if c, ok := got.value.(int64); ok && c != value {
		return "another int"
	}
	if got.value != value {
		return "another value"
	}
	return ""
}

// differList is differ for a list. All doubles in it must be finite.
func differList(got outcome, want []any, outside bool) string {
	finite, null := true, false
	var normal func([]any)
	normal = func(list []any) {
		for i, v := range list {
			switch v := v.(type) {
			case float64:
				list[i] = v + 0
				finite = finite && v-v == 0
			case []any:
				normal(v)
			case nil:
				null = true
			}
		}
	}
	normal(want)
	switch {
	case null:
		if got.fault != stream.FaultNullUsed {
			return "null in a list, and no fault"
		}
	case outside:
		return "a time that should be a fault"
	case !finite && got.fault != stream.FaultNotFinite:
		return "not finite, and no fault"
	case finite && got.fault != 0:
		return "a fault"
	case finite && !reflect.DeepEqual(got.value, any(want)):
		return "another list"
	}
	return ""
}

// shown is a value of the Go code as native gives it: lists as []any.
func shown(in *stream.Batch, v any, of *spec.Type) any {
	l, ok := v.(stream.List)
	if !ok {
		return v
	}
	list := []any{}
	for i := range int(l.Len) {
		w := in.Word(l, i)
		switch of.Elem.Kind {
		case spec.Bool:
			list = append(list, w != 0)
		case spec.Double:
			list = append(list, math.Float64frombits(w))
		case spec.String, spec.Bytes:
			list = append(list, in.Text(stream.WordStr(w)))
		case spec.List:
			list = append(list, shown(in, stream.List{Off: uint32(w >> 32), Len: uint32(w)}, of.Elem))
		default:
			list = append(list, int64(w))
		}
	}
	return list
}

// compile translates one of the cases.
func compile(t *testing.T, text string) *spec.Expr {
	t.Helper()
	e, problems := celexpr.Row(text, cases.Row, func(offset int) spec.Place { return spec.Place{Pos: diag.Pos{Line: 1, Col: offset}} })
	if e == nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return e
}

// random is a row in Go and for cel-go.
type random struct {
	Row
	in     *stream.Batch
	values map[string]any
	r      *rand.Rand
}

func randomRow(r *rand.Rand) *random {
	x := &random{in: &stream.Batch{Data: []byte{}}, values: map[string]any{}, r: r}
	fields := map[string]ref.Val{}
	set := func(name string, v ref.Val) {
		x.values[name] = v
		fields[name] = v
	}
	for name, at := range map[string]*int64{"v": &x.V, "w": &x.W, "amount": &x.Amount, "n": &x.N} {
		*at = x.int()
		if name == "amount" && *at < 0 {
			*at = ^*at // the contract of the field
		}
		set(name, types.Int(*at))
	}
	for name, at := range map[string]*float64{"d": &x.D, "x": &x.X, "r": &x.R} {
		*at = x.double()
		set(name, types.Double(*at))
	}
	for name, at := range map[string]*stream.Str{"s": &x.S, "u": &x.U, "note": &x.Note} {
		text := x.text()
		*at = x.in.KeepText(text)
		set(name, types.String(text))
	}
	for name, at := range map[string]*bool{"b": &x.B, "c": &x.C, "flag": &x.Flag} {
		*at = r.IntN(2) == 0
		set(name, types.Bool(*at))
	}
	for name, at := range map[string]*int64{"t": &x.T, "z": &x.Z, "seen": &x.Seen} {
		*at = x.time()
		set(name, types.Timestamp{Time: time.Unix(0, *at).UTC()})
	}
	set("tags", x.list(&x.Tags, func() (uint64, ref.Val) {
		text := x.text()
		return x.in.KeepText(text).Word(), types.String(text)
	}))
	number := func() (uint64, ref.Val) {
		v := x.int()
		return uint64(v), types.Int(v)
	}
	set("nums", x.list(&x.Nums, number))
	set("more", x.list(&x.More, number))
	set("marks", x.list(&x.Marks, func() (uint64, ref.Val) {
		v := x.double()
		return math.Float64bits(v), types.Double(v)
	}))
	set("bits", x.list(&x.Bits, func() (uint64, ref.Val) {
		v := r.Uint64N(2)
		return v, types.Bool(v != 0)
	}))
	set("times", x.list(&x.Times, func() (uint64, ref.Val) {
		v := x.time()
		return uint64(v), types.Timestamp{Time: time.Unix(0, v).UTC()}
	}))
	set("blobs", x.list(&x.Blobs, func() (uint64, ref.Val) {
		b := x.bytes()
		return x.in.Keep(b).Word(), types.Bytes(b)
	}))
	for name, at := range map[string]*stream.Str{"y": &x.Y, "raw": &x.Raw} {
		b := x.bytes()
		*at = x.in.Keep(b)
		set(name, types.Bytes(b))
	}
	for name, at := range map[string]*int64{"m": &x.M, "k": &x.K, "fee": &x.Fee} {
		*at = x.int()
		set(name, decimal(*at))
	}
	set("items", x.items(&x.Items))
	set("home", x.place(&x.Home))
	set("work", x.place(&x.Work))
	for name, has := range map[string]*bool{"n": &x.HasN, "r": &x.HasR, "note": &x.HasNote, "flag": &x.HasFlag, "seen": &x.HasSeen, "more": &x.HasMore, "work": &x.HasWork, "raw": &x.HasRaw, "fee": &x.HasFee} {
		if *has = r.IntN(3) > 0; !*has {
			set(name, types.NullValue)
		}
	}
	x.values["event"] = &object{cases.Row.Name, fields}
	return x
}

func (x *random) bytes() []byte {
	return []byte([]string{"", "a", "abc", "\xff", "\x00", "é", "\xc3", "true", "12"}[x.r.IntN(9)])
}

func (x *random) items(at *stream.List) ref.Val {
	all := make([]Item, x.r.IntN(4))
	values := make([]ref.Val, len(all))
	for i := range all {
		o := &all[i]
		sku, hint, land := x.text(), x.text(), x.text()
		*o = Item{Sku: x.in.KeepText(sku), Hint: x.in.KeepText(hint), Price: x.double(), Qty: x.int(), Maker: Maker{x.in.KeepText(land)}, HasHint: x.r.IntN(2) == 0, HasMaker: x.r.IntN(3) > 0}
		fields := map[string]ref.Val{"sku": types.String(sku), "price": types.Double(o.Price), "qty": types.Int(o.Qty), "hint": types.NullValue, "maker": types.NullValue}
		if o.HasHint {
			fields["hint"] = types.String(hint)
		}
		if o.HasMaker {
			fields["maker"] = &object{"Row.items.maker", map[string]ref.Val{"land": types.String(land)}}
		}
		fields["sizes"] = x.list(&o.Sizes, func() (uint64, ref.Val) {
			v := x.int()
			return uint64(v), types.Int(v)
		})
		values[i] = &object{"Row.items", fields}
	}
	*at = stream.List{Off: uint32(len(x.in.Words)), Len: uint32(len(all))}
	for i := range all {
		all[i].store(x.in)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

func (x *random) place(at *Place) ref.Val {
	city, zip := x.text(), x.text()
	at.City, at.Zip = x.in.KeepText(city), x.in.KeepText(zip)
	at.Geo.Lat, at.Geo.Alt = x.double(), x.double()
	at.HasZip, at.HasGeo, at.Geo.HasAlt = x.r.IntN(2) == 0, x.r.IntN(3) > 0, x.r.IntN(3) > 0
	geo := map[string]ref.Val{"lat": types.Double(at.Geo.Lat), "alt": types.NullValue}
	if at.Geo.HasAlt {
		geo["alt"] = types.Double(at.Geo.Alt)
	}
	fields := map[string]ref.Val{"city": types.String(city), "zip": types.NullValue, "geo": types.NullValue}
	if at.HasZip {
		fields["zip"] = types.String(zip)
	}
	if at.HasGeo {
		fields["geo"] = &object{"Row.place.geo", geo}
	}
	return &object{"Row.place", fields}
}

func (x *random) list(at *stream.List, element func() (uint64, ref.Val)) ref.Val {
	n := x.r.IntN(4)
	*at = stream.List{Off: uint32(len(x.in.Words)), Len: uint32(n)}
	values := make([]ref.Val, n)
	for i := range values {
		var w uint64
		w, values[i] = element()
		x.in.Words = append(x.in.Words, w)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

func (x *random) int() int64 {
	edges := []int64{0, 0, 1, -1, 2, 3, 5, 7, 10, 101, -10, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 53, 9223372036, -9223372037}
	switch x.r.IntN(4) {
	case 0:
		return int64(x.r.Uint64()) >> x.r.IntN(64)
	case 1:
		return x.r.Int64N(10)
	}
	return edges[x.r.IntN(len(edges))]
}

func (x *random) double() float64 {
	edges := []float64{0, 0, 1, -1, 0.5, 1.5, -2.5, 1e6, 1e21, 123456789.5, 1e-7, 9.3e18, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1 << 63, -1 << 63}
	switch x.r.IntN(4) {
	case 0:
		for {
			if v := math.Float64frombits(x.r.Uint64()); v-v == 0 {
				return v + 0
			}
		}
	case 1:
		return float64(x.r.IntN(100)) / 8
	}
	return edges[x.r.IntN(len(edges))]
}

func (x *random) text() string {
	texts := []string{
		"", "a", "x", "paid", "PAID", "é", "e\u0301", "😀", "aa", "long", "0", "5", "-7", "+5", "1e3", "1.5", "0x10", "NaN", "-Inf", "1e400", "9223372036854775807", "9223372036854775808", "true", "False", "t", "1h30m", "90s", "-1.5h",
		"2562047h47m16.854775807s", "3000000h", "1d", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456789123+02:00", "2024-01-02", "2300-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "null", " ", "\x00",
	}
	return texts[x.r.IntN(len(texts))]
}

func (x *random) time() int64 {
	edges := []int64{0, -1, math.MaxInt64, math.MinInt64, 1704164645_500000000, 1704164645_000000000, 1704164645_000000001, -315601200_000000000, 1, 999999999}
	if x.r.IntN(3) == 0 {
		return int64(x.r.Uint64()) >> x.r.IntN(40)
	}
	return edges[x.r.IntN(len(edges))]
}

// TestNumbers has the table of case CEL-01: numbers of different types, division, overflow.
func TestNumbers(t *testing.T) {
	row := Row{V: 101, D: 1.5, T: 1730626200_000000000}
	in := &stream.Batch{Data: []byte("a")}
	row.S = stream.Str{Len: 1}
	for _, c := range []struct {
		text string
		want any // value, fault, or code of a problem
	}{
		{"v > 100", true},
		{"v > 100.0", celexpr.CodeType},
		{"v == 101.0", celexpr.CodeType},
		{"d * 2", celexpr.CodeType},
		{"d * 2.0", 3.0},
		{"v / 2", int64(50)},
		{"-7 / 2", int64(-3)},
		{"-7 % 2", int64(-1)},
		{"v % 0", stream.FaultModulus},
		{"v / 0", stream.FaultDivision},
		{"d / 0.0", stream.FaultNotFinite},
		{"d / 0.0 > x", true},
		{"0.0/0.0 == 0.0/0.0", false},
		{"9223372036854775807 + v", stream.FaultOverflow},
		{"-9223372036854775808 - v", stream.FaultOverflow},
		{"int(1.9)", int64(1)},
		{"int(-1.9)", int64(-1)},
		{"int(9.3e18)", stream.FaultOverflow},
		{"int(s)", stream.FaultConversion},
		{"string(1.0)", "1"},
		{"size('é😀')", int64(2)},
		{`size(bytes("é"))`, int64(2)},
		{"s + 1", celexpr.CodeType},
		{"v == 0 ? 1 / v : 2", int64(2)},
		{`t.getHours("America/Los_Angeles")`, int64(1)},
		{`duration("5")`, celexpr.CodeConstant},
		{`timestamp("2016-12-31T23:59:60Z")`, celexpr.CodeConstant},
	} {
		_, problems := celexpr.Row(c.text, cases.Row, func(offset int) spec.Place { return spec.Place{Pos: diag.Pos{Col: offset}} })
		if code, ok := c.want.(string); ok && strings.HasPrefix(code, "expr-") {
			if len(problems) != 1 || problems[0].Code != code {
				t.Errorf("%s: %v, want %s", c.text, problems, code)
			}
			continue
		}
		got := run(t, c.text, in, &row)
		if fault, ok := c.want.(stream.Fault); ok && got.fault != fault || !ok && (got.fault != 0 || got.value != c.want) {
			t.Errorf("%s = %v, %v; want %v", c.text, got.value, got.fault, c.want)
		}
	}
}

// run evaluates one of the cases.
func run(t *testing.T, text string, in *stream.Batch, row *Row) outcome {
	t.Helper()
	for i, c := range cases.Exprs {
		if c == text {
			return functions[i](in, row)
		}
	}
	t.Fatalf("%s is not among the cases", text)
	return outcome{}
}

// TestPlaces asserts where faults are reported: at the operation that failed.
func TestPlaces(t *testing.T) {
	in := &stream.Batch{Data: []byte("xx")}
	text := stream.Str{Len: 2}
	for _, c := range []struct {
		text  string
		row   Row
		fault stream.Fault
		at    string // the text from there on
	}{
		{"v / w > 10 || b", Row{}, stream.FaultDivision, "/ w > 10"},
		{"v / w + w / v > 1 && v % w + w % v > 1", Row{W: 1}, stream.FaultModulus, "% v > 1"},
		{"v / w > 1 || w / v > 1", Row{V: 1}, stream.FaultDivision, "/ w > 1"},
		{"(v + w > 0 ? v / w > 2 : w / v > 2) && int(s) > 3", Row{V: 5, W: 1, S: text}, stream.FaultConversion, "int(s)"},
		{"(v + w > 0 ? v / w > 2 : w / v > 2) && int(s) > 3", Row{V: math.MaxInt64, W: 1, S: text}, stream.FaultConversion, "int(s)"},
		{"n + 1", Row{}, stream.FaultNullUsed, "n + 1"},
		{"work.geo.alt", Row{HasWork: true}, stream.FaultNullUsed, "alt"},
		{"d / x", Row{}, stream.FaultNotFinite, "/ x"},
		{"t + duration(s)", Row{S: text}, stream.FaultConversion, "duration(s)"},
		{"nums[v] + 1", Row{}, stream.FaultIndex, "[v]"},
		{"note.startsWith('a')", Row{}, stream.FaultNullUsed, "note"},
	} {
		got := run(t, c.text, in, &c.row)
		if got.fault != c.fault || !strings.HasPrefix(c.text[got.at:], c.at) {
			t.Errorf("%s: %v at %q; want %v at %q", c.text, got.fault, c.text[got.at:], c.fault, c.at)
		}
	}
}
