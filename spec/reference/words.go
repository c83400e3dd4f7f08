package reference

import (
	"strings"

	"github.com/streamwright/streamwright/spec/load"
)

// words are the sections of the schema: one for each struct of words in the order in which a spec has them, and one for the types of values.
func words() []Section {
	w := &walk{definitions: map[string]load.Definition{}, index: map[string]int{}}
	all := load.Schema()
	for _, d := range all {
		w.definitions[d.Name] = d
	}
	w.definition("#File", "")
	values := Section{Title: "Values", About: "What words take. In JSON the events' own types are written as their fields say."}
	for _, d := range all {
		if d.Type == "" {
			continue
		}
		name := d.Name
		if strings.Contains(strings.Join(d.Examples, " "), "spec."+d.Name) {
			name = "spec." + name
		}
		values.Entries = append(values.Entries, Entry{Name: name, Kind: Value, Usage: []string{d.Type}, Meaning: about(d), Examples: d.Examples})
	}
	return append(w.sections, values)
}

// walk follows the definitions from #File down.
type walk struct {
	definitions map[string]load.Definition
	sections    []Section
	index       map[string]int // of a definition's section
}

// definition adds the place path of a definition, and of the words in it.
func (w *walk) definition(name, path string) {
	d, ok := w.definitions[name]
	if !ok || d.Type != "" {
		return
	}
	i, known := w.index[name]
	if !known {
		i = len(w.sections)
		w.index[name] = i
		s := Section{Title: d.Name, About: about(d), Examples: d.Examples}
		for _, word := range d.Words {
			s.Entries = append(s.Entries, w.entry(word))
		}
		w.sections = append(w.sections, s)
	}
	if path != "" {
		w.sections[i].Where = append(w.sections[i].Where, path)
	}
	for k, word := range d.Words {
		at := strings.TrimPrefix(path+"."+word.Name, ".")
		e := &w.sections[i].Entries[k]
		e.Where = append(e.Where, at)
		if word.Named {
			at += ".NAME"
		}
		w.definition(word.Of, at)
	}
}

// said is what the comments of the schema say in words and an entry has in fields of its own.
var said = strings.NewReplacer("Required.", "", "Type int.", "", "Type number.", "", "Type int, default", "Default", "Type number, default", "Default")

// about is the comment of a definition, without its name at the beginning.
func about(d load.Definition) string {
	text := strings.TrimPrefix(strings.TrimPrefix(d.Doc, d.Name+" "), "is ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// entry is a word without its places. What its own comment leaves out is taken from the definition of its values.
func (w *walk) entry(word load.Word) Entry {
	e := Entry{Name: word.Name, Kind: Word, Usage: []string{word.Type}, Note: "optional", Meaning: word.Doc, Examples: word.Examples}
	if word.Required {
		e.Note = "required"
	}
	e.Meaning = strings.Join(strings.Fields(said.Replace(e.Meaning)), " ")
	of := w.definitions[word.Of]
	if e.Meaning == "" {
		e.Meaning = about(of)
	}
	if len(e.Examples) == 0 && !strings.HasPrefix(word.Of, "#Text") && !strings.HasPrefix(word.Of, "#Duration") {
		e.Examples = of.Examples
	}
	return e
}
