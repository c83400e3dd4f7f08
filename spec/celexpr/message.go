package celexpr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	celast "cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// explain turns the errors of cel-go's checker into problems, in the order of the text.
func (t *translator) explain(issues *cel.Issues) []Problem {
	nodes := make(map[int64]celast.Expr)
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(e celast.Expr) { nodes[e.ID()] = e }))
	problems, said := t.hyphens(nodes)
	for _, err := range issues.Errors() {
		e, ok := nodes[err.ExprID]
		if said[err.ExprID] {
			continue
		}
		if t.inMacro(err.ExprID) || ok && t.isNamespace(e) {
			continue // names that a loop over a list would bring, and math of a function that is not there
		}
		if !ok {
			problems = append(problems, Problem{Offset: lineOffset(t.text, err.Location), Code: CodeType, Text: err.Message})
			continue
		}
		p := t.explainOne(e, err.Message)
		p.Offset = t.start(e)
		problems = append(problems, p)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	return problems
}

// hyphens finds differences such as user-id that are the name of a field, and says which nodes are parts of them.
func (t *translator) hyphens(nodes map[int64]celast.Expr) (problems []Problem, said map[int64]bool) {
	said = map[int64]bool{}
	names := fieldNames(t.visible())
	for _, e := range nodes {
		if e.Kind() != celast.CallKind || e.AsCall().FunctionName() != operators.Subtract {
			continue
		}
		a, b := e.AsCall().Args()[0], e.AsCall().Args()[1]
		left, right := strings.TrimPrefix(t.source(a), eventName+"."), t.source(b)
		if name := left + "-" + right; slices.Contains(names, name) && !(slices.Contains(names, left) && slices.Contains(names, right)) {
			problems = append(problems, Problem{t.start(a), CodeName, name + " is a difference", "the field of that name is " + eventName + ".`" + name + "`"})
			said[e.ID()], said[a.ID()], said[b.ID()] = true, true, true
		}
	}
	return problems, said
}

// inMacro says whether a node is an operand of a macro that was not taken for one, because it has too few operands.
func (t *translator) inMacro(id int64) bool {
	found := false
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if x.Kind() != celast.CallKind || !slices.Contains(macros, x.AsCall().FunctionName()) && foreignMacros[x.AsCall().FunctionName()] == "" {
			return
		}
		for _, operand := range x.AsCall().Args() {
			celast.PreOrderVisit(operand, celast.NewExprVisitor(func(y celast.Expr) { found = found || y.ID() == id }))
		}
	}))
	return found
}

func (t *translator) explainOne(e celast.Expr, message string) Problem {
	if name, args, ok := overload(message); ok {
		return t.mismatch(e, name, args)
	}
	switch {
	case strings.HasPrefix(message, "undeclared reference to"):
		if e.Kind() == celast.CallKind {
			c := e.AsCall()
			if name := c.FunctionName(); c.IsMemberFunction() && t.isNamespace(c.Target()) {
				if instead := map[string]string{"max": "greatest", "min": "least"}[name]; instead != "" {
					return Problem{Code: CodeName, Text: "there is no function math." + name + "()", Hint: "write math." + instead + "()"}
				}
				return t.unknownFunction("math." + name)
			}
			return t.unknownFunction(c.FunctionName())
		}
		return t.unknownName(e)
	case strings.HasPrefix(message, "undefined field"):
		name := e.AsSelect().FieldName()
		fields := t.visible()
		if of := t.structOf(e.AsSelect().Operand()); of != nil {
			fields = of.Fields
		}
		return Problem{Code: CodeName, Text: fmt.Sprintf("there is no field %q", name), Hint: diag.Near(name, fieldNames(fields))}
	case strings.Contains(message, "does not support field selection"):
		return Problem{Code: CodeType, Text: fmt.Sprintf("%s has no fields: no .%s", t.describe(e.AsSelect().Operand()), e.AsSelect().FieldName())}
	case strings.HasPrefix(message, "invalid duration argument"):
		return Problem{Code: CodeConstant, Text: t.describe(e) + " is not a duration", Hint: "write a number with a unit, such as '90s', '10m' or '1h30m'"}
	case strings.HasPrefix(message, "invalid timestamp argument"):
		return Problem{Code: CodeConstant, Text: t.describe(e) + " is not a time", Hint: instant(t.describe(e))}
	case strings.HasPrefix(message, "invalid matches argument"):
		return Problem{Code: CodeConstant, Text: t.describe(e) + " is not a regular expression", Hint: "the syntax is RE2's"}
	case strings.Contains(message, "cannot be range of a comprehension"):
		return Problem{Code: CodeType, Text: fmt.Sprintf("%s is %s, and a loop goes over a list", t.describe(e), article(strings.Split(message, "'")[1]))}
	case strings.HasPrefix(message, "expected type"):
		return t.unexpected(e, strings.Split(message, "'"))
	}
	return Problem{Code: CodeType, Text: message}
}

