package reference

import (
	"fmt"
	"regexp"
	"strings"
)

// Markdown is the reference as one CommonMark text.
func Markdown() string {
	sections := Sections()
	var b strings.Builder
	b.WriteString("# The language of streamwright\n\nEvery word, type, function and reason, with an example that is executed by a test. This text is made from `spec/schema` and `spec/celexpr`; " +
		"`streamwright help WORD` prints its parts.\n\n")
	b.WriteString("A spec is a CUE package whose field `pipeline` holds pipelines by name. NAME in a place stands for a name that you give; `spec.` is the import of " +
		"`github.com/streamwright/streamwright/spec`.\n\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s)\n", heading(s), anchor(heading(s)))
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n", heading(s))
		if s.About != "" {
			fmt.Fprintf(&b, "\n%s\n", s.About)
		}
		if len(s.Where) > 0 {
			fmt.Fprintf(&b, "\nPlace: %s.\n", codes(s.Where))
		}
		if len(s.Examples) > 0 {
			fmt.Fprintf(&b, "\n```cue\n%s\n```\n", strings.Join(s.Examples, "\n"))
		}
		b.WriteString("\n")
		for _, e := range s.Entries {
			b.WriteString(item(e))
		}
	}
	return b.String()
}

// heading names a section.
func heading(s Section) string {
	if len(s.Where) == 0 && strings.HasPrefix(s.Title, "#") {
		return "A spec"
	}
	return strings.TrimPrefix(s.Title, "#")
}

// notAnchor is what GitHub leaves out of the names that it gives to headings.
var notAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

func anchor(heading string) string {
	return strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// item is an entry as an item of a list.
func item(e Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s**", codes(e.names()))
	switch e.Kind {
	case Word:
		fmt.Fprintf(&b, ", %s, %s", codes(e.Usage), e.Note)
	case Value:
		fmt.Fprintf(&b, ", %s", codes(e.Usage))
	case Function, Aggregate:
		fmt.Fprintf(&b, ": %s", codes(e.Usage))
	case Column, Reason, Counter:
		fmt.Fprintf(&b, " (%s)", e.Note)
	}
	end := ". "
	if e.Kind == Column || e.Kind == Reason || e.Kind == Counter || e.Kind == FieldType || e.Kind == Constraint || e.Kind == Refused {
		end = ": "
	}
	fmt.Fprintf(&b, "%s%s", end, e.Meaning)
	switch {
	case e.Instead != "":
		fmt.Fprintf(&b, "\n  Write %s.", code(e.Instead))
	case e.Result != "":
		fmt.Fprintf(&b, "\n  Example: %s gives %s.", codes(e.Examples), result(e))
	case len(e.Examples) > 0:
		fmt.Fprintf(&b, "\n  Example: %s.", codes(e.Examples))
	}
	b.WriteString("\n")
	return b.String()
}

// names are those that an entry shows.
func (e Entry) names() []string {
	if e.Kind == Constraint || e.Kind == FieldType || e.Kind == Function {
		return strings.Split(e.Name, ", ")
	}
	return []string{e.Name}
}

func result(e Entry) string {
	if why, failed := strings.CutPrefix(e.Result, "fault: "); failed {
		return "a fault: " + why
	}
	return code(e.Result)
}

// code is a text in back quotes.
func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

func codes(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = code(t)
	}
	return strings.Join(all, ", ")
}
