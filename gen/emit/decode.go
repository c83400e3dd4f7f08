package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// decoder writes the functions that read a struct from a record and hold it against its contract.
type decoder struct {
	pkg   *plan.Package
	s     *plan.Struct
	times map[*spec.Field]bool // event times, whose range is judged behind the contract
	root  bool                 // a whole record, else a struct inside one
}

func (d *decoder) text() string {
	var b strings.Builder
	words := (len(d.s.Fields) + 63) / 64
	if d.root {
		b.WriteString(d.take() + "\n\n")
		fmt.Fprintf(&b, "%s\nfunc (o *%s) decode(in *stream.Batch, line stream.Str) (field uint16, fault stream.Fault, at uint32) {\n", doc(
			"decode reads one from line, a record of in that take did not take, and holds it against the contract. A record that is refused has a fault; field is the first that",
			"violates the contract, by its number in the order of the spec, or 0 when the record is not JSON, from the byte at on. The contract stands in take, too, since a record is",
			"read by one of them alone; golden/oracle of streamwright holds both against a third reading of it.",
		), d.s.Type)
		b.WriteString("s := codec.Scan(in, line)\n")
	} else {
		fmt.Fprintf(&b, "%s\nfunc (o *%s) scan(in *stream.Batch, s *codec.Scanner, at uint16) {\n", doc(
			"scan reads one inside a record and holds it against the contract. at is the number of the field that it is."), d.s.Type)
		if d.usesFault() {
			b.WriteString("var fault stream.Fault\n")
		}
	}
	if d.blank() {
		fmt.Fprintf(&b, "*o = %s{}\n", d.s.Type)
	}
	if words > 1 {
		fmt.Fprintf(&b, "var seen [%d]uint64\n", words)
	} else {
		b.WriteString("seen := uint64(0)\n")
	}
	b.WriteString("for s.Next() {\nswitch string(s.Key()) {\n")
	var after strings.Builder
	for i, f := range d.s.Fields {
		at := d.number(d.place(i))
		bit := fmt.Sprintf("1<<%d", i%64)
		seen := "seen"
		if words > 1 {
			seen = fmt.Sprintf("seen[%d]", i/64)
		}
		fmt.Fprintf(&b, "case %q: // %s\n", f.Spec.Name, printable(oneLine(plan.Want(f.Spec))))
		fmt.Fprintf(&b, "s.Once(&%s, %s)\n", seen, bit)
		d.field(&b, f, at)
		switch f.Spec.Missing {
		case spec.MissingRefused:
			fmt.Fprintf(&after, "s.Need(%s, %s, %s)\n", at, seen, bit)
		case spec.MissingDefault:
			fmt.Fprintf(&after, "if %s&(%s) == 0 {\n%s}\n", seen, bit, setDefault(f))
		}
	}
	b.WriteString("default:\ns.Skip()\n}\n}\n")
	b.WriteString(after.String())
	if d.root {
		b.WriteString("return s.End()\n")
	}
	b.WriteString("}")
	if d.root {
		b.WriteString("\n\n" + d.members())
	}
	return b.String()
}

// place is the number of field i of the struct, from 1: fields inside structs are numbered behind them.
func (d *decoder) place(i int) int {
	n := i + 1
	for _, f := range d.s.Fields[:i] {
		if f.Struct != nil {
			n += plan.LeafCount(f.Struct)
		}
	}
	return n
}

