package emit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"sort"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/templates"
)

// skeleton is what one specialisation of a skeleton of package templates fills in. A skeleton is ordinary Go over the placeholders of its slots.go. Edits are
// made at positions of the syntax tree, so its comments and layout come through as they stand.
type skeleton struct {
	names map[string]string // placeholder identifier -> Go identifier or constant; words of comments too
	slots map[string]string // placeholder function -> Go text that replaces the call: an expression, or statements that may leave the loop
	flags map[string]bool   // constant -> which side of an if stays
	doc   []string          // the spec's comment, below that of the function stage
}

// Flags gives the flags of all stages of a package that are made from skeletons, by skeleton. A test demands every combination.
func Flags(p *plan.Package) map[string][]map[string]bool {
	used := map[string][]map[string]bool{}
	for _, l := range p.Pipelines {
		for _, s := range l.Stages {
			switch {
			case s.Dedup != nil:
				used["dedup"] = append(used["dedup"], dedupSkeleton(l, s).flags)
			case s.Window != nil && s.Window.Gap != "":
				used["session"] = append(used["session"], sessionSkeleton(l, s).flags)
			case s.Window != nil:
				used["window"] = append(used["window"], windowSkeleton(l, s).flags)
			case s.Running != nil:
				used["running"] = append(used["running"], runningSkeleton(l, s).flags)
			}
		}
	}
	return used
}

// specialise gives the declarations of the file templates/<name>/<part> with all placeholders filled in.
func (k skeleton) specialise(name, part string) (string, error) {
	src, err := templates.Skeletons.ReadFile(name + "/" + part)
	if err != nil {
		return "", err
	}
	slots, err := templates.Skeletons.ReadFile(name + "/slots.go")
	if err != nil {
		return "", err
	}
	placeholders, err := declared(slots)
	if err != nil {
		return "", err
	}
	return k.edit(string(src), placeholders)
}

// declared is the set of names that the top level of a file declares.
func declared(src []byte) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "slots.go", src, 0)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	return names, nil
}

// edit is a replacement of src[from:to].
type edit struct {
	from, to int
	text     string
}

func (k skeleton) edit(src string, placeholders map[string]bool) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "skeleton.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var edits []edit
	var missing []string
	replace := func(from, to token.Pos, text string) { edits = append(edits, edit{at(from), at(to), text}) }
	// the line ends of a dropped statement go with it
	drop := func(from, to token.Pos) {
		f, t := at(from), at(to)
		for f > 0 && (src[f-1] == ' ' || src[f-1] == '\t') {
			f--
		}
		for t < len(src) && src[t] != '\n' {
			t++ // a comment at the end of the line
		}
		if t < len(src) {
			t++
		}
		edits = append(edits, edit{f, t, ""})
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			value, ok := k.flag(n.Cond)
			if !ok || n.Init != nil {
				return true
			}
			body := n.Body
			if !value {
				block, isBlock := n.Else.(*ast.BlockStmt)
				if !isBlock {
					if n.Else != nil {
						missing = append(missing, "else if behind a flag")
					}
					drop(n.Pos(), n.End())
					return false
				}
				body = block
			}
			drop(n.Pos(), body.Lbrace+1)
			for _, s := range body.List {
				ast.Inspect(s, visit)
			}
			drop(body.Rbrace, n.End())
			return false
		case *ast.AssignStmt: // x := slot(…): the text of the slot declares x
			if call, ok := n.Rhs[0].(*ast.CallExpr); ok && n.Tok == token.DEFINE && len(n.Rhs) == 1 {
				if id, ok := call.Fun.(*ast.Ident); ok {
					if text, ok := k.slots[id.Name]; ok {
						if text == "" {
							drop(n.Pos(), n.End())
						} else {
							replace(n.Pos(), n.End(), text)
						}
						return false
					}
				}
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok {
				if text, ok := k.slots[id.Name]; ok {
					if text == "" {
						drop(n.Pos(), n.End())
					} else {
						replace(n.Pos(), n.End(), text)
					}
					return false
				}
			}
		case *ast.Field:
			if n.Tag == nil {
				return true
			}
			cond, err := parser.ParseExpr(reflect.StructTag(strings.Trim(n.Tag.Value, "`")).Get("if"))
			if err != nil {
				missing = append(missing, "condition of a field")
				return true
			}
			if value, known := k.flag(cond); known && !value {
				drop(n.Pos(), n.End())
				return false
			}
			replace(n.Tag.Pos(), n.Tag.End(), "")
		case *ast.Ident:
			if name, ok := k.names[n.Name]; ok {
				replace(n.Pos(), n.End(), name)
			} else if placeholders[n.Name] {
				missing = append(missing, n.Name)
			}
		}
		return true
	}
	var b strings.Builder
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, visit)
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if text := k.words(c.Text); text != c.Text {
				replace(c.Pos(), c.End(), text)
			}
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("placeholders without a value: %s", strings.Join(missing, ", "))
	}
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].from < edits[j].from })
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		from := at(decl.Pos())
		if doc := docOf(decl); doc != nil {
			from = at(doc.Pos())
		}
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == "stage" && len(k.doc) > 0 {
			b.WriteString(applied(src, from, at(decl.Pos()), edits) + "//\n" + doc(k.doc...) + "\n")
			from = at(decl.Pos())
		}
		b.WriteString(blankEnd.ReplaceAllString(applied(src, from, at(decl.End()), edits), "\n$1"))
		b.WriteString("\n\n")
	}
	return b.String(), nil
}

// blankEnd is a blank line before a closing brace, where the fields behind it were dropped.
var blankEnd = regexp.MustCompile(`\n\n(\t*})`)

// applied is src[from:to] with the edits inside it made; an edit inside a replaced range is lost with it.
func applied(src string, from, to int, edits []edit) string {
	var b strings.Builder
	done := from
	for _, e := range edits {
		if e.from < done || e.to > to {
			continue
		}
		b.WriteString(src[done:e.from])
		b.WriteString(e.text)
		done = e.to
	}
	b.WriteString(src[done:to])
	return b.String()
}

func docOf(decl ast.Decl) *ast.CommentGroup {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// flag evaluates a condition that is made of flags alone.
func (k skeleton) flag(cond ast.Expr) (value, ok bool) {
	switch c := cond.(type) {
	case *ast.Ident:
		value, ok = k.flags[c.Name]
		return value, ok
	case *ast.ParenExpr:
		return k.flag(c.X)
	case *ast.UnaryExpr:
		value, ok = k.flag(c.X)
		return !value, ok && c.Op == token.NOT
	case *ast.BinaryExpr:
		x, okX := k.flag(c.X)
		y, okY := k.flag(c.Y)
		switch {
		case !okX || !okY:
			return false, false
		case c.Op == token.LAND:
			return x && y, true
		case c.Op == token.LOR:
			return x || y, true
		}
	}
	return false, false
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// words replaces the placeholders in a comment.
func (k skeleton) words(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if name, ok := k.names[w]; ok {
			return name
		}
		return w
	})
}