// unexpected explains an operand of && or ||, or an element of a list, of another type; parts has the expected type as 1 and the found one as 3.
func (t *translator) unexpected(e celast.Expr, parts []string) Problem {
	if len(parts) < 5 {
		return Problem{Code: CodeType, Text: strings.Join(parts, "'")}
	}
	if p, ok := t.loopMismatch(e, "", []string{"", parts[3]}); ok && parts[1] == "bool" {
		return p
	}
	if name, ok := t.extreme(e); ok {
		return Problem{Code: CodeType, Text: fmt.Sprintf("%s() takes numbers of one type, not %s and %s", name, article(parts[1]), article(parts[3])), Hint: "convert with double() or int()"}
	}
	if parts[1] == "bool" && !t.among(e, func(x celast.Expr) bool { return x.Kind() == celast.ListKind }) {
		return Problem{Code: CodeType, Text: fmt.Sprintf("&& and || go between bools, and %s is %s", t.describe(e), article(parts[3])), Hint: "compare it, such as x != 0 or x != ''"}
	}
	return Problem{Code: CodeType, Text: fmt.Sprintf("the elements of a list must have one type, not %s and %s", parts[1], parts[3])}
}

func (t *translator) unknownFunction(name string) Problem {
	if _, ok := aggregateFuncs[name]; ok {
		return Problem{Code: CodeAggregate, Text: name + "() is an aggregate function: here is only one row", Hint: "use it in window.aggregate"}
	}
	if instead := foreignMacros[name]; instead != "" {
		return Problem{Code: CodeName, Text: "there is no function " + name + "()", Hint: "write " + macroExample[instead]}
	}
	if slices.Contains(macros, name) {
		return Problem{Code: CodeType, Text: name + "() is called on a list, with a name for its element and what is asked of it", Hint: "write " + macroExample[name]}
	}
	if hint := functionHints[strings.ToLower(name)]; hint != "" && !aggregateNames[strings.ToLower(name)] {
		return Problem{Code: CodeName, Text: "there is no function " + name + "()", Hint: hint}
	}
	if of := aggregateNames[strings.ToLower(name)]; of {
		hint := functionHints[strings.ToLower(name)]
		if t.group == nil {
			hint = diag.Hint(hint, "aggregate functions stand in window.aggregate")
		}
		return Problem{Code: CodeName, Text: "there is no function " + name + "()", Hint: hint}
	}
	switch name {
	case "type", "dyn":
		return Problem{Code: CodeUnsupported, Text: name + "() is not offered: every type is known before the program runs"}
	case "uint":
		return Problem{Code: CodeUnsupported, Text: "uint is not offered: no field has that type", Hint: "use int()"}
	case "abs", "ceil", "floor", "round", "sign", "sqrt", "trunc", "greatest", "least", "isNaN", "isInf", "isFinite":
		return Problem{Code: CodeName, Text: "there is no function " + name + "()", Hint: "write math." + name + "()"}
	case "now":
		return Problem{Code: CodeUnsupported, Text: "now() is not offered: a result would not be the same when it is made again", Hint: "use the event time"}
	}
	known := []string{"has"}
	for f := range usages {
		known = append(known, f)
	}
	if t.group != nil {
		for f := range aggregateFuncs {
			known = append(known, f)
		}
	}
	slices.Sort(known)
	return Problem{Code: CodeName, Text: "there is no function " + name + "()", Hint: diag.Near(name, known)}
}

func (t *translator) unknownName(e celast.Expr) Problem {
	name := t.describe(e)
	if e.Kind() == celast.IdentKind {
		name = e.AsIdent()
	}
	if e.Kind() == celast.StructKind {
		return Problem{Code: CodeUnsupported, Text: "a message cannot be made here"}
	}
	p := Problem{Code: CodeName, Text: fmt.Sprintf("there is no field %q", name)}
	names := fieldNames(t.visible())
	switch {
	case slices.Contains(names, name):
		p.Hint = "write " + eventName + "." + name + ": CEL has another meaning for the bare name"
	case name == "nil" || name == "None" || name == "NULL":
		p.Hint = "write null"
	case name == "True" || name == "TRUE" || name == "False" || name == "FALSE":
		p.Hint = "write " + strings.ToLower(name)
	default:
		p.Hint = diag.Near(name, names)
		if p.Hint == "" && t.compared(e) {
			p.Hint = "text needs quotes: '" + name + "'"
		}
		if p.Hint == "" {
			p.Hint = t.misused(e, name, names)
		}
	}
	return p
}

