// Package cases has the expressions that the translation from CEL to Go is held against cel-go with, and the row that they are over.
package cases

import "github.com/streamwright/streamwright/spec"

// Row is the row of the expressions. Go has it as expr.Row: each name with its first letter in upper case, beside nullable ones a HasName. Decimals have scale 2.
var Row = row()

func row() *spec.Struct {
	field := func(name string, kind spec.Kind) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: kind}}
	}
	nullable := func(f *spec.Field) *spec.Field {
		f.Type.Nullable = true
		return f
	}
	list := func(name string, elem spec.Kind) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: elem}}}
	}
	object := func(name string, of *spec.Struct) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.Object, Struct: of}}
	}
	geo := &spec.Struct{Name: "Row.place.geo", Fields: []*spec.Field{field("lat", spec.Double), nullable(field("alt", spec.Double))}}
	place := &spec.Struct{Name: "Row.place", Fields: []*spec.Field{field("city", spec.String), nullable(field("zip", spec.String)), nullable(object("geo", geo))}}
	decimal := func(name string) *spec.Field {
		f := field(name, spec.Decimal)
		f.Type.Scale = 2
		return f
	}
	objects := func(name string, of *spec.Struct) *spec.Field {
		return &spec.Field{Name: name, Type: &spec.Type{Kind: spec.List, Elem: &spec.Type{Kind: spec.Object, Struct: of}}}
	}
	maker := &spec.Struct{Name: "Row.items.maker", Fields: []*spec.Field{field("land", spec.String)}}
	item := &spec.Struct{Name: "Row.items", Fields: []*spec.Field{
		field("sku", spec.String), field("price", spec.Double), field("qty", spec.Int), nullable(field("hint", spec.String)), list("sizes", spec.Int), nullable(object("maker", maker)),
	}}
	amount := field("amount", spec.Int)
	amount.Checks = []*spec.Check{{Op: spec.CheckGreaterEqual, Value: spec.Value{Kind: spec.Int}, Text: ">=0"}}
	return &spec.Struct{Name: "Row", Fields: []*spec.Field{
		field("v", spec.Int), field("w", spec.Int), amount, nullable(field("n", spec.Int)),
		field("d", spec.Double), field("x", spec.Double), nullable(field("r", spec.Double)),
		field("s", spec.String), field("u", spec.String), nullable(field("note", spec.String)),
		field("b", spec.Bool), field("c", spec.Bool), nullable(field("flag", spec.Bool)),
		field("t", spec.Timestamp), field("z", spec.Timestamp), nullable(field("seen", spec.Timestamp)),
		list("tags", spec.String), list("nums", spec.Int), list("marks", spec.Double), list("bits", spec.Bool), nullable(list("more", spec.Int)),
		object("home", place), nullable(object("work", place)),
		field("y", spec.Bytes), nullable(field("raw", spec.Bytes)), decimal("m"), decimal("k"), nullable(decimal("fee")),
		list("times", spec.Timestamp), list("blobs", spec.Bytes), objects("items", item),
	}}
}
