package load

import (
	"fmt"
	"regexp"
	"strings"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/schema"
)

var (
	noReference = regexp.MustCompile(`^reference "([^"]*)" not found$`)
	noField     = regexp.MustCompile(`^undefined field: (#\w+)$`)
	noPackage   = regexp.MustCompile(`cannot find (?:package|module providing package) "?([^" :]+)`)
	mixed       = regexp.MustCompile(`^cannot combine regular field ("[^"]*") with `)
	unused      = regexp.MustCompile(`^imported and not used: "([^"]*)"`)
)

// cueErrors reports the errors of CUE, one for each place. CUE's texts are kept where they are good; the ones that every user meets get a hint.
func (l *loader) cueErrors(err error, code string) {
	seen := map[diag.Pos]bool{}
	list := errors.Errors(err)
	for i, e := range list {
		text := message(e)
		path := strings.Join(e.Path(), ".")
		if l.declaredTwice(path) {
			continue
		}
		at, others := l.errorPlaces(e)
		if seen[at] && at.Line > 0 || i > 0 && (l.atEnd(at) || text == noSpec && message(list[0]) == noSpec) {
			continue // a consequence of what was reported
		}
		seen[at] = true
		text, hint := l.teach(text)
		if len(others) > 0 && strings.HasPrefix(text, "conflicting values") {
			hint = diag.Hint(hint, fmt.Sprintf("the other is at %v", others[0]))
		}
		l.add(code, at, path, text, hint)
	}
}

// noSpec is CUE's text where the schema is not imported.
const noSpec = `reference "spec" not found`

// message is the text of an error of CUE: one line, without place and path.
func message(e errors.Error) string {
	format, args := e.Msg()
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if inner := errors.Unwrap(e); inner != nil && (text == "" || text == "import failed") {
		text = inner.Error()
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// atEnd says that a place is the end of its file, where the parser gives up.
func (l *loader) atEnd(at diag.Pos) bool {
	lines := strings.Split(strings.TrimRight(string(l.places.named(at.File)), "\n"), "\n")
	return at.Line > len(lines)
}

// teach adds to a text of CUE what would be right.
func (l *loader) teach(text string) (better, hint string) {
	switch {
	case noReference.MatchString(text):
		name := noReference.FindStringSubmatch(text)[1]
		switch {
		case name == "spec":
			return text, fmt.Sprintf("write `import %q` behind the package clause", schema.Path)
		case strings.HasPrefix(name, "#"):
			return text, diag.Hint(diag.Near(name, l.defs), "a definition is written as "+name+": {…} in a file of the package")
		}
		return text, fmt.Sprintf("a name without quotes is a reference of CUE; a text is written %q", name)
	case noField.MatchString(text):
		name := noField.FindStringSubmatch(text)[1]
		return text, diag.Near(name, schemaNames())
	case noPackage.MatchString(text):
		return fmt.Sprintf("the package %q is not found", noPackage.FindStringSubmatch(text)[1]),
			fmt.Sprintf("the schema is %q; other packages lie in the module or under cue.mod/pkg, registries are not asked", schema.Path)
	case mixed.MatchString(text):
		return fmt.Sprintf("the field %s stands beside something that is not a field", mixed.FindStringSubmatch(text)[1]), "a field is `name: value`; is there a : too few or a { too many?"
	case strings.Contains(text, "errors in empty disjunction"):
		return "none of the alternatives fits", ""
	case unused.MatchString(text):
		return text, "remove the import, or use it"
	case text == "field not allowed":
		return "the definition that this belongs to does not have the field", "definitions are closed: declare the field in the definition itself"
	case strings.Contains(text, "structural cycle"):
		return "the value contains itself", ""
	}
	return text, ""
}

// schemaNames lists the definitions of the schema.
func schemaNames() []string {
	var names []string
	_, files := schemaFiles()
	for _, data := range files {
		for line := range strings.Lines(string(data)) {
			if name, _, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(name, "#") {
				names = append(names, name)
			}
		}
	}
	return names
}

// declaredTwice says that the path leads into a node of which it was said already that it is declared twice.
func (l *loader) declaredTwice(path string) bool {
	for node := range l.twice {
		if path == node || strings.HasPrefix(path, node+".") {
			return true
		}
	}
	return false
}

// errorPlaces gives the places of an error in the user's files: where to look first, and the others.
func (l *loader) errorPlaces(e errors.Error) (at diag.Pos, others []diag.Pos) {
	for _, p := range append([]token.Pos{e.Position()}, e.InputPositions()...) {
		pos := l.places.pos(p)
		switch {
		case pos.Line == 0:
		case at.Line == 0:
			at = pos
		case pos != at:
			others = append(others, pos)
		}
	}
	if at.Line == 0 && len(l.Files) > 0 {
		at = l.Pos
	}
	return at, others
}
