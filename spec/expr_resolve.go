package spec

import (
	"math"
	"slices"
)

// Resolve settles what of e can be null and what can fail, from the types and contracts of the fields and from what && || and ?: have tested before, and
// puts the operands of && and || that cannot fail first (both are commutative in CEL). It returns the expression whose value is the final one: a double is
// finite and not -0.
func Resolve(e *Expr) *Expr {
	e, k := resolve(e, nil)
	if number(e.Type) && (k.infinite || k.nan || k.minusZero) {
		root := &Expr{Op: OpFinite, Type: e.Type, Args: []*Expr{e}, At: e.At}
		if k.infinite || k.nan {
			root.Faults = FaultNotFinite
		}
		return root
	}
	return e
}

// number says whether t is a double or a list of them, be it of lists.
func number(t *Type) bool {
	for t.Kind == List {
		t = t.Elem
	}
	return t.Kind == Double
}

// known is what is certain about a value that is not null; of a list, about each of its elements.
type known struct {
	lo, hi  int64 // of an int, inclusive
	notZero bool  // of an int

	infinite, nan, minusZero bool // of a double: it may be
}

// or is what is certain about a value that is known as k or as l.
func (k known) or(l known) known {
	return known{min(k.lo, l.lo), max(k.hi, l.hi), k.notZero && l.notZero, k.infinite || l.infinite, k.nan || l.nan, k.minusZero || l.minusZero}
}

var anything = known{lo: math.MinInt64, hi: math.MaxInt64}

// fact is what a test before has shown of a field or call; facts are a list, the newest first.
type fact struct {
	before *fact
	of     *Expr
	known
}

// notNull adds that e is not null; of an expression that is no field and no call nothing is remembered.
func (f *fact) notNull(e *Expr) *fact { return f.within(e, math.MinInt64, math.MaxInt64, false) }

func (f *fact) within(e *Expr, lo, hi int64, notZero bool) *fact {
	if e.Op != OpField && e.Op != OpCall {
		return f
	}
	return &fact{f, e, known{lo: lo, hi: hi, notZero: notZero}}
}

func (f *fact) knows(e *Expr) bool {
	for ; f != nil; f = f.before {
		if Same(f.of, e) {
			return true
		}
	}
	return false
}

func (f *fact) narrow(e *Expr, k known) known {
	for ; f != nil; f = f.before {
		if Same(f.of, e) {
			k.lo, k.hi, k.notZero = max(k.lo, f.lo), min(k.hi, f.hi), k.notZero || f.notZero
			k.infinite, k.nan, k.minusZero = k.infinite || f.infinite, k.nan || f.nan, k.minusZero || f.minusZero // of the element of a loop
		}
	}
	return k
}

