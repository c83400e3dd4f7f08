package draw

import "fmt"

// one is a field of a kind, that is not a list or struct; "" when there is none.
func (d *drawer) one(in *shape, of kind) string {
	if list := d.fieldsOf(in, of); len(list) > 0 {
		return pick(d.Rand, list...).in()
	}
	return ""
}

func (d *drawer) fieldsOf(in *shape, of kind) []*field {
	var list []*field
	for _, f := range in.fields {
		if f.kind == of {
			list = append(list, f)
		}
	}
	return list
}

// value is a field of a kind as an expression: where it may be null sometimes with what stands for it then. inner fields of structs are fields too.
func (d *drawer) value(in *shape, of kind, instead string) string {
	list := d.fieldsOf(in, of)
	for _, o := range d.fieldsOf(in, object) {
		for _, f := range o.inner {
			if f.kind == of && !o.nullable {
				list = append(list, &field{path: o.in() + "." + f.name, kind: of, nullable: f.nullable})
			} else if f.kind == of && d.chance(50) {
				return "(has(event." + quoted(o.name) + ") && " + o.in() + ".y != null ? " + o.in() + "." + f.name + " : " + instead + ")"
			}
		}
	}
	if len(list) == 0 || d.chance(10) {
		return instead
	}
	f := pick(d.Rand, list...)
	if f.nullable && d.chance(60) {
		return fmt.Sprintf("(%s == null ? %s : %s)", f.in(), instead, f.in())
	}
	return f.in()
}

// quoted is a name behind a point.
func quoted(name string) string {
	if bare.MatchString(name) {
		return name
	}
	return "`" + name + "`"
}

// expr draws an expression of a kind, of so many levels.
func (d *drawer) expr(in *shape, of kind, depth int) string {
	if depth > 0 {
		depth--
		switch of {
		case whole:
			return d.wholeExpr(in, depth)
		case double:
			return d.doubleExpr(in, depth)
		case text:
			return d.textExpr(in, depth)
		case boolean:
			return d.boolExpr(in, depth)
		}
	}
	switch of {
	case whole:
		return d.value(in, whole, pick(d.Rand, "1", "3", "-2", "10"))
	case double:
		return d.value(in, double, pick(d.Rand, "0.5", "2.0", "-1.25"))
	case text:
		return d.value(in, text, pick(d.Rand, "'a'", "'b'", "'xyz'"))
	}
	return d.compared(in)
}

func (d *drawer) wholeExpr(in *shape, depth int) string {
	a, b := d.expr(in, whole, depth), d.expr(in, whole, depth)
	switch d.IntN(10) {
	case 0, 1:
		return "(" + a + " + " + b + ")"
	case 2:
		return "(" + a + " - " + b + ")"
	case 3:
		return "(" + a + " * " + b + ")"
	case 4:
		return "(" + a + pick(d.Rand, " / ", " % ") + "(" + b + " + 1))"
	case 5:
		return "size(" + d.expr(in, text, depth) + ")"
	case 6:
		return "(" + d.expr(in, boolean, depth) + " ? " + a + " : " + b + ")"
	case 7:
		if list := d.one(in, wholes); list != "" {
			return pick(d.Rand, "size("+list+")", list+"[0]", "math.greatest("+list+" + [1])", "size("+list+".filter(x, x > 1))")
		}
		return "int(" + d.expr(in, double, depth) + ")"
	case 9:
		return "{'a': 1, 'b': " + a + "}[" + d.expr(in, text, depth) + "]"
	case 8:
		if at := d.one(in, moment); at != "" {
			return at + pick(d.Rand, ".getSeconds()", ".getHours('+05:30')", ".getDayOfWeek()", ".getFullYear()")
		}
	}
	return a
}

func (d *drawer) doubleExpr(in *shape, depth int) string {
	a, b := d.expr(in, double, depth), d.expr(in, double, depth)
	switch d.IntN(8) {
	case 0:
		return "(" + a + " + " + b + ")"
	case 1:
		return "(" + a + " * " + b + ")"
	case 2:
		return "(" + a + " / " + b + ")"
	case 3:
		return "double(" + d.expr(in, whole, depth) + ")"
	case 4:
		if f := d.one(in, decimal); f != "" {
			return "double(" + f + ")"
		}
	case 5:
		return "math.floor(" + a + ")"
	}
	return a
}

func (d *drawer) textExpr(in *shape, depth int) string {
	a := d.expr(in, text, depth)
	switch d.IntN(8) {
	case 0:
		return "(" + a + " + " + d.expr(in, text, depth) + ")"
	case 1:
		return a + ".upperAscii()"
	case 2:
		return a + ".substring(1)"
	case 3:
		return "string(" + d.expr(in, whole, depth) + ")"
	case 4:
		if list := d.one(in, texts); list != "" {
			return list + pick(d.Rand, ".join('-')", "[0]")
		}
	case 5:
		return "(" + d.expr(in, boolean, depth) + " ? " + a + " : 'no')"
	}
	return a
}

func (d *drawer) boolExpr(in *shape, depth int) string {
	a, b := d.expr(in, boolean, depth), d.expr(in, boolean, depth)
	switch d.IntN(8) {
	case 0, 1:
		return "(" + a + " && " + b + ")"
	case 2, 3:
		return "(" + a + " || " + b + ")"
	case 4:
		return "!(" + a + ")"
	}
	return d.compared(in)
}

// compared is a comparison with a field.
func (d *drawer) compared(in *shape) string {
	f := pick(d.Rand, in.fields...)
	name := f.in()
	switch list := f.kind == wholes || f.kind == texts || f.kind == objects || f.kind == other; {
	case !f.nullable || d.chance(75):
	case list:
		return pick(d.Rand, "has(event."+quoted(f.name)+")", "!has(event."+quoted(f.name)+")")
	default:
		return pick(d.Rand, name+" == null", name+" != null", "has(event."+quoted(f.name)+")")
	}
	order := pick(d.Rand, " < ", " <= ", " > ", " >= ", " == ", " != ")
	switch f.kind {
	case whole:
		return name + order + pick(d.Rand, "1", "2", "(3 - 1)", d.value(in, whole, "7")+" * 2")
	case double:
		return name + order + pick(d.Rand, "0.5", "1.25", "3.0")
	case text:
		return pick(d.Rand, name+order+"'b'", name+" in ['a', 'c']", name+".startsWith('a')", name+".contains('b')", "size("+name+") > 1", name+".matches('^[a-f]')")
	case boolean:
		return name
	case decimal:
		return name + order + "decimal('1')"
	case moment:
		return name + order + "timestamp('2024-01-01T00:00:10Z')"
	case octets:
		return "size(" + name + ") > 0"
	case wholes:
		return pick(d.Rand, "1 in "+name, name+".exists(x, x > 2)", name+".all(x, 6 / x > 1)", "size("+name+") > 1")
	case texts:
		return pick(d.Rand, "'a' in "+name, name+".exists_one(x, x < 'c')")
	}
	if f.kind == other {
		return "size(" + name + ") > 1"
	}
	if f.kind == objects {
		return pick(d.Rand, name+".exists(l, l.x > 1)", "size("+name+".filter(l, l.y == null)) > 0", name+".map(l, l.x)[0] > 0", name+".all(l, l.y != 'q')")
	}
	return pick(d.Rand, name+".x > 1", name+".y == null || "+name+".y != 'q'")
}
