package oracle

import (
	"encoding/base64"
	"math/big"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// decoder reads one record and keeps the first field, in the order of the spec, that breaks its contract.
type decoder struct {
	source  *spec.Source
	order   map[string]int // of the paths of the fields
	worst   string         // path
	twice   bool           // a declared field stands twice
	outside bool           // the event time is outside int64
}

func newDecoder(s *spec.Source) *decoder {
	d := &decoder{source: s, order: map[string]int{}}
	d.enumerate(s.Event, "")
	return d
}

// enumerate gives the fields their places: a struct before what is in it.
func (d *decoder) enumerate(s *spec.Struct, path string) {
	for _, f := range s.Fields {
		d.order[path+f.Name] = len(d.order)
		t := f.Type
		if t.Kind == spec.List {
			t = t.Elem
		}
		if t.Kind == spec.Object {
			d.enumerate(t.Struct, path+f.Name+".")
		}
	}
}

// bad says that the field at path breaks its contract.
func (d *decoder) bad(path string) value {
	if d.worst == "" || d.order[path] < d.order[d.worst] {
		d.worst = path
	}
	return nil
}

// object reads a struct. Names match byte for byte, once unescaped.
func (d *decoder) object(s *spec.Struct, v json, path string) object {
	o := object{}
	for _, f := range s.Fields {
		var of *json
		for i := range v.members {
			if v.members[i].name == f.Name {
				d.twice = d.twice || of != nil
				of = &v.members[i].of
			}
		}
		o[f.Name] = d.field(f, of, path+f.Name)
	}
	return o
}

// field reads the value of a field; v is nil when it is missing.
func (d *decoder) field(f *spec.Field, v *json, path string) value {
	switch {
	case v == nil && f.Missing == spec.MissingNull:
		return nil
	case v == nil && f.Missing == spec.MissingDefault:
		return constant(*f.Default)
	case v == nil:
		return d.bad(path)
	case v.kind == 'n' && f.Null:
		return nil
	case f.Type.Kind == spec.Object && v.kind == '{':
		return d.object(f.Type.Struct, *v, path+".")
	case f.Type.Kind == spec.List && v.kind == '[':
		list := []value{}
		for _, e := range v.elements {
			if f.Type.Elem.Kind == spec.Object && e.kind == '{' {
				list = append(list, d.object(f.Type.Elem.Struct, e, path+"."))
			} else {
				list = append(list, d.scalar(f, f.Type.Elem, e, path))
			}
		}
		for _, c := range f.Items {
			if !lengthHolds(c, len(list)) {
				d.bad(path)
			}
		}
		return list
	}
	return d.scalar(f, f.Type, *v, path)
}

// scalar reads a value of a plain type and holds it against the constraints.
func (d *decoder) scalar(f *spec.Field, t *spec.Type, v json, path string) value {
	x, ok := d.plain(f, t, v)
	if !ok {
		return d.bad(path)
	}
	if at, isInt := x.(*big.Int); isInt && !at.IsInt64() { // a time
		if f == d.source.Time.Field {
			d.outside = true
			return x
		}
		return d.bad(path)
	}
	for _, c := range f.Checks {
		if !holds(c, x) {
			return d.bad(path)
		}
	}
	return x
}

func (d *decoder) plain(f *spec.Field, t *spec.Type, v json) (x value, ok bool) {
	text, number := v.kind == '"', v.kind == '0'
	switch {
	case t.Kind == spec.Bool && (v.kind == 't' || v.kind == 'f'):
		return v.kind == 't', true
	case t.Kind == spec.String && text:
		return v.text, true
	case t.Kind == spec.Bytes && text:
		b, err := base64.StdEncoding.Strict().DecodeString(v.text)
		for _, c := range []byte(v.text) { // the decoder passes over line breaks
			if c == '\n' || c == '\r' {
				return nil, false
			}
		}
		return string(b), err == nil
	case t.Kind == spec.Int && number:
		return pair(whole(v.text, 0))
	case t.Kind == spec.Decimal && number:
		return pair(whole(v.text, t.Scale))
	case t.Kind == spec.Double && number:
		x, err := strconv.ParseFloat(v.text, 64)
		if x == 0 { // also what is too small, and -0
			x, err = 0, nil
		}
		return x, err == nil
	case t.Kind == spec.Timestamp && f.Time == spec.RFC3339 && text:
		return pair(parseTime(v.text))
	case t.Kind == spec.Timestamp && f.Time != spec.RFC3339 && number:
		if at, ok := epoch(v.text, f.Time); ok {
			return at, true
		}
		return ten(beyond), true // outside of every range
	}
	return nil, false
}

func pair(x *big.Int, ok bool) (value, bool) { return x, ok }

// constant is a constant of the spec.
func constant(v spec.Value) value {
	switch v.Kind {
	case spec.Bool:
		return v.Bool
	case spec.Double:
		return v.Double
	case spec.String, spec.Bytes:
		return v.String
	case spec.Null:
		return nil
	}
	return big.NewInt(v.Int)
}

// holds says whether a value that is not null keeps a constraint.
func holds(c *spec.Check, x value) bool {
	switch c.Op {
	case spec.CheckOneOf:
		for _, v := range c.Values {
			if compare(constant(v), x) == 0 {
				return true
			}
		}
		return false
	case spec.CheckMatch, spec.CheckNotMatch:
		return regexp.MustCompile(c.Value.String).MatchString(x.(string)) == (c.Op == spec.CheckMatch)
	case spec.CheckMinRunes, spec.CheckMaxRunes:
		return lengthHolds(c, utf8.RuneCountInString(x.(string)))
	}
	order := compare(x, constant(c.Value))
	switch c.Op {
	case spec.CheckLess:
		return order < 0
	case spec.CheckLessEqual:
		return order <= 0
	case spec.CheckGreater:
		return order > 0
	case spec.CheckGreaterEqual:
		return order >= 0
	case spec.CheckNotEqual:
		return order != 0
	}
	panic("the oracle has no such check: " + c.Text)
}

func lengthHolds(c *spec.Check, n int) bool {
	if c.Op == spec.CheckMinRunes {
		return int64(n) >= c.Value.Int
	}
	return int64(n) <= c.Value.Int
}