func resolve(e *Expr, f *fact) (*Expr, known) {
	switch e.Op {
	case OpConst:
		return e, constant(e.Value)
	case OpField:
		if len(e.Args) > 0 {
			e.Args[0], _ = resolve(e.Args[0], f)
		}
		return e, resolveField(e, f)
	case OpExists, OpAll, OpExistsOne, OpFilter, OpMap:
		return resolveLoop(e, f)
	case OpLookup:
		return resolveLookup(e, f)
	case OpCall:
		e.setNullable(e.Type.Nullable && !f.knows(e))
		k := f.narrow(e, anything)
		if e.Type.Kind == Double { // of finite values; only what is computed of them may leave float64
			switch {
			case e.Func == Avg && e.Exact: // an exact sum by a number above 0
			case e.Func == Sum || e.Func == Avg:
				k.infinite, k.nan, k.minusZero = true, true, true
			case e.Func == Variance || e.Func == Stddev:
				k.infinite, k.nan = true, true
			}
		}
		return e, k
	case OpHas:
		if of := e.Args[0]; len(of.Args) > 0 {
			of.Args[0], _ = resolve(of.Args[0], f)
		}
		resolveField(e.Args[0], f)
		certain := !e.Args[0].Type.Nullable && e.Args[0].Total()
		if e.Args[0].Faults != 0 { // where the struct that has the field is null, the field is not there; one before that fails
			e.Args[0].Faults = 0
			if path := e.Args[0].Path; len(path) > 2 {
				of := e.Args[0].prefix(len(path) - 1)
				resolveField(of, f)
				e.Args[0].Faults = of.Faults
			}
		}
		if certain {
			return truth(e, true), anything
		}
		return e, anything
	case OpAnd, OpOr:
		return resolveLogic(e, f), anything
	case OpNot:
		e.require(0, f)
		if a := e.Args[0]; a.Op == OpConst {
			return truth(e, !a.Value.Bool), anything
		}
		return e, anything
	case OpCond:
		e.require(0, f)
		if a := e.Args[0]; a.Op == OpConst {
			chosen := e.Args[2]
			if a.Value.Bool {
				chosen = e.Args[1]
			}
			if chosen.Op != OpConst || chosen.Type.Kind == Bool { // no operation has only constants, whose arithmetic in Go would be exact
				return resolve(chosen, f)
			}
		}
		var a, b known
		e.Args[1], a = resolve(e.Args[1], assume(f, e.Args[0], true))
		e.Args[2], b = resolve(e.Args[2], assume(f, e.Args[0], false))
		e.setNullable(e.Args[1].Type.Nullable || e.Args[2].Type.Nullable)
		return e, a.or(b)
	case OpRequire:
		arg, k := resolve(e.Args[0], f)
		if !arg.Type.Nullable {
			return arg, k
		}
		e.Args[0] = arg
		return e, k
	case OpList:
		k := anything
		for i := range e.Args {
			if of := e.require(i, f); i == 0 {
				k = of
			} else {
				k = k.or(of)
			}
		}
		return e, k
	case OpEqual, OpNotEqual:
		if c := nullChoice(e); c != nil {
			return resolve(c, f)
		}
		for i := range e.Args {
			e.Args[i], _ = resolve(e.Args[i], f)
		}
		if settled(e.Args[0], e.Args[1]) || settled(e.Args[1], e.Args[0]) {
			return truth(e, e.Op == OpNotEqual), anything
		}
		return e, anything
	case OpIn:
		e.Args[0], _ = resolve(e.Args[0], f)
		if list := e.Args[1]; list.Op == OpList {
			for i := range list.Args {
				list.Args[i], _ = resolve(list.Args[i], f)
			}
			return e, anything
		}
		e.require(1, f)
		return e, anything
	}
	args := make([]known, len(e.Args), len(e.Args)+2)
	for i := range e.Args {
		args[i] = e.require(i, f)
	}
	args = args[:max(len(args), 2)]
	if e.Op == OpFunction {
		k, faults := functionOutcome(e, args)
		e.Faults = faults
		return e, k
	}
	k, faults := outcome(e, args[0], args[1])
	e.Faults = faults
	return e, k
}

// truth is a constant in the place of e.
func truth(e *Expr, is bool) *Expr {
	return &Expr{Op: OpConst, Type: e.Type, Value: Value{Kind: Bool, Bool: is}, At: e.At}
}

// settled says whether a is null and b is not, and cannot fail.
func settled(a, b *Expr) bool {
	return a.Op == OpConst && a.Value.Kind == Null && !b.Type.Nullable && b.Total()
}

// nullChoice makes c ? a == null : b == null of (c ? a : b) == null, and nil of anything else.
func nullChoice(e *Expr) *Expr {
	for i, a := range e.Args {
		if a.Op != OpCond || e.Args[1-i].Op != OpConst || e.Args[1-i].Value.Kind != Null {
			continue
		}
		arm := func(of *Expr) *Expr { return &Expr{Op: e.Op, Type: e.Type, Args: []*Expr{of, e.Args[1-i]}, At: e.At} }
		return &Expr{Op: OpCond, Type: e.Type, Args: []*Expr{a.Args[0], arm(a.Args[1]), arm(a.Args[2])}, At: a.At}
	}
	return nil
}

