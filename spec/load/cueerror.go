package load

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/schema"
)

var (
	noReference = regexp.MustCompile(`^reference "([^"]*)" not found$`)
	noField     = regexp.MustCompile(`^undefined field: (#?\w+)$`)
	noPackage   = regexp.MustCompile(`cannot find (?:package|module providing package) "?([^" :]+)`)
	mixed       = regexp.MustCompile(`^cannot combine regular field ("[^"]*") with `)
	unused      = regexp.MustCompile(`^imported and not used: "([^"]*)"`)
	compared    = regexp.MustCompile(`^invalid operand .* \('(>=|<=|>|<|!=|==|=~|!~|&&|\|\|)' requires concrete value\)$`)
	badImport   = regexp.MustCompile(`^(?:relative import paths not allowed|builtin package .* undefined$|invalid import path)`)
	twice       = regexp.MustCompile(`^(\S+) redeclared as imported package name$`)
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
		text, hint := l.teach(e)
		if last := len(l.found) - 1; last >= 0 && l.found[last].Text == text && l.found[last].Pos.File == at.File && l.found[last].Pos.Line == at.Line {
			continue // the other operand
		}
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
func (l *loader) teach(e errors.Error) (better, hint string) {
	switch text := message(e); {
	case noReference.MatchString(text):
		name := noReference.FindStringSubmatch(text)[1]
		switch {
		case name == "spec":
			return text, fmt.Sprintf("write `import %q` behind the package clause", schema.Path)
		case l.selected(e, name) && (standard[name] || standardNamed[name] != ""):
			pkg := name
			if !standard[name] {
				pkg = standardNamed[name]
			}
			return fmt.Sprintf("the package %s is not imported", name), fmt.Sprintf("write `import %q` behind the package clause", pkg)
		case typeHints[strings.ToLower(name)] != "":
			return "CUE has no type " + name, typeHints[strings.ToLower(name)]
		case slices.Contains(l.defs, "#"+name):
			return text, fmt.Sprintf("did you mean #%s? the name of a definition has the # wherever it stands", name)
		case isExpression(e.Path()):
			return text, "an expression stands in quotes: CUE does not evaluate it"
		case strings.HasPrefix(name, "#"):
			return text, diag.Hint(diag.Near(name, l.defs), "a definition is written as "+name+": {…} in a file of the package")
		}
		return text, fmt.Sprintf("a name without quotes is a reference of CUE; a text is written %q", name)
	case noField.MatchString(text):
		name := noField.FindStringSubmatch(text)[1]
		if of := strings.ToLower(strings.TrimPrefix(name, "#")); typeHints[of] != "" || strings.Contains(of, "time") || strings.HasPrefix(of, "unix") {
			hint := diag.Near(name, schemaNames())
			if hint == "" {
				hint = typeHints[of]
			}
			if hint == "" {
				hint = timesHint
			}
			return "the schema has no type spec." + name, hint
		}
		return text, diag.Near(name, schemaNames())
	case strings.HasPrefix(text, "optional marker"):
		return "? stands behind a name, not behind a type", "write `field?: string` for a field that may be missing, or `field!: string | null` for one that may be null"
	case strings.Contains(text, "as type bool in ||"), strings.Contains(text, "as type bool in &&"):
		return "|| and && are of bools", "alternatives are written with one |: \"a\" | \"b\"; several constraints with one &"
	case compared.MatchString(text):
		if op := compared.FindStringSubmatch(text)[1]; op != "&&" && op != "||" {
			return fmt.Sprintf("%s compares a type with something", op), "a constraint stands behind the type, with & between: int & >=0"
		}
		return "&& and || go between true and false", "several constraints have one & between: >=0 & <100; alternatives one |: \"a\" | \"b\""
	case badImport.MatchString(text):
		path, _, _ := strings.Cut(text, " in /")
		return path, fmt.Sprintf("the schema is `import %q`, in double quotes", schema.Path)
	case twice.MatchString(text):
		return fmt.Sprintf("%s is imported twice", twice.FindStringSubmatch(text)[1]), "once is enough"
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
	default:
		return text, ""
	}
}

// isExpression says whether a path leads to a word that takes a CEL expression.
func isExpression(path []string) bool {
	n := len(path)
	return n > 1 && path[n-1] == "filter" || n > 2 && slices.Contains([]string{"select", "set", "route", "aggregate"}, path[n-2])
}

// selected says whether a dot stands behind a name at the place of an error.
func (l *loader) selected(e errors.Error, name string) bool {
	at := e.Position()
	if !at.IsValid() {
		return false
	}
	data, _ := l.places.file(at.Filename())
	return bytes.HasPrefix(data[min(max(at.Offset(), 0), len(data)):], []byte(name+"."))
}

// timesHint lists the types of times.
const timesHint = "times are spec.#Timestamp (RFC 3339), spec.#UnixSeconds, spec.#UnixMillis, spec.#UnixMicros and spec.#UnixNanos"

// typeHints say what to write for types of other languages, by their names in small letters.
var typeHints = func() map[string]string {
	hints := map[string]string{
		"datetime": timesHint, "date": timesHint + "; a date without a time is a string", "time": timesHint, "timestamp": timesHint, "timestamptz": timesHint, "instant": timesHint, "epoch": timesHint, "unixtime": timesHint,
		"money": "write spec.#Decimal @scale(2)", "decimal": "write spec.#Decimal @scale(2)", "numeric": "write spec.#Decimal @scale(2), or number", "currency": "write spec.#Decimal @scale(2)",
		"array": "a list is written [...string]", "list": "a list is written [...string]", "object": "a struct is written {name!: string}", "struct": "a struct is written {name!: string}", "record": "a struct is written {name!: string}",
		"map": "list the fields of the struct: {name!: string}", "any": "write its type: string, bool, int, number, a time such as spec.#Timestamp, a list or a struct", "enum": "alternatives are written \"a\" | \"b\"",
		"nil": "write null", "none": "write null", "undefined": "a field that may be missing is written field?: string", "optional": "a field that may be missing is written field?: string", "blob": "write bytes", "binary": "write bytes", "bytea": "write bytes",
		"duration": "write string, and duration(x) in expressions; or an int of milliseconds",
	}
	for name, of := range map[string][]string{
		"string": {"str", "string", "varchar", "text", "char", "uuid", "guid", "nvarchar"},
		"int":    {"int", "integer", "long", "short", "bigint", "smallint", "tinyint", "byte", "uint"},
		"number": {"number", "double", "real", "float"},
		"bool":   {"bool", "boolean"},
	} {
		for _, other := range of {
			hints[other] = "write " + name
		}
	}
	return hints
}()

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
