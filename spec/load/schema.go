package load

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
)

// Definition is one definition of the schema, as its text has it: a struct of words, or a type of values.
type Definition struct {
	Name     string   // "#Dedup"
	Doc      string   // its comment on one line, without the examples
	Examples []string // in CUE: values of it, or words of a struct with their values
	Type     string   // what its values are, in CUE; "" for a struct of words
	Words    []Word   // in the order of the schema; none for a type of values
}

// Word is one word of a definition.
type Word struct {
	Name     string
	Doc      string
	Examples []string // `horizon: "10m"`
	Required bool
	Type     string // its values, in CUE
	Of       string // the definition that Type refers to; "" when it refers to none
	Named    bool   // its value is a group: names that the user gives, each with a value of Of
}

// Schema is the schema of the language as data for its reference, in the order of the file names.
func Schema() []Definition {
	var all []Definition
	names, files := schemaFiles()
	for _, name := range names {
		f, err := parser.ParseFile(name, files[name], parser.ParseComments)
		if err != nil {
			panic("spec/load: the embedded schema: " + err.Error())
		}
		for _, d := range f.Decls {
			if field, ok := d.(*ast.Field); ok {
				all = append(all, defined(field))
			}
		}
	}
	return all
}

// defined reads one definition.
func defined(field *ast.Field) Definition {
	name, _, _ := ast.LabelName(field.Label)
	d := Definition{Name: name}
	d.Doc, d.Examples = commentOf(field)
	body, ok := field.Value.(*ast.StructLit)
	if _, named := group(field.Value); !ok || named {
		d.Type = typeText(field.Value)
		return d
	}
	for _, e := range body.Elts {
		f, ok := e.(*ast.Field)
		if !ok {
			continue
		}
		w := Word{Required: f.Constraint == token.NOT, Type: typeText(f.Value), Of: refersTo(f.Value)}
		w.Name, _, _ = ast.LabelName(f.Label)
		w.Doc, w.Examples = commentOf(f)
		_, w.Named = group(f.Value)
		d.Words = append(d.Words, w)
	}
	return d
}

// group says whether an expression is [string]: T, and gives T.
func group(e ast.Expr) (of ast.Expr, ok bool) {
	s, isStruct := e.(*ast.StructLit)
	if !isStruct || len(s.Elts) != 1 {
		return nil, false
	}
	f, isField := s.Elts[0].(*ast.Field)
	if !isField {
		return nil, false
	}
	if _, isPattern := f.Label.(*ast.ListLit); !isPattern {
		return nil, false
	}
	return f.Value, true
}

// refersTo is the first definition that an expression names.
func refersTo(e ast.Expr) (name string) {
	ast.Walk(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" && strings.HasPrefix(id.Name, "#") {
			name = id.Name
		}
		return true
	}, nil)
	return name
}

// typeText is an expression without its error("…"), which is only for messages.
func typeText(e ast.Expr) string {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.OR {
		if _, isCall := b.Y.(*ast.CallExpr); isCall {
			return typeText(b.X)
		}
		return typeText(b.X) + " | " + typeText(b.Y)
	}
	if of, ok := group(e); ok {
		return "{[string]: " + typeText(of) + "}"
	}
	text, err := format.Node(e)
	if err != nil {
		panic("spec/load: the embedded schema: " + err.Error())
	}
	return string(text)
}

// commentOf is the comment above a field: its text on one line, and the examples behind it, which stand in back quotes.
func commentOf(field *ast.Field) (doc string, examples []string) {
	var lines []string
	for _, group := range ast.Comments(field) {
		if group.Doc {
			lines = append(lines, strings.Fields(group.Text())...)
		}
	}
	doc, behind, _ := strings.Cut(strings.Join(lines, " "), "Example: ")
	for i, part := range strings.Split(behind, "`") {
		if i%2 == 1 {
			examples = append(examples, part)
		}
	}
	return strings.TrimSpace(doc), slices.Clip(examples)
}
