package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/spec"
)

// exprScope is the place where the Go code of expressions stands: what their fields and calls are there, and how a fault leaves it. It remembers the names of
// variables, so use one for all expressions of one block. The batch, for texts and lists, is the variable in.
//
// Go types of values: bool, int64 (int, decimal, timestamp and duration, in ns), float64, string (text and bytes, valid until the batch is filled anew), stream.List.
type exprScope struct {
	Field  func(path []*spec.Field) (value, has jen.Code)                       // has: it is not null; nil when it never is null
	Item   func(row string, path []*spec.Field) (value, has jen.Code)           // likewise, of the struct that is the variable row
	Enum   func(path []*spec.Field) (number jen.Code, consts map[string]string) // of a text that is one of a few: its number, and the Go constants of the numbers; nil otherwise
	Struct func(s *spec.Struct) string                                          // its Go type
	Call   func(i int) (value, has jen.Code)                                    // call i of the window
	Fault  func(at *spec.Expr, fault jen.Code) jen.Code                         // statements that leave the place; fault is a stream.Fault
	Regexp func(pattern string) string                                          // the package-level *regexp.Regexp of a pattern
	Zone   func(zone string) string                                             // the package-level *time.Location of a zone: an IANA name, or "+hh:mm"
	Taken  []string                                                             // names of variables that are in use

	names map[string]int
	items map[*spec.Field]operand // the elements of the loops around, and the structs that are elements of lists
}

// value is the Go code of e: statements, of which those of a fault leave, and behind them the value, which must be used. has says that it is not null, and is nil
// when it never is. When has is false the value means nothing.
func (s *exprScope) value(e *spec.Expr) (before []jen.Code, value, has jen.Code) {
	m := &expression{exprScope: s, block: &exprBlock{}}
	o := m.operand(e)
	before = m.block.close()
	if o.has != nil {
		has = o.has
	}
	return before, typed(e, o), has
}

// name is a variable name that the scope does not have yet.
func (s *exprScope) name(hint string) string {
	if s.names == nil {
		s.names = make(map[string]int)
		for _, taken := range s.Taken {
			s.names[taken] = 1
		}
	}
	s.names[hint]++
	if n := s.names[hint]; n > 1 {
		return s.name(hint + strconv.Itoa(n))
	}
	return hint
}

// operand is the code of a part of an expression.
type operand struct {
	code    *jen.Statement // of a value; never changed
	prec    int            // of Go's operators: 1 is ||, 5 is *, then unary and primary
	has     *jen.Statement // not null; nil when it never is null
	product bool           // a float64 product that is not rounded yet: Go may fuse it with an addition
	leaf    bool           // may be written twice
	op      string         // && or ||, of a chain
	chain   []operand      // its parts

	number *jen.Statement    // of a text that is one of a few: its number,
	consts map[string]string // and the Go constants of the numbers
	oneOf  []string          // the operand is true where number is one of these constants
}

// Precedences of Go.
const (
	orPrec = iota + 1
	andPrec
	comparePrec
	addPrec
	mulPrec
	unaryPrec
	primaryPrec
)

// at is the code of o for a place where an operator binds with prec.
func (o operand) at(prec int) *jen.Statement {
	if o.prec < prec {
		return jen.Parens(o.code)
	}
	return jen.Add(o.code)
}

// rounded is at, and keeps a product from being fused.
func (o operand) rounded(prec int) *jen.Statement {
	if o.product {
		return jen.Float64().Call(o.code)
	}
	return o.at(prec)
}

func primary(code *jen.Statement) operand { return operand{code: code, prec: primaryPrec} }

func variable(name string) operand {
	return operand{code: jen.Id(name), prec: primaryPrec, leaf: true}
}

func not(o operand) operand {
	return operand{code: jen.Op("!").Add(o.at(unaryPrec)), prec: unaryPrec}
}

func infix(a *jen.Statement, op string, b *jen.Statement, prec int) operand {
	return operand{code: jen.Add(a).Op(op).Add(b), prec: prec}
}

func and(a, b operand) operand { return joined(a, "&&", b, andPrec) }

func or(a, b operand) operand { return joined(a, "||", b, orPrec) }

