// Package contracts holds generated decoders and encoders against a judge that reads the spec.
package contracts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	eventbytes "github.com/streamwright/streamwright/golden/ok/event_bytes"
	eventconstraints "github.com/streamwright/streamwright/golden/ok/event_constraints"
	eventcontract "github.com/streamwright/streamwright/golden/ok/event_contract"
	eventdecimals "github.com/streamwright/streamwright/golden/ok/event_decimals"
	eventlistsofstructs "github.com/streamwright/streamwright/golden/ok/event_lists_of_structs"
	eventlistswide "github.com/streamwright/streamwright/golden/ok/event_lists_wide"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/runtime/task"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/load"
)

// TestContracts holds generated decoders and encoders against a judge that reads the spec and encoding/json: records of the goldens, changed at random places.
func TestContracts(t *testing.T) {
	for _, c := range []struct {
		dir      string
		pipeline task.Pipeline
		records  int
	}{
		{"event_constraints", eventconstraints.ConstraintsPipeline, 4000},
		{"event_contract", eventcontract.ContractPipeline, 4000},
		{"event_bytes", eventbytes.FramesPipeline, 4000},
		{"event_decimals", eventdecimals.PaymentsPipeline, 4000},
		{"event_lists_of_structs", eventlistsofstructs.CartsPipeline, 4000},
		{"event_lists_wide", eventlistswide.WideProcessorPipeline, 200},
	} {
		t.Run(c.dir, func(t *testing.T) {
			dir := filepath.Join("..", "ok", c.dir)
			w, found := load.Load([]string{dir})
			if len(found) > 0 {
				t.Fatal(found)
			}
			pkg, found := check.Check(w)
			if len(found) > 0 {
				t.Fatal(found)
			}
			l := pkg.Pipelines[slices.IndexFunc(pkg.Pipelines, func(l *spec.Pipeline) bool { return l.Name == c.pipeline.Name })]
			source := l.Sources[0]
			sink := slices.IndexFunc(l.Sinks, func(s *spec.Sink) bool { return len(s.From) == 1 && s.From[0].String() == source.Name })
			data, err := os.ReadFile(filepath.Join(dir, "testdata", l.Name, "in", source.Name+".ndjson"))
			if err != nil {
				t.Fatal(err)
			}
			m := newMutator(data)
			var records [][]byte
			for range c.records {
				records = append(records, m.record())
			}
			result, err := runtimetest.Replay(c.pipeline, 64, append(bytes.Join(records, []byte("\n")), '\n'))
			if err != nil {
				t.Fatal(err)
			}
			rows, reasons := decoded(t, result.Outputs[sink]), letters(t, result.Letters)
			accepted := 0
			for _, record := range records {
				j := judge{order: order(source.Event, "", nil)}
				want := j.object(source.Event, "", parse(record).(map[string]any))
				reason, refused := reasons[string(record)]
				switch {
				case j.least != "" && (!refused || reason != "contract:"+j.least):
					t.Fatalf("%s: %q, want contract:%s", record, reason, j.least)
				case j.least == "" && refused:
					t.Fatalf("%s: %q, want it to be accepted", record, reason)
				case j.least == "" && (accepted == len(rows) || !reflect.DeepEqual(rows[accepted], any(want))):
					t.Fatalf("%s:\n%v, want\n%v", record, rows[accepted], want)
				}
				if j.least == "" {
					accepted++
				}
			}
			if accepted != len(rows) || accepted < len(records)/20 || accepted > len(records)*19/20 {
				t.Errorf("%d of %d records accepted, %d rows", accepted, len(records), len(rows))
			}
		})
	}
}

// decoded are the rows of an output, numbers as they are written.
func decoded(t *testing.T, output []byte) (rows []any) {
	for line := range bytes.Lines(output) {
		rows = append(rows, parse(line))
	}
	return rows
}

// letters are the reasons of refused records.
func letters(t *testing.T, output []byte) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	for line := range bytes.Lines(output) {
		var l struct{ Kind, Reason, Value string }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Kind == "record" && strings.HasPrefix(l.Reason, "contract:") {
			reasons[l.Value] = l.Reason
		}
	}
	return reasons
}

// parse reads JSON with its numbers as they are written.
func parse(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil
	}
	return v
}