// take is the function that reads nearly all records: those about which nothing is wrong. It says of no record what is wrong with it.
func (d *decoder) take() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (o *%s) take(in *stream.Batch, learned *codec.Learned) (line stream.Str, ok bool) {\n", doc(
		"take takes the next record of in when it is JSON within the contract. Any other stays where it is, and ok is false: decode finds out what is wrong with it."), d.s.Type)
	words := (len(d.s.Fields) + 63) / 64
	if d.blank() {
		fmt.Fprintf(&b, "*o = %s{}\n", d.s.Type)
	}
	b.WriteString("pos := in.Pos\n")
	if words > 1 {
		fmt.Fprintf(&b, "var seen [%d]uint64\n", words)
	} else {
		b.WriteString("seen := uint64(0)\n")
	}
	fmt.Fprintf(&b, "for step := 0; ; step++ {\nmember := learned.Expected(in, pos, step)\nif !member.Stands(in, pos) {\n"+
		"if member, step = learned.Find(in, pos, step, %s); member == nil {\nreturn line, false\n}\n}\n", d.s.Members)
	once := "if seen&member.Bit != 0 { // it stands twice\nreturn line, false\n}\nseen |= member.Bit\n"
	if words > 1 {
		once = "if n := member.Field - 1; n >= 0 {\n" + strings.ReplaceAll(once, "seen", "seen[n/64]") + "}\n"
	}
	b.WriteString(once)
	b.WriteString("pos += member.Size\nswitch member.Field {\n")
	for i, f := range d.s.Fields {
		fmt.Fprintf(&b, "case %d: // %s\n", i+1, printable(oneLine(f.Spec.Name+": "+plan.Want(f.Spec))))
		d.value(&b, f, d.place(i))
	}
	b.WriteString("case codec.End:\n")
	for i := range words {
		required := uint64(0)
		for j, f := range d.s.Fields[64*i : min(64*i+64, len(d.s.Fields))] {
			if f.Spec.Missing == spec.MissingRefused {
				required |= 1 << j
			}
		}
		seen := "seen"
		if words > 1 {
			seen = fmt.Sprintf("seen[%d]", i)
		}
		if required != 0 {
			name := "required"
			if words > 1 {
				name += strconv.Itoa(i + 1)
			}
			fmt.Fprintf(&b, "const %s = %#b // bits of the members that may not be missing\nif %[3]s&%[1]s != %[1]s {\nreturn line, false\n}\n", name, required, seen)
		}
	}
	for i, f := range d.s.Fields {
		if text := setDefault(f); text != "" && f.Spec.Missing == spec.MissingDefault {
			seen := "seen"
			if words > 1 {
				seen = fmt.Sprintf("seen[%d]", i/64)
			}
			fmt.Fprintf(&b, "if %s&(1<<%d) == 0 {\n%s}\n", seen, i%64, text)
		}
	}
	b.WriteString("return in.Take(pos), true\ndefault:\npos = codec.Skip(in, pos)\n}\nif pos == 0 {\nreturn line, false\n}\n}\n}")
	return b.String()
}

// value reads the value of a field in take.
func (d *decoder) value(b *strings.Builder, f *plan.Field, number int) {
	if f.Spec.Null {
		b.WriteString("if next := codec.Null(in, pos); next != 0 {\npos = next\nbreak\n}\n")
	}
	o := "o." + f.Name
	switch f.Spec.Type.Kind {
	case spec.Object, spec.List:
		b.WriteString("s := codec.Inside(in, pos)\n")
		var text strings.Builder
		d.compound(&text, f, strconv.Itoa(number))
		b.WriteString(strings.Replace(text.String(), "fault = ", "fault := ", 1))
		b.WriteString("pos = s.Outside()\n")
		return
	}
	fmt.Fprintf(b, "%s, pos = %s\n", o, taker(f.Spec.Type, f.Spec.Time))
	if f.Has != "" {
		fmt.Fprintf(b, "o.%s = true\n", f.Has)
	}
	const refuse = "return line, false\n"
	if f.Enum != nil {
		b.WriteString(unnumbered(f) + refuse + "}\n")
		return
	}
	values, cond := d.violated(f.Spec, o, f.Spec.Type.Kind)
	for _, text := range values {
		b.WriteString(text + refuse + "}\n")
	}
	if cond != "" {
		fmt.Fprintf(b, "if %s {\n%s}\n", cond, refuse)
	}
}

// unnumbered numbers the text that was read into a field, and begins what is done when it is none that the field may have.
func unnumbered(f *plan.Field) string {
	return fmt.Sprintf("if o.%[1]s = %s.Number(in, o.%s); o.%[1]s == 0 {\n", f.Enum.Number, f.Enum.Table, f.Name)
}

// taker is the call that reads a value in take.
func taker(of *spec.Type, t spec.TimeFormat) string {
	method, args, _ := strings.Cut(reader(of, t), "(")
	switch {
	case method == "Time":
		return "learned.Time(in, pos)"
	case args == ")":
		return "codec." + method + "(in, pos)"
	}
	return "codec." + method + "(in, pos, " + args
}

