package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/spec"
)

// depth is how many lists a list of lists of doubles has around the innermost.
func depth(t *spec.Type) int {
	n := 0
	for t = t.Elem; t.Kind == spec.List; t = t.Elem {
		n++
	}
	return n
}

// plural ends the names of helpers for lists.
func plural(k spec.Kind) string {
	switch k {
	case spec.Double:
		return "Doubles"
	case spec.String, spec.Bytes:
		return "Texts"
	}
	return "Ints"
}

// list makes the list of a literal.
func (m *expression) list(e *spec.Expr) operand {
	args := []jen.Code{jen.Id("in")}
	for _, a := range e.Args {
		args = append(args, wordOf(a, m.operand(a)))
	}
	v := variable(m.name("list"))
	m.block.add(jen.Add(v.code).Op(":=").Add(helper("ListOf", args...)))
	return v
}

// wordOf is a value as the element of a list.
func wordOf(e *spec.Expr, o operand) *jen.Statement {
	switch e.Type.Kind {
	case spec.Bool:
		return helper("WordBool", o.code)
	case spec.Double:
		return jen.Id("math").Dot("Float64bits").Call(o.code)
	case spec.String, spec.Bytes:
		return jen.Id("in").Dot("KeepText").Call(o.code).Dot("Word").Call()
	case spec.List:
		return helper("ListWord", o.code)
	}
	if e.Op == spec.OpConst && e.Value.Int < 0 { // which Go does not convert
		return jen.Op(fmt.Sprintf("0x%x /* %d */", uint64(e.Value.Int), e.Value.Int))
	}
	return jen.Uint64().Call(o.code)
}

// ofWord is the value that an element of a list is.
func ofWord(k spec.Kind, w string) *jen.Statement {
	switch k {
	case spec.Bool:
		return jen.Id(w).Op("!=").Lit(0)
	case spec.Double:
		return jen.Id("math").Dot("Float64frombits").Call(jen.Id(w))
	case spec.String, spec.Bytes:
		return jen.Id("in").Dot("Text").Call(jen.Id("stream").Dot("WordStr").Call(jen.Id(w)))
	case spec.List:
		return helper("WordList", jen.Id(w))
	}
	return jen.Int64().Call(jen.Id(w))
}

// lookup writes the search in a map that is written out.
func (m *expression) lookup(e *spec.Expr) operand {
	key := m.operand(e.Args[0])
	v := variable(m.name("value"))
	found := variable(m.name("found"))
	m.block.add(jen.Var().Add(v.code).Add(valueType(e.Type.Kind)), jen.Add(found.code).Op(":=").True())
	if e.Type.Nullable {
		v.has = jen.Id(m.name("hasValue"))
		m.block.add(jen.Add(v.has).Op(":=").True())
	}
	var arms []jen.Code
	for i := 1; i < len(e.Args); i += 2 {
		o := m.operand(e.Args[i+1])
		set := []jen.Code{jen.Add(v.code).Op("=").Add(o.rounded(0))}
		if o.has != nil {
			set = append(set, jen.Add(v.has).Op("=").Add(o.has))
		}
		arms = append(arms, jen.Case(m.operand(e.Args[i]).code).Block(set...))
	}
	arms = append(arms, jen.Default().Block(jen.Add(found.code).Op("=").False()))
	m.block.add(jen.Switch(key.code).Block(arms...))
	m.fault(e, not(found).code, jen.Id("stream").Dot("FaultKey"))
	return v
}

// element writes list[i].
func (m *expression) element(e *spec.Expr, list, i operand) operand {
	if e.Type.Kind == spec.Object {
		index := m.leaf("index", i, e.Args[1])
		of := m.leaf("list", list, e.Args[0])
		m.fault(e, helper("Outside", of.code, index.code), jen.Id("stream").Dot("FaultIndex"))
		return m.load(e.Type.Struct, of, jen.Int().Call(index.code))
	}
	of := map[spec.Kind]string{spec.Bool: "BoolAt", spec.Double: "DoubleAt", spec.String: "TextAt", spec.Bytes: "TextAt", spec.List: "ListAt"}[e.Type.Kind]
	if of == "" {
		of = "IntAt"
	}
	return m.partial(e, "element", helper(of, jen.Id("in"), list.code, i.code))
}

