package load

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/streamwright/streamwright/spec/diag"
)

// pipelines reads the top of the spec.
func (l *loader) pipelines(user cue.Value) {
	schema := l.schema.LookupPath(cue.MakePath(cue.Str("pipeline").Optional()))
	all, err := user.Fields(cue.All())
	if err != nil {
		l.cueErrors(err, diag.Evaluation)
		return
	}
	for all.Next() {
		sel := all.Selector()
		if sel.LabelType() != cue.StringLabel {
			continue // definitions and hidden fields are the user's own
		}
		name := sel.Unquoted()
		n := l.node(name, join("", name), all.Value(), l.Pos)
		if name != "pipeline" {
			l.add(diag.UnknownWord, n.NamePos, n.Path, fmt.Sprintf("the language has no word %q here", name),
				diag.Hint(diag.Near(name, []string{"pipeline"}), "a spec has pipelines, and definitions (#Order) or hidden fields (_bound) for what they share"))
			continue
		}
		if l.fill(n, all.Value(), schema) {
			l.Pipelines = n.Fields
		}
	}
	if len(l.found) == 0 && len(l.Pipelines) == 0 {
		l.add(diag.NoPipeline, l.Pos, "", "the spec has no pipeline", "write `pipeline: NAME: spec.#Pipeline & {…}`")
	}
}

// fill reads a value as what the schema says for it, and reports where it differs. It says whether the node can be used.
func (l *loader) fill(n *Node, v, schema cue.Value) bool {
	if l.declaredTwice(n.Path) {
		return false
	}
	if isEvent(schema) {
		n.Kind, n.Type = Event, l.typeOf(v, n.Pos)
		return true
	}
	want := schema.IncompleteKind()
	kind := v.IncompleteKind()
	if err := v.Err(); err != nil && kind == cue.BottomKind {
		l.cueErrors(err, diag.Evaluation)
		return false
	}
	if kind&cue.StructKind == 0 {
		if d, ok := v.Default(); ok {
			v, kind = d, d.IncompleteKind()
		}
		if !v.IsConcrete() && kind&want != 0 {
			l.add(diag.NotConcrete, n.Pos, n.Path, fmt.Sprintf("%s is a type, not a value", l.written(v)), wanted(schema))
			return false
		}
	}
	if kind&want == 0 || kind&(kind-1) != 0 {
		hint := wanted(schema)
		if want&(cue.StructKind|cue.ListKind) != 0 {
			hint = diag.Hint(hint, example(schema))
		}
		is := kindText(kind)
		switch kind {
		case cue.BoolKind:
			is = "a bool"
		case cue.NullKind:
			is = "no value of this language"
		}
		l.add(diag.WrongType, n.Pos, n.Path, fmt.Sprintf("%s is %s", l.written(v), is), hint)
		return false
	}
	switch kind {
	case cue.StructKind:
		n.Kind = Struct
		return l.fillStruct(n, v, schema)
	case cue.ListKind:
		n.Kind = List
		return l.fillList(n, v)
	case cue.StringKind:
		n.Kind = String
		n.Text, _ = v.String()
		n.at = l.inside(v, n)
		if choices := choicesOf(schema); len(choices) > 0 && !slices.Contains(choices, n.Text) {
			l.add(diag.UnknownChoice, n.Pos, n.Path, fmt.Sprintf("%q is not offered here", n.Text), choiceHint(n.Text, choices))
			return false
		}
	case cue.BoolKind:
		n.Kind = Bool
		n.True, _ = v.Bool()
	case cue.IntKind, cue.FloatKind:
		n.Kind = Float
		n.Number, _ = v.Float64() // of numbers too large it is an infinity, which no word takes
		if kind == cue.IntKind {
			n.Kind = Int
			var err error
			if n.Int, err = v.Int64(); err != nil {
				l.add(diag.NumberRange, n.Pos, n.Path, fmt.Sprintf("%s is too large", l.written(v)), "numbers have 64 bits")
				return false
			}
		}
	}
	return true
}