// mutator changes records.
type mutator struct {
	r       *rand.Rand
	records []map[string]any
	values  []any // all values of the records, and some that no contract likes
}

func newMutator(data []byte) *mutator {
	m := &mutator{r: rand.New(rand.NewPCG(1, 2))}
	for line := range bytes.Lines(data) {
		if o, ok := parse(line).(map[string]any); ok {
			m.records = append(m.records, o)
			m.collect(o)
		}
	}
	for _, text := range []string{"null", "true", "0", "1", "-1", "7", "1.5", "0.10", "1e2", "-0.0", "100", `""`, `"x"`, `"ab"`, `"AA=="`, `"2024-06-01T00:00:00Z"`, "[]", "{}"} {
		m.values = append(m.values, parse([]byte(text)))
	}
	return m
}

func (m *mutator) collect(v any) {
	m.values = append(m.values, v)
	switch v := v.(type) {
	case map[string]any:
		for _, key := range keys(v) {
			m.collect(v[key])
		}
	case []any:
		for _, e := range v {
			m.collect(e)
		}
	}
}

func keys(o map[string]any) []string {
	var names []string
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// record is one of the records with up to three changes; its event time keeps its value.
func (m *mutator) record() []byte {
	o := m.records[m.r.IntN(len(m.records))]
	at := o["at"]
	copied := parse(text(o)).(map[string]any)
	for range m.r.IntN(4) {
		m.change(copied)
	}
	copied["at"] = at
	return text(copied)
}

func text(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// change takes a value out of v, puts another in its place, or does so further inside.
func (m *mutator) change(v any) {
	another := func() any { return parse(text(m.values[m.r.IntN(len(m.values))])) }
	switch v := v.(type) {
	case map[string]any:
		names := keys(v)
		if len(names) == 0 {
			return
		}
		name := names[m.r.IntN(len(names))]
		switch m.r.IntN(6) {
		case 0:
			delete(v, name)
		case 1:
			v[name] = another()
		default:
			m.change(v[name])
		}
	case []any:
		if len(v) == 0 {
			return
		}
		i := m.r.IntN(len(v))
		if m.r.IntN(4) == 0 {
			v[i] = another()
		} else {
			m.change(v[i])
		}
	}
}

// judge holds a record against a contract.
type judge struct {
	order []string // paths of all fields in the order of the spec
	least string   // the first of them that is violated
}

// order lists the paths of the fields of s, depth first.
func order(s *spec.Struct, path string, all []string) []string {
	for _, f := range s.Fields {
		all = append(all, path+f.Name)
		if t := f.Type; t.Kind == spec.Object {
			all = order(t.Struct, path+f.Name+".", all)
		} else if t.Kind == spec.List && t.Elem.Kind == spec.Object {
			all = order(t.Elem.Struct, path+f.Name+".", all)
		}
	}
	return all
}

func (j *judge) violated(path string) {
	if j.least == "" || slices.Index(j.order, path) < slices.Index(j.order, j.least) {
		j.least = path
	}
}

// object judges an object, and gives the row that it is written as.
func (j *judge) object(s *spec.Struct, path string, o map[string]any) map[string]any {
	row := map[string]any{}
	for _, f := range s.Fields {
		v, there := o[f.Name]
		switch {
		case !there && f.Missing == spec.MissingRefused, there && v == nil && !f.Null:
			j.violated(path + f.Name)
		case !there && f.Missing == spec.MissingDefault:
			row[f.Name] = written(*f.Default, f.Type)
		case v == nil:
			row[f.Name] = nil
		default:
			row[f.Name] = j.field(f, path+f.Name, v)
		}
	}
	return row
}

func (j *judge) field(f *spec.Field, path string, v any) any {
	switch f.Type.Kind {
	case spec.Object:
		if o, ok := v.(map[string]any); ok {
			return j.object(f.Type.Struct, path+".", o)
		}
	case spec.List:
		list, ok := v.([]any)
		if !ok {
			break
		}
		row := []any{}
		for _, e := range list {
			if o, ok := e.(map[string]any); ok && f.Type.Elem.Kind == spec.Object {
				row = append(row, j.object(f.Type.Elem.Struct, path+".", o))
			} else {
				row = append(row, j.scalar(f, f.Type.Elem, path, e))
			}
		}
		for _, c := range f.Items {
			if c.Op == spec.CheckMinRunes && int64(len(list)) < c.Value.Int || c.Op == spec.CheckMaxRunes && int64(len(list)) > c.Value.Int {
				j.violated(path)
			}
		}
		return row
	default:
		return j.scalar(f, f.Type, path, v)
	}
	j.violated(path)
	return nil
}

func (j *judge) scalar(f *spec.Field, t *spec.Type, path string, v any) any {
	value, ok := read(t, f.Time, v)
	if !ok || slices.ContainsFunc(f.Checks, func(c *spec.Check) bool { return !holds(c, value) }) {
		j.violated(path)
		return nil
	}
	return written(value, t)
}

// read is a value of JSON as a value of the type.
func read(t *spec.Type, format spec.TimeFormat, v any) (value spec.Value, ok bool) {
	value.Kind = t.Kind
	s, isText := v.(string)
	n, isNumber := v.(json.Number)
	exact := new(big.Rat)
	if isNumber {
		exact.SetString(string(n))
	}
	whole := func(scale int64) bool {
		exact.Mul(exact, new(big.Rat).SetInt64(scale))
		if format != 0 { // times are cut
			exact.SetInt(new(big.Int).Div(exact.Num(), exact.Denom()))
		}
		value.Int = exact.Num().Int64()
		return isNumber && exact.IsInt() && exact.Num().IsInt64()
	}
	switch t.Kind {
	case spec.Bool:
		value.Bool, ok = v.(bool)
	case spec.Int:
		ok = whole(1)
	case spec.Decimal:
		ok = whole(int64(math.Pow10(t.Scale)))
	case spec.Double:
		f, err := strconv.ParseFloat(string(n), 64)
		value.Double, ok = f+0, isNumber && err == nil
	case spec.String:
		value.String, ok = s, isText
	case spec.Bytes:
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		value.String, ok = string(b), isText && err == nil && !strings.ContainsAny(s, "\r\n")
	case spec.Timestamp:
		if format != spec.RFC3339 {
			return value, whole(map[spec.TimeFormat]int64{spec.UnixSeconds: 1e9, spec.UnixMillis: 1e6, spec.UnixMicros: 1e3, spec.UnixNanos: 1}[format])
		}
		at, err := time.Parse(time.RFC3339, s)
		value.Int, ok = at.UnixNano(), isText && err == nil
	}
	return value, ok
}

// holds judges a check.
func holds(c *spec.Check, v spec.Value) bool {
	compared := map[bool]int{true: -1}[v.Int < c.Value.Int || v.Double < c.Value.Double || v.String < c.Value.String]
	if v.Int > c.Value.Int || v.Double > c.Value.Double || v.String > c.Value.String {
		compared = 1
	}
	switch c.Op {
	case spec.CheckLess:
		return compared < 0
	case spec.CheckLessEqual:
		return compared <= 0
	case spec.CheckGreater:
		return compared > 0
	case spec.CheckGreaterEqual:
		return compared >= 0
	case spec.CheckNotEqual:
		return compared != 0
	case spec.CheckMatch:
		return regexp.MustCompile(c.Value.String).MatchString(v.String)
	case spec.CheckNotMatch:
		return !regexp.MustCompile(c.Value.String).MatchString(v.String)
	case spec.CheckMinRunes:
		return int64(utf8.RuneCountInString(v.String)) >= c.Value.Int
	case spec.CheckMaxRunes:
		return int64(utf8.RuneCountInString(v.String)) <= c.Value.Int
	}
	return slices.Contains(c.Values, v)
}

// written is a value as a row has it.
func written(v spec.Value, t *spec.Type) any {
	switch v.Kind {
	case spec.Bool:
		return v.Bool
	case spec.Int:
		return json.Number(strconv.FormatInt(v.Int, 10))
	case spec.Decimal:
		return json.Number(big.NewRat(v.Int, int64(math.Pow10(t.Scale))).FloatString(t.Scale))
	case spec.Double:
		return json.Number(text(v.Double))
	case spec.Bytes:
		return base64.StdEncoding.EncodeToString([]byte(v.String))
	case spec.Timestamp:
		return time.Unix(0, v.Int).UTC().Format(time.RFC3339Nano)
	case spec.Null:
		return nil
	case spec.String:
		return v.String
	}
	panic(fmt.Sprint("kind ", v.Kind))
}
