package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// ranks declares what a piece keeps that keeps rows in order.
func ranks(s *plan.Stage, p *plan.Piece) string {
	fields := []string{"Most: " + number(p.Top.N)}
	if by := byName(p); by != "" {
		fields = append(fields, "By: aggregate."+by)
	}
	if n := p.Top.Words(); n > 0 {
		fields = append(fields, fmt.Sprintf("Words: %d", n))
	}
	texts := ""
	flags := 0
	if p.Top.Row != nil {
		flags = p.Top.Row.Element().FlagWords()
	}
	for i, t := range rowTypes(p) {
		if t.Kind.Text() {
			texts = strings.Repeat("0", flags+i-len(texts)) + texts // lower bits stand behind
			texts = "1" + texts
		}
	}
	if texts != "" {
		fields = append(fields, "Texts: 0b"+texts)
	}
	return fmt.Sprintf("%s\nvar %s = aggregate.Ranks{%s}\n", doc(fmt.Sprintf("%s says what %s keeps for %s.", p.Top.Var, s.Spec.Name, p.Name)), p.Top.Var, strings.Join(fields, ", "))
}

// rowTypes are the types of the words of a row that stand behind its flags.
func rowTypes(p *plan.Piece) []*spec.Type {
	switch {
	case p.Top.Row != nil:
		var types []*spec.Type
		for _, v := range p.Top.Row.Element().Values {
			types = append(types, v.Type)
		}
		return types
	case p.Top.Earliest:
		return []*spec.Type{p.Arg.Expr.Type}
	}
	return nil
}

// byName is the constant of package aggregate for what the rows are ranked by; "" of collect.
func byName(p *plan.Piece) string {
	if p.Top.Earliest {
		return ""
	}
	switch p.Arg.Expr.Type.Kind {
	case spec.Double:
		return "Floats"
	case spec.Bool:
		return "Bools"
	case spec.String, spec.Bytes:
		return "Texts"
	}
	return "Ints"
}

// asDouble is a number as the nearest double.
func asDouble(t *spec.Type, value string) string {
	switch {
	case t.Kind == spec.Double:
		return value
	case t.Kind == spec.Decimal && t.Scale > 0:
		return fmt.Sprintf("float64(%s)/1e%d", value, t.Scale)
	}
	return fmt.Sprintf("float64(%s)", value)
}

// foldRanked puts a row among the first when it is one of them.
func foldRanked(p *plan.Piece, value string, scope *exprScope) string {
	insert := fmt.Sprintf("Insert(&s.blobs, &%s, %s, at)", p.Top.Var, orderedWord(p.Arg.Expr.Type, value))
	switch {
	case p.Top.Earliest:
		insert = fmt.Sprintf("Insert(&s.blobs, &%s, 0, at)", p.Top.Var)
	case byName(p) == "Texts":
		insert = fmt.Sprintf("InsertText(&s.blobs, &%s, %s, at)", p.Top.Var, value)
	case byName(p) == "Bools":
		insert = fmt.Sprintf("Insert(&s.blobs, &%s, table.Word(%s), at)", p.Top.Var, value)
	}
	call := "a." + p.Name + "." + insert
	if p.Top.Words() == 0 {
		return call
	}
	var set []string
	word := func(i int, t *spec.Type, v string) string {
		if t.Kind.Text() {
			return fmt.Sprintf("row[%d] = aggregate.CellOf(&s.blobs, %s)", i, v)
		}
		return fmt.Sprintf("row[%d] = %s", i, fieldWord(t, v))
	}
	if p.Top.Earliest {
		set = append(set, word(0, p.Arg.Expr.Type, value))
	}
	if p.Top.Row != nil {
		e := p.Top.Row.Element()
		var bits []string
		for i, f := range p.Top.Fields {
			v, has := "s.args[i]."+f.Name, "s.args[i]."+f.Has
			if !f.Partial {
				before, x, h := scope.value(f.Expr)
				set = append(set, block(before))
				v, has = render(x), ""
				if h != nil {
					has = render(h)
				}
			}
			if f.Has != "" {
				bit := fmt.Sprintf("table.Word(%s)", has)
				if len(bits) > 0 {
					bit += fmt.Sprintf("<<%d", len(bits))
				}
				bits = append(bits, bit)
			}
			set = append(set, word(e.FlagWords()+i, f.Expr.Type, v))
		}
		if len(bits) > 0 {
			set = append([]string{"row[0] = " + strings.Join(bits, " | ")}, set...)
		}
	}
	return fmt.Sprintf("if row := %s; row != nil {\n%s\n}", call, lines(set...))
}

// rankedValue is the value of top and collect: a list.
func rankedValue(c plan.Call) (value, has jen.Code) {
	p := c.Value
	if c.Spec.Type.Nullable {
		has = jen.Parens(jen.Op(fmt.Sprintf("a.%s.Len(&%s) > 0", p.Name, p.Top.Var)))
	}
	return jen.Op(fmt.Sprintf("a.%s.List(in, &s.blobs, &%s)", p.Name, p.Top.Var)), has
}