// leaf is o as something that can be written twice.
func (m *expression) leaf(hint string, o operand, e *spec.Expr) operand {
	if o.leaf {
		return o
	}
	v := variable(m.name(hint))
	m.block.add(jen.Add(v.code).Op(":=").Add(typed(e, o)))
	return v
}

// load brings element i of a list of structs into a variable.
func (m *expression) load(s *spec.Struct, list operand, i *jen.Statement) operand {
	item := variable(m.name("item"))
	m.block.add(jen.Var().Add(item.code).Id(m.Struct(s)), jen.Add(item.code).Dot("load").Call(jen.Id("in"), list.code, i))
	return item
}

// loop writes exists, all, exists_one, filter and map. What fails for an element leaves the loop, of exists and all only when no later element decides; it is
// reported behind the loop.
func (m *expression) loop(e *spec.Expr) operand {
	list := m.operand(e.Args[0])
	object := e.Var.Type.Kind == spec.Object
	if object || e.Op == spec.OpFilter || e.Op == spec.OpMap {
		list = m.leaf("list", list, e.Args[0])
	}
	l := &loop{expression: m, e: e, body: m.inner(m.into), waiting: make([]string, len(e.Args))}
	counter, w := "_", "_"
	result := l.begin(list)
	if object && l.needsWord() || l.result.code != nil && l.kept == "" {
		counter = m.name("i")
		l.index = counter
	}
	if !object && (l.needsWord() || e.Op == spec.OpFilter) {
		w = m.name("word")
		l.word = w
	}
	if l.needsWord() {
		if object {
			m.know(e.Var, l.body.load(e.Var.Type.Struct, list, jen.Id(counter)))
		} else {
			item := variable(m.name("item"))
			l.body.block.add(jen.Add(item.code).Op(":=").Add(ofWord(e.Var.Type.Kind, w)))
			m.know(e.Var, item)
		}
	}
	l.each()
	if e.Faults != 0 {
		l.body.block.add(jen.If(helper("Full", jen.Id("in"), jen.Id(l.start))).Block(jen.Break()))
	}
	var statement *jen.Statement
	over := helper("Words", jen.Id("in"), list.code)
	switch {
	case object && counter == "_":
		statement = jen.For(jen.Range().Int().Call(jen.Add(list.code).Dot("Len")))
	case object:
		statement = jen.For(jen.Id(counter).Op(":=").Range().Int().Call(jen.Add(list.code).Dot("Len")))
	case counter == "_" && w == "_":
		statement = jen.For(jen.Range().Add(over))
	case w == "_":
		statement = jen.For(jen.Id(counter).Op(":=").Range().Add(over))
	default:
		statement = jen.For(jen.List(jen.Id(counter), jen.Id(w)).Op(":=").Range().Add(over))
	}
	m.block.add(statement.Block(l.body.block.close()...))
	l.end()
	return result
}

// loop is a loop over a list in the writing.
type loop struct {
	*expression
	e           *spec.Expr
	body        *expression
	index, word string // variables of the range clause, if there are
	found       operand
	result      operand // the list that filter and map make
	kept        string  // how many elements it has so far; "" when it gets all
	start       string  // how much was in the batch before the loop, if what is made counts
	waiting     []string
}

// needsWord says whether the conditions or the result look at the element.
func (l *loop) needsWord() bool {
	for _, a := range l.e.Args[1:] {
		if mentions(a, l.e.Var) {
			return true
		}
	}
	return false
}

// mentions says whether e uses the element of a loop.
func mentions(e *spec.Expr, item *spec.Field) bool {
	if len(e.Path) > 0 && e.Path[0] == item {
		return true
	}
	for _, a := range e.Args {
		if mentions(a, item) {
			return true
		}
	}
	return false
}

