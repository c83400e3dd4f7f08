package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// keyType declares the key of a stage with its hash and, for a key that is ordered, its comparison under the stage's state.
func keyType(k *plan.Key, state, stage string) string {
	var b strings.Builder
	what := "key"
	if k.ID {
		what = "id"
	}
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(fmt.Sprintf("%s is the %s of %s.", k.Type, what, stage)), k.Type)
	if k.Input {
		b.WriteString("\tinput int64 // number of it\n")
	}
	taken := map[string]bool{}
	for _, f := range k.Fields {
		taken[f.Name], taken[f.Has] = true, true
	}
	name := func() string { // of a field that no field of the spec has
		n := "fill"
		for taken[n] {
			n += "_"
		}
		taken[n] = true
		return n
	}
	bytes := 0 // of bools that stand together
	fill := func() {
		if k.ID && bytes%8 != 0 {
			fmt.Fprintf(&b, "\t%s [%d]byte // ids are committed as they stand in memory, so nothing in them may be left to chance\n", name(), 8-bytes%8)
		}
		bytes = 0
	}
	for _, f := range k.Fields {
		of := keyFieldType(f)
		if of == "bool" {
			bytes++
		} else {
			fill()
		}
		fmt.Fprintf(&b, "\t%s %s\n", f.Name, of)
		if f.Has != "" {
			bytes++
			fmt.Fprintf(&b, "\t%s bool\n", f.Has)
		}
	}
	fill()
	b.WriteString("}\n\n")
	fmt.Fprintf(&b, "func (k %s) hash(seed table.Seed) uint32 {\n\treturn uint32(%s)\n}\n", k.Type, hash(k))
	if !k.ID {
		fmt.Fprintf(&b, "\n%s\nfunc (s *%s) lead(k %s, at int) (a, b uint64) {\n%s}\n", doc("lead is what the order of keys goes by, where they are equal in their first at bytes."), state, k.Type, lead(k))
		fmt.Fprintf(&b, "\nfunc (s *%s) compare(a, b %s) int {\n%s}\n", state, k.Type, compare(k))
	}
	return b.String()
}

func keyFieldType(f plan.KeyField) string {
	switch f.Field.Spec.Type.Kind {
	case spec.String, spec.Bytes:
		return "table.Text"
	case spec.Bool:
		return "bool"
	case spec.Double:
		return "float64"
	}
	return "int64"
}

// hash folds the words of the key into one.
func hash(k *plan.Key) string {
	h := ""
	fold := func(word string) {
		if h == "" {
			h = word
		} else {
			h = fmt.Sprintf("table.Hash2(seed, %s, %s)", h, word)
		}
	}
	words := 0
	if k.Input {
		fold("uint64(k.input)")
		words++
	}
	for _, f := range k.Fields {
		name := "k." + f.Name
		if f.Has != "" {
			fold(fmt.Sprintf("table.Word(k.%s)", f.Has))
			words++
		}
		switch f.Field.Spec.Type.Kind {
		case spec.String, spec.Bytes:
			fold(name + ".A")
			fold(name + ".B")
			words++
		case spec.Bool:
			fold(fmt.Sprintf("table.Word(%s)", name))
		case spec.Double:
			fold(fmt.Sprintf("math.Float64bits(%s)", name))
		default:
			fold(fmt.Sprintf("uint64(%s)", name))
		}
		words++
	}
	switch words {
	case 0:
		return "table.Hash1(seed, 0)"
	case 1:
		return fmt.Sprintf("table.Hash1(seed, %s)", h)
	}
	return h
}

// compare orders two keys field by field, null first.
func compare(k *plan.Key) string {
	var parts []string
	for _, f := range k.Fields {
		a, b := "a."+f.Name, "b."+f.Name
		if f.Has != "" { // the value of null is zero
			parts = append(parts, fmt.Sprintf("cmp.Compare(table.Word(a.%[1]s), table.Word(b.%[1]s))", f.Has))
		}
		switch f.Field.Spec.Type.Kind {
		case spec.String, spec.Bytes:
			parts = append(parts, fmt.Sprintf("s.texts.Compare(%s, %s)", a, b))
		case spec.Bool:
			parts = append(parts, fmt.Sprintf("cmp.Compare(table.Word(%s), table.Word(%s))", a, b))
		default:
			parts = append(parts, fmt.Sprintf("cmp.Compare(%s, %s)", a, b))
		}
	}
	if len(parts) == 0 {
		return "\treturn 0\n"
	}
	var out strings.Builder
	for _, p := range parts[:len(parts)-1] {
		fmt.Fprintf(&out, "\tif c := %s; c != 0 {\n\t\treturn c\n\t}\n", p)
	}
	fmt.Fprintf(&out, "\treturn %s\n", parts[len(parts)-1])
	return out.String()
}

