package celexpr

import (
	"strconv"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"

	"github.com/streamwright/streamwright/spec"
)

// eventName is the variable that has the whole row.
const eventName = "event"

// typeNames are declared by CEL itself; a field of such a name goes before the type (fieldsBeforeTypes).
var typeNames = map[string]bool{
	"bool": true, "bytes": true, "double": true, "int": true, "list": true, "map": true, "null_type": true, "string": true, "type": true, "uint": true, "google": true,
}

// reserved are words that CEL's grammar keeps, from its specification.
var reserved = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "else": true, "false": true, "for": true, "function": true, "if": true, "import": true, "in": true,
	"let": true, "loop": true, "package": true, "namespace": true, "null": true, "return": true, "true": true, "var": true, "void": true, "while": true,
}

func (t *translator) environment() (*cel.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	t.names = make(map[*spec.Struct]string)
	t.structs = make(map[string]*spec.Struct)
	t.typeName(t.row)
	base, err := library()
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{
		cel.CustomTypeProvider(&provider{registry, t}),
		cel.Variable(eventName, cel.ObjectType(t.typeName(t.row))),
	}
	for _, f := range t.visible() {
		if bareName(f.Name) {
			options = append(options, cel.Variable(f.Name, t.celType(f.Type)))
		}
	}
	if t.group != nil {
		options = append(options, aggregates()...)
	}
	return base.Extend(options...)
}

// decimalType is the type of decimals. Their scale is no part of it: the translator compares scales.
var decimalType = cel.OpaqueType("decimal")

// library is the environment without the row.
var library = sync.OnceValues(func() (*cel.Env, error) {
	plus := func(operator, name string) cel.EnvOption {
		return cel.Function(operator, cel.Overload(name+"_decimal", []*cel.Type{decimalType, decimalType}, decimalType))
	}
	compared := func(operator, name string) cel.EnvOption {
		return cel.Function(operator, cel.Overload(name+"_decimal", []*cel.Type{decimalType, decimalType}, cel.BoolType))
	}
	return cel.NewCustomEnv(
		cel.StdLib(cel.StdLibSubset(&env.LibrarySubset{
			IncludeMacros:    append([]string{"has", "existsOne"}, macros...),
			ExcludeFunctions: []*env.Function{{Name: "type"}, {Name: "dyn"}, {Name: "uint"}},
		})),
		ext.Strings(ext.StringsVersion(3)),
		ext.Math(ext.MathVersion(2)),
		cel.Function("decimal", cel.Overload("decimal_string", []*cel.Type{cel.StringType}, decimalType)),
		cel.Function("double", cel.Overload("double_decimal", []*cel.Type{decimalType}, cel.DoubleType)),
		cel.Function("string", cel.Overload("string_decimal", []*cel.Type{decimalType}, cel.StringType)),
		cel.Function(operators.Negate, cel.Overload("negate_decimal", []*cel.Type{decimalType}, decimalType)),
		plus(operators.Add, "add"), plus(operators.Subtract, "subtract"),
		compared(operators.Less, "less"), compared(operators.LessEquals, "less_equals"), compared(operators.Greater, "greater"), compared(operators.GreaterEquals, "greater_equals"),
		cel.HomogeneousAggregateLiterals(),
		cel.ASTValidators(cel.ValidateRegexLiterals(), cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals()),
		cel.EnableIdentifierEscapeSyntax(),
	)
})

// visible are the fields of the row and, in an aggregate, those of the group that the row has not.
func (t *translator) visible() []*spec.Field {
	all := t.row.Fields
	if t.group == nil {
		return all
	}
	all = all[:len(all):len(all)]
	for _, f := range t.group.Fields {
		if find(t.row, f.Name) == nil {
			all = append(all, f)
		}
	}
	return all
}

func bareName(name string) bool {
	if name == "" || name == eventName || typeNames[name] || reserved[name] {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

func find(s *spec.Struct, name string) *spec.Field {
	for _, f := range s.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// typeName names a struct in the environment, each another way.
func (t *translator) typeName(s *spec.Struct) string {
	name, ok := t.names[s]
	if !ok {
		name = "object" + strconv.Itoa(len(t.names))
		t.names[s] = name
		t.structs[name] = s
	}
	return name
}

// provider adds the structs of the row to cel-go's types.
type provider struct {
	types.Provider
	t *translator
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if _, ok := p.t.structs[name]; ok {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	s, ok := p.t.structs[name]
	if !ok {
		return p.Provider.FindStructFieldType(name, field)
	}
	f := find(s, field)
	if f == nil && s == p.t.row && p.t.group != nil {
		f = find(p.t.group, field)
	}
	if f == nil {
		return nil, false
	}
	return &types.FieldType{Type: p.t.celType(f.Type)}, true
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	s, ok := p.t.structs[name]
	if !ok {
		return p.Provider.FindStructFieldNames(name)
	}
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name
	}
	return names, true
}
