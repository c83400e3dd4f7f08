package check

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// scalarType is a compiled scalar with its constraints.
type scalarType struct {
	kind   *spec.Type
	time   spec.TimeFormat
	checks []*spec.Check
}

// timeFormats are the time types of the schema.
var timeFormats = map[string]spec.TimeFormat{"Timestamp": spec.RFC3339, "UnixSeconds": spec.UnixSeconds, "UnixMillis": spec.UnixMillis, "UnixMicros": spec.UnixMicros,
	"UnixNanos": spec.UnixNanos}

// scalar compiles the type of a scalar. scales are the contents of the @scale attributes beside it.
func scalar(t *load.Type, scales []string) (*scalarType, *refusal) {
	s := &scalarType{kind: &spec.Type{}}
	var names []string
	special(t, &names)
	switch {
	case len(names) > 1:
		return nil, &refusal{diag.FieldType, t.Pos, fmt.Sprintf("the type is both spec.#%s and spec.#%s", names[0], names[1]), "a value is written in one way"}
	case len(names) == 1 && names[0] == "Decimal":
		if len(scales) == 0 {
			return nil, &refusal{diag.FieldType, t.Pos, "nothing says how many digits the decimal has behind the point", "write @scale(2) behind the type: `amount!: spec.#Decimal @scale(2)`"}
		}
		var d *refusal
		s.kind.Kind = spec.Decimal
		if s.kind.Scale, d = scale(t, scales); d != nil {
			return nil, d
		}
	case len(scales) > 0:
		return nil, noDecimal(t)
	case len(names) == 1:
		s.kind.Kind, s.time = spec.Timestamp, timeFormats[names[0]]
	default:
		switch t.Kinds {
		case "string":
			s.kind.Kind = spec.String
		case "bool":
			s.kind.Kind = spec.Bool
		case "int":
			s.kind.Kind = spec.Int
		case "float", "number":
			s.kind.Kind = spec.Double
		case "bytes":
			s.kind.Kind = spec.Bytes
		default:
			return nil, noScalar(t)
		}
	}
	if d := s.constrain(t); d != nil {
		return nil, d
	}
	var once []*spec.Check // #A & #A says all twice
	for _, c := range s.checks {
		if !slices.ContainsFunc(once, func(o *spec.Check) bool { return reflect.DeepEqual(o, c) }) {
			once = append(once, c)
		}
	}
	s.checks = once
	return s, nil
}

// special collects the names of the different types of the schema in a type.
func special(t *load.Type, names *[]string) {
	name := ""
	switch t.Op {
	case load.Time:
		name = t.Name
	case load.Decimal:
		name = "Decimal"
	}
	if name != "" && !slices.Contains(*names, name) {
		*names = append(*names, name)
	}
	for _, a := range t.Args {
		special(a, names)
	}
}

// scales are the contents of the @scale attributes of a type, of its parts and of the elements of a list.
func scales(t *load.Type) []string {
	all := slices.Clone(t.Scales)
	for _, a := range t.Args {
		all = append(all, scales(a)...)
	}
	if t.Elem != nil && t.Elem.Op != load.StructType {
		all = append(all, scales(t.Elem)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// scale reads the @scale attribute of a decimal.
func scale(t *load.Type, scales []string) (int, *refusal) {
	if len(scales) > 1 {
		return 0, &refusal{diag.FieldType, t.Pos, fmt.Sprintf("the decimal has two scales, @scale(%s) and @scale(%s)", scales[0], scales[1]), "one field has one scale"}
	}
	n, err := strconv.Atoi(strings.TrimSpace(scales[0]))
	if err != nil || n < 0 || n > 18 {
		return 0, &refusal{diag.FieldType, t.Pos, fmt.Sprintf("@scale(%s) is no number of digits behind the point", scales[0]), "write 0 to 18, such as @scale(2)"}
	}
	return n, nil
}

// noDecimal is for a type with a scale that is no decimal.
func noDecimal(t *load.Type) *refusal {
	return &refusal{diag.FieldType, t.Pos, "@scale is for decimals, and " + t.Text + " is none", "write spec.#Decimal as the type, or leave @scale out"}
}

// noScalar says what to write instead of a type that is not offered.
func noScalar(t *load.Type) *refusal {
	d := &refusal{diag.FieldType, t.Pos, fmt.Sprintf("values of the type %s can be of several kinds", t.Text), "write one type; events that have either need two fields, or are converted before"}
	switch t.Kinds {
	case "_":
		d.text, d.hint = t.Text+" is any value", "write its type: string, bool, int, number, a time such as spec.#Timestamp, a list or a struct"
	case "_|_":
		d.text, d.hint = "only null can be "+t.Text, "write a type beside it: string | null"
	case "list":
		d.text, d.hint = "elements of a list cannot be lists", "put each inner list into a struct: [...{row!: [...int]}]"
	}
	return d
}

// constrain adds the constraints that a type has besides its kind.
func (s *scalarType) constrain(t *load.Type) *refusal {
	switch t.Op {
	case load.And:
		for _, a := range t.Args {
			if d := s.constrain(a); d != nil {
				return d
			}
		}
	case load.Or:
		return s.alternatives(t)
	case load.Constant:
		if t.Kinds != "_|_" { // null has its own place
			return s.oneOf(t, []*load.Type{t})
		}
	case load.Bound:
		return s.bound(t)
	case load.Length:
		if s.kind.Kind != spec.String {
			return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("%s counts characters, the field is %s", t.Text, kindName(s.kind)), "numbers and times are compared: >=0, >=\"2024-01-01T00:00:00Z\""}
		}
		check, d := length(t)
		s.checks = append(s.checks, check)
		return d
	}
	return nil
}

// length compiles a bound on the code points of a string or the elements of a list.
func length(t *load.Type) (*spec.Check, *refusal) {
	op := spec.CheckMinRunes
	if strings.Contains(t.Name, "Max") {
		op = spec.CheckMaxRunes
	}
	n := t.Value.Number
	if !n.IsInt() || n.Sign() < 0 || n.Cmp(big.NewRat(math.MaxInt32, 1)) > 0 {
		return nil, &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("%s is no length", t.Text), "a length is a whole number from 0 on, below 2 billion"}
	}
	return &spec.Check{Op: op, Value: spec.Value{Kind: spec.Int, Int: n.Num().Int64()}, Text: t.Text}, nil
}

// alternatives compiles a disjunction: null and one type, constants, or a type and constants that it has anyway.
func (s *scalarType) alternatives(t *load.Type) *refusal {
	arms := parts(t)
	if len(arms) == 1 {
		return s.constrain(arms[0])
	}
	var constants, types []*load.Type
	for _, a := range arms {
		switch {
		case a.Op == load.Constant:
			constants = append(constants, a)
		case a.Op == load.Time || a.Op == load.Decimal || a.Op == load.Basic && (a.Kinds == t.Kinds || a.Kinds == "number"):
			return nil // every value of the kind
		default:
			types = append(types, a)
		}
	}
	if len(types) == 0 {
		return s.oneOf(t, arms)
	}
	inner := scalarType{kind: s.kind, time: s.time}
	if d := inner.constrain(types[0]); d != nil {
		return d
	}
	within := len(types) == 1
	for _, a := range constants {
		v, why := value(a.Value, s.kind, s.time)
		within = within && why == "" && keeps(v, inner.checks)
	}
	if !within {
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the alternatives of %s have constraints of their own", t.Text),
			"alternatives are constants (\"a\" | \"b\"), or one type and null; a default must keep the constraints of the type"}
	}
	s.checks = append(s.checks, inner.checks...)
	return nil
}