// lead is two words that compare as keys do as far as they go; of a text at the beginning, of what is behind its first at bytes.
func lead(k *plan.Key) string {
	var words []string
fields:
	for _, f := range k.Fields {
		name := "k." + f.Name
		if f.Has != "" { // the value of null is zero
			words = append(words, fmt.Sprintf("table.Word(k.%s)", f.Has))
		}
		switch f.Field.Spec.Type.Kind {
		case spec.String, spec.Bytes:
			if len(words) == 0 {
				return fmt.Sprintf("\treturn s.texts.Lead(%s, at)\n", name)
			}
			words = append(words, name+".A")
			break fields // it may go on
		case spec.Bool:
			words = append(words, fmt.Sprintf("table.Word(%s)", name))
		case spec.Double:
			words = append(words, fmt.Sprintf("table.Ordered(%s)", name))
		default:
			words = append(words, fmt.Sprintf("uint64(%s)^1<<63", name))
		}
	}
	return fmt.Sprintf("\tif at > 0 {\n\t\treturn 0, 0\n\t}\n\treturn %s\n", strings.Join(append(words, "0", "0")[:2], ", "))
}

// keyOf is the composite literal of the key of row e, in which strings become texts by the given call.
func keyOf(k *plan.Key, text string) string {
	var parts []string
	var after []string
	if k.Input {
		parts = append(parts, "input: int64(p.in.Input)")
	}
	for _, f := range k.Fields {
		value := "e." + f.Field.Name
		switch {
		case !f.Text():
		case f.Field.Enum != nil && f.Field.Enum.Keyed:
			value = fmt.Sprintf("%s[e.%s]", f.Field.Enum.Keys, f.Field.Enum.Number)
		default:
			value = fmt.Sprintf(text, fmt.Sprintf("in.Bytes(%s)", value))
		}
		if f.Has == "" {
			parts = append(parts, fmt.Sprintf("%s: %s", f.Name, value))
			continue
		}
		after = append(after, fmt.Sprintf("if e.%s {\n\tkey.%s, key.%s = %s, true\n}", f.Field.Has, f.Name, f.Has, value))
	}
	return strings.Join(append([]string{fmt.Sprintf("key := %s{%s}", k.Type, strings.Join(parts, ", "))}, after...), "\n")
}

// appendKey appends a key to a state by value.
func appendKey(k *plan.Key, key string) []string {
	var lines []string
	for _, f := range k.Fields {
		if f.Has != "" {
			lines = append(lines, fmt.Sprintf("dst = table.AppendBool(dst, %s.%s)", key, f.Has))
		}
		name := key + "." + f.Name
		switch f.Field.Spec.Type.Kind {
		case spec.String, spec.Bytes:
			lines = append(lines, fmt.Sprintf("dst = table.AppendBytes(dst, s.texts.Bytes(%s, new([16]byte)))", name))
		case spec.Bool:
			lines = append(lines, fmt.Sprintf("dst = table.AppendBool(dst, %s)", name))
		case spec.Double:
			lines = append(lines, fmt.Sprintf("dst = table.AppendFloat(dst, %s)", name))
		default:
			lines = append(lines, fmt.Sprintf("dst = table.AppendInt(dst, %s)", name))
		}
	}
	return lines
}

// appendKeyOf appends the key with number id to a state.
func appendKeyOf(k *plan.Key) string {
	if len(k.Fields) == 0 {
		return ""
	}
	return lines(append([]string{"key := &s.keys.Key[id]"}, appendKey(k, "key")...)...)
}

// readKey reads what appendKey wrote into the variable key.
func readKey(k *plan.Key) string {
	var lines []string
	for _, f := range k.Fields {
		if f.Has != "" {
			lines = append(lines, fmt.Sprintf("key.%s = r.Bool()", f.Has))
		}
		lines = append(lines, fmt.Sprintf("key.%s = %s", f.Name, readKeyField(f)))
	}
	return strings.Join(lines, "\n")
}
