package load

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"

	"github.com/streamwright/streamwright/spec/diag"
)

// standard are the packages of CUE's standard library that have validators.
var standard = map[string]bool{"encoding/base64": true, "encoding/hex": true, "encoding/json": true, "encoding/yaml": true, "list": true, "math": true, "net": true, "regexp": true,
	"strings": true, "struct": true, "time": true, "uuid": true}

// standardNamed are those whose name in a file is the last part of their path.
var standardNamed = map[string]string{"base64": "encoding/base64", "hex": "encoding/hex", "json": "encoding/json", "yaml": "encoding/yaml"}

// function is the name of a function that is called, with its package: "strings.MinRunes", "close".
func function(v cue.Value) string {
	root, path := v.ReferencePath()
	if inst := root.BuildInstance(); root.Exists() && inst != nil && len(path.Selectors()) > 0 {
		return inst.ImportPath + "." + path.String()
	}
	return fmt.Sprint(v)
}

// lengths are the validators that bound a length.
var lengths = map[string]bool{"strings.MinRunes": true, "strings.MaxRunes": true, "list.MinItems": true, "list.MaxItems": true}

// call reads the call of a validator.
func (l *loader) call(t *Type, args []cue.Value) *Type {
	name := function(args[0])
	if lengths[name] && len(args) == 2 {
		if n, ok := constant(args[1]); ok && n.Number != nil {
			t.Op, t.Name, t.Value = Length, name, n
			return t
		}
		return t.other(diag.FieldBound, t.Text+" compares with something that is not a constant", "write the number: a record is judged by itself, field by field")
	}
	return t.validator(name)
}

// validator makes t what a validator of CUE stands for: a time, or what cannot be compiled.
func (t *Type) validator(name string) *Type {
	if name == "time.Time" {
		t.Op, t.Name = Time, "Timestamp"
		return t
	}
	hint := instead[name]
	pkg, _, _ := strings.Cut(name, ".")
	switch {
	case hint != "":
	case pkg == "strings" || pkg == "net" || pkg == "uuid" || pkg == "regexp" || strings.HasPrefix(pkg, "encoding/"):
		hint = "write a pattern (=~\"^…$\"), or a filter stage"
	case pkg == "list":
		hint = "lists have list.MinItems, list.MaxItems and constraints on their elements"
	case pkg == "struct":
		hint = "list the fields of the struct, each required, optional or with a default"
	default:
		hint = "constraints are comparisons (>=0), !=, =~, !~, choices (\"a\" | \"b\"), strings.MinRunes and MaxRunes, list.MinItems and MaxItems"
	}
	return t.other(diag.FieldBound, "the validator "+t.Text+" is not offered", hint)
}

// instead says what to write in the place of a validator that is not offered.
var instead = map[string]string{
	"list.UniqueItems":    "a list is taken with its repeats; leave it out",
	"math.MultipleOf":     "of amounts write spec.#Decimal @scale(2), of ints a filter such as `x % 5 == 0`",
	"matchIf":             "write one type; what depends on another field is for a filter stage",
	"matchN":              "write one type, for structs one with optional fields; what depends on another field is for a filter stage",
	"net.FQDN":            "write =~\"^[a-z0-9.-]+$\"",
	"net.IP":              "write =~\"^[0-9a-fA-F.:]+$\"",
	"net.IPv4":            "write =~\"^[0-9.]+$\"",
	"net.URL":             "write string",
	"net.AbsURL":          "write =~\"^https?://\"",
	"strings.Contains":    "write =~\"text\"",
	"strings.HasPrefix":   "write =~\"^text\"",
	"strings.HasSuffix":   "write =~\"text$\"",
	"time.Duration":       "write string, and duration(x) in expressions; or an int of milliseconds",
	"time.Format":         "write spec.#Timestamp for RFC 3339, a type such as spec.#UnixMillis for numbers, else string with a pattern",
	"time.FormatDuration": "write string, and duration(x) in expressions",
	"uuid.Valid":          "write =~\"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$\"",
}
