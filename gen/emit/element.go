package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// store declares the method that appends a struct to the elements of a list: words of flags that say which fields are not null, then a word for each value.
func store(s *plan.Struct) string {
	e := s.Element()
	var words []string
	for from := 0; from < len(e.Flags); from += 64 {
		var bits []string
		for i, has := range e.Flags[from:min(from+64, len(e.Flags))] {
			bit := fmt.Sprintf("table.Word(o.%s)", has)
			if i > 0 {
				bit += fmt.Sprintf("<<%d", i)
			}
			bits = append(bits, bit)
		}
		words = append(words, strings.Join(bits, " | "))
	}
	for _, v := range e.Values {
		words = append(words, fieldWord(v.Type, "o."+v.Selector))
	}
	return fmt.Sprintf("%s\nfunc (o *%s) store(dst []uint64) []uint64 {\nreturn append(dst,\n%s,\n)\n}",
		doc("store appends one to the elements of a list."), s.Type, strings.Join(words, ",\n"))
}

// load declares the method that reads what store appended.
func load(s *plan.Struct) string {
	e := s.Element()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (o *%s) load(in *stream.Batch, l stream.List, i int) {\nw := in.Words[int(l.Off)+%d*i:][:%d]\n", doc("load reads element i of the list l."), s.Type, e.Words(), e.Words())
	for i, has := range e.Flags {
		fmt.Fprintf(&b, "o.%s = w[%d]>>%d&1 != 0\n", has, i/64, i%64)
	}
	for i, v := range e.Values {
		fmt.Fprintf(&b, "o.%s = %s\n", v.Selector, ofFieldWord(v.Type, fmt.Sprintf("w[%d]", e.FlagWords()+i)))
	}
	b.WriteString("}")
	return b.String()
}

// fieldWord is a value as the word of a list.
func fieldWord(t *spec.Type, v string) string {
	switch t.Kind {
	case spec.Bool:
		return fmt.Sprintf("table.Word(%s)", v)
	case spec.Double:
		return fmt.Sprintf("math.Float64bits(%s)", v)
	case spec.String, spec.Bytes:
		return v + ".Word()"
	case spec.List:
		return fmt.Sprintf("stream.Str(%s).Word()", v)
	}
	return fmt.Sprintf("uint64(%s)", v)
}

// ofFieldWord is the value that fieldWord made a word of.
func ofFieldWord(t *spec.Type, w string) string {
	switch t.Kind {
	case spec.Bool:
		return w + " != 0"
	case spec.Double:
		return fmt.Sprintf("math.Float64frombits(%s)", w)
	case spec.String, spec.Bytes:
		return fmt.Sprintf("stream.WordStr(%s)", w)
	case spec.List:
		return fmt.Sprintf("stream.List(stream.WordStr(%s))", w)
	}
	return fmt.Sprintf("int64(%s)", w)
}