// members numbers the names of the members of a record.
func (d *decoder) members() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc %s(name []byte) int {\nswitch string(name) {\n", doc(
		fmt.Sprintf("%s is the number of a member of %s, in the order of the spec from 1; 0 is one that is not declared.", d.s.Members, d.s.Type)), d.s.Members)
	for i, f := range d.s.Fields {
		fmt.Fprintf(&b, "case %q:\nreturn %d\n", f.Spec.Name, i+1)
	}
	b.WriteString("}\nreturn 0\n}")
	return b.String()
}

// number is the Go expression of a field number.
func (d *decoder) number(n int) string {
	if d.root {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("at+%d", n)
}

// blank says whether a field can keep what a record before has left in it.
func (d *decoder) blank() bool {
	for _, f := range d.s.Fields {
		if f.Has != "" || f.Spec.Missing != spec.MissingRefused {
			return true
		}
	}
	return false
}

func (d *decoder) usesFault() bool { return len(d.s.Fields) > 0 }

// field reads the value of a field.
func (d *decoder) field(b *strings.Builder, f *plan.Field, at string) {
	if f.Spec.Null {
		b.WriteString("if s.Null() {\nbreak\n}\n")
	}
	o := "o." + f.Name
	judge := fmt.Sprintf("s.Judge(%s, fault)\n", at)
	has := ""
	if f.Has != "" {
		has = fmt.Sprintf("o.%s = true\n", f.Has)
	}
	switch f.Spec.Type.Kind {
	case spec.Object, spec.List:
		d.compound(b, f, at)
	default:
		checks := d.checks(f.Spec, o, f.Spec.Type.Kind)
		if f.Enum != nil {
			checks = "if fault == 0 {\n" + unnumbered(f) + "fault = stream.FaultConstraint\n}\n}\n"
		}
		fmt.Fprintf(b, "%s, fault = s.%s\n%s%s", o, reader(f.Spec.Type, f.Spec.Time), has, checks)
		if d.root && d.times[f.Spec] {
			judge = fmt.Sprintf("s.JudgeTime(%s, fault)\n", at)
		}
		b.WriteString(judge)
	}
}

// compound reads the struct or the list of a field.
func (d *decoder) compound(b *strings.Builder, f *plan.Field, at string) {
	o := "o." + f.Name
	judge := fmt.Sprintf("s.Judge(%s, fault)\n", at)
	has := ""
	if f.Has != "" {
		has = fmt.Sprintf("o.%s = true\n", f.Has)
	}
	if f.Spec.Type.Kind == spec.Object {
		fmt.Fprintf(b, "fault = s.Object()\n%sif fault == 0 {\n%s.scan(in, %s, %s)\n%s}\n", judge, o, d.scanner(), at, has)
		return
	}
	fmt.Fprintf(b, "fault = s.Array()\n%sif fault == 0 {\n", judge)
	if f.Struct != nil {
		fmt.Fprintf(b, "base := len(in.Stack)\nfor s.Element() {\nfault := s.Object()\n%sif fault == 0 {\nvar v %s\nv.scan(in, %s, %s)\nin.Stack = v.store(in.Stack)\n}\n}\n%s = in.Pop(base, %d)\n",
			judge, f.Struct.Type, d.scanner(), at, o, f.Struct.Element().Words())
	} else {
		elem := f.Spec.Type.Elem
		fmt.Fprintf(b, "%s.Off = uint32(len(in.Words))\nfor s.Element() {\nv, fault := s.%s\n%s%s", o, reader(elem, f.Spec.Time), d.checks(f.Spec, "v", elem.Kind), judge)
		fmt.Fprintf(b, "in.Words = append(in.Words, %s)\n}\n%s.Len = uint32(len(in.Words)) - %s.Off\n", fieldWord(elem, "v"), o, o)
	}
	for _, c := range f.Spec.Items {
		op := map[spec.CheckOp]string{spec.CheckMinRunes: "<", spec.CheckMaxRunes: ">"}[c.Op]
		fmt.Fprintf(b, "if %s.Len %s %d {\ns.Judge(%s, stream.FaultConstraint)\n}\n", o, op, c.Value.Int, at)
	}
	b.WriteString(has + "}\n")
}

// scanner is the decoder's scanner as an argument.
func (d *decoder) scanner() string {
	if d.root {
		return "&s"
	}
	return "s"
}

// reader is the call that reads a value.
func reader(of *spec.Type, t spec.TimeFormat) string {
	switch of.Kind {
	case spec.Bool:
		return "Bool()"
	case spec.Int:
		return "Int()"
	case spec.Double:
		return "Float()"
	case spec.String:
		return "Str()"
	case spec.Bytes:
		return "Bytes()"
	case spec.Decimal:
		return fmt.Sprintf("Decimal(%d)", of.Scale)
	}
	if t == spec.RFC3339 {
		return "Time()"
	}
	return "Epoch(codec." + map[spec.TimeFormat]string{spec.UnixSeconds: "Seconds", spec.UnixMillis: "Millis", spec.UnixMicros: "Micros", spec.UnixNanos: "Nanos"}[t] + ")"
}

// checks makes a violated constraint the fault.
func (d *decoder) checks(f *spec.Field, v string, k spec.Kind) string {
	const violated = "fault = stream.FaultConstraint\n"
	var b strings.Builder
	values, cond := d.violated(f, v, k)
	for _, text := range values {
		b.WriteString("if fault == 0 {\n" + text + violated + "}\n}\n")
	}
	if cond == "" {
		return b.String()
	}
	if strings.Contains(cond, " || ") {
		cond = "(" + cond + ")"
	}
	fmt.Fprintf(&b, "if fault == 0 && %s {\n%s}\n", cond, violated)
	return b.String()
}

// violated says when v violates the constraints of a field: values are switches whose open default does for one that is none of those allowed, cond is true for all other
// violations.
func (d *decoder) violated(f *spec.Field, v string, k spec.Kind) (values []string, cond string) {
	length := v + ".Len"
	if k.Text() {
		v = fmt.Sprintf("in.Text(%s)", v)
	}
	var broken []string
	for _, c := range f.Checks {
		switch {
		case c.Op == spec.CheckOneOf && k == spec.Bool:
			broken = append(broken, oneOfBool(c, v))
		case c.Op == spec.CheckOneOf:
			all := make([]string, len(c.Values))
			for i, x := range c.Values {
				all[i] = constant(x)
			}
			values = append(values, fmt.Sprintf("switch %s {\ncase %s:\ndefault:\n", v, strings.Join(all, ", ")))
		case c.Op == spec.CheckNotEqual && k.Text() && c.Value.String == "":
			broken = append(broken, length+" == 0")
		default:
			broken = append(broken, d.broken(c, v))
		}
	}
	return values, strings.Join(broken, " || ")
}

// oneOfBool is what is wrong with a bool that must be one of the check's values.
func oneOfBool(c *spec.Check, v string) string {
	if c.Values[0].Bool {
		return "!" + v
	}
	return v
}

// broken is true when v violates the check.
func (d *decoder) broken(c *spec.Check, v string) string {
	switch c.Op {
	case spec.CheckMatch:
		return fmt.Sprintf("!%s.MatchString(%s)", d.pkg.Regexp(c.Value.String), v)
	case spec.CheckMinRunes:
		return fmt.Sprintf("utf8.RuneCountInString(%s) < %d", v, c.Value.Int)
	case spec.CheckMaxRunes:
		return fmt.Sprintf("utf8.RuneCountInString(%s) > %d", v, c.Value.Int)
	case spec.CheckNotMatch:
		return fmt.Sprintf("%s.MatchString(%s)", d.pkg.Regexp(c.Value.String), v)
	}
	op := map[spec.CheckOp]string{
		spec.CheckLess: ">=", spec.CheckLessEqual: ">", spec.CheckGreater: "<=", spec.CheckGreaterEqual: "<", spec.CheckNotEqual: "==",
	}[c.Op]
	return fmt.Sprintf("%s %s %s", v, op, constant(c.Value))
}

// constant is a Go constant.
func constant(v spec.Value) string {
	switch v.Kind {
	case spec.Bool:
		return strconv.FormatBool(v.Bool)
	case spec.String, spec.Bytes:
		return strconv.Quote(v.String)
	case spec.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	}
	return number(v.Int)
}

// setDefault sets a field that is missing.
func setDefault(f *plan.Field) string {
	var b strings.Builder
	v := f.Spec.Default
	switch {
	case v == nil || v.Kind == spec.Null:
		return ""
	case v.Kind.Text():
		fmt.Fprintf(&b, "o.%s = in.KeepText(%s)\n", f.Name, constant(*v))
	default:
		fmt.Fprintf(&b, "o.%s = %s\n", f.Name, constant(*v))
	}
	if f.Has != "" {
		fmt.Fprintf(&b, "o.%s = true\n", f.Has)
	}
	return b.String()
}