// begin declares what the loop gives, and the faults that wait for its end.
func (l *loop) begin(list operand) operand {
	m, e := l.expression, l.e
	if e.Faults != 0 {
		l.start = m.name("start")
		m.block.add(jen.Id(l.start).Op(":=").Add(helper("Made", jen.Id("in"))))
	}
	for i, a := range e.Args[1:] {
		if !a.Total() {
			l.waiting[i+1] = m.name("waiting")
			m.block.add(jen.Var().Id(l.waiting[i+1]).Id("stream").Dot("Fault"))
		}
	}
	switch e.Op {
	case spec.OpExists, spec.OpAll:
		l.found = variable(m.name(map[spec.Op]string{spec.OpExists: "found", spec.OpAll: "every"}[e.Op]))
		m.block.add(jen.Add(l.found.code).Op(":=").Lit(e.Op == spec.OpAll))
		return l.found
	case spec.OpExistsOne:
		l.kept = m.name("count")
		m.block.add(jen.Id(l.kept).Op(":=").Lit(0))
		return infix(jen.Id(l.kept), "==", jen.Lit(1), comparePrec)
	}
	l.result = variable(m.name("list"))
	size := jen.Int().Call(jen.Add(list.at(primaryPrec)).Dot("Len"))
	if e.Op == spec.OpFilter || len(e.Args) == 3 {
		l.kept = m.name("count")
		m.block.add(jen.Id(l.kept).Op(":=").Lit(0))
	}
	m.block.add(jen.Add(l.result.code).Op(":=").Add(helper("NewList", jen.Id("in"), size)))
	return l.result
}

// part writes argument i for one element; then is done with its value.
func (l *loop) part(i int, then func(in *expression, o operand)) {
	into := l.waiting[i]
	if into != "" && (l.e.Op == spec.OpExists || l.e.Op == spec.OpAll) { // of this element, beside those that wait
		into = l.name("failed")
		l.body.block.add(jen.Var().Id(into).Id("stream").Dot("Fault"))
	}
	part := l.body.inner(into)
	then(part, part.operand(l.e.Args[i]))
	l.body.block.add(part.block.close()...)
	switch {
	case into == "":
	case into != l.waiting[i]:
		l.body.block.add(jen.If(jen.Id(into).Op("!=").Lit(0)).Block(jen.Id(l.waiting[i]).Op("=").Id(into)))
	default:
		l.body.block.add(jen.If(jen.Id(into).Op("!=").Lit(0)).Block(jen.Break()))
	}
}

// each writes what is done with one element.
func (l *loop) each() {
	more := func() *jen.Statement { return jen.Id(l.kept).Op("++") }
	switch l.e.Op {
	case spec.OpExists, spec.OpAll:
		leave := l.found
		if l.e.Op == spec.OpAll {
			leave = not(leave)
		}
		l.part(1, func(in *expression, o operand) {
			in.block.assign(l.found, o)
			in.block.add(jen.If(leave.code).Block(jen.Break()))
		})
	case spec.OpExistsOne:
		l.part(1, func(in *expression, o operand) { in.block.add(jen.If(o.code).Block(more())) })
	case spec.OpFilter:
		l.part(1, func(in *expression, o operand) {
			in.block.add(jen.If(o.code).Block(helper("Set", jen.Id("in"), l.result.code, jen.Id(l.kept), jen.Id(l.word)), more()))
		})
	case spec.OpMap:
		if len(l.e.Args) == 2 {
			l.part(1, func(in *expression, o operand) {
				in.block.add(helper("Set", jen.Id("in"), l.result.code, jen.Id(l.index), wordOf(l.e.Args[1], o)))
			})
			return
		}
		l.part(2, func(in *expression, o operand) {
			// what follows is done for the elements that pass
			outer := l.body
			l.body = &expression{exprScope: in.exprScope, block: &exprBlock{}, into: in.into}
			l.part(1, func(in *expression, o operand) {
				in.block.add(helper("Set", jen.Id("in"), l.result.code, jen.Id(l.kept), wordOf(l.e.Args[1], o)), more())
			})
			in.block.add(jen.If(o.code).Block(l.body.block.close()...))
			l.body = outer
		})
	}
}

// end reports what failed, and cuts the list that was made.
func (l *loop) end() {
	m := l.expression
	for i, waiting := range l.waiting {
		if waiting == "" {
			continue
		}
		failed := infix(jen.Id(waiting), "!=", jen.Lit(0), comparePrec)
		switch l.e.Op {
		case spec.OpExists:
			failed = and(not(l.found), failed)
		case spec.OpAll:
			failed = and(l.found, failed)
		}
		m.fault(l.e.Args[i].Site().Expr, failed.code, jen.Id(waiting))
	}
	if l.e.Faults != 0 {
		m.fault(l.e, helper("Full", jen.Id("in"), jen.Id(l.start)), jen.Id("stream").Dot("FaultOverflow"))
	}
	if l.result.code != nil && l.kept != "" {
		m.block.add(jen.Add(l.result.code).Dot("Len").Op("=").Uint32().Call(jen.Id(l.kept)))
	}
}
