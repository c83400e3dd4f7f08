package sample

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// node is a field of the event, at any depth, or the element of a list.
type node struct {
	field  *spec.Field
	path   string // "customer.address.zip"; of an element that of its list
	member []byte // `"zip":`; of an element and the root nil
	parent *node  // nil of the root
	kind   spec.Kind

	fields []*node // of an object
	elem   *node   // of a list
	least  int64   // elements
	most   int64

	values domain // of a scalar
	quoted bool   // its text stands in quotes
	text   constraint
	role   role
	cache  [][]byte // written values: of a key by its number, of other texts some that are drawn again and again

	forced bool // present and not null, because the record's fault is in it
}

// role is what a field is to the pipeline.
type role uint8

const (
	plain role = iota
	eventTime
	id
	optionalID // records without it pass
	key
)

const (
	cached    = 512 // drawn texts of a field
	mostCache = 1 << 16
)

// compile makes the nodes of the source's event.
func (g *Generator) compile(p *spec.Pipeline, s *spec.Source) error {
	roles := rolesOf(p, s)
	root := &node{kind: spec.Object, field: &spec.Field{}}
	var wrong []error
	g.object(root, s.Event, s, roles, &wrong)
	g.root = root
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	for _, stage := range p.Stages {
		if stage.Dedup != nil {
			g.countIDs(stage, origins(p, s, stage, stage.Dedup.By))
		}
	}
	return nil
}

func (g *Generator) object(n *node, st *spec.Struct, s *spec.Source, roles map[string]role, wrong *[]error) {
	for _, f := range st.Fields {
		child := &node{field: f, path: strings.TrimPrefix(n.path+"."+f.Name, "."), parent: n, kind: f.Type.Kind}
		child.member = append(appendString(nil, []byte(f.Name)), ':')
		if !n.inList() {
			child.role = roles[child.path]
		}
		g.fill(child, f.Type, f.Checks, s, roles, wrong)
		n.fields = append(n.fields, child)
		if f == s.Time.Field && n.parent == nil {
			g.time = child
		}
	}
}

func (n *node) inList() bool {
	for ; n != nil; n = n.parent {
		if n.kind == spec.List {
			return true
		}
	}
	return false
}

// fill settles the values of a node.
func (g *Generator) fill(n *node, t *spec.Type, checks []*spec.Check, s *spec.Source, roles map[string]role, wrong *[]error) {
	switch t.Kind {
	case spec.Object:
		g.object(n, t.Struct, s, roles, wrong)
		return
	case spec.List:
		n.most = math.MaxInt32
		for _, c := range n.field.Items {
			switch c.Op {
			case spec.CheckMinRunes:
				n.least = max(n.least, c.Value.Int)
			case spec.CheckMaxRunes:
				n.most = min(n.most, c.Value.Int)
			}
		}
		if n.least > n.most {
			*wrong = append(*wrong, n.unsatisfiable(errEmpty, n.field.Items))
		}
		n.elem = &node{field: n.field, path: n.path, parent: n, kind: t.Elem.Kind}
		g.fill(n.elem, t.Elem, checks, s, roles, wrong)
		return
	}
	if t.Kind == spec.Bytes && g.csv { // no bytes are null
		checks = append(slices.Clip(checks), &spec.Check{Op: spec.CheckMinRunes, Value: spec.Value{Kind: spec.Int, Int: 1}, Text: "not empty"})
	}
	var err error
	if f := s.Time.Field; n.field == f && n.parent.parent == nil {
		n.role = eventTime
		err = g.keepTime(n, checks, s.Time.Unit)
	} else {
		err = n.scalar(t, checks)
	}
	if err != nil {
		*wrong = append(*wrong, n.unsatisfiable(err, checks))
	}
}

// unsatisfiable is the error of a field that no value can have.
func (n *node) unsatisfiable(err error, checks []*spec.Check) error {
	var list []string
	for _, c := range checks {
		list = append(list, c.Text)
	}
	text := strings.Join(list, " & ")
	if err == errEmpty {
		return n.wrong("no value keeps %s", text)
	}
	return n.wrong("no values can be made for %s: %v", text, err)
}

// wrong is an error with the place of the field in the spec.
func (n *node) wrong(format string, args ...any) error {
	err := fmt.Errorf("%s: "+format, append([]any{n.path}, args...)...)
	if pos := n.field.Pos.String(); pos != "" {
		return fmt.Errorf("%s: %w", pos, err)
	}
	return err
}