// joined writes a && b or a || b, where what stands in a already is not written again: go vet would complain.
func joined(a operand, op string, b operand, prec int) operand {
	all := a.parts(op)
	for _, p := range b.parts(op) {
		if op == "||" && p.oneOf != nil {
			i := slices.IndexFunc(all, func(q operand) bool { return q.oneOf != nil && render(q.number) == render(p.number) })
			if i >= 0 {
				all = slices.Clone(all)
				all[i] = isOneOf(p.number, append(slices.Clip(all[i].oneOf), p.oneOf...))
				continue
			}
		}
		text := render(p.code)
		if !slices.ContainsFunc(all, func(q operand) bool { return render(q.code) == text }) {
			all = append(all, p)
		}
	}
	o := operand{code: all[0].at(prec), prec: prec, op: op, chain: all}
	if len(all) == 1 {
		return all[0]
	}
	for _, p := range all[1:] {
		o.code = jen.Add(o.code).Op(op).Add(p.at(prec))
	}
	return o
}

// isOneOf compares the number of a text with one constant, or with several at once.
func isOneOf(number *jen.Statement, consts []string) operand {
	consts = slices.Compact(slices.Sorted(slices.Values(consts)))
	o := infix(number, "==", jen.Id(consts[0]), comparePrec)
	if len(consts) > 1 {
		o = infix(jen.Id(fmt.Sprintf("uint64(1<<%s)>>%s&1", strings.Join(consts, "|1<<"), render(number))), "!=", jen.Lit(0), comparePrec)
	}
	o.number, o.oneOf = number, consts
	return o
}

// parts are the operands of a chain, or o alone.
func (o operand) parts(op string) []operand {
	if o.op == op {
		return slices.Clip(o.chain)
	}
	return []operand{o}
}

// helper is a call of package runtime/expr.
func helper(name string, args ...jen.Code) *jen.Statement {
	return jen.Id("expr").Dot(name).Call(args...)
}

// expression writes one expression, or a part of one that has its own block.
type expression struct {
	*exprScope
	block *exprBlock
	into  string // the variable that keeps a fault; "": a fault leaves
}

// inner is an expression in a block of its own.
func (m *expression) inner(into string) *expression {
	return &expression{exprScope: m.exprScope, block: &exprBlock{}, into: into}
}

// exprBlock is a list of statements, the last of which may have an open end: what follows stands inside it.
type exprBlock struct {
	code []jen.Code
	open []openEnd
}

type openEnd struct {
	before []jen.Code
	end    func(body []jen.Code) jen.Code
}

func (b *exprBlock) add(code ...jen.Code) { b.code = append(b.code, code...) }

// nest puts all that follows into the body that end takes.
func (b *exprBlock) nest(end func(body []jen.Code) jen.Code) {
	b.open = append(b.open, openEnd{b.code, end})
	b.code = nil
}

func (b *exprBlock) close() []jen.Code {
	for len(b.open) > 0 {
		last := b.open[len(b.open)-1]
		b.open = b.open[:len(b.open)-1]
		b.code = append(last.before, last.end(b.code))
	}
	return b.code
}

// fault writes what happens when cond is true: the fault leaves, or it is kept and nothing that follows is done.
func (m *expression) fault(at *spec.Expr, cond *jen.Statement, fault *jen.Statement) {
	if m.into == "" {
		m.block.add(jen.If(cond).Block(m.Fault(at, fault)))
		return
	}
	keep := jen.Id(m.into).Op("=").Add(fault)
	m.block.nest(func(rest []jen.Code) jen.Code {
		if len(rest) == 0 {
			return jen.If(cond).Block(keep)
		}
		return jen.If(cond).Block(keep).Else().Block(rest...)
	})
}

// afterInner keeps what follows from being done when a part in its own block has kept a fault.
func (m *expression) afterInner(parts ...*spec.Expr) {
	for _, p := range parts {
		if m.into != "" && !p.Total() {
			m.block.nest(func(rest []jen.Code) jen.Code { return jen.If(jen.Id(m.into).Op("==").Lit(0)).Block(rest...) })
			return
		}
	}
}

// partial calls a helper that can fail and keeps its value in a variable.
func (m *expression) partial(e *spec.Expr, hint string, call *jen.Statement) operand {
	v := m.name(hint)
	m.block.add(jen.List(jen.Id(v), jen.Id("fault")).Op(":=").Add(call))
	m.fault(e, jen.Id("fault").Op("!=").Lit(0), jen.Id("fault"))
	return variable(v)
}