// misused is a hint for the name of a function without its parentheses, and for one in front of a field: `order.status`.
func (t *translator) misused(e celast.Expr, name string, fields []string) (hint string) {
	if _, is := aggregateFuncs[name]; is && t.group != nil {
		return "write " + name + "()"
	}
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if x.Kind() == celast.SelectKind && x.AsSelect().Operand().ID() == e.ID() && slices.Contains(fields, x.AsSelect().FieldName()) {
			hint = fmt.Sprintf("a field of the row stands alone: write %[1]s, or %[2]s.%[1]s", x.AsSelect().FieldName(), eventName)
		}
	}))
	return hint
}

// compared says whether e is an operand of == or !=, or an element of a list.
func (t *translator) compared(e celast.Expr) bool {
	return t.among(e, func(x celast.Expr) bool {
		return x.Kind() == celast.ListKind || x.Kind() == celast.CallKind && (x.AsCall().FunctionName() == operators.Equals || x.AsCall().FunctionName() == operators.NotEquals)
	})
}

// among says whether e is a direct operand or element of an expression that parent accepts.
func (t *translator) among(e celast.Expr, parent func(celast.Expr) bool) bool {
	found := false
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(x celast.Expr) {
		if !parent(x) {
			return
		}
		operands := []celast.Expr{}
		switch x.Kind() {
		case celast.CallKind:
			operands = x.AsCall().Args()
		case celast.ListKind:
			operands = x.AsList().Elements()
		}
		for _, o := range operands {
			found = found || o.ID() == e.ID()
		}
	}))
	return found
}

// side names operand i of two.
func (t *translator) side(i int, e celast.Expr) string {
	if s := t.describe(e); s != unnamed {
		return s
	}
	return [2]string{"the left side", "the right side"}[i]
}

const unnamed = "the expression"

// describe names an operand for a message.
func (t *translator) describe(e celast.Expr) string {
	if s := t.source(e); s != "" {
		return s
	}
	if e.Kind() == celast.CallKind && !isOperator(e.AsCall().FunctionName()) {
		return e.AsCall().FunctionName() + "(…)"
	}
	return unnamed
}

// structOf is the struct that an operand is, as far as that is a field, the element of a loop over one, or list[i]; else nil.
func (t *translator) structOf(e celast.Expr) *spec.Struct {
	if e.Kind() == celast.IdentKind {
		if loops := t.loops(e.AsIdent()); len(loops) > 0 {
			return t.elementOf(loops[0].IterRange())
		}
	}
	if e.Kind() == celast.CallKind && e.AsCall().FunctionName() == operators.Index {
		return t.elementOf(e.AsCall().Args()[0])
	}
	if path, ok := t.quietPath(e); ok && len(path) > 0 {
		return path[len(path)-1].Type.Struct
	}
	return nil
}

// elementOf is the struct that an element of a field is.
func (t *translator) elementOf(list celast.Expr) *spec.Struct {
	if path, ok := t.quietPath(list); ok && len(path) > 0 && path[len(path)-1].Type.Kind == spec.List {
		return path[len(path)-1].Type.Elem.Struct
	}
	return nil
}

// loops are those whose element has that name.
func (t *translator) loops(name string) []celast.ComprehensionExpr {
	var all []celast.ComprehensionExpr
	celast.PreOrderVisit(t.parsed.Expr(), celast.NewExprVisitor(func(e celast.Expr) {
		if e.Kind() == celast.ComprehensionKind && e.AsComprehension().IterVar() == name {
			all = append(all, e.AsComprehension())
		}
	}))
	return all
}

// quietPath is path without complaints.
func (t *translator) quietPath(e celast.Expr) ([]*spec.Field, bool) {
	before := len(t.problems)
	path, ok := t.path(e)
	t.problems = t.problems[:before]
	return path, ok
}

func fieldNames(fields []*spec.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func article(kind string) string {
	if kind == "bytes" {
		return kind
	}
	if kind == "int" {
		return "an int"
	}
	if strings.HasPrefix(kind, "object") {
		return "a struct"
	}
	return "a " + kind
}

func joined(kinds []string) string {
	all := make([]string, len(kinds))
	for i, k := range kinds {
		all[i] = article(k)
	}
	if len(all) == 0 {
		return "no operands"
	}
	return strings.Join(all, " and ")
}

func kindName(t *spec.Type) string {
	if t.Kind == spec.Object {
		return "a struct"
	}
	if t.Elem.Kind == spec.Object || t.Elem.Kind == spec.List {
		return "a list of " + map[spec.Kind]string{spec.List: "lists", spec.Object: "structs"}[t.Elem.Kind]
	}
	return "a list"
}

// kindsOf are the types of operands, as messages name them.
func kindsOf(all []*spec.Expr) []string {
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = map[spec.Kind]string{spec.Int: "int", spec.Double: "double", spec.String: "string", spec.Bool: "bool", spec.List: "list", spec.Decimal: "decimal", spec.Timestamp: "timestamp",
			spec.Duration: "duration", spec.Bytes: "bytes"}[a.Type.Kind]
	}
	return names
}