// require resolves argument i and puts OpRequire before it when it may be null.
func (e *Expr) require(i int, f *fact) known {
	arg, k := resolve(e.Args[i], f)
	if arg.Type.Nullable && arg.Op != OpRequire {
		t := *arg.Type
		t.Nullable = false
		arg = &Expr{Op: OpRequire, Type: &t, Args: []*Expr{arg}, Faults: FaultNull, At: arg.At}
	}
	e.Args[i] = arg
	return k
}

func (e *Expr) setNullable(nullable bool) {
	if e.Type.Nullable != nullable {
		t := *e.Type
		t.Nullable = nullable
		e.Type = &t
	}
}

// resolveField also finds whether a struct on the way to the field may be null, which is a fault of the field itself.
func resolveField(e *Expr, f *fact) known {
	last := len(e.Path) - 1
	e.Faults = 0
	for i, field := range e.Path[:last] {
		if field.Type.Nullable && !f.knows(e.prefix(i+1)) {
			e.Faults = FaultNull
		}
	}
	field := e.Path[last]
	e.setNullable(field.Type.Nullable && !f.knows(e))
	k := anything
	if kind := field.Type.Kind; kind == Int || kind == List && field.Type.Elem.Kind == Int {
		for _, c := range field.Checks {
			k = k.check(c)
		}
	}
	return f.narrow(e, k)
}

// prefix is the field that the first n steps of e's path lead to.
func (e *Expr) prefix(n int) *Expr {
	return &Expr{Op: OpField, Type: e.Path[n-1].Type, Path: e.Path[:n], Args: e.Args}
}

// reached adds that no struct on the way to the field e is null.
func (f *fact) reached(e *Expr) *fact {
	for i, step := range e.Path[:len(e.Path)-1] {
		if step.Type.Nullable {
			f = f.notNull(e.prefix(i + 1))
		}
	}
	return f
}

func (k known) check(c *Check) known {
	if c.Op == CheckOneOf {
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for _, v := range c.Values {
			if v.Kind != Int {
				return k
			}
			lo, hi = min(lo, v.Int), max(hi, v.Int)
		}
		return k.bound(OpGreaterEqual, lo).bound(OpLessEqual, hi)
	}
	if c.Value.Kind != Int {
		return k
	}
	switch c.Op {
	case CheckLess:
		return k.bound(OpLess, c.Value.Int)
	case CheckLessEqual:
		return k.bound(OpLessEqual, c.Value.Int)
	case CheckGreater:
		return k.bound(OpGreater, c.Value.Int)
	case CheckGreaterEqual:
		return k.bound(OpGreaterEqual, c.Value.Int)
	case CheckNotEqual:
		return k.bound(OpNotEqual, c.Value.Int)
	}
	return k
}

// bound narrows an int that stands in relation op to v.
func (k known) bound(op Op, v int64) known {
	switch op {
	case OpEqual:
		k.lo, k.hi = max(k.lo, v), min(k.hi, v)
	case OpNotEqual:
		k.notZero = k.notZero || v == 0
	case OpLess:
		if v > math.MinInt64 {
			k.hi = min(k.hi, v-1)
		}
	case OpLessEqual:
		k.hi = min(k.hi, v)
	case OpGreater:
		if v < math.MaxInt64 {
			k.lo = max(k.lo, v+1)
		}
	case OpGreaterEqual:
		k.lo = max(k.lo, v)
	}
	return k
}

// resolveLogic flattens a && (b && c), and orders the operands: again and again the first that cannot fail after the ones before it, then the rest. An operand
// that stands twice, or changes nothing, is left out; one that decides is all that remains.
func resolveLogic(e *Expr, f *fact) *Expr {
	rest := flatten(nil, e, e.Op)
	e.Args = e.Args[:0:0]
	for {
		next := -1
		for i := range rest {
			rest[i] = term(rest[i], f)
			if rest[i].Total() {
				next = i
				break
			}
		}
		if next < 0 {
			break
		}
		a := rest[next]
		rest = append(rest[:next:next], rest[next+1:]...)
		if a.Op == OpConst {
			if a.Value.Bool != (e.Op == OpAnd) {
				return truth(e, a.Value.Bool)
			}
			continue
		}
		f = assume(f, a, e.Op == OpAnd)
		e.Args = append(e.Args, a)
	}
	e.Args = append(e.Args, rest...)
	switch len(e.Args) {
	case 0:
		return truth(e, e.Op == OpAnd)
	case 1:
		return e.Args[0]
	}
	return e
}

