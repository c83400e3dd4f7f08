package task

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/watermark"
)

// formerly gives the sources of what was committed the names that they have now, and drops the positions of those that are gone.
func (p *Pipeline) formerly(restored *checkpoint.Restored) {
	restored.Layout = p.headNames(restored.Layout)
	kept := restored.Sources[:0:0]
	for _, part := range restored.Sources {
		now, ok := p.partNow(part.Name)
		if !ok && slices.ContainsFunc(p.Commit.Gone, func(gone string) bool { return part.Name == gone || strings.HasPrefix(part.Name, gone+"/") }) {
			continue
		}
		part.Name = now
		kept = append(kept, part)
	}
	restored.Sources = kept
}

// partNow is the name of now of an input in a commit: that of its source, and of its file where each has one. ok is false, and the name as it was, when no source has or had it.
func (p *Pipeline) partNow(name string) (now string, ok bool) {
	if source := p.sourceNow(name); source != "" {
		return source, true
	}
	for _, former := range []bool{false, true} {
		for _, s := range p.Sources {
			names := []string{s.Name}
			if former {
				names = s.Was
			}
			for _, source := range names {
				if file, ok := strings.CutPrefix(name, source+"/"); ok && s.PerFile {
					return s.Name + "/" + file, true
				}
			}
		}
	}
	return name, false
}

// sourceNow is the name of now of a source in a commit, "" if there is none.
func (p *Pipeline) sourceNow(name string) string {
	for _, s := range p.Sources {
		if s.Name == name {
			return name
		}
	}
	for _, s := range p.Sources {
		if slices.Contains(s.Was, name) {
			return s.Name
		}
	}
	return ""
}

// What the head of a layout says of sources.
const (
	sourceWords = countWords + "source "
	inputWords  = "inputs of "
)

// headNames is a layout whose head has the names of now of the sources.
func (p *Pipeline) headNames(layout string) string {
	head, rest, more := strings.Cut(layout, "\n")
	id, stage, parts := layoutLine(head)
	if id != headID {
		return layout
	}
	now := func(name string) string { return quoted(cmp.Or(p.sourceNow(name), name)) }
	all := clauses(parts)
	for i, clause := range all {
		if text, ok := strings.CutPrefix(clause, sourceWords); ok {
			name, text := nameIn(text)
			all[i] = sourceWords + now(name) + text
		} else if names, ok := inputsOf(clause); ok {
			for i, name := range names {
				names[i] = now(name)
			}
			all[i] = inputWords + strings.Join(names, ", ")
		}
	}
	if layout = id + "\t" + stage + "\t" + strings.Join(all, "; "); more {
		layout += "\n" + rest
	}
	return layout
}

// nameIn takes a name, as quoted writes it, off a text.
func nameIn(text string) (name, rest string) {
	if in, err := strconv.QuotedPrefix(text); err == nil {
		name, _ = strconv.Unquote(in)
		return name, text[len(in):]
	}
	i := strings.IndexAny(text+" ", " ,")
	return text[:i], text[i:]
}

// inputsOf are the sources whose inputs a part of a head is about.
func inputsOf(clause string) (sources []string, ok bool) {
	rest, ok := strings.CutPrefix(clause, inputWords)
	for ok && rest != "" {
		var name string
		name, rest = nameIn(rest)
		sources, rest = append(sources, name), strings.TrimPrefix(rest, ", ")
	}
	return sources, ok
}

// headInputs is what the head of a commit says of its inputs: in the part about them, or, where there is one input, in its first two numbers.
type headInputs struct {
	clause  string // of the part; "": there is none
	sources []string
}

func inputsIn(counts, parts []string) (h headInputs) {
	for _, clause := range parts {
		if sources, ok := inputsOf(clause); ok {
			return headInputs{clause, sources}
		}
	}
	for _, clause := range counts {
		if text, ok := strings.CutPrefix(clause, sourceWords); ok {
			if name, _ := nameIn(text); !slices.Contains(h.sources, name) {
				h.sources = append(h.sources, name)
			}
		}
	}
	return h
}

// read gives the inputs. highest and value are the first numbers of the head, part is what stands in the part.
func (h headInputs) read(highest, value int64, part []byte) (inputs watermark.Inputs, err error) {
	inputs = watermark.NewInputs(make([]int64, len(h.sources))...)
	if h.clause == "" {
		m := &inputs.Input[inputs.Add(0)]
		inputs.Value, m.Highest, m.Value = value, highest, value
		return inputs, nil
	}
	number := func() int64 {
		n, size := binary.Varint(part)
		if size <= 0 {
			err, size = errHead, 0
		}
		part = part[size:]
		return n
	}
	if !inputs.Restore(number) || len(part) > 0 {
		err = errHead
	}
	return inputs, err
}

// inputsPart is the part of a head about inputs, its length in front.
func inputsPart(inputs *watermark.Inputs) []byte {
	part := watermark.AppendInputs(make([]byte, 4), inputs)
	binary.LittleEndian.PutUint32(part, uint32(len(part)-4))
	return part
}

// of drops the inputs of sources that are not among those of now, and gives the others the places that these have.
func (h headInputs) of(now headInputs, inputs *watermark.Inputs) {
	kept := inputs.Input[:0]
	for _, m := range inputs.Input {
		if m.Source = slices.Index(now.sources, h.sources[m.Source]); m.Source >= 0 {
			kept = append(kept, m)
		}
	}
	inputs.Input = kept
}
