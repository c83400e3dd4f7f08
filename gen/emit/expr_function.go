package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/spec"
)

// call is the form of a function of the library in Go.
type call struct {
	name string // of a helper, or of a function of a package of Go when it has a dot
	in   bool   // the batch goes first
	hint string // of a variable for its result
}

// calls are the functions that are called as they are. Those of a timestamp have the zone as their last argument.
var calls = map[string]call{
	"getFullYear": {name: "FullYear"}, "getMonth": {name: "Month"}, "getDayOfYear": {name: "DayOfYear"}, "getDayOfMonth": {name: "DayOfMonth"}, "getDate": {name: "Date"},
	"getDayOfWeek": {name: "DayOfWeek"}, "getHours": {name: "Hours"}, "getMinutes": {name: "Minutes"}, "getSeconds": {name: "Seconds60"}, "getMilliseconds": {name: "Milliseconds"},
	"charAt": {"CharAt", false, "char"}, "indexOf": {"IndexOf", false, "index"}, "lastIndexOf": {"LastIndexOf", false, "index"}, "join": {"Join", true, "text"},
	"lowerAscii": {name: "Lower", in: true}, "upperAscii": {name: "Upper", in: true}, "replace": {"Replace", true, "text"}, "reverse": {name: "Reverse", in: true},
	"split": {name: "Split", in: true}, "substring": {"Substring", false, "text"}, "trim": {name: "strings.TrimSpace"},
	"math.abs": {"AbsInt", false, "magnitude"}, "math.sign": {name: "SignInt"}, "math.ceil": {name: "math.Ceil"}, "math.floor": {name: "math.Floor"}, "math.round": {name: "math.Round"},
	"math.trunc": {name: "math.Trunc"}, "math.sqrt": {name: "math.Sqrt"}, "math.isNaN": {name: "math.IsNaN"}, "math.isInf": {name: "math.IsInf"}, "math.isFinite": {name: "IsFinite"},
	"math.bitShiftLeft": {"ShiftLeft", false, "bits"}, "math.bitShiftRight": {"ShiftRight", false, "bits"},
}

// function writes a function of the library.
func (m *expression) function(e *spec.Expr, args []operand) operand {
	c := calls[e.Name]
	of := e.Args[0].Type.Kind
	var codes []jen.Code
	for _, a := range args {
		codes = append(codes, a.code)
	}
	switch e.Name {
	case "math.greatest", "math.least":
		return m.extreme(e, args)
	case "math.bitAnd", "math.bitOr", "math.bitXor":
		op := map[string]string{"math.bitAnd": "&", "math.bitOr": "|", "math.bitXor": "^"}[e.Name]
		prec := addPrec
		if op == "&" {
			prec = mulPrec
		}
		return infix(args[0].at(prec), op, args[1].at(prec+1), prec)
	case "math.bitNot":
		return operand{code: jen.Op("^").Add(args[0].at(unaryPrec)), prec: unaryPrec}
	case "math.abs":
		switch {
		case of == spec.Double:
			c = call{name: "math.Abs"}
		case e.Faults == 0:
			v := m.leaf("value", args[0], e.Args[0])
			return primary(jen.Id("max").Call(v.code, jen.Op("-").Add(v.at(primaryPrec))))
		}
	case "math.sign":
		if of == spec.Double {
			c.name = "SignDouble"
		}
	case "math.isInf":
		codes = append(codes, jen.Lit(0))
	case "math.sqrt":
		if of == spec.Int {
			codes = []jen.Code{jen.Float64().Call(args[0].code)}
		}
	case "indexOf", "lastIndexOf":
		if len(args) == 3 {
			c.name += "From"
		}
	case "substring":
		if len(args) == 3 {
			c.name += "To"
		}
	case "replace":
		if len(args) == 4 {
			c.name += "N"
		}
	case "split":
		if len(args) == 3 {
			c.name += "N"
		}
	case "join":
		if len(args) == 1 {
			codes = append(codes, jen.Lit(""))
		}
	default:
		if of == spec.Duration {
			c.name = map[string]string{"getHours": "InHours", "getMinutes": "InMinutes", "getSeconds": "InSeconds", "getMilliseconds": "InMilliseconds"}[e.Name]
		} else if of == spec.Timestamp {
			zone := jen.Nil()
			if len(args) == 2 {
				zone = jen.Id(m.Zone(e.Args[1].Value.String))
			}
			codes = []jen.Code{args[0].code, zone}
		}
	}
	if c.name == "" {
		panic("emit: function " + strconv.Quote(e.Name) + " has no code")
	}
	if c.in {
		codes = append([]jen.Code{jen.Id("in")}, codes...)
	}
	code := helper(c.name, codes...)
	if pkg, name, ok := strings.Cut(c.name, "."); ok {
		code = jen.Id(pkg).Dot(name).Call(codes...)
	}
	switch {
	case e.Faults != 0:
		return m.partial(e, c.hint, code)
	case c.hint == "" || e.Name == "indexOf" || e.Name == "lastIndexOf":
		return primary(code)
	}
	v := variable(m.name(c.hint)) // of a helper that could fail, and does not here
	m.block.add(jen.List(v.code, jen.Id("_")).Op(":=").Add(code))
	return v
}

// extreme writes math.greatest and math.least: of ints max and min of Go.
func (m *expression) extreme(e *spec.Expr, args []operand) operand {
	names := map[string][4]string{"math.greatest": {"max", "Greatest", "Greater", "greatest"}, "math.least": {"min", "Least", "Lesser", "least"}}[e.Name]
	switch {
	case e.Args[0].Type.Kind == spec.List:
		of := names[1] + "Int"
		if e.Type.Kind == spec.Double {
			of = names[1] + "Double"
		}
		return m.partial(e, names[3], helper(of, jen.Id("in"), args[0].code))
	case len(args) == 1:
		return args[0]
	case e.Type.Kind == spec.Int:
		codes := make([]jen.Code, len(args))
		for i, a := range args {
			codes[i] = a.code
		}
		return primary(jen.Id(names[0]).Call(codes...))
	}
	o := args[0]
	for _, a := range args[1:] {
		if e.Faults == 0 {
			o = primary(helper(names[2], o.rounded(0), a.rounded(0)))
		} else {
			o = m.partial(e, names[3], helper(names[2]+"Ordered", o.rounded(0), a.rounded(0)))
		}
	}
	return o
}

// zone is the Go code of a time zone: an IANA name, or "+hh:mm".
func zone(name string) string {
	hour, minute, fixed := strings.Cut(name, ":")
	if !fixed {
		return "zone.Load(" + strconv.Quote(name) + ")"
	}
	h, _ := strconv.Atoi(hour[1:])
	min, _ := strconv.Atoi(minute)
	east := strconv.Itoa(h*3600 + min*60)
	if hour[0] == '-' {
		east = "-" + east
	}
	return "expr.FixedZone(" + east + ")"
}