// logic writes && and ||. Operands that are plain Go expressions form one; one that needs statements stands under an if. When several can fail, the faults of
// all but the last wait in variables, because a later operand may decide.
func (m *expression) logic(e *spec.Expr) operand {
	join, undecided := and, func(o operand) operand { return o }
	if e.Op == spec.OpOr {
		join, undecided = or, not
	}
	var ok operand // what the operands so far give
	var kept []string
	var named bool
	declare := func() {
		if !named {
			v := m.name("ok")
			if ok.code == nil {
				ok = primary(jen.Lit(e.Op == spec.OpAnd))
			}
			m.block.add(jen.Id(v).Op(":=").Add(ok.code))
			ok, named = variable(v), true
		}
	}
	for i, a := range e.Args {
		into := m.into
		if e.Captures(i) {
			first := ok.code == nil
			declare()
			into = m.name("waiting")
			kept = append(kept, into)
			m.block.add(jen.Var().Id(into).Id("stream").Dot("Fault"))
			part := m.inner(into)
			part.block.assign(ok, part.operand(a))
			if first {
				m.block.add(part.block.close()...)
			} else {
				m.block.add(jen.If(undecided(ok).code).Block(part.block.close()...))
			}
			continue
		}
		if ok.code == nil {
			ok = m.operand(a)
			continue
		}
		part := m.inner(into)
		o := part.operand(a)
		if statements := part.block; len(statements.code)+len(statements.open) == 0 && len(kept) == 0 {
			ok, named = join(ok, o), false
			continue
		}
		declare()
		part.block.assign(ok, o)
		m.block.add(jen.If(undecided(ok).code).Block(part.block.close()...))
		m.afterInner(a)
	}
	for i, waiting := range kept {
		first := len(e.Args) - 1 - len(kept)
		m.fault(e.Args[first+i].Site().Expr, and(undecided(ok), infix(jen.Id(waiting), "!=", jen.Lit(0), comparePrec)).code, jen.Id(waiting))
	}
	return ok
}

// assign assigns o to the variable v.
func (b *exprBlock) assign(v, o operand) { b.add(jen.Add(v.code).Op("=").Add(o.code)) }

// choice writes ?:.
func (m *expression) choice(e *spec.Expr) operand {
	cond := m.operand(e.Args[0])
	yes, no := m.inner(m.into), m.inner(m.into)
	a, b := yes.operand(e.Args[1]), no.operand(e.Args[2])
	v := variable(m.name("choice"))
	if !e.Type.Nullable && b.leaf && len(no.block.code)+len(no.block.open) == 0 {
		m.block.add(jen.Add(v.code).Op(":=").Add(typed(e.Args[2], b)))
		yes.block.assign(v, operand{code: a.rounded(0)})
		m.block.add(jen.If(cond.code).Block(yes.block.close()...))
		m.afterInner(e.Args[1])
		return v
	}
	m.block.add(jen.Var().Add(v.code).Add(valueType(e.Type.Kind)))
	if e.Type.Nullable {
		v.has = jen.Id(m.name("hasChoice"))
		m.block.add(jen.Var().Add(v.has).Bool())
	}
	for _, arm := range []struct {
		*expression
		operand
		e *spec.Expr
	}{{yes, a, e.Args[1]}, {no, b, e.Args[2]}} {
		if isNull(arm.e) {
			continue
		}
		arm.block.assign(v, operand{code: arm.rounded(0)})
		if v.has != nil {
			is := jen.True()
			if arm.has != nil {
				is = arm.has
			}
			arm.block.add(jen.Add(v.has).Op("=").Add(is))
		}
	}
	then, otherwise := yes.block.close(), no.block.close()
	switch {
	case len(otherwise) == 0:
		m.block.add(jen.If(cond.code).Block(then...))
	case len(then) == 0:
		m.block.add(jen.If(not(cond).code).Block(otherwise...))
	default:
		m.block.add(jen.If(cond.code).Block(then...).Else().Block(otherwise...))
	}
	m.afterInner(e.Args[1], e.Args[2])
	return v
}

func isNull(e *spec.Expr) bool { return e.Op == spec.OpConst && e.Value.Kind == spec.Null }

// typed is a value with the Go type that it has in expressions, for a declaration with :=.
func typed(e *spec.Expr, o operand) *jen.Statement {
	if e.Op == spec.OpConst && e.Type.Kind != spec.Bool && e.Type.Kind != spec.String && e.Type.Kind != spec.Bytes {
		return jen.Add(valueType(e.Type.Kind)).Call(o.code)
	}
	return jen.Add(o.code)
}

func valueType(k spec.Kind) *jen.Statement {
	switch k {
	case spec.Bool:
		return jen.Bool()
	case spec.Double:
		return jen.Float64()
	case spec.String, spec.Bytes:
		return jen.String()
	case spec.List:
		return jen.Id("stream").Dot("List")
	}
	return jen.Int64()
}