func flatten(dst []*Expr, e *Expr, op Op) []*Expr {
	for _, a := range e.Args {
		switch {
		case a.Op == op:
			dst = flatten(dst, a, op)
		case !slices.ContainsFunc(dst, func(b *Expr) bool { return Same(a, b) }):
			dst = append(dst, a)
		}
	}
	return dst
}

func term(e *Expr, f *fact) *Expr {
	holder := Expr{Args: []*Expr{e}}
	holder.require(0, f)
	return holder.Args[0]
}

// assume adds to f what is known once e was evaluated without a fault and gave truth.
func assume(f *fact, e *Expr, truth bool) *fact {
	switch e.Op {
	case OpNot:
		return assume(f, e.Args[0], !truth)
	case OpAnd, OpOr:
		if truth == (e.Op == OpAnd) {
			for _, a := range e.Args {
				f = assume(f, a, truth)
			}
		}
		return f
	case OpCond:
		return f
	case OpHas:
		if truth {
			return f.reached(e.Args[0]).notNull(e.Args[0])
		}
		return f
	case OpEqual, OpNotEqual:
		return assumeEqual(used(f, e), e.Args[0], e.Args[1], truth == (e.Op == OpEqual))
	case OpLess, OpLessEqual, OpGreater, OpGreaterEqual:
		f = used(f, e)
		op := e.Op
		if !truth {
			op = opposite(op)
		}
		f = assumeOrder(f, bare(e.Args[0]), op, bare(e.Args[1]))
		return assumeOrder(f, bare(e.Args[1]), mirror(op), bare(e.Args[0]))
	}
	return used(f, e)
}

func assumeEqual(f *fact, a, b *Expr, equal bool) *fact {
	for _, x := range [2][2]*Expr{{a, b}, {b, a}} {
		value, other := x[0], x[1]
		switch {
		case other.Op == OpConst && other.Value.Kind == Null:
			if !equal {
				f = f.notNull(value)
			}
		case equal && !other.Type.Nullable:
			f = assumeOrder(f.notNull(value), value, OpEqual, other)
		case !equal && !value.Type.Nullable:
			f = assumeOrder(f, value, OpNotEqual, other)
		}
	}
	return f
}

func assumeOrder(f *fact, a *Expr, op Op, b *Expr) *fact {
	if b.Op != OpConst || b.Value.Kind != Int {
		return f
	}
	k := anything.bound(op, b.Value.Int)
	return f.within(a, k.lo, k.hi, k.notZero)
}

func bare(e *Expr) *Expr {
	if e.Op == OpRequire {
		return e.Args[0]
	}
	return e
}

func opposite(op Op) Op {
	return map[Op]Op{OpLess: OpGreaterEqual, OpLessEqual: OpGreater, OpGreater: OpLessEqual, OpGreaterEqual: OpLess}[op]
}

func mirror(op Op) Op {
	return map[Op]Op{OpLess: OpGreater, OpLessEqual: OpGreaterEqual, OpGreater: OpLess, OpGreaterEqual: OpLessEqual}[op]
}

// used adds that what a strict operation has used without a fault is not null.
func used(f *fact, e *Expr) *fact {
	switch e.Op {
	case OpAnd, OpOr, OpCond, OpHas:
		return f
	case OpExists, OpAll, OpExistsOne, OpFilter, OpMap: // its list may be empty
		return used(f, e.Args[0])
	case OpField:
		f = f.reached(e)
	case OpRequire:
		f = f.notNull(e.Args[0])
	}
	for _, a := range e.Args {
		f = used(f, a)
	}
	return f
}