// fillStruct reads the words of a struct, or the named nodes of a group.
func (l *loader) fillStruct(n *Node, v, schema cue.Value) bool {
	words, required, docsOf := wordsOf(schema)
	named := schema.LookupPath(cue.MakePath(cue.AnyString))
	fields, err := v.Fields(cue.All())
	if err != nil {
		l.cueErrors(err, diag.Evaluation)
		return false
	}
	if l.unnamed(n, v, named) {
		return false
	}
	good := true
	meant := map[string]bool{} // words that a misspelt one seems to be: they are not reported as missing
	for fields.Next() {
		sel, value := fields.Selector(), fields.Value()
		if sel.LabelType() != cue.StringLabel {
			name := sel.String()
			child := l.node(name, n.Path+"."+name, value, n.NamePos)
			plain := strings.TrimLeft(name, "_#")
			hint := "CUE ignores fields that begin with _ or #; move it out of the pipeline, or use `let`"
			if slices.Contains(words, plain) {
				meant[plain] = true
				hint = fmt.Sprintf("CUE ignores fields that begin with _ or #; did you mean %q?", plain)
			}
			l.add(diag.HiddenField, child.NamePos, child.Path, fmt.Sprintf("%s has no effect here", name), hint)
			good = false
			continue
		}
		name := sel.Unquoted()
		child := l.node(name, join(n.Path, name), value, n.NamePos)
		of := named
		if !named.Exists() {
			if !slices.Contains(words, name) {
				text, hint, word := unknownWord(name, words)
				meant[word] = true
				l.add(diag.UnknownWord, child.NamePos, child.Path, text, hint)
				good = false
				continue
			}
			of = schema.LookupPath(cue.MakePath(cue.Str(name).Optional()))
		}
		if sel.ConstraintType() != 0 {
			mark := map[cue.SelectorType]string{cue.OptionalConstraint: "?", cue.RequiredConstraint: "!"}[sel.ConstraintType()]
			l.add(diag.OptionalWord, child.NamePos, child.Path, fmt.Sprintf("%s%s says that a word may or must be there, and gives it no value", name, mark), fmt.Sprintf("write `%s:`", name))
			meant[name] = true
			good = false
			continue
		}
		if l.fill(child, value, of) {
			n.Fields = append(n.Fields, child)
		} else {
			good = false
		}
	}
	for _, name := range required {
		if !meant[name] && !v.LookupPath(cue.MakePath(cue.Str(name))).Exists() {
			l.add(diag.MissingWord, n.NamePos, n.Path, fmt.Sprintf("the word %q is missing", name), explain(docsOf[name]))
			good = false
		}
	}
	return good
}

// unnamed reports a group of nodes that holds the words of one, without a name between: `source: {file: …, format: …}`.
func (l *loader) unnamed(n *Node, v, node cue.Value) bool {
	if !node.Exists() {
		return false
	}
	words, required, _ := wordsOf(node)
	fields, err := v.Fields()
	count, needed := 0, false
	for err == nil && fields.Next() {
		name := fields.Selector().Unquoted()
		if !slices.Contains(words, name) {
			return false
		}
		count++
		needed = needed || slices.Contains(required, name)
	}
	if count < 2 || !needed {
		return false
	}
	l.add(diag.BadName, n.NamePos, n.Path, fmt.Sprintf("the %s has no name", n.Name), fmt.Sprintf("write one between: `%s: NAME: {…}`", n.Name))
	return true
}

// example is the example of a word, for a hint; empty when the schema has none.
func example(schema cue.Value) string {
	for _, doc := range append(schema.Doc(), cue.Dereference(schema).Doc()...) {
		if _, text, ok := strings.Cut(strings.Join(strings.Fields(doc.Text()), " "), "Example: "); ok {
			return "for example " + text
		}
	}
	return ""
}

// fillList reads a list. All lists of the language are of texts.
func (l *loader) fillList(n *Node, v cue.Value) bool {
	items, err := v.List()
	if err != nil {
		l.cueErrors(err, diag.Evaluation)
		return false
	}
	good := true
	for i := 0; items.Next(); i++ {
		item := items.Value()
		child := l.node("", fmt.Sprintf("%s[%d]", n.Path, i), item, n.Pos)
		text, err := item.String()
		if err != nil {
			l.add(diag.WrongType, child.Pos, child.Path, fmt.Sprintf("%s is %s", l.written(item), kindText(item.IncompleteKind())), "want a text in quotes")
			good = false
			continue
		}
		child.Kind, child.Text = String, text
		child.at = l.inside(item, child)
		n.List = append(n.List, child)
	}
	return good
}