// shownChoices is how many constants of a choice messages name.
const shownChoices = 12

// oneOf compiles a choice of constants.
func (s *scalarType) oneOf(t *load.Type, arms []*load.Type) *refusal {
	if s.kind.Kind == spec.Bool {
		if len(arms) == 2 {
			return nil // true | false
		}
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("a bool that is always %s is not offered", t.Text), "write bool"}
	}
	if s.kind.Kind == spec.Timestamp {
		return &refusal{diag.FieldBound, t.Pos, "a choice of times is not offered", "bounds are: >=\"2024-01-01T00:00:00Z\""}
	}
	check := &spec.Check{Op: spec.CheckOneOf}
	var texts []string
	for _, a := range arms {
		v, why := value(a.Value, s.kind, s.time)
		if why != "" {
			return &refusal{diag.FieldBound, a.Pos, fmt.Sprintf("%s is not a value of the field: %s", a.Text, why), ""}
		}
		if !slices.Contains(check.Values, v) { // 1 and 1.0 are one number
			check.Values = append(check.Values, v)
			texts = append(texts, a.Text)
		}
	}
	if len(texts) > shownChoices {
		texts = append(texts[:shownChoices-1], fmt.Sprintf("… (%d in all)", len(texts)))
	}
	check.Text = strings.Join(texts, " | ")
	s.checks = append(s.checks, check)
	return nil
}

// checkOps are the operators of CUE's bounds.
var checkOps = map[string]spec.CheckOp{"<": spec.CheckLess, "<=": spec.CheckLessEqual, ">": spec.CheckGreater, ">=": spec.CheckGreaterEqual, "!=": spec.CheckNotEqual,
	"=~": spec.CheckMatch, "!~": spec.CheckNotMatch}

// bound compiles a comparison or match with a constant.
func (s *scalarType) bound(t *load.Type) *refusal {
	op := checkOps[t.Name]
	match := op == spec.CheckMatch || op == spec.CheckNotMatch
	switch {
	case t.Value.IsNull():
		return nil // !=null: null is not among the values
	case match && s.kind.Kind != spec.String:
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("%s matches texts, the field is %s", t.Text, kindName(s.kind)), "patterns are for fields of type string; times are compared: >=\"2024-01-01T00:00:00Z\""}
	case match:
		if _, err := regexp.Compile(*t.Value.Text); err != nil {
			return &refusal{diag.FieldBound, t.Pos, err.Error(), "patterns are of RE2"}
		}
	case s.kind.Kind == spec.Bool:
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the constraint %s on a bool is not offered", t.Text), "write bool"}
	case s.kind.Kind == spec.Int || s.kind.Kind == spec.Decimal:
		check, d := unitBound(t, op, s.kind)
		if check != nil {
			s.checks = append(s.checks, check)
		}
		return d
	}
	v, why := value(t.Value, s.kind, s.time)
	if why != "" {
		return &refusal{diag.FieldBound, t.Pos, fmt.Sprintf("the constraint %s cannot be checked: %s", t.Text, why), ""}
	}
	if s.kind.Kind == spec.Double && (op == spec.CheckLessEqual && v.Double == math.MaxFloat64 || op == spec.CheckGreaterEqual && v.Double == -math.MaxFloat64) {
		return nil // every number keeps it: float64 of CUE
	}
	s.checks = append(s.checks, &spec.Check{Op: op, Value: v, Text: t.Text})
	return nil
}
