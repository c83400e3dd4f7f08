package expr

import (
	"math"
	"reflect"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"

	"github.com/streamwright/streamwright/golden/expr/cases"
	"github.com/streamwright/streamwright/spec"
)

// oracle evaluates expressions with cel-go, in an environment that is set up here on its own.
func oracle() (*cel.Env, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	options := []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(&env.LibrarySubset{ExcludeFunctions: []*env.Function{{Name: "type"}, {Name: "dyn"}}})),
		ext.Strings(ext.StringsVersion(3)), ext.Math(ext.MathVersion(2)),
		cel.HomogeneousAggregateLiterals(),
		cel.CustomTypeProvider(&provider{registry}),
		cel.Variable("event", cel.ObjectType(cases.Row.Name)),
	}
	options = append(options, decimals()...)
	for _, f := range cases.Row.Fields {
		options = append(options, cel.Variable(f.Name, celType(f.Type)))
	}
	return cel.NewCustomEnv(options...)
}

func celType(t *spec.Type) *cel.Type {
	plain := map[spec.Kind]*cel.Type{spec.Bool: cel.BoolType, spec.Int: cel.IntType, spec.Double: cel.DoubleType, spec.String: cel.StringType, spec.Bytes: cel.BytesType}[t.Kind]
	switch {
	case t.Kind == spec.Timestamp:
		return cel.TimestampType
	case t.Kind == spec.Decimal:
		return decimalType
	case t.Kind == spec.List:
		return cel.ListType(celType(t.Elem))
	case t.Kind == spec.Object:
		return cel.ObjectType(t.Struct.Name)
	case t.Nullable:
		return types.NewNullableType(plain)
	}
	return plain
}

type provider struct{ types.Provider }

var structs = register(map[string]*spec.Struct{}, cases.Row)

func register(all map[string]*spec.Struct, s *spec.Struct) map[string]*spec.Struct {
	all[s.Name] = s
	for _, f := range s.Fields {
		if f.Type.Struct != nil {
			register(all, f.Type.Struct)
		}
		if f.Type.Elem != nil && f.Type.Elem.Struct != nil {
			register(all, f.Type.Elem.Struct)
		}
	}
	return all
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if structs[name] != nil {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Provider.FindStructType(name)
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if structs[name] == nil {
		return p.Provider.FindStructFieldType(name, field)
	}
	for _, f := range structs[name].Fields {
		if f.Name == field {
			return &types.FieldType{Type: celType(f.Type)}, true
		}
	}
	return nil, false
}

// object is a struct with null where a field has no value. A field is set when it is not null.
type object struct {
	name   string
	fields map[string]ref.Val
}

// Get implements traits.Indexer.
func (o *object) Get(index ref.Val) ref.Val { return o.fields[string(index.(types.String))] }

// IsSet implements traits.FieldTester.
func (o *object) IsSet(field ref.Val) ref.Val {
	return types.Bool(o.fields[string(field.(types.String))] != types.NullValue)
}

// ConvertToNative implements ref.Val; nothing needs it.
func (o *object) ConvertToNative(reflect.Type) (any, error) { return nil, nil }

// ConvertToType implements ref.Val; nothing needs it.
func (o *object) ConvertToType(ref.Type) ref.Val { return types.NewErr("no conversion") }

// Equal implements ref.Val.
func (o *object) Equal(other ref.Val) ref.Val { return types.Bool(ref.Val(o) == other) }

// Type implements ref.Val.
func (o *object) Type() ref.Type { return types.NewObjectType(o.name) }

// Value implements ref.Val.
func (o *object) Value() any { return o }

// native is a value of cel-go as the Go code has it, a list as []any. outside says that it is a time outside int64 nanoseconds.
func native(v ref.Val) (value any, outside bool) {
	switch v := v.(type) {
	case types.Null:
		return nil, false
	case types.Bool:
		return bool(v), false
	case types.Int:
		return int64(v), false
	case types.Double:
		return float64(v), false
	case types.String:
		return string(v), false
	case types.Bytes:
		return string(v), false
	case decimal:
		return int64(v), false
	case traits.Lister:
		list := []any{}
		for i := range int64(v.Size().(types.Int)) {
			e, out := native(v.Get(types.Int(i)))
			list, outside = append(list, e), outside || out
		}
		return list, outside
	case types.Duration:
		return int64(v.Duration), false
	case types.Timestamp:
		return v.UnixNano(), v.Before(time.Unix(0, math.MinInt64)) || v.After(time.Unix(0, math.MaxInt64))
	}
	return v, false
}