// inside gives the places inside the text of a node.
func (l *loader) inside(v cue.Value, n *Node) func(int) diag.Pos {
	lit, _ := l.syntax(v).(*ast.BasicLit)
	return l.places.inside(lit, n.Text, n.Pos)
}

// written is a value as the user wrote it, cut to a readable length.
func (l *loader) written(v cue.Value) string {
	text := l.places.text(l.syntax(v))
	if text == "" {
		text = fmt.Sprint(v)
	}
	return cut(text)
}

// cut shortens a text of the user to what fits into a message.
func cut(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}

// wordsOf lists the words of a struct of the schema, the required ones among them, and what the schema says about each.
func wordsOf(schema cue.Value) (words, required []string, about map[string]string) {
	about = map[string]string{}
	fields, err := schema.Fields(cue.Optional(true))
	if err != nil {
		return nil, nil, nil // not a struct of words
	}
	for fields.Next() {
		sel := fields.Selector()
		name := sel.Unquoted()
		words = append(words, name)
		if sel.ConstraintType() == cue.RequiredConstraint {
			required = append(required, name)
		}
		if doc := fields.Value().Doc(); len(doc) > 0 {
			about[name] = doc[0].Text()
		}
	}
	return words, required, about
}

// explain makes a hint from the schema's comment on a word: its first sentence and its example.
func explain(about string) string {
	about = strings.Join(strings.Fields(about), " ")
	text, example, _ := strings.Cut(about, "Example: ")
	text, _, _ = strings.Cut(text, ". ")
	text = strings.TrimSpace(text)
	if text != "" {
		text = strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], ".")
	}
	if example != "" {
		example = "for example " + example
	}
	return diag.Hint(text, example)
}

// offered lists the words of a struct for a hint.
func offered(words []string) string {
	if len(words) == 0 {
		return "there are no words here"
	}
	return "words here: " + strings.Join(words, ", ")
}

// isEvent says that the schema's value is the one that takes a type: {...}, the only struct whose fields may be anything.
func isEvent(schema cue.Value) bool {
	return schema.IncompleteKind() == cue.StructKind && schema.LookupPath(cue.MakePath(cue.AnyString)).IncompleteKind() == cue.TopKind
}

// choicesOf lists the texts of a word that takes one of some; empty when it takes others too.
func choicesOf(schema cue.Value) []string {
	var choices []string
	for _, a := range arms(schema) {
		text, err := a.String()
		if err != nil {
			return nil
		}
		choices = append(choices, text)
	}
	return choices
}

// choiceHint says which texts a word takes.
func choiceHint(text string, choices []string) string {
	if len(choices) == 1 {
		return "want " + diag.Words(choices)
	}
	return diag.Hint(diag.Near(text, choices), "want "+diag.Words(choices))
}

// wanted says which value a word takes: what its error("…") says, its choices, or its kind.
func wanted(schema cue.Value) string {
	if choices := choicesOf(schema); len(choices) > 0 {
		return "want " + diag.Words(choices)
	}
	for _, a := range arms(schema) {
		if op, args := a.Expr(); op == cue.CallOp && len(args) == 2 {
			if text, err := args[1].String(); err == nil {
				return text
			}
		}
	}
	words, _, _ := wordsOf(schema)
	switch len(words) {
	case 0:
	case 1:
		return "want a struct with the word " + words[0]
	default:
		return "want a struct with the words " + strings.Join(words, ", ")
	}
	return "want " + kindText(schema.IncompleteKind())
}

// arms gives the arms of a disjunction, with references followed.
func arms(v cue.Value) []cue.Value {
	op, args := v.Expr()
	switch op {
	case cue.OrOp:
		var all []cue.Value
		for _, a := range args {
			all = append(all, arms(a)...)
		}
		return all
	case cue.SelectorOp:
		if to := cue.Dereference(v); to != v {
			return arms(to)
		}
	}
	return []cue.Value{v}
}

// kindText names a kind of CUE as the language does.
func kindText(k cue.Kind) string {
	switch k {
	case cue.StructKind:
		return "a struct {…}"
	case cue.ListKind:
		return "a list […]"
	case cue.StringKind:
		return "a text"
	case cue.IntKind:
		return "a whole number"
	case cue.FloatKind, cue.NumberKind:
		return "a number"
	case cue.BoolKind:
		return "true or false"
	case cue.NullKind:
		return "null"
	case cue.BytesKind:
		return "bytes in single quotes"
	}
	return "of no single type"
}
