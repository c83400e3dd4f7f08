package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// events lays out the event types of the package: events_gen.go.
func events(p *plan.Package) *file {
	f := &file{name: "events_gen.go"}
	for _, s := range p.Structs {
		about := specDoc(fmt.Sprintf("%s is %s of the spec", s.Type, s.Spec.Name), s.Spec.Doc)
		f.text(structType(s, about))
		f.text(enumConsts(s))
		if s.View != "" {
			f.text(viewType(s))
		}
	}
	return f
}

// specDoc is the comment of a declaration: what it is, then what the spec says of it.
func specDoc(what string, spec []string) []string {
	if len(spec) == 0 {
		return []string{what + "."}
	}
	return append([]string{what + ":", ""}, spec...)
}

// structType declares a row type. A comment of the spec stands above its field.
func structType(s *plan.Struct, about []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(about...), s.Type)
	for _, f := range s.Fields {
		if text := doc(f.Spec.Doc...); text != "" {
			fmt.Fprintf(&b, "%s\n", text)
		}
		fmt.Fprintf(&b, "%s %s", f.Name, fieldType(f))
		if note := fieldNote(f); note != "" {
			b.WriteString(" // " + note)
		}
		b.WriteString("\n")
		if f.Has != "" {
			fmt.Fprintf(&b, "%s bool // %s is not null\n", f.Has, f.Name)
		}
	}
	for _, f := range s.Fields { // behind all others, since they are small
		if f.Enum != nil {
			fmt.Fprintf(&b, "%s uint8 // which of its texts %s is\n", f.Enum.Number, f.Name)
		}
	}
	if s.Derived {
		b.WriteString("at int64 // event time, ns since the Unix epoch\n")
	}
	if s.Origin {
		b.WriteString("origin uint32 // row of the window that it was made of\n")
	}
	if s.Bad > 0 {
		fmt.Fprintf(&b, "bad [%d]bool // whether making them failed: %s\n", s.Bad, strings.Join(s.BadColumns, ", "))
	}
	b.WriteString("}")
	return b.String()
}

// enumConsts declares the numbers of the texts that fields of s may have.
func enumConsts(s *plan.Struct) string {
	var b strings.Builder
	for _, f := range s.Fields {
		if f.Enum == nil {
			continue
		}
		fmt.Fprintf(&b, "%s\nconst (\n", doc(fmt.Sprintf("Numbers of the texts of %s of %s.", f.Name, s.Type)))
		for i, text := range f.Enum.Texts {
			fmt.Fprintf(&b, "%s", f.Enum.Consts[text])
			if i == 0 {
				b.WriteString(" uint8 = iota + 1")
			}
			fmt.Fprintf(&b, " // %s\n", printable(strconv.Quote(text)))
		}
		b.WriteString(")\n\n")
	}
	return b.String()
}

