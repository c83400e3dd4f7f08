package check

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// never reports, in an expression of node n, comparisons that the contract of a field decides before any record is read, and divisions by a constant zero: they are
// always mistakes, most often a misspelt value. A condition that the contract makes true is no mistake where it is a bound: it says what its reader relies on.
func (c *checker) never(n *load.Node, e *spec.Expr) {
	if e == nil {
		return
	}
	switch e.Op {
	case spec.OpDiv, spec.OpMod:
		if by := e.Args[1]; by.Op == spec.OpConst && by.Value.Kind == spec.Int && by.Value.Int == 0 {
			c.add(celexpr.CodeConstant, e.At.Pos, n.Path, "this divides by zero: it always fails", "write what it is to be divided by")
		}
	case spec.OpEqual, spec.OpNotEqual, spec.OpLess, spec.OpLessEqual, spec.OpGreater, spec.OpGreaterEqual:
		if f, v, op := compared(e); f != nil {
			c.decided(n, e, op, f, v)
		}
	case spec.OpIn:
		c.neverIn(n, e)
	}
	for _, a := range e.Args {
		c.never(n, a)
	}
}

// compared takes a comparison of a field with a constant apart, as if the field stood on the left; f is nil when it is none.
func compared(e *spec.Expr) (f *spec.Expr, v spec.Value, op spec.Op) {
	a, b, op := required(e.Args[0]), required(e.Args[1]), e.Op
	if a.Op == spec.OpConst {
		a, b = b, a
		op = map[spec.Op]spec.Op{spec.OpLess: spec.OpGreater, spec.OpLessEqual: spec.OpGreaterEqual, spec.OpGreater: spec.OpLess, spec.OpGreaterEqual: spec.OpLessEqual,
			spec.OpEqual: spec.OpEqual, spec.OpNotEqual: spec.OpNotEqual}[op]
	}
	if a.Op != spec.OpField || b.Op != spec.OpConst || a.Type.Kind != b.Value.Kind {
		return nil, v, op
	}
	return a, b.Value, op
}

// required is e without the OpRequire around it.
func required(e *spec.Expr) *spec.Expr {
	if e.Op == spec.OpRequire {
		return e.Args[0]
	}
	return e
}

// decided reports a comparison of field f with v that a check of the field decides.
func (c *checker) decided(n *load.Node, e *spec.Expr, op spec.Op, f *spec.Expr, v spec.Value) {
	for _, check := range f.Path[len(f.Path)-1].Checks {
		one := []*spec.Check{check}
		switch {
		case (op == spec.OpEqual || op == spec.OpIn && check.Op != spec.CheckNotEqual) && !keeps(v, one):
			c.impossible(n, e.At.Pos, f, v, check, "")
		case op == spec.OpNotEqual && check.Op == spec.CheckOneOf && !keeps(v, one):
			c.impossible(n, e.At.Pos, f, v, check, "this is always true: ")
		case excludes(check, op, v):
			c.add(celexpr.CodeConstant, e.At.Pos, n.Path, fmt.Sprintf("this is never true: the contract of %s says %s", name(f), check.Text), "change one of the two")
		default:
			continue
		}
		return
	}
}

// excludes says whether no value that keeps a check stands in an order to v.
func excludes(check *spec.Check, op spec.Op, v spec.Value) bool {
	if math.IsNaN(v.Double) {
		return false
	}
	at := compare(v, check.Value)
	above, below := check.Op == spec.CheckGreater, check.Op == spec.CheckLess
	switch op {
	case spec.OpLess:
		return (above || check.Op == spec.CheckGreaterEqual) && at <= 0
	case spec.OpLessEqual:
		return above && at <= 0 || check.Op == spec.CheckGreaterEqual && at < 0
	case spec.OpGreater:
		return (below || check.Op == spec.CheckLessEqual) && at >= 0
	case spec.OpGreaterEqual:
		return below && at >= 0 || check.Op == spec.CheckLessEqual && at > 0
	}
	return false
}

// neverIn reports a value of a list that a field cannot have, and a value that is looked for in a field that is a list and cannot have it. What != alone excludes
// is let pass: the list may have been made for more than this field.
func (c *checker) neverIn(n *load.Node, e *spec.Expr) {
	item, list := required(e.Args[0]), required(e.Args[1])
	switch {
	case item.Op == spec.OpField && list.Op == spec.OpList:
		for _, x := range list.Args {
			if x.Op == spec.OpConst && x.Value.Kind == item.Type.Kind {
				c.decided(n, x, spec.OpIn, item, x.Value)
			}
		}
	case item.Op == spec.OpConst && list.Op == spec.OpField && item.Value.Kind == list.Type.Elem.Kind:
		c.decided(n, e, spec.OpIn, list, item.Value)
	}
}

// impossible reports a value that a field cannot have.
func (c *checker) impossible(n *load.Node, pos diag.Pos, f *spec.Expr, v spec.Value, check *spec.Check, prefix string) {
	var choices []string
	for _, of := range check.Values {
		choices = append(choices, of.String)
	}
	hint := ""
	if v.Kind == spec.String {
		hint = strings.ReplaceAll(diag.NearChoice(v.String, choices), `"`, "'")
	}
	if hint == "" {
		hint = "change one of the two"
	}
	if f.Type.Kind == spec.List {
		prefix = "an element of "
	}
	c.add(celexpr.CodeConstant, pos, n.Path, fmt.Sprintf("%s%s is never %s: its contract says %s", prefix, name(f), constantText(v, f.Type), check.Text), hint)
}

// name is a field as the expression names it.
func name(f *spec.Expr) string {
	names := make([]string, len(f.Path))
	for i, p := range f.Path {
		names[i] = p.Name
	}
	return strings.Join(names, ".")
}

// constantText is a constant as an expression would have it.
func constantText(v spec.Value, of *spec.Type) string {
	switch v.Kind {
	case spec.String, spec.Bytes:
		return "'" + v.String + "'"
	case spec.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	case spec.Timestamp:
		return time.Unix(0, v.Int).UTC().Format(time.RFC3339Nano)
	case spec.Decimal:
		digits := fmt.Sprintf("%0*d", of.Scale+1, max(v.Int, -v.Int))
		text := digits[:len(digits)-of.Scale]
		if of.Scale > 0 {
			text += "." + digits[len(digits)-of.Scale:]
		}
		if v.Int < 0 {
			text = "-" + text
		}
		return text
	case spec.Bool:
		return strconv.FormatBool(v.Bool)
	}
	return strconv.FormatInt(v.Int, 10)
}

// compare orders two values of one kind.
func compare(a, b spec.Value) int {
	switch {
	case a.Kind.Text():
		return strings.Compare(a.String, b.String)
	case a.Kind == spec.Double:
		return cmp.Compare(a.Double, b.Double)
	}
	return cmp.Compare(a.Int, b.Int)
}