// scalar finds the domain of a scalar.
func (n *node) scalar(t *spec.Type, checks []*spec.Check) (err error) {
	n.kind = t.Kind
	switch t.Kind {
	case spec.Bool:
		n.values = choices{[]byte("true"), []byte("false")}
	case spec.String:
		n.quoted = true
		if n.text, err = newConstraint(checks); err != nil {
			return err
		}
		n.values, err = texts(n.field.Name, n.text)
		return err
	case spec.Bytes:
		n.quoted = true
		n.values, err = newOctets(checks)
		return err
	case spec.Double:
		if f := newFloats(checks); f != nil {
			n.values = f
		}
	case spec.Int, spec.Decimal:
		if i := newIntegers(checks); i != nil {
			if t.Kind == spec.Decimal {
				i.write = func(dst []byte, v int64) []byte { return appendDecimal(dst, v, t.Scale) }
			}
			n.values = i
		}
	case spec.Timestamp:
		n.quoted = n.field.Time == spec.RFC3339
		if i := newTimes(checks, n.field.Time, DefaultStart); i != nil {
			n.values = i
		}
	default:
		return fmt.Errorf("a field of this type is not made")
	}
	return n.enum(checks)
}

// enum replaces the domain of numbers and times by the choices that keep the other checks.
func (n *node) enum(checks []*spec.Check) error {
	var list choices
	found := false
	for _, c := range checks {
		if c.Op != spec.CheckOneOf {
			continue
		}
		found = true
		for _, v := range c.Values {
			if n.values != nil && keepsAll(v, checks) {
				list = append(list, n.write(v))
			}
		}
		break
	}
	if found {
		n.values = list
	}
	if n.values == nil || n.values.count() == 0 {
		return errEmpty
	}
	return nil
}

// write is a value that is no text.
func (n *node) write(v spec.Value) []byte {
	if d, ok := n.values.(*integers); ok {
		if d.time > 0 {
			return appendTime(nil, v.Int, n.field.Time)
		}
		return d.write(nil, v.Int)
	}
	return appendFloat(nil, v.Double)
}

// keepsAll says whether a number or time keeps all checks.
func keepsAll(v spec.Value, checks []*spec.Check) bool {
	for _, c := range checks {
		order := func(than spec.Value) int {
			switch {
			case v.Int < than.Int || v.Double < than.Double:
				return -1
			case v.Int > than.Int || v.Double > than.Double:
				return 1
			}
			return 0
		}
		ok := true
		switch c.Op {
		case spec.CheckLess:
			ok = order(c.Value) < 0
		case spec.CheckLessEqual:
			ok = order(c.Value) <= 0
		case spec.CheckGreater:
			ok = order(c.Value) > 0
		case spec.CheckGreaterEqual:
			ok = order(c.Value) >= 0
		case spec.CheckNotEqual:
			ok = order(c.Value) != 0
		case spec.CheckOneOf:
			ok = false
			for _, w := range c.Values {
				ok = ok || order(w) == 0
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// keepTime settles the event time, which may be a plain int of some unit.
func (g *Generator) keepTime(n *node, checks []*spec.Check, unit spec.TimeFormat) error {
	for _, c := range checks {
		if c.Op == spec.CheckOneOf {
			return errors.New("an event time of a few values is not made")
		}
	}
	n.quoted = unit == spec.RFC3339
	if n.kind == spec.Timestamp {
		g.clock = newTimes(checks, unit, DefaultStart)
	} else if g.clock = newIntegers(checks); g.clock != nil {
		step := map[spec.TimeFormat]int64{spec.UnixSeconds: 1e9, spec.UnixMillis: 1e6, spec.UnixMicros: 1e3, spec.UnixNanos: 1}[unit]
		g.clock.time = step
		g.clock.lo = max(g.clock.lo, math.MinInt64/step)
		g.clock.hi = min(g.clock.hi, math.MaxInt64/step)
		g.clock = g.clock.settle(DefaultStart / step)
	}
	if g.clock == nil {
		return errEmpty
	}
	n.values = g.clock
	return nil
}

// countIDs notes when the ids of a dedup repeat by themselves.
func (g *Generator) countIDs(stage *spec.Stage, paths []string) {
	least := uint64(1)
	for _, path := range paths {
		n := g.root.find(path)
		if n == nil || n.values == nil || n.role == eventTime {
			return
		}
		least = max(least, n.values.count())
	}
	if least < uint64(g.config.Events) {
		g.note("%s of stage %s has %d values: ids repeat", strings.Join(paths, ", "), stage.Name, least)
	}
}

func (n *node) find(path string) *node {
	for _, f := range n.fields {
		if f.path == path {
			return f
		}
		if strings.HasPrefix(path, f.path+".") {
			return f.find(path)
		}
	}
	return nil
}