// enumTables declares what numbers them.
func enumTables(s *plan.Struct) string {
	var b strings.Builder
	for _, f := range s.Fields {
		if f.Enum == nil {
			continue
		}
		texts := make([]string, len(f.Enum.Texts))
		for i, text := range f.Enum.Texts {
			texts[i] = strconv.Quote(text)
		}
		fmt.Fprintf(&b, "%s\nvar %s = codec.NewEnum(%s)\n\n", doc(fmt.Sprintf("%s numbers the texts of %s of %s.", f.Enum.Table, f.Name, s.Type)), f.Enum.Table, strings.Join(texts, ", "))
		if !f.Enum.Keyed {
			continue
		}
		fmt.Fprintf(&b, "%s\nvar %s = [...]table.Text{\n", doc(fmt.Sprintf("%s are the texts of %s of %s as parts of keys, by their numbers.", f.Enum.Keys, f.Name, s.Type)), f.Enum.Keys)
		for i, text := range f.Enum.Texts {
			fmt.Fprintf(&b, "%s: table.Inline([]byte(%s)),\n", f.Enum.Consts[text], texts[i])
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

func fieldType(f *plan.Field) string {
	switch f.Spec.Type.Kind {
	case spec.Bool:
		return "bool"
	case spec.Double:
		return "float64"
	case spec.String, spec.Bytes:
		return "stream.Str"
	case spec.List:
		return "stream.List"
	case spec.Object:
		return f.Struct.Type
	}
	return "int64"
}

func fieldNote(f *plan.Field) string {
	switch f.Spec.Type.Kind {
	case spec.Timestamp:
		return "ns since the Unix epoch"
	case spec.Duration:
		return "ns"
	case spec.Bytes:
		return "bytes"
	case spec.Decimal:
		return fmt.Sprintf("times 10^-%d", f.Spec.Type.Scale)
	case spec.List:
		switch elem := f.Spec.Type.Elem; elem.Kind {
		case spec.Object:
			return "of " + f.Struct.Type
		case spec.Decimal:
			return fmt.Sprintf("of int64 times 10^-%d", elem.Scale)
		default:
			return "of " + map[spec.Kind]string{spec.Bool: "bool", spec.Int: "int64", spec.Double: "float64", spec.String: "stream.Str", spec.Bytes: "stream.Str, bytes",
				spec.Timestamp: "times in ns", spec.Duration: "durations in ns", spec.List: "lists"}[elem.Kind]
		}
	}
	return ""
}

// eventCodecs lays out how records become events and events become rows: events_codec_gen.go.
func eventCodecs(p *plan.Package) *file {
	f := &file{name: "events_codec_gen.go"}
	times := map[*spec.Field]bool{}
	roots, inner, elements, written := map[*plan.Struct]bool{}, map[*plan.Struct]bool{}, map[*plan.Struct]bool{}, map[*plan.Struct]bool{}
	read, fields := map[*plan.Struct]bool{}, map[*plan.Struct]bool{} // from CSV, as CSV
	var write func(s *plan.Struct)
	write = func(s *plan.Struct) { // what stands inside it is written with it
		if !written[s] {
			written[s] = true
			for _, field := range s.Fields {
				if field.Struct != nil {
					write(field.Struct)
				}
			}
		}
	}
	for _, s := range p.Structs {
		for _, field := range s.Fields {
			inner[field.Struct] = true
			if field.Struct != nil && field.Spec.Type.Kind == spec.List {
				elements[field.Struct] = true
			}
		}
	}
	for _, l := range p.Pipelines {
		for _, s := range l.Sources {
			times[s.Spec.Time.Field] = true
			if s.Spec.Format == "csv" {
				read[s.Out.Struct] = true
			} else {
				roots[s.Out.Struct] = true
			}
		}
		for _, s := range l.Sinks {
			switch {
			case s.Spec.Raw:
			case s.Header != "":
				fields[s.In.Struct] = true
			default:
				write(s.In.Struct)
			}
		}
	}
	for _, s := range p.Structs {
		if s.View != "" {
			f.text(view(s))
		}
		d := decoder{pkg: p, s: s, times: times}
		if roots[s] {
			d.root = true
			f.text(d.text())
		}
		if read[s] {
			d.root = true
			f.text(d.decodeCSV())
		}
		f.text(enumTables(s))
		if inner[s] {
			d.root = false
			f.text(d.text())
		}
		if elements[s] {
			f.text(store(s))
			f.text(load(s))
		}
		if written[s] {
			f.text(appendRow(s, fmt.Sprintf("append%s appends one", s.Type), false))
		}
		if fields[s] {
			f.text(appendCSV(s))
		}
	}
	for _, r := range p.Regexps {
		f.text(fmt.Sprintf("var %s = regexp.MustCompile(%q)", r.Name, r.Pattern))
	}
	for _, z := range p.Zones {
		f.text(fmt.Sprintf("var %s = %s", z.Name, zone(z.Zone)))
	}
	return f
}
