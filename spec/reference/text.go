package reference

import (
	"fmt"
	"strings"
)

// Text is an entry for a terminal.
func (e Entry) Text() string {
	var b strings.Builder
	about := []string{string(e.Kind)}
	if e.Note != "" {
		about = append(about, e.Note)
	}
	fmt.Fprintf(&b, "%s  (%s)\n", e.Name, strings.Join(about, ", "))
	for _, path := range e.Where {
		fmt.Fprintf(&b, "  at    %s\n", path)
	}
	for _, usage := range e.Usage {
		fmt.Fprintf(&b, "  %-4s  %s\n", map[bool]string{true: "type", false: "call"}[e.Kind == Word || e.Kind == Value], usage)
	}
	b.WriteString(wrapped(e.Meaning, "  "))
	for _, example := range e.Examples {
		switch {
		case e.Kind == Refused:
		case e.Result != "":
			fmt.Fprintf(&b, "  e.g.  %s  gives  %s\n", example, e.Result)
		default:
			fmt.Fprintf(&b, "  e.g.  %s\n", example)
		}
	}
	if e.Instead != "" {
		fmt.Fprintf(&b, "  write %s\n", e.Instead)
	}
	return b.String()
}

// Overview lists the words of a section, a line each.
func (s Section) Overview() string {
	var b strings.Builder
	width := 0
	for _, e := range s.Entries {
		width = max(width, len(e.Name))
	}
	for _, e := range s.Entries {
		first, _, _ := strings.Cut(e.Meaning, ". ")
		line := fmt.Sprintf("%-*s  %s", width, e.Name, strings.ReplaceAll(strings.TrimSuffix(first, "."), "`", ""))
		if e.Note == "required" {
			line += " (required)"
		}
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// wrapped breaks a text into lines of about 80 characters, with margin before each.
func wrapped(text, margin string) string {
	var b strings.Builder
	line := ""
	for _, word := range strings.Fields(strings.ReplaceAll(text, "`", "")) {
		if line != "" && len([]rune(margin+line+" "+word)) > 80 {
			b.WriteString(margin + line + "\n")
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		b.WriteString(margin + line + "\n")
	}
	return b.String()
}
